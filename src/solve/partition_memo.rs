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
use std::marker::PhantomData;

use super::proof::Proof;
use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Cells, Word};

/// The number of entries in a bucket.
const WAYS: usize = 32;
/// The first `KEPT` entries of a bucket are protected: a new proof replaces a random entry behind
/// them. Every hit moves an entry towards the front.
const KEPT: usize = 16;

/// `WAYS` proofs, or what they say about 64 of the cells. Each is stored as `need` and `care`,
/// where `care` is the union of `need` and `stop`.
#[derive(Clone)]
#[repr(align(64))]
struct Bucket {
    care: [u64; WAYS],
    /// The bit of the prey's cell, which no proof mentions, says whether the hunter wins.
    need: [u64; WAYS],
}

impl Bucket {
    /// An empty entry needs every cell free. No position matches it, because the knights' cells are
    /// never free.
    const EMPTY: Self = Self { care: [u64::MAX; WAYS], need: [u64::MAX; WAYS] };

    /// The entries that agree with these free cells, as bits.
    #[inline]
    fn hits(&self, free: u64) -> u32 {
        let mut hits = 0_u32;
        for way in 0..WAYS {
            hits |= u32::from((free ^ self.need[way]) & self.care[way] == 0) << way;
        }
        hits
    }

    /// Moves an entry towards the front.
    #[inline]
    fn promote(&mut self, way: usize) {
        self.care.swap(way, way / 2);
        self.need.swap(way, way / 2);
    }
}

/// The bucket for the proofs of a position.
#[derive(Clone, Copy)]
pub(super) struct Place(usize);

impl Place {
    /// A filler value for array slots that are not used yet.
    pub(super) const NONE: Self = Self(0);
}

/// A memo of proofs for positions at the hunter's turn.
///
/// On boards of more than 64 cells a bucket has two parts, kept apart. Few entries agree with a
/// position on the first 64 cells, so a lookup seldom has to wait for the second part.
pub(super) struct PartitionMemo<W> {
    /// What the proofs say about the first 64 cells.
    low: Vec<Bucket>,
    /// What they say about the other cells. Empty on boards that have no more than 64.
    high: Vec<Bucket>,
    pattern_bits: u32,
    prey_cells: usize,
    random: u32,
    word: PhantomData<W>,
}

impl<W: Word> PartitionMemo<W> {
    const HAS_HIGH: bool = W::BITS > u64::BITS;

    /// The size of the smallest memo in bytes: one bucket for each pair of knights.
    pub(super) fn least_bytes(size: Size) -> u64 {
        (size.cells() * size.cells().div_ceil(2) * size_of::<Bucket>() * size_of::<W>() / size_of::<u64>()) as u64
    }

    /// A memo of at most `bytes`, but with at least one bucket for each pair of knights.
    pub(super) fn new(board: &Board<W>, bytes: u64) -> Self {
        let cells = board.size().cells();
        // Both knights stand on one colour, so only one
        // of two neighbouring cells can be the prey's.
        let prey_cells = cells.div_ceil(2);
        let per_pair = bytes / Self::least_bytes(board.size());
        let mut pattern_bits = per_pair.max(1).ilog2().min(16);
        let (mut low, mut high) = (Vec::new(), Vec::new());
        let buckets = |bits: u32| (cells * prey_cells) << bits;
        let high_buckets = |bits: u32| if Self::HAS_HIGH { buckets(bits) } else { 0 };
        // If the system refuses the memory, a smaller memo will do.
        while pattern_bits > 0
            && (low.try_reserve_exact(buckets(pattern_bits)).is_err()
                || high.try_reserve_exact(high_buckets(pattern_bits)).is_err())
        {
            pattern_bits -= 1;
        }
        low.resize(buckets(pattern_bits), Bucket::EMPTY);
        high.resize(high_buckets(pattern_bits), Bucket::EMPTY);
        Self { low, high, pattern_bits, prey_cells, random: 1, word: PhantomData }
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
        let bucket = &self.low[place];
        for way in (0..WAYS).step_by(64 / size_of::<u64>()) {
            black_box(bucket.care[way]);
            black_box(bucket.need[way]);
        }
    }

    /// A stored proof that covers these free cells.
    #[inline]
    pub(super) fn get(&mut self, Place(place): Place, free: Cells<W>, prey: Cell) -> Option<Proof<W>> {
        let (free_low, free_high) = parts(free);
        let bucket = &mut self.low[place];
        let mut hits = bucket.hits(free_low);
        if Self::HAS_HIGH && hits != 0 {
            hits &= self.high[place].hits(free_high);
        }
        if hits == 0 {
            return None;
        }
        let way = hits.trailing_zeros() as usize % WAYS;
        let (mut care, mut need) = (u128::from(bucket.care[way]), u128::from(bucket.need[way]));
        bucket.promote(way);
        if Self::HAS_HIGH {
            let bucket = &mut self.high[place];
            care |= u128::from(bucket.care[way]) << 64;
            need |= u128::from(bucket.need[way]) << 64;
            bucket.promote(way);
        }
        let (care, need) = (Cells::from_word(W::narrow(care)), Cells::from_word(W::narrow(need)));
        Some(Proof { hunter_wins: need.contains(prey), need: need & care, stop: care.except(need) })
    }

    /// Stores a proof.
    #[inline]
    pub(super) fn put(&mut self, Place(place): Place, prey: Cell, proof: Proof<W>) {
        self.random = self.random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let way = KEPT + (self.random >> 20) as usize % (WAYS - KEPT);
        let care = parts(proof.need | proof.stop);
        let need = parts(if proof.hunter_wins { proof.need.with(prey) } else { proof.need });
        let bucket = &mut self.low[place];
        (bucket.care[way], bucket.need[way]) = (care.0, need.0);
        if Self::HAS_HIGH {
            let bucket = &mut self.high[place];
            (bucket.care[way], bucket.need[way]) = (care.1, need.1);
        }
    }
}

/// The first 64 cells of a set, and the others.
#[inline]
fn parts<W: Word>(cells: Cells<W>) -> (u64, u64) {
    let word = cells.word().widen();
    (word as u64, (word >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only what a proof says about all cells decides, also about those beyond the first 64.
    #[test]
    fn a_proof_is_found_where_it_covers_the_position_and_nowhere_else() {
        let board = Board::<u128>::fitting(Size::new(9, 9).unwrap());
        let mut memo = PartitionMemo::new(&board, 0);
        let (hunter, prey) = (Cell::new(0), Cell::new(70));
        let free = board.cells().without(hunter).without(prey);
        let place = memo.place(hunter, prey, board.knight_moves(prey));
        let cells = |indices: &[usize]| indices.iter().map(|&index| Cell::new(index)).collect::<Cells<u128>>();
        for hunter_wins in [true, false] {
            let proof = Proof { hunter_wins, need: cells(&[5, 66]), stop: cells(&[7, 80]) };
            let covered = free.except(proof.stop);
            memo = PartitionMemo::new(&board, 0);
            assert_eq!(memo.get(place, covered, prey), None);
            memo.put(place, prey, proof);
            // Each hit moves the proof.
            for _ in 0..8 {
                assert_eq!(memo.get(place, covered, prey), Some(proof));
            }
            for changed in proof.need | proof.stop {
                let other = if covered.contains(changed) { covered.without(changed) } else { covered.with(changed) };
                assert_eq!(memo.get(place, other, prey), None, "{changed:?}");
            }
            assert_eq!(memo.get(place, proof.need, prey), Some(proof));
        }
    }
}
