//! Proven results on disk.
//!
//! A table is a file: a sorted set of canonical duels, each with what is proven of it. It is mapped into memory and read where it lies.
//! There are two [kinds](Kind): a *strong* table has every position that its openings lead to, each with its outcome; an *opening* table has its
//! openings, who wins them, and the winner's moves below.
//!
//! `docs/table-format.md` describes the bytes.

mod code;

mod format;

mod block;

mod metadata;

mod write;

mod read;

mod shelf;

mod verify;

mod merge;

mod work;

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::cells::Cell;
use crate::outcome::{Choice, Outcome, Value};

pub use merge::{MergeError, Merged};
pub use metadata::{Coverage, Metadata};
pub use read::{Entries, Table, size_of_table};
pub use shelf::{EXTENSION, Shelf};
pub use verify::{Flaw, Verdict, Verified, Verifier};
pub use work::{Work, WorkError};
pub use write::{Plan, write};

/// What a table has for its positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Every position that the openings lead to, with its outcome.
    Strong = 1,
    /// The openings with their winners, and a winning move in every position of the winner's strategy.
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

/// What is proven of a duel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Proven {
    /// Who wins, and in how many plies: in a strong table.
    Outcome(Outcome),
    /// The mover loses: in an opening table.
    Lost,
    /// The mover wins by this move: in an opening table.
    Won(Cell),
}

impl From<Choice> for Proven {
    fn from(choice: Choice) -> Self {
        match choice {
            Choice::Loss => Self::Lost,
            Choice::Win(to) => Self::Won(to),
        }
    }
}

impl Proven {
    /// Whether the mover wins.
    #[must_use]
    pub fn value(self) -> Value {
        match self {
            Self::Outcome(outcome) => outcome.value(),
            Self::Lost => Value::Loss,
            Self::Won(_) => Value::Win,
        }
    }

    /// In how many plies, if the table knows.
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
    /// The zero bytes at the end, and those between the parts.
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
pub enum Fault {
    /// It does not begin as a table does.
    NotATable,
    /// It is a table of another version.
    Version {
        /// The version it is of.
        found: u16,
    },
    /// It is shorter or longer than its header says.
    Cut {
        /// The bytes that should be there.
        expected: u64,
        /// The bytes that are there.
        found: u64,
    },
    /// A section is not what was written.
    Damaged(Section),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotATable => write!(f, "it is not a table of Isolde"),
            Self::Version { found } => {
                write!(f, "it is a table of version {found}, and this program reads version {}: build it anew", format::VERSION)
            }
            Self::Cut { expected, found } => {
                let how = if found < expected { "cut off" } else { "too long" };
                write!(f, "it is {how} ({found} bytes instead of {expected}): fetch or build it anew")
            }
            Self::Damaged(section) => write!(f, "its {section} {} damaged: fetch or build it anew", section.verb()),
        }
    }
}

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
#[allow(missing_docs)]
pub enum Error {
    /// The system does not give the file.
    Io { path: PathBuf, doing: &'static str, source: std::io::Error },
    /// The file is not what it should be.
    Fault { path: PathBuf, fault: Fault },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, doing, source } => write!(f, "cannot {doing} {}: {source}", path.display()),
            Self::Fault { path, fault } => write!(f, "{} cannot be used: {fault}", path.display()),
        }
    }
}

impl std::error::Error for Error {}
