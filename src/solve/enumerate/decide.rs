//! Backward: from the positions without a live cell up to the roots, each decided by its successors.

use rayon::prelude::*;

use super::folder::{EnumerationError, MappedKeys};
use super::keys::layer;
use super::ledger::{KEYS, Place, VALUES};
use super::work::{Watch, Work};
use crate::mapped::{Mapped, Order};
use crate::outcome::Outcome;

/// The keys that one thread decides at a time.
const PIECE: usize = 1 << 10;

impl Work {
    /// Decides all keys. Their values are written in the order in which they are decided.
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
            // What is appended from now on belongs to this layer, and is not asked for before it is complete.
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

    /// The best outcome that a move leads to; none if a successor is missing, which only a damaged file explains.
    fn outcome(&self, key: u64, decided: &Decided<'_>) -> Option<Outcome> {
        let mut best = None;
        for successor in self.moves.successors(key) {
            best = best.max(Some(decided.outcome(successor)?.one_ply_before()));
        }
        Some(best.unwrap_or(Outcome::OVER))
    }
}

/// The lower layers.
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

/// Keys at equal distances, kept in memory: with their help the search for a key reads one page of the file.
struct Signposts {
    layers: Vec<(Place, Vec<u64>)>,
    distance: usize,
}

impl Signposts {
    /// A page of the file.
    const LEAST_DISTANCE: usize = 512;

    fn new(work: &Work) -> Result<Self, EnumerationError> {
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

    /// Where the value of a key is.
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
