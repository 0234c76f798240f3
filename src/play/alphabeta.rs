//! Alpha-beta to a fixed depth, by iterative deepening, as the reports' agents search.
//!
//! It proves nothing: below its depth it believes a heuristic. It is as plain as theirs, so that what they say of their searches can be measured; only the order of moves and
//! the knowledge of mirrors can be varied.

use ahash::RandomState;
use hashbrown::HashMap;

use super::heuristics::{Heuristic, Side};
use crate::board::Board;
use crate::cells::{Cell, Word};
use crate::duel::Duel;
use crate::solve::mirror;
use crate::symmetry::Symmetries;

/// In which order moves are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ordering {
    /// As they come, in every iteration.
    AsTheyCome,
    /// All of them by their scores in the last iteration.
    ByLastScores,
    /// The best of the last iteration first, the others as before.
    LastBestFirst,
}

/// More than any heuristic gives.
const WIN: f64 = 1e6;

/// A player that looks ahead a fixed number of plies.
pub struct AlphaBeta<'a, W> {
    board: &'a Board<W>,
    heuristic: Heuristic,
    ordering: Ordering,
    /// The board's symmetries, if the player sees positions that a mirror decides.
    mirrors: Option<&'a Symmetries<W>>,
    /// The moves of each position in the order of the last iteration.
    last: HashMap<Duel<W>, Vec<Cell>, RandomState>,
    /// None: results are not kept.
    results: Option<Results<W>>,
    /// The depth of the iteration: an even number of plies below it, it is the turn of the player who searches.
    depth: u32,
    nodes: u64,
    mirrors_met: u64,
}

/// What is known of the score of a position at a depth: it is at least the first, and at most the second.
type Results<W> = HashMap<(Duel<W>, u32), (f64, f64), RandomState>;

/// Nothing depends on the order of a map; fixed seeds keep even its time the same.
fn seeds() -> RandomState {
    RandomState::with_seeds(1, 2, 3, 4)
}

impl<'a, W: Word> AlphaBeta<'a, W> {
    /// A player that believes this heuristic.
    #[must_use]
    pub fn new(board: &'a Board<W>, heuristic: Heuristic, ordering: Ordering) -> Self {
        let last = HashMap::with_hasher(seeds());
        Self { board, heuristic, ordering, mirrors: None, last, results: None, depth: 0, nodes: 0, mirrors_met: 0 }
    }

    /// The same player, which keeps the results of a search and uses them where a position comes up again at the same depth.
    #[must_use]
    pub fn keeping_results(mut self) -> Self {
        self.results = Some(HashMap::with_hasher(seeds()));
        self
    }

    /// The same player, which knows that whoever has just moved wins a position that a mirror decides.
    #[must_use]
    pub fn seeing_mirrors(mut self, symmetries: &'a Symmetries<W>) -> Self {
        self.mirrors = Some(symmetries);
        self
    }

    /// The positions searched so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many of them a mirror decided.
    #[must_use]
    pub fn mirrors_met(&self) -> u64 {
        self.mirrors_met
    }

    /// The best move within this depth, and its score; none if there is no move. The `moves`, which are all there are, are tried in this order first: that decides between
    /// equally good ones.
    pub fn choose(&mut self, duel: Duel<W>, moves: &[Cell], depth: u32) -> Option<(Cell, f64)> {
        debug_assert!(depth > 0 && moves.len() == duel.moves(self.board).len());
        self.last.clear();
        self.results.iter_mut().for_each(HashMap::clear);
        let mut moves = moves.to_vec();
        let mut best = None;
        for depth in 1..=depth {
            self.depth = depth;
            let scores = self.scores(duel, &moves, depth, -2.0 * WIN, 2.0 * WIN);
            best = first_best(&scores);
            self.reorder(&mut moves, scores);
        }
        best
    }

    /// The scores of the moves, in their order, until one of them is at least `beta`.
    fn scores(&mut self, duel: Duel<W>, moves: &[Cell], depth: u32, mut alpha: f64, beta: f64) -> Vec<(Cell, f64)> {
        let mut scores = Vec::with_capacity(moves.len());
        for &to in moves {
            let score = -self.score(duel.play_unchecked(to), depth - 1, -beta, -alpha);
            scores.push((to, score));
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        scores
    }

    /// A win that is near counts more than one that is far.
    ///
    /// The score is exact if it lies between `alpha` and `beta`, and otherwise a bound: at most as high as it says if not above `alpha`, at least as high if not below `beta`.
    fn score(&mut self, duel: Duel<W>, depth: u32, alpha: f64, beta: f64) -> f64 {
        self.nodes += 1;
        let moves = duel.moves(self.board);
        if moves.is_empty() {
            return -WIN - f64::from(depth);
        }
        if self.mirrors.is_some_and(|symmetries| mirror(symmetries, duel.without_dead_cells(self.board)).is_some()) {
            self.mirrors_met += 1;
            return -WIN;
        }
        if depth == 0 {
            return self.guess(duel);
        }
        let (low, high) = self.kept(duel, depth);
        if low >= beta || low == high {
            return low;
        }
        if high <= alpha {
            return high;
        }
        let remembered = if self.ordering == Ordering::AsTheyCome { None } else { self.last.get(&duel).cloned() };
        let mut moves = remembered.unwrap_or_else(|| moves.into_iter().collect());
        let scores = self.scores(duel, &moves, depth, alpha, beta);
        let best = first_best(&scores).map_or(-WIN, |(_, score)| score);
        if self.ordering != Ordering::AsTheyCome {
            self.reorder(&mut moves, scores);
            self.last.insert(duel, moves);
        }
        if let Some(results) = &mut self.results {
            let (low, high) = (if best > alpha { best } else { low }, if best < beta { best } else { high });
            results.insert((duel, depth), (low, high));
        }
        best
    }

    /// What the heuristic says of a position at the end of the search, for its mover. It is always asked for the player who searches: some heuristics treat the two differently.
    fn guess(&self, duel: Duel<W>) -> f64 {
        if self.depth.is_multiple_of(2) {
            self.heuristic.score(&Side::movers(self.board, duel))
        } else {
            -self.heuristic.score(&Side::others(self.board, duel))
        }
    }

    /// What is known of a score.
    fn kept(&self, duel: Duel<W>, depth: u32) -> (f64, f64) {
        let known = self.results.as_ref().and_then(|results| results.get(&(duel, depth)));
        known.copied().unwrap_or((f64::NEG_INFINITY, f64::INFINITY))
    }

    /// Puts the moves into the order for the next iteration. Those that were not looked at keep their order behind the others.
    fn reorder(&self, moves: &mut [Cell], mut scores: Vec<(Cell, f64)>) {
        match self.ordering {
            Ordering::AsTheyCome => {}
            Ordering::ByLastScores => {
                scores.sort_by(|a, b| b.1.total_cmp(&a.1));
                moves[..scores.len()].iter_mut().zip(scores).for_each(|(place, (to, _))| *place = to);
            }
            Ordering::LastBestFirst => {
                let best = first_best(&scores).and_then(|(best, _)| moves.iter().position(|&to| to == best));
                best.into_iter().for_each(|place| moves[..=place].rotate_right(1));
            }
        }
    }
}

/// The move with the highest score, the first of equals.
fn first_best(scores: &[(Cell, f64)]) -> Option<(Cell, f64)> {
    let better = |best: Option<(Cell, f64)>, &(to, score): &(Cell, f64)| match best {
        Some((_, known)) if known >= score => best,
        _ => Some((to, score)),
    };
    scores.iter().fold(None, better)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::cells::Cells;
    use proptest::prelude::*;

    /// The same value without any pruning, always for the player who searches: a maximum at its turn, a minimum at the opponent's.
    fn naive(board: &Board<u64>, heuristic: Heuristic, duel: Duel<u64>, depth: u32, searches: bool) -> f64 {
        let moves = duel.moves(board);
        let sign = if searches { 1.0 } else { -1.0 };
        if moves.is_empty() {
            return sign * (-WIN - f64::from(depth));
        }
        if depth == 0 {
            let side = if searches { Side::movers(board, duel) } else { Side::others(board, duel) };
            return heuristic.score(&side);
        }
        let scores = moves.into_iter().map(|to| naive(board, heuristic, duel.play_unchecked(to), depth - 1, !searches));
        if searches { scores.fold(f64::MIN, f64::max) } else { scores.fold(f64::MAX, f64::min) }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn pruning_and_order_change_no_score(pattern: u64, mover in 0..36_usize, other in 0..36_usize, depth in 1..5_u32) {
            prop_assume!(mover != other);
            let board = Board::<u64>::new(Size::new(6, 6).unwrap());
            let (mover, other) = (Cell::new(mover), Cell::new(other));
            let duel = Duel { mover, other, free: (Cells::from_word(pattern) & board.cells()).without(mover).without(other) };
            let moves: Vec<Cell> = duel.moves(&board).into_iter().collect();
            for heuristic in [Heuristic::Improved, Heuristic::NextMoves, Heuristic::Open, Heuristic::Offensive] {
                let scored: Vec<f64> = moves.iter().map(|&to| naive(&board, heuristic, duel.play_unchecked(to), depth - 1, false)).collect();
                let best = scored.iter().copied().reduce(f64::max);
                for ordering in [Ordering::AsTheyCome, Ordering::ByLastScores, Ordering::LastBestFirst] {
                    let player = || AlphaBeta::new(&board, heuristic, ordering);
                    for mut player in [player(), player().keeping_results()] {
                        let chosen = player.choose(duel, &moves, depth);
                        prop_assert_eq!(chosen.map(|(_, score)| score), best, "{:?}", ordering);
                    }
                }
                let plain = AlphaBeta::new(&board, heuristic, Ordering::AsTheyCome).choose(duel, &moves, depth);
                let first = scored.iter().position(|&score| Some(score) == best).map(|place| moves[place]);
                prop_assert_eq!(plain.map(|(to, _)| to), first);
            }
        }
    }
}
