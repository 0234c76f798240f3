//! The memo of a partition search: proofs, each stored once for all positions that it covers.
//!
//! An entry holds for every position at the hunter's turn that has the same knights, certain cells
//! free and certain others blocked ([`Proof`]). One entry is therefore worth many entries of an
//! exact transposition table, but no hash of the position finds it. The index is the exact pair of
//! knights and a hash of the cells that the prey could move to next: positions that differ there
//! seldom share a proof. A lookup then compares the position with all entries of a bucket, eight at
//! a time on a vector unit.
//!
//! No hit can be false: the pair of knights is part of the index, and both sets of the entry are
//! compared in full.
//!
//! Every thread has its own memo, so nothing has to be locked. An entry is two words, read and
//! written some ten million times a second.

use std::hint::black_box;

use super::proof::Proof;
use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Cells, Word};

/// The number of entries in a bucket.
const WAYS: usize = 32;
/// The first `KEPT` entries of a bucket are protected: a new proof replaces a random entry behind
/// them. Every hit moves an entry towards the front.
const KEPT: usize = 16;

/// `WAYS` proofs. Each is stored as `need` and `care`,
/// where `care` is the union of `need` and `stop`.
#[derive(Clone)]
#[repr(align(64))]
struct Bucket<W> {
    care: [W; WAYS],
    /// The bit of the prey's cell, which no proof mentions, says whether the hunter wins.
    need: [W; WAYS],
}

/// The bucket for the proofs of a position.
#[derive(Clone, Copy)]
pub(super) struct Place(usize);

impl Place {
    /// A filler value for array slots that are not used yet.
    pub(super) const NONE: Self = Self(0);
}

/// A memo of proofs for positions at the hunter's turn.
pub(super) struct PartitionMemo<W> {
    buckets: Vec<Bucket<W>>,
    pattern_bits: u32,
    prey_cells: usize,
    random: u32,
}

impl<W: Word> PartitionMemo<W> {
    /// The size of the smallest memo in bytes: one bucket for each pair of knights.
    pub(super) fn least_bytes(size: Size) -> u64 {
        (size.cells() * size.cells().div_ceil(2) * size_of::<Bucket<W>>()) as u64
    }

    /// A memo of at most `bytes`, but with at least one bucket for each pair of knights.
    pub(super) fn new(board: &Board<W>, bytes: u64) -> Self {
        let cells = board.size().cells();
        // Both knights stand on one colour, so only one
        // of two neighbouring cells can be the prey's.
        let prey_cells = cells.div_ceil(2);
        let per_pair = bytes / Self::least_bytes(board.size());
        let mut pattern_bits = per_pair.max(1).ilog2().min(16);
        // An empty entry needs every cell free. No position matches it, because the knights' cells
        // are never free.
        let empty = Bucket { care: [!W::ZERO; WAYS], need: [!W::ZERO; WAYS] };
        let mut buckets = Vec::new();
        // If the system refuses the memory, a smaller memo will do.
        while pattern_bits > 0 && buckets.try_reserve_exact((cells * prey_cells) << pattern_bits).is_err() {
            pattern_bits -= 1;
        }
        buckets.resize((cells * prey_cells) << pattern_bits, empty);
        Self { buckets, pattern_bits, prey_cells, random: 1 }
    }

    /// The bucket for positions with these knights, where the prey can move to `exits`.
    #[inline]
    pub(super) fn place(&self, hunter: Cell, prey: Cell, exits: Cells<W>) -> Place {
        let pair = hunter.index() * self.prey_cells + prey.index() / 2;
        let exits = exits.word().widen();
        let pattern = exits as u64 ^ (exits >> 64) as u64;
        let mixed = (pattern ^ (pattern >> 31)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        Place(pair << self.pattern_bits | (mixed >> 32 >> (32 - self.pattern_bits)) as usize)
    }

    /// Loads the bucket into the cache, so that [`PartitionMemo::get`] need not wait for memory.
    ///
    /// Processors have an instruction for this, but calling it takes `unsafe`. Plain loads whose
    /// values are not used do nearly as well, because nothing waits for them.
    #[inline]
    pub(super) fn fetch(&self, Place(place): Place) {
        let bucket = &self.buckets[place];
        for way in (0..WAYS).step_by(64 / size_of::<W>()) {
            black_box(bucket.care[way]);
            black_box(bucket.need[way]);
        }
    }

    /// A stored proof that covers these free cells.
    #[inline]
    pub(super) fn get(&mut self, Place(place): Place, free: Cells<W>, prey: Cell) -> Option<Proof<W>> {
        let bucket = &mut self.buckets[place];
        let mut hits = 0_u32;
        for way in 0..WAYS {
            hits |= u32::from((free.word() ^ bucket.need[way]) & bucket.care[way] == W::ZERO) << way;
        }
        if hits == 0 {
            return None;
        }
        let way = hits.trailing_zeros() as usize % WAYS;
        let (care, need) = (Cells::from_word(bucket.care[way]), Cells::from_word(bucket.need[way]));
        bucket.care.swap(way, way / 2);
        bucket.need.swap(way, way / 2);
        Some(Proof { hunter_wins: need.contains(prey), need: need & care, stop: care.except(need) })
    }

    /// Stores a proof.
    #[inline]
    pub(super) fn put(&mut self, Place(place): Place, prey: Cell, proof: Proof<W>) {
        self.random = self.random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let way = KEPT + (self.random >> 20) as usize % (WAYS - KEPT);
        let bucket = &mut self.buckets[place];
        bucket.care[way] = (proof.need | proof.stop).word();
        bucket.need[way] = (if proof.hunter_wins { proof.need.with(prey) } else { proof.need }).word();
    }
}
