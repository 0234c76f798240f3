//! Who wins one position after another, for a walk through a whole proof.
//!
//! The walk asks about positions that follow each other, so most answers are in memory already. A
//! guide belongs to one thread. Its answers are exact: they do not depend on what it was asked
//! before.
//!
//! Positions with many free cells go to a whole [`Solver`], which knows mirrors and symmetries. It
//! takes four seconds for 7x9 after d5 c5; a search without mirrors took more than seven minutes.
//! The others are searched directly.

use super::Solver;
use super::control::{Control, Stopped, Wanted};
use super::settings::{Settings, SolverError};
use super::shared::SERIAL;
use crate::game::board::Size;
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::game::outcome::Value;

/// A solver of one thread.
pub(crate) struct Guide<W>(Solver<W>);

impl<W: Word> Guide<W> {
    /// A guide that takes one thread's part of the memory.
    pub(crate) fn new(size: Size, settings: Settings) -> Result<Self, SolverError> {
        let threads = std::num::NonZero::<usize>::MIN;
        Solver::new(size, Settings { threads, memory: settings.memory / settings.threads.get() as u64 }).map(Self)
    }

    /// Whether the mover wins.
    pub(crate) fn mover_wins(&mut self, duel: Duel<W>, control: &Control) -> Result<bool, Stopped> {
        match duel.free.len() > SERIAL {
            true => self.0.value(duel, control).map(|value| value == Value::Win),
            false => self.0.shared.search_alone(duel, &Wanted::by(control)),
        }
    }
}
