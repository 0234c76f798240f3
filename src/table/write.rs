//! From sorted entries to a file.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::block::{Codes, Filling, Words, gap_class};
use super::format::{BLOCK, Extent, GROUP, HEADER, Header, Key, PADDING, SECTIONS};
use super::{Coverage, Entry, Kind, Metadata, Section, metadata};
use crate::game::board::{Board, DoesNotFit, Size};
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::game::outcome::Outcome;

/// Everything about a table apart from its entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The board.
    pub size: Size,
    /// What the table holds for each position.
    pub kind: Kind,
    /// In an opening table, the strategies contain positions with more live cells than this. 0 in a
    /// strong table.
    pub depth: u8,
    /// The command that makes the table.
    pub command: String,
    /// The openings that the table covers.
    pub coverage: Coverage,
}

/// Why a table was not written.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum WriteError {
    /// The table is no longer wanted.
    Stopped,
    /// The system refused an operation on a file.
    Io { doing: &'static str, path: PathBuf, source: io::Error },
    /// The board does not fit the word of the entries.
    Board(DoesNotFit),
    /// An entry does not come after the one before it.
    Order,
    /// An entry's number of plies is too large for the format.
    Value { value: usize, most: usize },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("the table was not written, because the work was stopped"),
            Self::Io { doing, path, source } => write!(f, "cannot {doing} {}: {source}", path.display()),
            Self::Board(fault) => fault.fmt(f),
            Self::Order => f.write_str("the entries of a table must be in ascending order"),
            Self::Value { value, most } => write!(f, "a table cannot hold the value {value}: the largest is {most}"),
        }
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Board(fault) => Some(fault),
            Self::Stopped | Self::Order | Self::Value { .. } => None,
        }
    }
}

impl From<DoesNotFit> for WriteError {
    fn from(fault: DoesNotFit) -> Self {
        Self::Board(fault)
    }
}

/// Writes a table. The entries are canonical duels in ascending order. They are read twice: the
/// first pass finds the best codes for them.
///
/// The bytes of the file depend on nothing but the plan and the entries. When this returns, the
/// file is complete and synced to disk; moving it to its final place is left to the caller.
/// `beside` is the path of a temporary file, which collects the directory until the blocks are
/// written.
///
/// # Errors
/// If the file cannot be written, if the entries are not those of a table, or if `wanted` returns
/// false.
pub fn write<W: Word, I: Iterator<Item = (Duel<W>, Entry)>>(
    plan: &Plan,
    entries: impl Fn() -> I,
    path: &Path,
    beside: &Path,
    wanted: &dyn Fn() -> bool,
) -> Result<(), WriteError> {
    let failed = |path: &Path, source| WriteError::Io { doing: "write", path: path.to_path_buf(), source };
    let program = format!("isolde {}", env!("CARGO_PKG_VERSION"));
    let directory = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(beside);
    let directory = directory.map_err(|fault| failed(beside, fault))?;
    let file = File::create(path).map_err(|fault| failed(path, fault))?;
    let written = write_to(plan, &program, entries, file, directory, wanted);
    let synced = written.and_then(|file| Ok(file.sync_all()?));
    synced.map_err(|interruption| match interruption {
        Interruption::Refused(fault) => fault,
        Interruption::Io(fault) => failed(path, fault),
    })
}

/// Writes a table to `out`. `directory` collects the keys of the directory until the blocks are
/// written. `program` is recorded in the metadata.
pub(super) fn write_to<W: Word, I: Iterator<Item = (Duel<W>, Entry)>, O: Write + Seek>(
    plan: &Plan,
    program: &str,
    entries: impl Fn() -> I,
    out: O,
    directory: impl Read + Write + Seek,
    wanted: &dyn Fn() -> bool,
) -> Result<O, Interruption> {
    let board = Board::new(plan.size).map_err(WriteError::Board)?;
    let numbered = || entries().map(|(duel, entry)| (Key::of(duel), number(&board, duel, entry)));
    let counts = Counts::of(plan.kind, numbered(), wanted)?;
    let metadata = metadata::to_bytes(&Metadata {
        program: program.to_string(),
        command: plan.command.clone(),
        coverage: plan.coverage.clone(),
        won: counts.won,
        longest: counts.longest,
    });
    write_parts(plan, &metadata, &counts, numbered(), Parts::new(out)?, Spool::new(directory), wanted)
}

/// The number that stands for an entry. In a strong table this is the number of plies. In an
/// opening table it is 0 for a loss; for a win it is the place of the winning move among all knight
/// moves from the mover's cell, free or not, counted from 1 in the order of the cells.
fn number<W: Word>(board: &Board<W>, duel: Duel<W>, entry: Entry) -> usize {
    match entry {
        Entry::Outcome(outcome) => outcome.plies(),
        Entry::Lost => 0,
        Entry::Won(to) => 1 + board.knight_moves(duel.mover).into_iter().take_while(|&cell| cell != to).count(),
    }
}

/// The entry that a [`number`] stands for.
pub(super) fn entry<W: Word>(board: &Board<W>, kind: Kind, duel: Duel<W>, number: u8) -> Option<Entry> {
    match (kind, number) {
        (Kind::Strong, plies) => Some(Entry::Outcome(Outcome::after(plies.into()))),
        (Kind::Opening, 0) => Some(Entry::Lost),
        (Kind::Opening, place) => board.knight_moves(duel.mover).into_iter().nth(usize::from(place) - 1).map(Entry::Won),
    }
}

/// The first pass: how often each symbol occurs.
struct Counts {
    entries: u64,
    won: u64,
    longest: Option<u8>,
    gaps: Vec<u64>,
    /// `[the value before][the value]`
    values: Vec<Vec<u64>>,
}

/// The most values that a table can have.
const MOST_VALUES: usize = 128;

impl Counts {
    fn of<W: Word>(
        kind: Kind,
        entries: impl Iterator<Item = (Key<W>, usize)>,
        wanted: &dyn Fn() -> bool,
    ) -> Result<Self, WriteError> {
        let mut gaps = vec![0; MOST_VALUES];
        let mut values = vec![vec![0; MOST_VALUES]; MOST_VALUES];
        let (mut count, mut won, mut most) = (0_u64, 0, None);
        let mut before: Option<(Key<W>, usize)> = None;
        for (key, value) in entries {
            if !still_wanted(count, wanted) {
                return Err(WriteError::Stopped);
            }
            if value >= MOST_VALUES {
                return Err(WriteError::Value { value, most: MOST_VALUES - 1 });
            }
            if let Some((last, value_before)) = before {
                if last >= key {
                    return Err(WriteError::Order);
                }
                if last.knights == key.knights {
                    gaps[gap_class(key.free.widen() - last.free.widen() - 1).0 as usize] += 1;
                }
                values[value_before][value] += 1;
            }
            count += 1;
            most = most.max(Some(value));
            won += u64::from(match kind {
                Kind::Strong => value % 2 == 1,
                Kind::Opening => value > 0,
            });
            before = Some((key, value));
        }
        let classes = gaps.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        gaps.truncate(classes);
        let alphabet = most.map_or(0, |most| most + 1);
        values.truncate(alphabet);
        values.iter_mut().for_each(|after| after.truncate(alphabet));
        let longest = most.filter(|_| kind == Kind::Strong).map(|most| most as u8);
        Ok(Self { entries: count, won, longest, gaps, values })
    }
}

/// Asks every few thousand steps whether the table is still wanted.
fn still_wanted(steps: u64, wanted: &dyn Fn() -> bool) -> bool {
    !steps.is_multiple_of(1 << 14) || wanted()
}

/// Why the writing ended early.
pub(super) enum Interruption {
    Refused(WriteError),
    Io(io::Error),
}

impl From<WriteError> for Interruption {
    fn from(fault: WriteError) -> Self {
        Self::Refused(fault)
    }
}

impl From<io::Error> for Interruption {
    fn from(fault: io::Error) -> Self {
        Self::Io(fault)
    }
}

/// The second pass: writes the file section by section. The header comes last, when all lengths and
/// checksums are known.
fn write_parts<W: Word, O: Write + Seek>(
    plan: &Plan,
    metadata: &[u8],
    counts: &Counts,
    entries: impl Iterator<Item = (Key<W>, usize)>,
    mut out: Parts<O>,
    mut directory: Spool<impl Read + Write + Seek>,
    wanted: &dyn Fn() -> bool,
) -> Result<O, Interruption> {
    let codes = Codes::for_counts(&counts.gaps, &counts.values);
    out.begin(Section::Metadata, 1)?;
    out.write_all(metadata)?;
    out.begin(Section::Codes, 1)?;
    out.write_all(&codes.to_bytes())?;
    out.begin(Section::Blocks, BLOCK)?;
    let mut block: Option<Filling<W>> = None;
    for (steps, (key, value)) in (0..).zip(entries) {
        if !still_wanted(steps, wanted) {
            return Err(WriteError::Stopped.into());
        }
        if block.as_mut().is_some_and(|block| block.add(key, value, &codes)) {
            continue;
        }
        directory.add(key, plan.size)?;
        if let Some(full) = block.replace(Filling::new(key, value, &codes)) {
            out.write_block(&full.finish(Some(key)))?;
        }
    }
    if let Some(last) = block {
        out.write_block(&last.finish(None))?;
    }
    out.begin(Section::Directory, BLOCK)?;
    directory.copy_to(&mut out)?;
    let extents = out.end_all()?;
    let header = Header {
        kind: plan.kind,
        size: plan.size,
        depth: plan.depth,
        values: counts.values.len() as u16,
        gaps: counts.gaps.len() as u16,
        entries: counts.entries,
        blocks: extents[2].length / BLOCK as u64,
        extents,
    };
    Ok(out.finish(header)?)
}

/// A file that is written section by section, with a checksum for each section.
struct Parts<O: Write> {
    file: BufWriter<O>,
    at: u64,
    hasher: crc32fast::Hasher,
    extents: Vec<Extent>,
}

impl<O: Write + Seek> Parts<O> {
    /// Leaves room for the header.
    fn new(file: O) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(1 << 16, file);
        file.seek(SeekFrom::Start(HEADER as u64))?;
        Ok(Self { file, at: HEADER as u64, hasher: crc32fast::Hasher::new(), extents: Vec::new() })
    }

    /// Ends the previous section and begins this one, at a multiple of `alignment`.
    fn begin(&mut self, section: Section, alignment: usize) -> io::Result<()> {
        debug_assert_eq!(SECTIONS[self.extents.len()], section);
        self.end();
        let padding = self.at.next_multiple_of(alignment as u64) - self.at;
        self.file.write_all(&[0; BLOCK][..padding as usize])?;
        self.at += padding;
        self.extents.push(Extent { offset: self.at, ..Extent::default() });
        Ok(())
    }

    fn end(&mut self) {
        let hasher = std::mem::take(&mut self.hasher);
        if let Some(extent) = self.extents.last_mut() {
            extent.length = self.at - extent.offset;
            extent.checksum = hasher.finalize();
        }
    }

    fn write_block(&mut self, words: &Words) -> io::Result<()> {
        self.write_all(words.as_flattened())
    }

    fn end_all(&mut self) -> io::Result<[Extent; 4]> {
        self.end();
        self.file.write_all(&[0; PADDING])?;
        Ok(self.extents[..].try_into().expect("a table has four sections after its header"))
    }

    /// Writes the header to its place.
    fn finish(self, header: Header) -> io::Result<O> {
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header.to_bytes())?;
        Ok(file)
    }
}

impl<O: Write> Write for Parts<O> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.at += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The directory, kept in a temporary file until all blocks are written.
struct Spool<D: Write> {
    file: BufWriter<D>,
    keys: usize,
    /// Every [`GROUP`]th key is repeated here. Lookups search this index first.
    index: Vec<u8>,
}

impl<D: Read + Write + Seek> Spool<D> {
    fn new(file: D) -> Self {
        Self { file: BufWriter::with_capacity(1 << 16, file), keys: 0, index: Vec::new() }
    }

    fn add<W: Word>(&mut self, key: Key<W>, size: Size) -> io::Result<()> {
        let bytes = key.to_bytes(size);
        if self.keys.is_multiple_of(GROUP) {
            self.index.extend_from_slice(&bytes);
        }
        self.keys += 1;
        self.file.write_all(&bytes)
    }

    fn copy_to(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.file.flush()?;
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(0))?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer)? {
                0 => return out.write_all(&self.index),
                read => out.write_all(&buffer[..read])?,
            }
        }
    }
}
