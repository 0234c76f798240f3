//! Lines of play.

use std::fmt;
use std::str::FromStr;

use super::error::Error;
use super::moves::{moves_in, parse_move};
use super::names::{cell_name, trimmed};
use crate::game::board::Size;
use crate::game::cells::Cell;
use crate::game::position::{IllegalMove, Position};

/// A line of play from the empty board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    size: Size,
    moves: Vec<Cell>,
    end: Position,
}

impl Line {
    /// The line without a move.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self { size, moves: Vec::new(), end: Position::empty(size) }
    }

    /// The board that is played on.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The cells played to, the two placements first.
    #[must_use]
    pub fn moves(&self) -> &[Cell] {
        &self.moves
    }

    /// The position at the end of the line.
    #[must_use]
    pub fn end(&self) -> &Position {
        &self.end
    }

    /// The position after its first `plies` plies.
    ///
    /// # Panics
    /// If the line has fewer.
    #[must_use]
    pub fn position(&self, plies: usize) -> Position {
        self.moves[..plies].iter().fold(Position::empty(self.size), |position, &to| position.play_unchecked(to))
    }

    /// The first of its plies.
    ///
    /// # Panics
    /// If the line has fewer.
    #[must_use]
    pub fn beginning(&self, plies: usize) -> Self {
        Self { size: self.size, moves: self.moves[..plies].to_vec(), end: self.position(plies) }
    }

    /// Plays one move more.
    ///
    /// # Errors
    /// If it is not legal; the line is then as before.
    pub fn play(&mut self, to: Cell) -> Result<(), IllegalMove> {
        self.end = self.end.play(to)?;
        self.moves.push(to);
        Ok(())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.size)?;
        self.moves.iter().try_for_each(|&cell| write!(f, " {}", cell_name(self.size, cell)))
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
        for (before, text) in moves.split_whitespace().flat_map(moves_in).enumerate() {
            let in_line = |fault| Error::Line { ply: before + 1, fault: Box::new(fault) };
            let to = parse_move(&line.end, text).map_err(in_line)?;
            line.end = line.end.play_unchecked(to);
            line.moves.push(to);
        }
        Ok(line)
    }
}
