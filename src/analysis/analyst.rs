//! How an answer is found: first what costs nothing, then who wins, then in how many plies, then the line.
//!
//! Whatever the time, each stage leaves something true behind: a limit that runs out cuts the answer short, and nothing in it becomes a guess.
//!
//! All of it is done on the canonical image of the position, and mapped back at the end. So images of a position get images of one answer,
//! also where several moves are equally good.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::finding::{Finding, Origin, rank};
use super::view::View;
use super::{Analysis, Judged, best};
use crate::board::{Board, Size};
use crate::cells::{Cell, Word};
use crate::duel::Duel;
use crate::outcome::{Outcome, Value};
use crate::position::Position;
use crate::solve::{Control, Known, Question, Settings, Solver, SolverError, Source, WeakProof, mirror};
use crate::symmetry::Symmetries;
use crate::table::{Kind, Proven, Shelf, Table};

/// Of the time that is left when all winners are known, the line gets at least one part in so many.
const PART_FOR_LINE: u32 = 4;

/// On boards of up to so many cells plies are searched before the knights are placed: all openings of 5x6 take some two seconds.
const MOST_CELLS_TO_COUNT_PLACEMENTS: usize = 30;

/// The solver asks the same tables.
impl<W: Word> Source<W> for Shelf<W> {
    fn look_up(&self, duel: Duel<W>) -> Option<Known> {
        Self::look_up(self, duel).map(|(proven, _)| match proven {
            Proven::Outcome(outcome) => Known::Outcome(outcome),
            Proven::Lost | Proven::Won(_) => Known::Value(proven.value()),
        })
    }

    fn fewest_live(&self) -> usize {
        let fewest = |table: &Table<W>| match table.kind() {
            Kind::Strong => 0,
            Kind::Opening => table.depth() + 1,
        };
        // Without tables nobody need be asked at all.
        self.tables().map(fewest).min().unwrap_or(usize::MAX)
    }
}

/// Answers questions about the positions of one board, and remembers what it has solved.
pub struct Analyst<W> {
    shelf: Arc<Shelf<W>>,
    solver: Solver<W>,
    symmetries: Symmetries<W>,
}

impl<W: Word> Analyst<W> {
    /// An analyst for boards of this size, with these tables of such boards.
    ///
    /// # Errors
    /// If the system does not give the threads or the memory.
    ///
    /// # Panics
    /// If the size does not fit into the word: see [`Size::fits`].
    pub fn new(size: Size, settings: Settings, shelf: Shelf<W>) -> Result<Self, SolverError> {
        Self::sharing(size, settings, Arc::new(shelf))
    }

    /// The same with tables that somebody else uses, too.
    ///
    /// # Errors
    /// If the system does not give the threads or the memory.
    pub fn sharing(size: Size, settings: Settings, shelf: Arc<Shelf<W>>) -> Result<Self, SolverError> {
        let solver = Solver::new(size, settings)?.with_source(Arc::<Shelf<W>>::clone(&shelf));
        Ok(Self { symmetries: Symmetries::new(solver.board()), shelf, solver })
    }

    /// The tables.
    #[must_use]
    pub fn shelf(&self) -> &Shelf<W> {
        &self.shelf
    }

    /// The solver.
    #[must_use]
    pub fn solver(&self) -> &Solver<W> {
        &self.solver
    }

    /// All that can be said of a position within the limits. With [`Question::Winner`] no plies are searched; those of tables are told all the same.
    ///
    /// The answer depends on the position and the tables alone, as long as the time suffices.
    #[must_use]
    pub fn analyse(&self, position: &Position<W>, question: Question, control: &Arc<Control>) -> Analysis {
        let started = Instant::now();
        let (view, symmetry) = View::of(position).canonical(self.board(), &self.symmetries);
        let mut work = Work { analyst: self, control, facts: HashMap::new(), tables: BTreeSet::new() };
        work.find_winners(view);
        if question == Question::Distance && work.may_count(view) {
            work.count_plies(view);
        }
        let (moves, finding) = (work.judged(view), work.finding(view));
        let (line, line_complete) = work.line(view, best(finding.as_ref(), &moves));
        let back = |cell| self.symmetries.cell(symmetry.inverse(), cell);
        let before = |finding: Option<Finding>| finding.map(|finding| finding.before(symmetry));
        Analysis {
            position: position.setup(),
            finding: before(finding),
            moves: moves.into_iter().map(|judged| Judged { to: back(judged.to), finding: before(judged.finding) }).collect(),
            line: line.into_iter().map(back).collect(),
            line_complete,
            tables: work.tables.into_iter().collect(),
            nodes: control.nodes(),
            seconds: started.elapsed().as_secs_f64(),
        }
    }

    fn board(&self) -> &Board<W> {
        self.solver.board()
    }
}

/// One answer in the making.
struct Work<'a, W> {
    analyst: &'a Analyst<W>,
    control: &'a Arc<Control>,
    /// What is known of canonical views themselves, whatever may follow from their moves. None: nothing that costs nothing.
    facts: HashMap<View<W>, Option<Finding>>,
    tables: BTreeSet<PathBuf>,
}

/// What costs nothing.
impl<W: Word> Work<'_, W> {
    fn moves(&self, view: View<W>) -> impl Iterator<Item = Cell> + use<W> {
        view.moves(self.analyst.board()).into_iter()
    }

    /// What is known of a view itself.
    fn fact(&mut self, view: View<W>) -> Option<Finding> {
        let (canonical, symmetry) = view.canonical(self.analyst.board(), &self.analyst.symmetries);
        let fact = match self.facts.get(&canonical) {
            Some(fact) => fact.clone(),
            None => {
                let fact = self.look(canonical);
                self.facts.insert(canonical, fact.clone());
                fact
            }
        };
        fact.map(|finding| finding.before(symmetry))
    }

    /// What the rules, a table or a mirror say of a canonical view.
    fn look(&mut self, view: View<W>) -> Option<Finding> {
        if view.moves(self.analyst.board()).is_empty() {
            return Some(Finding::over());
        }
        let View::Duel(duel) = view else {
            return None;
        };
        if let Some((proven, table)) = self.analyst.shelf.look_up(duel) {
            self.tables.insert(table.path().to_path_buf());
            return Some(Finding::in_table(proven, table.path()));
        }
        mirror(&self.analyst.symmetries, duel).map(|mirror| Finding::winner(Value::Loss, Origin::Mirror(mirror)))
    }

    /// Notes what was found of a view. What was known before, if only by its moves, keeps its origin: that was cheaper.
    fn learn(&mut self, view: View<W>, finding: Finding) {
        let known = self.known(view);
        let (canonical, symmetry) = view.canonical(self.analyst.board(), &self.analyst.symmetries);
        let merged = Finding::merged(known, Some(finding)).map(|finding| finding.before(symmetry.inverse()));
        self.facts.insert(canonical, merged);
    }

    /// What is known of a view, also by what is known of its moves: through the placements, and then one move far.
    fn known(&mut self, view: View<W>) -> Option<Finding> {
        let fact = self.fact(view);
        if fact.as_ref().is_some_and(|fact| fact.count.is_some()) {
            return fact;
        }
        let one_move_on = |work: &mut Self, to| match view {
            View::Duel(_) => work.fact(view.after(to)),
            View::Empty(_) | View::Placed { .. } => work.known(view.after(to)),
        };
        let moves: Vec<_> = self.moves(view).map(|to| one_move_on(self, to).map(Finding::one_ply_before)).collect();
        Finding::merged(fact, Finding::following_from(&moves))
    }

    /// A table's winning move.
    fn move_in_table(&self, view: View<W>) -> Option<(Cell, Finding)> {
        let View::Duel(duel) = view else {
            return None;
        };
        match self.analyst.shelf.look_up(duel)? {
            (proven @ Proven::Won(to), table) => Some((to, Finding::in_table(proven, table.path()))),
            _ => None,
        }
    }

    /// Every move with what is known of it, best first.
    fn judged(&mut self, view: View<W>) -> Vec<Judged> {
        let (board, in_table) = (self.analyst.board(), self.move_in_table(view));
        let judge = |to| {
            let own = in_table.as_ref().filter(|(winning, _)| *winning == to).map(|(_, finding)| finding.clone());
            let finding = Finding::merged(own, self.known(view.after(to)).map(Finding::one_ply_before));
            Judged { to, finding }
        };
        let mut moves: Vec<Judged> = view.moves(board).into_iter().map(judge).collect();
        moves.sort_by_key(|judged| rank(judged.finding.as_ref()));
        moves
    }

    /// What is known of the position that was asked for: by itself, and by its moves.
    fn finding(&mut self, view: View<W>) -> Option<Finding> {
        let moves: Vec<_> = self.judged(view).into_iter().map(|judged| judged.finding).collect();
        let follows = if moves.is_empty() { None } else { Finding::following_from(&moves) };
        Finding::merged(self.fact(view), follows)
    }
}

/// Who wins.
impl<W: Word> Work<'_, W> {
    /// First the position as a whole, because the solver knows best which move to try first, and because a loss decides all moves; then every move.
    fn find_winners(&mut self, view: View<W>) {
        if self.finding(view).is_none() {
            self.solve(view);
        }
        if let Some(finding) = self.finding(view).filter(|finding| finding.value == Value::Loss) {
            for to in self.moves(view) {
                if self.known(view.after(to)).is_none() {
                    self.learn(view.after(to), Finding::winner(Value::Win, finding.origin.clone()));
                }
            }
        }
        let open: Vec<View<W>> =
            self.judged(view).iter().filter(|judged| judged.finding.is_none()).map(|j| view.after(j.to)).collect();
        let mut duels: Vec<Duel<W>> =
            open.iter().filter_map(|&next| if let View::Duel(duel) = next { Some(duel) } else { None }).collect();
        // Whoever has few moves is soon beaten.
        duels.sort_by_key(|duel| (duel.moves(self.analyst.board()).len(), duel.live(self.analyst.board()).len()));
        self.ask(Question::Winner, &duels, self.control);
        for next in open {
            if matches!(next, View::Placed { .. }) && self.known(next).is_none() {
                self.solve(next);
            }
        }
    }

    /// Who wins a view, by a search. None: stopped before it was found.
    fn solve(&mut self, view: View<W>) -> Option<Value> {
        if self.control.is_stopped() {
            return None;
        }
        let value = match view {
            View::Duel(duel) => self.analyst.solver.value(duel, self.control).ok()?,
            View::Placed { first, free } => match self.analyst.solver.weak(free, first, self.control).ok()? {
                WeakProof::Second(_) => Value::Win,
                WeakProof::First => Value::Loss,
            },
            // Its placements are asked one by one.
            View::Empty(_) => return None,
        };
        self.learn(view, Finding::winner(value, self.work_for(view)));
        Some(value)
    }

    /// What kind of work it is to find the winner of a view.
    fn work_for(&self, view: View<W>) -> Origin {
        match view {
            View::Duel(duel) => {
                let (region, others_region) = duel.regions(self.analyst.board());
                if region.is_disjoint(others_region) { Origin::Separated } else { Origin::Solved }
            }
            _ => Origin::Solved,
        }
    }

    /// Asks the solver about many duels at once, one of each symmetry class.
    fn ask(&mut self, question: Question, duels: &[Duel<W>], control: &Control) {
        let mut seen = HashSet::new();
        let symmetries = &self.analyst.symmetries;
        let canonical = duels.iter().map(|&duel| symmetries.canonical(self.analyst.board(), duel).duel);
        let duels: Vec<Duel<W>> = canonical.filter(|&duel| seen.insert(duel)).collect();
        if duels.is_empty() || control.is_stopped() {
            return;
        }
        let answers = self.analyst.solver.answers(question, &duels, control, |_, _| {});
        for (duel, answer) in duels.into_iter().zip(answers) {
            if let Ok(answer) = answer {
                let (view, origin) = (View::Duel(duel), self.work_for(View::Duel(duel)));
                let finding = match answer.plies {
                    Some(plies) => Finding::counted(Outcome::after(plies), origin),
                    None => Finding::winner(answer.value, origin),
                };
                self.learn(view, finding);
            }
        }
    }
}

/// In how many plies.
impl<W: Word> Work<'_, W> {
    /// Whether there is hope: before the knights are placed, all plies of larger boards are out of reach, and looking for them only costs time.
    fn may_count(&self, view: View<W>) -> bool {
        matches!(view, View::Duel(_)) || self.analyst.board().size().cells() <= MOST_CELLS_TO_COUNT_PLACEMENTS
    }

    /// Counts the plies of all moves, as far as the time goes, but leaves some for the line.
    fn count_plies(&mut self, view: View<W>) {
        let for_moves = |left: Duration| left - left / PART_FOR_LINE;
        let control = self.control.part(self.control.time_left().map(for_moves));
        // The best moves first: the position's own outcome and the line hang on them.
        let uncounted = |judged: &Judged| judged.finding.as_ref().is_none_or(|finding| finding.count.is_none());
        let open: Vec<View<W>> = self.judged(view).into_iter().filter(uncounted).map(|judged| view.after(judged.to)).collect();
        let mut duels = Vec::new();
        for &next in &open {
            match next {
                View::Duel(duel) => duels.push(duel),
                placed => duels.extend(self.replies_that_count(placed, &control)),
            }
        }
        self.ask(Question::Distance, &duels, &control);
    }

    /// The openings whose plies decide those of a placement: if the reply can win, all that do; otherwise all.
    fn replies_that_count(&mut self, placed: View<W>, control: &Control) -> Vec<Duel<W>> {
        let duel = |to| if let View::Duel(duel) = placed.after(to) { Some(duel) } else { None };
        let replies: Vec<Duel<W>> = self.moves(placed).filter_map(duel).collect();
        let open: Vec<Duel<W>> = replies.iter().copied().filter(|&duel| self.known(View::Duel(duel)).is_none()).collect();
        self.ask(Question::Winner, &open, control);
        let wins = self.known(placed).is_some_and(|finding| finding.value == Value::Win);
        let counts = |finding: Option<Finding>| finding.is_none_or(|f| f.count.is_none() && !(wins && f.value == Value::Win));
        replies.into_iter().filter(|&duel| counts(self.known(View::Duel(duel)))).collect()
    }
}

/// The line.
impl<W: Word> Work<'_, W> {
    /// The line from the best move on, and whether it goes on to the end.
    fn line(&mut self, view: View<W>, best: Option<&Judged>) -> (Vec<Cell>, bool) {
        let Some((best, finding)) = best.and_then(|best| Some((best.to, best.finding.as_ref()?))) else {
            return (Vec::new(), self.moves(view).next().is_none());
        };
        let mut line = vec![best];
        let (mut view, mut value, mut plies) = (view.after(best), !finding.value, finding.plies().map(|plies| plies - 1));
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

    /// The first move after which the game takes so many plies in all, as it does when both play their best.
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

    /// A table's winning move, or else the first that is known, or else the first that is found.
    fn winning_move(&mut self, view: View<W>) -> Option<Cell> {
        if let Some((to, _)) = self.move_in_table(view) {
            return Some(to);
        }
        let mut moves = self.moves(view);
        let known_to_win = |&to: &Cell| self.known(view.after(to)).is_some_and(|finding| finding.value == Value::Loss);
        if let Some(to) = moves.find(known_to_win) {
            return Some(to);
        }
        for to in self.moves(view) {
            if self.value(view.after(to))? == Value::Loss {
                return Some(to);
            }
        }
        None
    }

    fn value(&mut self, view: View<W>) -> Option<Value> {
        match self.known(view) {
            Some(finding) => Some(finding.value),
            None => self.solve(view),
        }
    }

    fn plies(&mut self, view: View<W>) -> Option<usize> {
        if self.known(view).is_none_or(|finding| finding.count.is_none()) {
            let duels = match view {
                View::Duel(duel) => vec![duel],
                placed => self.replies_that_count(placed, self.control),
            };
            self.ask(Question::Distance, &duels, self.control);
        }
        self.known(view)?.plies()
    }
}
