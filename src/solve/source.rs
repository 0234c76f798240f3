//! What is known from elsewhere, such as a table on disk.
//!
//! The solver asks its source wherever the value of a whole position is wanted: at the root of a question, at every position at the top of the tree,
//! at every position that is handed to one thread to search alone, and at every position of the search for distances. It does not ask
//! inside the search of one thread, which takes a tenth of a microsecond for a node, where a look at a table takes one.

use crate::duel::Duel;
use crate::outcome::{Outcome, Value};

/// Proven results from elsewhere.
pub trait Source<W>: Send + Sync {
    /// What is known of a duel, asked in any orientation, with dead cells or without.
    fn look_up(&self, duel: Duel<W>) -> Option<Known>;

    /// No duel with fewer live cells is known, so that looking one up would be in vain.
    ///
    /// A table of the top of the tree spares its reader most looks by this: deep positions are many, and quickly solved.
    fn fewest_live(&self) -> usize {
        0
    }

    /// Told of every canonical duel that was proven at the top of the tree, and how many nodes were searched meanwhile.
    fn learn(&self, canonical: Duel<W>, value: Value, nodes: u64) {
        let _ = (canonical, value, nodes);
    }
}

/// What a source knows of a duel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// Who wins.
    Value(Value),
    /// Who wins, and in how many plies.
    Outcome(Outcome),
}

impl Known {
    /// Whether the mover wins.
    #[must_use]
    pub fn value(self) -> Value {
        match self {
            Self::Value(value) => value,
            Self::Outcome(outcome) => outcome.value(),
        }
    }

    /// In how many plies, if that is known too.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Value(_) => None,
            Self::Outcome(outcome) => Some(outcome),
        }
    }
}
