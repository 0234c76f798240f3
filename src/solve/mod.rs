//! Exact answers: who wins a duel, an opening, a board, and in how many plies.
//!
//! ```
//! use isolde::{Control, Position, Settings, Solver, Value, notation};
//!
//! let position = Position::<u64>::new(notation::parse("5x5: a1 c3")?)?;
//! let solver = Solver::new(position.size(), Settings::default())?;
//! let duel = position.duel().unwrap();
//! assert_eq!(solver.value(duel, &Control::unlimited()), Ok(Value::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// In the order of their layers: each uses only those above it. The empty lines keep them so.
mod source;

mod control;

mod openings;

mod mirror;

mod regions;

mod memo;

mod proof;

mod general;

mod weights;

mod order;

mod search;

mod split;

mod distance;

mod weak;

mod enumerate;

mod journal;

mod notes;

mod strategy;

use std::fmt;
use std::num::NonZero;
use std::sync::{Arc, Mutex, OnceLock};

use rayon::prelude::*;

use crate::board::{Board, Size};
use crate::cells::{Cell, Word};
use crate::duel::Duel;
use crate::outcome::{Outcome, Value};
use crate::symmetry::Symmetries;
use control::Wanted;
use distance::Distances;
use general::General;
use memo::Memo;
use search::Searcher;
use split::Shared;

pub use control::{Control, Stopped};
pub use enumerate::{
    Enumeration, EnumerationError, EnumerationPhase, EnumerationProgress, Strong, StrongEntries, expected_positions,
};
pub use journal::{Journal, JournalError};
pub use mirror::mirror;
pub use notes::Notes;
pub use openings::{Opening, OpeningClass, opening_classes, winner_by_choice};
pub(crate) use order::promising_replies;
pub use order::{MOST_MOVES, Promising};
pub use source::{Known, Source};
pub use strategy::{StrategyError, StrategyLimits, StrategyProgress, default_depth};
pub use weak::{Reply, WeakProof, board_mirror};

/// How much of the machine a solver may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Threads that search.
    pub threads: NonZero<usize>,
    /// Bytes for what is remembered: the general proofs of each thread, and of the rest one half for values and one for distances, which
    /// is only taken when distances are asked for.
    pub memory: u64,
}

impl Settings {
    /// The least memory that a solver works with.
    pub const LEAST_MEMORY: u64 = 64 << 20;
    /// The memory it takes unless told otherwise.
    pub const DEFAULT_MEMORY: u64 = 256 << 20;
    /// Each thread's memory of general proofs: more of it would leave the processor's cache and help little.
    const MOST_GENERAL: u64 = 8 << 20;

    /// The least memory with which so many threads can solve a board of this size.
    #[must_use]
    pub fn least_memory<W: Word>(size: Size, threads: NonZero<usize>) -> u64 {
        (4 * threads.get() as u64 * General::<W>::least_bytes(size)).max(Self::LEAST_MEMORY)
    }

    /// How much of it each thread has for general proofs, and how much each of the two memos.
    fn shares(self) -> (u64, u64) {
        let threads = self.threads.get() as u64;
        let general = (self.memory / 4 / threads).min(Self::MOST_GENERAL);
        (general, (self.memory - general * threads) / 2)
    }
}

impl Default for Settings {
    /// One thread.
    fn default() -> Self {
        Self { threads: NonZero::<usize>::MIN, memory: Self::DEFAULT_MEMORY }
    }
}

/// What the system would not give.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum SolverError {
    Threads { threads: usize, reason: String },
    Memory { bytes: u64 },
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threads { threads, reason } => write!(f, "the system gives no {threads} threads: {reason}"),
            Self::Memory { bytes } => write!(f, "the system gives no {} MiB of memory", bytes >> 20),
        }
    }
}

impl std::error::Error for SolverError {}

/// An answer about a duel: who wins, and in how many plies if that was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Whether the mover wins.
    pub value: Value,
    /// When the game ends, the winner hurrying and the loser delaying; none if that was not asked, or not found within the limits.
    pub plies: Option<usize>,
}

/// What is wanted to be known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Who wins.
    Winner,
    /// Who wins, and in how many plies.
    Distance,
}

/// Solves the duels of one board, and remembers what it has proven.
pub struct Solver<W> {
    shared: Shared<W>,
    distances: OnceLock<Memo>,
    pool: rayon::ThreadPool,
    memo_bytes: u64,
}

impl<W: Word> Solver<W> {
    /// A solver for boards of this size.
    ///
    /// # Errors
    /// If the system does not give the threads or the memory.
    ///
    /// # Panics
    /// If the size does not fit into the word: see [`Size::fits`].
    pub fn new(size: Size, settings: Settings) -> Result<Self, SolverError> {
        let board = Board::new(size);
        let threads = settings.threads.get();
        let (general, memo_bytes) = settings.shares();
        let shared = Shared {
            symmetries: Symmetries::new(&board),
            memo: Memo::new(size.cells(), memo_bytes, 1)?,
            source: None,
            serial: split::SERIAL,
            searchers: Mutex::new((0..threads).map(|_| Searcher::new(&board, general)).collect()),
            board,
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|fault| SolverError::Threads { threads, reason: fault.to_string() })?;
        Ok(Self { shared, distances: OnceLock::new(), pool, memo_bytes })
    }

    /// The same solver, which asks this source before it searches. What the source says is taken for proven.
    #[must_use]
    pub fn with_source(mut self, source: Arc<dyn Source<W>>) -> Self {
        self.shared.source = Some(source);
        self
    }

    /// The board that is solved.
    #[must_use]
    pub fn board(&self) -> &Board<W> {
        &self.shared.board
    }

    /// How full the memo is, in thousandths.
    #[must_use]
    pub fn filling(&self) -> u32 {
        self.shared.memo.filling()
    }

    /// Does other work with the solver's threads.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// Whether the mover wins.
    ///
    /// # Errors
    /// If the control stopped the search.
    pub fn value(&self, duel: Duel<W>, control: &Control) -> Result<Value, Stopped> {
        // What one thread searches alone need not be handed to another.
        if duel.free.len() <= self.shared.serial {
            return self.shared.mover_wins(duel, &Wanted::by(control)).map(Value::win_if);
        }
        self.pool.install(|| self.shared.mover_wins(duel, &Wanted::by(control))).map(Value::win_if)
    }

    /// Whether the mover wins, if that can be told without going through its moves: by the source, by a mirror, or because the knights are separated.
    ///
    /// # Errors
    /// If the control stopped the search for a longest walk.
    pub fn value_at_hand(&self, duel: Duel<W>, control: &Control) -> Result<Option<Value>, Stopped> {
        let regions = duel.regions(self.board());
        let duel = Duel { free: regions.0 | regions.1, ..duel };
        Ok(self.shared.at_hand(duel, regions, &Wanted::by(control))?.map(Value::win_if))
    }

    /// Whether the mover wins, and in how many plies.
    ///
    /// # Errors
    /// If the control stopped the search.
    pub fn outcome(&self, duel: Duel<W>, control: &Control) -> Result<Outcome, Stopped> {
        let cells = self.board().size().cells();
        let memo = self.distances.get_or_init(|| Memo::new_or_small(cells, self.memo_bytes, distance::RESULT_BITS));
        let distances = Distances { shared: &self.shared, memo, wanted: Wanted::by(control) };
        self.pool.install(|| distances.outcome(duel))
    }

    /// The answer to either question. Who wins is found first: when the limits leave no time for more, the answer has no plies.
    ///
    /// # Errors
    /// If the control stopped the search before that.
    pub fn answer(&self, question: Question, duel: Duel<W>, control: &Control) -> Result<Answer, Stopped> {
        let value = self.value(duel, control)?;
        let plies = match question {
            Question::Winner => None,
            Question::Distance => self.outcome(duel, control).ok().map(Outcome::plies),
        };
        Ok(Answer { value, plies })
    }

    /// Answers for many duels, all threads at work; `done` is told of each as it comes.
    pub fn answers(
        &self,
        question: Question,
        duels: &[Duel<W>],
        control: &Control,
        done: impl Fn(usize, Answer) + Sync,
    ) -> Vec<Result<Answer, Stopped>> {
        let answer = |(index, &duel)| {
            let answer = self.answer(question, duel, control)?;
            done(index, answer);
            Ok(answer)
        };
        self.pool.install(|| duels.par_iter().enumerate().with_max_len(1).map(answer).collect())
    }

    /// The line that is expected, to the end of the game.
    ///
    /// When distances were asked for, the winner hurries and the loser delays. Otherwise the winner plays the first move that wins, and the
    /// loser the first move there is, in the order in which the search tries them. Either way the line depends on nothing but the duel.
    ///
    /// # Errors
    /// If the control stopped the search.
    pub fn expected_line(&self, question: Question, mut duel: Duel<W>, control: &Control) -> Result<Vec<Cell>, Stopped> {
        let mut line = Vec::new();
        while let Some(to) = self.expected_move(question, duel, control)? {
            line.push(to);
            duel = duel.play_unchecked(to);
        }
        Ok(line)
    }

    fn expected_move(&self, question: Question, duel: Duel<W>, control: &Control) -> Result<Option<Cell>, Stopped> {
        let moves = order::ordered(self.board(), duel);
        match question {
            Question::Winner => {
                for &to in &moves {
                    if self.value(duel.play_unchecked(to), control)? == Value::Loss {
                        return Ok(Some(to));
                    }
                }
                Ok(moves.first().copied())
            }
            Question::Distance => {
                let mut best = None;
                for &to in &moves {
                    let outcome = self.outcome(duel.play_unchecked(to), control)?.one_ply_before();
                    if best.is_none_or(|(_, known)| outcome > known) {
                        best = Some((to, outcome));
                    }
                }
                Ok(best.map(|(to, _)| to))
            }
        }
    }
}
