//! The moves of a strategy on disk, written as they are proven; and, in the same format, other
//! results that a run can resume from: see [`ProofCheckpoint`](super::ProofCheckpoint).
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
//! | CRC-32 of these | 4 | | the finding | 1 |
//! | | | | CRC-32 of these | 4 |
//!
//! The finding is the winning move; or 255 for a loss, 254 for a win by a move that is not named,
//! or 128 and the number of plies. An odd number of plies is a win. A version that does not know a
//! finding skips the record as if it were garbled.
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
use crate::game::outcome::{Choice, Outcome, Value};

const MAGIC: &[u8; 15] = b"isolde journal\x01";
const HEADER: usize = MAGIC.len() + 2 + 4;
const RECORD: usize = 16 + 3 + 4;
/// These stand in the place of the winning move.
const LOSS: u8 = 255;
const WON: u8 = 254;
const ENDS: u8 = 128;

/// The hasher for maps of duels. Nobody chooses positions in order to make them collide, so any
/// fixed seeds will do.
pub(super) const HASHER: RandomState = RandomState::with_seeds(1, 2, 3, 4);

pub(super) type Findings<W> = HashMap<Duel<W>, Finding, RandomState>;

/// Why a strategy log or a checkpoint of the same format cannot be read or written.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum StrategyLogError {
    /// The system refused an operation on the file.
    Io { path: PathBuf, doing: &'static str, source: io::Error },
    /// The file is not a checkpoint, or it is one of another version.
    NotALog { path: PathBuf },
    /// The file is the checkpoint of a board of another size.
    OtherBoard { path: PathBuf, expected: Size, files: u8, ranks: u8 },
    /// Another process is writing the file.
    InUse { path: PathBuf },
}

impl fmt::Display for StrategyLogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, doing, source } => write!(f, "cannot {doing} the checkpoint {}: {source}", path.display()),
            Self::NotALog { path } => {
                write!(f, "{} is not a checkpoint that this version can read: delete it and start again", path.display())
            }
            Self::OtherBoard { path, expected, files, ranks } => write!(
                f,
                "{} is the checkpoint of a {files}x{ranks} board, not of {expected}: finish that work or delete it",
                path.display()
            ),
            Self::InUse { path } => write!(f, "the checkpoint {} is in use by another process", path.display()),
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

/// What a record says of a duel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Finding {
    /// The mover loses, or wins with this move.
    Choice(Choice),
    /// The mover wins.
    Won,
    /// Who wins, and in how many plies.
    Ends(Outcome),
}

impl Finding {
    /// `None` if the byte stands for nothing on this board.
    fn from_byte<W: Word>(byte: u8, board: &Board<W>) -> Option<Self> {
        match byte {
            LOSS => Some(Self::Choice(Choice::Loss)),
            _ if usize::from(byte) < board.size().cells() => Some(Self::Choice(Choice::Win(Cell::new(byte.into())))),
            WON => Some(Self::Won),
            ENDS.. => Some(Self::Ends(Outcome::after((byte - ENDS).into()))),
            _ => None,
        }
    }

    fn to_byte(self) -> u8 {
        match self {
            Self::Choice(Choice::Loss) => LOSS,
            Self::Choice(Choice::Win(to)) => to.index() as u8,
            Self::Won => WON,
            Self::Ends(outcome) if outcome.plies() < usize::from(WON - ENDS) => ENDS + outcome.plies() as u8,
            // There is no byte for these plies, but there is one for the winner.
            Self::Ends(outcome) if outcome.value() == Value::Win => WON,
            Self::Ends(_) => LOSS,
        }
    }

    /// Whether the duel can have this result, as far as its moves tell.
    fn is_possible_in<W: Word>(self, duel: Duel<W>, board: &Board<W>) -> bool {
        let moves = duel.moves(board);
        match self {
            Self::Choice(Choice::Loss) => true,
            Self::Choice(Choice::Win(to)) => moves.contains(to),
            Self::Won => !moves.is_empty(),
            Self::Ends(outcome) => outcome.plies() <= duel.free.len() && (outcome == Outcome::OVER) == moves.is_empty(),
        }
    }

    /// Whether the mover wins.
    pub(super) fn value(self) -> Value {
        match self {
            Self::Choice(choice) => choice.value(),
            Self::Won => Value::Win,
            Self::Ends(outcome) => outcome.value(),
        }
    }

    /// The choice for a strategy, if the record names it.
    fn choice(self) -> Option<Choice> {
        match self {
            Self::Choice(choice) => Some(choice),
            Self::Ends(outcome) if outcome.value() == Value::Loss => Some(Choice::Loss),
            Self::Won | Self::Ends(_) => None,
        }
    }
}

/// A strategy log, open for writing, and what it held when it was opened.
#[derive(Debug)]
pub struct StrategyLog<W> {
    path: PathBuf,
    file: File,
    /// The end of the last complete record.
    length: u64,
    known: Findings<W>,
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
            if let Some((duel, finding)) = from_record(board, bytes) {
                let known = log.known.entry(duel).or_insert(finding);
                // Plies tell more than the winner alone, whichever was written last.
                if !matches!(known, Finding::Ends(_)) {
                    *known = finding;
                }
                log.length = end;
            }
        }
        log.cut()?;
        Ok(log)
    }

    /// How many results of earlier runs have not been taken yet.
    #[must_use]
    pub fn known(&self) -> usize {
        self.known.len()
    }

    /// All results of earlier runs, which are not held here any longer.
    pub(super) fn take_all(&mut self) -> Findings<W> {
        std::mem::replace(&mut self.known, HashMap::with_hasher(HASHER))
    }

    /// The choice of an earlier run for a canonical duel. Frees its memory.
    pub(super) fn take(&mut self, duel: Duel<W>) -> Option<Choice> {
        self.known.remove(&duel).and_then(Finding::choice)
    }

    /// Writes what was proven of a canonical duel.
    pub(super) fn append(&mut self, duel: Duel<W>, finding: Finding) -> Result<(), StrategyLogError> {
        self.write(&to_record(duel, finding))
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

fn to_record<W: Word>(duel: Duel<W>, finding: Finding) -> Vec<u8> {
    let free = duel.free.word().widen().to_le_bytes();
    sealed([&free[..], &[duel.mover.index() as u8, duel.other.index() as u8, finding.to_byte()]])
}

/// `None` if the record is garbled. Otherwise it is a duel of the board and a result that it can
/// have.
fn from_record<W: Word>(board: &Board<W>, bytes: [u8; RECORD]) -> Option<(Duel<W>, Finding)> {
    let (content, checksum) = bytes.split_last_chunk::<4>()?;
    if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
        return None;
    }
    let (free, rest) = content.split_first_chunk::<16>()?;
    let &[mover, other, finding] = rest else { return None };
    let cell = |index: u8| (usize::from(index) < board.size().cells()).then(|| Cell::new(index.into()));
    let free = u128::from_le_bytes(*free);
    let duel = Duel { mover: cell(mover)?, other: cell(other)?, free: Cells::from_word(W::narrow(free)) };
    let finding = Finding::from_byte(finding, board)?;
    let on_board = free & !board.cells().word().widen() == 0;
    let apart = duel.mover != duel.other && !duel.free.contains(duel.mover) && !duel.free.contains(duel.other);
    (on_board && apart && finding.is_possible_in(duel, board)).then_some((duel, finding))
}
