//! Proven positions on disk, so that long work can be resumed.
//!
//! A [`StrategyLog`] holds the moves of a strategy. One such move can take hours to prove, so a
//! [`ProofCheckpoint`] holds the parts of its proof that took long themselves. Of these only losses
//! are saved: a won position has a move to a lost one, and is known to be won as soon as that move
//! is tried. [`ProofCheckpoint::with_answers`] also saves the answer to every question, such as who
//! wins an opening, and in how many plies.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use super::known::{Known, Origin};
use super::shared::SERIAL;
use super::source::Source;
use super::strategy_log::{Finding, Findings, StrategyLog, StrategyLogError};
use crate::game::board::Board;
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::game::outcome::{Choice, Outcome, Value};

/// A lost position is saved if this many nodes were searched to prove it: about a tenth of a
/// second. So the file stays small, and little is lost between two saved positions.
const NODES_WORTH_SAVING: u64 = 1 << 20;

/// Proven positions, in a file that grows as they are proven.
#[derive(Debug)]
pub struct ProofCheckpoint<W> {
    /// What earlier runs have proven. It does not change, so that no thread waits for another.
    known: Findings<W>,
    fewest_live: usize,
    log: Mutex<StrategyLog<W>>,
    saves_answers: bool,
    fault: Arc<OnceLock<StrategyLogError>>,
}

impl<W: Word> ProofCheckpoint<W> {
    /// Opens the proof checkpoint of this board, or starts one if there is no file.
    ///
    /// # Errors
    /// If the system refuses, or if the file is not a proof checkpoint of this board.
    pub fn open(path: &Path, board: &Board<W>) -> Result<Self, StrategyLogError> {
        let mut log = StrategyLog::open(path, board)?;
        let known = log.take_all();
        // Positions that one thread searches alone are saved only as answers.
        let fewest_live = known.keys().map(|duel| duel.free.len()).min().unwrap_or(usize::MAX).min(SERIAL + 1);
        Ok(Self { known, fewest_live, log: Mutex::new(log), saves_answers: false, fault: Arc::default() })
    }

    /// The same checkpoint, which also saves the answer to every question that needs a search.
    #[must_use]
    pub fn with_answers(self) -> Self {
        Self { saves_answers: true, ..self }
    }

    /// How many results earlier runs have left.
    #[must_use]
    pub fn known(&self) -> usize {
        self.known.len()
    }

    /// Will hold the reason why a result could not be saved, if that happens.
    #[must_use]
    pub fn fault(&self) -> Arc<OnceLock<StrategyLogError>> {
        Arc::clone(&self.fault)
    }

    /// If it cannot be saved, a resumed run has to prove it again. Nothing else is lost.
    fn save(&self, canonical: Duel<W>, finding: Finding) {
        let mut log = self.log.lock().expect("no thread panics while it holds the proof checkpoint");
        if let Err(fault) = log.append(canonical, finding) {
            let _ = self.fault.set(fault);
        }
    }
}

impl<W: Word> Source<W> for ProofCheckpoint<W> {
    fn look_up(&self, canonical: Duel<W>) -> Option<Known> {
        self.known.get(&canonical).map(|&finding| match finding {
            Finding::Ends(outcome) => Known::counted(outcome, Origin::Solved),
            winner => Known::winner(winner.value(), Origin::Solved),
        })
    }

    fn fewest_live(&self) -> usize {
        self.fewest_live
    }

    fn learn(&self, canonical: Duel<W>, value: Value, nodes: u64) {
        if value == Value::Loss && nodes >= NODES_WORTH_SAVING {
            self.save(canonical, Finding::Choice(Choice::Loss));
        }
    }

    fn answered(&self, canonical: Duel<W>, known: &Known) {
        if self.saves_answers {
            let winner = if known.value == Value::Win { Finding::Won } else { Finding::Choice(Choice::Loss) };
            self.save(canonical, known.plies().map_or(winner, |plies| Finding::Ends(Outcome::after(plies))));
        }
    }
}
