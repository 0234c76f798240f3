//! The front door: questions about the positions of one board, whatever its size.
//!
//! Everything below works with sets of cells in one machine word, `u64` or `u128`. An [`Analyst`]
//! chooses the word, so that its users need not know.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::inquiry::Inquiry;
use super::openings::Openings;
use super::view::View;
use super::weak::WeakSolution;
use super::{Analysis, Request};
use crate::game::board::Size;
use crate::game::cells::{Cell, Word};
use crate::game::position::{Player, Position};
use crate::solve::{Control, Known, ProofCheckpoint, Question, Settings, Solver, SolverError, Stopped, StrategyLogError};
use crate::table::{ByWord, Tablebase, Tables};

/// With at most this many live cells, counting plies takes no time that anybody would notice.
const MOST_LIVE_TO_COUNT: usize = 22;

/// Answers questions about the positions of one board, and remembers what it has solved.
pub struct Analyst {
    tables: Tables,
    checkpoint: Option<Checkpoint>,
    pub(crate) by_word: Solvers,
}

/// The file from which an analyst resumes, and in which it saves what it proves.
#[derive(Debug)]
pub struct Checkpoint {
    /// Where it is.
    pub path: PathBuf,
    /// How many results earlier runs have left.
    pub results: usize,
    fault: Arc<OnceLock<StrategyLogError>>,
}

impl Checkpoint {
    /// Why a result could not be saved, if that has happened.
    #[must_use]
    pub fn fault(&self) -> Option<&StrategyLogError> {
        self.fault.get()
    }
}

pub(crate) enum Solvers {
    Small(Box<Solver<u64>>),
    Large(Box<Solver<u128>>),
}

/// Evaluates an expression with the solver of the word that the board needs.
macro_rules! with_solver {
    ($analyst:expr, $solver:ident => $answer:expr) => {
        match &$analyst.by_word {
            $crate::analysis::Solvers::Small($solver) => $answer,
            $crate::analysis::Solvers::Large($solver) => $answer,
        }
    };
}
pub(crate) use with_solver;

fn solver<W: Word>(size: Size, settings: Settings, tables: &Arc<Tablebase<W>>) -> Result<Box<Solver<W>>, SolverError> {
    Ok(Box::new(Solver::new(size, settings)?.with_source(Arc::<Tablebase<W>>::clone(tables))))
}

impl Analyst {
    /// An analyst for the board of these tables.
    ///
    /// # Errors
    /// If the system refuses the threads or the memory.
    pub fn new(settings: Settings, tables: &Tables) -> Result<Self, SolverError> {
        let by_word = match &tables.by_word {
            ByWord::Small(tablebase) => Solvers::Small(solver(tables.size(), settings, tablebase)?),
            ByWord::Large(tablebase) => Solvers::Large(solver(tables.size(), settings, tablebase)?),
        };
        Ok(Self { tables: tables.clone(), checkpoint: None, by_word })
    }

    /// The same analyst, which saves every answer in this file as soon as it is proven, and begins
    /// with what the file holds already. It serves all positions of the board.
    ///
    /// # Errors
    /// If the system refuses the file, another process uses it, or it is not the checkpoint of this
    /// board.
    pub fn with_checkpoint(self, path: &Path) -> Result<Self, StrategyLogError> {
        fn resumed<W: Word>(
            solver: Solver<W>,
            tablebase: &Arc<Tablebase<W>>,
            path: &Path,
        ) -> Result<(Box<Solver<W>>, Checkpoint), StrategyLogError> {
            let proven = ProofCheckpoint::open(path, solver.board())?.with_answers();
            let checkpoint = Checkpoint { path: path.into(), results: proven.known(), fault: proven.fault() };
            let source = (Arc::<Tablebase<W>>::clone(tablebase), Arc::new(proven));
            Ok((Box::new(solver.with_source(Arc::new(source))), checkpoint))
        }
        let (by_word, checkpoint) = match (self.by_word, &self.tables.by_word) {
            (Solvers::Small(solver), ByWord::Small(tablebase)) => {
                let (solver, checkpoint) = resumed(*solver, tablebase, path)?;
                (Solvers::Small(solver), checkpoint)
            }
            (Solvers::Large(solver), ByWord::Large(tablebase)) => {
                let (solver, checkpoint) = resumed(*solver, tablebase, path)?;
                (Solvers::Large(solver), checkpoint)
            }
            _ => unreachable!("an analyst and its tables have the same word"),
        };
        Ok(Self { checkpoint: Some(checkpoint), by_word, ..self })
    }

    /// The file from which this analyst resumes, if there is one.
    #[must_use]
    pub fn checkpoint(&self) -> Option<&Checkpoint> {
        self.checkpoint.as_ref()
    }

    /// The board.
    #[must_use]
    pub fn size(&self) -> Size {
        self.tables.size()
    }

    /// The tables.
    #[must_use]
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// How full the transposition table is, in thousandths.
    #[must_use]
    pub fn filling(&self) -> u32 {
        with_solver!(self, solver => solver.filling())
    }

    /// Does other work with the solver's threads. That work must not ask the analyst: a question
    /// waits for these threads.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        with_solver!(self, solver => solver.install(work))
    }

    /// Everything that was asked for about a position, as far as the control allows.
    ///
    /// `report` receives the answer each time it has become better: first what costs nothing, then
    /// who wins and by which moves, then in how many plies. The last answer, with the line, is
    /// returned. It depends on the position and the tables alone, as long as the time suffices.
    ///
    /// # Panics
    /// If the position is of another board.
    #[must_use]
    pub fn analyse(
        &self,
        position: &Position,
        request: Request,
        control: &Arc<Control>,
        mut report: impl FnMut(&Analysis),
    ) -> Analysis {
        self.check(position);
        with_solver!(self, solver => Inquiry::new(solver, position, control, &mut report).answer(request))
    }

    /// Like [`Analyst::analyse`], but begins with what an earlier analysis of the same position has
    /// proven, wherever it was made. The answer never gets worse, and nothing is proven again. Its
    /// nodes and its seconds are added to those of the earlier analysis.
    ///
    /// # Panics
    /// If the earlier analysis is of another position, or the position is of another board.
    #[must_use]
    pub fn resume(
        &self,
        so_far: &Analysis,
        position: &Position,
        request: Request,
        control: &Arc<Control>,
        mut report: impl FnMut(&Analysis),
    ) -> Analysis {
        self.check(position);
        assert_eq!(so_far.position, position.setup(), "an analysis is resumed for another position");
        with_solver!(self, solver => {
            let mut inquiry = Inquiry::new(solver, position, control, &mut report);
            inquiry.remember(so_far);
            inquiry.answer(request)
        })
    }

    /// What is known of a position without a search; `None` if only a search can tell.
    ///
    /// # Panics
    /// If the position is of another board.
    #[must_use]
    pub fn at_hand(&self, position: &Position) -> Option<Known> {
        self.check(position);
        with_solver!(self, solver => Inquiry::new(solver, position, &Arc::default(), &mut |_| {}).conclusion())
    }

    /// Who wins a position, with both knights placed or not, and in how many plies if that is asked
    /// and both are placed.
    ///
    /// # Errors
    /// If the control stopped the search before the winner was known.
    ///
    /// # Panics
    /// If the position is of another board.
    pub fn answer(&self, question: Question, position: &Position, control: &Control) -> Result<Known, Stopped> {
        fn answer<W: Word>(
            solver: &Solver<W>,
            question: Question,
            position: &Position,
            control: &Control,
        ) -> Result<Known, Stopped> {
            match View::of(position) {
                View::Duel(duel) => solver.answer(question, duel, control),
                View::Placed { first, free } => Ok(solver.weak(free, first, control)?.known()),
                View::Empty(_) => WeakSolution::find(solver, position, control, || {}).known().ok_or(Stopped),
            }
        }
        self.check(position);
        if position.winner().is_some() {
            return Ok(Known::over());
        }
        with_solver!(self, solver => answer(solver, question, position, control))
    }

    /// Who wins a position, and in how many plies where few live cells make that quick to count.
    ///
    /// # Errors
    /// If the control stopped the search before the winner was known.
    ///
    /// # Panics
    /// If the position is of another board.
    pub fn quick_answer(&self, position: &Position, control: &Arc<Control>) -> Result<Known, Stopped> {
        let few = position.is_duel() && position.live().len() <= MOST_LIVE_TO_COUNT;
        let request = Request { plies: few.then_some(Duration::MAX), line: Duration::ZERO, ..Request::winner() };
        self.analyse(position, request, control, |_| {}).known.ok_or(Stopped)
    }

    /// Who wins a position.
    ///
    /// # Errors
    /// If the control stopped the search.
    ///
    /// # Panics
    /// If the position is of another board.
    pub fn winner(&self, position: &Position, control: &Control) -> Result<Player, Stopped> {
        Ok(self.answer(Question::Winner, position, control)?.winner_at_turn_of(position.turn()))
    }

    /// The line that is expected from a position with both knights placed, to the end of the game;
    /// see [`Solver::expected_line`]. `None` if a knight is missing.
    ///
    /// # Errors
    /// If the control stopped the search.
    ///
    /// # Panics
    /// If the position is of another board.
    pub fn expected_line(
        &self,
        question: Question,
        position: &Position,
        control: &Control,
    ) -> Result<Option<Vec<Cell>>, Stopped> {
        self.check(position);
        with_solver!(self, solver => {
            position.duel().map(|duel| solver.expected_line(question, duel, control)).transpose()
        })
    }

    /// All openings that go on from a position in which the second player has not placed, one of
    /// each class solved. `done` is called as each class is decided that needs a search.
    ///
    /// # Panics
    /// If the position is of another board.
    pub fn openings(&self, start: &Position, question: Question, control: &Control, done: impl Fn() + Sync) -> Openings {
        self.check(start);
        with_solver!(self, solver => Openings::solve(solver, start, question, control, done))
    }

    /// Who wins the board that starts from a position in which the second player has not placed,
    /// with one winning reply to each first placement, or a mirror. `done` is called after each
    /// placement.
    ///
    /// # Panics
    /// If the position is of another board.
    pub fn weak(&self, start: &Position, control: &Control, done: impl Fn()) -> WeakSolution {
        self.check(start);
        with_solver!(self, solver => WeakSolution::find(solver, start, control, done))
    }

    fn check(&self, position: &Position) {
        assert_eq!(position.size(), self.size(), "this analyst knows another board");
    }
}
