//! `Chooser`, a player at the board, and `Decision`, its move with what the move rests on.

use std::any::Any;
use std::fmt;

use super::clock::Clock;
use super::lookahead::Found;
use crate::game::cells::Cell;
use crate::game::outcome::Value;
use crate::game::position::Position;
use crate::solve::Origin;

/// A player at the board, for one game.
pub trait Chooser: Send {
    /// Chooses one of `moves`, which are some or all of the legal moves, or placements, of the
    /// position, and at least one. What the decision calls proven is proven of this choice: if a
    /// winning move is not among them, the choice may be lost although the position is won. Calls
    /// `report` with the best decision so far, each time it changes.
    ///
    /// # Panics
    /// The choosers of this crate panic if the position is of another board than theirs.
    fn choose_among(&mut self, position: &Position, moves: &[Cell], clock: &Clock, report: &mut dyn FnMut(&Decision))
    -> Decision;

    /// Chooses one of all legal moves, or placements, of a position that has one.
    ///
    /// # Panics
    /// As [`Chooser::choose_among`].
    fn choose(&mut self, position: &Position, clock: &Clock, report: &mut dyn FnMut(&Decision)) -> Decision {
        let moves: Vec<Cell> = position.legal_moves().into_iter().collect();
        self.choose_among(position, &moves, clock, report)
    }

    /// How full the cache of the lookahead is, in thousandths.
    fn filling(&self) -> u32 {
        0
    }
}

/// What a chooser that panicked has said.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let message = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    message.unwrap_or("no message")
}

/// A chosen move.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// The cell to move to, or to place on.
    pub to: Cell,
    /// What the choice rests on.
    pub basis: Basis,
    /// The expected line, beginning with the move, as far as it is known.
    pub line: Vec<Cell>,
    /// The positions searched.
    pub nodes: u64,
}

impl Decision {
    /// The decision that follows from the result of a lookahead.
    pub(super) fn from_lookahead(found: &Found, nodes: u64) -> Self {
        let basis = match found.value() {
            Some(value) => Basis::Proven { value, plies: None, by: ProvenBy::Lookahead { depth: found.depth } },
            None => Basis::Guess { score: found.score, depth: found.depth },
        };
        Self { to: found.to, basis, line: found.line.clone(), nodes }
    }
}

/// What a choice rests on.
#[derive(Clone, PartialEq, Debug)]
pub enum Basis {
    /// It is proven whether the mover wins.
    Proven {
        /// Whether the mover wins with this move.
        value: Value,
        /// The plies until the game ends when the winner hurries and the loser delays, if known.
        /// While a placement is still to be made, they are counted after both placements.
        plies: Option<usize>,
        /// Where the proof comes from.
        by: ProvenBy,
    },
    /// The score of a lookahead.
    Guess {
        /// The score for the mover.
        score: f64,
        /// How many plies were searched.
        depth: u32,
    },
    /// There is no other move.
    OnlyMove,
    /// The move was drawn at random.
    Chance,
    /// The player accepts only proofs and found none within the limit.
    NoProof,
}

/// Where a proof comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProvenBy {
    /// A table, a mirror, separated regions or an exact search.
    Known(Origin),
    /// A lookahead that reached the end of the game.
    Lookahead {
        /// How many plies it looked ahead.
        depth: u32,
    },
}

impl fmt::Display for ProvenBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(Origin::Over) => f.write_str("the rules: the opponent cannot move"),
            Self::Known(Origin::Moves) => f.write_str("what is known about the replies"),
            Self::Known(Origin::Separated) => f.write_str("separated regions"),
            Self::Known(Origin::Undisturbed) => f.write_str("a walk that cannot be disturbed"),
            Self::Known(Origin::Solved) => f.write_str("exact search"),
            Self::Known(table_or_mirror) => table_or_mirror.fmt(f),
            Self::Lookahead { depth } => write!(f, "lookahead to the end of the game, depth {depth}"),
        }
    }
}

impl Basis {
    /// Whether the mover wins, if that is proven.
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        match self {
            Self::Proven { value, .. } => Some(*value),
            _ => None,
        }
    }
}

/// What a decision rests on, in words.
impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proven { by, .. } => by.fmt(f),
            Self::Guess { depth, .. } => write!(f, "heuristic search to depth {depth}"),
            Self::OnlyMove => f.write_str("the only move"),
            Self::Chance => f.write_str("chance"),
            Self::NoProof => f.write_str("nothing: no proof was found within the limit"),
        }
    }
}
