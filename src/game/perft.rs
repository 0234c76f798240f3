//! Counts of lines of play: the classic check of a move generator, and its benchmark.

use crate::game::board::{Board, with_word_for};
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::Duel;
use crate::game::position::Position;

/// The number of lines of play of each length from 1 to `depth`; placements are plies too.
///
/// ```
/// use isolde::{Position, Size, perft};
///
/// // Nine cells to place on, eight to answer on; then two moves each, unless the knight stands in the
/// // centre (none) or the other knight blocks one of them.
/// assert_eq!(perft(&Position::empty(Size::new(3, 3)?), 3), [9, 72, 112]);
/// # Ok::<(), isolde::SizeError>(())
/// ```
#[must_use]
pub fn perft(position: &Position, depth: usize) -> Vec<u64> {
    with_word_for!(position.size(), perft_in(position, depth))
}

/// This many plies are counted without a look at whether that is still wanted, with and without
/// placements. It takes some milliseconds.
const PLIES_AT_ONCE: usize = 7;
const PLIES_AT_ONCE_WITH_PLACEMENTS: usize = 4;

/// The number of lines of play of `plies` plies. `None` if it was no longer wanted.
#[must_use]
pub fn perft_while(position: &Position, plies: usize, is_wanted: &dyn Fn() -> bool) -> Option<u64> {
    if !is_wanted() {
        return None;
    }
    let at_once = if position.is_duel() { PLIES_AT_ONCE } else { PLIES_AT_ONCE_WITH_PLACEMENTS };
    let after = |to| perft_while(&position.play_unchecked(to), plies - 1, is_wanted);
    match plies {
        0 => Some(1),
        _ if plies <= at_once => perft(position, plies).last().copied(),
        _ => position.legal_moves().into_iter().map(after).sum(),
    }
}

fn perft_in<W: Word>(position: &Position, depth: usize) -> Vec<u64> {
    let mut counts = vec![0; depth];
    count(&Board::<W>::fitting(position.size()), position, &mut counts);
    counts
}

fn count<W: Word>(board: &Board<W>, position: &Position, counts: &mut [u64]) {
    if let Some(duel) = position.duel() {
        return count_duel(board, duel, counts);
    }
    let Some((here, deeper)) = counts.split_first_mut() else { return };
    let moves = position.legal_moves();
    *here += moves.len() as u64;
    for to in moves {
        count(board, &position.play_unchecked(to), deeper);
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

/// The number of lines of `plies` plies, each played to its end, every move a copy of the duel:
/// what a search does.
#[must_use]
pub fn lines_by_copying<W: Word>(board: &Board<W>, duel: Duel<W>, plies: u32) -> u64 {
    match plies {
        0 => 1,
        _ => duel.moves(board).into_iter().map(|to| lines_by_copying(board, duel.play_unchecked(to), plies - 1)).sum(),
    }
}

/// The same number, found on one position that moves change and change back: what a search could do
/// instead.
#[must_use]
pub fn lines_by_taking_back<W: Word>(board: &Board<W>, duel: Duel<W>, plies: u32) -> u64 {
    Changing { free: duel.free, knights: [duel.mover, duel.other], turn: 0 }.count(board, plies)
}

/// A position that moves change.
struct Changing<W> {
    free: Cells<W>,
    knights: [Cell; 2],
    turn: usize,
}

impl<W: Word> Changing<W> {
    fn make(&mut self, to: Cell) -> Cell {
        let from = self.knights[self.turn];
        self.free = self.free.without(to);
        self.knights[self.turn] = to;
        self.turn = 1 - self.turn;
        from
    }

    fn unmake(&mut self, from: Cell, to: Cell) {
        self.turn = 1 - self.turn;
        self.knights[self.turn] = from;
        self.free = self.free.with(to);
    }

    fn count(&mut self, board: &Board<W>, plies: u32) -> u64 {
        if plies == 0 {
            return 1;
        }
        let mut lines = 0;
        for to in board.knight_moves(self.knights[self.turn]) & self.free {
            let from = self.make(to);
            lines += self.count(board, plies - 1);
            self.unmake(from, to);
        }
        lines
    }
}
