//! What is known of a position: who wins, in how many plies, by which move, and where that comes
//! from.
//!
//! Every part of the program speaks of proven results in this one type: the solver and its sources,
//! tables, analyses, players and claims.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::game::board::Size;
use crate::game::cells::Cell;
use crate::game::outcome::{Outcome, Value};
use crate::game::position::Player;
use crate::game::symmetry::Symmetry;

/// Where a result comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The rules: the game is over.
    Over,
    /// An entry of the table in this file.
    Table(Arc<Path>),
    /// A mirror, by which the player who waits wins.
    Mirror(Symmetry),
    /// What is known of the moves, without a search.
    Moves,
    /// The knights are separated: each walks its longest path.
    Separated,
    /// The mover has a walk that the other can neither disturb nor outlast.
    Undisturbed,
    /// Solved on the spot, by a search.
    Solved,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over => f.write_str("over"),
            Self::Table(path) => write!(f, "table {}", path.file_name().unwrap_or(path.as_os_str()).display()),
            Self::Mirror(symmetry) => write!(f, "mirror {symmetry}"),
            Self::Moves => f.write_str("moves"),
            Self::Separated => f.write_str("separated"),
            Self::Undisturbed => f.write_str("undisturbed walk"),
            Self::Solved => f.write_str("solved"),
        }
    }
}

impl Origin {
    /// The origin on the board that `symmetry` maps to this one: a mirror there is another one
    /// here.
    fn before(self, symmetry: Symmetry) -> Self {
        match self {
            Self::Mirror(mirror) => Self::Mirror(symmetry.then(mirror).then(symmetry.inverse())),
            same => same,
        }
    }

    /// The origin of a result that was put together from parts with these origins.
    #[must_use]
    pub(crate) fn of_all(parts: impl Iterator<Item = Self>) -> Self {
        let work = |origin: &Self| matches!(origin, Self::Solved | Self::Separated | Self::Undisturbed);
        // A search is more work than walks.
        let most = |known: Option<Self>, next: Self| if known == Some(Self::Solved) { known } else { Some(next) };
        parts.filter(work).fold(None, most).unwrap_or(Self::Moves)
    }
}

/// After how many plies the game ends, and where that comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Count {
    pub plies: usize,
    pub origin: Origin,
}

/// What is known of a position, as its mover sees it.
///
/// The winner and the number of plies may come from different places: an opening table knows the
/// winner only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// Whether the mover wins.
    pub value: Value,
    /// Where that comes from.
    pub origin: Origin,
    /// When the game ends if the winner hurries and the loser delays; `None` if it was not counted.
    /// While a placement is still to be made, the plies are counted after both placements.
    pub count: Option<Count>,
    /// A move by which the mover wins; `None` if it loses, or if no winning move was named.
    pub winning_move: Option<Cell>,
}

impl Known {
    /// The game is over: the mover cannot move.
    #[must_use]
    pub fn over() -> Self {
        Self::counted(Outcome::OVER, Origin::Over)
    }

    /// Only who wins.
    #[must_use]
    pub fn winner(value: Value, origin: Origin) -> Self {
        Self { value, origin, count: None, winning_move: None }
    }

    /// Who wins, and in how many plies.
    #[must_use]
    pub fn counted(outcome: Outcome, origin: Origin) -> Self {
        let count = Some(Count { plies: outcome.plies(), origin: origin.clone() });
        Self { count, ..Self::winner(outcome.value(), origin) }
    }

    /// In how many plies the game ends, if that is known.
    #[must_use]
    pub fn plies(&self) -> Option<usize> {
        self.count.as_ref().map(|count| count.plies)
    }

    /// The outcome of a position with both knights placed, if the plies are known.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.plies().map(Outcome::after)
    }

    /// The player who wins when it is this player's turn.
    #[must_use]
    pub fn winner_at_turn_of(&self, turn: Player) -> Player {
        if self.value == Value::Win { turn } else { !turn }
    }

    /// The result in words, when it is this player's turn: `first wins in 5`. Plies are counted
    /// after both placements, which is said as long as one of them is still to be made.
    #[must_use]
    pub fn in_words(&self, turn: Player, both_placed: bool) -> String {
        let winner = self.winner_at_turn_of(turn);
        match self.plies() {
            Some(0) if both_placed || self.origin == Origin::Over => format!("{winner} has won"),
            Some(plies) if both_placed => format!("{winner} wins in {plies}"),
            Some(0) => format!("{winner} wins: after both placements {} cannot move", !winner),
            Some(plies) => format!("{winner} wins in {plies} after both placements"),
            None => format!("{winner} wins"),
        }
    }

    /// What this means to the player who has just moved here.
    #[must_use]
    pub fn one_ply_before(self) -> Self {
        let count = self.count.map(|count| Count { plies: count.plies + 1, ..count });
        Self { value: !self.value, count, winning_move: None, ..self }
    }

    /// The same on the board that `symmetry` maps to this one.
    #[must_use]
    pub(crate) fn before(self, symmetry: Symmetry, size: Size) -> Self {
        if symmetry == Symmetry::Identity {
            return self;
        }
        Self {
            value: self.value,
            origin: self.origin.before(symmetry),
            count: self.count.map(|count| Count { origin: count.origin.before(symmetry), ..count }),
            winning_move: self.winning_move.map(|to| symmetry.inverse().image_on(size, to)),
        }
    }

    /// Everything that two results about one position say; where both speak, the first is kept.
    #[must_use]
    pub(crate) fn merged(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        match (first, second) {
            (Some(first), Some(second)) => {
                debug_assert_eq!(first.value, second.value, "{first:?} {second:?}");
                let (count, winning_move) = (first.count.or(second.count), first.winning_move.or(second.winning_move));
                Some(Self { count, winning_move, ..first })
            }
            (first, second) => first.or(second),
        }
    }
}
