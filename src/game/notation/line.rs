//! Lines of play.

use std::fmt;
use std::str::FromStr;

use super::continuation::Continuation;
use super::error::Error;
use super::names::{cell_name, trimmed};
use crate::game::board::Size;
use crate::game::cells::Cell;
use crate::game::position::{IllegalMove, Position};

/// A line of play from the empty board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Starts at the empty board.
    played: Continuation,
}

impl Line {
    /// The line without a move.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self { played: Continuation::new(Position::empty(size)) }
    }

    /// What was played, as a line. `None` if it did not begin at the empty board.
    #[must_use]
    pub fn of(played: &Continuation) -> Option<Self> {
        let start = played.start();
        (start.free() == start.board().cells()).then(|| Self { played: played.clone() })
    }

    /// The board that is played on.
    #[must_use]
    pub fn size(&self) -> Size {
        self.played.start().size()
    }

    /// The cells played to, the two placements first.
    #[must_use]
    pub fn moves(&self) -> &[Cell] {
        self.played.moves()
    }

    /// The position at the end of the line.
    #[must_use]
    pub fn end(&self) -> &Position {
        self.played.end()
    }

    /// The empty board and the moves that were played from it.
    #[must_use]
    pub fn played(&self) -> &Continuation {
        &self.played
    }

    /// The position after its first `plies` plies.
    ///
    /// # Panics
    /// If the line has fewer.
    #[must_use]
    pub fn position(&self, plies: usize) -> Position {
        self.played.position(plies)
    }

    /// The first of its plies.
    ///
    /// # Panics
    /// If the line has fewer.
    #[must_use]
    pub fn beginning(&self, plies: usize) -> Self {
        Self { played: self.played.beginning(plies) }
    }

    /// Plays one move more.
    ///
    /// # Errors
    /// If it is not legal; the line is then as before.
    pub fn play(&mut self, to: Cell) -> Result<(), IllegalMove> {
        self.played.play(to)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.size())?;
        self.moves().iter().try_for_each(|&cell| write!(f, " {}", cell_name(self.size(), cell)))
    }
}

impl FromStr for Line {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = trimmed(text);
        let end = text.find(|letter: char| matches!(letter, ':' | ',') || letter.is_whitespace()).unwrap_or(text.len());
        let (board, moves) = text.split_at(end);
        let moves = moves.trim_start();
        let moves = moves.strip_prefix([':', ',']).unwrap_or(moves);
        let mut line = Self::new(board.parse()?);
        line.played.play_words(moves.split_whitespace())?;
        Ok(line)
    }
}
