//! Positions that a search visits: some of each number of free cells, picked at random.
//!
//! The [network](super::cost) orders the hunter's moves in the positions of searches, so it is
//! fitted to such positions. They have harder choices than positions of games: the prey has played
//! every reply, the best ones too.

use std::ops::RangeInclusive;

use crate::game::cells::{MAX_CELLS, Word};
use crate::game::duel::Duel;
use crate::game::zobrist::split_mix;

/// Positions at the hunter's turn, with at least two moves, that a search has visited.
pub(super) struct Visited<W> {
    free: RangeInclusive<usize>,
    /// How many positions to keep of each number of free cells.
    each: usize,
    seed: u64,
    /// For each number of free cells: how many were visited, and those that were kept.
    levels: Vec<(usize, Vec<Duel<W>>)>,
}

impl<W: Word> Visited<W> {
    /// Keeps at most `each` positions of each of these numbers of free cells.
    pub(super) fn new(free: RangeInclusive<usize>, each: usize, seed: u64) -> Self {
        Self { free, each, seed, levels: vec![(0, Vec::new()); MAX_CELLS] }
    }

    /// Every visited position has the same chance of being kept.
    pub(super) fn see(&mut self, duel: Duel<W>) {
        let free = duel.free.len();
        if !self.free.contains(&free) {
            return;
        }
        let (visited, kept) = &mut self.levels[free];
        *visited += 1;
        if kept.len() < self.each {
            kept.push(duel);
            return;
        }
        let random = split_mix(self.seed, (free << 40 | *visited) as u64);
        let place = (u128::from(random) * *visited as u128) >> 64;
        if let Some(kept) = kept.get_mut(place as usize) {
            *kept = duel;
        }
    }
    /// The positions that were kept, those with the fewest free cells first.
    pub(super) fn kept(self) -> Vec<Duel<W>> {
        self.levels.into_iter().flat_map(|(_, kept)| kept).collect()
    }
}
