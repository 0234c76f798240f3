//! Walks of a single knight: how far can it get through a region that nobody else enters?
//!
//! When the knights are separated, they cannot affect each other. Each walks its longest path. The
//! mover has to move first, so it wins exactly when its path is longer than the other's.
//!
//! Longest paths are hard to find, so the search for one comes last. First come an upper bound
//! (from colours and dead ends) and a lower bound (from a greedy walk). Only what these leave open
//! is searched.

use super::control::{Steps, Stopped, Wanted};
use crate::game::board::Board;
use crate::game::cells::{Cell, Cells, Word};

/// A walk through a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Walk<W> {
    /// The number of moves.
    pub(super) moves: u32,
    /// The cells moved to.
    pub(super) cells: Cells<W>,
}

impl<W: Word> Walk<W> {
    const NONE: Self = Self { moves: 0, cells: Cells::EMPTY };

    fn to(self, cell: Cell) -> Self {
        Self { moves: self.moves + 1, cells: self.cells.with(cell) }
    }
}

/// An upper bound for the moves of any walk from `from` through `region`. The knight must be able
/// to reach every cell of `region`.
///
/// Colours alternate. With `a` cells of the other colour and `b` of the knight's own colour, a walk
/// has at most `min(2a, 2b + 1)` moves. A dead end is a cell with at most one neighbour among the
/// region and `from`. It can only be the last cell of a walk, so a walk uses at most one of the
/// dead ends. That gives a second bound: the bound for the other cells, plus one.
#[inline]
pub(super) fn upper_bound<W: Word>(board: &Board<W>, region: Cells<W>, from: Cell) -> u32 {
    let own = board.coloured(board.colour(from));
    let alternating = |cells: Cells<W>| {
        let (same, other) = ((cells & own).len() as u32, cells.except(own).len() as u32);
        (2 * other).min(2 * same + 1)
    };
    let [_, twice, _] = board.expand_counting(region.with(from));
    let inner = region & twice;
    let dead_end = u32::from(inner != region);
    alternating(region).min(alternating(inner) + dead_end)
}

/// A greedy walk of at most `enough` moves. It always goes to the cell with the fewest ways on, and
/// into a dead end only if there is nothing else.
pub(super) fn greedy<W: Word>(board: &Board<W>, region: Cells<W>, from: Cell, enough: u32) -> Walk<W> {
    let mut walk = Walk::NONE;
    let mut at = from;
    while walk.moves < enough {
        let left = region.except(walk.cells);
        let ways_on = |to: &Cell| (board.knight_moves(*to) & left).len().wrapping_sub(1);
        match (board.knight_moves(at) & left).into_iter().min_by_key(ways_on) {
            Some(to) => (at, walk) = (to, walk.to(to)),
            None => break,
        }
    }
    walk
}

/// A walk of `enough` moves or, if there is none, the longest walk.
///
/// # Errors
/// If the answer is no longer wanted. In a large
/// region, the longest walk can take for ever to find.
pub(super) fn longest<W: Word>(
    board: &Board<W>,
    region: Cells<W>,
    from: Cell,
    enough: u32,
    wanted: &Wanted<'_>,
) -> Result<Walk<W>, Stopped> {
    let mut best = greedy(board, region, from, enough);
    let mut search = Lengthen { board, enough, best: &mut best, steps: Steps::new(wanted) };
    search.go_on(region, from, Walk::NONE)?;
    Ok(best)
}

/// The search for a walk that is longer than the best one so far.
struct Lengthen<'a, W> {
    board: &'a Board<W>,
    enough: u32,
    best: &'a mut Walk<W>,
    steps: Steps<'a>,
}

impl<W: Word> Lengthen<'_, W> {
    /// Tries to extend `walk`, which ends at `at`, through the rest of the region.
    fn go_on(&mut self, left: Cells<W>, at: Cell, walk: Walk<W>) -> Result<(), Stopped> {
        self.steps.step()?;
        let board = self.board;
        if walk.moves > self.best.moves {
            *self.best = walk;
        }
        if self.best.moves >= self.enough {
            return Ok(());
        }
        let left = board.flood(Cells::only(at), left);
        if left.is_empty() || walk.moves + upper_bound(board, left, at) <= self.best.moves {
            return Ok(());
        }
        let mut moves = board.knight_moves(at) & left;
        while let Some(to) = moves.into_iter().min_by_key(|&to| (board.knight_moves(to) & left).len()) {
            moves = moves.without(to);
            self.go_on(left.without(to), to, walk.to(to))?;
            if self.best.moves >= self.enough {
                break;
            }
        }
        Ok(())
    }
}

/// The result of a duel between separated knights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Separated<W> {
    pub(super) mover_wins: bool,
    /// The cells of a walk that wins for the winner, whatever the loser does in its own region.
    pub(super) walk: Cells<W>,
    /// Whether the bounds did not suffice and a search was needed.
    pub(super) searched: bool,
}

/// Whether the mover's longest walk is longer than the other's. The regions must be disjoint.
///
/// # Errors
/// If the answer is no longer wanted.
pub(super) fn separated<W: Word>(
    board: &Board<W>,
    (at, region): (Cell, Cells<W>),
    (other_at, other_region): (Cell, Cells<W>),
    wanted: &Wanted<'_>,
) -> Result<Separated<W>, Stopped> {
    let decided = |mover_wins, walk: Walk<W>, searched| Ok(Separated { mover_wins, walk: walk.cells, searched });
    let most = upper_bound(board, region, at);
    let others_walk = greedy(board, other_region, other_at, most);
    if others_walk.moves >= most {
        return decided(false, others_walk, false);
    }
    let others_most = upper_bound(board, other_region, other_at);
    let walk = greedy(board, region, at, others_most + 1);
    if walk.moves > others_most {
        return decided(true, walk, false);
    }
    let others_longest = longest(board, other_region, other_at, most, wanted)?;
    if others_longest.moves >= most {
        return decided(false, others_longest, true);
    }
    let needed = others_longest.moves + 1;
    let walk = longest(board, region, at, needed, wanted)?;
    if walk.moves == needed {
        decided(true, walk, true)
    } else {
        decided(false, longest(board, other_region, other_at, walk.moves, wanted)?, true)
    }
}

/// Whether the mover, before the knights are separated, has a walk that its opponent can neither
/// enter nor outlast. `false` means only that no such walk was found.
///
/// The mover reaches the i-th cell of its walk with its i-th move, before which the opponent has
/// made i - 1 moves. If the opponent needs at least i moves to get to that cell, it cannot have
/// been there before, and afterwards the cell is blocked. So the opponent never stands on a cell of
/// the walk. It is confined to what it can reach of the other free cells, where it has at most
/// [`upper_bound`] moves. A walk with more moves than that wins.
///
/// The walk is greedy. It follows the opponent's front where it can, since that cuts the opponent
/// off. Otherwise it goes to the cell with the fewest ways on.
pub(super) fn outlasts<W: Word>(board: &Board<W>, free: Cells<W>, mover: Cell, opponent: Cell) -> bool {
    let mut walk = Walk::NONE;
    let mut at = mover;
    // `near`: where the opponent can be before the mover's next move. `front`: the cells that it
    // can first reach one move later.
    let (mut near, mut front) = (Cells::EMPTY, board.knight_moves(opponent) & free);
    loop {
        let safe = free.except(walk.cells).except(near);
        let ways_on = |to: &Cell| {
            let ways = (board.knight_moves(*to) & safe.except(front)).len() as i32;
            if ways == 0 { i32::MAX } else { ways - if front.contains(*to) { 4 } else { 0 } }
        };
        let Some(to) = (board.knight_moves(at) & safe).into_iter().min_by_key(ways_on) else { break };
        (at, walk) = (to, walk.to(to));
        let left = free.except(walk.cells);
        near |= front & left;
        front = board.expand(front & left) & left.except(near);
    }
    let opponents = board.flood(Cells::only(opponent), free.except(walk.cells));
    walk.moves > upper_bound(board, opponents, opponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Size;
    use crate::solve::Control;
    use proptest::prelude::*;

    /// The longest walk, found by trying everything.
    fn longest_naively(board: &Board<u64>, left: Cells<u64>, from: Cell) -> u32 {
        let on = |to| 1 + longest_naively(board, left.without(to), to);
        (board.knight_moves(from) & left).into_iter().map(on).max().unwrap_or(0)
    }

    fn mover_wins(board: &Board<u64>, free: Cells<u64>, mover: Cell, other: Cell) -> bool {
        (board.knight_moves(mover) & free).into_iter().any(|to| !mover_wins(board, free.without(to), other, to))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn bounds_and_walks_agree_with_a_full_search(
            (files, ranks) in (3..8_usize, 3..8_usize),
            pattern in any::<u64>(),
            knights in any::<(usize, usize)>(),
        ) {
            let board = Board::<u64>::fitting(Size::new(files, ranks).unwrap());
            let cells = board.size().cells();
            let (from, other) = (Cell::new(knights.0 % cells), Cell::new(knights.1 % cells));
            prop_assume!(from != other);
            let free = (Cells::from_word(pattern) & board.cells()).without(from).without(other);
            let free: Cells<u64> = free.into_iter().take(14).collect();
            let region = board.flood(Cells::only(from), free);
            let moves = longest_naively(&board, region, from);
            prop_assert!(upper_bound(&board, region, from) >= moves);
            prop_assert!(greedy(&board, region, from, u32::MAX).moves <= moves);
            let control = Control::unlimited();
            let wanted = Wanted::by(&control);
            let longest = |enough| longest(&board, region, from, enough, &wanted).unwrap();
            prop_assert_eq!(longest(u32::MAX).moves, moves);
            for enough in 0..=moves {
                let walk = longest(enough);
                prop_assert_eq!((walk.moves, walk.cells.len() as u32), (enough, enough));
            }
            let others = board.flood(Cells::only(other), free);
            if region.is_disjoint(others) {
                let decided = separated(&board, (from, region), (other, others), &wanted).unwrap();
                prop_assert_eq!(decided.mover_wins, moves > longest_naively(&board, others, other));
                prop_assert_eq!(decided.mover_wins, mover_wins(&board, free, from, other));
            }
            if outlasts(&board, free, from, other) {
                prop_assert!(mover_wins(&board, free, from, other));
            }
        }
    }
}
