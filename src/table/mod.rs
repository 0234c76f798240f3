//! Proven results on disk.
//!
//! A table is a file: a sorted set of canonical duels, each with a proven result. Its bytes are
//! searched in place. There are two [kinds](Kind). A *strong* table holds every position
//! that its openings lead to, with its outcome. An *opening* table holds its openings with their
//! winners, and the winners' strategies.
//!
//! Files are opened as an [`AnyTable`], or all tables of a board together as [`Tables`]; both
//! choose the machine word for the board. `docs/table-format.md` describes the bytes.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod code;

mod format;

mod block;

mod metadata;

mod write;

mod bytes;

mod built_in;

mod read;

mod tablebase;

mod rewrite;

mod verify;

mod merge;

mod any;

mod listing;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::game::board::DoesNotFit;
use crate::game::cells::Cell;
use crate::game::outcome::{Choice, Outcome, Value};
use crate::solve::{Known, Origin};

pub use any::AnyTable;
pub use listing::{Described, Listing, Place, TableReport, Totals};
pub use merge::{MergeError, Merged};
pub use metadata::{Coverage, Metadata};
pub use read::{Entries, Table, size_of_table};
pub(crate) use tablebase::ByWord;
pub use tablebase::{EXTENSION, Location, Tablebase, Tables};
pub use verify::{Flaw, Unverified, Verified, Verifier, check_form};
pub use write::{Plan, WriteError, write};

/// What a table holds for its positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Every position that the openings lead to, with its outcome.
    Strong = 1,
    /// The openings with their winners, and the winner's move in every position of its strategy.
    Opening = 2,
}

impl Kind {
    fn from_byte(byte: u8) -> Option<Self> {
        [Self::Strong, Self::Opening].into_iter().find(|&kind| kind as u8 == byte)
    }

    /// The name that people type and read.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strong => "strong",
            Self::Opening => "opening",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a table holds for a duel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Entry {
    /// In a strong table: who wins, and in how many plies.
    Outcome(Outcome),
    /// In an opening table: the mover loses.
    Lost,
    /// In an opening table: the mover wins by this move.
    Won(Cell),
}

impl From<Choice> for Entry {
    fn from(choice: Choice) -> Self {
        match choice {
            Choice::Loss => Self::Lost,
            Choice::Win(to) => Self::Won(to),
        }
    }
}

impl Entry {
    /// Whether the mover wins.
    #[must_use]
    pub fn value(self) -> Value {
        match self {
            Self::Outcome(outcome) => outcome.value(),
            Self::Lost => Value::Loss,
            Self::Won(_) => Value::Win,
        }
    }

    /// The entry as knowledge that comes from this table.
    pub(crate) fn known(self, table: Arc<Path>) -> Known {
        let origin = Origin::Table(table);
        match self {
            Self::Outcome(outcome) => Known::counted(outcome, origin),
            Self::Lost => Known::winner(Value::Loss, origin),
            Self::Won(to) => Known { winning_move: Some(to), ..Known::winner(Value::Win, origin) },
        }
    }

    /// In how many plies the game ends. `None` in an opening table.
    #[must_use]
    pub fn plies(self) -> Option<usize> {
        match self {
            Self::Outcome(outcome) => Some(outcome.plies()),
            Self::Lost | Self::Won(_) => None,
        }
    }
}

/// A section of a table's file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Section {
    Header,
    Metadata,
    Codes,
    Blocks,
    Directory,
    /// The zero bytes at the end of the file and between the sections.
    Padding,
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Header => "header",
            Self::Metadata => "metadata",
            Self::Codes => "codes",
            Self::Blocks => "blocks",
            Self::Directory => "directory",
            Self::Padding => "padding",
        })
    }
}

/// What is wrong with a table's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// The file does not begin like a table.
    NotATable,
    /// The table has another version of the format.
    Version {
        /// The version of the table.
        found: u16,
    },
    /// The file is shorter or longer than its header says.
    Cut {
        /// The length that the header says, in bytes.
        expected: u64,
        /// The length of the file, in bytes.
        found: u64,
    },
    /// The bytes of a section are not what was written.
    Damaged(Section),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotATable => write!(f, "it is not a table of Isolde"),
            Self::Version { found } => {
                write!(f, "it is a table of version {found}, and this program reads version {}: build it again", format::VERSION)
            }
            Self::Cut { expected, found } => {
                let how = if found < expected { "cut off" } else { "too long" };
                write!(f, "it is {how} ({found} bytes instead of {expected}): fetch or build it again")
            }
            Self::Damaged(section) => write!(f, "its {section} {} damaged: fetch or build it again", section.verb()),
        }
    }
}

impl std::error::Error for Fault {}

impl Section {
    fn verb(self) -> &'static str {
        match self {
            Self::Codes | Self::Blocks => "are",
            _ => "is",
        }
    }
}

/// Why a table cannot be read.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Error {
    /// The system refused an operation on the file.
    Io { path: PathBuf, doing: &'static str, source: std::io::Error },
    /// The file is not a sound table.
    Fault { path: PathBuf, fault: Fault },
    /// The table was opened with a word that is too small for its board.
    Word { path: PathBuf, source: DoesNotFit },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, doing, source } => write!(f, "cannot {doing} {}: {source}", path.display()),
            Self::Fault { path, fault } => write!(f, "{} cannot be used: {fault}", path.display()),
            Self::Word { path, source } => write!(f, "{} cannot be used: {source}", path.display()),
        }
    }
}

impl Error {
    /// Why the file cannot be used, for a list in which its name stands already.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::Fault { fault, .. } => fault.to_string(),
            Self::Io { doing, source, .. } => format!("cannot {doing} it: {source}"),
            Self::Word { .. } => self.to_string(),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Fault { fault, .. } => Some(fault),
            Self::Word { source, .. } => Some(source),
        }
    }
}
