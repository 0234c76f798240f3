//! Counts of lines of play: the classic check of a move generator, and its benchmark.

use crate::board::Board;
use crate::cells::Word;
use crate::duel::Duel;
use crate::position::Position;

/// The number of lines of play of each length from 1 to `depth`; placements are plies too.
///
/// ```
/// use isolde::{Position, Size, perft};
///
/// // Nine cells to place on, eight to answer on; then two moves each, unless the knight stands in the centre (none) or the
/// // other blocks one of them.
/// assert_eq!(perft(&Position::<u64>::empty(Size::new(3, 3)?), 3), [9, 72, 112]);
/// # Ok::<(), isolde::SizeError>(())
/// ```
#[must_use]
pub fn perft<W: Word>(position: &Position<W>, depth: usize) -> Vec<u64> {
    let mut counts = vec![0; depth];
    count(position, &mut counts);
    counts
}

fn count<W: Word>(position: &Position<W>, counts: &mut [u64]) {
    if let Some(duel) = position.duel() {
        return count_duel(position.board(), duel, counts);
    }
    let Some((here, deeper)) = counts.split_first_mut() else { return };
    let moves = position.legal_moves();
    *here += moves.len() as u64;
    for to in moves {
        count(&position.play_unchecked(to), deeper);
    }
}

/// The last ply is counted by the number of moves, without playing them.
fn count_duel<W: Word>(board: &Board<W>, duel: Duel<W>, counts: &mut [u64]) {
    let Some((here, deeper)) = counts.split_first_mut() else { return };
    let moves = duel.moves(board);
    *here += moves.len() as u64;
    if !deeper.is_empty() {
        for to in moves {
            count_duel(board, duel.play_unchecked(to), deeper);
        }
    }
}
