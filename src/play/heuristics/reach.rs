//! Formulas about what a knight can still reach.

use super::mobility::improved;
use super::side::Side;
use crate::game::board::Board;
use crate::game::cells::{Cell, Cells, Word};

/// The sum of `ratio` to the power of the knight distance on the *empty* board, over the free cells
/// and the knight's own cell.
#[must_use]
pub fn reach_of<W: Word>(board: &Board<W>, free: Cells<W>, knight: Cell, ratio: f64) -> f64 {
    by_distance(board, board.cells(), knight, |distance, cells| ratio.powi(distance) * (cells & free.with(knight)).len() as f64)
}

/// The sum of 1 / (d + 1) over the cells that the knight can reach, where d is the distance through
/// *free* cells.
#[must_use]
pub fn bfs_of<W: Word>(board: &Board<W>, free: Cells<W>, knight: Cell) -> f64 {
    by_distance(board, free, knight, |distance, cells| cells.len() as f64 / f64::from(distance + 1))
}

/// The sum of `score` over all distances, each with the cells at that distance, for a knight that
/// moves within `through`.
fn by_distance<W: Word>(board: &Board<W>, through: Cells<W>, knight: Cell, score: impl Fn(i32, Cells<W>) -> f64) -> f64 {
    let (mut front, mut left) = (Cells::only(knight), through.without(knight));
    let mut sum = 0.0;
    for distance in 0.. {
        if front.is_empty() {
            break;
        }
        sum += score(distance, front);
        front = board.expand(front) & left;
        left = left.except(front);
    }
    sum
}

pub(super) fn reach<W: Word>(side: &Side<'_, W>, ratio: f64) -> f64 {
    side.difference(|knight| reach_of(side.board, side.free, knight, ratio))
}

pub(super) fn bfs<W: Word>(side: &Side<'_, W>) -> f64 {
    side.difference(|knight| bfs_of(side.board, side.free, knight))
}

/// Larger than any difference in the number of moves, so an island that is one cell larger
/// outweighs it.
const ISLANDS_BEFORE_MOVES: f64 = 100.0;

pub(super) fn islands<W: Word>(side: &Side<'_, W>) -> f64 {
    let region = |knight| side.board.flood(Cells::only(knight), side.free);
    let (own, opponents) = (region(side.own), region(side.opponent));
    if own.is_disjoint(opponents) { ISLANDS_BEFORE_MOVES * (own.len() as f64 - opponents.len() as f64) } else { improved(side) }
}
