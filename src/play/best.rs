//! Our strongest player: proof where there is one, and a lookahead that knows what is proven where there is none.
//!
//! In this order:
//! 1. **What costs nothing**: the opponent cannot move, a table entry, a mirror.
//! 2. **Proof**: the moves are solved one by one, as long as that is likely to come to an end.
//! 3. A **won** position is played by the shortest way that can be found in what is left of half the time. In a **lost** one, traps are set.
//! 4. Otherwise the moves that are not known to lose are **looked at**, as deep as the rest of the time allows. Inside the tree, too, what is proven ends the search.

use std::sync::Arc;

use super::clock::Clock;
use super::heuristics::Heuristic;
use super::lookahead::{Knowledge, Lookahead, Ordering, Style};
use super::thinker::{Basis, Decision, Proof, Thinker};
use crate::analysis::{Origin, View};
use crate::board::{Board, Size};
use crate::cells::{Cell, Word};
use crate::duel::Duel;
use crate::outcome::Value;
use crate::position::Position;
use crate::solve::{Control, Promising, Question, Settings, Solver, SolverError, Stopped, WeakProof, mirror, promising_replies};
use crate::symmetry::Symmetries;
use crate::table::{Proven, Shelf};

/// The strongest player.
pub struct Best<W> {
    board: Arc<Board<W>>,
    symmetries: Symmetries<W>,
    shelf: Arc<Shelf<W>>,
    solver: Arc<Solver<W>>,
    lookahead: Lookahead<W>,
    manner: Manner,
}

/// How to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manner {
    /// Whether to guess where nothing is proven. If not, a move without proof is said to be one.
    pub guesses: bool,
    /// Whether to use what is left of the time for the line that is expected.
    pub tells_line: bool,
}

/// A move, and what is known of it.
#[derive(Clone, Debug)]
struct Candidate {
    to: Cell,
    /// Whether the player who moves wins by it, and where that comes from.
    proven: Option<(Value, Origin)>,
    /// After how many plies the game then ends, if that is known.
    plies: Option<usize>,
    /// How many nodes the proof took.
    effort: u64,
}

impl Candidate {
    fn value(&self) -> Option<Value> {
        self.proven.as_ref().map(|(value, _)| *value)
    }
}

/// A remainder of at most so many free cells is solved instead of looked at.
const REMAINDER: usize = 12;

/// So many plies above the end of the search, and higher, it is worth asking whether a position is decided as it stands.
const WORTH_ASKING: u32 = 4;

/// What is proven, inside the tree.
struct InTree<W> {
    solver: Arc<Solver<W>>,
}

impl<W: Word> Knowledge<W> for InTree<W> {
    fn value(&mut self, duel: Duel<W>, depth: u32, control: &Control) -> Result<Option<Value>, Stopped> {
        if duel.free.len() <= REMAINDER {
            self.solver.value(duel, control).map(Some)
        } else if depth >= WORTH_ASKING {
            self.solver.value_at_hand(duel, control)
        } else {
            Ok(None)
        }
    }
}

impl<W: Word> Best<W> {
    /// A player on boards of this size, with these tables of such boards. Of the memory half goes to proofs and a quarter to the lookahead.
    ///
    /// # Errors
    /// If the system does not give the threads or the memory.
    pub fn new(size: Size, settings: Settings, shelf: Arc<Shelf<W>>, manner: Manner) -> Result<Self, SolverError> {
        let settings = Settings { memory: settings.memory / 2, ..settings };
        let solver = Solver::new(size, settings)?.with_source(Arc::<Shelf<W>>::clone(&shelf));
        let (board, solver) = (Arc::new(solver.board().clone()), Arc::new(solver));
        let style = Style { ordering: Ordering::Promising, ..Style::usual(Heuristic::Room) };
        let knowledge = InTree { solver: Arc::clone(&solver) };
        let lookahead = Lookahead::new(&board, style, settings.memory as usize / 2).knowing(knowledge);
        Ok(Self { symmetries: Symmetries::new(&board), board, shelf, solver, lookahead, manner })
    }

    /// How full the lookahead's cache is, in thousandths.
    #[must_use]
    pub fn filling(&self) -> u32 {
        self.lookahead.filling()
    }

    /// The moves, of placements that are images of each other only one; the most promising first.
    fn candidates(&self, view: View<W>) -> Vec<Candidate> {
        let moves: Vec<Cell> = match view {
            View::Duel(duel) => Promising::new(&self.board, duel).moves().to_vec(),
            View::Placed { first, free } => promising_replies(&self.board, free, first),
            View::Empty(free) => free.into_iter().collect(),
        };
        let distinct = view.distinct(moves, &self.board, &self.symmetries);
        distinct.into_iter().map(|to| Candidate { to, proven: None, plies: None, effort: 0 }).collect()
    }

    /// What costs nothing to know of a move.
    fn look(&self, view: View<W>, candidate: &mut Candidate) {
        let after = view.after(candidate.to);
        let View::Duel(duel) = after else {
            return;
        };
        if duel.moves(&self.board).is_empty() {
            (candidate.proven, candidate.plies) = (Some((Value::Win, Origin::Over)), Some(1));
        } else if let Some((proven, table)) = self.shelf.look_up(duel) {
            candidate.proven = Some((!proven.value(), Origin::Table(table.path().to_path_buf())));
            if let Proven::Outcome(outcome) = proven {
                candidate.plies = Some(outcome.plies() + 1);
            }
        } else if let Some(symmetry) = mirror(&self.symmetries, duel.without_dead_cells(&self.board)) {
            candidate.proven = Some((Value::Win, Origin::Mirror(symmetry)));
        }
    }

    /// What costs nothing to know of the position itself: a table's winning move, or a mirror by which the opponent wins.
    fn look_at_own(&self, view: View<W>, candidates: &mut [Candidate]) {
        let View::Duel(duel) = view else {
            return;
        };
        if let Some((Proven::Won(winning), table)) = self.shelf.look_up(duel)
            && let Some(candidate) = candidates.iter_mut().find(|candidate| candidate.to == winning)
        {
            candidate.proven = Some((Value::Win, Origin::Table(table.path().to_path_buf())));
        }
        if let Some(symmetry) = mirror(&self.symmetries, duel.without_dead_cells(&self.board)) {
            candidates.iter_mut().for_each(|candidate| candidate.proven = Some((Value::Loss, Origin::Mirror(symmetry))));
        }
    }

    /// Solves the moves one by one until one of them wins.
    fn prove(&self, view: View<W>, candidates: &mut [Candidate], control: &Control) -> Result<(), Stopped> {
        for candidate in candidates.iter_mut().filter(|candidate| candidate.proven.is_none()) {
            let before = control.nodes();
            let value = !self.value(view.after(candidate.to), control)?;
            candidate.effort = control.nodes() - before;
            candidate.proven = Some((value, self.origin(view.after(candidate.to), candidate.effort)));
            if value == Value::Win {
                break;
            }
        }
        Ok(())
    }

    /// Whether the mover of a view wins.
    fn value(&self, view: View<W>, control: &Control) -> Result<Value, Stopped> {
        // What tables know is told without a look at the clock, and of placements there are many.
        if control.is_stopped() {
            return Err(Stopped);
        }
        match view {
            View::Duel(duel) => self.solver.value(duel, control),
            View::Placed { first, free } => match self.solver.weak(free, first, control)? {
                WeakProof::Second(_) => Ok(Value::Win),
                WeakProof::First => Ok(Value::Loss),
            },
            View::Empty(_) => Err(Stopped),
        }
    }

    /// Where the value of a view comes from that was solved with so many nodes.
    fn origin(&self, view: View<W>, effort: u64) -> Origin {
        let separated = |duel: Duel<W>| {
            let (region, others_region) = duel.regions(&self.board);
            region.is_disjoint(others_region)
        };
        match view {
            View::Duel(duel) if separated(duel) => Origin::Separated,
            _ if effort == 0 => Origin::Moves,
            _ => Origin::Solved,
        }
    }
}

/// With so many live cells at most, plies are counted.
const COUNTED: usize = 26;

/// Of the time that is left once the winner is known, the part for hurrying or for traps, in percent.
const FOR_HURRY: u32 = 50;

/// Of the time that is then left, the part for the expected line.
const FOR_LINE: u32 = 25;

impl<W: Word> Best<W> {
    /// Finds out how soon the game ends after each move that has this value, or may have it, as far as the control allows.
    fn count(&self, view: View<W>, candidates: &mut [Candidate], value: Value, control: &Control) {
        let wanted = |candidate: &&mut Candidate| candidate.plies.is_none() && candidate.value() != Some(!value);
        for candidate in candidates.iter_mut().filter(wanted) {
            if let View::Duel(duel) = view.after(candidate.to)
                && duel.live(&self.board).len() <= COUNTED
            {
                let Ok(outcome) = self.solver.outcome(duel, control) else { break };
                let outcome = outcome.one_ply_before();
                candidate.proven.get_or_insert((outcome.value(), Origin::Solved));
                candidate.plies = Some(outcome.plies());
            }
        }
    }

    /// The shortest of the ways to win that can be counted, or else the first.
    fn hurry(&self, view: View<W>, candidates: &mut [Candidate], control: &Control) -> Candidate {
        self.count(view, candidates, Value::Win, control);
        let wins = candidates.iter().filter(|candidate| candidate.value() == Some(Value::Win));
        let quickest = wins.min_by_key(|candidate| candidate.plies.unwrap_or(usize::MAX));
        quickest.expect("a move is proven to win").clone()
    }

    /// The move after which the opponent is most likely to go wrong, if all of them lose.
    ///
    /// That is the one that leaves the fewest replies that win, as a share of all replies; among equals the one that lasts longest, if that can be counted, and then the one
    /// whose proof took the most work. What the time does not allow to find out is left out.
    fn trap(&self, view: View<W>, candidates: &mut [Candidate], control: &Control) -> Candidate {
        let count = |candidate: &Candidate| -> Result<(usize, usize), Stopped> {
            let after = view.after(candidate.to);
            let (mut winning, mut all) = (0, 0);
            for reply in after.moves(&self.board) {
                all += 1;
                winning += usize::from(self.value(after.after(reply), control)? == Value::Loss);
            }
            Ok((winning, all))
        };
        // The most work first: if the time runs out, those are the likeliest traps.
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.effort));
        let counted: Vec<_> = candidates.iter().map_while(|candidate| count(candidate).ok()).collect();
        self.count(view, candidates, Value::Loss, control);
        let likelihood = |(number, candidate): &(usize, &Candidate)| {
            let (winning, all) = counted[*number];
            (winning * 1000 / all.max(1), usize::MAX - candidate.plies.unwrap_or(0), u64::MAX - candidate.effort)
        };
        let likeliest = candidates.iter().enumerate().take(counted.len()).min_by_key(likelihood);
        likeliest.map_or(&candidates[0], |(_, candidate)| candidate).clone()
    }

    /// The line that is expected: where the plies are known the winner hurries and the loser delays.
    fn line(&self, view: View<W>, to: Cell, counted: bool, control: &Control) -> Vec<Cell> {
        if let (View::Duel(duel), true) = (view.after(to), counted)
            && let Ok(rest) = self.solver.expected_line(Question::Distance, duel, control)
        {
            return [to].into_iter().chain(rest).collect();
        }
        self.line_after(view, to, control)
    }

    /// The line after a move, as far as it can be found before the control stops: the winner plays the first move that wins, the loser the most promising one.
    fn line_after(&self, view: View<W>, to: Cell, control: &Control) -> Vec<Cell> {
        let mut line = vec![to];
        let mut view = view.after(to);
        while let View::Duel(duel) = view {
            let moves = Promising::new(&self.board, duel);
            let mut next = moves.moves().first().copied();
            for &to in moves.moves() {
                match self.solver.value(duel.play_unchecked(to), control) {
                    Ok(Value::Loss) => {
                        next = Some(to);
                        break;
                    }
                    Ok(Value::Win) => {}
                    Err(Stopped) => return line,
                }
            }
            let Some(to) = next else { break };
            line.push(to);
            view = view.after(to);
        }
        line
    }

    /// After how many plies the game ends, the winner hurrying and the loser delaying, if that is known and the chosen move is a move of such a game.
    fn plies(candidates: &[Candidate], value: Value, chosen: &Candidate) -> Option<usize> {
        if chosen.plies == Some(1) {
            // Nothing is quicker.
            return chosen.plies;
        }
        let counts = candidates.iter().filter(|candidate| candidate.value() != Some(!value)).map(|candidate| candidate.plies);
        let counts = counts.collect::<Option<Vec<usize>>>()?;
        let best = if value == Value::Win { counts.into_iter().min() } else { counts.into_iter().max() };
        best.filter(|&best| chosen.plies == Some(best))
    }

    fn proven(&self, view: View<W>, candidates: &[Candidate], chosen: &Candidate, clock: &Clock) -> Decision {
        let (value, origin) = chosen.proven.clone().expect("only what is proven is asked for");
        let plies = Self::plies(candidates, value, chosen);
        let for_line = part(clock, FOR_LINE);
        let line = if self.manner.tells_line { self.line(view, chosen.to, plies.is_some(), &for_line) } else { vec![chosen.to] };
        let basis = Basis::Proven { value, plies, by: Proof::Known(origin) };
        Decision { to: chosen.to, basis, line, nodes: clock.control.nodes() }
    }
}

/// The likely number of nodes to solve a position with so many live cells, as a power of two: openings of 7x7 take some 2^17.5, one of 8x8 took 2^26.
fn likely_effort(live: usize) -> f64 {
    17.5 + 0.57 * (live as f64 - 47.0)
}

/// How many nodes a microsecond has room for, a guess on the safe side.
fn speed<W: Word>() -> f64 {
    if W::BITS == u64::BITS { 5.0 } else { 2.0 }
}

/// The nodes for proofs, and for whatever else is not the lookahead, where the limit is a depth, or there is none.
const NODES_WITHOUT_LIMIT: u64 = 100_000;

/// This share, in percent, of what the clock still allows.
fn part(clock: &Clock, percent: u32) -> Control {
    let is_limited = clock.control.time_left().is_some() || clock.control.nodes_left().is_some();
    if is_limited && clock.depth.is_none() {
        clock.control.share(percent)
    } else {
        clock.control.part_of_nodes(NODES_WITHOUT_LIMIT)
    }
}

impl<W: Word> Best<W> {
    /// The part of the work that goes to proof: most of it where it is likely to come to an end, and little where it is not.
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

impl<W: Word> Thinker<W> for Best<W> {
    fn think(&mut self, position: &Position<W>, clock: &Clock, tell: &mut dyn FnMut(&Decision)) -> Decision {
        let view = View::of(position);
        let control = &clock.control;
        let mut candidates = self.candidates(view);
        self.look_at_own(view, &mut candidates);
        candidates.iter_mut().for_each(|candidate| self.look(view, candidate));
        if candidates.iter().all(|candidate| candidate.value() != Some(Value::Win)) {
            // What is proven until the time is over counts, whether or not all of it could be.
            let _ = self.prove(view, &mut candidates, &self.for_proof(view, clock));
        }
        if candidates.iter().any(|candidate| candidate.value() == Some(Value::Win)) {
            let chosen = self.hurry(view, &mut candidates, &part(clock, FOR_HURRY));
            return self.proven(view, &candidates, &chosen, clock);
        }
        if candidates.iter().all(|candidate| candidate.proven.is_some()) {
            let chosen = self.trap(view, &mut candidates, &part(clock, FOR_HURRY));
            return self.proven(view, &candidates, &chosen, clock);
        }
        let open: Vec<Cell> =
            candidates.iter().filter(|candidate| candidate.proven.is_none()).map(|candidate| candidate.to).collect();
        if !self.manner.guesses {
            return Decision { to: open[0], basis: Basis::NoProof, line: vec![open[0]], nodes: control.nodes() };
        }
        let found = self
            .lookahead
            .best(view, &open, clock.most_depth(), control, |found| tell(&Decision::from_lookahead(found, control.nodes())));
        Decision::from_lookahead(&found.expect("a position to think about has a move"), control.nodes())
    }
}
