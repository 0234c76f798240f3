//! Move ordering.
//!
//! A proof needs one good move at each of the winner's turns. The sooner that move is tried, the
//! smaller the search. So every move gets a score, and the move with the least score is tried
//! first. The score is a weighted sum of counts: how many cells each knight can reach in one, two,
//! three and four moves, how many of these the knights share, and how many are narrow. The
//! [weights] depend on how much of the board is still free.

use super::weights::{self, FEATURES, PHASES};
use crate::game::board::Board;
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::{Duel, Part};

/// The most moves that a knight can have.
pub const MOST_MOVES: usize = 8;

/// With this many free cells or fewer, the short score orders moves as well as the long one and
/// costs a third of the time. Measured on all openings of 7x7: the short score up to 12, 18 and 24
/// free cells needs 56.6, 56.7 and 58.0 M nodes. The long score alone needs 56.6 M.
const SHORT_SCORE: usize = 20;

/// The bonus for a move of the prey that refuted the hunter's previous move, in the long score and
/// in the short one. Measured with a long bonus of 0, 700, 1500 and 3000: 14.4, 13.8, 13.3 and 12.6
/// M nodes for all openings of 6x7, and 15.87, 15.80, 15.80 and 15.90 M for d4 a1 on 8x8.
const HINT: i32 = 1500;
const SHORT_HINT: i32 = 16;

/// The moves of a duel, the most promising first.
#[derive(Clone, Copy, Debug)]
pub struct Promising {
    cells: [Cell; MOST_MOVES],
    len: usize,
}

impl Promising {
    /// Orders the moves of a duel.
    #[must_use]
    pub fn new<W: Word>(board: &Board<W>, duel: Duel<W>) -> Self {
        let mut cells = [Cell::new(0); MOST_MOVES];
        let moves = duel.moves(board);
        let len = moves.len();
        cells.iter_mut().zip(moves).for_each(|(place, to)| *place = to);
        let mut scores = match duel.part_of_mover(board) {
            Part::Hunter => HunterOrder::new(board, duel.free, duel.other).scores(&cells, len),
            Part::Prey => PreyOrder::new(board, duel.free, duel.other, Cells::EMPTY).scores(&cells, len),
        };
        // Insertion sort: there are few moves, and moves with equal scores must keep their order.
        for next in 1..len {
            let mut place = next;
            while place > 0 && scores[place - 1] > scores[place] {
                scores.swap(place - 1, place);
                cells.swap(place - 1, place);
                place -= 1;
            }
        }
        Self { cells, len }
    }

    /// The moves.
    #[must_use]
    pub fn moves(&self) -> &[Cell] {
        &self.cells[..self.len]
    }
}

/// The moves of a duel, the most promising first.
pub(crate) fn ordered<W: Word>(board: &Board<W>, duel: Duel<W>) -> Vec<Cell> {
    Promising::new(board, duel).moves().to_vec()
}

/// The second player's placements, most promising first. Placements that
/// make the second player the hunter come before all others. Within each
/// group they are ordered by score, like the hunter's moves.
pub(crate) fn promising_replies<W: Word>(board: &Board<W>, free: Cells<W>, first: Cell) -> Vec<Cell> {
    let order = HunterOrder::new(board, free, first);
    let is_prey = |&second: &Cell| board.colour(second) == board.colour(first);
    let mut replies: Vec<Cell> = free.into_iter().collect();
    replies.sort_by_cached_key(|second| (is_prey(second), order.score(*second)));
    replies
}

/// The row of weights for this number of free cells.
#[inline]
fn phase<W: Word>(board: &Board<W>, free: Cells<W>) -> usize {
    (free.len() * PHASES / board.size().cells()).min(PHASES - 1)
}

/// The prey's room: the cells where it can be after one move and after two.
#[inline]
fn short_score<W: Word>(p1: Cells<W>, p2: Cells<W>) -> i32 {
    8 * p1.len() as i32 + 4 * p2.len() as i32
}

/// Scores for the moves of one player in one position.
pub(super) trait Order<W: Word> {
    /// The cells that are free before the move.
    fn free(&self) -> Cells<W>;
    /// The score near the end of the game.
    fn short_score(&self, to: Cell) -> i32;
    /// The score earlier in the game.
    fn long_score(&self, to: Cell) -> i32;

    /// The scores of the first `len` moves. The remaining moves may be any cells, and their scores
    /// mean nothing.
    ///
    /// A score is a long series of the same operations on words, without a branch. A vector unit
    /// computes several scores at a time, if everything is inlined into this one loop and the loop
    /// has no leftover moves at its end.
    #[inline]
    fn scores(&self, moves: &[Cell; MOST_MOVES], len: usize) -> [i32; MOST_MOVES] {
        if self.free().len() <= SHORT_SCORE {
            scores::<W>(moves, len, |to| self.short_score(to))
        } else {
            scores::<W>(moves, len, |to| self.long_score(to))
        }
    }

    /// The score of one move.
    fn score(&self, to: Cell) -> i32 {
        self.scores(&[to; MOST_MOVES], 1)[0]
    }
}

#[inline(always)]
fn scores<W>(moves: &[Cell; MOST_MOVES], len: usize, score: impl Fn(Cell) -> i32) -> [i32; MOST_MOVES] {
    let at_a_time = if size_of::<W>() == size_of::<u64>() { 4 } else { 1 };
    let mut scores = [0; MOST_MOVES];
    for (slot, &to) in scores.iter_mut().zip(moves).take(len.next_multiple_of(at_a_time)) {
        *slot = score(to);
    }
    scores
}

#[inline(always)]
fn weighed(features: [usize; FEATURES], weights: &[i32; FEATURES]) -> i32 {
    features.iter().zip(weights).map(|(&count, &weight)| count as i32 * weight).sum()
}

/// What all scores of the hunter's moves share.
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
}

impl<W: Word> Order<W> for HunterOrder<'_, W> {
    #[inline(always)]
    fn free(&self) -> Cells<W> {
        self.free
    }

    #[inline(always)]
    fn short_score(&self, to: Cell) -> i32 {
        let free = self.free.without(to);
        let onward = |cells| self.board.expand_beyond(cells) & free;
        let h1 = self.board.knight_moves(to) & free;
        let h2 = onward(h1);
        let p1 = self.targets.without(to);
        short_score(p1, onward(p1)) - h1.len() as i32 - 3 * h2.len() as i32
    }

    #[inline(always)]
    fn long_score(&self, to: Cell) -> i32 {
        let Self { board, twice, thrice, .. } = *self;
        let free = self.free.without(to);
        let onward = |cells| board.expand_beyond(cells) & free;
        let h1 = board.knight_moves(to) & free;
        let h2 = onward(h1);
        let taken = self.targets.contains(to);
        // The targets where the prey would still have an exit that the hunter cannot take at once.
        let p1 = self.targets.without(to) & (twice | board.expand_beyond(free.except(h1)));
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

/// What all scores of the prey's moves share.
pub(super) struct PreyOrder<'a, W> {
    board: &'a Board<W>,
    free: Cells<W>,
    h1: Cells<W>,
    h2: Cells<W>,
    /// The cells with at least one, two, three and four free neighbours.
    counted: [Cells<W>; 4],
    hint: Cells<W>,
    weights: &'static [i32; FEATURES],
}

impl<'a, W: Word> PreyOrder<'a, W> {
    #[inline]
    pub(super) fn new(board: &'a Board<W>, free: Cells<W>, hunter: Cell, hint: Cells<W>) -> Self {
        let h1 = board.knight_moves(hunter) & free;
        Self {
            board,
            free,
            h1,
            h2: board.expand_beyond(h1),
            counted: board.expand_counting(free),
            hint,
            weights: &weights::PREY[phase(board, free)],
        }
    }

    /// 1 for the hinted move, 0 for all others.
    #[inline(always)]
    fn hinted(&self, to: Cell) -> i32 {
        (self.hint & Cells::only(to)).len() as i32
    }
}

impl<W: Word> Order<W> for PreyOrder<'_, W> {
    #[inline(always)]
    fn free(&self) -> Cells<W> {
        self.free
    }

    #[inline(always)]
    fn short_score(&self, to: Cell) -> i32 {
        let free = self.free.without(to);
        let p1 = self.board.knight_moves(to) & free;
        -short_score(p1, self.board.expand_beyond(p1) & free) - self.hinted(to) * SHORT_HINT
    }

    #[inline(always)]
    fn long_score(&self, to: Cell) -> i32 {
        let Self { board, h1, .. } = *self;
        let free = self.free.without(to);
        let onward = |cells| board.expand_beyond(cells) & free;
        let around = board.knight_moves(to);
        let p1 = around & free;
        // The neighbours of `to` lose one free neighbour.
        let [twice, thrice] = [1, 2].map(|times| self.counted[times].except(around) | (self.counted[times + 1] & around));
        let p2 = onward(p1);
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
        weighed(features, self.weights) - self.hinted(to) * HINT
    }
}
