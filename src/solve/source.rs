//! Proven results from elsewhere, such as a table on disk.
//!
//! The solver asks its source wherever it needs the value of a whole position: at the root of a
//! question, at every position at the top of the tree, at every position that one thread goes on to
//! search alone, and at every position of the search for distances. Inside the search of one thread
//! it does not ask: a node takes a tenth of a microsecond there, and a probe of a table takes one.

use super::known::Known;
use crate::game::duel::Duel;
use crate::game::outcome::Value;

/// Proven results from elsewhere.
pub trait Source<W>: Send + Sync {
    /// What is known of a canonical duel; a winning move is meant for that orientation.
    fn look_up(&self, canonical: Duel<W>) -> Option<Known>;

    /// The least number of live cells of any duel that the source knows. Smaller duels are not
    /// looked up.
    ///
    /// A table of the top of the tree saves most probes this way: deep positions are many, and
    /// quickly solved.
    fn fewest_live(&self) -> usize {
        0
    }

    /// Receives every canonical duel that was proven at the top of the tree, with the number of
    /// nodes that were searched meanwhile.
    fn learn(&self, canonical: Duel<W>, value: Value, nodes: u64) {
        let _ = (canonical, value, nodes);
    }
}
