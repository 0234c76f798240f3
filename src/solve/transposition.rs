//! The transposition table: proven results of duels,
//! shared by all threads, in a fixed amount of memory.
//!
//! Zobrist hashing only picks the bucket. A hit is a fact, never a guess.
//!
//! # Why no hit can be false
//! On a board of `n` cells, a duel has `n + 12` bits: the free cells and the two knights. The word
//! that is stored has room for the result and for all of these bits except the *implied* ones: the
//! free cells among the last `d` cells of the board. Suppose two duels are stored as the same bits
//! in the same bucket. They agree in everything but the implied cells. The bucket is a window of
//! `b` bits of the Zobrist hash, which is an XOR of keys. Whatever the duels agree on cancels out.
//! So the keys of the implied cells in which they differ have the XOR zero in that window. The
//! table is only built with a window in which the keys of the `d` implied cells are linearly
//! independent over the field of two elements ([`independent`] checks it). So the duels differ in
//! no implied cell either: they are the same duel.
//!
//! An entry is one atomic word, read and written in one piece. Threads can overwrite each other's
//! entries, but they can never mix them.
//!
//! Some duels do not fit this way, together with their result: those of boards over 64 cells, and
//! those with distances on large boards. Their entries are three words that hold the whole duel.
//! Each bucket then has a counter, which is odd while a thread writes. A reader compares the
//! counter before and after. If it was odd or has changed, the reader ignores what it read. No
//! thread ever waits.
//!
//! # What is replaced
//! A bucket is one cache line. A new result replaces an older result of the same duel if there is
//! one, else an empty entry, else the entry that takes the least work to find again. The caller
//! says how much work that is. It uses the number of free cells, because the work grows with it.

use std::sync::atomic::{AtomicU64, Ordering, fence};

use super::SolverError;
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::Duel;
use crate::game::zobrist;

/// Words in a bucket: one cache line.
const BUCKET: usize = 8;
/// Bits of a knight's cell in a narrow entry.
const KNIGHT_BITS: u32 = 6;
/// Bits of the amount of work.
const WORK_BITS: u32 = 5;
/// Words in a wide entry: two for the free cells, one for everything else.
const WIDE: usize = 3;

/// A transposition table of fixed size.
pub(super) struct TranspositionTable {
    words: Box<[AtomicU64]>,
    /// The index of the first bucket's first word. It is chosen so that no bucket straddles two
    /// cache lines.
    start: usize,
    buckets: usize,
    /// The position of the window: how far the hash is shifted before it picks a bucket.
    shift: u32,
    layout: Layout,
}

/// The layout of an entry, from the lowest bit: free cells, mover, other, result, work.
#[derive(Clone, Copy)]
enum Layout {
    /// One word, in which the free cells take the lowest `free_bits` bits.
    Narrow { free_bits: u32, result_bits: u32 },
    /// Three words.
    Wide { result_bits: u32 },
}

impl TranspositionTable {
    /// The least bytes with which an entry takes one word. Boards of more than 64 cells never have
    /// such entries, so any number will do.
    pub(super) fn least_bytes(cells: usize, result_bits: u32) -> u64 {
        let implied = if cells > 64 { 0 } else { implied_cells(cells, result_bits) };
        let bits = (implied..u64::BITS).find(|&bits| independent_window(cells, implied, bits).is_some());
        (8 * BUCKET as u64) << bits.unwrap_or(0)
    }

    /// A table for boards of `cells` cells and results of
    /// `result_bits` bits, in at most `bytes` of memory.
    ///
    /// The number of buckets is a power of two and at least one.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub(super) fn new(cells: usize, bytes: u64, result_bits: u32) -> Result<Self, SolverError> {
        let most = (bytes / (8 * BUCKET as u64)).clamp(1, 1 << 40) as usize;
        let buckets = 1_usize << most.ilog2();
        let implied = implied_cells(cells, result_bits);
        let window = (cells <= 64).then(|| independent_window(cells, implied, buckets.ilog2())).flatten();
        let layout = match window {
            Some(_) => Layout::Narrow { free_bits: cells as u32 - implied, result_bits },
            None => Layout::Wide { result_bits },
        };
        let words =
            bytemuck::try_zeroed_slice_box::<AtomicU64>((buckets + 1) * BUCKET).map_err(|()| SolverError::Memory { bytes })?;
        let misaligned = words.as_ptr() as usize % (8 * BUCKET) / 8;
        Ok(Self { words, start: (BUCKET - misaligned) % BUCKET, buckets, shift: window.unwrap_or(0), layout })
    }

    /// The same, but halves the size until the memory can be allocated.
    pub(super) fn new_or_small(cells: usize, bytes: u64, result_bits: u32) -> Self {
        Self::new(cells, bytes, result_bits).unwrap_or_else(|_| Self::new_or_small(cells, bytes / 2, result_bits))
    }

    /// The bucket of a duel with this hash.
    fn bucket(&self, hash: u64) -> &[AtomicU64] {
        let index = (hash >> self.shift) as usize & (self.buckets - 1);
        &self.words[self.start + index * BUCKET..][..BUCKET]
    }

    /// The result stored for a duel, whose hash is `hash`.
    #[inline]
    pub(super) fn get<W: Word>(&self, hash: u64, duel: Duel<W>) -> Option<u32> {
        let bucket = self.bucket(hash);
        match self.layout {
            Layout::Narrow { free_bits, result_bits } => {
                let key = narrow_key(duel, free_bits);
                let key_bits = free_bits + 2 * KNIGHT_BITS;
                let found = bucket
                    .iter()
                    .map(|word| word.load(Ordering::Relaxed))
                    .find(|word| word << (64 - key_bits) == key << (64 - key_bits))?;
                Some(field(found, key_bits, result_bits))
            }
            Layout::Wide { result_bits } => {
                let before = bucket[0].load(Ordering::Acquire);
                let [low, high, rest] = wide_key(duel);
                let found = bucket[1..].chunks_exact(WIDE).find_map(|entry| {
                    let word = entry[2].load(Ordering::Relaxed);
                    let same = entry[0].load(Ordering::Relaxed) == low
                        && entry[1].load(Ordering::Relaxed) == high
                        && word as u16 == rest as u16;
                    (same && word != 0).then(|| field(word, 16, result_bits))
                });
                fence(Ordering::Acquire);
                let undisturbed = before.is_multiple_of(2) && bucket[0].load(Ordering::Relaxed) == before;
                if undisturbed { found } else { None }
            }
        }
    }

    /// Stores a result, and how much work it is to find again. Amounts above 31 count as 31.
    pub(super) fn put<W: Word>(&self, hash: u64, duel: Duel<W>, result: u32, work: u32) {
        let work = u64::from(work.min((1 << WORK_BITS) - 1));
        let bucket = self.bucket(hash);
        match self.layout {
            Layout::Narrow { free_bits, result_bits } => {
                debug_assert!(result < 1 << result_bits);
                let key_bits = free_bits + 2 * KNIGHT_BITS;
                let key = narrow_key(duel, free_bits);
                let word = key | (u64::from(result) | work << result_bits) << key_bits;
                let same_key = |old: u64| old << (64 - key_bits) == key << (64 - key_bits);
                let work_bit = key_bits + result_bits;
                let worth = |old: u64| if old == 0 { 0 } else { 1 + (old >> work_bit) };
                let stored = |place: &&AtomicU64| same_key(place.load(Ordering::Relaxed));
                let least = || bucket.iter().min_by_key(|place| worth(place.load(Ordering::Relaxed)));
                if let Some(place) = bucket.iter().find(stored).or_else(least) {
                    place.store(word, Ordering::Relaxed);
                }
            }
            Layout::Wide { result_bits } => {
                let before = bucket[0].load(Ordering::Relaxed);
                let claimed = before.is_multiple_of(2)
                    && bucket[0].compare_exchange(before, before + 1, Ordering::Acquire, Ordering::Relaxed).is_ok();
                if !claimed {
                    return;
                }
                fence(Ordering::Release);
                let [low, high, rest] = wide_key(duel);
                let worth = |entry: &[AtomicU64]| {
                    let old: [u64; WIDE] = std::array::from_fn(|word| entry[word].load(Ordering::Relaxed));
                    let same = old[0] == low && old[1] == high && old[2] as u16 == rest as u16;
                    if old[2] == 0 || same { u64::from(!same) } else { 2 + (old[2] >> (16 + result_bits)) }
                };
                if let Some(entry) = bucket[1..].chunks_exact(WIDE).min_by_key(|entry| worth(entry)) {
                    entry[0].store(low, Ordering::Relaxed);
                    entry[1].store(high, Ordering::Relaxed);
                    entry[2].store(rest | (u64::from(result) | work << result_bits) << 16, Ordering::Relaxed);
                }
                bucket[0].store(before + 2, Ordering::Release);
            }
        }
    }

    /// The share of entries in use, in thousandths, estimated from some of the buckets.
    pub(super) fn filling(&self) -> u32 {
        let sample = self.buckets.min(512);
        let words = &self.words[self.start..][..sample * BUCKET];
        let (used, all) = match self.layout {
            Layout::Narrow { .. } => (words.iter().filter(|word| word.load(Ordering::Relaxed) != 0).count(), words.len()),
            Layout::Wide { .. } => {
                let entries = words.chunks_exact(BUCKET).flat_map(|bucket| bucket[1..].chunks_exact(WIDE));
                (entries.filter(|entry| entry[2].load(Ordering::Relaxed) != 0).count(), sample * ((BUCKET - 1) / WIDE))
            }
        };
        (used * 1000 / all) as u32
    }
}

/// The part of a duel that a narrow entry stores. Never zero, because the knights stand on
/// different cells.
#[inline]
fn narrow_key<W: Word>(duel: Duel<W>, free_bits: u32) -> u64 {
    let free = duel.free.convert::<u64>() & Cells::first_cells(free_bits as usize);
    let knights = duel.mover.index() as u64 | (duel.other.index() as u64) << KNIGHT_BITS;
    free.word() | knights << free_bits
}

/// A whole duel in three words. The last is never
/// zero, because the knights stand on different cells.
fn wide_key<W: Word>(duel: Duel<W>) -> [u64; WIDE] {
    let free = duel.free.word().widen();
    [free as u64, (free >> 64) as u64, duel.mover.index() as u64 | (duel.other.index() as u64) << 8]
}

fn field(word: u64, from: u32, bits: u32) -> u32 {
    (word >> from) as u32 & ((1 << bits) - 1)
}

/// The number of cells that do not fit into an entry of one word: the place of the entry has to
/// tell whether they are free.
fn implied_cells(cells: usize, result_bits: u32) -> u32 {
    (cells as u32 + 2 * KNIGHT_BITS + result_bits + WORK_BITS).saturating_sub(u64::BITS)
}

/// A shift of the hash after which its low `window` bits
/// tell all sets of the last `implied` cells apart.
fn independent_window(cells: usize, implied: u32, window: u32) -> Option<u32> {
    let keys: Vec<u64> = (cells - implied as usize..cells).map(|cell| zobrist::free_key(Cell::new(cell))).collect();
    (0..=u64::BITS - window.max(1)).find(|&shift| independent(keys.iter().map(|key| key >> shift & ((1 << window) - 1))))
}

/// Whether no nonempty subset of these vectors has the XOR zero (Gaussian elimination).
fn independent(vectors: impl Iterator<Item = u64>) -> bool {
    let mut basis: Vec<u64> = Vec::new();
    for mut vector in vectors {
        for &known in &basis {
            vector = vector.min(vector ^ known);
        }
        if vector == 0 {
            return false;
        }
        basis.push(vector);
        basis.sort_unstable_by(|a, b| b.cmp(a));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Size;
    use crate::solve::Settings;
    use std::num::NonZero;

    /// A stream of pseudorandom numbers.
    fn numbers() -> impl Iterator<Item = u64> {
        let mut state = 0x0123_4567_89ab_cdef_u64;
        std::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        })
    }

    /// Duels of a board that are hard to tell apart: they differ in a few cells of a few patterns,
    /// including the last cells.
    fn duels<W: Word>(cells: usize) -> impl Iterator<Item = Duel<W>> {
        let mut numbers = numbers();
        std::iter::from_fn(move || {
            let [a, b, c] = std::array::from_fn(|_| numbers.next().unwrap_or_default());
            let pattern = u128::from(a % 8).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
                ^ u128::from(b) << 46
                ^ u128::from(b) << 100;
            let (mover, other) = ((c % cells as u64) as usize, (c >> 32) as usize % (cells - 1));
            let (mover, other) = (Cell::new(mover), Cell::new(if other >= mover { other + 1 } else { other }));
            let free: Cells<u128> = Cells::from_word(pattern) & Cells::first_cells(cells);
            Some(Duel { free: free.without(mover).without(other).convert(), mover, other })
        })
    }

    /// The result that the test stores for a duel. The table must never return it for another one.
    fn told<W: Word>(duel: Duel<W>, bits: u32) -> u32 {
        let mixed =
            (duel.free.word().widen() % 1_000_003) as u64 ^ (duel.mover.index() as u64) << 32 ^ (duel.other.index() as u64) << 40;
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as u32
    }

    fn never_lies<W: Word>(cells: usize, bytes: u64, bits: u32, count: usize) {
        let memo = TranspositionTable::new(cells, bytes, bits).unwrap();
        let (mut hits, mut wrong) = (0, 0);
        // Each duel comes twice: first when it is new,
        // then again while it may still be in the table.
        for duel in duels::<W>(cells).take(count).collect::<Vec<_>>().chunks(32).flat_map(|few| [few, few]).flatten().copied() {
            let hash = zobrist::hash(duel);
            match memo.get(hash, duel) {
                Some(result) => (hits, wrong) = (hits + 1, wrong + u32::from(result != told(duel, bits))),
                None => {
                    memo.put(hash, duel, told(duel, bits), hash as u32 % 40);
                    assert_eq!(memo.get(hash, duel), Some(told(duel, bits)), "a result is missing right after it was stored");
                }
            }
        }
        assert_eq!(wrong, 0, "{cells} cells, {bytes} bytes");
        assert!(hits > 0, "no hit on boards of {cells} cells: the test shows nothing");
    }

    #[test]
    fn a_tiny_table_never_confuses_two_duels() {
        for cells in 2..=64 {
            never_lies::<u64>(cells, 1 << 12, 1, 60_000);
            never_lies::<u64>(cells, 1 << 24, 14, 20_000);
        }
        for cells in [12, 40, 65, 99, 128] {
            never_lies::<u128>(cells, 1 << 12, 1, 60_000);
            never_lies::<u128>(cells, 1 << 14, 14, 60_000);
        }
    }

    #[test]
    fn entries_take_one_word_on_boards_up_to_64_cells_with_any_memory_a_solver_accepts() {
        for threads in [1, 2, 8, 16] {
            let threads = NonZero::new(threads).unwrap();
            for size in Size::every().filter(|size| size.fits::<u64>() && size.cells() > 1) {
                let (_, bytes) = Settings { threads, memory: Settings::least_memory(size, threads) }.shares();
                let memo = TranspositionTable::new(size.cells(), bytes, 1).unwrap();
                assert!(matches!(memo.layout, Layout::Narrow { .. }), "{size}");
            }
        }
    }

    #[test]
    fn concurrent_writers_never_mix_their_entries() {
        let memo = TranspositionTable::new(99, 1 << 9, 14).unwrap();
        std::thread::scope(|scope| {
            for part in 0..4 {
                let memo = &memo;
                scope.spawn(move || {
                    for duel in duels::<u128>(99).skip(1000 * part).take(50_000) {
                        let hash = zobrist::hash(duel);
                        if let Some(result) = memo.get(hash, duel) {
                            assert_eq!(result, told(duel, 14));
                        }
                        memo.put(hash, duel, told(duel, 14), 1);
                    }
                });
            }
        });
    }

    #[test]
    fn vectors_that_sum_to_zero_are_not_independent() {
        assert!(independent([0b001, 0b011, 0b111].into_iter()));
        assert!(!independent([0b110, 0b011, 0b101].into_iter()));
        assert!(!independent([0b0].into_iter()));
        assert!(independent(std::iter::empty()));
    }

    #[test]
    fn the_entry_with_the_least_work_is_replaced_first() {
        let memo = TranspositionTable::new(20, 64, 1).unwrap();
        let all: Vec<Duel<u64>> = duels(20).take(9).collect();
        for (index, &duel) in all.iter().enumerate() {
            memo.put(zobrist::hash(duel), duel, 1, if index == 3 { 1 } else { 9 });
        }
        let found: Vec<bool> = all.iter().map(|&duel| memo.get(zobrist::hash(duel), duel).is_some()).collect();
        assert_eq!(found, (0..9).map(|index| index != 3).collect::<Vec<_>>());
    }
}
