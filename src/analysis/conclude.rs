//! What follows for a position from what is known of its moves, and which of them is best.

use crate::game::cells::Cell;
use crate::game::outcome::Value;
use crate::solve::{Count, Known, Origin};

/// What follows for a mover with at least one move, from what is known of its moves as the mover
/// sees them (`None`: nothing is known).
///
/// One winning move wins; only all moves together lose. The number of plies is the best move's,
/// unless a move about which less is known could be better.
pub(super) fn conclude(moves: &[(Cell, Option<Known>)]) -> Option<Known> {
    let known = || moves.iter().filter_map(|(to, known)| Some((*to, known.as_ref()?)));
    let all_known = moves.iter().all(|(_, known)| known.is_some());
    let wins = || known().filter(|(_, known)| known.value == Value::Win);
    // A winning move that costs nothing to know is enough, so such an origin is preferred.
    let by_origin = |(to, win): (Cell, &Known)| (to, Origin::of_all([win.origin.clone()].into_iter()));
    if let Some((winning_move, origin)) = wins().map(by_origin).min_by_key(|(_, origin)| *origin != Origin::Moves) {
        let counts = || wins().filter_map(|(to, win)| Some((to, win.count.as_ref()?)));
        let quickest = counts().min_by_key(|(_, count)| count.plies);
        let all_counted = all_known && wins().all(|(_, win)| win.count.is_some());
        // A move that ends the game wins in one ply, and every other win takes three plies or more.
        let quickest = quickest.filter(|(_, count)| all_counted || count.plies <= 3);
        let count = quickest.map(|(_, quickest)| Count {
            plies: quickest.plies,
            origin: Origin::of_all(counts().map(|(_, count)| count.origin.clone())),
        });
        let winning_move = Some(quickest.map_or(winning_move, |(to, _)| to));
        return Some(Known { value: Value::Win, origin, count, winning_move });
    }
    if !all_known {
        return None;
    }
    let counts: Option<Vec<&Count>> = known().map(|(_, loss)| loss.count.as_ref()).collect();
    let count = counts.and_then(|counts| {
        let plies = counts.iter().map(|count| count.plies).max()?;
        Some(Count { plies, origin: Origin::of_all(counts.iter().map(|count| count.origin.clone())) })
    });
    let origin = Origin::of_all(known().map(|(_, loss)| loss.origin.clone()));
    Some(Known { value: Value::Loss, origin, count, winning_move: None })
}

/// The place of a move among all moves: the best has the least.
///
/// Wins come first, the quickest before all; then wins that nobody has counted, a table's before
/// the others, because the table knows how to go on. Losses come last, the slowest before the
/// quicker ones: one that could not be counted within the limits is taken to be slow.
pub(super) fn rank(known: Option<&Known>) -> (u8, usize) {
    let Some(known) = known else {
        return (2, 0);
    };
    match (known.value, known.plies()) {
        (Value::Win, Some(plies)) => (0, plies),
        (Value::Win, None) => (1, usize::from(!matches!(known.origin, Origin::Table(_)))),
        (Value::Loss, None) => (3, 0),
        (Value::Loss, Some(plies)) => (4, usize::MAX - plies),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::game::outcome::Outcome;

    fn ends_after(plies: usize) -> Option<Known> {
        Some(Known::counted(Outcome::after(plies), Origin::Solved))
    }

    fn uncounted(value: Value) -> Option<Known> {
        Some(Known::winner(value, Origin::Solved))
    }

    fn concluded(moves: &[Option<Known>]) -> Option<(Value, Option<usize>)> {
        let moves: Vec<_> = moves.iter().enumerate().map(|(index, known)| (Cell::new(index), known.clone())).collect();
        conclude(&moves).map(|known| (known.value, known.plies()))
    }

    #[test]
    fn a_bound_is_never_an_outcome() {
        use Value::{Loss, Win};
        assert_eq!(concluded(&[ends_after(7), ends_after(5), ends_after(4)]), Some((Win, Some(5))));
        assert_eq!(concluded(&[ends_after(5), None]), Some((Win, None)), "the unknown move may be quicker");
        assert_eq!(concluded(&[ends_after(5), uncounted(Win)]), Some((Win, None)));
        assert_eq!(concluded(&[ends_after(5), uncounted(Loss)]), Some((Win, Some(5))));
        assert_eq!(concluded(&[ends_after(3), None, uncounted(Win)]), Some((Win, Some(3))));
        assert_eq!(concluded(&[ends_after(4), ends_after(8)]), Some((Loss, Some(8))));
        assert_eq!(concluded(&[ends_after(4), uncounted(Loss)]), Some((Loss, None)));
        assert_eq!(concluded(&[ends_after(4), None]), None);
    }

    #[test]
    fn the_winning_move_is_the_quickest_that_was_counted() {
        let moves = [(Cell::new(3), ends_after(7)), (Cell::new(4), ends_after(5)), (Cell::new(5), ends_after(4))];
        assert_eq!(conclude(&moves).and_then(|known| known.winning_move), Some(Cell::new(4)));
        let moves = [(Cell::new(3), ends_after(4)), (Cell::new(4), uncounted(Value::Win)), (Cell::new(5), None)];
        assert_eq!(conclude(&moves).and_then(|known| known.winning_move), Some(Cell::new(4)));
        assert_eq!(conclude(&moves[..1]).and_then(|known| known.winning_move), None);
    }

    #[test]
    fn the_best_move_comes_first() {
        let in_table = Some(Known::winner(Value::Win, Origin::Table(Path::new("7x7-opening.isolde").into())));
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
        assert!(best_to_worst.iter().map(|known| rank(known.as_ref())).is_sorted_by(|a, b| a < b));
    }
}
