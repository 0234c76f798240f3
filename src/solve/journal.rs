//! The choices of a strategy on disk, written as they are proven.
//!
//! A run that is interrupted, by whatever means, goes on where it was: the next one opens the journal and finds all that was proven. A
//! choice depends on nothing but its duel, so the journal of other openings or another depth of the same board serves as well.
//!
//! # The bytes
//! A header, then records of one size, all numbers little-endian.
//!
//! | header | bytes | | record | bytes |
//! |---|---|---|---|---|
//! | `isolde journal`, and the version, 1 | 15 | | the free cells, cell 0 lowest | 16 |
//! | files, ranks | 2 | | mover, other | 2 |
//! | CRC-32 of these | 4 | | the winning move, 255 for a loss | 1 |
//! | | | | CRC-32 of these | 4 |
//!
//! Every record is handed to the system at once, in one write: that takes a microsecond or two, and proving it took a hundred. What the system has,
//! `kill -9` does not take away; only the last record can be torn. A CRC-32 finds every error within four neighbouring bytes, and of
//! the others all but one in four thousand million.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use ahash::RandomState;
use hashbrown::HashMap;

use crate::board::{Board, Size};
use crate::cells::{Cell, Cells, Word};
use crate::duel::Duel;
use crate::outcome::Choice;

const MAGIC: &[u8; 15] = b"isolde journal\x01";
const HEADER: usize = MAGIC.len() + 2 + 4;
const RECORD: usize = 16 + 3 + 4;
/// In the place of the winning move.
const LOSS: u8 = u8::MAX;

/// For maps of duels: nobody chooses positions to make them collide, so that any fixed seeds do.
pub(super) const HASHER: RandomState = RandomState::with_seeds(1, 2, 3, 4);

/// What is wrong with a journal.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum JournalError {
    /// The system refused something.
    System { path: PathBuf, doing: &'static str, fault: io::Error },
    /// The file is something else.
    NoJournal { path: PathBuf },
    /// The file is the journal of a board of another size.
    OtherBoard { path: PathBuf, expected: Size, files: u8, ranks: u8 },
    /// Somebody else writes it.
    InUse { path: PathBuf },
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System { path, doing, fault } => write!(f, "cannot {doing} the journal {}: {fault}", path.display()),
            Self::NoJournal { path } => {
                write!(f, "{} is no journal that this version reads: delete it and begin again", path.display())
            }
            Self::OtherBoard { path, expected, files, ranks } => {
                write!(
                    f,
                    "{} is the journal of a {files}x{ranks} board and not of {expected}: finish that work or delete it",
                    path.display()
                )
            }
            Self::InUse { path } => write!(f, "the journal {} is in use by another run", path.display()),
        }
    }
}

impl std::error::Error for JournalError {}

/// A journal, open to be written, and what stood in it.
#[derive(Debug)]
pub struct Journal<W> {
    path: PathBuf,
    file: File,
    /// The end of the last whole record.
    length: u64,
    known: HashMap<Duel<W>, Choice, RandomState>,
}

impl<W: Word> Journal<W> {
    /// Opens the journal of this board, or begins one where there is no file. A torn or garbled end is cut off.
    ///
    /// # Errors
    /// If the system refuses, or if the file is not a journal of this board.
    pub fn open(path: &Path, board: &Board<W>) -> Result<Self, JournalError> {
        let system = |doing| move |fault| JournalError::System { path: path.into(), doing, fault };
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(system("open"))?;
        // Two runs would tear each other's records. Where the system knows no locks it is left to the user.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(JournalError::InUse { path: path.into() });
        }
        let mut journal = Self { path: path.into(), file, length: 0, known: HashMap::with_hasher(HASHER) };
        let mut input = BufReader::new(journal.file.try_clone().map_err(system("open"))?);
        let written = read_up_to::<HEADER>(&mut input).map_err(system("read"))?;
        journal.check_header(&written, board.size())?;
        if written.len() < HEADER {
            journal.cut()?;
            journal.write(&header(board.size()))?;
            return Ok(journal);
        }
        journal.length = HEADER as u64;
        let mut end = journal.length;
        loop {
            let bytes = read_up_to::<RECORD>(&mut input).map_err(system("read"))?;
            let Ok(bytes) = <[u8; RECORD]>::try_from(bytes) else { break };
            end += RECORD as u64;
            // A garbled record in the middle costs no other.
            if let Some((duel, choice)) = from_record(board, bytes) {
                journal.known.insert(duel, choice);
                journal.length = end;
            }
        }
        journal.cut()?;
        Ok(journal)
    }

    /// How many choices the journal knows that have not been taken.
    #[must_use]
    pub fn known(&self) -> usize {
        self.known.len()
    }

    /// What is known of a canonical duel.
    pub(super) fn get(&self, duel: Duel<W>) -> Option<Choice> {
        self.known.get(&duel).copied()
    }

    /// Takes what is known of a canonical duel.
    pub(super) fn take(&mut self, duel: Duel<W>) -> Option<Choice> {
        self.known.remove(&duel)
    }

    /// Writes what has been proven of a canonical duel.
    pub(super) fn append(&mut self, duel: Duel<W>, choice: Choice) -> Result<(), JournalError> {
        self.write(&to_record(duel, choice))
    }

    /// A write that fails half way must not shift the records after it.
    fn write(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        if let Err(fault) = self.file.write_all(bytes) {
            let _ = self.cut();
            return Err(self.system("write", fault));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    fn cut(&self) -> Result<(), JournalError> {
        self.file.set_len(self.length).map_err(|fault| self.system("cut the torn end off", fault))
    }

    /// A file that holds no more than the beginning of our header is a journal that was interrupted at once.
    fn check_header(&self, written: &[u8], size: Size) -> Result<(), JournalError> {
        if header(size).starts_with(written) {
            return Ok(());
        }
        let path = self.path.clone();
        match written {
            [rest @ .., files, ranks, _, _, _, _] if rest == MAGIC && sealed([&written[..HEADER - 4]]) == written => {
                Err(JournalError::OtherBoard { path, expected: size, files: *files, ranks: *ranks })
            }
            _ => Err(JournalError::NoJournal { path }),
        }
    }

    fn system(&self, doing: &'static str, fault: io::Error) -> JournalError {
        JournalError::System { path: self.path.clone(), doing, fault }
    }
}

/// The next `N` bytes, or as many as there are.
fn read_up_to<const N: usize>(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(N);
    input.take(N as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// These bytes and their checksum.
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

/// None if the record is garbled. Whatever passes is a duel of the board and a legal move in it.
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
