//! Several tables as one.

use std::fmt;
use std::path::PathBuf;

use super::read::{Entries, Table};
use super::{Coverage, Fault, Kind, Proven};
use crate::board::Size;
use crate::cells::Word;
use crate::duel::Duel;
use crate::position::Setup;

/// Why tables cannot be merged.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum MergeError {
    /// Two tables are not of the same board and kind.
    Different { first: (PathBuf, Size, Kind), other: (PathBuf, Size, Kind) },
    /// Two tables say different things of one position: at least one of them is false.
    Conflict { position: Setup, first: PathBuf, other: PathBuf },
    /// A table is damaged.
    Fault { path: PathBuf, fault: Fault },
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Different { first, other } => {
                let name = |(path, size, kind): &(PathBuf, Size, Kind)| {
                    format!("{} is a {kind} table of {}x{}", path.display(), size.files(), size.ranks())
                };
                write!(f, "only tables of one board and kind can be merged: {}, but {}", name(first), name(other))
            }
            Self::Conflict { position, first, other } => {
                let (first, other) = (first.display(), other.display());
                write!(
                    f,
                    "{first} and {other} disagree about {position}: one of them is false, and `isolde table verify` says which"
                )
            }
            Self::Fault { path, fault } => write!(f, "{} cannot be used: {fault}", path.display()),
        }
    }
}

/// The entries of several tables of one board and kind, in order, each position once. Where two winning moves are known, the first table's is kept.
#[derive(Debug)]
pub struct Merged<'a, W> {
    tables: &'a [Table<W>],
    inputs: Vec<Input<'a, W>>,
}

/// A table that is gone through, and its next entry.
#[derive(Debug)]
struct Input<'a, W> {
    entries: Entries<'a, W>,
    head: Option<(Duel<W>, Proven)>,
}

impl<'a, W: Word> Merged<'a, W> {
    /// Of at least one table.
    ///
    /// # Errors
    /// If the tables are not of one board and kind, or if one is damaged.
    ///
    /// # Panics
    /// If there is no table.
    pub fn new(tables: &'a [Table<W>]) -> Result<Self, MergeError> {
        let describe = |table: &Table<W>| (table.path().to_path_buf(), table.board().size(), table.kind());
        let first = describe(&tables[0]);
        for table in tables {
            let other = describe(table);
            if (other.1, other.2) != (first.1, first.2) {
                return Err(MergeError::Different { first, other });
            }
        }
        let mut merged =
            Self { tables, inputs: tables.iter().map(|table| Input { entries: table.entries(), head: None }).collect() };
        (0..tables.len()).try_for_each(|index| merged.advance(index))?;
        Ok(merged)
    }

    /// What the merged table covers, and down to how many live cells its strategies go.
    ///
    /// # Errors
    /// If a table is damaged.
    pub fn coverage(tables: &[Table<W>]) -> Result<(Coverage, u8), MergeError> {
        let mut openings = Vec::new();
        for table in tables {
            let metadata = table.metadata().map_err(|fault| MergeError::Fault { path: table.path().to_path_buf(), fault })?;
            openings.extend(metadata.coverage.duels(table.board()));
        }
        let depth = tables.iter().map(Table::depth).max().unwrap_or(0);
        Ok((Coverage::of(tables[0].board(), &openings), depth as u8))
    }

    fn advance(&mut self, index: usize) -> Result<(), MergeError> {
        let Input { entries, head } = &mut self.inputs[index];
        let fault = |fault| MergeError::Fault { path: self.tables[index].path().to_path_buf(), fault };
        *head = entries.next().transpose().map_err(fault)?;
        Ok(())
    }

    /// The next entry.
    ///
    /// # Errors
    /// If a table is damaged, or two tables disagree.
    pub fn next_entry(&mut self) -> Result<Option<(Duel<W>, Proven)>, MergeError> {
        let heads = self.inputs.iter().enumerate().filter_map(|(index, input)| input.head.map(|(duel, _)| (duel, index)));
        let Some((duel, first)) = heads.min() else {
            return Ok(None);
        };
        let Some(kept) = self.inputs[first].head else {
            return Ok(None);
        };
        for index in first..self.inputs.len() {
            let Some((_, proven)) = self.inputs[index].head.filter(|head| head.0 == duel) else {
                continue;
            };
            if (proven.value(), proven.plies()) != (kept.1.value(), kept.1.plies()) {
                let path = |index: usize| self.tables[index].path().to_path_buf();
                return Err(MergeError::Conflict {
                    position: Setup::of_duel(self.tables[0].board(), duel),
                    first: path(first),
                    other: path(index),
                });
            }
            self.advance(index)?;
        }
        Ok(Some(kept))
    }
}
