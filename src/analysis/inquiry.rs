//! The work on one position, in stages: what costs nothing, who wins, in how many plies, the line.
//!
//! Each stage leaves something true behind. A limit that runs out cuts the answer short, and
//! nothing in it becomes a guess. After each stage, and within the long ones as results come in,
//! the inquiry reports the answer as it stands.
//!
//! All work is done on the canonical image of the position and mapped back at the end. So images of
//! a position get images of one answer, also where several moves are equally good.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use super::conclude::{conclude, rank};
use super::view::View;
use super::{Analysis, Judged, Request};
use crate::game::board::Board;
use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;
use crate::game::outcome::Value;
use crate::game::position::Position;
use crate::game::symmetry::{Symmetries, Symmetry};
use crate::solve::{Control, Known, NODES_AT_HAND, Origin, Question, Solver, ordered};

/// The line gets a quarter of the time that is left before plies are counted, but no more than
/// this.
const MOST_TIME_FOR_LINE: Duration = Duration::from_millis(250);

/// On boards of up to this many cells plies are counted before both knights are placed: all
/// openings of 5x6 take about two seconds.
const MOST_CELLS_TO_COUNT_PLACEMENTS: usize = 30;

/// The least time between two reports within a stage.
const BETWEEN_REPORTS: Duration = Duration::from_millis(50);

/// Stops the work under a control when the thread that waits for it panics.
struct StopOnPanic<'a>(&'a Control);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// One answer in the making.
pub(super) struct Inquiry<'a, W> {
    solver: &'a Solver<W>,
    symmetries: &'a Symmetries<W>,
    position: &'a Position,
    /// The canonical image of the position, and the symmetry that leads there.
    root: View<W>,
    symmetry: Symmetry,
    /// The control of the whole inquiry, and that of the stage at work.
    whole: Arc<Control>,
    control: Arc<Control>,
    started: Instant,
    /// What is known of canonical views themselves, whatever may follow from their moves. `None` if
    /// only a search can tell.
    facts: HashMap<View<W>, Option<Known>>,
    tables: BTreeSet<PathBuf>,
    /// The line, and whether it goes on to the end of the game.
    line: (Vec<Cell>, bool),
    report: &'a mut dyn FnMut(&Analysis),
    reported: Instant,
}

impl<'a, W: Word> Inquiry<'a, W> {
    pub(super) fn new(
        solver: &'a Solver<W>,
        symmetries: &'a Symmetries<W>,
        position: &'a Position,
        control: &Arc<Control>,
        report: &'a mut dyn FnMut(&Analysis),
    ) -> Self {
        let (root, symmetry) = View::of(position).canonical(solver.board(), symmetries);
        let (whole, control, started) = (Arc::clone(control), Arc::clone(control), Instant::now());
        let (facts, tables, line) = (HashMap::new(), BTreeSet::new(), (Vec::new(), false));
        Self {
            solver,
            symmetries,
            position,
            root,
            symmetry,
            whole,
            control,
            started,
            facts,
            tables,
            line,
            report,
            reported: started,
        }
    }

    /// All that is asked for, as far as the control allows.
    pub(super) fn answer(mut self, request: Request) -> Analysis {
        self.publish();
        self.find_winner(request.every_move);
        // Who wins the empty board follows from its placements alone.
        if request.every_move || matches!(self.root, View::Empty(_)) {
            self.publish();
            self.find_winners_of_moves();
        }
        if let Some(time) = request.plies.filter(|_| self.may_count()) {
            self.publish();
            self.count_plies(time, request.every_move);
        }
        self.publish();
        self.control = Arc::new(self.control.part(Some(request.line)));
        self.line = self.find_line();
        self.snapshot()
    }

    /// Reports the answer as it stands.
    fn publish(&mut self) {
        let analysis = self.snapshot();
        (self.report)(&analysis);
        self.reported = Instant::now();
    }

    /// Reports the answer, unless the last report was a moment ago.
    fn publish_now_and_then(&mut self) {
        if self.reported.elapsed() >= BETWEEN_REPORTS {
            self.publish();
        }
    }

    /// The answer as it stands, on the board that was asked about.
    fn snapshot(&mut self) -> Analysis {
        let moves = self.judged(self.root);
        let known = self.conclusion_from(&moves);
        let (symmetry, size) = (self.symmetry, self.board().size());
        let back = |cell| self.symmetries.cell(symmetry.inverse(), cell);
        let before = |known: Option<Known>| known.map(|known| known.before(symmetry, size));
        let is_over = moves.is_empty();
        Analysis {
            position: self.position.setup(),
            known: before(known),
            moves: moves.into_iter().map(|judged| Judged { to: back(judged.to), known: before(judged.known) }).collect(),
            line: self.line.0.iter().map(|&to| back(to)).collect(),
            line_complete: self.line.1 || is_over,
            tables: self.tables.iter().cloned().collect(),
            nodes: self.whole.nodes(),
            seconds: self.started.elapsed().as_secs_f64(),
        }
    }

    fn board(&self) -> &'a Board<W> {
        self.solver.board()
    }
}

/// What costs nothing.
impl<W: Word> Inquiry<'_, W> {
    fn moves(&self, view: View<W>) -> impl Iterator<Item = Cell> + use<W> {
        view.moves(self.board()).into_iter()
    }

    /// What is known of a view itself.
    fn fact(&mut self, view: View<W>) -> Option<Known> {
        let (canonical, symmetry) = view.canonical(self.board(), self.symmetries);
        let fact = match self.facts.get(&canonical) {
            Some(fact) => fact.clone(),
            None => {
                let fact = self.at_hand(canonical);
                self.facts.insert(canonical, fact.clone());
                fact
            }
        };
        fact.map(|known| known.before(symmetry, self.board().size()))
    }

    /// What is known of a canonical view without a search.
    fn at_hand(&mut self, view: View<W>) -> Option<Known> {
        let View::Duel(duel) = view else {
            return view.moves(self.board()).is_empty().then(Known::over);
        };
        let control = self.control.part_of_nodes(NODES_AT_HAND);
        let known = self.solver.at_hand_of_canonical(duel, &control).ok()?;
        if let Some(Known { origin: Origin::Table(path), .. }) = &known {
            self.tables.insert(path.to_path_buf());
        }
        known
    }

    /// Adds what was found out about a view to what was known of it before. The first origin is
    /// kept: it was the cheaper one.
    fn learn(&mut self, view: View<W>, before: Option<Known>, found: Known) {
        let (canonical, symmetry) = view.canonical(self.board(), self.symmetries);
        let merged = Known::merged(before, Some(found));
        let merged = merged.map(|known| known.before(symmetry.inverse(), self.board().size()));
        self.facts.insert(canonical, merged);
    }

    /// What is known of a view, also by its moves: through the placements, and then one move deep.
    fn known(&mut self, view: View<W>) -> Option<Known> {
        let fact = self.fact(view);
        if fact.as_ref().is_some_and(|fact| fact.count.is_some()) {
            return fact;
        }
        let one_move_on = |inquiry: &mut Self, to| match view {
            View::Duel(_) => inquiry.fact(view.after(to)),
            View::Empty(_) | View::Placed { .. } => inquiry.known(view.after(to)),
        };
        let moves: Vec<_> = self.moves(view).map(|to| (to, one_move_on(self, to).map(Known::one_ply_before))).collect();
        Known::merged(fact, conclude(&moves))
    }

    /// Every move with what is known of it, best first.
    fn judged(&mut self, view: View<W>) -> Vec<Judged> {
        let (own, moves) = (self.fact(view), view.moves(self.board()));
        let judge = |to| {
            // A table's winning move wins, whatever else is known of it.
            let named = own.as_ref().filter(|own| own.winning_move == Some(to));
            let named = named.map(|own| Known::winner(Value::Win, own.origin.clone()));
            Judged { to, known: Known::merged(named, self.known(view.after(to)).map(Known::one_ply_before)) }
        };
        let mut moves: Vec<Judged> = moves.into_iter().map(judge).collect();
        moves.sort_by_key(|judged| rank(judged.known.as_ref()));
        moves
    }

    /// What is known of the position: by itself, and by its moves.
    pub(super) fn conclusion(&mut self) -> Option<Known> {
        let moves = self.judged(self.root);
        self.conclusion_from(&moves)
    }

    fn conclusion_from(&mut self, moves: &[Judged]) -> Option<Known> {
        let known: Vec<_> = moves.iter().map(|judged| (judged.to, judged.known.clone())).collect();
        let follows = if known.is_empty() { None } else { conclude(&known) };
        Known::merged(self.fact(self.root), follows)
    }
}

/// Who wins.
impl<W: Word> Inquiry<'_, W> {
    /// The position as a whole comes first, because the solver knows best which move to try first,
    /// and because a loss decides all moves. If the other moves are not asked for, a win still
    /// needs its move.
    fn find_winner(&mut self, every_move: bool) {
        let root = self.root;
        if self.conclusion().is_none() {
            self.solve(root);
        }
        match self.conclusion() {
            Some(known) if known.value == Value::Loss => {
                for to in self.moves(root) {
                    if self.known(root.after(to)).is_none() {
                        self.learn(root.after(to), None, Known::winner(Value::Win, known.origin.clone()));
                    }
                }
            }
            Some(known) if known.winning_move.is_none() && !every_move => {
                self.winning_move(root);
            }
            _ => {}
        }
    }

    /// Who wins by every move.
    fn find_winners_of_moves(&mut self) {
        let root = self.root;
        let judged = self.judged(root);
        let open: Vec<View<W>> = judged.iter().filter(|judged| judged.known.is_none()).map(|j| root.after(j.to)).collect();
        let mut duels: Vec<Duel<W>> = open.iter().filter_map(|next| next.duel()).collect();
        // A player with few moves is soon beaten.
        let board = self.board();
        duels.sort_by_key(|duel| (duel.moves(board).len(), duel.live(board).len()));
        self.ask(Question::Winner, &duels, &Arc::clone(&self.control));
        for next in open {
            if matches!(next, View::Placed { .. }) && self.known(next).is_none() {
                self.solve(next);
                self.publish_now_and_then();
            }
        }
    }

    /// Who wins a view, by a search. `None` if it was stopped first.
    fn solve(&mut self, view: View<W>) -> Option<Value> {
        if self.control.is_stopped() {
            return None;
        }
        let found = match view {
            View::Duel(duel) => self.solver.answer(Question::Winner, duel, &self.control).ok()?,
            View::Placed { first, free } => self.solver.weak(free, first, &self.control).ok()?.known(),
            // Its placements are asked one by one.
            View::Empty(_) => return None,
        };
        let (value, before) = (found.value, self.known(view));
        self.learn(view, before, found);
        Some(value)
    }

    /// Asks the solver about many duels at once, one of each symmetry class.
    fn ask(&mut self, question: Question, duels: &[Duel<W>], control: &Arc<Control>) {
        let mut seen = HashSet::new();
        let canonical = duels.iter().map(|&duel| self.symmetries.canonical(self.board(), duel).duel);
        let duels: Vec<Duel<W>> = canonical.filter(|&duel| seen.insert(duel)).collect();
        if duels.is_empty() || control.is_stopped() {
            return;
        }
        // What was known is noted down first, so that the answer does not depend on which result
        // comes first.
        let before: Vec<Option<Known>> = duels.iter().map(|&duel| self.known(View::Duel(duel))).collect();
        let (solver, (found, results)) = (self.solver, channel());
        let control = control.part(None);
        std::thread::scope(|scope| {
            let (duels, control) = (&duels, &control);
            // If a report panics, nobody waits for the results that are left.
            let _stop = StopOnPanic(control);
            scope.spawn(move || {
                solver.answers(question, duels, control, |index, known| drop(found.send((index, known.clone()))));
            });
            for (index, known) in results {
                self.learn(View::Duel(duels[index]), before[index].clone(), known);
                self.publish_now_and_then();
            }
        });
    }
}

/// In how many plies.
impl<W: Word> Inquiry<'_, W> {
    /// Whether counting can succeed: before the knights are placed, the plies of larger boards are
    /// out of reach, and looking for them only costs time.
    fn may_count(&self) -> bool {
        matches!(self.root, View::Duel(_)) || self.board().size().cells() <= MOST_CELLS_TO_COUNT_PLACEMENTS
    }

    /// Counts plies within this time, but leaves some of the whole for the line: those of all
    /// moves, or, in a won position whose other moves are not asked for, those of the position and
    /// of one quickest move.
    fn count_plies(&mut self, time: Duration, every_move: bool) {
        let root = self.root;
        let for_moves = |left: Duration| left - (left / 4).min(MOST_TIME_FOR_LINE);
        let time = self.control.time_left().map_or(time, |left| time.min(for_moves(left)));
        let control = Arc::new(self.control.part(Some(time)));
        if let (View::Duel(duel), Some(known)) = (root, self.conclusion())
            && known.value == Value::Win
            && !every_move
        {
            let whole = std::mem::replace(&mut self.control, Arc::clone(&control));
            self.ask(Question::Distance, &[duel], &control);
            if let Some(plies) = self.fact(root).and_then(|known| known.plies()) {
                self.move_that_takes(root, Value::Win, plies);
            }
            self.control = whole;
            return;
        }
        // The best moves first: the position's own outcome and the line depend on them.
        let uncounted = |judged: &Judged| judged.known.as_ref().is_none_or(|known| known.count.is_none());
        let open: Vec<View<W>> = self.judged(root).into_iter().filter(uncounted).map(|judged| root.after(judged.to)).collect();
        let mut duels = Vec::new();
        for &next in &open {
            match next {
                View::Duel(duel) => duels.push(duel),
                placed => duels.extend(self.replies_that_count(placed, &control)),
            }
        }
        self.ask(Question::Distance, &duels, &control);
    }

    /// The openings whose plies decide those of a placement: if some reply wins, all that do;
    /// otherwise all.
    fn replies_that_count(&mut self, placed: View<W>, control: &Arc<Control>) -> Vec<Duel<W>> {
        let replies: Vec<Duel<W>> = self.moves(placed).filter_map(|to| placed.after(to).duel()).collect();
        let open: Vec<Duel<W>> = replies.iter().copied().filter(|&duel| self.known(View::Duel(duel)).is_none()).collect();
        self.ask(Question::Winner, &open, control);
        let wins = self.known(placed).is_some_and(|known| known.value == Value::Win);
        let counts = |known: Option<Known>| known.is_none_or(|k| k.count.is_none() && !(wins && k.value == Value::Win));
        replies.into_iter().filter(|&duel| counts(self.known(View::Duel(duel)))).collect()
    }
}

/// The line.
impl<W: Word> Inquiry<'_, W> {
    /// The line from the best move on, and whether it goes on to the end.
    fn find_line(&mut self) -> (Vec<Cell>, bool) {
        let moves = self.judged(self.root);
        let known = self.conclusion_from(&moves);
        let best = super::best(known.as_ref(), &moves);
        let Some((best, known)) = best.and_then(|best| Some((best.to, best.known.as_ref()?))) else {
            return (Vec::new(), moves.is_empty());
        };
        let mut line = vec![best];
        let (mut view, mut value, mut plies) = (self.root.after(best), !known.value, known.plies().map(|plies| plies - 1));
        while self.moves(view).next().is_some() {
            plies = plies.or_else(|| self.known(view)?.plies());
            let next = match (plies, value) {
                (Some(plies), _) => self.move_that_takes(view, value, plies),
                (None, Value::Win) => self.winning_move(view),
                (None, Value::Loss) => self.moves(view).next(),
            };
            let Some(to) = next else {
                return (line, false);
            };
            line.push(to);
            (view, value, plies) = (view.after(to), !value, plies.map(|plies| plies - 1));
        }
        (line, true)
    }

    /// The first move after which the game takes this many plies in all, as it does when both play
    /// their best.
    fn move_that_takes(&mut self, view: View<W>, value: Value, plies: usize) -> Option<Cell> {
        for to in self.moves(view) {
            // Only a winning move can be the winner's; the rest need not be counted.
            let next = view.after(to);
            if self.value(next)? != value && self.plies(next)? + 1 == plies {
                return Some(to);
            }
        }
        None
    }

    /// A winning move: one that is known, or else the first that a search finds.
    fn winning_move(&mut self, view: View<W>) -> Option<Cell> {
        if let Some(to) = self.known(view).and_then(|known| known.winning_move) {
            return Some(to);
        }
        let moves = match view {
            View::Duel(duel) => ordered(self.board(), duel),
            placing => self.moves(placing).collect(),
        };
        for to in moves {
            if self.value(view.after(to))? == Value::Loss {
                return Some(to);
            }
        }
        None
    }

    fn value(&mut self, view: View<W>) -> Option<Value> {
        match self.known(view) {
            Some(known) => Some(known.value),
            None => self.solve(view),
        }
    }

    fn plies(&mut self, view: View<W>) -> Option<usize> {
        if self.known(view).is_none_or(|known| known.count.is_none()) {
            let control = Arc::clone(&self.control);
            let duels = match view {
                View::Duel(duel) => vec![duel],
                placed => self.replies_that_count(placed, &control),
            };
            self.ask(Question::Distance, &duels, &control);
        }
        self.known(view)?.plies()
    }
}
