//! Text to boards, cells, moves, positions and lines of play, and back.
//!
//! | thing | written | also read |
//! |---|---|---|
//! | board | `7x7`, files x ranks | `7X7`, `7×7` |
//! | cell | `d4`, files `a` to `p` | `D4` |
//! | move | `f5`, the cell moved to | `d4f5`, and `d4f5,f5d4`: the move and the wall it leaves |
//! | position | `8/8/2N5/4n3/3*4/8/8/8 b` | the same followed by `- - 0 1` |
//! | line of play | `7x7: d4 b3 f5`, from the empty board | `7x7 d4 b3 f5`, `7x7: d4,b3,f5` |
//! | moves from a position | `7/7/7/3N3/1n5/7/7 w moves f5 c5` | `position fen 7/7/7/3N3/1n5/7/7 w moves f5 c5`, `position startpos moves e6` |
//!
//! Space and a byte order mark around a text do not count. What is read in several ways is printed
//! in one.
//!
//! A position is written as the FEN of Fairy-Stockfish's *joust*: ranks from the top, numbers for
//! runs of free cells, `*` for a blocked cell, `N` and `n` for the first and the second player's
//! knight, then `w` or `b` for the first or the second to move. A missing knight has not been
//! placed yet.
//!
//! ```
//! use isolde::{Setup, notation};
//!
//! let setup = notation::parse("7x7: d4 b3 f5")?;
//! assert_eq!(setup.to_string(), "7/7/5N1/3*3/1n5/7/7 b");
//! assert_eq!(setup.to_string().parse(), Ok(setup));
//! # Ok::<(), notation::Error>(())
//! ```

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod names;

mod error;

mod moves;

mod diagram;

mod continuation;

mod line;

mod uci;

use std::fmt;
use std::str::FromStr;

use crate::game::cells::Cell;
use crate::game::position::{IllegalMove, Position, Setup};
use diagram::parse_rank;
use moves::CROSSES;

pub use continuation::Continuation;
pub use error::Error;
pub use line::Line;
pub use moves::{parse_cell, parse_move, walling_move};
pub use names::{cell_name, cell_names, grouped, parse_grouped, quoted, spaced_names, trimmed};
pub use uci::Start;
pub(crate) use uci::joust;

/// A position in the form in which it was written.
///
/// ```
/// let asked: isolde::notation::Written = "5X5 a1,c3".parse()?;
/// assert_eq!(asked.to_string(), "5x5: a1 c3");
/// assert_eq!(asked.position().setup().to_string(), "5/5/2n2/5/N4 w");
/// # Ok::<(), isolde::notation::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Written {
    /// A board, or a line of play from the empty board.
    Line(Line),
    /// A diagram with the ranks from the top, and moves that were played from there.
    Diagram(Continuation),
}

impl Written {
    /// Where it starts, and the moves that were played from there.
    #[must_use]
    pub fn played(&self) -> &Continuation {
        match self {
            Self::Line(line) => line.played(),
            Self::Diagram(played) => played,
        }
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &Position {
        self.played().end()
    }

    /// The position after one more move, in the same form: a line or a list of moves gets one move
    /// more, and a diagram without moves becomes the diagram of the next position.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn play(self, to: Cell) -> Result<Self, IllegalMove> {
        match self {
            Self::Line(mut line) => line.play(to).map(|()| Self::Line(line)),
            Self::Diagram(played) if played.moves().is_empty() => {
                played.end().play(to).map(|next| Self::Diagram(Continuation::new(next)))
            }
            Self::Diagram(mut played) => played.play(to).map(|()| Self::Diagram(played)),
        }
    }

    /// The command of the UCI protocol that sets the position up, with the moves in the walling
    /// form.
    ///
    /// ```
    /// let asked: isolde::notation::Written = "5x5: a1 c3 b3".parse()?;
    /// assert_eq!(asked.uci(), "position fen 5/5/5/5/5 w - - 0 1 moves a1 c3 a1b3,b3a1");
    /// # Ok::<(), isolde::notation::Error>(())
    /// ```
    #[must_use]
    pub fn uci(&self) -> String {
        uci::command(self.played())
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) if line.moves().is_empty() => line.size().fmt(f),
            Self::Line(line) => line.fmt(f),
            Self::Diagram(played) => played.fmt(f),
        }
    }
}

/// Reads whatever names a position: a board (`7x7`), a line of play (`7x7: d4 b3`), a diagram,
/// moves from a diagram, or the command `position` of UCI. Its `startpos` is that of joust.
impl FromStr for Written {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let words: Vec<&str> = trimmed(text).split_whitespace().collect();
        let head = words.first().copied().unwrap_or_default();
        if head == "position" {
            uci::parse(&words[1..]).map(Self::Diagram)
        } else if head.contains(CROSSES) {
            // No diagram holds an `x`, and every board does.
            text.parse().map(Self::Line)
        } else if head.contains('/') || (!head.is_empty() && parse_rank(head, 1).is_ok()) {
            text.parse().map(Self::Diagram)
        } else {
            Err(Error::Nothing { text: text.into() })
        }
    }
}

/// Reads whatever names a position, as [`Written`] does.
///
/// # Errors
/// If the text is none of them, or no position of the game.
pub fn parse(text: &str) -> Result<Setup, Error> {
    text.parse().map(|written: Written| written.position().setup())
}

/// Reads whatever names a position, as [`parse`] does.
impl FromStr for Position {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        text.parse().map(|written: Written| written.position().clone())
    }
}
