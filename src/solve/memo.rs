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
//! Where a duel and its result do not fit that way (boards over 64 cells), an entry is three words with the whole
//! duel in them. A bucket then has a counter that is odd while somebody writes; whoever reads compares the counter before and after, and a reader
//! that sees it odd or changed takes nothing. Nobody ever waits.
//!
//! # What is replaced
//! A bucket is one line of the cache. A new result takes the place of an older one of the same duel, else an empty place, else that of the
//! result that took the least work to find (by the logarithm of the nodes).

use std::sync::atomic::{AtomicU64, Ordering, fence};

use crate::cells::{Cell, Cells, Word};
use crate::duel::Duel;
use crate::zobrist;

/// Words in a bucket: a line of the cache.
const BUCKET: usize = 8;
/// Bits of a knight's cell in a narrow entry.
const KNIGHT_BITS: u32 = 6;
/// Bits of the logarithm of the work.
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
    pub(super) fn new(cells: usize, bytes: u64, result_bits: u32) -> Self {
        let most = (bytes / (8 * BUCKET as u64)).clamp(1, 1 << 40) as usize;
        let buckets = 1_usize << most.ilog2();
        let spare = 2 * KNIGHT_BITS + result_bits + WORK_BITS;
        let implied = (cells as u32 + spare).saturating_sub(u64::BITS);
        let window = (cells <= 64).then(|| independent_window(cells, implied, buckets.ilog2())).flatten();
        let layout = match window {
            Some(_) => Layout::Narrow { free_bits: cells as u32 - implied, result_bits },
            None => Layout::Wide { result_bits },
        };
        let words = bytemuck::zeroed_slice_box::<AtomicU64>((buckets + 1) * BUCKET);
        let misaligned = words.as_ptr() as usize % (8 * BUCKET) / 8;
        Self { words, start: (BUCKET - misaligned) % BUCKET, buckets, shift: window.unwrap_or(0), layout }
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

    /// Stores a result that took so many nodes to find.
    pub(super) fn put<W: Word>(&self, hash: u64, duel: Duel<W>, result: u32, nodes: u64) {
        let work = u64::from((nodes | 1).ilog2().min((1 << WORK_BITS) - 1));
        let bucket = self.bucket(hash);
        match self.layout {
            Layout::Narrow { free_bits, result_bits } => {
                debug_assert!(result < 1 << result_bits);
                let key_bits = free_bits + 2 * KNIGHT_BITS;
                let key = narrow_key(duel, free_bits);
                let word = key | (u64::from(result) | work << result_bits) << key_bits;
                let same_key = |old: u64| old << (64 - key_bits) == key << (64 - key_bits);
                let work_bit = key_bits + result_bits;
                let worth = |old: u64| if old == 0 || same_key(old) { 0 } else { 1 + (old >> work_bit) };
                // The first of the least: a place with this very duel comes before an empty one behind it, so that no duel is stored twice.
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
