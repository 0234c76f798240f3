//! What is found out about a position or a move, and where it comes from.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::outcome::{Outcome, Value};
use crate::symmetry::Symmetry;
use crate::table::Proven;

/// Where a value comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The game is over.
    Over,
    /// It stands in this table.
    Table(PathBuf),
    /// The player who waits wins by this mirror.
    Mirror(Symmetry),
    /// It follows from what is known of the moves, without a search.
    Moves,
    /// The knights are separated: each walks its longest path.
    Separated,
    /// It was solved on the spot.
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
            Self::Solved => f.write_str("solved"),
        }
    }
}

impl Origin {
    /// The same on a board from which the symmetry has led here: the mirror there.
    fn before(self, symmetry: Symmetry) -> Self {
        match self {
            Self::Mirror(mirror) => Self::Mirror(symmetry.then(mirror).then(symmetry.inverse())),
            same => same,
        }
    }

    /// Where something comes from that was put together from these.
    fn of_all(parts: impl Iterator<Item = Self>) -> Self {
        let work = |origin: &Self| matches!(origin, Self::Solved | Self::Separated);
        // Among those that took work, the more of it.
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

/// Who wins, as the mover sees it, and in how many plies if that is known.
///
/// The two may come from different places: an opening table knows the winner only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Whether the mover wins.
    pub value: Value,
    /// Where that comes from.
    pub origin: Origin,
    /// In how many plies, the winner hurrying and the loser delaying.
    pub count: Option<Count>,
}

impl Finding {
    /// The mover cannot move.
    pub(super) fn over() -> Self {
        Self::counted(Outcome::OVER, Origin::Over)
    }

    pub(super) fn winner(value: Value, origin: Origin) -> Self {
        Self { value, origin, count: None }
    }

    pub(super) fn counted(outcome: Outcome, origin: Origin) -> Self {
        Self { count: Some(Count { plies: outcome.plies(), origin: origin.clone() }), ..Self::winner(outcome.value(), origin) }
    }

    pub(super) fn in_table(proven: Proven, path: &Path) -> Self {
        let origin = Origin::Table(path.to_path_buf());
        match proven {
            Proven::Outcome(outcome) => Self::counted(outcome, origin),
            Proven::Lost | Proven::Won(_) => Self::winner(proven.value(), origin),
        }
    }

    /// In how many plies, if that is known.
    #[must_use]
    pub fn plies(&self) -> Option<usize> {
        self.count.as_ref().map(|count| count.plies)
    }

    /// What this means to the player who moved here.
    pub(super) fn one_ply_before(mut self) -> Self {
        self.value = !self.value;
        self.count.iter_mut().for_each(|count| count.plies += 1);
        self
    }

    /// The same on a board from which the symmetry has led here.
    pub(super) fn before(self, symmetry: Symmetry) -> Self {
        let count = self.count.map(|count| Count { origin: count.origin.before(symmetry), ..count });
        Self { origin: self.origin.before(symmetry), count, ..self }
    }

    /// All that two findings about the same position know; the first is believed where both speak.
    pub(super) fn merged(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        match (first, second) {
            (Some(first), Some(second)) => {
                debug_assert_eq!(first.value, second.value, "{first:?} {second:?}");
                Some(Self { count: first.count.or(second.count), ..first })
            }
            (first, second) => first.or(second),
        }
    }

    /// What follows for a mover whose moves have these findings (none: unknown), as the mover sees them. There is at least one move.
    ///
    /// One winning move wins; only all moves lose. The number of plies is the best move's, if no move of which less is known could be better.
    pub(super) fn following_from(moves: &[Option<Self>]) -> Option<Self> {
        let known = || moves.iter().flatten();
        let all_known = moves.iter().all(Option::is_some);
        if known().any(|finding| finding.value == Value::Win) {
            let wins = || known().filter(|finding| finding.value == Value::Win);
            let quickest = wins().filter_map(|win| win.count.as_ref()).min_by_key(|count| count.plies);
            let all_counted = all_known && wins().all(|win| win.count.is_some());
            // Where the game is over after the move, that is known; any other win takes three plies or more.
            let count = quickest.filter(|quickest| all_counted || quickest.plies <= 3).map(|quickest| Count {
                plies: quickest.plies,
                origin: Origin::of_all(wins().filter_map(|win| Some(win.count.as_ref()?.origin.clone()))),
            });
            // A winning move that costs nothing to know is enough.
            let origins = wins().map(|win| Origin::of_all([win.origin.clone()].into_iter()));
            let origin = origins.min_by_key(|origin| *origin != Origin::Moves)?;
            return Some(Self { value: Value::Win, origin, count });
        }
        if !all_known {
            return None;
        }
        let counts: Option<Vec<&Count>> = known().map(|loss| loss.count.as_ref()).collect();
        let count = counts.and_then(|counts| {
            let plies = counts.iter().map(|count| count.plies).max()?;
            Some(Count { plies, origin: Origin::of_all(counts.iter().map(|count| count.origin.clone())) })
        });
        Some(Self { value: Value::Loss, origin: Origin::of_all(known().map(|loss| loss.origin.clone())), count })
    }
}

/// The place of a move among all moves: the best has the least.
///
/// Wins come first, the quickest before all; then those whose plies are not known, and among them a table's before others, because the table knows how to go
/// on. Losses come last, the slowest before all: one that could not be counted within the limits is taken to be slow.
pub(super) fn rank(finding: Option<&Finding>) -> (u8, usize) {
    let Some(finding) = finding else {
        return (2, 0);
    };
    match (finding.value, finding.plies()) {
        (Value::Win, Some(plies)) => (0, plies),
        (Value::Win, None) => (1, usize::from(!matches!(finding.origin, Origin::Table(_)))),
        (Value::Loss, None) => (3, 0),
        (Value::Loss, Some(plies)) => (4, usize::MAX - plies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends_after(plies: usize) -> Option<Finding> {
        Some(Finding::counted(Outcome::after(plies), Origin::Solved))
    }

    fn uncounted(value: Value) -> Option<Finding> {
        Some(Finding::winner(value, Origin::Solved))
    }

    fn followed(moves: &[Option<Finding>]) -> Option<(Value, Option<usize>)> {
        Finding::following_from(moves).map(|finding| (finding.value, finding.plies()))
    }

    #[test]
    fn a_bound_is_never_an_outcome() {
        use Value::{Loss, Win};
        assert_eq!(followed(&[ends_after(7), ends_after(5), ends_after(4)]), Some((Win, Some(5))));
        assert_eq!(followed(&[ends_after(5), None]), Some((Win, None)), "the unknown move may be quicker");
        assert_eq!(followed(&[ends_after(5), uncounted(Win)]), Some((Win, None)));
        assert_eq!(followed(&[ends_after(5), uncounted(Loss)]), Some((Win, Some(5))));
        assert_eq!(followed(&[ends_after(3), None, uncounted(Win)]), Some((Win, Some(3))));
        assert_eq!(followed(&[ends_after(4), ends_after(8)]), Some((Loss, Some(8))));
        assert_eq!(followed(&[ends_after(4), uncounted(Loss)]), Some((Loss, None)));
        assert_eq!(followed(&[ends_after(4), None]), None);
    }

    #[test]
    fn the_best_move_comes_first() {
        let in_table = Some(Finding::winner(Value::Win, Origin::Table("7x7-opening.isolde".into())));
        let best_to_worst = [
            ends_after(1),
            ends_after(9),
            in_table,
            uncounted(Value::Win),
            None,
            uncounted(Value::Loss),
            ends_after(8),
            ends_after(2),
        ];
        assert!(best_to_worst.iter().map(|finding| rank(finding.as_ref())).is_sorted_by(|a, b| a < b));
    }
}
