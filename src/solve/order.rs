//! Move ordering.
//!
//! A proof needs one good move at each of the winner's turns. The sooner that move is tried, the
//! smaller the search. So every move gets a score, and the move with the least score is tried
//! first. The score is a weighted sum of counts: how many cells each knight can reach in one, two,
//! three and four moves, how many of these the knights share, and how many are narrow. The
//! [weights] depend on how much of the board is still free.

use super::ground::{Ground, Halves, Whole};
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
    // On a whole board, because these cells are of both colours.
    let order = HunterScores::new(Whole { board, free }, hunters_weights(board, free), first);
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

#[inline]
pub(super) fn hunters_weights<W: Word>(board: &Board<W>, free: Cells<W>) -> &'static [i32; FEATURES] {
    &weights::HUNTER[phase(board, free)]
}

/// The order of the hunter's moves in one position.
pub(super) struct HunterOrder<'a, W> {
    board: &'a Board<W>,
    free: Cells<W>,
    prey: Cell,
}

impl<'a, W: Word> HunterOrder<'a, W> {
    #[inline]
    pub(super) fn new(board: &'a Board<W>, free: Cells<W>, prey: Cell) -> Self {
        Self { board, free, prey }
    }

    /// The scores of the first `len` moves. The remaining moves may be any cells, and their scores
    /// mean nothing.
    #[inline]
    pub(super) fn scores(&self, moves: &[Cell; MOST_MOVES], len: usize) -> [i32; MOST_MOVES] {
        let Self { board, free, prey } = *self;
        let weights = hunters_weights(board, free);
        match Halves::new(board, free, prey) {
            Some(ground) => HunterScores::new(ground, weights, prey).scores(moves, len),
            None => HunterScores::new(Whole { board, free }, weights, prey).scores(moves, len),
        }
    }
}

/// The order of the prey's moves in one position. The `hint` is a move that is probably good, or
/// empty.
pub(super) struct PreyOrder<'a, W> {
    board: &'a Board<W>,
    free: Cells<W>,
    hunter: Cell,
    hint: Cells<W>,
}

impl<'a, W: Word> PreyOrder<'a, W> {
    #[inline]
    pub(super) fn new(board: &'a Board<W>, free: Cells<W>, hunter: Cell, hint: Cells<W>) -> Self {
        Self { board, free, hunter, hint }
    }

    /// Like [`HunterOrder::scores`].
    #[inline]
    pub(super) fn scores(&self, moves: &[Cell; MOST_MOVES], len: usize) -> [i32; MOST_MOVES] {
        let Self { board, free, hunter, hint } = *self;
        let weights = &weights::PREY[phase(board, free)];
        // The knights stand on different colours, so the prey's targets have the hunter's colour.
        match Halves::new(board, free, hunter) {
            Some(ground) => PreyScores::new(ground.exchanged(), weights, hunter, hint.first()).scores(moves, len),
            None => PreyScores::new(Whole { board, free }, weights, hunter, hint.first()).scores(moves, len),
        }
    }
}

/// The prey's room: the cells where it can be after one move and after two.
#[inline]
fn short_score<W: Word>(p1: Cells<W>, p2: Cells<W>) -> i32 {
    8 * p1.len() as i32 + 4 * p2.len() as i32
}

/// Scores for the moves of one player in one position.
trait Scores {
    /// The number of cells that are free before the move.
    fn free(&self) -> usize;
    /// The score near the end of the game.
    fn short_score(&self, to: Cell) -> i32;
    /// The score earlier in the game.
    fn long_score(&self, to: Cell) -> i32;
    /// How many scores a vector unit computes at a time.
    fn at_a_time(&self) -> usize;

    /// The scores of the first `len` moves.
    ///
    /// A score is a long series of the same operations on words, without a branch. A vector unit
    /// computes several scores at a time, if everything is inlined into this one loop and the loop
    /// has no leftover moves at its end.
    #[inline]
    fn scores(&self, moves: &[Cell; MOST_MOVES], len: usize) -> [i32; MOST_MOVES] {
        let len = len.next_multiple_of(self.at_a_time());
        if self.free() <= SHORT_SCORE {
            scores(moves, len, |to| self.short_score(to))
        } else {
            scores(moves, len, |to| self.long_score(to))
        }
    }

    /// The score of one move.
    fn score(&self, to: Cell) -> i32 {
        self.scores(&[to; MOST_MOVES], 1)[0]
    }
}

#[inline(always)]
fn scores(moves: &[Cell; MOST_MOVES], len: usize, score: impl Fn(Cell) -> i32) -> [i32; MOST_MOVES] {
    let mut scores = [0; MOST_MOVES];
    for (slot, &to) in scores.iter_mut().zip(moves).take(len) {
        *slot = score(to);
    }
    scores
}

#[inline]
fn at_a_time<W>() -> usize {
    if size_of::<W>() == size_of::<u64>() { 4 } else { 1 }
}

#[inline(always)]
fn weighed(features: [usize; FEATURES], weights: &[i32; FEATURES]) -> i32 {
    features.iter().zip(weights).map(|(&count, &weight)| count as i32 * weight).sum()
}

/// What all scores of the hunter's moves share. The moves and the prey's targets are near cells.
pub(super) struct HunterScores<G: Ground> {
    ground: G,
    targets: Cells<G::Word>,
    /// The near cells with at least two and three free neighbours, and the far ones.
    near: [Cells<G::Word>; 2],
    far: [Cells<G::Word>; 2],
    weights: &'static [i32; FEATURES],
}

impl<G: Ground> HunterScores<G> {
    #[inline]
    pub(super) fn new(ground: G, weights: &'static [i32; FEATURES], prey: Cell) -> Self {
        let [[_, near @ ..], [_, far @ ..]] = ground.counted::<3>();
        Self { ground, targets: ground.knight_moves(prey) & ground.near(), near, far, weights }
    }

    /// What the long score counts.
    #[inline(always)]
    pub(super) fn features(&self, to: Cell) -> [usize; FEATURES] {
        let Self { near: [near_twice, near_thrice], far: [far_twice, far_thrice], .. } = *self;
        let ground = self.ground.without(to);
        let h1 = ground.knight_moves(to) & ground.far();
        let h2 = ground.onto_near(h1);
        let taken = !self.targets.is_disjoint(ground.only(to));
        // The targets where the prey would still have an exit that the hunter cannot take at once.
        let p1 = self.targets.except(ground.only(to)) & (near_twice | ground.onto_near(ground.far().except(h1)));
        let p2 = ground.onto_far(p1);
        let (p3, h3) = (ground.onto_near(p2), ground.onto_far(h2));
        let (p4, h4) = (ground.onto_far(p3), ground.onto_near(h3));
        [
            p1.len(),
            (p1 & near_thrice).len(),
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
            (h1 & far_thrice).len(),
            p2.except(far_thrice).len(),
            p1.without_first().is_empty().into(),
            h1.except(far_twice).len(),
            (h3 & p4).len(),
            (h4 & p3).len(),
        ]
    }
}

impl<G: Ground> Scores for HunterScores<G> {
    #[inline(always)]
    fn free(&self) -> usize {
        self.ground.len()
    }

    #[inline(always)]
    fn at_a_time(&self) -> usize {
        at_a_time::<G::Word>()
    }

    #[inline(always)]
    fn short_score(&self, to: Cell) -> i32 {
        let ground = self.ground.without(to);
        let h1 = ground.knight_moves(to) & ground.far();
        let h2 = ground.onto_near(h1);
        let p1 = self.targets.except(ground.only(to));
        short_score(p1, ground.onto_far(p1)) - h1.len() as i32 - 3 * h2.len() as i32
    }

    #[inline(always)]
    fn long_score(&self, to: Cell) -> i32 {
        weighed(self.features(to), self.weights)
    }
}

/// What all scores of the prey's moves share. The moves are near cells.
struct PreyScores<G: Ground> {
    ground: G,
    h1: Cells<G::Word>,
    h2: Cells<G::Word>,
    /// The near cells with at least three free neighbours.
    near_thrice: Cells<G::Word>,
    /// The far cells with at least two, three and four free neighbours.
    far: [Cells<G::Word>; 3],
    hint: Cells<G::Word>,
    weights: &'static [i32; FEATURES],
}

impl<G: Ground> PreyScores<G> {
    #[inline]
    fn new(ground: G, weights: &'static [i32; FEATURES], hunter: Cell, hint: Option<Cell>) -> Self {
        let h1 = ground.knight_moves(hunter) & ground.far();
        let [[_, _, near_thrice, _], [_, far @ ..]] = ground.counted::<4>();
        let hint = hint.map_or(Cells::EMPTY, |to| ground.only(to));
        Self { ground, h1, h2: ground.onto_near(h1), near_thrice, far, hint, weights }
    }

    /// 1 for the hinted move, 0 for all others.
    #[inline(always)]
    fn hinted(&self, to: Cell) -> i32 {
        (self.hint & self.ground.only(to)).len() as i32
    }
}

impl<G: Ground> Scores for PreyScores<G> {
    #[inline(always)]
    fn free(&self) -> usize {
        self.ground.len()
    }

    #[inline(always)]
    fn at_a_time(&self) -> usize {
        at_a_time::<G::Word>()
    }

    #[inline(always)]
    fn short_score(&self, to: Cell) -> i32 {
        let ground = self.ground.without(to);
        let p1 = ground.knight_moves(to) & ground.far();
        -short_score(p1, ground.onto_near(p1)) - self.hinted(to) * SHORT_HINT
    }

    #[inline(always)]
    fn long_score(&self, to: Cell) -> i32 {
        let Self { h1, near_thrice, far, .. } = *self;
        let ground = self.ground.without(to);
        let around = ground.knight_moves(to);
        let p1 = around & ground.far();
        // The neighbours of `to` lose one free neighbour. They are far cells.
        let [twice, thrice] = [0, 1].map(|times| far[times].except(around) | (far[times + 1] & around));
        let p2 = ground.onto_near(p1);
        let h2 = self.h2.except(ground.only(to));
        let (p3, h3) = (ground.onto_far(p2), ground.onto_far(h2));
        let (p4, h4) = (ground.onto_near(p3), ground.onto_near(h3));
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
            p2.except(near_thrice).len(),
            (p1 & twice).without_first().is_empty().into(),
            p1.without_first().is_empty().into(),
            (h3 & p3).len(),
            (h4 & p4).len(),
        ];
        weighed(features, self.weights) - self.hinted(to) * HINT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Size;
    use proptest::prelude::*;

    proptest! {
        /// The search visits the same nodes, whether the board is split by colour or not.
        #[test]
        fn scores_are_the_same_split_or_whole(
            size in (3..=Size::MAX_SIDE, 3..=Size::MAX_SIDE).prop_filter_map("too large", |(x, y)| Size::new(x, y).ok()),
            (some, more) in any::<(u128, u128)>(),
            knights in any::<(usize, usize)>(),
            hint in any::<bool>(),
        ) {
            let (wide, cells) = (Board::<u128>::fitting(size), size.cells());
            let (mover, other) = (Cell::new(knights.0 % cells), Cell::new(knights.1 % cells));
            prop_assume!(mover != other);
            for word in [some, some | more, some & more] {
                let free = (Cells::from_word(word) & wide.cells()).without(mover).without(other);
                let duel = Duel { mover, other, free };
                let moves: Vec<Cell> = duel.moves(&wide).into_iter().collect();
                let mut padded = [Cell::new(0); MOST_MOVES];
                padded[..moves.len()].copy_from_slice(&moves);
                let whole = Whole { board: &wide, free };
                let (split, whole): ([i32; MOST_MOVES], [i32; MOST_MOVES]) = match duel.part_of_mover(&wide) {
                    Part::Hunter => (
                        HunterOrder::new(&wide, free, other).scores(&padded, moves.len()),
                        HunterScores::new(whole, hunters_weights(&wide, free), other).scores(&padded, moves.len()),
                    ),
                    Part::Prey => {
                        let hint = if hint { moves.last().copied() } else { None };
                        let hinted = hint.map_or(Cells::EMPTY, Cells::only);
                        let weights = &weights::PREY[phase(&wide, free)];
                        (
                            PreyOrder::new(&wide, free, other, hinted).scores(&padded, moves.len()),
                            PreyScores::new(whole, weights, other, hint).scores(&padded, moves.len()),
                        )
                    }
                };
                prop_assert_eq!(&split[..moves.len()], &whole[..moves.len()]);
            }
        }
    }
}
