//! Lost positions on disk that took long to prove, so that one long question can be resumed.
//!
//! A [`StrategyLog`] holds the answers to whole questions. One such question can take hours, so a
//! [`ProofCheckpoint`] holds the parts of its proof that took long themselves. Only losses are
//! saved: a won position has a move to a lost one, and is known to be won as soon as that move is
//! tried.

use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use super::known::{Known, Origin};
use super::shared::SERIAL;
use super::source::Source;
use super::strategy_log::{StrategyLog, StrategyLogError};
use crate::game::board::Board;
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::game::outcome::{Choice, Value};

/// A lost position is saved if this many nodes were searched to prove it: about a tenth of a
/// second. So the file stays small, and little is lost between two saved positions.
const NODES_WORTH_SAVING: u64 = 1 << 20;

/// Lost positions, in a file that grows as they are proven.
#[derive(Debug)]
pub struct ProofCheckpoint<W> {
    losses: Mutex<StrategyLog<W>>,
}

impl<W: Word> ProofCheckpoint<W> {
    /// Opens the proof checkpoint of this board, or starts one if there is no file.
    ///
    /// # Errors
    /// If the system refuses, or if the file is not a proof checkpoint of this board.
    pub fn open(path: &Path, board: &Board<W>) -> Result<Self, StrategyLogError> {
        Ok(Self { losses: Mutex::new(StrategyLog::open(path, board)?) })
    }

    fn lock(&self) -> MutexGuard<'_, StrategyLog<W>> {
        self.losses.lock().expect("no thread panics while it holds the proof checkpoint")
    }
}

impl<W: Word> Source<W> for ProofCheckpoint<W> {
    fn look_up(&self, canonical: Duel<W>) -> Option<Known> {
        self.lock().get(canonical).map(|choice| Known::winner(choice.value(), Origin::Solved))
    }

    /// Positions that one thread searches alone are never saved.
    fn fewest_live(&self) -> usize {
        SERIAL + 1
    }

    fn learn(&self, canonical: Duel<W>, value: Value, nodes: u64) {
        if value == Value::Loss && nodes >= NODES_WORTH_SAVING {
            // If it cannot be saved, a resumed run has to prove it again. Nothing else is lost.
            let _ = self.lock().append(canonical, Choice::Loss);
        }
    }
}
