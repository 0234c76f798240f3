//! From proven results to a file.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::block::{Codes, Filling, Words, gap_class};
use super::format::{BLOCK, Extent, GROUP, HEADER, Header, Key, PADDING, SECTIONS};
use super::{Coverage, Error, Kind, Metadata, Proven, Section, metadata};
use crate::board::{Board, Size};
use crate::cells::Word;
use crate::duel::Duel;

/// What a table will be, but for its entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The board.
    pub size: Size,
    /// What there is for each position.
    pub kind: Kind,
    /// Of an opening table: positions with more live cells than this have their moves. Otherwise 0.
    pub depth: u8,
    /// The command that makes it.
    pub command: String,
    /// The openings that it begins with.
    pub coverage: Coverage,
}

/// Writes a table. The entries are canonical duels in ascending order; they are gone through twice, first to find the codes that fit them.
///
/// Nothing but the plan and the entries goes into the file: the same ones give the same bytes. The file is complete and on the disk when
/// this returns; giving it its final name is up to the caller. `beside` is the name of a file for the directory, which is appended when its turn comes.
///
/// # Errors
/// If the file cannot be written, or if `wanted` says that it is no longer wanted ([`io::ErrorKind::Interrupted`]).
pub fn write<W: Word, I: Iterator<Item = (Duel<W>, Proven)>>(
    plan: &Plan,
    entries: impl Fn() -> I,
    path: &Path,
    beside: &Path,
    wanted: &dyn Fn() -> bool,
) -> Result<(), Error> {
    let failed = |doing| move |path: &Path, source| Error::Io { path: path.to_path_buf(), doing, source };
    let board = Board::new(plan.size);
    let numbered = || entries().map(|(duel, proven)| (Key::of(duel), number(&board, duel, proven)));
    let counts = Counts::of(plan.kind, numbered(), wanted).map_err(|fault| failed("read the entries of")(path, fault))?;
    let mut directory = Spool::new(beside).map_err(|fault| failed("write")(beside, fault))?;
    write_parts(plan, &counts, numbered(), path, &mut directory, wanted).map_err(|fault| failed("write")(path, fault))
}

/// The number that stands for a result: the plies of an outcome; 0 for a loss, otherwise the place of the winning move among all knight moves from the
/// mover's cell, free or not, counted from 1 in the order of the cells.
fn number<W: Word>(board: &Board<W>, duel: Duel<W>, proven: Proven) -> usize {
    match proven {
        Proven::Outcome(outcome) => outcome.plies(),
        Proven::Lost => 0,
        Proven::Won(to) => 1 + board.knight_moves(duel.mover).into_iter().take_while(|&cell| cell != to).count(),
    }
}

/// What the numbers of [`number`] stand for.
pub(super) fn proven<W: Word>(board: &Board<W>, kind: Kind, duel: Duel<W>, number: u8) -> Option<Proven> {
    match (kind, number) {
        (Kind::Strong, plies) => Some(Proven::Outcome(crate::outcome::Outcome::after(plies.into()))),
        (Kind::Opening, 0) => Some(Proven::Lost),
        (Kind::Opening, place) => board.knight_moves(duel.mover).into_iter().nth(usize::from(place) - 1).map(Proven::Won),
    }
}

/// The first pass: what occurs how often.
struct Counts {
    entries: u64,
    won: u64,
    longest: Option<u8>,
    gaps: Vec<u64>,
    /// `[the value before][the value]`
    values: Vec<Vec<u64>>,
}

/// More values than this no table has.
const MOST_VALUES: usize = 128;

impl Counts {
    fn of<W: Word>(kind: Kind, entries: impl Iterator<Item = (Key<W>, usize)>, wanted: &dyn Fn() -> bool) -> io::Result<Self> {
        let mut gaps = vec![0; MOST_VALUES];
        let mut values = vec![vec![0; MOST_VALUES]; MOST_VALUES];
        let (mut count, mut won, mut most) = (0_u64, 0, None);
        let mut before: Option<(Key<W>, usize)> = None;
        for (key, value) in entries {
            check(count, wanted)?;
            if value >= MOST_VALUES {
                return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a value of {value} is none")));
            }
            if let Some((last, value_before)) = before {
                assert!(last < key, "the entries of a table come in ascending order");
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

/// Looks now and then whether the work is still wanted.
fn check(steps: u64, wanted: &dyn Fn() -> bool) -> io::Result<()> {
    if steps.is_multiple_of(1 << 14) && !wanted() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
}

/// The second pass: the file, section after section; the header last, when all lengths and checksums are known.
fn write_parts<W: Word>(
    plan: &Plan,
    counts: &Counts,
    entries: impl Iterator<Item = (Key<W>, usize)>,
    path: &Path,
    directory: &mut Spool,
    wanted: &dyn Fn() -> bool,
) -> io::Result<()> {
    let codes = Codes::for_counts(&counts.gaps, &counts.values);
    let metadata = metadata::to_bytes(&Metadata {
        program: format!("isolde {}", env!("CARGO_PKG_VERSION")),
        command: plan.command.clone(),
        coverage: plan.coverage.clone(),
        won: counts.won,
        longest: counts.longest,
    });
    let mut out = Parts::new(File::create(path)?)?;
    out.begin(Section::Metadata, 1)?;
    out.write_all(&metadata)?;
    out.begin(Section::Codes, 1)?;
    out.write_all(&codes.to_bytes())?;
    out.begin(Section::Blocks, BLOCK)?;
    let mut block: Option<Filling<W>> = None;
    for (steps, (key, value)) in (0..).zip(entries) {
        check(steps, wanted)?;
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
    out.finish(header)
}

/// A file that is written section after section, with a checksum for each.
struct Parts {
    file: BufWriter<File>,
    at: u64,
    hasher: crc32fast::Hasher,
    extents: Vec<Extent>,
}

impl Parts {
    fn new(file: File) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(1 << 16, file);
        file.write_all(&[0; HEADER])?;
        Ok(Self { file, at: HEADER as u64, hasher: crc32fast::Hasher::new(), extents: Vec::new() })
    }

    /// Ends the section before and begins this one, at a multiple of `alignment`.
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
        Ok(self.extents[..].try_into().expect("a table has four sections behind its header"))
    }

    /// The header goes to its place, and all of it to the disk.
    fn finish(self, header: Header) -> io::Result<()> {
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header.to_bytes())?;
        file.sync_all()
    }
}

impl Write for Parts {
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

/// The directory, kept in a file of its own until the blocks are complete.
struct Spool {
    file: BufWriter<File>,
    keys: usize,
    /// Every so manyth key once more: what is searched first.
    index: Vec<u8>,
}

impl Spool {
    fn new(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path)?;
        Ok(Self { file: BufWriter::with_capacity(1 << 16, file), keys: 0, index: Vec::new() })
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
