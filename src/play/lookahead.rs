//! Lookahead: alpha-beta with iterative deepening.
//!
//! It proves nothing unless it reaches the end of the game. At its depth limit it trusts a formula.
//! Facts can be supplied as [`Knowledge`]: a table entry, a mirror, separated knights, or a
//! position small enough to be solved. Where a fact is known, it need not look further.
//!
//! The search inside the tree allocates nothing: positions are copied, moves are kept in arrays,
//! and the cache has a fixed size.

use std::sync::Arc;

use super::cache::{Bound, Cache, Entry};
use super::heuristics::{Heuristic, Side};
use crate::analysis::View;
use crate::game::board::Board;
use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;
use crate::game::outcome::Value;
use crate::game::zobrist;
use crate::solve::{Control, MOST_MOVES, Promising, Stopped};

/// The order in which moves are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ordering {
    /// As generated, in every iteration.
    AsTheyCome,
    /// All moves by their scores in the previous iteration.
    ByLastScores,
    /// The best move of the previous iteration first, the others as before.
    LastBestFirst,
    /// Like `LastBestFirst`, but starting from the solver's order where that is worth its cost.
    Promising,
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Style {
    /// The formula for positions at the depth limit. It always scores for the player who searches,
    /// because some formulas treat the two players differently.
    pub heuristic: Heuristic,
    /// The move ordering.
    pub ordering: Ordering,
    /// Whether to reuse the result of a position that comes up again.
    pub keeps_results: bool,
    /// Whether to use principal variation search: every move but the first is only tested for being
    /// better than the best so far, and searched again if it is.
    pub scouts: bool,
}

impl Style {
    /// The reports' method, done as well as it can be: the best move of the previous iteration
    /// first, results kept, and scouts.
    #[must_use]
    pub fn usual(heuristic: Heuristic) -> Self {
        Self { heuristic, ordering: Ordering::LastBestFirst, keeps_results: true, scouts: true }
    }
}

/// What is known for certain inside the tree.
pub trait Knowledge<W>: Send {
    /// Whether the mover, who has a move, wins this duel, which lies `depth` plies above the depth
    /// limit. `None` leaves it to the search.
    ///
    /// # Errors
    /// If the control stopped the work.
    fn value(&mut self, duel: Duel<W>, depth: u32, control: &Control) -> Result<Option<Value>, Stopped>;
}

/// The score of a won game is this number plus the number of cells still free, so that a near win
/// scores higher than a distant one. No formula gives such a high score.
pub const WIN: f64 = 1e6;

/// The result of an iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The best move.
    pub to: Cell,
    /// Its score for the player who searches.
    pub score: f64,
    /// How many plies were searched.
    pub depth: u32,
    /// The expected line, from the best move on, as far as the cache remembers it.
    pub line: Vec<Cell>,
}

impl Found {
    /// Whether the player who searches wins. `None` if the search did not see the end of the game.
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        is_decided(self.score).then(|| Value::win_if(self.score > 0.0))
    }
}

fn is_decided(score: f64) -> bool {
    score.abs() >= WIN
}

/// How many nodes pass between two checks of the limits: at most a tenth of a millisecond if the
/// formula is fast.
const NODES_BETWEEN_CHECKS: u64 = 1 << 8;

/// The solver's move ordering costs as much as a few nodes. It pays from this many plies above the
/// depth limit upwards.
const WORTH_SCORING: u32 = 3;

/// A search and its cache.
pub struct Lookahead<W> {
    board: Arc<Board<W>>,
    style: Style,
    knowledge: Option<Box<dyn Knowledge<W>>>,
    cache: Cache<W>,
    /// The depth of the current iteration. If it is even, the player who searches is to move at the
    /// depth limit.
    depth: u32,
    nodes: u64,
    /// How many of the nodes the control has been told about.
    reported: u64,
}

impl<W: Word> Lookahead<W> {
    /// A search on this board in this style, with a cache of about `cache` bytes.
    #[must_use]
    pub fn new(board: &Arc<Board<W>>, style: Style, cache: usize) -> Self {
        Self { board: Arc::clone(board), style, knowledge: None, cache: Cache::new(cache), depth: 0, nodes: 0, reported: 0 }
    }

    /// The same search, with a source of facts.
    #[must_use]
    pub fn knowing(mut self, knowledge: impl Knowledge<W> + 'static) -> Self {
        self.knowledge = Some(Box::new(knowledge));
        self
    }

    /// The number of positions searched so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How full the cache is, in thousandths.
    #[must_use]
    pub fn filling(&self) -> u32 {
        self.cache.filling()
    }

    /// Clears the cache. This is needed before the search plays for the other side, because some
    /// formulas treat the two sides differently.
    pub fn forget(&mut self) {
        self.cache.forget();
    }

    /// The best of these `moves` of a duel at this depth. Among equally good moves it takes the
    /// first. `None` if there are no moves.
    pub fn best_in_duel(&mut self, duel: Duel<W>, moves: &[Cell], depth: u32, control: &Control) -> Option<Found> {
        self.best(View::Duel(duel), moves, depth, control, |_| {})
    }

    /// The best of these `moves`, searched as deep as the control and `most_depth` allow. Calls
    /// `done` after every complete iteration. The first iteration tries the moves in the given
    /// order, which decides between equally good ones. `None` if there are no moves.
    ///
    /// There is always a move, however short the time. If not even the first iteration is complete,
    /// it is the best move so far, or else the first one.
    pub(crate) fn best(
        &mut self,
        view: View<W>,
        moves: &[Cell],
        most_depth: u32,
        control: &Control,
        mut done: impl FnMut(&Found),
    ) -> Option<Found> {
        let mut moves = moves.to_vec();
        let mut scores = vec![0.0; moves.len()];
        let mut found = Found { to: *moves.first()?, score: 0.0, depth: 0, line: vec![moves[0]] };
        // No line is longer than this, so searching deeper is pointless.
        let longest = view.moves_left() as u32;
        for depth in 1..=most_depth.min(longest).max(1) {
            self.depth = depth;
            let tried = self.root(view, &moves, &mut scores, depth, control);
            let is_whole = tried == moves.len();
            if let Some(best) = first_best(&scores[..tried]) {
                let (to, score) = (moves[best], scores[best]);
                if is_whole || score >= WIN {
                    found = Found { to, score, depth, line: Vec::new() };
                } else if found.depth == 0 || moves[..tried].contains(&found.to) {
                    // The previous best move has now been searched deeper. If all moves tried so
                    // far lose, take the next one: nothing bad is known about it.
                    let to = if score > -WIN { to } else { moves[tried] };
                    let score = if score > -WIN { score } else { found.score };
                    found = Found { to, score, line: Vec::new(), ..found };
                }
            }
            self.report(control);
            if !is_whole {
                break;
            }
            reorder(self.style.ordering, &mut moves, &scores);
            found.line = self.line(view, found.to, depth);
            done(&found);
            if is_decided(found.score) {
                break;
            }
        }
        if found.line.is_empty() {
            found.line = self.line(view, found.to, found.depth);
        }
        Some(found)
    }

    /// Scores the moves. Returns how many were scored before the control stopped the search.
    fn root(&mut self, view: View<W>, moves: &[Cell], scores: &mut [f64], depth: u32, control: &Control) -> usize {
        let (mut alpha, beta) = (f64::NEG_INFINITY, f64::INFINITY);
        for (number, &to) in moves.iter().enumerate() {
            let after = view.after(to);
            match self.searched(number > 0, alpha, beta, |search, alpha, beta| {
                search.view_score(after, depth - 1, alpha, beta, control)
            }) {
                Ok(score) => scores[number] = score,
                Err(Stopped) => return number,
            }
            alpha = alpha.max(scores[number]);
        }
        moves.len()
    }

    /// The score of a move for the mover. `below` finds the score of the position after it, for the
    /// opponent, within two bounds.
    ///
    /// With `scout`, a search with an empty window first asks whether the move is better than the
    /// best so far. Such a window is the quickest to search.
    #[inline]
    fn searched(
        &mut self,
        scout: bool,
        alpha: f64,
        beta: f64,
        mut below: impl FnMut(&mut Self, f64, f64) -> Result<f64, Stopped>,
    ) -> Result<f64, Stopped> {
        if scout && self.style.scouts && alpha.is_finite() {
            let score = -below(self, -alpha.next_up(), -alpha)?;
            if score <= alpha || score >= beta {
                return Ok(score);
            }
        }
        Ok(-below(self, -beta, -alpha)?)
    }

    /// The score of a view for its mover. While a knight is still to be placed, that is the score
    /// of the best placement.
    fn view_score(&mut self, view: View<W>, depth: u32, mut alpha: f64, beta: f64, control: &Control) -> Result<f64, Stopped> {
        if let View::Duel(duel) = view {
            return self.score(duel, zobrist::hash(duel), depth, alpha, beta, control);
        }
        self.enter(control)?;
        let replies = view.moves(&self.board);
        if replies.is_empty() {
            return Ok(-WIN);
        }
        if depth == 0 {
            // No formula applies to a board with a single knight.
            return Ok(0.0);
        }
        let mut best = f64::NEG_INFINITY;
        for to in replies {
            let after = view.after(to);
            let scout = best > f64::NEG_INFINITY;
            let score = self
                .searched(scout, alpha, beta, |search, alpha, beta| search.view_score(after, depth - 1, alpha, beta, control))?;
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    #[inline]
    fn enter(&mut self, control: &Control) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) {
            self.report(control);
            // The first iteration is never stopped. It takes only a handful of nodes, and it
            // ensures a move that was thought about.
            if self.depth > 1 && control.is_stopped() {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    fn report(&mut self, control: &Control) {
        control.add_nodes(self.nodes - self.reported);
        self.reported = self.nodes;
    }

    /// The score of a duel for its mover.
    ///
    /// The score is exact if it lies between `alpha` and `beta`. A score not above `alpha` is an
    /// upper bound, a score not below `beta` is a lower bound.
    fn score(
        &mut self,
        duel: Duel<W>,
        hash: u64,
        depth: u32,
        mut alpha: f64,
        mut beta: f64,
        control: &Control,
    ) -> Result<f64, Stopped> {
        self.enter(control)?;
        let legal = duel.moves(&self.board);
        if legal.is_empty() {
            return Ok(-WIN - duel.free.len() as f64);
        }
        if let Some(knowledge) = &mut self.knowledge
            && let Some(value) = knowledge.value(duel, depth, control)?
        {
            return Ok(if value == Value::Win { WIN } else { -WIN });
        }
        if depth == 0 {
            return Ok(self.guess(duel));
        }
        let (mut at_least, mut at_most) = (f64::NEG_INFINITY, f64::INFINITY);
        let known = if self.style.ordering == Ordering::AsTheyCome && !self.style.keeps_results {
            None
        } else {
            self.cache.get(hash, duel)
        };
        if let Some(entry) =
            known.filter(|entry| self.style.keeps_results && (entry.depth >= depth || is_certain(entry.score, entry.bound)))
        {
            match entry.bound {
                Bound::Exact => return Ok(entry.score),
                Bound::AtLeast => at_least = entry.score,
                Bound::AtMost => at_most = entry.score,
            }
            (alpha, beta) = (alpha.max(at_least), beta.min(at_most));
            if alpha >= beta {
                return Ok(entry.score);
            }
        }
        let mut moves = [Cell::new(0); MOST_MOVES];
        let len = legal.len();
        match known {
            Some(entry) if self.style.ordering != Ordering::AsTheyCome => moves = entry.moves,
            _ if self.style.ordering == Ordering::Promising && depth >= WORTH_SCORING => {
                moves[..len].copy_from_slice(Promising::new(&self.board, duel).moves());
            }
            _ => moves.iter_mut().zip(legal).for_each(|(place, to)| *place = to),
        }
        let (mut best, mut low, mut tried) = (f64::NEG_INFINITY, alpha, 0);
        let mut scores = [0.0; MOST_MOVES];
        for &to in &moves[..len] {
            let (after, after_hash) = (duel.play_unchecked(to), zobrist::hash_after(hash, &duel, to));
            let score = self.searched(tried > 0, low, beta, |search, alpha, beta| {
                search.score(after, after_hash, depth - 1, alpha, beta, control)
            })?;
            scores[tried] = score;
            tried += 1;
            best = best.max(score);
            low = low.max(score);
            if low >= beta {
                break;
            }
        }
        // `AsTheyCome` does not use the stored order, but
        // the expected line needs the best move in front.
        let ordering = if self.style.ordering == Ordering::AsTheyCome { Ordering::LastBestFirst } else { self.style.ordering };
        reorder(ordering, &mut moves[..tried], &scores[..tried]);
        // A score that meets a bound known from the other side is exact as well.
        let bound = if best <= alpha && best > at_least {
            Bound::AtMost
        } else if best >= beta && best < at_most {
            Bound::AtLeast
        } else {
            Bound::Exact
        };
        self.cache.put(hash, duel, Entry { score: best, bound, depth, moves });
        Ok(best)
    }

    /// The formula's score of a position, for its mover.
    fn guess(&self, duel: Duel<W>) -> f64 {
        if self.depth.is_multiple_of(2) {
            self.style.heuristic.score(&Side::movers(&self.board, duel))
        } else {
            -self.style.heuristic.score(&Side::others(&self.board, duel))
        }
    }

    /// The expected line after a move, as far as the cache remembers it.
    fn line(&self, view: View<W>, to: Cell, depth: u32) -> Vec<Cell> {
        let mut line = vec![to];
        let mut view = view.after(to);
        while let View::Duel(duel) = view
            && line.len() < depth as usize
            && let Some(entry) = self.cache.get(zobrist::hash(duel), duel)
            && entry.bound == Bound::Exact
        {
            line.push(entry.moves[0]);
            view = view.after(entry.moves[0]);
        }
        line
    }
}

/// Whether the score proves a win or a loss. That holds at every depth.
fn is_certain(score: f64, bound: Bound) -> bool {
    match bound {
        Bound::Exact => is_decided(score),
        Bound::AtLeast => score >= WIN,
        Bound::AtMost => score <= -WIN,
    }
}

/// The index of the highest score, and of the first one if there are several.
fn first_best(scores: &[f64]) -> Option<usize> {
    let better = |best: Option<usize>, (number, score): (usize, &f64)| match best {
        Some(known) if scores[known] >= *score => best,
        _ => Some(number),
    };
    scores.iter().enumerate().fold(None, better)
}

/// Reorders moves for the next iteration by the scores of those that were searched. Moves that were
/// not searched stay behind them, in their old order.
fn reorder(ordering: Ordering, moves: &mut [Cell], scores: &[f64]) {
    match ordering {
        Ordering::AsTheyCome => {}
        Ordering::ByLastScores => {
            // Insertion sort, which moves a copy of the scores along: there are few moves, and
            // moves with equal scores must keep their order.
            let mut sorted = [0.0; crate::game::cells::MAX_CELLS];
            sorted[..scores.len()].copy_from_slice(scores);
            for next in 1..moves.len() {
                let mut place = next;
                while place > 0 && sorted[place - 1] < sorted[place] {
                    sorted.swap(place - 1, place);
                    moves.swap(place - 1, place);
                    place -= 1;
                }
            }
        }
        Ordering::LastBestFirst | Ordering::Promising => {
            if let Some(best) = first_best(scores) {
                moves[..=best].rotate_right(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Size;
    use crate::game::cells::Cells;
    use proptest::prelude::*;

    /// The same score without any pruning, always for the player who searches: a maximum at its own
    /// turn, a minimum at the opponent's.
    fn naive(board: &Board<u64>, heuristic: Heuristic, duel: Duel<u64>, depth: u32, searches: bool) -> f64 {
        let moves = duel.moves(board);
        let sign = if searches { 1.0 } else { -1.0 };
        if moves.is_empty() {
            return sign * (-WIN - duel.free.len() as f64);
        }
        if depth == 0 {
            let side = if searches { Side::movers(board, duel) } else { Side::others(board, duel) };
            return heuristic.score(&side);
        }
        let scores = moves.into_iter().map(|to| naive(board, heuristic, duel.play_unchecked(to), depth - 1, !searches));
        if searches { scores.fold(f64::MIN, f64::max) } else { scores.fold(f64::MAX, f64::min) }
    }

    fn styles(heuristic: Heuristic) -> impl Iterator<Item = Style> {
        let orderings = [Ordering::AsTheyCome, Ordering::ByLastScores, Ordering::LastBestFirst, Ordering::Promising];
        let flags = [(false, false), (false, true), (true, false), (true, true)];
        orderings.into_iter().flat_map(move |ordering| {
            flags.into_iter().map(move |(keeps_results, scouts)| Style { heuristic, ordering, keeps_results, scouts })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn pruning_ordering_and_cache_never_change_the_score(
            pattern: u64,
            mover in 0..36_usize,
            other in 0..36_usize,
            depth in 1..5_u32,
        ) {
            prop_assume!(mover != other);
            let board = Arc::new(Board::<u64>::fitting(Size::new(6, 6).unwrap()));
            let (mover, other) = (Cell::new(mover), Cell::new(other));
            let duel = Duel { mover, other, free: (Cells::from_word(pattern) & board.cells()).without(mover).without(other) };
            let moves: Vec<Cell> = duel.moves(&board).into_iter().collect();
            let control = Control::unlimited();
            for heuristic in [Heuristic::Improved, Heuristic::NextMoves, Heuristic::Open, Heuristic::Offensive] {
                let score = |&to: &Cell| naive(&board, heuristic, duel.play_unchecked(to), depth - 1, false);
                let scored: Vec<f64> = moves.iter().map(score).collect();
                let best = scored.iter().copied().reduce(f64::max);
                for style in styles(heuristic) {
                    // One cache is so small that it forgets most entries, the other keeps all.
                    for cache in [1 << 10, 1 << 20] {
                        let found = Lookahead::new(&board, style, cache).best_in_duel(duel, &moves, depth, &control);
                        prop_assert_eq!(found.as_ref().map(|found| found.score), best, "{:?}", style);
                        prop_assert!(found.is_none_or(|found| found.line[0] == found.to));
                    }
                }
                let search = |style| Lookahead::new(&board, style, 0).best_in_duel(duel, &moves, depth, &control);
                let plain = styles(heuristic).next().and_then(search);
                let first = scored.iter().position(|&score| Some(score) == best).map(|place| moves[place]);
                prop_assert_eq!(plain.map(|found| found.to), first);
            }
        }

        /// An interrupted search never reports a win or a loss that it has not seen.
        #[test]
        fn an_interrupted_search_claims_nothing_false(
            pattern: u64,
            nodes in 1..2000_u64,
            mover in 0..25_usize,
            other in 0..25_usize,
        ) {
            prop_assume!(mover != other);
            let board = Arc::new(Board::<u64>::fitting(Size::new(5, 5).unwrap()));
            let (mover, other) = (Cell::new(mover), Cell::new(other));
            let duel = Duel { mover, other, free: (Cells::from_word(pattern) & board.cells()).without(mover).without(other) };
            let moves: Vec<Cell> = duel.moves(&board).into_iter().collect();
            let solved = |duel| naive(&board, Heuristic::Null, duel, u32::MAX, true);
            let control = Control::with_nodes(nodes);
            let mut search = Lookahead::new(&board, Style::usual(Heuristic::Improved), 1 << 16);
            let found = search.best_in_duel(duel, &moves, u32::MAX, &control);
            prop_assert_eq!(found.is_some(), !moves.is_empty());
            if let Some(found) = found {
                prop_assert!(moves.contains(&found.to));
                match found.value() {
                    Some(Value::Win) => prop_assert!(solved(duel.play_unchecked(found.to)) < 0.0),
                    Some(Value::Loss) => prop_assert!(solved(duel) < 0.0),
                    None => {}
                }
            }
        }
    }
}
