//! Scores that guess who stands better: the formulas of the published reports, each from the mover's point of view.

use crate::board::Board;
use crate::cells::{Cell, Cells, Word};
use crate::duel::Duel;

/// A guess how good a duel is for its mover: the higher, the better.
pub type Heuristic<W> = fn(&Board<W>, Duel<W>) -> f64;

/// One knight's share of a score, less the other's.
fn difference<W: Word>(duel: Duel<W>, share: impl Fn(Cell) -> f64) -> f64 {
    share(duel.mover) - share(duel.other)
}

/// The number of own moves, less that of the opponent's: the baseline of all reports.
#[must_use]
pub fn improved<W: Word>(board: &Board<W>, duel: Duel<W>) -> f64 {
    difference(duel, |knight| (board.knight_moves(knight) & duel.free).len() as f64)
}

/// The moves, and the distinct cells one move beyond them (corners-report).
#[must_use]
pub fn next_moves<W: Word>(board: &Board<W>, duel: Duel<W>) -> f64 {
    difference(duel, |knight| {
        let moves = board.knight_moves(knight) & duel.free;
        (moves.len() + (board.expand(moves) & duel.free).len()) as f64
    })
}

/// The sum of `ratio` to the power of the knight distance on the *empty* board, over the free cells and the knight's own (reach-report).
#[must_use]
pub fn reach_of<W: Word>(board: &Board<W>, free: Cells<W>, knight: Cell, ratio: f64) -> f64 {
    by_distance(board, board.cells(), knight, |distance, cells| ratio.powi(distance) * (cells & free.with(knight)).len() as f64)
}

/// The sum of 1 / (d + 1) over the cells that the knight can reach, d being its distance through *free* cells (reach-report).
#[must_use]
pub fn bfs_of<W: Word>(board: &Board<W>, free: Cells<W>, knight: Cell) -> f64 {
    by_distance(board, free, knight, |distance, cells| cells.len() as f64 / f64::from(distance + 1))
}

/// The sum of a score of the cells at each distance from a knight that walks `through` these cells.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn distances_on_an_empty_board_count_every_cell_once() {
        let board = Board::<u64>::new(Size::new(3, 3).unwrap());
        let corner = Cell::new(0);
        // The ring of eight cells, at distances 0, 1, 1, 2, 2, 3, 3, 4; the centre cannot be reached.
        assert_eq!(bfs_of(&board, board.cells(), corner), 1.0 + 2.0 / 2.0 + 2.0 / 3.0 + 2.0 / 4.0 + 1.0 / 5.0);
        assert_eq!(reach_of(&board, board.cells().without(corner), corner, 0.5), 1.0 + 1.0 + 0.5 + 0.25 + 0.0625);
    }

    #[test]
    fn moves_and_next_moves_are_counted_for_both() {
        let board = Board::<u64>::new(Size::new(3, 3).unwrap());
        // a1 can go to b3 and c2; b3 to a1, taken, and c1.
        let duel =
            Duel { mover: Cell::new(0), other: Cell::new(7), free: board.cells().without(Cell::new(0)).without(Cell::new(7)) };
        assert_eq!(improved(&board, duel), 0.0);
        // From c2 on to a3; from c1 on to a2.
        assert_eq!(next_moves(&board, duel), 0.0);
        let blocked = Duel { free: duel.free.without(Cell::new(3)), ..duel };
        assert_eq!((improved(&board, blocked), next_moves(&board, blocked)), (0.0, 1.0));
    }
}
