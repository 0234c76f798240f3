//! Several tables as one.

use std::fmt;
use std::path::PathBuf;

use super::read::{Entries, Table};
use super::{Coverage, Entry, Fault, Kind};
use crate::game::board::Size;
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::game::position::Setup;

/// Why tables cannot be merged.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum MergeError {
    /// There are no tables to merge.
    NoTables,
    /// Two tables are of different boards.
    Boards { first: (PathBuf, Size), other: (PathBuf, Size) },
    /// Two tables are of different kinds.
    Kinds { first: (PathBuf, Kind), other: (PathBuf, Kind) },
    /// Two tables disagree about a position, so at least one of them is wrong.
    Conflict { position: Setup, first: PathBuf, other: PathBuf },
    /// A table is damaged.
    Fault { path: PathBuf, fault: Fault },
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTables => f.write_str("there are no tables to merge"),
            Self::Boards { first: (first, board), other: (other, other_board) } => {
                let (first, other) = (first.display(), other.display());
                write!(f, "only tables of one board can be merged: {first} is of {board}, but {other} of {other_board}")
            }
            Self::Kinds { first: (first, kind), other: (other, other_kind) } => {
                let (first, other) = (first.display(), other.display());
                let [kind, other_kind] = [kind, other_kind].map(|kind| match kind {
                    Kind::Strong => "a strong table",
                    Kind::Opening => "an opening table",
                });
                write!(f, "only tables of one board and kind can be merged: {first} is {kind}, but {other} is {other_kind}")
            }
            Self::Conflict { position, first, other } => {
                let (first, other) = (first.display(), other.display());
                write!(f, "{first} and {other} disagree about {position}: at least one of them is wrong, verify both")
            }
            Self::Fault { path, fault } => write!(f, "{} cannot be used: {fault}", path.display()),
        }
    }
}

impl std::error::Error for MergeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Fault { fault, .. } => Some(fault),
            _ => None,
        }
    }
}

/// The entries of several tables of one board and kind, in order, each position once. If two tables
/// have different winning moves for a position, the first table's move is kept.
#[derive(Debug)]
pub struct Merged<'a, W> {
    tables: &'a [Table<W>],
    inputs: Vec<Input<'a, W>>,
}

/// A table that is being read, and its next entry.
#[derive(Debug)]
struct Input<'a, W> {
    entries: Entries<'a, W>,
    head: Option<(Duel<W>, Entry)>,
}

impl<'a, W: Word> Merged<'a, W> {
    /// Starts to merge at least one table.
    ///
    /// # Errors
    /// If there is no table, if the tables are not of one board and kind, or if one is damaged.
    pub fn new(tables: &'a [Table<W>]) -> Result<Self, MergeError> {
        let first = tables.first().ok_or(MergeError::NoTables)?;
        let board = |table: &Table<W>| (table.path().to_path_buf(), table.board().size());
        let kind = |table: &Table<W>| (table.path().to_path_buf(), table.kind());
        for other in tables {
            if other.board().size() != first.board().size() {
                return Err(MergeError::Boards { first: board(first), other: board(other) });
            }
            if other.kind() != first.kind() {
                return Err(MergeError::Kinds { first: kind(first), other: kind(other) });
            }
        }
        let mut merged =
            Self { tables, inputs: tables.iter().map(|table| Input { entries: table.entries(), head: None }).collect() };
        (0..tables.len()).try_for_each(|index| merged.advance(index))?;
        Ok(merged)
    }

    /// What the merged table covers, and its depth.
    ///
    /// # Errors
    /// If there is no table, or if one is damaged.
    pub fn coverage(tables: &[Table<W>]) -> Result<(Coverage, u8), MergeError> {
        let first = tables.first().ok_or(MergeError::NoTables)?;
        let mut openings = Vec::new();
        for table in tables {
            let metadata = table.metadata().map_err(|fault| MergeError::Fault { path: table.path().to_path_buf(), fault })?;
            openings.extend(metadata.coverage.duels(table.board()));
        }
        let depth = tables.iter().map(Table::depth).max().unwrap_or(0);
        Ok((Coverage::of(first.board(), &openings), depth as u8))
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
    pub fn next_entry(&mut self) -> Result<Option<(Duel<W>, Entry)>, MergeError> {
        let heads = self.inputs.iter().enumerate().filter_map(|(index, input)| input.head.map(|(duel, _)| (duel, index)));
        let Some((duel, first)) = heads.min() else {
            return Ok(None);
        };
        let Some(kept) = self.inputs[first].head else {
            return Ok(None);
        };
        for index in first..self.inputs.len() {
            let Some((_, entry)) = self.inputs[index].head.filter(|head| head.0 == duel) else {
                continue;
            };
            if (entry.value(), entry.plies()) != (kept.1.value(), kept.1.plies()) {
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
