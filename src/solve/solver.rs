//! The solver of one board: what can be asked, its threads and memory, expected lines.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Arc, Mutex, OnceLock};

use super::at_hand::Simplified;
use super::control::{Control, Stopped, Wanted};
use super::distance::{self, Distances};
use super::known::{Count, Known, Origin};
use super::order;
use super::parallel::PATIENCE;
use super::partition_memo::PartitionMemo;
use super::search::Searcher;
use super::settings::{Settings, SolverError};
use super::shared::{SERIAL, Shared};
use super::source::Source;
use super::transposition::TranspositionTable;
use super::turns::in_turns;
use crate::game::board::{Board, Size, with_word_for};
use crate::game::cells::{Cell, Word};
use crate::game::duel::{Duel, Part};
use crate::game::outcome::{Outcome, Value};
use crate::game::symmetry::Symmetries;

impl Settings {
    /// The least that one thread fills on a board of this size: its smallest partition memo.
    #[must_use]
    pub(crate) fn least_of_a_thread(size: Size) -> u64 {
        fn least_bytes<W: Word>(size: Size) -> u64 {
            PartitionMemo::<W>::least_bytes(size)
        }
        with_word_for!(size, least_bytes(size))
    }

    /// The least memory with which this many threads can solve a board of this size, in whole
    /// mebibytes.
    #[must_use]
    pub fn least_memory(size: Size, threads: NonZero<usize>) -> u64 {
        // The partition memos take at most a quarter, each transposition table three eighths.
        let partition_memos = Self::least_for_memos(size, threads);
        let transposition_tables = TranspositionTable::least_bytes(size.cells(), 1).div_ceil(3) * 8;
        partition_memos.max(transposition_tables).max(Self::LEAST_MEMORY).next_multiple_of(1 << 20)
    }

    /// The memory of which the threads' partition memos, at their smallest, take a quarter.
    fn least_for_memos(size: Size, threads: NonZero<usize>) -> u64 {
        4 * threads.get() as u64 * Self::least_of_a_thread(size)
    }

    /// Whether a solver for a board of this size keeps within its memory. Below
    /// [`Settings::least_memory`] it still works, but forgets much.
    #[must_use]
    pub fn suffices_for(self, size: Size) -> bool {
        self.memory >= Self::least_for_memos(size, self.threads)
    }
}

/// What to find out about a duel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Who wins.
    Winner,
    /// Who wins, and in how many plies.
    Distance,
}

/// Solves the duels of one board, and remembers what it has proven.
pub struct Solver<W> {
    pub(super) shared: Shared<W>,
    distances: OnceLock<TranspositionTable>,
    pub(super) pool: rayon::ThreadPool,
    memo_bytes: u64,
    /// The moves that [`Solver::choice`] tries first, by canonical duel. Most duels have none.
    pub(super) first_tries: BTreeMap<Duel<W>, Vec<Cell>>,
}

impl<W: Word> Solver<W> {
    /// A solver for boards of this size.
    ///
    /// # Errors
    /// If the size does not [fit](Size::fits) the word, or the system refuses the threads or the
    /// memory.
    pub fn new(size: Size, settings: Settings) -> Result<Self, SolverError> {
        let board = Board::new(size)?;
        let threads = settings.threads.get();
        let (general, memo_bytes) = settings.shares();
        let shared = Shared {
            symmetries: Symmetries::new(&board),
            memo: TranspositionTable::new(size.cells(), memo_bytes, 1)?,
            source: None,
            serial: SERIAL,
            patience: PATIENCE,
            searchers: Mutex::new((0..threads).map(|_| Searcher::new(&board, general)).collect()),
            board,
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|fault| SolverError::Threads { threads, reason: fault.to_string() })?;
        Ok(Self { shared, distances: OnceLock::new(), pool, memo_bytes, first_tries: BTreeMap::new() })
    }

    /// The same solver, which asks this source before it searches, and takes its answers for
    /// proven.
    #[must_use]
    pub fn with_source(mut self, source: Arc<dyn Source<W>>) -> Self {
        self.shared.source = Some(source);
        self
    }

    /// The same solver, which tries these moves before all others when it is asked for a
    /// [choice](Solver::choice) in the duel beside them. A move after which a mirror decides still
    /// comes first, and a move that is not legal is passed over.
    #[must_use]
    pub fn with_first_tries(mut self, tries: impl IntoIterator<Item = (Duel<W>, Cell)>) -> Self {
        let symmetries = &self.shared.symmetries;
        for (duel, to) in tries {
            let canonical = symmetries.canonical(&self.shared.board, duel);
            let tried = self.first_tries.entry(canonical.duel).or_default();
            tried.push(symmetries.cell(canonical.symmetry, to));
        }
        self
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board<W> {
        &self.shared.board
    }

    /// The symmetries of the board.
    #[must_use]
    pub fn symmetries(&self) -> &Symmetries<W> {
        &self.shared.symmetries
    }

    /// How full the transposition table is, in thousandths.
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
        Ok(self.answer(Question::Winner, duel, control)?.value)
    }

    /// Whether the mover wins a duel that only a search can decide. One that a single thread
    /// searches need not be handed to the pool.
    fn search(&self, simplified: Simplified<W>, wanted: &Wanted<'_>) -> Result<bool, Stopped> {
        if simplified.duel.free.len() <= self.shared.serial {
            return self.shared.search(simplified, wanted);
        }
        self.pool.install(|| self.shared.search(simplified, wanted))
    }

    /// What is known of a duel without going through its moves: the game is over, the source has
    /// the position, a mirror decides it, or one knight's walk outlasts the other's. `None` if only
    /// a search can tell.
    ///
    /// # Errors
    /// If the control stopped the search for a longest walk.
    pub fn at_hand(&self, duel: Duel<W>, control: &Control) -> Result<Option<Known>, Stopped> {
        self.shared.at_hand(&mut Simplified::new(&self.shared, duel), &Wanted::by(control))
    }

    /// Like [`Solver::at_hand`], for a duel in canonical form: it is not brought into that form
    /// again.
    pub(crate) fn at_hand_of_canonical(&self, duel: Duel<W>, control: &Control) -> Result<Option<Known>, Stopped> {
        self.shared.at_hand(&mut Simplified::of_canonical(&self.shared, duel), &Wanted::by(control))
    }

    /// The first of these moves that is known to win without a search. After a search that proved a
    /// win this is usually the move that proved it, which need not be the first in order.
    pub(crate) fn recalled_win(&self, duel: Duel<W>, moves: &[Cell], control: &Control) -> Result<Option<Cell>, Stopped> {
        for &to in moves {
            if self.shared.recall(duel.play_unchecked(to), &Wanted::by(control))? == Some(false) {
                return Ok(Some(to));
            }
        }
        Ok(None)
    }

    /// The moves of a duel, those first that are expected to win with the least work.
    pub(crate) fn moves_in_order(&self, duel: Duel<W>) -> Vec<Cell> {
        match duel.part_of_mover(self.board()) {
            Part::Hunter => self.shared.hunters_moves(duel, &Wanted::by(&Control::unlimited())),
            Part::Prey => order::ordered(self.board(), duel),
        }
    }

    /// Whether the mover wins, and in how many plies.
    ///
    /// # Errors
    /// If the control stopped the search.
    pub fn outcome(&self, duel: Duel<W>, control: &Control) -> Result<Outcome, Stopped> {
        let distances = self.distances(control);
        self.pool.install(|| distances.outcome(duel))
    }

    /// Whether a duel with this value ends within this many plies, when the winner hurries and the
    /// loser delays. Quick if the outcome of a position above it was asked for before.
    ///
    /// # Errors
    /// If the control stopped the search.
    pub(crate) fn ends_within(&self, duel: Duel<W>, value: Value, plies: usize, control: &Control) -> Result<bool, Stopped> {
        let distances = self.distances(control);
        self.pool.install(|| distances.ends_within(duel, value, plies))
    }

    fn distances<'a>(&'a self, control: &'a Control) -> Distances<'a, W> {
        let cells = self.board().size().cells();
        let memo = self.distances.get_or_init(|| TranspositionTable::new_or_small(cells, self.memo_bytes, distance::RESULT_BITS));
        Distances { shared: &self.shared, memo, wanted: Wanted::by(control) }
    }

    /// The answer to either question. The winner is found first: if the limits leave no time for
    /// more, the answer has no plies.
    ///
    /// # Errors
    /// If the control stopped the search before that.
    pub fn answer(&self, question: Question, duel: Duel<W>, control: &Control) -> Result<Known, Stopped> {
        let (mut simplified, wanted) = (Simplified::new(&self.shared, duel), Wanted::by(control));
        let mut known = match self.shared.at_hand(&mut simplified, &wanted)? {
            Some(known) => known,
            None => {
                let known = Known::winner(Value::win_if(self.search(simplified, &wanted)?), Origin::Solved);
                self.tell_source(duel, &known);
                known
            }
        };
        if question == Question::Distance && known.count.is_none() {
            let origin = if known.origin == Origin::Separated { Origin::Separated } else { Origin::Solved };
            known.count = self.outcome(duel, control).ok().map(|outcome| Count { plies: outcome.plies(), origin });
            if known.count.is_some() {
                self.tell_source(duel, &known);
            }
        }
        Ok(known)
    }

    fn tell_source(&self, duel: Duel<W>, known: &Known) {
        if let Some(source) = &self.shared.source {
            source.answered(Simplified::new(&self.shared, duel).canonical(&self.shared).duel, known);
        }
    }

    /// Answers for many duels, with all threads at work. `done` receives each answer as it comes.
    pub fn answers(
        &self,
        question: Question,
        duels: &[Duel<W>],
        control: &Control,
        done: impl Fn(usize, &Known) + Sync,
    ) -> Vec<Result<Known, Stopped>> {
        self.for_each(duels, |index, &duel| {
            let answer = self.answer(question, duel, control)?;
            done(index, &answer);
            Ok(answer)
        })
    }

    /// The results of the same work for each item, [in turns](in_turns).
    pub(super) fn for_each<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
        self.install(|| in_turns(items.len(), |index| work(index, &items[index])))
    }

    /// The expected line, to the end of the game.
    ///
    /// If distances are asked for, the winner hurries and the loser delays. Otherwise the winner
    /// plays its first winning move, and the loser its first move, in the order in which the search
    /// tries them. Either way the line depends on the duel alone.
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
