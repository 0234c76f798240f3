//! What to build: the board, the kind of table, its openings, and where it goes.

use std::path::PathBuf;
use std::time::Duration;

use super::BuildError;
use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::Duel;
use crate::game::notation::{Line, cell_name, spaced_names};
use crate::game::position::Position;
use crate::solve::{Enumeration, Opening, OpeningClass, Settings, default_depth, opening_classes};
use crate::table::{Coverage, Kind, Plan};

/// A line has a move when it is longer than this.
const PLACEMENTS: usize = 2;

/// Openings as people type them: `d4 b3, a1 c2`.
pub(super) fn opening_names(size: Size, openings: &[Opening]) -> String {
    let names = openings.iter().map(|&Opening { first, second }| spaced_names(size, &[first, second]));
    names.collect::<Vec<_>>().join(", ")
}

/// What to build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildRequest {
    /// The board.
    pub size: Size,
    /// What the table holds.
    pub contents: Contents,
    /// The openings that it covers.
    pub scope: Scope,
    /// Lines whose last moves the winner tries first in the positions where they are played. A
    /// build can wait long for the proof that a move which is usually tried before them loses. They
    /// mean nothing to a strong table, which says the outcome of every move.
    pub tries: Vec<Line>,
    /// The path of the finished table. Unfinished work lies beside it, in a folder with the same
    /// name and `.part` at the end.
    pub target: PathBuf,
    /// Whether a table that exists there already may be replaced.
    pub replace: bool,
    /// How many threads and how much memory the work may use.
    pub settings: Settings,
}

/// What a table holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contents {
    /// Every position that the openings lead to, with its outcome.
    Strong {
        /// The time between two checkpoints. This is how much work can be lost.
        checkpoint: Duration,
    },
    /// The openings with their winners, and the winners' strategies.
    ///
    /// Each result is saved as soon as it is proven.
    Opening {
        /// The strategies contain positions with more live cells than this. `None` chooses the
        /// [default](default_depth).
        depth: Option<usize>,
    },
}

/// Which openings a table covers. Symmetric images of these openings are covered, too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scope {
    /// All openings of the board.
    All,
    /// All openings with this first placement.
    First(Cell),
    /// These openings.
    Openings(Vec<Opening>),
}

impl BuildRequest {
    /// The kind of table.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.contents {
            Contents::Strong { .. } => Kind::Strong,
            Contents::Opening { .. } => Kind::Opening,
        }
    }

    /// The command line that makes the table. It is recorded in the table's metadata, so it must be
    /// the same for the same contents.
    #[must_use]
    pub fn command(&self) -> String {
        match self.contents {
            Contents::Strong { .. } => self.task(),
            Contents::Opening { .. } => {
                let tries = self.tries.iter().map(|line| format!(" --try \"{}\"", spaced_names(self.size, line.moves())));
                self.command_with(&format!(" --depth {}", self.depth())) + &tries.collect::<String>()
            }
        }
    }

    /// Names the work for its folder: only the same task can resume it. An opening table's depth
    /// and the moves to be tried first are not part of it, because the strategy log serves them
    /// all.
    pub(super) fn task(&self) -> String {
        match self.contents {
            Contents::Strong { .. } => self.command_with(" --strong"),
            Contents::Opening { .. } => self.command_with(""),
        }
    }

    fn command_with(&self, option: &str) -> String {
        let placed = match &self.scope {
            Scope::All => String::new(),
            Scope::First(first) => format!(" --first {}", cell_name(self.size, *first)),
            Scope::Openings(openings) => {
                let option = if openings.len() == 1 { "opening" } else { "openings" };
                format!(" --{option} \"{}\"", opening_names(self.size, openings))
            }
        };
        format!("isolde table build {}{option}{placed}", self.size)
    }

    /// The depth of the strategies. 0 for a strong table.
    pub(super) fn depth(&self) -> usize {
        match self.contents {
            Contents::Strong { .. } => 0,
            Contents::Opening { depth } => depth.unwrap_or_else(|| default_depth(self.size)),
        }
    }

    /// Checks everything that can be checked before the work starts.
    pub(super) fn check(&self) -> Result<(), BuildError> {
        let size = self.size;
        let placements = match &self.scope {
            Scope::All => vec![],
            Scope::First(first) => vec![vec![*first]],
            Scope::Openings(openings) => openings.iter().map(|&Opening { first, second }| vec![first, second]).collect(),
        };
        for cells in placements {
            let placed = cells.into_iter().try_fold(Position::empty(size), |position, cell| position.play(cell));
            placed.map_err(BuildError::Placement)?;
        }
        if self.tries.iter().any(|line| line.size() != size || line.moves().len() <= PLACEMENTS) {
            return Err(BuildError::Try { size });
        }
        if self.kind() == Kind::Strong && size.cells() > Enumeration::MOST_CELLS {
            return Err(BuildError::TooLarge { size, most: Enumeration::MOST_CELLS });
        }
        let (depth, most) = (self.depth(), size.cells().saturating_sub(2));
        if depth > most {
            return Err(BuildError::Depth { size, depth, most });
        }
        Ok(())
    }

    /// The openings to be proven, one of each symmetry class.
    pub(super) fn openings(&self) -> Vec<Opening> {
        let board = Board::<u128>::fitting(self.size);
        let first = match &self.scope {
            Scope::All => board.cells(),
            Scope::First(first) => Cells::only(*first),
            Scope::Openings(openings) => return openings.clone(),
        };
        opening_classes(&board, board.cells(), first).iter().map(OpeningClass::representative).collect()
    }

    /// The positions in which a move is tried first, each with that move.
    pub(super) fn first_tries<W: Word>(&self) -> impl Iterator<Item = (Duel<W>, Cell)> {
        self.tries.iter().filter_map(|line| {
            let (&last, before) = line.moves().split_last()?;
            Some((line.position(before.len()).duel()?, last))
        })
    }

    /// The table to be written, apart from its entries.
    pub(super) fn plan<W: Word>(&self, board: &Board<W>, openings: &[Duel<W>]) -> Plan {
        Plan {
            size: self.size,
            kind: self.kind(),
            depth: self.depth() as u8,
            command: self.command(),
            coverage: Coverage::of(board, openings),
        }
    }
}
