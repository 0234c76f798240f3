//! A position and the moves that were played from it.

use std::fmt;
use std::str::FromStr;

use super::error::Error;
use super::moves::{moves_in, parse_move};
use super::names::{cell_name, trimmed};
use crate::game::cells::Cell;
use crate::game::position::{IllegalMove, Position, Setup};

/// The word between a diagram and the moves that were played from it.
pub(super) const MOVES: &str = "moves";

/// A position and the moves that were played from it.
///
/// It is written as the diagram of the position, the word `moves` and the moves; without moves, as
/// the diagram alone.
///
/// ```
/// use isolde::notation::Continuation;
///
/// let continued: Continuation = "7/7/7/3N3/1n5/7/7 w - - 0 1 moves d4f5,f5d4 c5".parse()?;
/// assert_eq!(continued.to_string(), "7/7/7/3N3/1n5/7/7 w moves f5 c5");
/// assert_eq!(continued.end().setup().to_string(), "7/7/2n2N1/3*3/1*5/7/7 w");
/// # Ok::<(), isolde::notation::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Continuation {
    start: Position,
    moves: Vec<Cell>,
    end: Position,
}

impl Continuation {
    /// The position, no move played yet.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { end: start.clone(), start, moves: Vec::new() }
    }

    /// The position at the start.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The cells played to since then. A knight that was not placed is placed first.
    #[must_use]
    pub fn moves(&self) -> &[Cell] {
        &self.moves
    }

    /// The position after all moves.
    #[must_use]
    pub fn end(&self) -> &Position {
        &self.end
    }

    /// The position after the first `plies` moves.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn position(&self, plies: usize) -> Position {
        self.moves[..plies].iter().fold(self.start.clone(), |position, &to| position.play_unchecked(to))
    }

    /// The start with the first `plies` of its moves.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn beginning(&self, plies: usize) -> Self {
        Self { start: self.start.clone(), moves: self.moves[..plies].to_vec(), end: self.position(plies) }
    }

    /// Plays one move more.
    ///
    /// # Errors
    /// If it is not legal. Nothing has changed then.
    pub fn play(&mut self, to: Cell) -> Result<(), IllegalMove> {
        self.end = self.end.play(to)?;
        self.moves.push(to);
        Ok(())
    }

    /// Plays the moves that these words name, with commas or without.
    ///
    /// # Errors
    /// If one of them cannot be played. Those before it have been played then.
    pub(crate) fn play_words<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) -> Result<(), Error> {
        for text in words.into_iter().flat_map(moves_in) {
            let in_line = |fault| Error::Line { ply: self.moves.len() + 1, fault: Box::new(fault) };
            let to = parse_move(&self.end, text).map_err(in_line)?;
            self.end = self.end.play_unchecked(to);
            self.moves.push(to);
        }
        Ok(())
    }
}

impl fmt::Display for Continuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.start.setup().fmt(f)?;
        if !self.moves.is_empty() {
            write!(f, " {MOVES}")?;
        }
        self.moves.iter().try_for_each(|&to| write!(f, " {}", cell_name(self.start.size(), to)))
    }
}

/// Reads a diagram, and the moves behind it if there are any.
impl FromStr for Continuation {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let words: Vec<&str> = trimmed(text).split_whitespace().collect();
        let (diagram, moves) = split_moves(&words);
        let mut continued = Self::new(Position::new(diagram.join(" ").parse::<Setup>()?)?);
        continued.play_words(moves.iter().copied())?;
        Ok(continued)
    }
}

/// The words before and behind the word `moves`.
pub(super) fn split_moves<'a, 'b>(words: &'b [&'a str]) -> (&'b [&'a str], &'b [&'a str]) {
    let end = words.iter().position(|word| *word == MOVES).unwrap_or(words.len());
    (&words[..end], words.get(end + 1..).unwrap_or_default())
}
