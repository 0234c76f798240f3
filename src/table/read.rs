//! Tables as they are read: mapped, searched where they lie.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::block::{Block, Codes, Decoders, Reading, block_checksum};
use super::format::{BLOCK, GROUP, HEADER, Header, Key, u16_at, u64_at};
use super::write::proven;
use super::{Error, Fault, Kind, Metadata, Proven, Section, metadata};
use crate::board::{Board, Size};
use crate::cells::Word;
use crate::duel::Duel;
use crate::mapped::{Mapped, Order};
use crate::symmetry::Symmetries;

/// A table, open to be read.
#[derive(Debug)]
pub struct Table<W> {
    path: PathBuf,
    bytes: Mapped,
    header: Header,
    decoders: Decoders,
    board: Board<W>,
    symmetries: Symmetries<W>,
}

/// A block and the keys around it.
struct Placed<'a, W> {
    first: Key<W>,
    /// The next block's first key.
    next: Option<Key<W>>,
    block: Block<'a>,
}

/// The board of a table. It decides the word with which the table can be [opened](Table::open).
///
/// # Errors
/// If the file cannot be read, or is no table.
pub fn size_of_table(path: &Path) -> Result<Size, Error> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|source| Error::Io { path: path.to_path_buf(), doing: "open", source })?;
    let read = file.take(HEADER as u64).read_to_end(&mut bytes);
    read.map_err(|source| Error::Io { path: path.to_path_buf(), doing: "read", source })?;
    let header = Header::from_bytes(&bytes).map_err(|fault| Error::Fault { path: path.to_path_buf(), fault })?;
    Ok(header.size)
}

impl<W: Word> Table<W> {
    /// Opens a table of a board that [fits](Size::fits) into the word. However large it is, only its header and its codes are read.
    ///
    /// # Errors
    /// If the file cannot be read, or is no sound table.
    ///
    /// # Panics
    /// If the board does not fit into the word.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let io = |doing| move |source| Error::Io { path: path.to_path_buf(), doing, source };
        let file = File::open(path).map_err(io("open"))?;
        let bytes = Mapped::new(&file, Order::Random).map_err(io("read"))?;
        let fault = |fault| Error::Fault { path: path.to_path_buf(), fault };
        let (header, decoders) = Self::read_head(&bytes).map_err(fault)?;
        let board = Board::new(header.size);
        Ok(Self { path: path.to_path_buf(), bytes, header, decoders, symmetries: Symmetries::new(&board), board })
    }

    fn read_head(bytes: &[u8]) -> Result<(Header, Decoders), Fault> {
        let header = Header::from_bytes(bytes)?;
        if bytes.len() as u64 != header.file_length() {
            return Err(Fault::Cut { expected: header.file_length(), found: bytes.len() as u64 });
        }
        let extent = header.extent(Section::Codes);
        let lengths = &bytes[extent.range()];
        let codes = Codes::from_bytes(lengths, &header).filter(|_| crc32fast::hash(lengths) == extent.checksum);
        Ok((header, Decoders::new(&codes.ok_or(Fault::Damaged(Section::Codes))?)))
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board<W> {
        &self.board
    }

    /// What there is for each position.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.header.kind
    }

    /// Of an opening table: positions with more live cells than this have their moves.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.header.depth.into()
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.header.entries
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The length of the file.
    #[must_use]
    pub fn file_length(&self) -> u64 {
        self.header.file_length()
    }

    /// The length of a section of the file.
    #[must_use]
    pub fn section_length(&self, section: Section) -> u64 {
        match section {
            Section::Header => HEADER as u64,
            section => self.header.extent(section).length,
        }
    }

    /// How the table was made, and what it covers.
    ///
    /// # Errors
    /// If that section of the file is damaged.
    pub fn metadata(&self) -> Result<Metadata, Fault> {
        let whole = self.check(Section::Metadata).is_ok();
        let section = &self.bytes[self.header.extent(Section::Metadata).range()];
        metadata::from_bytes(section).filter(|_| whole).ok_or(Fault::Damaged(Section::Metadata))
    }

    /// Reads a whole section and compares its checksum.
    pub(super) fn check(&self, section: Section) -> Result<(), Fault> {
        let extent = self.header.extent(section);
        let sound = crc32fast::hash(&self.bytes[extent.range()]) == extent.checksum;
        if sound { Ok(()) } else { Err(Fault::Damaged(section)) }
    }

    /// Whether all bytes that belong to no section are zero.
    pub(super) fn check_padding(&self) -> Result<(), Fault> {
        let begins = self.header.extents.iter().map(|extent| extent.offset as usize).chain([self.bytes.len()]);
        let ends = [HEADER].into_iter().chain(self.header.extents.iter().map(|extent| extent.end() as usize));
        let zero = ends.zip(begins).all(|(end, begin)| self.bytes[end..begin].iter().all(|&byte| byte == 0));
        if zero { Ok(()) } else { Err(Fault::Damaged(Section::Padding)) }
    }

    /// What the table has for a duel in any orientation, with its dead cells or without; a winning move comes back in the duel's own
    /// orientation. None: the table does not have it.
    ///
    /// # Errors
    /// If the place where it should stand is damaged.
    pub fn look_up(&self, duel: Duel<W>) -> Result<Option<Proven>, Fault> {
        let canonical = self.symmetries.canonical(&self.board, duel);
        let found = self.probe(canonical.duel)?;
        Ok(found.map(|proven| match proven {
            Proven::Won(to) => Proven::Won(self.symmetries.cell(canonical.symmetry.inverse(), to)),
            same => same,
        }))
    }

    /// What the table has for a canonical duel.
    ///
    /// # Errors
    /// If the place where it should stand is damaged.
    #[inline]
    pub fn probe(&self, canonical: Duel<W>) -> Result<Option<Proven>, Fault> {
        let key = Key::of(canonical);
        let Some(index) = self.last_block_from(key) else {
            return Ok(None);
        };
        let Placed { first, next, block } = self.sound_block(index)?;
        // If it does not belong here, the index has led astray.
        if (first > key && index > 0) || next.is_some_and(|next| next <= key) {
            return Err(Fault::Damaged(Section::Directory));
        }
        if first.knights != key.knights {
            return Ok(None);
        }
        let damaged = Fault::Damaged(Section::Blocks);
        let mut entry = Reading::new(block, first.free, &self.decoders).ok_or(damaged)?;
        while entry.free < key.free {
            if !entry.next() {
                return Ok(None);
            }
        }
        if entry.free > key.free {
            return Ok(None);
        }
        proven(&self.board, self.header.kind, canonical, entry.value).map(Some).ok_or(damaged)
    }

    pub(super) fn symmetries(&self) -> &Symmetries<W> {
        &self.symmetries
    }

    pub(super) fn blocks(&self) -> usize {
        self.header.blocks as usize
    }

    /// The last block whose first key is not above this one, or else the first block. None in an empty table.
    ///
    /// The index tells the group of blocks, and their keys in the directory tell the block: both stand close together.
    #[inline]
    fn last_block_from(&self, key: Key<W>) -> Option<usize> {
        let blocks = self.blocks();
        let bytes = Key::<W>::bytes(self.header.size);
        if bytes > 8 {
            return last_in_groups(blocks, |place| self.key_at(place) <= key);
        }
        // Small boards: a key is one number in one word.
        let directory = &self.bytes[self.header.extent(Section::Directory).offset as usize..];
        let number = u64::from(key.knights) << (8 * (bytes - 2)) | key.free.widen() as u64;
        let unused = 64 - 8 * bytes;
        last_in_groups(blocks, |place| u64_at(directory, place * bytes) << unused <= number << unused)
    }

    /// The key at a place of the directory: the first keys of all blocks, and behind them the index.
    #[inline]
    fn key_at(&self, place: usize) -> Key<W> {
        let free_bytes = Key::<W>::free_bytes(self.header.size);
        let at = self.header.extent(Section::Directory).offset as usize + place * (free_bytes + 2);
        let free = u128::from_le_bytes(self.bytes[at..at + 16].try_into().expect("sixteen bytes are sixteen bytes"));
        let unused = u128::BITS - 8 * free_bytes as u32;
        let free = if unused == 128 { 0 } else { free << unused >> unused };
        Key { knights: u16_at(&self.bytes, at + free_bytes), free: W::narrow(free) }
    }

    /// A block with its first key and the next one's, if its checksum is right.
    #[inline]
    fn sound_block(&self, index: usize) -> Result<Placed<'_, W>, Fault> {
        let at = self.header.extent(Section::Blocks).offset as usize + index * BLOCK;
        let block = Block(self.bytes[at..at + BLOCK].as_chunks().0.try_into().expect("a block is so many words"));
        let first = self.key_at(index);
        let next = (index + 1 < self.blocks()).then(|| self.key_at(index + 1));
        if block_checksum(block, first, next) == block.stored_checksum() {
            Ok(Placed { first, next, block })
        } else {
            Err(Fault::Damaged(Section::Blocks))
        }
    }

    /// All entries in order: canonical duels and what is proven of them.
    #[must_use]
    pub fn entries(&self) -> Entries<'_, W> {
        Entries { table: self, block: 0, buffer: Vec::new(), at: 0 }
    }

    /// The entries of one block.
    pub(super) fn block_entries(&self, index: usize, entries: &mut Vec<(Duel<W>, Proven)>) -> Result<(), Fault> {
        let damaged = Fault::Damaged(Section::Blocks);
        let Placed { first, block, .. } = self.sound_block(index)?;
        let mut reading = Reading::new(block, first.free, &self.decoders).ok_or(damaged)?;
        loop {
            let key = Key { knights: first.knights, free: reading.free };
            let duel = key.duel(self.header.size).ok_or(damaged)?;
            entries.push((duel, proven(&self.board, self.header.kind, duel, reading.value).ok_or(damaged)?));
            if !reading.next() {
                return Ok(());
            }
        }
    }
}

/// The entries of a table, in order. After a fault there are no more.
#[derive(Debug)]
pub struct Entries<'a, W> {
    table: &'a Table<W>,
    block: usize,
    buffer: Vec<(Duel<W>, Proven)>,
    at: usize,
}

impl<W: Word> Iterator for Entries<'_, W> {
    type Item = Result<(Duel<W>, Proven), Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at == self.buffer.len() {
            if self.block == self.table.blocks() {
                return None;
            }
            self.buffer.clear();
            self.at = 0;
            let read = self.table.block_entries(self.block, &mut self.buffer);
            self.block = if read.is_ok() { self.block + 1 } else { self.table.blocks() };
            if let Err(fault) = read {
                self.buffer.clear();
                return Some(Err(fault));
            }
        }
        self.at += 1;
        Some(Ok(self.buffer[self.at - 1]))
    }
}

/// The last of so many ascending keys that is not above what is looked for, or else the first; every [`GROUP`]th of them stands in an index behind them.
#[inline]
fn last_in_groups(keys: usize, not_above: impl Fn(usize) -> bool) -> Option<usize> {
    let group = last_not_above(keys.div_ceil(GROUP), |group| not_above(keys + group))?;
    let begin = group * GROUP;
    last_not_above(GROUP.min(keys - begin), |place| not_above(begin + place)).map(|place| begin + place)
}

/// The last of so many ascending things that is not above what is looked for, or else the first.
///
/// Three are looked at in each step: none of these looks waits for another.
#[inline]
fn last_not_above(things: usize, not_above: impl Fn(usize) -> bool) -> Option<usize> {
    let (mut from, mut left) = (0, things);
    while left > 3 {
        let quarter = left / 4;
        let below = [1, 2, 3].map(|quarters| usize::from(not_above(from + quarters * quarter)));
        from += quarter * (below[0] + below[1] + below[2]);
        left -= 3 * quarter;
    }
    while left > 1 {
        left -= 1;
        from += usize::from(not_above(from + 1));
    }
    (left == 1).then_some(from)
}
