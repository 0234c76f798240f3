//! The hunter's moves in the order of what their proofs are expected to cost.
//!
//! Where most of the board is free, nearly every first move in order wins, but it is seldom the one
//! with the smallest proof, and what is lost at each level multiplies. So where a proof is
//! expensive, the [network](super::cost) orders the moves. Where it is more expensive still, the
//! moves are played out a few turns ahead: the prey's replies cost what they cost together, the
//! hunter goes on with its first move in order, and at the end the network says what is left.
//! Replies that a stored proof decides cost nothing, and a move that a stored proof refutes comes
//! last.
//!
//! All of this only orders moves. Who wins is never decided here.
//!
//! # Thresholds
//! Chosen on 8x8 d4 f5, c4 d4, b2 g6, and checked on other boards (docs/search-notes.md).

use super::cost::{CostModel, DOUBLING};
use super::order::{HunterOrder, MOST_MOVES};
use super::search::{Moves, Search};
use crate::game::board::Board;
use crate::game::cells::{Cell, Cells, Word};

/// With fewer free cells than this, the counts of [`HunterOrder`] order the moves. The network
/// would still save nodes, but less time than it takes.
const LEAST_FREE: usize = 36;

/// From this expected cost of a position, in doublings, its moves are played out for one, two and
/// three turns of the prey.
const TURNS_AHEAD: [i32; 3] = [10 * DOUBLING, 12 * DOUBLING, 14 * DOUBLING];

/// A position on the way is not played out further if it is expected to cost less than this.
const CHEAP: i32 = 8 * DOUBLING;

/// A move is given up when it is expected to cost this many times as much as the best one so far.
const MUCH_MORE: u64 = 2;

/// The score of a move that is known to lose: more than any cost.
const LOSES: i32 = 64 * DOUBLING;

impl<W: Word> Search<'_, W> {
    /// Scores for the first `len` moves of the hunter, the least for the one to be tried first.
    #[inline]
    pub(super) fn hunters_scores(
        &mut self,
        free: Cells<W>,
        prey: Cell,
        moves: &[Cell; MOST_MOVES],
        len: usize,
    ) -> [i32; MOST_MOVES] {
        match self.costs {
            Some(costs) if free.len() >= LEAST_FREE => self.scores_by_cost(costs, free, prey, moves, len),
            _ => HunterOrder::new(self.board, free, prey).scores(moves, len),
        }
    }

    // Apart, so that the many turns near the end of the game do not pay for it.
    #[inline(never)]
    fn scores_by_cost(
        &mut self,
        costs: &CostModel,
        free: Cells<W>,
        prey: Cell,
        moves: &[Cell; MOST_MOVES],
        len: usize,
    ) -> [i32; MOST_MOVES] {
        let Outlook { order, cost } = outlook(self.board, costs, free, prey, moves, len);
        let turns = TURNS_AHEAD.iter().filter(|&&least| cost >= least).count();
        if turns == 0 {
            return order;
        }
        let (mut scores, mut best) = ([LOSES; MOST_MOVES], u64::MAX);
        for number in by_order(&order, len) {
            let to = moves[number];
            if let Some(nodes) =
                self.expected_at_preys_turn(costs, free.without(to), to, prey, turns - 1, best.saturating_mul(MUCH_MORE))
            {
                best = best.min(nodes);
                scores[number] = doublings(nodes);
            }
        }
        scores
    }

    /// The nodes that a proof at the prey's turn is expected to take, or at least `bound`. `None`
    /// if the prey is known to win.
    fn expected_at_preys_turn(
        &mut self,
        costs: &CostModel,
        free: Cells<W>,
        hunter: Cell,
        prey: Cell,
        turns: usize,
        bound: u64,
    ) -> Option<u64> {
        let board = self.board;
        let moves = board.knight_moves(hunter) & free;
        let targets = board.knight_moves(prey) & free;
        if moves.is_empty() && !targets.is_empty() {
            return None;
        }
        let [_, _, thrice] = board.expand_counting(free);
        let mut open = Cells::<W>::EMPTY;
        for to in targets {
            let exits = board.knight_moves(to) & free;
            let lost = exits.is_empty() || exits.len() == 1 && !exits.is_disjoint(moves);
            if lost || self.win_in_two(free.without(to), hunter, to, moves, exits, exits & thrice).is_some() {
                continue;
            }
            let place = self.general.place(hunter, to, exits);
            match self.general.get(place, free.without(to), to) {
                Some(proof) if proof.hunter_wins => {}
                Some(_) => return None,
                None => open = open.with(to),
            }
        }
        let mut nodes = 1_u64;
        for to in open {
            let left = bound.saturating_sub(nodes);
            nodes = nodes.saturating_add(self.expected_at_hunters_turn(costs, free.without(to), hunter, to, turns, left)?);
            if nodes >= bound {
                break;
            }
        }
        Some(nodes)
    }

    /// The same at the hunter's turn.
    fn expected_at_hunters_turn(
        &mut self,
        costs: &CostModel,
        free: Cells<W>,
        hunter: Cell,
        prey: Cell,
        turns: usize,
        bound: u64,
    ) -> Option<u64> {
        let moves = Moves::of(self.board.knight_moves(hunter) & free);
        if moves.len == 0 {
            return None;
        }
        let Outlook { order, cost } = outlook(self.board, costs, free, prey, &moves.cells, moves.len);
        if turns == 0 || cost < CHEAP {
            return Some(nodes(cost));
        }
        by_order(&order, moves.len).find_map(|number| {
            let to = moves.get(number);
            self.expected_at_preys_turn(costs, free.without(to), to, prey, turns - 1, bound)
        })
    }
}

/// What is expected of the hunter's moves.
struct Outlook {
    /// The move with the least number is to be tried first.
    order: [i32; MOST_MOVES],
    /// The cost of the position, in doublings.
    cost: i32,
}

/// What the network says. It was fitted to positions with up to [`CostModel::MOST_FREE`] free
/// cells. With more, the counts order the moves and the cost is unknown, but high.
fn outlook<W: Word>(
    board: &Board<W>,
    costs: &CostModel,
    free: Cells<W>,
    prey: Cell,
    moves: &[Cell; MOST_MOVES],
    len: usize,
) -> Outlook {
    if free.len() > CostModel::MOST_FREE {
        return Outlook { order: HunterOrder::new(board, free, prey).scores(moves, len), cost: i32::MAX };
    }
    let answers = costs.answers(board, free, prey, moves, len);
    let first = by_order(&answers.order, len).next().map_or(0, |number| answers.cost[number]);
    let least = answers.cost[..len].iter().fold(first, |least, &cost| least.min(cost));
    // The least of several guesses is too low, and the first in order may not be the cheapest.
    Outlook { order: answers.order, cost: (first + least) / 2 }
}

/// The numbers of the first `len` moves, least order first.
fn by_order(order: &[i32; MOST_MOVES], len: usize) -> impl Iterator<Item = usize> + use<> {
    let mut numbers = [0, 1, 2, 3, 4, 5, 6, 7];
    numbers[..len].sort_by_key(|&number: &usize| order[number]);
    numbers.into_iter().take(len)
}

/// The nodes that are this many doublings. Between two powers of two it follows a straight line.
fn nodes(doublings: i32) -> u64 {
    let doublings = doublings.clamp(0, 40 * DOUBLING);
    ((DOUBLING + doublings % DOUBLING) as u64) << (doublings / DOUBLING) >> DOUBLING.ilog2()
}

/// The doublings of this many nodes.
fn doublings(nodes: u64) -> i32 {
    let whole = nodes.max(1).ilog2();
    let part = (u128::from(nodes.max(1)) << DOUBLING.ilog2() >> whole) as i32 - DOUBLING;
    whole as i32 * DOUBLING + part
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Size;
    use crate::game::duel::Duel;
    use crate::solve::control::{Control, Wanted};
    use crate::solve::search::Searcher;

    /// A move that is said to lose does lose, in positions where the network is asked and the memo
    /// is full of proofs.
    #[test]
    fn only_losing_moves_are_said_to_lose() {
        let board = Board::<u64>::fitting(Size::new(3, 14).unwrap());
        let control = Control::unlimited();
        let wanted = Wanted::by(&control);
        let (mut lost, mut others) = (0, 0);
        for mover in (0..24).map(Cell::new) {
            let hunted = |other: &Cell| board.colour(*other) == board.colour(mover);
            let other = board.cells().into_iter().skip(mover.index() + 9).find(hunted).unwrap();
            let duel = Duel { free: board.cells().without(mover).without(other), mover, other };
            assert!(duel.free.len() >= LEAST_FREE);
            let mut searcher = Searcher::new(&board, 8 << 20);
            for to in duel.moves(&board) {
                searcher.mover_wins(duel.play_unchecked(to), &wanted).unwrap();
            }
            let moves = Moves::of(duel.moves(&board));
            let scores = searcher.search(&wanted).hunters_scores(duel.free, other, &moves.cells, moves.len);
            for (number, to) in duel.moves(&board).into_iter().enumerate() {
                let loses = Searcher::without_network(&board, 8 << 20).mover_wins(duel.play_unchecked(to), &wanted).unwrap();
                assert!(scores[number] < LOSES || loses, "{duel:?} {to:?}");
                (lost, others) = (lost + u32::from(scores[number] == LOSES), others + u32::from(scores[number] < LOSES));
            }
        }
        assert!(lost > 0 && others > 0, "{lost} {others}");
    }

    #[test]
    fn doublings_and_nodes_are_inverse() {
        for exact in [1_u64, 2, 3, 1 << 20, (1 << 30) + (1 << 25)] {
            assert_eq!(nodes(doublings(exact)), exact);
        }
        for value in (0..40 * DOUBLING).step_by(77) {
            assert!((doublings(nodes(value)) - value).abs() <= DOUBLING, "{value}");
            assert!(nodes(value) <= nodes(value + 1));
        }
        assert!(doublings(u64::MAX) < LOSES);
    }
}
