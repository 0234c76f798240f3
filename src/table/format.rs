//! The bytes of a table: header, sections and keys. `docs/table-format.md` describes them for
//! readers in other languages.
//!
//! ```text
//! header | metadata | codes | blocks … | directory … | 16 zero bytes
//! ```
//!
//! Entries are sorted by key and packed into blocks of 32 bytes, each as full as possible. The
//! directory has the first key of every block, and an index. All numbers are little-endian.

use std::ops::Range;

use super::{Fault, Kind, Section};
use crate::game::board::Size;
use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;

/// The first bytes of every table. The last two would be changed by a transfer as text.
pub(super) const MAGIC: [u8; 8] = *b"isolde\x1a\n";
/// The version of the format that is written and read.
pub(super) const VERSION: u16 = 1;
/// The length of the header.
pub(super) const HEADER: usize = 128;
/// The length of a block. Two blocks fill a line of the processor's cache.
pub(super) const BLOCK: usize = 32;
/// The most entries of a block: their number is a byte.
pub(super) const MOST_IN_BLOCK: usize = 255;
/// One in this many keys of the directory is repeated in the index. The keys between two of them
/// take at most two pages of memory.
pub(super) const GROUP: usize = 128;
/// The number of zero bytes at the end of the file. Because of them, a reader can load whole words
/// anywhere in the directory.
pub(super) const PADDING: usize = 16;

/// The place of a section in the file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Extent {
    pub(super) offset: u64,
    pub(super) length: u64,
    /// CRC-32 of its bytes.
    pub(super) checksum: u32,
}

impl Extent {
    pub(super) fn end(self) -> u64 {
        self.offset.saturating_add(self.length)
    }

    pub(super) fn range(self) -> Range<usize> {
        self.offset as usize..self.end() as usize
    }
}

/// The contents of the first [`HEADER`] bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) kind: Kind,
    pub(super) size: Size,
    /// In an opening table, the strategies contain positions with more live cells than this.
    pub(super) depth: u8,
    /// The number of values. Each entry's value is below this.
    pub(super) values: u16,
    /// The number of gap classes.
    pub(super) gaps: u16,
    pub(super) entries: u64,
    pub(super) blocks: u64,
    /// Metadata, codes, blocks and directory, in this order.
    pub(super) extents: [Extent; 4],
}

/// The sections in the order of the header.
pub(super) const SECTIONS: [Section; 4] = [Section::Metadata, Section::Codes, Section::Blocks, Section::Directory];

impl Header {
    pub(super) fn extent(&self, section: Section) -> Extent {
        let index = SECTIONS.iter().position(|&known| known == section);
        index.map_or(Extent::default(), |index| self.extents[index])
    }

    /// The length of the whole file.
    pub(super) fn file_length(&self) -> u64 {
        self.extent(Section::Directory).end().saturating_add(PADDING as u64)
    }

    pub(super) fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let mut put = |at: usize, number: &[u8]| bytes[at..at + number.len()].copy_from_slice(number);
        put(0, &MAGIC);
        put(8, &VERSION.to_le_bytes());
        put(10, &[self.kind as u8, self.size.files() as u8, self.size.ranks() as u8, self.depth]);
        put(14, &self.values.to_le_bytes());
        put(16, &self.gaps.to_le_bytes());
        put(18, &(BLOCK as u16).to_le_bytes());
        put(24, &self.entries.to_le_bytes());
        put(32, &self.blocks.to_le_bytes());
        for (index, extent) in self.extents.iter().enumerate() {
            put(40 + 16 * index, &extent.offset.to_le_bytes());
            put(48 + 16 * index, &extent.length.to_le_bytes());
            put(104 + 4 * index, &extent.checksum.to_le_bytes());
        }
        let checksum = crc32fast::hash(&bytes[..HEADER - 4]);
        bytes[HEADER - 4..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads a header and checks that all of it makes sense.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != MAGIC {
            return Err(Fault::NotATable);
        }
        if bytes.len() < HEADER {
            return Err(Fault::Cut { expected: HEADER as u64, found: bytes.len() as u64 });
        }
        // The version comes first, because the rest may mean something else in another version.
        let version = u16_at(bytes, 8);
        if version != VERSION {
            return Err(Fault::Version { found: version });
        }
        if crc32fast::hash(&bytes[..HEADER - 4]) != u32_at(bytes, HEADER - 4) {
            return Err(Fault::Damaged(Section::Header));
        }
        let extent = |index: usize| Extent {
            offset: u64_at(bytes, 40 + 16 * index),
            length: u64_at(bytes, 48 + 16 * index),
            checksum: u32_at(bytes, 104 + 4 * index),
        };
        let header = Self {
            kind: Kind::from_byte(bytes[10]).ok_or(Fault::Damaged(Section::Header))?,
            size: Size::new(bytes[11].into(), bytes[12].into()).map_err(|_| Fault::Damaged(Section::Header))?,
            depth: bytes[13],
            values: u16_at(bytes, 14),
            gaps: u16_at(bytes, 16),
            entries: u64_at(bytes, 24),
            blocks: u64_at(bytes, 32),
            extents: [0, 1, 2, 3].map(extent),
        };
        if header.is_sound() && u16_at(bytes, 18) == BLOCK as u16 { Ok(header) } else { Err(Fault::Damaged(Section::Header)) }
    }

    /// Whether the numbers are consistent, so that a reader who trusts them stays inside the file.
    fn is_sound(&self) -> bool {
        let in_order = self.extents.windows(2).all(|pair| pair[0].end() <= pair[1].offset);
        let codes = u64::from(self.gaps) + u64::from(self.values) * (u64::from(self.values) + 1);
        let key = Key::<u128>::bytes(self.size) as u64;
        let lengths = [
            (Section::Codes, Some(codes)),
            (Section::Blocks, self.blocks.checked_mul(BLOCK as u64)),
            (
                Section::Directory,
                self.blocks.checked_add(self.blocks.div_ceil(GROUP as u64)).and_then(|keys| keys.checked_mul(key)),
            ),
        ];
        in_order
            && self.extents[0].offset >= HEADER as u64
            && self.values <= 1 << 7
            && (self.values > 0 || self.blocks == 0)
            && self.blocks <= self.entries
            && self.entries <= self.blocks.saturating_mul(MOST_IN_BLOCK as u64)
            && self.gaps <= 1 << 7
            && usize::try_from(self.file_length()).is_ok()
            && lengths.iter().all(|&(section, length)| Some(self.extent(section).length) == length)
    }
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes are four bytes"))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes are eight bytes"))
}

/// A canonical duel in the order of a table: by the two knights' cells, then by the word of the
/// free cells without the knights' cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Key<W> {
    /// The mover's cell in the high byte, the other's cell in the low byte.
    pub(super) knights: u16,
    pub(super) free: W,
}

impl<W: Word> Key<W> {
    #[inline]
    pub(super) fn of(duel: Duel<W>) -> Self {
        Self { knights: (duel.mover.index() << 8 | duel.other.index()) as u16, free: duel.free_beside_knights() }
    }

    /// The duel with this key. `None` if no duel of a board of this size has it.
    pub(super) fn duel(self, size: Size) -> Option<Duel<W>> {
        let (mover, other) = (usize::from(self.knights >> 8), usize::from(self.knights & 0xff));
        let knights = mover < size.cells() && other < size.cells() && mover != other;
        let free = self.free.widen() >> size.cells().saturating_sub(2) == 0;
        (knights && free).then(|| Duel::with_free_beside_knights(Cell::new(mover), Cell::new(other), self.free))
    }

    /// How many bytes the free cells take in a key of this board.
    pub(super) fn free_bytes(size: Size) -> usize {
        size.cells().saturating_sub(2).div_ceil(8)
    }

    /// How many bytes a key takes in the directory.
    pub(super) fn bytes(size: Size) -> usize {
        Self::free_bytes(size) + 2
    }

    /// The key as it stands in the directory: one number with the free cells in its low bytes and
    /// the knights in its high bytes.
    pub(super) fn to_bytes(self, size: Size) -> Vec<u8> {
        let free = &self.free.widen().to_le_bytes()[..Self::free_bytes(size)];
        [free, &self.knights.to_le_bytes()].concat()
    }

    /// The key as five numbers, for the checksum of a block.
    pub(super) fn words(self) -> [u32; 5] {
        let free = self.free.widen();
        [free as u32, (free >> 32) as u32, (free >> 64) as u32, (free >> 96) as u32, self.knights.into()]
    }
}
