//! What to prove, and where the proof goes.

use std::path::PathBuf;
use std::time::Duration;

use super::CertifyError;
use super::format::write_position;
use crate::game::board::{Board, Size};
use crate::game::cells::Cell;
use crate::game::notation::Continuation;
use crate::game::position::{Player, Position};
use crate::game::symmetry::{Symmetries, Symmetry};
use crate::solve::{Settings, board_mirror};
use crate::table::{AnyTable, Entry, Kind};

/// What to prove, and where the proof goes.
#[derive(Clone, Debug)]
pub struct CertifyRequest {
    /// What to prove.
    pub subject: Subject,
    /// Whether mirrors may be used. Without them, everything is proven by lemmas.
    pub mirrors: bool,
    /// Whether to look for a small proof, which takes longer.
    pub small: bool,
    /// The path of the certificate. Unfinished work lies beside it, in a folder with the same name
    /// and `.part` at the end.
    pub target: PathBuf,
    /// Whether a file that exists there already may be replaced.
    pub replace: bool,
    /// The time between two checkpoints. This is how much work can be lost.
    pub checkpoint: Duration,
    /// How many threads and how much memory the work may use.
    pub settings: Settings,
}

/// What a certificate is about.
#[derive(Clone, Debug)]
pub enum Subject {
    /// Who wins the board.
    Board(Size),
    /// Who wins every opening of the board.
    Openings(Size),
    /// Who wins each of these positions, all on one board.
    Positions {
        /// The board.
        size: Size,
        /// The positions.
        positions: Vec<Claimed>,
        /// Where they come from, in words: the position itself, or a table.
        name: String,
    },
}

/// A position to be proven, and what is claimed about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claimed {
    /// The position.
    pub position: Position,
    /// The winner, if one is claimed.
    pub winner: Option<Player>,
    /// The move by which the player to move is claimed to win.
    pub by: Option<Cell>,
}

impl Claimed {
    /// A position about which nothing is claimed.
    pub(super) fn nothing(position: Position) -> Self {
        Self { position, winner: None, by: None }
    }
}

impl Subject {
    /// Who wins a position. The empty board is the subject [`Subject::Board`].
    #[must_use]
    pub fn position(position: &Position) -> Self {
        let size = position.size();
        if *position == Position::empty(size) {
            return Self::Board(size);
        }
        Self::Positions {
            size,
            positions: vec![Claimed::nothing(position.clone())],
            name: Continuation::new(position.clone()).to_string(),
        }
    }

    /// What an opening table says: the winner of every entry, and that its move wins.
    ///
    /// # Errors
    /// If it is a strong table, or if it is damaged.
    pub fn table(table: &AnyTable) -> Result<Self, CertifyError> {
        let path = || table.path().to_path_buf();
        if table.kind() != Kind::Opening {
            return Err(CertifyError::StrongTable { table: path() });
        }
        // Unfinished work belongs to what the table says, not only to its name.
        let mut checksum = crc32fast::Hasher::new();
        let mut positions = Vec::new();
        for entry in table.entries() {
            let damaged = |why: String| CertifyError::Table { table: path(), why };
            let (setup, entry) = entry.map_err(|fault| damaged(fault.to_string()))?;
            let position = Position::new(setup).map_err(|fault| damaged(fault.to_string()))?;
            let (winner, by) = match entry {
                Entry::Won(to) => (position.turn(), Some(to)),
                Entry::Lost | Entry::Outcome(_) => (!position.turn(), None),
            };
            let mut written = Vec::new();
            write_position(&mut written, &position);
            written.extend([winner as u8, by.map_or(u8::MAX, |to| to.index() as u8)]);
            checksum.update(&written);
            positions.push(Claimed { position, winner: Some(winner), by });
        }
        let name = format!("--from-table {} (checksum {:08x})", table.path().display(), checksum.finalize());
        Ok(Self::Positions { size: table.size(), positions, name })
    }

    /// The board.
    #[must_use]
    pub fn size(&self) -> Size {
        match self {
            Self::Board(size) | Self::Openings(size) | Self::Positions { size, .. } => *size,
        }
    }
}

/// With at most this share of the cells free, the moves of the hunter are compared by the number of
/// lemmas that they take. On 7x7, where that is 29 cells, 362 k lemmas are left of 374 k, with 1.5
/// times the nodes.
const COMPARED: (usize, usize) = (3, 5);

impl CertifyRequest {
    /// With at most this many free cells, the winning moves of the hunter are compared.
    pub(super) fn compare(&self) -> usize {
        let cells = self.subject.size().cells();
        if self.small { cells } else { cells * COMPARED.0 / COMPARED.1 }
    }

    /// The command line that writes the certificate. Only the same task can resume its work.
    #[must_use]
    pub fn command(&self) -> String {
        let subject = match &self.subject {
            Subject::Board(size) => size.to_string(),
            Subject::Openings(size) => format!("{size} --openings"),
            Subject::Positions { name, .. } => name.clone(),
        };
        let mirrors = if self.mirrors { "" } else { " --no-mirrors" };
        let small = if self.small { " --small" } else { "" };
        format!("isolde certify {subject}{mirrors}{small}")
    }

    /// The mirror by which the second player wins the board, if that is what is asked.
    pub(super) fn board_mirror(&self) -> Option<Symmetry> {
        let Subject::Board(size) = self.subject else { return None };
        let board = Board::<u128>::fitting(size);
        self.mirrors.then(|| board_mirror(&Symmetries::new(&board), board.cells())).flatten()
    }
}
