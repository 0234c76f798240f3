//! Proofs remembered for all positions that they cover.
//!
//! An entry holds for every position with the same knights, at the hunter's turn, in which certain cells are free and certain others blocked
//! ([`Proof`]). That makes it worth many entries of an exact memo; but no hash of the position finds it. The index is the pair of knights, exactly,
//! and a hash of the cells that the prey could move to next: positions that differ there seldom share a proof. What is left is a comparison with
//! all the entries of a bucket, which a vector unit does for eight at a time.
//!
//! No hit can be false: the knights are the index, and both sets of the entry are compared in full.
//!
//! Every thread has its own, so that nothing has to be locked: an entry is two words, and it is read and written
//! some ten million times a second.

use std::hint::black_box;

use super::proof::Proof;
use crate::board::{Board, Size};
use crate::cells::{Cell, Cells, Word};

/// Entries in a bucket.
const WAYS: usize = 32;
/// A hit moves an entry towards the front; a new one takes a random place behind these.
const KEPT: usize = 16;

/// So many proofs: each is `need` and `care`, the union of its two sets.
#[derive(Clone)]
#[repr(align(64))]
struct Bucket<W> {
    care: [W; WAYS],
    /// The bit of the prey's cell, of which no proof speaks, says whether the hunter wins.
    need: [W; WAYS],
}

/// Where a position's proofs are kept.
#[derive(Clone, Copy)]
pub(super) struct Place(usize);

impl Place {
    /// Any place, for where none is needed.
    pub(super) const NONE: Self = Self(0);
}

/// A memo of proofs for the hunter's turn.
pub(super) struct General<W> {
    buckets: Vec<Bucket<W>>,
    pattern_bits: u32,
    prey_cells: usize,
    random: u32,
}

impl<W: Word> General<W> {
    /// The bytes of one bucket for each pair of knights: no memo is smaller.
    pub(super) fn least_bytes(size: Size) -> u64 {
        (size.cells() * size.cells().div_ceil(2) * size_of::<Bucket<W>>()) as u64
    }

    /// A memo for a board within `bytes`, but at least one bucket for each pair of knights.
    pub(super) fn new(board: &Board<W>, bytes: u64) -> Self {
        let cells = board.size().cells();
        // Both knights stand on one colour: of two neighbouring cells only one can be the prey's.
        let prey_cells = cells.div_ceil(2);
        let per_pair = bytes / Self::least_bytes(board.size());
        let pattern_bits = per_pair.max(1).ilog2().min(16);
        // An empty entry wants every cell free, which no position has: the knights' cells never are.
        let empty = Bucket { care: [!W::ZERO; WAYS], need: [!W::ZERO; WAYS] };
        Self { buckets: vec![empty; (cells * prey_cells) << pattern_bits], pattern_bits, prey_cells, random: 1 }
    }

    /// The place of a position with these knights and these moves of the prey.
    #[inline]
    pub(super) fn place(&self, hunter: Cell, prey: Cell, exits: Cells<W>) -> Place {
        let pair = hunter.index() * self.prey_cells + prey.index() / 2;
        let exits = exits.word().widen();
        let pattern = exits as u64 ^ (exits >> 64) as u64;
        let mixed = (pattern ^ (pattern >> 31)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        Place(pair << self.pattern_bits | (mixed >> 32 >> (32 - self.pattern_bits)) as usize)
    }

    /// Asks for the place's entries to be fetched from memory, so that they are at hand when [`General::get`] looks at them.
    ///
    /// The processor has an instruction for that, which takes `unsafe`; loads whose values nobody uses do nearly as well, because nothing
    /// waits for them.
    #[inline]
    pub(super) fn fetch(&self, Place(place): Place) {
        let bucket = &self.buckets[place];
        for way in (0..WAYS).step_by(64 / size_of::<W>()) {
            black_box(bucket.care[way]);
            black_box(bucket.need[way]);
        }
    }

    /// A proof that covers these free cells.
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

    /// Remembers a proof.
    #[inline]
    pub(super) fn put(&mut self, Place(place): Place, prey: Cell, proof: Proof<W>) {
        self.random = self.random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let way = KEPT + (self.random >> 20) as usize % (WAYS - KEPT);
        let bucket = &mut self.buckets[place];
        bucket.care[way] = (proof.need | proof.stop).word();
        bucket.need[way] = (if proof.hunter_wins { proof.need.with(prey) } else { proof.need }).word();
    }
}
