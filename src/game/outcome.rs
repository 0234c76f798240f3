//! Who wins, in how many plies, and by which move.
//!
//! All answers are from the mover's point of view, so one negation turns an answer about the next
//! position into an answer about this one.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Not;

use crate::game::cells::Cell;

/// Whether the mover wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// The mover loses, whatever it plays.
    Loss,
    /// The mover wins.
    Win,
}

impl Value {
    /// `Win` if `wins`, otherwise `Loss`.
    #[must_use]
    pub fn win_if(wins: bool) -> Self {
        if wins { Self::Win } else { Self::Loss }
    }
}

impl Not for Value {
    type Output = Self;
    fn not(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Win => Self::Loss,
        }
    }
}

/// Whether the mover wins, and after how many plies the game ends when the winner hurries and the
/// loser delays.
///
/// The game ends at the turn of the player who cannot move. So the mover has won if the number of
/// plies is odd and lost if it is even: the number alone says who wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    plies: u8,
}

impl Outcome {
    /// The mover cannot move.
    pub const OVER: Self = Self { plies: 0 };

    /// The outcome of a game that ends after this many plies.
    ///
    /// # Panics
    /// If `plies` is larger than 255. No game lasts that long.
    #[must_use]
    pub fn after(plies: usize) -> Self {
        Self { plies: u8::try_from(plies).expect("a game has at most one ply for each cell") }
    }

    /// Whether the mover wins.
    #[must_use]
    pub fn value(self) -> Value {
        Value::win_if(self.plies % 2 == 1)
    }

    /// How many plies are left until the game ends.
    #[must_use]
    pub fn plies(self) -> usize {
        usize::from(self.plies)
    }

    /// The outcome one ply earlier, for the player whose move leads here: the same end of the game.
    #[must_use]
    pub fn one_ply_before(self) -> Self {
        Self { plies: self.plies + 1 }
    }
}

/// Greater is better for the mover: a win beats a loss, a quick win beats a slow one, and a slow
/// loss beats a quick one.
impl Ord for Outcome {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value().cmp(&other.value()).then_with(|| match self.value() {
            Value::Win => other.plies.cmp(&self.plies),
            Value::Loss => self.plies.cmp(&other.plies),
        })
    }
}

impl PartialOrd for Outcome {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            Value::Win => write!(f, "win in {}", self.plies),
            Value::Loss => write!(f, "loss in {}", self.plies),
        }
    }
}

/// Whether the mover wins, and by which move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Choice {
    /// The mover loses, and no move is better than another.
    Loss,
    /// The mover wins with this move.
    Win(Cell),
}

impl Choice {
    /// Whether the mover wins.
    #[must_use]
    pub fn value(self) -> Value {
        match self {
            Self::Loss => Value::Loss,
            Self::Win(_) => Value::Win,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_winner_hurries_and_the_loser_delays() {
        let worst_to_best = [0, 2, 8, 126, 127, 9, 3, 1].map(Outcome::after);
        assert!(worst_to_best.is_sorted_by(|a, b| a < b));
        assert_eq!(Outcome::OVER.one_ply_before().value(), Value::Win);
        assert_eq!(Outcome::after(4).to_string(), "loss in 4");
    }
}
