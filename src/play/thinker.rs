//! Whoever chooses moves, and what it says of its choice.

use std::fmt;

use super::clock::Clock;
use super::lookahead::Found;
use crate::analysis::Origin;
use crate::cells::Cell;
use crate::outcome::Value;
use crate::position::Position;

/// A player of one game.
pub trait Thinker<W>: Send {
    /// Chooses a move, or a placement, in a position that has one. `tell` is told what would be chosen so far, whenever that is known better.
    fn think(&mut self, position: &Position<W>, clock: &Clock, tell: &mut dyn FnMut(&Decision)) -> Decision;
}

/// A chosen move.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// Where to move or to place.
    pub to: Cell,
    /// What that rests on.
    pub basis: Basis,
    /// The line that is expected, from the move on, as far as it is known.
    pub line: Vec<Cell>,
    /// The positions searched.
    pub nodes: u64,
}

impl Decision {
    /// What a lookahead has found, after so many nodes.
    pub(super) fn from_lookahead(found: &Found, nodes: u64) -> Self {
        let basis = match found.value() {
            Some(value) => Basis::Proven { value, plies: None, by: Proof::Seen { depth: found.depth } },
            None => Basis::Guess { score: found.score, depth: found.depth },
        };
        Self { to: found.to, basis, line: found.line.clone(), nodes }
    }
}

/// What a choice rests on.
#[derive(Clone, PartialEq, Debug)]
pub enum Basis {
    /// It is proven whether the player who moves wins.
    Proven {
        /// Whether it wins, playing so.
        value: Value,
        /// After how many plies the game ends, the winner hurrying and the loser delaying, if that is known.
        plies: Option<usize>,
        /// By what it is proven.
        by: Proof,
    },
    /// A search as deep as this believes in this score.
    Guess {
        /// The score for the player who moves.
        score: f64,
        /// How many plies were searched.
        depth: u32,
    },
    /// There is no other move.
    OnlyMove,
    /// By lot.
    Chance,
    /// Only proof was wanted, and there was none within the limit.
    NoProof,
}

/// By what a choice is proven.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// By a table, a mirror, separated regions, or an exact search.
    Known(Origin),
    /// By a lookahead of so many plies that came to the end.
    Seen {
        /// How many.
        depth: u32,
    },
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(Origin::Over) => f.write_str("the rules: the opponent cannot move"),
            Self::Known(Origin::Moves) => f.write_str("what is known of the replies"),
            Self::Known(Origin::Separated) => f.write_str("separated regions"),
            Self::Known(Origin::Solved) => f.write_str("exact search"),
            Self::Known(table_or_mirror) => table_or_mirror.fmt(f),
            Self::Seen { depth } => write!(f, "lookahead to the end, depth {depth}"),
        }
    }
}

impl Basis {
    /// Whether the player who moves wins, if that is proven.
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        match self {
            Self::Proven { value, .. } => Some(*value),
            _ => None,
        }
    }
}
