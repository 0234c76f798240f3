//! What was proven on the way to an answer that takes long, on disk: whoever asks again after an interruption need not begin anew.
//!
//! A [`Journal`] has the answers to whole questions. One such question can take hours, and its [`Notes`] have the parts that took long themselves. Only
//! losses are noted: a won position has a move to a lost one, so that it is won again as soon as that move is looked at.

use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use super::journal::{Journal, JournalError};
use super::source::{Known, Source};
use super::split::SERIAL;
use crate::board::Board;
use crate::cells::Word;
use crate::duel::Duel;
use crate::outcome::{Choice, Value};
use crate::symmetry::Symmetries;

/// A part is noted if so many nodes were searched while it was proven: some tenth of a second. So there are few of them, and what lies between two of them
/// and is lost in a sudden end is little.
const WORTH_NOTING: u64 = 1 << 20;

/// Lost positions, in a file that grows as they are proven.
#[derive(Debug)]
pub struct Notes<W> {
    journal: Mutex<Journal<W>>,
    board: Board<W>,
    symmetries: Symmetries<W>,
}

impl<W: Word> Notes<W> {
    /// Opens the notes of this board, or begins them where there is no file.
    ///
    /// # Errors
    /// If the system refuses, or if the file is not one of this board.
    pub fn open(path: &Path, board: &Board<W>) -> Result<Self, JournalError> {
        let journal = Mutex::new(Journal::open(path, board)?);
        Ok(Self { journal, board: board.clone(), symmetries: Symmetries::new(board) })
    }

    fn lock(&self) -> MutexGuard<'_, Journal<W>> {
        self.journal.lock().expect("no thread panics while it holds the notes")
    }
}

impl<W: Word> Source<W> for Notes<W> {
    fn look_up(&self, duel: Duel<W>) -> Option<Known> {
        let canonical = self.symmetries.canonical(&self.board, duel).duel;
        self.lock().get(canonical).map(|choice| Known::Value(choice.value()))
    }

    /// What one thread searches alone is never noted.
    fn fewest_live(&self) -> usize {
        SERIAL + 1
    }

    fn learn(&self, canonical: Duel<W>, value: Value, nodes: u64) {
        if value == Value::Loss && nodes >= WORTH_NOTING {
            // A note that cannot be written costs time after an interruption, and nothing else.
            let _ = self.lock().append(canonical, Choice::Loss);
        }
    }
}
