//! Why a text could not be read.

use std::fmt;

use super::names::{cell_name, quoted};
use crate::game::board::{Size, SizeError};
use crate::game::position::{IllegalMove, Player, SetupError};

/// Why a text could not be read: what was found, and what would have been right.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Error {
    /// Neither a board nor a line of play nor a position.
    Nothing { text: String },
    /// Not of the form `7x7`.
    Board { text: String },
    /// A board that does not exist.
    Size(SizeError),
    /// Not of the form `d4`.
    Cell { text: String },
    /// A cell that this board lacks.
    CellOffBoard { text: String, size: Size },
    /// A character in a position that means nothing there.
    Character { rank: usize, found: char },
    /// A run of free cells whose length starts with a zero.
    ZeroRun { rank: usize },
    /// A rank that differs in length from the top one.
    RankLength { rank: usize, cells: usize, expected: usize },
    /// A second knight of one player.
    TwoKnights { player: Player, rank: usize },
    /// A position that does not say who is to move.
    NoTurn,
    /// Something else than `w` or `b` where the player to move is named.
    Turn { text: String },
    /// Text behind the end.
    Trailing { text: String },
    /// The UCI command `position` without a start.
    UciStart { text: String },
    /// A position that the rules do not know.
    Setup(SetupError),
    /// A move that names another start than the mover's cell, or none that exists.
    From { text: String, mover: Option<String> },
    /// A move whose wall is not where the mover came from.
    Wall { text: String, expected: String },
    /// A move that the rules forbid, and those that they allow.
    Illegal { text: String, fault: IllegalMove, legal: Vec<String> },
    /// A move of a line that cannot be played; plies count from 1, placements included.
    Line { ply: usize, fault: Box<Error> },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing { text } => {
                let forms = "a board (7x7), a line of play (7x7: d4 b3 f5) or a position (8/8/2N5/4n3/3*4/8/8/8 b)";
                write!(f, "{} is not a position: write {forms}", quoted(text))
            }
            Self::Board { text } => write!(f, "{} is not a board: write files x ranks, such as 7x7", quoted(text)),
            Self::Size(fault) => fault.fmt(f),
            Self::Cell { text } => write!(f, "{} is not a cell: write a file from a to p and a rank, such as d4", quoted(text)),
            Self::CellOffBoard { text, size } => {
                let last = size.cell(size.files() - 1, size.ranks() - 1).map(|cell| cell_name(*size, cell));
                write!(f, "{} is not on a {size} board, which goes from a1 to {}", quoted(text), last.unwrap_or_default())
            }
            Self::Character { rank, found } => {
                let found = quoted(&found.to_string());
                write!(f, "{found} in rank {rank} means nothing: a rank is made of numbers, `*`, `N` and `n`")
            }
            Self::ZeroRun { rank } => write!(f, "rank {rank} has a number that starts with 0: a run has at least one free cell"),
            Self::RankLength { rank, cells, expected } => {
                write!(f, "rank {rank} has {cells} cells, but the top rank has {expected}")
            }
            Self::TwoKnights { player, rank } => {
                write!(f, "rank {rank} holds a second knight of the {player} player: each has one")
            }
            Self::NoTurn => write!(f, "the position does not say who is to move: end it with ` w` for first or ` b` for second"),
            Self::Turn { text } => write!(f, "{} is not a player to move: write `w` for first or `b` for second", quoted(text)),
            Self::Trailing { text } => {
                let allowed = "only `- - 0 1`, and moves such as `moves f5 c5`, may follow";
                write!(f, "unexpected {} behind the player to move: {allowed}", quoted(text))
            }
            Self::UciStart { text } => {
                let right = "`startpos`, or `fen` and a diagram (fen 8/8/2N5/4n3/3*4/8/8/8 b), then `moves` and the moves";
                write!(f, "{} behind `position` is not a start: write {right}", quoted(text))
            }
            Self::Setup(fault) => fault.fmt(f),
            Self::From { text, mover: Some(mover) } => {
                write!(f, "{} does not start on {mover}, where the mover stands", quoted(text))
            }
            Self::From { text, mover: None } => {
                write!(f, "{} moves a knight that is not placed yet: name only the cell to place it on", quoted(text))
            }
            Self::Wall { text, expected } => {
                write!(f, "{} leaves its wall elsewhere: it must end in `,{expected}`", quoted(text))
            }
            Self::Illegal { text, fault, legal } => {
                write!(f, "{} cannot be played: {fault}; ", quoted(text))?;
                match legal.as_slice() {
                    [] => write!(f, "the game is over, no move is legal"),
                    [only] => write!(f, "only {only} is legal"),
                    several => write!(f, "legal are {}", several.join(" ")),
                }
            }
            Self::Line { ply, fault } => write!(f, "move {ply} of the line: {fault}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Size(fault) => Some(fault),
            Self::Setup(fault) => Some(fault),
            Self::Illegal { fault, .. } => Some(fault),
            Self::Line { fault, .. } => Some(fault.as_ref()),
            _ => None,
        }
    }
}

impl From<SizeError> for Error {
    fn from(fault: SizeError) -> Self {
        Self::Size(fault)
    }
}

impl From<SetupError> for Error {
    fn from(fault: SetupError) -> Self {
        Self::Setup(fault)
    }
}
