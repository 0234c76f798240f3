//! Proven results from elsewhere, such as a table on disk.
//!
//! The solver asks its source wherever it needs the value of a whole position: at the root of a
//! question, at every position at the top of the tree, at every position that one thread goes on to
//! search alone, and at every position of the search for distances. Inside the search of one thread
//! it does not ask: a node takes a tenth of a microsecond there, and a probe of a table takes one.

use std::sync::Arc;

use super::known::Known;
use crate::game::cells::Word;
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

    /// Receives the answer to every question that needed a search, with its canonical duel.
    fn answered(&self, canonical: Duel<W>, known: &Known) {
        let _ = (canonical, known);
    }
}

/// Two sources as one. The first is asked first; the second adds the plies if the first does not
/// know them.
impl<W: Word, A: Source<W>, B: Source<W>> Source<W> for (Arc<A>, Arc<B>) {
    fn look_up(&self, canonical: Duel<W>) -> Option<Known> {
        let (first, second) = (ask(&*self.0, canonical), || ask(&*self.1, canonical));
        match first {
            Some(known) if known.count.is_some() => Some(known),
            Some(known) => match second().filter(|other| other.value == known.value) {
                Some(other) => Some(Known { count: other.count, ..known }),
                None => Some(known),
            },
            None => second(),
        }
    }

    fn fewest_live(&self) -> usize {
        self.0.fewest_live().min(self.1.fewest_live())
    }

    fn learn(&self, canonical: Duel<W>, value: Value, nodes: u64) {
        self.0.learn(canonical, value, nodes);
        self.1.learn(canonical, value, nodes);
    }

    fn answered(&self, canonical: Duel<W>, known: &Known) {
        self.0.answered(canonical, known);
        self.1.answered(canonical, known);
    }
}

fn ask<W: Word>(source: &impl Source<W>, canonical: Duel<W>) -> Option<Known> {
    if canonical.free.len() < source.fewest_live() { None } else { source.look_up(canonical) }
}
