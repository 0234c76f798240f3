//! Our strongest player: proof first, then a lookahead that uses proofs.
//!
//! It works in this order:
//! 1. **At hand**: what is known about each move without a search.
//! 2. **Proof**: it solves the moves one by one. Most of the limit goes here if the proof is likely
//!    to finish, and little if not.
//! 3. If a move is proven to **win**, half of what is left goes to finding the quickest win. If all
//!    moves are proven to **lose**, it goes to finding the best trap.
//! 4. Otherwise it **looks ahead** with the moves that are not known to lose, as deep as the limit
//!    allows. A proven position inside the tree is not searched further.

use std::sync::Arc;

use super::chooser::{Basis, Chooser, Decision, ProvenBy};
use super::clock::Clock;
use super::heuristics::Heuristic;
use super::lookahead::{Knowledge, Lookahead, Ordering, Style};
use crate::analysis::View;
use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;
use crate::game::outcome::Value;
use crate::game::position::Position;
use crate::game::symmetry::Symmetries;
use crate::solve::{
    Control, Known, NODES_AT_HAND, Origin, Promising, Question, Settings, Solver, SolverError, Stopped, promising_replies,
};
use crate::table::Tablebase;

/// The strongest player.
pub(super) struct Best<W> {
    board: Arc<Board<W>>,
    symmetries: Symmetries<W>,
    solver: Arc<Solver<W>>,
    lookahead: Lookahead<W>,
    manner: Manner,
}

/// The ways in which `best` and `perfect` can differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Manner {
    /// Whether to look ahead where nothing is proven. If not, the decision is [`Basis::NoProof`].
    pub(super) guesses: bool,
    /// Whether to spend left-over time on the expected line.
    pub(super) wants_line: bool,
}

/// A move, and what is known about it.
#[derive(Clone, Debug)]
struct Candidate {
    to: Cell,
    /// What is known, from the mover's point of view.
    known: Option<Known>,
    /// How many nodes the proof took.
    effort: u64,
}

impl Candidate {
    fn value(&self) -> Option<Value> {
        self.known.as_ref().map(|known| known.value)
    }

    fn plies(&self) -> Option<usize> {
        self.known.as_ref().and_then(Known::plies)
    }
}

/// Inside the tree, positions with at most this many free cells are solved exactly.
const MOST_FREE_SOLVED: usize = 12;

/// Inside the tree, a position is looked up without a search if at least this many plies below it
/// are still to be searched. Lower down a lookup costs more than it saves.
const LEAST_DEPTH_AT_HAND: u32 = 4;

/// Proofs for the lookahead, inside the tree.
struct InTree<W> {
    solver: Arc<Solver<W>>,
}

impl<W: Word> Knowledge<W> for InTree<W> {
    fn value(&mut self, duel: Duel<W>, depth: u32, control: &Control) -> Result<Option<Value>, Stopped> {
        if duel.free.len() <= MOST_FREE_SOLVED {
            self.solver.value(duel, control).map(Some)
        } else if depth >= LEAST_DEPTH_AT_HAND {
            Ok(self.solver.at_hand(duel, control)?.map(|known| known.value))
        } else {
            Ok(None)
        }
    }
}

impl<W: Word> Best<W> {
    /// A player for boards of this size. Half of the memory goes to proofs, a quarter to the
    /// lookahead.
    ///
    /// # Errors
    /// If the system cannot provide the threads or the memory.
    pub(super) fn new(
        size: Size,
        settings: Settings,
        tablebase: &Arc<Tablebase<W>>,
        manner: Manner,
    ) -> Result<Self, SolverError> {
        let settings = Settings { memory: settings.memory / 2, ..settings };
        let solver = Solver::new(size, settings)?.with_source(Arc::<Tablebase<W>>::clone(tablebase));
        let (board, solver) = (Arc::new(solver.board().clone()), Arc::new(solver));
        let style = Style { ordering: Ordering::Promising, ..Style::usual(Heuristic::Room) };
        let knowledge = InTree { solver: Arc::clone(&solver) };
        let lookahead = Lookahead::new(&board, style, settings.memory as usize / 2).knowing(knowledge);
        Ok(Self { symmetries: Symmetries::new(&board), board, solver, lookahead, manner })
    }

    /// These moves, the most promising first. Of placements that are images of each other, only
    /// one.
    fn candidates(&self, view: View<W>, among: &[Cell]) -> Vec<Candidate> {
        let mut moves: Vec<Cell> = match view {
            View::Duel(duel) => Promising::new(&self.board, duel).moves().to_vec(),
            View::Placed { first, free } => promising_replies(&self.board, free, first),
            View::Empty(free) => free.into_iter().collect(),
        };
        moves.retain(|to| among.contains(to));
        let distinct = view.distinct(moves, &self.board, &self.symmetries);
        distinct.into_iter().map(|to| Candidate { to, known: None, effort: 0 }).collect()
    }

    /// Fills in what is known without a search, about the moves and about the position itself: a
    /// table may name its winning move, or a mirror may prove that it is lost.
    fn look_up(&self, view: View<W>, candidates: &mut [Candidate], control: &Arc<Control>) {
        let at_hand = |view: View<W>| {
            let control = control.part_of_nodes(NODES_AT_HAND);
            view.duel().and_then(|duel| self.solver.at_hand(duel, &control).ok().flatten())
        };
        let own = at_hand(view);
        for candidate in candidates.iter_mut() {
            let named = own.as_ref().filter(|own| match own.value {
                Value::Win => own.winning_move == Some(candidate.to),
                Value::Loss => true,
            });
            let named = named.map(|own| Known::winner(own.value, own.origin.clone()));
            candidate.known = Known::merged(named, at_hand(view.after(candidate.to)).map(|known| view.before(known)));
        }
    }

    /// Solves the moves one by one until one of them wins.
    fn prove(&self, view: View<W>, candidates: &mut [Candidate], control: &Control) -> Result<(), Stopped> {
        for candidate in candidates.iter_mut().filter(|candidate| candidate.known.is_none()) {
            let before = control.nodes();
            candidate.known = Some(view.before(self.answer(view.after(candidate.to), control)?));
            candidate.effort = control.nodes() - before;
            if candidate.value() == Some(Value::Win) {
                break;
            }
        }
        Ok(())
    }

    /// Who wins a view.
    fn answer(&self, view: View<W>, control: &Control) -> Result<Known, Stopped> {
        // A table answers without a look at the clock, and there may be many placements to ask
        // about.
        if control.is_stopped() {
            return Err(Stopped);
        }
        match view {
            View::Duel(duel) => self.solver.answer(Question::Winner, duel, control),
            View::Placed { first, free } => Ok(self.solver.weak(free, first, control)?.known()),
            View::Empty(_) => Err(Stopped),
        }
    }
}

/// Plies are counted only in positions with at most this many live cells.
const MOST_LIVE_COUNTED: usize = 26;

/// Once the winner is known: the share of what is left for the quickest win or for traps, in
/// percent.
const FOR_PLIES: u32 = 50;

/// The share of what is left after that for the expected line, in percent.
const FOR_LINE: u32 = 25;

impl<W: Word> Best<W> {
    /// Counts the plies after each move that has this value, or may have it, until the control
    /// stops.
    fn count_plies(&self, view: View<W>, candidates: &mut [Candidate], value: Value, control: &Control) {
        let wanted = |candidate: &&mut Candidate| candidate.plies().is_none() && candidate.value() != Some(!value);
        for candidate in candidates.iter_mut().filter(wanted) {
            if let View::Duel(duel) = view.after(candidate.to)
                && duel.live(&self.board).len() <= MOST_LIVE_COUNTED
            {
                let Ok(outcome) = self.solver.outcome(duel, control) else { break };
                let counted = view.before(Known::counted(outcome, Origin::Solved));
                candidate.known = Known::merged(candidate.known.take(), Some(counted));
            }
        }
    }

    /// The quickest win that can be counted, or else the first win.
    fn quickest_win(&self, view: View<W>, candidates: &mut [Candidate], control: &Control) -> Candidate {
        self.count_plies(view, candidates, Value::Win, control);
        let wins = candidates.iter().filter(|candidate| candidate.value() == Some(Value::Win));
        let quickest = wins.min_by_key(|candidate| candidate.plies().unwrap_or(usize::MAX));
        quickest.expect("a move is proven to win").clone()
    }

    /// If all moves lose: the move after which the opponent is most likely to go wrong.
    ///
    /// That is the move with the smallest share of winning replies. Ties go to the longest game, if
    /// the plies can be counted, and then to the move whose proof took the most work. Moves for
    /// which the limit leaves no time are left out.
    fn trap(&self, view: View<W>, candidates: &mut [Candidate], control: &Control) -> Candidate {
        let count = |candidate: &Candidate| -> Result<(usize, usize), Stopped> {
            let after = view.after(candidate.to);
            let (mut winning, mut all) = (0, 0);
            for reply in after.moves(&self.board) {
                all += 1;
                winning += usize::from(self.answer(after.after(reply), control)?.value == Value::Loss);
            }
            Ok((winning, all))
        };
        // Hard proofs first: if the time runs out, these are the likeliest traps.
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.effort));
        let counted: Vec<_> = candidates.iter().map_while(|candidate| count(candidate).ok()).collect();
        self.count_plies(view, candidates, Value::Loss, control);
        let likelihood = |(number, candidate): &(usize, &Candidate)| {
            let (winning, all) = counted[*number];
            (winning * 1000 / all.max(1), usize::MAX - candidate.plies().unwrap_or(0), u64::MAX - candidate.effort)
        };
        let likeliest = candidates.iter().enumerate().take(counted.len()).min_by_key(likelihood);
        likeliest.map_or(&candidates[0], |(_, candidate)| candidate).clone()
    }

    /// The expected line. If the plies are counted, the winner hurries and the loser delays.
    fn line(&self, view: View<W>, to: Cell, counted: bool, control: &Control) -> Vec<Cell> {
        if let (View::Duel(duel), true) = (view.after(to), counted)
            && let Ok(rest) = self.solver.expected_line(Question::Distance, duel, control)
        {
            return [to].into_iter().chain(rest).collect();
        }
        self.line_after(view, to, control)
    }

    /// A line that begins with a move, until the control stops.
    fn line_after(&self, view: View<W>, to: Cell, control: &Control) -> Vec<Cell> {
        let mut line = vec![to];
        let mut view = view.after(to);
        while let View::Duel(duel) = view {
            let Ok(Some(to)) = self.expected_move(duel, control) else { break };
            line.push(to);
            view = view.after(to);
        }
        line
    }

    /// The winner's first winning move, one that needs no search before the others; the loser's
    /// most promising move. `None` if the game is over.
    fn expected_move(&self, duel: Duel<W>, control: &Control) -> Result<Option<Cell>, Stopped> {
        let moves = Promising::new(&self.board, duel);
        for &to in moves.moves() {
            let known = self.solver.at_hand(duel.play_unchecked(to), control)?;
            if known.is_some_and(|known| known.value == Value::Loss) {
                return Ok(Some(to));
            }
        }
        // A duel that a mirror or a table says is lost needs no search for a winning move.
        let is_lost = self.solver.at_hand(duel, control)?.is_some_and(|known| known.value == Value::Loss);
        for &to in moves.moves().iter().filter(|_| !is_lost) {
            if self.solver.value(duel.play_unchecked(to), control)? == Value::Loss {
                return Ok(Some(to));
            }
        }
        Ok(moves.moves().first().copied())
    }

    /// The plies until the game ends when the winner hurries and the loser delays. `None` if they
    /// are not known, or if the chosen move does not belong to such a game.
    fn plies(view: View<W>, candidates: &[Candidate], value: Value, chosen: &Candidate) -> Option<usize> {
        if value == Value::Win && chosen.plies().is_some_and(|plies| plies <= usize::from(view.duel().is_some())) {
            // No win is quicker.
            return chosen.plies();
        }
        let counts = candidates.iter().filter(|candidate| candidate.value() != Some(!value)).map(Candidate::plies);
        let counts = counts.collect::<Option<Vec<usize>>>()?;
        let best = if value == Value::Win { counts.into_iter().min() } else { counts.into_iter().max() };
        best.filter(|&best| chosen.plies() == Some(best))
    }

    /// The decision for a move whose value is proven.
    fn proven(&self, view: View<W>, candidates: &[Candidate], chosen: &Candidate, clock: &Clock) -> Decision {
        let Known { value, origin, .. } = chosen.known.clone().expect("the chosen move is proven");
        let plies = Self::plies(view, candidates, value, chosen);
        let for_line = part(clock, FOR_LINE);
        let line = if self.manner.wants_line { self.line(view, chosen.to, plies.is_some(), &for_line) } else { vec![chosen.to] };
        let basis = Basis::Proven { value, plies, by: ProvenBy::Known(origin) };
        Decision { to: chosen.to, basis, line, nodes: clock.control.nodes() }
    }
}

/// The likely number of nodes to solve a position with this many live cells, as a power of two:
/// openings of 7x7 take about 2^17.5 nodes, one of 8x8 took 2^26.
fn likely_effort(live: usize) -> f64 {
    17.5 + 0.57 * (live as f64 - 47.0)
}

/// A cautious estimate of the nodes that are searched in a microsecond.
fn speed<W: Word>() -> f64 {
    if W::BITS == u64::BITS { 5.0 } else { 2.0 }
}

/// The nodes for proofs, traps and lines when the limit is a depth, or when there is no limit.
const NODES_WITHOUT_LIMIT: u64 = 100_000;

/// A share, in percent, of what the clock still allows.
fn part(clock: &Clock, percent: u32) -> Control {
    let is_limited = clock.control.time_left().is_some() || clock.control.nodes_left().is_some();
    if is_limited && clock.depth.is_none() {
        clock.control.share(percent)
    } else {
        clock.control.part_of_nodes(NODES_WITHOUT_LIMIT)
    }
}

impl<W: Word> Best<W> {
    /// The share of the limit for proofs: most of it if they are likely to finish, little if not.
    fn for_proof(&self, view: View<W>, clock: &Clock) -> Control {
        if !self.manner.guesses && clock.depth.is_none() {
            return clock.control.part(None);
        }
        let live = match view {
            View::Duel(duel) => duel.live(&self.board).len(),
            View::Empty(free) | View::Placed { free, .. } => free.len(),
        };
        let by_time = clock.control.time_left().map(|time| time.as_micros() as f64 * speed::<W>());
        let room = by_time.or(clock.control.nodes_left().map(|nodes| nodes as f64)).unwrap_or(f64::MAX).max(1.0).log2();
        part(
            clock,
            match room - likely_effort(live) {
                plenty if plenty >= 0.0 => 80,
                short if short >= -3.0 => 40,
                _ => 10,
            },
        )
    }
}

impl<W: Word> Chooser for Best<W> {
    fn filling(&self) -> u32 {
        self.lookahead.filling()
    }

    fn choose_among(
        &mut self,
        position: &Position,
        moves: &[Cell],
        clock: &Clock,
        report: &mut dyn FnMut(&Decision),
    ) -> Decision {
        assert_eq!(position.size(), self.board.size(), "this player sits at another board");
        let view = View::of(position);
        let control = &clock.control;
        let mut candidates = self.candidates(view, moves);
        self.look_up(view, &mut candidates, control);
        if candidates.iter().all(|candidate| candidate.value() != Some(Value::Win)) {
            // Moves proven before the time ran out count even if others are still open.
            let _ = self.prove(view, &mut candidates, &self.for_proof(view, clock));
        }
        if candidates.iter().any(|candidate| candidate.value() == Some(Value::Win)) {
            let chosen = self.quickest_win(view, &mut candidates, &part(clock, FOR_PLIES));
            return self.proven(view, &candidates, &chosen, clock);
        }
        if candidates.iter().all(|candidate| candidate.known.is_some()) {
            let chosen = self.trap(view, &mut candidates, &part(clock, FOR_PLIES));
            return self.proven(view, &candidates, &chosen, clock);
        }
        let open: Vec<Cell> =
            candidates.iter().filter(|candidate| candidate.known.is_none()).map(|candidate| candidate.to).collect();
        if !self.manner.guesses {
            return Decision { to: open[0], basis: Basis::NoProof, line: vec![open[0]], nodes: control.nodes() };
        }
        let found = self
            .lookahead
            .best(view, &open, clock.most_depth(), control, |found| report(&Decision::from_lookahead(found, control.nodes())));
        Decision::from_lookahead(&found.expect("the position has a legal move"), control.nodes())
    }
}
