//! Positions as programs that speak UCI tell them: `position startpos moves d4e6,e6d4`.

use super::continuation::{Continuation, MOVES, split_moves};
use super::error::Error;
use super::moves::walling_move;
use crate::game::board::Size;
use crate::game::position::{Player, Position, Setup};

/// Where the position of the command `position` begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// At the start of the variant.
    Variant,
    /// At this position.
    Fen(String),
}

impl Start {
    /// The start and the moves that stand behind the word `position`. `None` if there is no start.
    pub(crate) fn split<'a, 'b>(words: &'b [&'a str]) -> Option<(Self, &'b [&'a str])> {
        let (start, moves) = split_moves(words);
        match start {
            ["startpos"] => Some((Self::Variant, moves)),
            ["fen", fen @ ..] if !fen.is_empty() => Some((Self::Fen(fen.join(" ")), moves)),
            _ => None,
        }
    }

    /// The position at the start, in a variant that starts there.
    ///
    /// # Errors
    /// If the text behind `fen` is not the diagram of a position.
    pub(crate) fn position(&self, variant: &Position) -> Result<Position, Error> {
        match self {
            Self::Variant => Ok(variant.clone()),
            Self::Fen(fen) => Ok(Position::new(fen.parse::<Setup>()?)?),
        }
    }
}

/// The start position of the variant joust: both knights stand in the middle of an 8x8 board.
pub(crate) fn joust() -> Position {
    let size = Size::new(8, 8).expect("8x8 is a board");
    let knights = [size.cell(3, 3), size.cell(4, 4)];
    let setup = Setup { knights, turn: Player::First, ..Position::empty(size).setup() };
    Position::new(setup).expect("the knights stand on different free cells")
}

/// Reads the words behind `position`, in the variant joust.
pub(super) fn parse(words: &[&str]) -> Result<Continuation, Error> {
    let (start, moves) = Start::split(words).ok_or_else(|| Error::UciStart { text: words.join(" ") })?;
    let mut continued = Continuation::new(start.position(&joust())?);
    continued.play_words(moves.iter().copied())?;
    Ok(continued)
}

/// The command `position` that says what was played.
pub(super) fn command(played: &Continuation) -> String {
    let mut command = format!("position fen {} - - 0 1", played.start().setup());
    if !played.moves().is_empty() {
        command = format!("{command} {MOVES}");
    }
    let mut position = played.start().clone();
    for &to in played.moves() {
        command = format!("{command} {}", walling_move(&position, to));
        position = position.play_unchecked(to);
    }
    command
}
