//! Formulas about where the knights stand.

use super::side::Side;
use crate::game::board::Size;
use crate::game::cells::{Cell, Word};

/// The coordinates of a cell as the reports count them: row from the top and column from the left,
/// both from 0.
fn place(size: Size, cell: Cell) -> (f64, f64) {
    ((size.ranks() - 1 - size.rank(cell)) as f64, size.file(cell) as f64)
}

/// The distance of a cell from the centre of the board, in rows and in columns.
fn from_center(size: Size, cell: Cell) -> (f64, f64) {
    let (row, column) = place(size, cell);
    ((row - (size.ranks() - 1) as f64 / 2.0).abs(), (column - (size.files() - 1) as f64 / 2.0).abs())
}

pub(super) fn center<W: Word>(side: &Side<'_, W>) -> f64 {
    let (rows, columns) = from_center(side.board.size(), side.own);
    rows * rows + columns * columns
}

fn places<W: Word>(side: &Side<'_, W>) -> ((f64, f64), (f64, f64)) {
    let size = side.board.size();
    (place(size, side.own), place(size, side.opponent))
}

/// As printed: with plus signs, although the report speaks of a distance.
pub(super) fn chase<W: Word>(side: &Side<'_, W>) -> f64 {
    let (own, opponent) = places(side);
    -(own.0 + opponent.0).hypot(own.1 + opponent.1)
}

pub(super) fn chase_fixed<W: Word>(side: &Side<'_, W>) -> f64 {
    let (own, opponent) = places(side);
    -(own.0 - opponent.0).hypot(own.1 - opponent.1)
}

/// As printed. It is meant to make distance matter more towards the end, but dividing a negative
/// score makes it matter less.
pub(super) fn weighted_chase<W: Word>(side: &Side<'_, W>) -> f64 {
    chase(side) / if side.is_late() { 4.0 } else { 1.0 }
}

pub(super) fn weighted_chase_fixed<W: Word>(side: &Side<'_, W>) -> f64 {
    chase_fixed(side) * if side.is_late() { 4.0 } else { 1.0 }
}

/// The opponent's distance from the centre minus the player's own, in steps along files and ranks.
pub(super) fn close_to_center<W: Word>(side: &Side<'_, W>) -> f64 {
    -side.difference(|knight| {
        let (rows, columns) = from_center(side.board.size(), knight);
        rows + columns
    })
}

/// The distance to the opponent, in steps along files and ranks.
pub(super) fn far_from_opponent<W: Word>(side: &Side<'_, W>) -> f64 {
    let (own, opponent) = places(side);
    (own.0 - opponent.0).abs() + (own.1 - opponent.1).abs()
}
