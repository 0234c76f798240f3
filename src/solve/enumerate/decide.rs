//! Backward: decides every position from its successors, from the positions without a live cell up
//! to the roots.

use rayon::prelude::*;

use super::folder::{EnumerationError, MappedKeys};
use super::keys::layer;
use super::ledger::{KEYS, Place, VALUES};
use super::state::{EnumerationState, Watch};
use crate::game::outcome::Outcome;
use crate::mapped::{Mapped, Order};

/// How many keys one thread decides at a time.
const PIECE: usize = 1 << 10;

impl EnumerationState {
    /// Decides all keys. Values are written in the order in which the keys are decided.
    pub(super) fn decide(&mut self, watch: &Watch<'_>) -> Result<(), EnumerationError> {
        if self.ledger.decided == self.ledger.complete() {
            return Ok(());
        }
        let signposts = Signposts::new(self)?;
        let keys = MappedKeys(self.folder.map(KEYS, Order::Random)?);
        for Place { keys: range, values: start } in self.ledger.places() {
            let end = (start + range.len()) as u64;
            if self.ledger.decided >= end {
                continue;
            }
            // Values appended from here on belong to this layer. Nothing looks them up before the
            // layer is complete.
            let values = self.folder.map(VALUES, Order::Random)?;
            let decided = Decided { signposts: &signposts, keys: &keys, values: &values };
            while self.ledger.decided < end {
                let next = range.start as u64 + self.ledger.decided - start as u64;
                let count = (end - self.ledger.decided).min(self.memory.keys_at_once() as u64);
                self.decide_keys(next, count, &decided)?;
                watch.control.add_nodes(count);
                self.step(watch)?;
            }
        }
        Ok(())
    }

    fn decide_keys(&mut self, first: u64, count: u64, decided: &Decided<'_>) -> Result<(), EnumerationError> {
        let keys = self.keys.read_keys(first, count as usize)?;
        let plies = |&key: &u64| self.outcome(key, decided).map(|outcome| outcome.plies() as u8);
        let values: Option<Vec<u8>> = keys.par_iter().with_min_len(PIECE).map(plies).collect();
        self.values.append(&values.ok_or(EnumerationError::Damaged)?)?;
        self.ledger.decided += count;
        Ok(())
    }

    /// The best outcome that any move leads to. `None` if a successor is missing, which can only
    /// happen if a file is damaged.
    fn outcome(&self, key: u64, decided: &Decided<'_>) -> Option<Outcome> {
        let mut best = None;
        for successor in self.moves.successors(key) {
            best = best.max(Some(decided.outcome(successor)?.one_ply_before()));
        }
        Some(best.unwrap_or(Outcome::OVER))
    }
}

/// The lower layers, which are all decided.
struct Decided<'a> {
    signposts: &'a Signposts,
    keys: &'a MappedKeys,
    values: &'a Mapped,
}

impl Decided<'_> {
    #[inline]
    fn outcome(&self, key: u64) -> Option<Outcome> {
        let value = self.signposts.value_of(key, self.keys)?;
        Some(Outcome::after(usize::from(*self.values.get(value)?)))
    }
}

/// An index in memory: every `distance`th key of each layer. It narrows the lookup of a key down to
/// a small part of the file, at best to a single page.
struct Signposts {
    layers: Vec<(Place, Vec<u64>)>,
    distance: usize,
}

impl Signposts {
    /// As many keys as a page of the file holds.
    const LEAST_DISTANCE: usize = 512;

    fn new(work: &EnumerationState) -> Result<Self, EnumerationError> {
        let keys = MappedKeys(work.folder.map(KEYS, Order::Sequential)?);
        let mut distance = Self::LEAST_DISTANCE;
        while keys.len() / distance > work.memory.signposts() {
            distance *= 2;
        }
        let layer = |place: Place| {
            let posts = place.keys.clone().step_by(distance).map(|index| keys.get(index)).collect();
            (place, posts)
        };
        Ok(Self { layers: work.ledger.places().into_iter().map(layer).collect(), distance })
    }

    /// The index of a key's value. `None` if the key does not exist.
    #[inline]
    fn value_of(&self, key: u64, keys: &MappedKeys) -> Option<usize> {
        let (place, posts) = self.layers.get(layer(key))?;
        let post = posts.partition_point(|&post| post <= key).checked_sub(1)?;
        let start = place.keys.start + post * self.distance;
        let end = place.keys.end.min(start + self.distance);
        let index = keys.first_not_below(key, start..end);
        (index < end && keys.get(index) == key).then(|| place.values + index - place.keys.start)
    }
}
