//! The bytes of a table: its header, its keys, its blocks. `docs/table-format.md` says the same for readers in other languages.
//!
//! ```text
//! header | metadata | codes | blocks … | directory … | 16 zero bytes
//! ```
//!
//! Entries are sorted by key and cut into blocks of 32 bytes, each as full as it gets. The directory has the first key of every block, and an index. All
//! numbers are little-endian.

use std::ops::Range;

use super::{Fault, Kind, Section};
use crate::board::Size;
use crate::cells::{Cell, Word};
use crate::duel::Duel;

/// The first bytes of every table. The last two would not survive being taken for text.
pub(super) const MAGIC: [u8; 8] = *b"isolde\x1a\n";
/// The version of the format that is written and read.
pub(super) const VERSION: u16 = 1;
/// The length of the header.
pub(super) const HEADER: usize = 128;
/// The length of a block: two of them in a line of the processor's cache.
pub(super) const BLOCK: usize = 32;
/// So many keys of the directory have one key in the index: few enough to stand on one page of memory, or two.
pub(super) const GROUP: usize = 128;
/// Zero bytes at the end of the file, so that a reader may load whole words anywhere in the directory.
pub(super) const PADDING: usize = 16;

/// Where a section stands.
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

/// What stands in the first [`HEADER`] bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) kind: Kind,
    pub(super) size: Size,
    /// Of an opening table: positions with more live cells than this have their moves.
    pub(super) depth: u8,
    /// How many values there are: an entry's value is a number below this.
    pub(super) values: u16,
    /// How many classes of gaps.
    pub(super) gaps: u16,
    pub(super) entries: u64,
    pub(super) blocks: u64,
    /// Of metadata, codes, blocks, directory, in this order.
    pub(super) extents: [Extent; 4],
}

/// The names of the sections in the header's order.
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

    /// Reads a header, and believes it only if all of it makes sense.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != MAGIC {
            return Err(Fault::NotATable);
        }
        if bytes.len() < HEADER {
            return Err(Fault::Cut { expected: HEADER as u64, found: bytes.len() as u64 });
        }
        // The version first: what another version means by the rest, nobody knows here.
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

    /// Whether the numbers fit together: whoever trusts them reads nothing outside the file.
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

/// A canonical duel as a table sorts it: the two knights' cells, then the number of the free cells beside them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Key<W> {
    /// The mover's cell in the high byte, the other's in the low one.
    pub(super) knights: u16,
    pub(super) free: W,
}

impl<W: Word> Key<W> {
    #[inline]
    pub(super) fn of(duel: Duel<W>) -> Self {
        Self { knights: (duel.mover.index() << 8 | duel.other.index()) as u16, free: duel.free_beside_knights() }
    }

    /// The duel of a key that some duel of a board of this size has.
    pub(super) fn duel(self, size: Size) -> Option<Duel<W>> {
        let (mover, other) = (usize::from(self.knights >> 8), usize::from(self.knights & 0xff));
        let knights = mover < size.cells() && other < size.cells() && mover != other;
        let free = self.free.widen() >> size.cells().saturating_sub(2) == 0;
        (knights && free).then(|| Duel::with_free_beside_knights(Cell::new(mover), Cell::new(other), self.free))
    }

    /// How many bytes the free cells of a board's keys take.
    pub(super) fn free_bytes(size: Size) -> usize {
        size.cells().saturating_sub(2).div_ceil(8)
    }

    /// How many bytes a key takes in the directory.
    pub(super) fn bytes(size: Size) -> usize {
        Self::free_bytes(size) + 2
    }

    /// The key as the directory has it: a number, the free cells in its lowest bytes, the knights in its highest.
    pub(super) fn to_bytes(self, size: Size) -> Vec<u8> {
        let free = &self.free.widen().to_le_bytes()[..Self::free_bytes(size)];
        [free, &self.knights.to_le_bytes()].concat()
    }

    /// As five numbers, for the checksum of a block.
    pub(super) fn words(self) -> [u32; 5] {
        let free = self.free.widen();
        [free as u32, (free >> 32) as u32, (free >> 64) as u32, (free >> 96) as u32, self.knights.into()]
    }
}
