//! Blocks of 32 bytes, each with as many sorted entries as fit.
//!
//! ```text
//! checksum (16 bits) | count (8 bits) | gaps, upwards … | unused | … values, downwards
//! ```
//!
//! All keys of a block have the same knights, and its first key stands in the directory. The block
//! itself holds the gaps between its keys, and the values. Each value has a code that depends on
//! the value before it. The two streams are decoded side by side, so neither waits for the other.

use super::code::{Code, Decoded, First, LONGEST};
use super::format::{BLOCK, Header, Key, MOST_IN_BLOCK};
use crate::game::cells::Word;

/// The number of words in a block.
const WORDS: usize = BLOCK / 8;

/// A block in the mapped file, as words of eight bytes.
#[derive(Clone, Copy)]
pub(super) struct Block<'a>(pub(super) &'a [[u8; 8]; WORDS]);

impl Block<'_> {
    /// The word at an index. After the last word comes the first again.
    #[inline]
    fn word(self, index: usize) -> u64 {
        u64::from_le_bytes(self.0[index % WORDS])
    }

    /// The checksum that is stored in the block.
    #[inline]
    pub(super) fn stored_checksum(self) -> u16 {
        self.word(0) as u16
    }
}

/// The words of a block to be written.
pub(super) type Words = [[u8; 8]; WORDS];

/// The bits of checksum and count at the beginning of a block.
pub(super) const BLOCK_HEAD: usize = 24;
/// The bits of a block.
pub(super) const BLOCK_BITS: usize = 8 * BLOCK;

/// The checksum of a block: a weighted sum of 32-bit words modulo 65521. The weights are the places
/// of the words, counted from 1. The words are those of the block, with its own checksum taken as
/// zero, then those of its first key, then those of the next block's first key. A key has five
/// words: the free cells, then the knights. If there is no next block, its words are zero.
///
/// The modulus is a prime. It is larger than any difference that one byte can make and than any
/// weight, so a change of one byte is always detected. A lookup finds its block by comparing keys
/// of the directory. If one of those keys is damaged, the lookup ends at a neighbouring block,
/// whose checksum covers the damaged key.
#[inline]
pub(super) fn block_checksum<W: Word>(block: Block<'_>, first: Key<W>, next: Option<Key<W>>) -> u16 {
    const MODULUS: u64 = 65_521;
    let mut sum = 0_u64;
    for index in 0..WORDS {
        let word = if index == 0 { block.word(0) & !0xffff } else { block.word(index) };
        sum += (word & 0xffff_ffff) * (2 * index as u64 + 1) + (word >> 32) * (2 * index as u64 + 2);
    }
    let keys = first.words().into_iter().chain(next.map_or([0; 5], Key::words));
    for (place, word) in (2 * WORDS as u64 + 1..).zip(keys) {
        sum += u64::from(word) * place;
    }
    (sum % MODULUS) as u16
}

/// The class of a gap between two keys, and the bits that tell it from other gaps of its class.
///
/// For a gap of g keys, the class is the place of the highest one bit of g + 1. The bits below that
/// one, as many as the class says, tell the gaps of a class apart.
pub(super) fn gap_class(gap: u128) -> (u32, u128) {
    let wide = gap + 1;
    let class = wide.ilog2();
    (class, wide - (1 << class))
}

/// The codes of gaps and values. A value's code depends on the value before it.
#[derive(Clone, Debug)]
pub(super) struct Codes {
    pub(super) gaps: Code,
    /// One code for each previous value, and a last one for the first entry of a block.
    pub(super) values: Vec<Code>,
}

impl Codes {
    /// The best codes for these numbers of occurrences. Values are counted as
    /// `values[before][value]`.
    pub(super) fn for_counts(gaps: &[u64], values: &[Vec<u64>]) -> Self {
        // It is not known yet where blocks begin, so any value may come first or after any other:
        // each one needs a code, and gets at least the count 1.
        let total = |value: usize| values.iter().map(|after| after[value]).sum::<u64>();
        let first: Vec<u64> = (0..values.len()).map(total).collect();
        let code = |counts: &Vec<u64>| Code::for_counts(&counts.iter().map(|count| count + 1).collect::<Vec<_>>());
        Self { gaps: Code::for_counts(gaps), values: values.iter().chain([&first]).map(code).collect() }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let values = self.values.iter().flat_map(Code::lengths);
        self.gaps.lengths().iter().chain(values).copied().collect()
    }

    /// The codes with these lengths. `None` if there are no such codes.
    pub(super) fn from_bytes(bytes: &[u8], header: &Header) -> Option<Self> {
        let (gaps, values) = bytes.split_at_checked(header.gaps.into())?;
        let code = |lengths: &[u8]| Code::with_lengths(lengths.to_vec());
        let values = values.chunks_exact(usize::from(header.values).max(1)).map(code).collect::<Option<Vec<_>>>()?;
        Some(Self { gaps: code(gaps)?, values })
    }
}

/// A block that is being filled.
#[derive(Debug)]
pub(super) struct Filling<W> {
    pub(super) first: Key<W>,
    last: W,
    value: usize,
    count: usize,
    words: [u64; WORDS],
    /// The bit at which the next gap begins, and the number of bits that the values take.
    up: usize,
    down: usize,
}

impl<W: Word> Filling<W> {
    pub(super) fn new(first: Key<W>, value: usize, codes: &Codes) -> Self {
        let mut filling = Self { first, last: first.free, value, count: 1, words: [0; WORDS], up: BLOCK_HEAD, down: 0 };
        let (code, length) = codes.values[codes.values.len() - 1].code(value);
        filling.put_value(code, length);
        filling
    }

    /// Adds the next entry, whose key is larger than all before it. Returns false if there is no
    /// room.
    pub(super) fn add(&mut self, key: Key<W>, value: usize, codes: &Codes) -> bool {
        if key.knights != self.first.knights || self.count == MOST_IN_BLOCK {
            return false;
        }
        let (class, bits) = gap_class(key.free.widen() - self.last.widen() - 1);
        let (code, length) = codes.gaps.code(class as usize);
        let (value_code, value_length) = codes.values[self.value].code(value);
        let needed = length + class + value_length;
        if self.up + self.down + needed as usize > BLOCK_BITS {
            return false;
        }
        // The first bit of a code is its highest bit. It is stored lowest.
        self.put_up(u128::from(code.reverse_bits() >> (u64::BITS - length)), length);
        self.put_up(bits, class);
        self.put_value(value_code, value_length);
        (self.last, self.value, self.count) = (key.free, value, self.count + 1);
        true
    }

    fn put_up(&mut self, bits: u128, length: u32) {
        self.put(self.up, bits);
        self.up += length as usize;
    }

    fn put_value(&mut self, code: u64, length: u32) {
        self.down += length as usize;
        self.put(BLOCK_BITS - self.down, code.into());
    }

    /// Stores the bits of a number upwards from this bit of the block.
    fn put(&mut self, at: usize, bits: u128) {
        let parts = [(bits << (at % 64)) as u64, (bits >> (64 - at % 64)) as u64, (bits >> 64 >> (64 - at % 64)) as u64];
        for (word, part) in self.words[at / 64..].iter_mut().zip(parts) {
            *word |= part;
        }
    }

    /// The finished block. `next` is the first key of the next block.
    pub(super) fn finish(mut self, next: Option<Key<W>>) -> Words {
        self.words[0] |= (self.count as u64) << 16;
        let checksum = block_checksum(Block(&self.words.map(u64::to_le_bytes)), self.first, next);
        self.words[0] |= u64::from(checksum);
        self.words.map(u64::to_le_bytes)
    }
}

/// The decoding tables of gaps and values.
#[derive(Debug)]
pub(super) struct Decoders {
    gaps: Box<Decoder>,
    values: Vec<Decoder>,
}

type Decoder = [Decoded; 1 << LONGEST];

impl Decoders {
    pub(super) fn new(codes: &Codes) -> Self {
        Self {
            gaps: Box::new(codes.gaps.decoder(First::Low)),
            values: codes.values.iter().map(|code| code.decoder(First::High)).collect(),
        }
    }
}

/// Reads the entries of a block, one after the other.
///
/// Whatever the bits are, reading stays inside the block and comes to an end.
pub(super) struct Reading<'a, W> {
    block: Block<'a>,
    decoders: &'a Decoders,
    /// The free cells and the value of the current entry.
    pub(super) free: W,
    pub(super) value: u8,
    /// The number of entries that follow.
    left: u8,
    gaps: Window,
    values: Window,
}

/// The next bits of a stream. Most steps find their bits here and need not wait for memory.
struct Window {
    bits: u64,
    /// How many of them are unread.
    unread: u32,
    /// Where the following bits begin, counted in the direction of the stream.
    end: usize,
}

/// A gap with more bits than this, including its code, is read from the block itself.
const STEP: u32 = 24;

impl<'a, W: Word> Reading<'a, W> {
    /// Starts at the first entry. `None` if the block has no entry.
    #[inline]
    pub(super) fn new(block: Block<'a>, first: W, decoders: &'a Decoders) -> Option<Self> {
        let count = (block.word(0) >> 16) as u8;
        let mut reading = Self {
            block,
            decoders,
            free: first,
            value: (decoders.values.len() - 1) as u8,
            left: count.checked_sub(1)?,
            gaps: Window { bits: low_bits(block, BLOCK_HEAD), unread: 64, end: BLOCK_HEAD + 64 },
            values: Window { bits: block.word(WORDS - 1), unread: 64, end: 64 },
        };
        reading.next_value();
        Some(reading)
    }

    /// Moves to the next entry. Returns false if there is none.
    #[inline]
    pub(super) fn next(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.next_gap();
        self.next_value();
        true
    }

    #[inline]
    fn next_gap(&mut self) {
        if self.gaps.unread < STEP {
            let at = self.gaps.end - self.gaps.unread as usize;
            self.gaps = Window { bits: low_bits(self.block, at), unread: 64, end: at + 64 };
        }
        let window = &mut self.gaps;
        let gap = self.decoders.gaps[window.bits as usize % (1 << LONGEST)];
        let (class, length) = (u32::from(gap.symbol), u32::from(gap.length));
        let step = if length + class <= STEP {
            let bits = window.bits >> length;
            window.bits = bits >> class;
            window.unread -= length + class;
            u128::from((1_u64 << class) + (bits & ((1 << class) - 1)))
        } else {
            let at = window.end - window.unread as usize + length as usize;
            let next = at + class as usize;
            *window = Window { bits: low_bits(self.block, next), unread: 64, end: next + 64 };
            (1 << class) + number_at(self.block, at, class)
        };
        self.free = W::narrow(self.free.widen().wrapping_add(step));
    }

    #[inline]
    fn next_value(&mut self) {
        if self.values.unread < LONGEST {
            let after = self.values.end - self.values.unread as usize;
            self.values = Window { bits: high_bits(self.block, after), unread: 64, end: after + 64 };
        }
        let window = &mut self.values;
        let value = self.decoders.values[usize::from(self.value)][(window.bits >> (64 - LONGEST)) as usize];
        self.value = value.symbol;
        window.bits <<= value.length;
        window.unread -= u32::from(value.length);
    }
}

/// The 64 bits upwards from a bit of the block.
#[inline]
fn low_bits(block: Block<'_>, at: usize) -> u64 {
    let (low, high) = (block.word(at / 64), block.word(at / 64 + 1));
    ((u128::from(high) << 64 | u128::from(low)) >> (at % 64)) as u64
}

/// The number with this many bits upwards from a bit of the block.
fn number_at(block: Block<'_>, at: usize, bits: u32) -> u128 {
    let both = u128::from(low_bits(block, at + 64)) << 64 | u128::from(low_bits(block, at));
    both & ((1 << bits) - 1)
}

/// The 64 bits downwards, after skipping `after` bits from the end. The first is the highest.
#[inline]
fn high_bits(block: Block<'_>, after: usize) -> u64 {
    let at = |index: usize| block.word((WORDS - 1).wrapping_sub(index));
    let both = u128::from(at(after / 64)) << 64 | u128::from(at(after / 64 + 1));
    (both << (after % 64) >> 64) as u64
}
