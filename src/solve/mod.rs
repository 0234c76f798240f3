//! Exact answers: who wins a duel, an opening, a board, and in how many plies.
//!
//! ```
//! use isolde::{Control, Position, Settings, Solver, Value, notation};
//!
//! let position = Position::<u64>::new(notation::parse("5x5: a1 c3")?)?;
//! let solver = Solver::new(position.size(), Settings::default());
//! let duel = position.duel().unwrap();
//! assert_eq!(solver.value(duel, &Control::unlimited()), Ok(Value::Win));
//! # Ok::<(), notation::Error>(())
//! ```

mod control;
mod distance;
mod general;
mod memo;
mod mirror;
mod openings;
mod order;
mod proof;
mod regions;
mod search;
mod split;
mod weak;
mod weights;

use std::num::NonZero;
use std::sync::{Mutex, OnceLock};

use rayon::prelude::*;

use crate::board::{Board, Size};
use crate::cells::{Cell, Word};
use crate::duel::Duel;
use crate::outcome::{Outcome, Value};
use crate::symmetry::Symmetries;
use control::Wanted;
use distance::Distances;
use memo::Memo;
use search::Searcher;
use split::Shared;

pub use control::{Control, Stopped};
pub use mirror::mirror;
pub use openings::{Opening, OpeningClass, opening_classes};
pub use weak::{Reply, WeakProof, board_mirror};

/// How much of the machine a solver may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Threads that search.
    pub threads: NonZero<usize>,
    /// Bytes for what is remembered.
    pub memory: u64,
}

impl Settings {
    /// The least memory that a solver works with.
    pub const LEAST_MEMORY: u64 = 16 << 20;
    /// The memory it takes unless told otherwise.
    pub const DEFAULT_MEMORY: u64 = 1 << 30;
    /// Each thread's memory of general proofs: more of it would leave the processor's cache and help little.
    const MOST_GENERAL: u64 = 8 << 20;
}

impl Default for Settings {
    /// One thread.
    fn default() -> Self {
        Self { threads: NonZero::<usize>::MIN, memory: Self::DEFAULT_MEMORY }
    }
}

/// An answer about a duel: who wins, and in how many plies if that was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Whether the mover wins.
    pub value: Value,
    /// When the game ends, the winner hurrying and the loser delaying.
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
    /// # Panics
    /// If the size does not fit into the word, or the system gives no threads.
    #[must_use]
    pub fn new(size: Size, settings: Settings) -> Self {
        let board = Board::new(size);
        let threads = settings.threads.get();
        let general = (settings.memory / 4 / threads as u64).min(Settings::MOST_GENERAL);
        let memo_bytes = (settings.memory - general * threads as u64) / 2;
        let shared = Shared {
            symmetries: Symmetries::new(&board),
            memo: Memo::new(size.cells(), memo_bytes, 1),
            searchers: Mutex::new((0..threads).map(|_| Searcher::new(&board, general)).collect()),
            board,
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.unwrap_or_else(|fault| panic!("the system gives no {threads} threads: {fault}"));
        Self { shared, distances: OnceLock::new(), pool, memo_bytes }
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

    /// Whether the mover wins.
    ///
    /// # Errors
    /// If the control stopped the search.
    pub fn value(&self, duel: Duel<W>, control: &Control) -> Result<Value, Stopped> {
        self.pool.install(|| self.shared.mover_wins(duel, &Wanted::by(control))).map(Value::win_if)
    }

    /// Whether the mover wins, and in how many plies.
    ///
    /// # Errors
    /// If the control stopped the search.
    pub fn outcome(&self, duel: Duel<W>, control: &Control) -> Result<Outcome, Stopped> {
        self.pool.install(|| {
            let memo =
                self.distances.get_or_init(|| Memo::new(self.board().size().cells(), self.memo_bytes, distance::RESULT_BITS));
            Distances { shared: &self.shared, memo, wanted: Wanted::by(control) }.outcome(duel)
        })
    }

    /// The answer to either question.
    ///
    /// # Errors
    /// If the control stopped the search.
    pub fn answer(&self, question: Question, duel: Duel<W>, control: &Control) -> Result<Answer, Stopped> {
        match question {
            Question::Winner => self.value(duel, control).map(|value| Answer { value, plies: None }),
            Question::Distance => {
                self.outcome(duel, control).map(|outcome| Answer { value: outcome.value(), plies: Some(outcome.plies()) })
            }
        }
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

    /// The line that is expected, to the end of the game: a winning move for the winner, the most stubborn for the loser.
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
