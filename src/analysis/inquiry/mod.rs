//! The work on one position, in stages: what costs nothing, who wins, in how many plies, the line.
//!
//! Each stage leaves something true behind. A limit that runs out cuts the answer short, and
//! nothing in it becomes a guess. After each stage, and within the long ones as results come in,
//! the inquiry reports the answer as it stands.
//!
//! All work is done on the canonical image of the position and mapped back at the end. So images of
//! a position get images of one answer, also where several moves are equally good.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

mod facts;

mod so_far;

mod plies;

mod line;

use ahash::AHashMap;

use super::conclude::{conclude, rank};
use super::stubborn::stubborn_move;
use super::view::View;
use super::{Analysis, Judged, Request, best};
use crate::game::board::Board;
use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;
use crate::game::outcome::Value;
use crate::game::position::Position;
use crate::game::symmetry::{Symmetries, Symmetry};
use crate::solve::{Control, Known, Question, Solver, ordered, promising_replies};

pub(super) use plies::would_count;

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

/// The line that is expected.
#[derive(Default)]
struct Line {
    moves: Vec<Cell>,
    /// Whether it goes on to the end of the game.
    complete: bool,
    /// Whether every ply is proven to be the best.
    optimal: bool,
}

impl Line {
    fn begins_with(&self, first: Cell) -> bool {
        self.moves.first() == Some(&first)
    }

    /// How much the line says: more is better.
    fn worth(&self) -> (bool, bool, usize) {
        (self.complete, self.optimal, self.moves.len())
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
    facts: AHashMap<View<W>, Option<Known>>,
    /// What follows for views from the facts, until the next fact is learned.
    conclusions: AHashMap<View<W>, Option<Known>>,
    /// The steps that were taken since a limit was reached: see [`facts`].
    overtime: u64,
    tables: BTreeSet<PathBuf>,
    line: Line,
    /// The nodes and the seconds of the analysis that this one continues.
    spent: (u64, f64),
    /// In a lost position: the move to be named first among those whose plies are not known.
    stubborn: Option<Cell>,
    report: &'a mut dyn FnMut(&Analysis),
    reported: Instant,
    /// Whether something was learned since the last report.
    has_news: bool,
}

impl<'a, W: Word> Inquiry<'a, W> {
    pub(super) fn new(
        solver: &'a Solver<W>,
        position: &'a Position,
        control: &Arc<Control>,
        report: &'a mut dyn FnMut(&Analysis),
    ) -> Self {
        let symmetries = solver.symmetries();
        let (root, symmetry) = View::of(position).canonical(solver.board(), symmetries);
        let (whole, control, started) = (Arc::clone(control), Arc::clone(control), Instant::now());
        Self {
            solver,
            symmetries,
            position,
            root,
            symmetry,
            whole,
            control,
            started,
            facts: AHashMap::new(),
            conclusions: AHashMap::new(),
            overtime: 0,
            tables: BTreeSet::new(),
            line: Line::default(),
            spent: (0, 0.0),
            stubborn: None,
            report,
            reported: started,
            has_news: true,
        }
    }

    /// All that is asked for, as far as the control allows.
    pub(super) fn answer(mut self, request: Request) -> Analysis {
        self.find_everything(request);
        self.snapshot()
    }

    fn find_everything(&mut self, request: Request) {
        if self.whole.is_stopped() {
            self.look_up_openings();
        }
        self.publish();
        self.find_winner(request.every_move);
        // Who wins the empty board follows from its placements alone.
        if request.every_move || matches!(self.root, View::Empty(_)) {
            self.publish_news();
            self.find_winners_of_moves();
        }
        if let Some(time) = request.plies {
            self.publish_news();
            self.count_plies(time, request.every_move);
        }
        self.stubborn = self.most_stubborn();
        self.has_news |= self.stubborn.is_some();
        self.publish_news();
        self.control = Arc::new(self.control.part(Some(request.line)));
        self.line = self.find_line();
    }

    /// Reports the answer as it stands.
    fn publish(&mut self) {
        let analysis = self.snapshot();
        (self.report)(&analysis);
        self.reported = Instant::now();
        self.has_news = false;
    }

    /// Reports the answer if something was learned since the last report.
    fn publish_news(&mut self) {
        if self.has_news {
            self.publish();
        }
    }

    /// The same, unless the last report was a moment ago.
    fn publish_now_and_then(&mut self) {
        if self.reported.elapsed() >= BETWEEN_REPORTS {
            self.publish_news();
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
        // A line that was found earlier is shown as long as it begins with the best move.
        let line = Some(&self.line).filter(|line| best(known.as_ref(), &moves).is_some_and(|best| line.begins_with(best.to)));
        Analysis {
            position: self.position.setup(),
            line: line.map(|line| line.moves.iter().map(|&to| back(to)).collect()).unwrap_or_default(),
            line_complete: is_over || line.is_some_and(|line| line.complete),
            line_optimal: is_over || line.is_some_and(|line| line.optimal),
            known: before(known),
            moves: moves.into_iter().map(|judged| Judged { to: back(judged.to), known: before(judged.known) }).collect(),
            tables: self.tables.iter().cloned().collect(),
            nodes: self.spent.0 + self.whole.nodes(),
            seconds: self.spent.1 + self.started.elapsed().as_secs_f64(),
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

    /// Every move with what is known of it, best first.
    fn judged(&mut self, view: View<W>) -> Vec<Judged> {
        let (own, moves) = (self.fact(view), view.moves(self.board()));
        let judge = |to| {
            // A table's winning move wins, whatever else is known of it.
            let named = own.as_ref().filter(|own| own.winning_move == Some(to));
            let named = named.map(|own| Known::winner(Value::Win, own.origin.clone()));
            Judged { to, known: Known::merged(named, self.known(view.after(to)).map(|known| view.before(known))) }
        };
        let mut moves: Vec<Judged> = moves.into_iter().map(judge).collect();
        moves.sort_by_key(|judged| (rank(judged.known.as_ref()), self.stubborn != Some(judged.to)));
        moves
    }

    /// In a lost position, the move that resists most as far as a short look ahead can tell, among
    /// those whose plies are not known.
    fn most_stubborn(&mut self) -> Option<Cell> {
        let lost = |judged: &Judged| judged.known.as_ref().is_some_and(|known| known.value == Value::Loss);
        let moves = self.judged(self.root);
        if !moves.iter().all(lost) {
            return None;
        }
        let open: Vec<Cell> = moves
            .iter()
            .filter(|judged| judged.known.as_ref().is_some_and(|known| known.count.is_none()))
            .map(|j| j.to)
            .collect();
        self.stubborn_move_of(self.root, &open)
    }

    fn stubborn_move_of(&self, view: View<W>, among: &[Cell]) -> Option<Cell> {
        let moves: Vec<Cell> = self.promising(view).into_iter().filter(|to| among.contains(to)).collect();
        match view {
            View::Duel(duel) => stubborn_move(self.board(), duel, &moves),
            View::Empty(_) | View::Placed { .. } => moves.first().copied(),
        }
    }

    /// The moves, the most promising first. A knight that walks alone goes to the cell with the
    /// fewest ways on, but not into a dead end: that is nearly always on a longest walk.
    fn promising(&self, view: View<W>) -> Vec<Cell> {
        let board = self.board();
        match view {
            View::Duel(duel) => {
                let mut moves = ordered(board, duel);
                let (region, others_region) = duel.regions(board);
                if region.is_disjoint(others_region) {
                    moves.sort_by_key(|&to| (board.knight_moves(to) & region).len().wrapping_sub(1));
                }
                moves
            }
            View::Placed { first, free } => promising_replies(board, free, first),
            View::Empty(free) => {
                let mut cells: Vec<Cell> = free.into_iter().collect();
                cells.sort_by_key(|&cell| std::cmp::Reverse((board.knight_moves(cell) & free).len()));
                cells
            }
        }
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
            let answers = move |found: Sender<(usize, Known)>| {
                solver.answers(question, duels, control, |index, known| drop(found.send((index, known.clone()))));
            };
            let results_on_the_way = found.clone();
            // If the system refuses a thread, all results come at the end.
            match Builder::new().spawn_scoped(scope, move || answers(results_on_the_way)) {
                Ok(_) => drop(found),
                Err(_) => answers(found),
            }
            for (index, known) in results {
                self.learn(View::Duel(duels[index]), before[index].clone(), known);
                self.publish_now_and_then();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::facts::MOST_OVERTIME;
    use super::*;
    use crate::solve::Settings;

    /// The steps that an inquiry takes whose control is stopped from the beginning.
    fn overtime(position: &str) -> u64 {
        fn steps<W: Word>(position: &Position) -> u64 {
            let settings = Settings { threads: std::num::NonZero::<usize>::MIN, memory: Settings::LEAST_MEMORY };
            let solver = Solver::<W>::new(position.size(), settings).unwrap();
            let control = Arc::new(Control::unlimited());
            control.stop();
            let mut report = |_: &Analysis| {};
            let mut inquiry = Inquiry::new(&solver, position, &control, &mut report);
            inquiry.find_everything(Request::everything());
            assert_eq!(control.nodes(), 0, "nothing is searched");
            inquiry.overtime
        }
        let position: Position = position.parse().unwrap();
        crate::game::board::with_word_for!(position.size(), steps(&position))
    }

    /// Whatever the position is, little is done for it once the work should have stopped.
    #[test]
    fn what_is_at_hand_is_found_in_few_steps() {
        for empty in ["7x7", "8x8", "9x9", "5x16"] {
            assert!(overtime(empty) < MOST_OVERTIME, "{empty}: all openings fit");
        }
        for large in ["11x11", "16x8", "8x16", "15x8: h4", "16x8: a1 p8", "11x11: a1"] {
            // The last lookup may compare two walks, which is given up after a few thousand steps.
            assert!(overtime(large) < MOST_OVERTIME + (1 << 13), "{large}");
        }
        // Separated knights whose walks are hard to compare.
        let walks = "N10/11/11/11/***********/***********/11/11/11/11/n10 w";
        assert!((1..4_000).contains(&overtime(walks)), "{}", overtime(walks));
    }
}
