//! The moves of a strategy on disk, written as they are proven.
//!
//! If a run is interrupted, by whatever means, the next run opens the strategy log and finds
//! everything that was proven. A choice depends on nothing but its duel, so a log also serves other
//! openings and other depths of the same board.
//!
//! # The bytes
//! A header, then records of one size. All numbers are little-endian.
//!
//! | header | bytes | | record | bytes |
//! |---|---|---|---|---|
//! | `isolde journal`, and the version, 1 | 15 | | the free cells, cell 0 lowest | 16 |
//! | files, ranks | 2 | | mover, other | 2 |
//! | CRC-32 of these | 4 | | the winning move, 255 for a loss | 1 |
//! | | | | CRC-32 of these | 4 |
//!
//! Every record is handed to the system at once, in one write. That takes one or two microseconds,
//! and proving it took about a hundred. `kill -9` does not take away what the system has; only the
//! last record can be torn. A CRC-32 detects every error within four neighbouring bytes, and all
//! but one in four thousand million of the others.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use ahash::RandomState;
use hashbrown::HashMap;

use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::Duel;
use crate::game::outcome::Choice;

const MAGIC: &[u8; 15] = b"isolde journal\x01";
const HEADER: usize = MAGIC.len() + 2 + 4;
const RECORD: usize = 16 + 3 + 4;
/// Stands in the place of the winning move.
const LOSS: u8 = u8::MAX;

/// The hasher for maps of duels. Nobody chooses positions in order to make them collide, so any
/// fixed seeds will do.
pub(super) const HASHER: RandomState = RandomState::with_seeds(1, 2, 3, 4);

/// Why a strategy log cannot be read or written.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum StrategyLogError {
    /// The system refused an operation on the file.
    Io { path: PathBuf, doing: &'static str, source: io::Error },
    /// The file is not a strategy log, or it is one of another version.
    NotALog { path: PathBuf },
    /// The file is the strategy log of a board of another size.
    OtherBoard { path: PathBuf, expected: Size, files: u8, ranks: u8 },
    /// Another process is writing the file.
    InUse { path: PathBuf },
}

impl fmt::Display for StrategyLogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, doing, source } => write!(f, "cannot {doing} the strategy log {}: {source}", path.display()),
            Self::NotALog { path } => {
                write!(f, "{} is not a strategy log that this version can read: delete it and start again", path.display())
            }
            Self::OtherBoard { path, expected, files, ranks } => write!(
                f,
                "{} is the strategy log of a {files}x{ranks} board, not of {expected}: finish that work or delete it",
                path.display()
            ),
            Self::InUse { path } => write!(f, "the strategy log {} is in use by another process", path.display()),
        }
    }
}

impl std::error::Error for StrategyLogError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// A strategy log, open for writing, and the choices that it held when it was opened.
#[derive(Debug)]
pub struct StrategyLog<W> {
    path: PathBuf,
    file: File,
    /// The end of the last complete record.
    length: u64,
    known: HashMap<Duel<W>, Choice, RandomState>,
}

impl<W: Word> StrategyLog<W> {
    /// Opens the strategy log of this board, or starts one if there is no file. A torn or garbled
    /// end is cut off.
    ///
    /// # Errors
    /// If the system refuses, or if the file is not a strategy log of this board.
    pub fn open(path: &Path, board: &Board<W>) -> Result<Self, StrategyLogError> {
        let failed = |doing| move |source| StrategyLogError::Io { path: path.into(), doing, source };
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed("open"))?;
        // Two processes would tear each other's records. Where the system has no locks, the user
        // has to see to that.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(StrategyLogError::InUse { path: path.into() });
        }
        let mut log = Self { path: path.into(), file, length: 0, known: HashMap::with_hasher(HASHER) };
        let mut input = BufReader::new(log.file.try_clone().map_err(failed("open"))?);
        let written = read_up_to::<HEADER>(&mut input).map_err(failed("read"))?;
        log.check_header(&written, board.size())?;
        if written.len() < HEADER {
            log.cut()?;
            log.write(&header(board.size()))?;
            return Ok(log);
        }
        log.length = HEADER as u64;
        let mut end = log.length;
        loop {
            let bytes = read_up_to::<RECORD>(&mut input).map_err(failed("read"))?;
            let Ok(bytes) = <[u8; RECORD]>::try_from(bytes) else { break };
            end += RECORD as u64;
            // A garbled record in the middle does not affect the others.
            if let Some((duel, choice)) = from_record(board, bytes) {
                log.known.insert(duel, choice);
                log.length = end;
            }
        }
        log.cut()?;
        Ok(log)
    }

    /// How many choices of earlier runs have not been taken yet.
    #[must_use]
    pub fn known(&self) -> usize {
        self.known.len()
    }

    /// The choice of an earlier run for a canonical duel.
    pub(super) fn get(&self, duel: Duel<W>) -> Option<Choice> {
        self.known.get(&duel).copied()
    }

    /// Like [`StrategyLog::get`], and frees its memory.
    pub(super) fn take(&mut self, duel: Duel<W>) -> Option<Choice> {
        self.known.remove(&duel)
    }

    /// Writes the choice that was proven for a canonical duel.
    pub(super) fn append(&mut self, duel: Duel<W>, choice: Choice) -> Result<(), StrategyLogError> {
        self.write(&to_record(duel, choice))
    }

    /// If a write fails half way, what it has written is cut off, so that later records stay
    /// aligned.
    fn write(&mut self, bytes: &[u8]) -> Result<(), StrategyLogError> {
        if let Err(fault) = self.file.write_all(bytes) {
            let _ = self.cut();
            return Err(self.failed("write", fault));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    fn cut(&self) -> Result<(), StrategyLogError> {
        self.file.set_len(self.length).map_err(|fault| self.failed("cut the torn end off", fault))
    }

    /// A file that holds only the beginning of our header is a log that was interrupted at once.
    fn check_header(&self, written: &[u8], size: Size) -> Result<(), StrategyLogError> {
        if header(size).starts_with(written) {
            return Ok(());
        }
        let path = self.path.clone();
        match written {
            [rest @ .., files, ranks, _, _, _, _] if rest == MAGIC && sealed([&written[..HEADER - 4]]) == written => {
                Err(StrategyLogError::OtherBoard { path, expected: size, files: *files, ranks: *ranks })
            }
            _ => Err(StrategyLogError::NotALog { path }),
        }
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> StrategyLogError {
        StrategyLogError::Io { path: self.path.clone(), doing, source }
    }
}

/// The next `N` bytes, or as many as there are.
fn read_up_to<const N: usize>(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(N);
    input.take(N as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The bytes followed by their checksum.
fn sealed<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut bytes: Vec<u8> = parts.into_iter().flatten().copied().collect();
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

fn header(size: Size) -> Vec<u8> {
    sealed([&MAGIC[..], &[size.files() as u8, size.ranks() as u8]])
}

fn to_record<W: Word>(duel: Duel<W>, choice: Choice) -> Vec<u8> {
    let free = duel.free.word().widen().to_le_bytes();
    let to = match choice {
        Choice::Loss => LOSS,
        Choice::Win(to) => to.index() as u8,
    };
    sealed([&free[..], &[duel.mover.index() as u8, duel.other.index() as u8, to]])
}

/// `None` if the record is garbled. Otherwise it is a duel of the board and a legal move in it.
fn from_record<W: Word>(board: &Board<W>, bytes: [u8; RECORD]) -> Option<(Duel<W>, Choice)> {
    let (content, checksum) = bytes.split_last_chunk::<4>()?;
    if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
        return None;
    }
    let (free, rest) = content.split_first_chunk::<16>()?;
    let &[mover, other, to] = rest else { return None };
    let cell = |index: u8| (usize::from(index) < board.size().cells()).then(|| Cell::new(index.into()));
    let free = u128::from_le_bytes(*free);
    let duel = Duel { mover: cell(mover)?, other: cell(other)?, free: Cells::from_word(W::narrow(free)) };
    let choice = if to == LOSS { Choice::Loss } else { Choice::Win(cell(to)?) };
    let on_board = free & !board.cells().word().widen() == 0;
    let apart = duel.mover != duel.other && !duel.free.contains(duel.mover) && !duel.free.contains(duel.other);
    let legal = match choice {
        Choice::Loss => true,
        Choice::Win(to) => duel.moves(board).contains(to),
    };
    (on_board && apart && legal).then_some((duel, choice))
}
