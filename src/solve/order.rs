//! Which move first.

use crate::board::Board;
use crate::cells::{Cell, Cells, Word};
use crate::duel::{Duel, Part};

/// A knight has at most this many moves.
pub(super) const MOST_MOVES: usize = 8;

/// The moves of a duel, the most promising first.
pub(super) fn ordered<W: Word>(board: &Board<W>, duel: Duel<W>) -> Vec<Cell> {
    let mut moves: Vec<Cell> = duel.moves(board).into_iter().collect();
    match duel.part_of_mover(board) {
        Part::Hunter => moves.sort_by_key(|&to| hunter_score(board, duel.free.without(to), to, duel.other)),
        Part::Prey => moves.sort_by_key(|&to| prey_score(board, duel.free.without(to), duel.other, to)),
    }
    moves
}

/// How promising the hunter's move to `hunter` is, the least first; `free` is what it leaves.
#[inline]
pub(super) fn hunter_score<W: Word>(board: &Board<W>, free: Cells<W>, hunter: Cell, prey: Cell) -> i32 {
    let (near, far) = reach(board, free, prey);
    let (own_near, own_far) = reach(board, free, hunter);
    8 * near + 4 * far - own_near - 3 * own_far
}

/// How promising the prey's move to `prey` is, the least first.
#[inline]
pub(super) fn prey_score<W: Word>(board: &Board<W>, free: Cells<W>, _hunter: Cell, prey: Cell) -> i32 {
    let (near, far) = reach(board, free, prey);
    -(8 * near + 4 * far)
}

fn reach<W: Word>(board: &Board<W>, free: Cells<W>, from: Cell) -> (i32, i32) {
    let near = board.knight_moves(from) & free;
    let far = board.expand(near) & free;
    (near.len() as i32, far.len() as i32)
}

/// The second player's placements, those first that promise the quickest proof of its win: the hunter's, by the order of its moves.
pub(super) fn replies<W: Word>(board: &Board<W>, free: Cells<W>, first: Cell) -> Vec<Cell> {
    let mut replies: Vec<Cell> = free.into_iter().collect();
    let is_prey = |&second: &Cell| board.colour(second) == board.colour(first);
    replies.sort_by_key(|second| (is_prey(second), hunter_score(board, free.without(*second), *second, first)));
    replies
}
