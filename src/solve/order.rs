//! Which move first.
//!
//! A proof needs one good move of the winner at each of its turns, and the sooner it is tried the smaller the search. So each move gets a
//! score, the least is tried first. The score is a sum of counts (how many cells can each knight reach in one, two, three, four
//! moves; how many of them do they share; how many are narrow) with [weights] that depend on how much of the board is still free.

use super::weights::{self, FEATURES, PHASES};
use crate::board::Board;
use crate::cells::{Cell, Cells, Word};
use crate::duel::{Duel, Part};

/// A knight has at most this many moves.
pub(super) const MOST_MOVES: usize = 8;

/// With this many free cells or fewer, a short score does as well as the long one and costs a third. Measured on all openings of 7x7: the
/// short score up to 12, 18 and 24 free cells needs 56.6, 56.7 and 58.0 M nodes, where the long one alone needs 56.6 M.
const SHORT_SCORE: usize = 20;

/// The moves of a duel, the most promising first.
pub(super) fn ordered<W: Word>(board: &Board<W>, duel: Duel<W>) -> Vec<Cell> {
    let mut moves: Vec<Cell> = duel.moves(board).into_iter().collect();
    match duel.part_of_mover(board) {
        Part::Hunter => {
            let order = HunterOrder::new(board, duel.free, duel.other);
            moves.sort_by_cached_key(|&to| order.score(to));
        }
        Part::Prey => {
            let order = PreyOrder::new(board, duel.free, duel.other);
            moves.sort_by_cached_key(|&to| order.score(to));
        }
    }
    moves
}

/// The second player's placements, those first that promise the quickest proof of its win: the hunter's, by the order of its moves.
pub(super) fn replies<W: Word>(board: &Board<W>, free: Cells<W>, first: Cell) -> Vec<Cell> {
    let order = HunterOrder::new(board, free, first);
    let is_prey = |&second: &Cell| board.colour(second) == board.colour(first);
    let mut replies: Vec<Cell> = free.into_iter().collect();
    replies.sort_by_cached_key(|second| (is_prey(second), order.score(*second)));
    replies
}

/// The row of weights for so many free cells.
#[inline]
fn phase<W: Word>(board: &Board<W>, free: Cells<W>) -> usize {
    (free.len() * PHASES / board.size().cells()).min(PHASES - 1)
}

/// The prey's room: where it can be after one move and after two.
#[inline]
fn short_score<W: Word>(p1: Cells<W>, p2: Cells<W>) -> i32 {
    8 * p1.len() as i32 + 4 * p2.len() as i32
}

fn weighed(features: [usize; FEATURES], weights: &[i32; FEATURES]) -> i32 {
    features.iter().zip(weights).map(|(&count, &weight)| count as i32 * weight).sum()
}

/// What the scores of all the hunter's moves have in common.
pub(super) struct HunterOrder<'a, W> {
    board: &'a Board<W>,
    free: Cells<W>,
    targets: Cells<W>,
    twice: Cells<W>,
    thrice: Cells<W>,
    weights: &'static [i32; FEATURES],
}

impl<'a, W: Word> HunterOrder<'a, W> {
    #[inline]
    pub(super) fn new(board: &'a Board<W>, free: Cells<W>, prey: Cell) -> Self {
        let [_, twice, thrice] = board.expand_counting(free);
        let weights = &weights::HUNTER[phase(board, free)];
        Self { board, free, targets: board.knight_moves(prey) & free, twice, thrice, weights }
    }

    /// The score of the hunter's move to `to`.
    #[inline]
    pub(super) fn score(&self, to: Cell) -> i32 {
        let Self { board, twice, thrice, .. } = *self;
        let free = self.free.without(to);
        let onward = |cells| board.expand(cells) & free;
        let h1 = board.knight_moves(to) & free;
        let h2 = onward(h1);
        if free.len() < SHORT_SCORE {
            let p1 = self.targets.without(to);
            return short_score(p1, onward(p1)) - h1.len() as i32 - 3 * h2.len() as i32;
        }
        let taken = self.targets.contains(to);
        // Where the prey can go and still have an exit that the hunter cannot take at once.
        let p1 = self.targets.without(to) & (twice | board.expand(free.except(h1)));
        let p2 = onward(p1);
        let (p3, h3) = (onward(p2), onward(h2));
        let (p4, h4) = (onward(p3), onward(h3));
        let features = [
            p1.len(),
            (p1 & thrice).len(),
            p2.len(),
            p3.len(),
            p4.len(),
            h1.len(),
            h2.len(),
            h3.len(),
            h4.len(),
            (h1 & p2).len(),
            (h2 & p1).len(),
            (h3 & p2).len(),
            (h2 & p3).len(),
            taken.into(),
            (h1 & thrice).len(),
            p2.except(thrice).len(),
            p1.without_first().is_empty().into(),
            h1.except(twice).len(),
            (h3 & p4).len(),
            (h4 & p3).len(),
        ];
        weighed(features, self.weights)
    }
}

/// What the scores of all the prey's moves have in common.
pub(super) struct PreyOrder<'a, W> {
    board: &'a Board<W>,
    free: Cells<W>,
    h1: Cells<W>,
    h2: Cells<W>,
    weights: &'static [i32; FEATURES],
}

impl<'a, W: Word> PreyOrder<'a, W> {
    #[inline]
    pub(super) fn new(board: &'a Board<W>, free: Cells<W>, hunter: Cell) -> Self {
        let h1 = board.knight_moves(hunter) & free;
        Self { board, free, h1, h2: board.expand(h1), weights: &weights::PREY[phase(board, free)] }
    }

    /// The score of the prey's move to `to`.
    #[inline]
    pub(super) fn score(&self, to: Cell) -> i32 {
        let Self { board, h1, .. } = *self;
        let free = self.free.without(to);
        let onward = |cells| board.expand(cells) & free;
        let p1 = board.knight_moves(to) & free;
        let p2 = onward(p1);
        if free.len() < SHORT_SCORE {
            return -short_score(p1, p2);
        }
        let [_, twice, thrice] = board.expand_counting(free);
        let h2 = self.h2 & free;
        let (p3, h3) = (onward(p2), onward(h2));
        let (p4, h4) = (onward(p3), onward(h3));
        let features = [
            p1.len(),
            (p1 & twice).len(),
            p2.len(),
            p3.len(),
            p4.len(),
            p1.except(h1).len(),
            h2.len(),
            h3.len(),
            h4.len(),
            (h1 & p1).len(),
            (h2 & p2).len(),
            (h3 & p1).len(),
            (h1 & p3).len(),
            (p1 & thrice).len(),
            (h1 & thrice).len(),
            p2.except(thrice).len(),
            (p1 & twice).without_first().is_empty().into(),
            p1.without_first().is_empty().into(),
            (h3 & p3).len(),
            (h4 & p4).len(),
        ];
        weighed(features, self.weights)
    }
}
