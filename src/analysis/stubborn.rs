//! The move of a lost player when no plies are counted: the one that holds out longest, as far as a
//! short look ahead can tell.
//!
//! The look ahead uses no table and no cache, so its answer depends on the position alone.

use crate::game::board::Board;
use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;

/// The positions that may be visited for one move: about a millisecond.
const MOST_POSITIONS: u32 = 20_000;

/// Of these moves, given in the order of preference, the first of those that last longest. `None`
/// if there are none.
///
/// The opponent gets one move to end the game, then two, and so on. Moves after which that is
/// enough are left out, until only one move is left or the look ahead is over.
pub(super) fn stubborn_move<W: Word>(board: &Board<W>, duel: Duel<W>, moves: &[Cell]) -> Option<Cell> {
    let mut look = LookAhead { board, left: MOST_POSITIONS };
    let mut lasting = moves.to_vec();
    for plies in (1..duel.free.len()).step_by(2) {
        if lasting.len() <= 1 {
            break;
        }
        let mut longer = Vec::new();
        for &to in &lasting {
            match look.wins_within(duel.play_unchecked(to), plies) {
                Some(true) => {}
                Some(false) => longer.push(to),
                None => return lasting.first().copied(),
            }
        }
        if longer.is_empty() {
            break;
        }
        lasting = longer;
    }
    lasting.first().copied()
}

struct LookAhead<'a, W> {
    board: &'a Board<W>,
    left: u32,
}

impl<W: Word> LookAhead<'_, W> {
    /// Whether the mover can win within this odd number of plies. `None` if too many positions
    /// would have to be visited.
    fn wins_within(&mut self, duel: Duel<W>, plies: usize) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        for to in duel.moves(self.board) {
            if self.loses_within(duel.play_unchecked(to), plies - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn loses_within(&mut self, duel: Duel<W>, plies: usize) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        let moves = duel.moves(self.board);
        if plies == 0 {
            return Some(moves.is_empty());
        }
        for to in moves {
            if !self.wins_within(duel.play_unchecked(to), plies - 1)? {
                return Some(false);
            }
        }
        Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::{cell_name, parse_cell};
    use crate::game::position::Position;

    fn most_stubborn(position: &str) -> String {
        let position: Position = position.parse().unwrap();
        let board = Board::<u64>::fitting(position.size());
        let duel = position.duel().unwrap();
        let moves: Vec<Cell> = duel.moves(&board).into_iter().collect();
        cell_name(position.size(), stubborn_move(&board, duel, &moves).unwrap())
    }

    /// The knight on a1 can step to c2, where it is stuck at once, or to b3, from where it may go
    /// on to a5.
    #[test]
    fn a_dead_end_is_avoided() {
        assert_eq!(most_stubborn("****n/*****/*1*1*/**1**/N**** w"), "c2", "both are dead ends, and the first is taken");
        assert_eq!(most_stubborn("1***n/*****/*1*1*/*2**/N**** w"), "b3");
    }

    #[test]
    fn without_a_difference_the_preference_decides() {
        let position: Position = "7x7: d4 b3".parse().unwrap();
        let board = Board::<u64>::fitting(position.size());
        let cell = |name| parse_cell(position.size(), name).unwrap();
        for moves in [[cell("b5"), cell("f3")], [cell("f3"), cell("b5")]] {
            assert_eq!(stubborn_move(&board, position.duel().unwrap(), &moves), Some(moves[0]));
        }
        assert_eq!(stubborn_move(&board, position.duel().unwrap(), &[]), None);
    }
}
