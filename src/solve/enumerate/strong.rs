//! The strong solution: every position with its outcome, in sorted order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::folder::{EnumerationError, MappedKeys};
use super::keys::duel;
use super::ledger::{KEYS, Place, VALUES};
use super::state::EnumerationState;
use crate::game::duel::Duel;
use crate::game::outcome::Outcome;
use crate::mapped::{Mapped, Order};

/// Every position that can be reached from the roots, up
/// to symmetry and dead cells, with its exact outcome.
///
/// It reads the files in the folder where they were built. They must not change while it is in use.
pub struct Strong {
    keys: MappedKeys,
    values: Mapped,
    layers: Vec<Place>,
}

impl Strong {
    pub(super) fn new(work: &EnumerationState) -> Result<Self, EnumerationError> {
        let keys = MappedKeys(work.folder.map(KEYS, Order::Sequential)?);
        let values = work.folder.map(VALUES, Order::Sequential)?;
        let strong = Self { keys, values, layers: work.ledger.places() };
        let complete = strong.keys.len() == strong.len() && strong.values.len() == strong.len();
        if complete { Ok(strong) } else { Err(EnumerationError::Damaged) }
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layers.iter().map(|place| place.keys.len()).sum()
    }

    /// Whether there are no positions, because there were no roots.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The canonical duels in ascending order, each with its outcome.
    #[must_use]
    pub fn entries(&self) -> StrongEntries<'_> {
        let mut entries = StrongEntries { strong: self, next: BinaryHeap::new(), left: self.len() };
        (0..self.layers.len()).for_each(|layer| entries.wait(layer, 0));
        entries
    }
}

/// The entries of a [strong solution](Strong), merged from its layers.
pub struct StrongEntries<'a> {
    strong: &'a Strong,
    /// For each layer its next key, the layer, and the key's index within the layer.
    next: BinaryHeap<Reverse<(u64, usize, usize)>>,
    left: usize,
}

impl StrongEntries<'_> {
    fn wait(&mut self, layer: usize, place: usize) {
        let keys = &self.strong.layers[layer].keys;
        if place < keys.len() {
            self.next.push(Reverse((self.strong.keys.get(keys.start + place), layer, place)));
        }
    }
}

impl Iterator for StrongEntries<'_> {
    type Item = (Duel<u64>, Outcome);

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((key, layer, place)) = self.next.pop()?;
        self.wait(layer, place + 1);
        self.left -= 1;
        let plies = self.strong.values[self.strong.layers[layer].values + place];
        Some((duel(key), Outcome::after(plies.into())))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for StrongEntries<'_> {}
