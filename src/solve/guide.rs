//! Who wins one position after another, for a walk through a whole proof.
//!
//! The walk asks about positions that follow each other, so most answers are in the partition memo
//! already. A guide belongs to one thread. Its answers are exact: they do not depend on what it was
//! asked before.

use super::control::{Control, Stopped, Wanted};
use super::search::Searcher;
use super::settings::Settings;
use crate::game::board::Board;
use crate::game::cells::Word;
use crate::game::duel::Duel;

/// A search of one thread, and its memory.
pub(crate) struct Guide<W>(Searcher<W>);

impl<W: Word> Guide<W> {
    /// A guide that takes one thread's part of the memory.
    pub(crate) fn new(board: &Board<W>, settings: Settings) -> Self {
        Self(Searcher::new(board, settings.shares().0))
    }

    /// Whether the mover wins.
    pub(crate) fn mover_wins(&mut self, duel: Duel<W>, control: &Control) -> Result<bool, Stopped> {
        self.0.mover_wins(duel, &Wanted::by(control))
    }
}
