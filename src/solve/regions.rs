//! A lone knight's walks: how far can it get through a region that nobody else enters?
//!
//! When the knights are separated, nothing that one does concerns the other. Each walks its longest path, and the mover, who has to
//! move first, wins exactly when its path is longer than the other's.
//!
//! Longest paths are hard, so they come last: first a bound from above (colours and dead ends), one from below (a greedy walk), and a
//! search only for what they leave open.

use crate::board::Board;
use crate::cells::{Cell, Cells, Word};

/// A walk through a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Walk<W> {
    /// How many moves it has.
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

/// At least as many as the moves of any walk from `from` through `region`, all of which the knight can reach.
///
/// Colours alternate, so that with `a` cells of the other colour and `b` of its own a walk has at most `min(2a, 2b + 1)` moves. A dead end, that
/// is a cell with at most one neighbour in the region or at `from`, can only be the last cell of a walk; so of all dead ends at most one is used:
/// the bound for the other cells, and one more.
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

/// Some walk of at most `enough` moves: always to the cell with the fewest ways on, but into a dead end only when there is nothing else.
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

/// A walk of `enough` moves, or, if there is none, the longest.
pub(super) fn longest<W: Word>(board: &Board<W>, region: Cells<W>, from: Cell, enough: u32) -> Walk<W> {
    let mut best = greedy(board, region, from, enough);
    lengthen(board, region, from, enough, Walk::NONE, &mut best);
    best
}

/// Tries to go on from the end of `walk`, at `at`, through what is left of the region, to more moves than `best` has.
fn lengthen<W: Word>(board: &Board<W>, left: Cells<W>, at: Cell, enough: u32, walk: Walk<W>, best: &mut Walk<W>) {
    if walk.moves > best.moves {
        *best = walk;
    }
    if best.moves >= enough {
        return;
    }
    let left = board.flood(Cells::only(at), left);
    if left.is_empty() || walk.moves + upper_bound(board, left, at) <= best.moves {
        return;
    }
    let mut moves = board.knight_moves(at) & left;
    while let Some(to) = moves.into_iter().min_by_key(|&to| (board.knight_moves(to) & left).len()) {
        moves = moves.without(to);
        lengthen(board, left.without(to), to, enough, walk.to(to), best);
        if best.moves >= enough {
            return;
        }
    }
}

/// The comparison of two walks that decides separated knights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Separated<W> {
    pub(super) mover_wins: bool,
    /// Cells whose walk is enough for the winner, whatever the loser does in its region.
    pub(super) walk: Cells<W>,
    /// Whether the bounds left it to a search.
    pub(super) searched: bool,
}

/// Whether the mover's longest walk is longer than the other's, for regions without a common cell.
pub(super) fn separated<W: Word>(board: &Board<W>, mover: (Cell, Cells<W>), other: (Cell, Cells<W>)) -> Separated<W> {
    let (at, region) = mover;
    let (other_at, other_region) = other;
    let decided = |mover_wins, walk: Walk<W>, searched| Separated { mover_wins, walk: walk.cells, searched };
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
    let others_longest = longest(board, other_region, other_at, most);
    let needed = others_longest.moves + 1;
    let walk = longest(board, region, at, needed);
    if walk.moves == needed {
        decided(true, walk, true)
    } else {
        decided(false, longest(board, other_region, other_at, walk.moves), true)
    }
}
