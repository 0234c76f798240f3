//! What jobs know of each other: expensive proven positions as a table, and a source that asks it.
//!
//! Knowledge saves work. It never changes an answer or the winner's move, because both depend on
//! the position alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::{Arc, Mutex, MutexGuard};

use super::CampaignError;
use super::results::Results;
use super::store::Store;
use crate::game::board::Size;
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::game::outcome::Value;
use crate::solve::{Control, Known, Source};
use crate::table::{self, Coverage, Entry, Kind, Table, Tablebase, write};

/// Writes the expensive lost positions of all results to the table that later jobs read. A won
/// position needs no entry: it has a move to a lost one.
pub(super) fn compact<W: Word>(results: &Results<W>, store: &Store) -> Result<usize, CampaignError> {
    let lost = results.expensive();
    let Some(fewest_live) = lost.iter().map(|duel| duel.free.len()).min() else { return Ok(0) };
    let plan = table::Plan {
        size: results.board().size(),
        kind: Kind::Opening,
        // A table is not asked about positions with fewer live cells than its entries have.
        depth: fewest_live.saturating_sub(1) as u8,
        command: "isolde campaign".to_string(),
        coverage: Coverage::Openings(Vec::new()),
    };
    let entries = || lost.iter().map(|&duel| (duel, Entry::Lost));
    store.replace_knowledge(|table, beside| write(&plan, entries, table, beside, &|| true).map_err(CampaignError::Write))?;
    Ok(lost.len())
}

/// A source that knows what other jobs have proven, remembers what it was asked for with success,
/// and collects what is proven now.
pub(super) struct Notebook<W> {
    knowledge: Tablebase<W>,
    /// Counts the nodes, so that it tells which proof is a part of which.
    control: Arc<Control>,
    /// Proofs that took fewer nodes are not noted.
    least: u64,
    notes: Mutex<Notes<W>>,
}

struct Notes<W> {
    used: BTreeSet<Duel<W>>,
    answers: BTreeMap<Duel<W>, Value>,
    lost: Vec<Lost<W>>,
}

/// A position that was proven to be lost.
struct Lost<W> {
    duel: Duel<W>,
    /// The nodes that the proof took.
    nodes: u64,
    /// The nodes of the job until then.
    at: u64,
    /// Whether the proof is a part of another one.
    is_part: bool,
}

impl<W: Word> Notebook<W> {
    pub(super) fn open(size: Size, store: &Store, control: &Arc<Control>, least: u64) -> Self {
        let table = store.knowledge();
        // A table that is damaged, or that nobody has written yet, counts as empty: this only costs
        // time. It is read, not mapped: other machines replace it.
        let read = fs::read(&table).ok().and_then(|bytes| Table::from_bytes(&table.to_string_lossy(), bytes).ok());
        let knowledge = read.map_or_else(|| Tablebase::empty(size), Tablebase::of);
        let notes = Notes { used: BTreeSet::new(), answers: BTreeMap::new(), lost: Vec::new() };
        Self { knowledge, control: Arc::clone(control), least, notes: Mutex::new(notes) }
    }

    fn notes(&self) -> MutexGuard<'_, Notes<W>> {
        self.notes.lock().expect("no thread panics while it takes a note")
    }

    /// The positions whose results were taken from the table.
    pub(super) fn used(&self) -> Vec<Duel<W>> {
        self.notes().used.iter().copied().collect()
    }

    /// The lost positions whose proofs took at least this many nodes, in ascending order. If the
    /// proof is a part of another one, it takes `for_parts` to be worth it.
    pub(super) fn lost(&self, nodes: u64, for_parts: u64) -> Vec<Duel<W>> {
        let notes = self.notes();
        let worth = notes.lost.iter().filter(|lost| lost.nodes >= if lost.is_part { for_parts } else { nodes });
        let duels: BTreeSet<_> = worth.map(|lost| lost.duel).collect();
        duels.into_iter().collect()
    }

    /// The positions that were asked about and have this value.
    pub(super) fn answers(&self, value: Value) -> Vec<Duel<W>> {
        self.notes().answers.iter().filter(|&(_, &found)| found == value).map(|(&duel, _)| duel).collect()
    }
}

impl<W: Word> Source<W> for Notebook<W> {
    fn look_up(&self, canonical: Duel<W>) -> Option<Known> {
        let known = self.knowledge.look_up(canonical)?;
        self.notes().used.insert(canonical);
        Some(known)
    }

    fn fewest_live(&self) -> usize {
        self.knowledge.fewest_live()
    }

    fn learn(&self, canonical: Duel<W>, value: Value, nodes: u64) {
        if value == Value::Loss && nodes >= self.least {
            let (mut notes, at) = (self.notes(), self.control.nodes());
            let parts = notes.lost.iter_mut().rev().take_while(|lost| lost.at > at - nodes);
            parts.for_each(|lost| lost.is_part = true);
            notes.lost.push(Lost { duel: canonical, nodes, at, is_part: false });
        }
    }

    fn answered(&self, canonical: Duel<W>, known: &Known) {
        self.notes().answers.insert(canonical, known.value);
    }
}
