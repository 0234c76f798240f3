//! Reading tables: their bytes are searched in place.

use std::borrow::Cow;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::block::{Block, Codes, Decoders, Reading, block_checksum};
use super::bytes::Bytes;
use super::format::{BLOCK, GROUP, HEADER, Header, Key, SECTIONS, u16_at, u64_at};
use super::write::entry;
use super::{Entry, Error, Fault, Kind, Metadata, Section, metadata};
use crate::game::board::{Board, Size};
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::game::symmetry::Symmetries;

/// A table, open for reading.
#[derive(Debug)]
pub struct Table<W> {
    path: Arc<Path>,
    bytes: Bytes,
    header: Header,
    decoders: Decoders,
    board: Board<W>,
    symmetries: Symmetries<W>,
}

/// A block, its first key and the next block's.
struct Placed<'a, W> {
    first: Key<W>,
    /// The first key of the next block.
    next: Option<Key<W>>,
    block: Block<'a>,
}

/// The size of a table's board. It decides with which word the table can be [opened](Table::open).
///
/// # Errors
/// If the file cannot be read or is not a table.
pub fn size_of_table(path: &Path) -> Result<Size, Error> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|source| Error::Io { path: path.to_path_buf(), doing: "open", source })?;
    let read = file.take(HEADER as u64).read_to_end(&mut bytes);
    read.map_err(|source| Error::Io { path: path.to_path_buf(), doing: "read", source })?;
    size_of_bytes(&bytes).map_err(|fault| Error::Fault { path: path.to_path_buf(), fault })
}

/// The size of the board of a table that begins with these bytes.
pub(super) fn size_of_bytes(bytes: &[u8]) -> Result<Size, Fault> {
    Header::from_bytes(bytes).map(|header| header.size)
}

impl<W: Word> Table<W> {
    /// Opens a table of a board that [fits](Size::fits) the word. A small file is read into memory.
    /// Of a large one only the header and the codes are read, and the rest is mapped. A mapped file
    /// must not be changed in place as long as the table is open.
    ///
    /// # Errors
    /// If the file cannot be read, if it is not a sound table, or if its board does not fit the
    /// word.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let io = |doing| move |source| Error::Io { path: path.to_path_buf(), doing, source };
        let file = File::open(path).map_err(io("open"))?;
        Self::new(path, Bytes::of(&file).map_err(io("read"))?)
    }

    /// A table whose bytes are in memory. The name stands for its path in answers and errors.
    ///
    /// # Errors
    /// If the bytes are not a sound table, or if its board does not fit the word.
    pub fn from_bytes(name: &str, bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, Error> {
        Self::new(Path::new(name), Bytes::InMemory(bytes.into()))
    }

    fn new(path: &Path, bytes: Bytes) -> Result<Self, Error> {
        let fault = |fault| Error::Fault { path: path.to_path_buf(), fault };
        let (header, decoders) = Self::read_head(&bytes).map_err(fault)?;
        let board = Board::new(header.size).map_err(|source| Error::Word { path: path.to_path_buf(), source })?;
        Ok(Self { path: path.into(), bytes, header, decoders, symmetries: Symmetries::new(&board), board })
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

    /// The path of the file, or the name of a table that is not read from a file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the other table has the same header. It holds the checksums of everything else, so
    /// the tables are the same.
    pub(super) fn is_same_as(&self, other: &Self) -> bool {
        self.header == other.header
    }

    /// The path as the origin of a result.
    pub(super) fn shared_path(&self) -> Arc<Path> {
        Arc::clone(&self.path)
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board<W> {
        &self.board
    }

    /// What the table holds for each position.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.header.kind
    }

    /// In an opening table, the strategies contain positions with more live cells than this.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.header.depth.into()
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.header.entries
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The length of the file in bytes.
    #[must_use]
    pub fn file_length(&self) -> u64 {
        self.header.file_length()
    }

    /// Whether the file is mapped, so that it must not be changed in place.
    #[must_use]
    pub fn is_mapped(&self) -> bool {
        self.bytes.are_mapped()
    }

    /// The length of a section in bytes.
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

    /// Reads a whole section and checks its checksum.
    pub(super) fn check(&self, section: Section) -> Result<(), Fault> {
        let extent = self.header.extent(section);
        let sound = crc32fast::hash(&self.bytes[extent.range()]) == extent.checksum;
        if sound { Ok(()) } else { Err(Fault::Damaged(section)) }
    }

    /// Checks that all bytes outside the sections are zero.
    pub(super) fn check_padding(&self) -> Result<(), Fault> {
        let begins = self.header.extents.iter().map(|extent| extent.offset as usize).chain([self.bytes.len()]);
        let ends = [HEADER].into_iter().chain(self.header.extents.iter().map(|extent| extent.end() as usize));
        let zero = ends.zip(begins).all(|(end, begin)| self.bytes[end..begin].iter().all(|&byte| byte == 0));
        if zero { Ok(()) } else { Err(Fault::Damaged(Section::Padding)) }
    }

    /// Checks that the header has nothing but what the reader understands: its unused bytes are
    /// zero, and so is the depth of a strong table.
    pub(super) fn check_header(&self) -> Result<(), Fault> {
        let depth = match self.header.kind {
            Kind::Strong => self.header.depth == 0,
            Kind::Opening => self.depth() <= self.header.size.cells().saturating_sub(2),
        };
        let sound = depth && self.header.to_bytes()[..] == self.bytes[..HEADER];
        if sound { Ok(()) } else { Err(Fault::Damaged(Section::Header)) }
    }

    /// Checks that the index repeats the keys that it should.
    pub(super) fn check_index(&self) -> Result<(), Fault> {
        let blocks = self.blocks();
        let sound = (0..blocks.div_ceil(GROUP)).all(|group| self.key_at(blocks + group) == self.key_at(group * GROUP));
        if sound { Ok(()) } else { Err(Fault::Damaged(Section::Directory)) }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The place of the directory without its index.
    pub(super) fn place_of_keys(&self) -> Range<usize> {
        let begin = self.header.extent(Section::Directory).offset as usize;
        begin..begin + self.blocks() * Key::<W>::bytes(self.header.size)
    }

    /// The section to which a byte of the file belongs.
    pub(super) fn section_of(&self, at: u64) -> Section {
        let within = |&section: &Section| (self.header.extent(section).offset..self.header.extent(section).end()).contains(&at);
        match at as usize {
            0..HEADER => Section::Header,
            _ => SECTIONS.into_iter().find(within).unwrap_or(Section::Padding),
        }
    }

    /// The entry of a duel in any orientation, with or without dead cells. A winning move is
    /// returned in the orientation of the duel. `None` if the duel is not in the table.
    ///
    /// # Errors
    /// If the part of the file that should hold it is damaged.
    pub fn look_up(&self, duel: Duel<W>) -> Result<Option<Entry>, Fault> {
        let canonical = self.symmetries.canonical(&self.board, duel);
        let found = self.probe(canonical.duel)?;
        Ok(found.map(|entry| match entry {
            Entry::Won(to) => Entry::Won(self.symmetries.cell(canonical.symmetry.inverse(), to)),
            same => same,
        }))
    }

    /// The entry of a canonical duel. `None` if the duel is not in the table.
    ///
    /// # Errors
    /// If the part of the file that should hold it is damaged.
    #[inline]
    pub fn probe(&self, canonical: Duel<W>) -> Result<Option<Entry>, Fault> {
        let key = Key::of(canonical);
        let Some(index) = self.last_block_from(key) else {
            return Ok(None);
        };
        let Placed { first, next, block } = self.sound_block(index)?;
        // If the key does not belong to this block, the index is damaged.
        if (first > key && index > 0) || next.is_some_and(|next| next <= key) {
            return Err(Fault::Damaged(Section::Directory));
        }
        if first.knights != key.knights {
            return Ok(None);
        }
        let damaged = Fault::Damaged(Section::Blocks);
        let mut reading = Reading::new(block, first.free, &self.decoders).ok_or(damaged)?;
        while reading.free < key.free {
            if !reading.next() {
                return Ok(None);
            }
        }
        if reading.free > key.free {
            return Ok(None);
        }
        entry(&self.board, self.header.kind, canonical, reading.value).map(Some).ok_or(damaged)
    }

    pub(super) fn symmetries(&self) -> &Symmetries<W> {
        &self.symmetries
    }

    pub(super) fn blocks(&self) -> usize {
        self.header.blocks as usize
    }

    /// The last block whose first key is not above this key, or the first block if there is none.
    /// `None` in an empty table.
    ///
    /// First the index tells the group of blocks, then the keys of that group tell the block. Both
    /// searches stay within a small part of the file.
    #[inline]
    fn last_block_from(&self, key: Key<W>) -> Option<usize> {
        let blocks = self.blocks();
        let bytes = Key::<W>::bytes(self.header.size);
        if bytes > 8 {
            return last_in_groups(blocks, |place| self.key_at(place) <= key);
        }
        // On small boards a key is one number that fits a word.
        let directory = &self.bytes[self.header.extent(Section::Directory).offset as usize..];
        let number = u64::from(key.knights) << (8 * (bytes - 2)) | key.free.widen() as u64;
        let unused = 64 - 8 * bytes;
        last_in_groups(blocks, |place| u64_at(directory, place * bytes) << unused <= number << unused)
    }

    /// The key at this place of the directory: first the keys of all blocks, then the index.
    #[inline]
    fn key_at(&self, place: usize) -> Key<W> {
        let free_bytes = Key::<W>::free_bytes(self.header.size);
        let at = self.header.extent(Section::Directory).offset as usize + place * (free_bytes + 2);
        let free = u128::from_le_bytes(self.bytes[at..at + 16].try_into().expect("sixteen bytes are sixteen bytes"));
        let unused = u128::BITS - 8 * free_bytes as u32;
        let free = if unused == 128 { 0 } else { free << unused >> unused };
        Key { knights: u16_at(&self.bytes, at + free_bytes), free: W::narrow(free) }
    }

    /// A block with its first key and the next block's first key, if its checksum is right.
    #[inline]
    fn sound_block(&self, index: usize) -> Result<Placed<'_, W>, Fault> {
        let at = self.header.extent(Section::Blocks).offset as usize + index * BLOCK;
        let block = Block(self.bytes[at..at + BLOCK].as_chunks().0.try_into().expect("a block has the length of its words"));
        let first = self.key_at(index);
        let next = (index + 1 < self.blocks()).then(|| self.key_at(index + 1));
        if block_checksum(block, first, next) == block.stored_checksum() {
            Ok(Placed { first, next, block })
        } else {
            Err(Fault::Damaged(Section::Blocks))
        }
    }

    /// All entries in order, each with its canonical duel.
    #[must_use]
    pub fn entries(&self) -> Entries<'_, W> {
        Entries { table: self, block: 0, buffer: Vec::new(), at: 0 }
    }

    /// The entries of one block.
    pub(super) fn block_entries(&self, index: usize, entries: &mut Vec<(Duel<W>, Entry)>) -> Result<(), Fault> {
        let damaged = Fault::Damaged(Section::Blocks);
        let Placed { first, block, .. } = self.sound_block(index)?;
        let mut reading = Reading::new(block, first.free, &self.decoders).ok_or(damaged)?;
        loop {
            let key = Key { knights: first.knights, free: reading.free };
            let duel = key.duel(self.header.size).ok_or(damaged)?;
            entries.push((duel, entry(&self.board, self.header.kind, duel, reading.value).ok_or(damaged)?));
            if !reading.next() {
                return Ok(());
            }
        }
    }
}

/// The entries of a table, in order. After a fault there are no more entries.
#[derive(Debug)]
pub struct Entries<'a, W> {
    table: &'a Table<W>,
    block: usize,
    buffer: Vec<(Duel<W>, Entry)>,
    at: usize,
}

impl<W: Word> Iterator for Entries<'_, W> {
    type Item = Result<(Duel<W>, Entry), Fault>;

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

/// Searches ascending keys for the last one that is not above the wanted key, or the first key if
/// there is none. The index behind the keys repeats every [`GROUP`]th of them.
#[inline]
fn last_in_groups(keys: usize, not_above: impl Fn(usize) -> bool) -> Option<usize> {
    let group = last_not_above(keys.div_ceil(GROUP), |group| not_above(keys + group))?;
    let begin = group * GROUP;
    last_not_above(GROUP.min(keys - begin), |place| not_above(begin + place)).map(|place| begin + place)
}

/// Searches ascending things for the last one that is not above the wanted one, or the first if
/// there is none.
///
/// Each step compares three things. Their loads are independent, so none waits for another.
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
