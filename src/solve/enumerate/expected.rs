//! An estimate of how many positions a board has, before they are counted.

use crate::game::board::{Board, Size};
use crate::game::symmetry::Symmetries;

/// Estimates how many positions the [strong solution](super::Strong) of a board has when every
/// opening is a root.
///
/// - On a line no knight can move, and on two ranks there are few moves. For `n` files and two
///   ranks, `6 n (n - 2)` is right within a third.
/// - On other boards the number grows with the number of cells, and it grows faster the more moves
///   the cells have. Multiplied by the number of symmetries, it is about
///   `exp(4.03 - 0.197 cells + 0.461 Σ ln(1 + moves from the cell))`.
///   This is fitted to all boards from 12 to 30 cells that were counted (3x4 to 3x10, 4x4 to 4x7,
///   5x5 and 5x6) and is right within 15 percent for each of them. A fit to the boards up to 25
///   cells predicts the larger ones equally well. No board beyond 30 cells was counted, so expect
///   the error to grow there.
#[must_use]
pub fn expected_positions(size: Size) -> f64 {
    let cells = size.cells() as f64;
    match (size.files().min(size.ranks()), size.files().max(size.ranks()) as f64) {
        (1, length) => length * (length - 1.0) / 2.0,
        (2, length) => (6.0 * length * (length - 2.0)).max(2.0),
        _ => {
            let board = Board::<u128>::fitting(size);
            let moves = board.cells().into_iter().map(|cell| (1.0 + board.knight_moves(cell).len() as f64).ln()).sum::<f64>();
            (4.033 - 0.1969 * cells + 0.4606 * moves).exp() / Symmetries::new(&board).iter().len() as f64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_close_for_every_board_that_was_counted() {
        let counted = [
            ((1, 2), 1, 1.0),
            ((1, 16), 120, 1.0),
            ((2, 2), 2, 1.0),
            ((2, 3), 14, 1.33),
            ((2, 6), 121, 1.33),
            ((2, 12), 714, 1.33),
            ((2, 16), 1_416, 1.33),
            ((3, 3), 66, 1.15),
            ((3, 4), 993, 1.15),
            ((3, 5), 4_947, 1.15),
            ((3, 6), 22_549, 1.15),
            ((3, 7), 126_660, 1.15),
            ((3, 8), 722_233, 1.15),
            ((3, 9), 3_524_356, 1.15),
            ((3, 10), 17_332_227, 1.15),
            ((4, 4), 7_860, 1.15),
            ((4, 5), 179_402, 1.15),
            ((4, 6), 2_256_264, 1.15),
            ((4, 7), 28_271_457, 1.15),
            ((5, 5), 2_260_649, 1.15),
            ((5, 6), 119_706_799, 1.15),
        ];
        for ((files, ranks), positions, error) in counted {
            for (files, ranks) in [(files, ranks), (ranks, files)] {
                let expected = expected_positions(Size::new(files, ranks).unwrap());
                let ratio = expected / f64::from(positions);
                assert!((1.0 / error..=error).contains(&ratio), "{files}x{ranks}: {expected} expected, {positions} counted");
            }
        }
    }
}
