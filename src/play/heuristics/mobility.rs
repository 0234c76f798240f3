//! Formulas that count moves.

use super::side::Side;
use crate::game::cells::{Cell, Cells, Word};

fn count<W: Word>(side: &Side<'_, W>, knight: Cell) -> f64 {
    side.moves(knight).len() as f64
}

pub(super) fn open<W: Word>(side: &Side<'_, W>) -> f64 {
    count(side, side.own)
}

pub(super) fn improved<W: Word>(side: &Side<'_, W>) -> f64 {
    side.difference(|knight| count(side, knight))
}

/// Own moves minus the opponent's moves times a weight. symmetry-report calls the weight c and
/// varies it from 0.1 to 2. In `offensive` it is 2.
pub(super) fn mobility<W: Word>(side: &Side<'_, W>, weight: f64) -> f64 {
    count(side, side.own) - weight * count(side, side.opponent)
}

pub(super) fn defensive<W: Word>(side: &Side<'_, W>) -> f64 {
    2.0 * count(side, side.own) - count(side, side.opponent)
}

/// The moves, plus the distinct cells one move beyond them.
pub(super) fn next_moves<W: Word>(side: &Side<'_, W>) -> f64 {
    side.difference(|knight| {
        let moves = side.moves(knight);
        (moves.len() + (side.board.expand(moves) & side.free).len()) as f64
    })
}

/// How many moves ahead [`room`] looks.
const ROOM: usize = 4;

/// The number of cells where a knight can be after one, two, three and four moves, if only it
/// moves. A cell counts once for each number of moves.
pub(super) fn room<W: Word>(side: &Side<'_, W>) -> f64 {
    side.difference(|knight| {
        let (mut there, mut sum) = (Cells::only(knight), 0);
        for _ in 0..ROOM {
            there = side.board.expand(there) & side.free;
            sum += there.len();
        }
        sum as f64
    })
}

fn corner_moves<W: Word>(side: &Side<'_, W>, knight: Cell) -> f64 {
    let size = side.board.size();
    let (last_file, last_rank) = (size.files() - 1, size.ranks() - 1);
    let corners = [(0, 0), (last_file, 0), (0, last_rank), (last_file, last_rank)];
    let corners: Cells<W> = corners.into_iter().filter_map(|(file, rank)| size.cell(file, rank)).collect();
    (side.moves(knight) & corners).len() as f64
}

/// As printed: the report's text rewards the opponent's
/// corner moves, but its formula subtracts them.
pub(super) fn avoid_corners<W: Word>(side: &Side<'_, W>) -> f64 {
    improved(side) - corner_moves(side, side.own) - corner_moves(side, side.opponent)
}

pub(super) fn avoid_corners_fixed<W: Word>(side: &Side<'_, W>) -> f64 {
    improved(side) - side.difference(|knight| corner_moves(side, knight))
}

pub(super) fn corner_aware<W: Word>(side: &Side<'_, W>) -> f64 {
    let weight = if side.is_late() { 4.0 } else { 1.0 };
    improved(side) - weight * side.difference(|knight| corner_moves(side, knight))
}

/// 1 + 1/2^p + ... + 1/n^p, where n is the number of moves and p is `power`.
fn converted(moves: usize, power: i32) -> f64 {
    (1..=moves).map(|n| (n as f64).powi(-power)).sum()
}

pub(super) fn linear_mobility<W: Word>(side: &Side<'_, W>) -> f64 {
    side.difference(|knight| converted(side.moves(knight).len(), 1))
}

pub(super) fn quadratic_mobility<W: Word>(side: &Side<'_, W>) -> f64 {
    side.difference(|knight| converted(side.moves(knight).len(), 2))
}

/// As printed. Both factors have the same sign, so the product is never negative.
pub(super) fn mixed_mobility<W: Word>(side: &Side<'_, W>) -> f64 {
    linear_mobility(side) * quadratic_mobility(side)
}

pub(super) fn mixed_mobility_fixed<W: Word>(side: &Side<'_, W>) -> f64 {
    linear_mobility(side) * quadratic_mobility(side).abs()
}

/// The cells of the middle files and ranks. An even side has two middle ones.
pub(super) fn middle<W: Word>(side: &Side<'_, W>) -> Cells<W> {
    let size = side.board.size();
    let in_middle = |place: usize, length: usize| place == (length - 1) / 2 || place == length / 2;
    let cells = side.board.cells().into_iter();
    cells.filter(|&cell| in_middle(size.file(cell), size.files()) || in_middle(size.rank(cell), size.ranks())).collect()
}

/// As printed: the row and the column with the number ⌈length / 2⌉, counted from 0 and from the
/// top. This is one off the middle if the length is odd.
pub(super) fn middle_as_printed<W: Word>(side: &Side<'_, W>) -> Cells<W> {
    let size = side.board.size();
    let row = |cell| size.ranks() - 1 - size.rank(cell);
    let cells = side.board.cells().into_iter();
    cells.filter(|&cell| size.file(cell) == size.files().div_ceil(2) || row(cell) == size.ranks().div_ceil(2)).collect()
}

/// Own moves minus twice the opponent's, where every move into the middle multiplies its player's
/// term by `factor`.
pub(super) fn center_weighted<W: Word>(side: &Side<'_, W>, middle: Cells<W>, factor: f64) -> f64 {
    let weight = |knight| factor.powi((side.moves(knight) & middle).len() as i32);
    count(side, side.own) * weight(side.own) - count(side, side.opponent) * 2.0 * weight(side.opponent)
}
