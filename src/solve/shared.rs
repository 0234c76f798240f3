//! What the threads of a solver share.

use std::sync::{Arc, Mutex};

use super::control::{Stopped, Wanted};
use super::search::Searcher;
use super::source::Source;
use super::transposition::TranspositionTable;
use crate::game::board::Board;
use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;
use crate::game::symmetry::Symmetries;

/// With this many live cells or fewer, one thread searches alone.
///
/// Splitting further down costs nodes, since the partition memo only works below: before the order
/// was learned, 8x8 d4 f5 took 198, 183, 170, 164 M nodes with 30, 34, 42, 46. Splitting less
/// leaves threads idle, and symmetry unused on 7x7.
pub(super) const SERIAL: usize = 44;

/// What all threads share.
pub(super) struct Shared<W> {
    pub(super) board: Board<W>,
    pub(super) symmetries: Symmetries<W>,
    pub(super) memo: TranspositionTable,
    pub(super) source: Option<Arc<dyn Source<W>>>,
    /// [`SERIAL`], except in tests.
    pub(super) serial: usize,
    /// [`PATIENCE`](super::parallel::PATIENCE), except in tests.
    pub(super) patience: u64,
    /// One for each thread: a search takes one and gives it back. A thread never splits while it
    /// holds one, so there is always one left for it. A small question from outside the pool takes
    /// one, too. If none is left, it searches with a new one that has hardly any memory.
    pub(super) searchers: Mutex<Vec<Searcher<W>>>,
}

impl<W: Word> Shared<W> {
    /// Whether the mover wins, searched by this thread alone.
    pub(super) fn search_alone(&self, duel: Duel<W>, wanted: &Wanted<'_>) -> Result<bool, Stopped> {
        let mut searcher = self.lend();
        let answer = searcher.mover_wins(duel, wanted);
        self.lock().push(searcher);
        answer
    }

    /// The hunter's moves, those first that are expected to take the least work.
    pub(super) fn hunters_moves(&self, duel: Duel<W>, wanted: &Wanted<'_>) -> Vec<Cell> {
        let mut searcher = self.lend();
        let moves = searcher.hunters_moves(duel, wanted);
        self.lock().push(searcher);
        moves
    }

    fn lend(&self) -> Searcher<W> {
        self.lock().pop().unwrap_or_else(|| Searcher::new(&self.board, 0))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Searcher<W>>> {
        self.searchers.lock().expect("no thread panics while it takes or returns a searcher")
    }
}
