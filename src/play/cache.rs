//! The cache of a lookahead. For each position it stores a score, the depth of the search, and the
//! order of the moves.
//!
//! The cache has a fixed size and forgets entries, but it never confuses two positions: an entry
//! stores the whole position, and the hash only picks its place. So a win that was found with its
//! help is a win.

use std::marker::PhantomData;

use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;
use crate::solve::MOST_MOVES;

/// How a stored score relates to the true score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// The true score.
    Exact,
    /// A lower bound.
    AtLeast,
    /// An upper bound.
    AtMost,
}

/// What the cache stores for one position.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) score: f64,
    pub(super) bound: Bound,
    /// How many plies deep the position was searched.
    pub(super) depth: u32,
    /// All moves, in the order in which to try them.
    pub(super) moves: [Cell; MOST_MOVES],
}

/// An entry as stored in memory: the free cells in two words, then the score, the moves, and the
/// rest. The empty entry is all zeros, because zeroed memory costs nothing until it is used.
type Packed = [u64; 5];

/// Each place has two entries. A new result goes into the upper entry
/// if that holds the same position, a forgotten one, or one that was
/// not searched deeper. Otherwise it goes into the lower entry.
pub(super) struct Cache<W> {
    places: Box<[[Packed; 2]]>,
    /// The number of the current generation. Entries of other generations are forgotten.
    generation: u16,
    word: PhantomData<W>,
}

/// The last word of an entry: the depth in the lowest byte,
/// then the bound, the two knights and the generation.
fn last_word<W: Copy>(duel: Duel<W>, depth: u8, bound: Bound, generation: u16) -> u64 {
    let knights = (duel.mover.index() as u64) << 16 | (duel.other.index() as u64) << 24;
    u64::from(depth) | (bound as u64) << 8 | knights | u64::from(generation) << 32
}

/// The bits of the last word that are the same for all entries of one position.
const SAME_POSITION: u64 = !0xffff;

fn free_words<W: Word>(duel: Duel<W>) -> [u64; 2] {
    let free = duel.free.word().widen();
    [free as u64, (free >> 64) as u64]
}

impl<W: Word> Cache<W> {
    /// A cache of at most this many bytes, or a smaller one if the system refuses the memory.
    pub(super) fn new(bytes: usize) -> Self {
        let places = 1_usize << (bytes / size_of::<[Packed; 2]>()).max(1).ilog2();
        match bytemuck::try_zeroed_slice_box(places) {
            Ok(places) => Self { places, generation: 1, word: PhantomData },
            Err(()) => Self::new(bytes / 2),
        }
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.generation = self.generation.checked_add(1).unwrap_or_else(|| {
            self.places.fill([[0; 5]; 2]);
            1
        });
    }

    /// The entry of a duel with this hash.
    #[inline]
    pub(super) fn get(&self, hash: u64, duel: Duel<W>) -> Option<Entry> {
        let (free, last) = (free_words(duel), last_word(duel, 0, Bound::Exact, self.generation));
        let place = &self.places[hash as usize & (self.places.len() - 1)];
        let is_same = |entry: &&Packed| entry[..2] == free && entry[4] & SAME_POSITION == last;
        place.iter().find(is_same).map(|&[_, _, score, moves, last]| Entry {
            score: f64::from_bits(score),
            bound: [Bound::Exact, Bound::AtLeast, Bound::AtMost][(last >> 8 & 3) as usize % 3],
            depth: last as u32 & 0xff,
            moves: moves.to_le_bytes().map(|index| Cell::new(index.into())),
        })
    }

    /// Stores an entry.
    #[inline]
    pub(super) fn put(&mut self, hash: u64, duel: Duel<W>, entry: Entry) {
        let [low, high] = free_words(duel);
        let depth = entry.depth.min(u8::MAX.into()) as u8;
        let last = last_word(duel, depth, entry.bound, self.generation);
        let moves = u64::from_le_bytes(entry.moves.map(|cell| cell.index() as u8));
        let index = hash as usize & (self.places.len() - 1);
        let [upper, lower] = &mut self.places[index];
        let is_same = upper[..2] == [low, high] && (upper[4] ^ last) & SAME_POSITION == 0;
        let is_old = (upper[4] ^ last) >> 32 != 0;
        let place = if is_same || is_old || upper[4] as u8 <= depth { upper } else { lower };
        *place = [low, high, entry.score.to_bits(), moves, last];
    }

    /// How full the cache is, in thousandths, estimated from its first thousand places.
    pub(super) fn filling(&self) -> u32 {
        let sample = &self.places[..self.places.len().min(1000)];
        let used = sample.iter().flatten().filter(|entry| entry[4] >> 32 == u64::from(self.generation)).count();
        (1000 * used / (2 * sample.len())) as u32
    }
}
