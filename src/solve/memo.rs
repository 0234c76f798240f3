//! What has been proven, shared by all threads: duel to result, in a fixed amount of memory.
//!
//! Zobrist hashing picks the bucket, and never more than that: a hit is a fact.
//!
//! # Why no hit can be false
//! On a board of `n` cells a duel is `n + 12` bits: the free cells and two knights. The word that is stored has room for all of
//! them but the free cells of the *implied* last `d` cells of the board, and for the result. Let two duels be stored as the same bits in the same bucket.
//! They agree in everything but the implied cells. The bucket is a window of `b` bits of the Zobrist hash, which is an
//! exclusive or of keys; what they agree on cancels out, so the keys of the implied cells in which they differ have the exclusive or zero in that window.
//! The memo is only built with a window in which the keys of the `d` implied cells are linearly independent over the field of two elements
//! ([`independent`] checks it), so there they differ in none. They are the same duel.
//!
//! An entry is one atomic word, read and written at once: threads can overwrite each other's entries, but never mix them.
//!
//! Where a duel and its result do not fit that way (boards over 64 cells, and distances on large boards), an entry is three words with the whole
//! duel in them. A bucket then has a counter that is odd while somebody writes; whoever reads compares the counter before and after, and a reader
//! that sees it odd or changed takes nothing. Nobody ever waits.
//!
//! # What is replaced
//! A bucket is one line of the cache. A new result takes the place of an older one of the same duel, else an empty place, else that of the
//! result that is the least work to find again. How much work that is, the caller says: by the number of free cells, with which it grows.

use std::sync::atomic::{AtomicU64, Ordering, fence};

use super::SolverError;
use crate::cells::{Cell, Cells, Word};
use crate::duel::Duel;
use crate::zobrist;

/// Words in a bucket: a line of the cache.
const BUCKET: usize = 8;
/// Bits of a knight's cell in a narrow entry.
const KNIGHT_BITS: u32 = 6;
/// Bits of the work.
const WORK_BITS: u32 = 5;
/// Words of a wide entry: two of free cells, one of everything else.
const WIDE: usize = 3;

/// A memo of fixed size.
pub(super) struct Memo {
    words: Box<[AtomicU64]>,
    /// Where the first bucket begins, so that none lies across two lines of the cache.
    start: usize,
    buckets: usize,
    /// How far the hash is shifted before it picks a bucket.
    shift: u32,
    layout: Layout,
}

/// How an entry is laid out: free cells lowest, then mover, other, result and work.
#[derive(Clone, Copy)]
enum Layout {
    /// One word, with the free cells below this bit.
    Narrow { free_bits: u32, result_bits: u32 },
    /// Three words.
    Wide { result_bits: u32 },
}

impl Memo {
    /// A memo for boards of `cells` cells within `bytes` of memory, for results of `result_bits` bits.
    ///
    /// The size is a power of two, and at least one bucket.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub(super) fn new(cells: usize, bytes: u64, result_bits: u32) -> Result<Self, SolverError> {
        let most = (bytes / (8 * BUCKET as u64)).clamp(1, 1 << 40) as usize;
        let buckets = 1_usize << most.ilog2();
        let spare = 2 * KNIGHT_BITS + result_bits + WORK_BITS;
        let implied = (cells as u32 + spare).saturating_sub(u64::BITS);
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

    /// The same, or as much of it as the system gives.
    pub(super) fn new_or_small(cells: usize, bytes: u64, result_bits: u32) -> Self {
        Self::new(cells, bytes, result_bits).unwrap_or_else(|_| Self::new_or_small(cells, bytes / 2, result_bits))
    }

    /// The bucket of a duel with this hash.
    fn bucket(&self, hash: u64) -> &[AtomicU64] {
        let index = (hash >> self.shift) as usize & (self.buckets - 1);
        &self.words[self.start + index * BUCKET..][..BUCKET]
    }

    /// The result stored for a duel whose hash this is.
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

    /// Stores a result, and how much work it is to find again: anything above 31 counts as 31.
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

    /// The share of places in use, in thousandths, estimated from some of the buckets.
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

/// What a narrow entry holds of a duel. Never zero: the knights stand on different cells.
#[inline]
fn narrow_key<W: Word>(duel: Duel<W>, free_bits: u32) -> u64 {
    let free = duel.free.convert::<u64>() & Cells::first_cells(free_bits as usize);
    let knights = duel.mover.index() as u64 | (duel.other.index() as u64) << KNIGHT_BITS;
    free.word() | knights << free_bits
}

/// A whole duel in three words. The last is never zero: the knights stand on different cells.
fn wide_key<W: Word>(duel: Duel<W>) -> [u64; WIDE] {
    let free = duel.free.word().widen();
    [free as u64, (free >> 64) as u64, duel.mover.index() as u64 | (duel.other.index() as u64) << 8]
}

fn field(word: u64, from: u32, bits: u32) -> u32 {
    (word >> from) as u32 & ((1 << bits) - 1)
}

/// A shift of the hash after which its low `window` bits tell all sets of the last `implied` cells apart.
fn independent_window(cells: usize, implied: u32, window: u32) -> Option<u32> {
    let keys: Vec<u64> = (cells - implied as usize..cells).map(|cell| zobrist::free_key(Cell::new(cell))).collect();
    (0..=u64::BITS - window).find(|&shift| independent(keys.iter().map(|key| key >> shift & ((1 << window) - 1))))
}

/// Whether no exclusive or of some of these vectors is zero (Gaussian elimination).
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
    use crate::board::Size;
    use crate::solve::Settings;
    use std::num::NonZero;

    /// A stream of numbers that looks random enough.
    fn numbers() -> impl Iterator<Item = u64> {
        let mut state = 0x0123_4567_89ab_cdef_u64;
        std::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        })
    }

    /// Duels of a board, many of them alike: they differ in a few cells of a few patterns, the last cells among them.
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

    /// What the test says of a duel: the memo must never say it of another.
    fn told<W: Word>(duel: Duel<W>, bits: u32) -> u32 {
        let mixed =
            (duel.free.word().widen() % 1_000_003) as u64 ^ (duel.mover.index() as u64) << 32 ^ (duel.other.index() as u64) << 40;
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as u32
    }

    fn never_lies<W: Word>(cells: usize, bytes: u64, bits: u32, count: usize) {
        let memo = Memo::new(cells, bytes, bits).unwrap();
        let (mut hits, mut wrong) = (0, 0);
        // Each duel comes twice: once new, and once more while it may still be there.
        for duel in duels::<W>(cells).take(count).collect::<Vec<_>>().chunks(32).flat_map(|few| [few, few]).flatten().copied() {
            let hash = zobrist::hash(duel);
            match memo.get(hash, duel) {
                Some(result) => (hits, wrong) = (hits + 1, wrong + u32::from(result != told(duel, bits))),
                None => {
                    memo.put(hash, duel, told(duel, bits), hash as u32 % 40);
                    assert_eq!(memo.get(hash, duel), Some(told(duel, bits)), "what was just stored is found");
                }
            }
        }
        assert_eq!(wrong, 0, "{cells} cells, {bytes} bytes");
        assert!(hits > 0, "the test has seen no hit with {cells} cells");
    }

    #[test]
    fn a_tiny_memo_never_takes_one_duel_for_another() {
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
    fn entries_are_one_word_on_boards_up_to_64_cells_with_any_memory_that_a_solver_takes() {
        for threads in [1, 2, 8, 16] {
            let threads = NonZero::new(threads).unwrap();
            for size in Size::every().filter(|size| size.fits::<u64>() && size.cells() > 1) {
                let (_, bytes) = Settings { threads, memory: Settings::least_memory::<u64>(size, threads) }.shares();
                let memo = Memo::new(size.cells(), bytes, 1).unwrap();
                assert!(matches!(memo.layout, Layout::Narrow { .. }), "{size}");
            }
        }
    }

    #[test]
    fn threads_that_write_the_same_buckets_never_mix_their_entries() {
        let memo = Memo::new(99, 1 << 9, 14).unwrap();
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
    fn vectors_with_a_vanishing_sum_are_not_independent() {
        assert!(independent([0b001, 0b011, 0b111].into_iter()));
        assert!(!independent([0b110, 0b011, 0b101].into_iter()));
        assert!(!independent([0b0].into_iter()));
        assert!(independent(std::iter::empty()));
    }

    #[test]
    fn what_took_the_least_work_is_replaced_first() {
        let memo = Memo::new(20, 64, 1).unwrap();
        let all: Vec<Duel<u64>> = duels(20).take(9).collect();
        for (index, &duel) in all.iter().enumerate() {
            memo.put(zobrist::hash(duel), duel, 1, if index == 3 { 1 } else { 9 });
        }
        let found: Vec<bool> = all.iter().map(|&duel| memo.get(zobrist::hash(duel), duel).is_some()).collect();
        assert_eq!(found, (0..9).map(|index| index != 3).collect::<Vec<_>>());
    }
}
