//! Forward: finds all positions, layer by layer, from the roots down to the positions without a
//! live cell.
//!
//! A layer is complete when all higher layers are expanded. Until then its keys wait in sets in
//! memory. Whenever the sets are full, they are written out as runs.

use rayon::prelude::*;

use super::folder::{EnumerationError, MappedKeys};
use super::state::{EnumerationState, Watch};
use crate::mapped::Order;

/// How many keys one thread expands at a time.
const PIECE: usize = 1 << 10;

impl EnumerationState {
    /// Finds all keys that can be reached from the roots.
    pub(super) fn find(&mut self, watch: &Watch<'_>) -> Result<(), EnumerationError> {
        loop {
            if self.ledger.expanded < self.ledger.complete() {
                watch.control.add_nodes(self.expand()?);
            } else if let Some(layer) = self.ledger.next_layer() {
                self.gather(layer, watch)?;
            } else {
                return Ok(());
            }
            self.step(watch)?;
        }
    }

    /// Finds the successors of the next keys. Returns how many keys were expanded.
    fn expand(&mut self) -> Result<u64, EnumerationError> {
        let count = (self.ledger.complete() - self.ledger.expanded).min(self.memory.keys_at_once() as u64);
        let keys = self.keys.read_keys(self.ledger.expanded, count as usize)?;
        let successors = |piece: &[u64]| self.sets.batch(piece.iter().flat_map(|&key| self.moves.successors(key)));
        let batches: Vec<_> = keys.par_chunks(PIECE).map(successors).collect();
        if self.sets.bytes_with(&batches) > self.memory.for_sets() {
            self.write_runs()?;
        }
        self.sets.add(&batches);
        self.ledger.expanded += count;
        Ok(count)
    }

    /// Collects all keys of a layer.
    fn gather(&mut self, layer: usize, watch: &Watch<'_>) -> Result<(), EnumerationError> {
        let begun = self.ledger.keys > self.ledger.complete();
        if begun || self.ledger.runs.iter().any(|run| run.layer == layer) {
            self.write_run(layer)?;
            self.merge(layer, watch)?;
        } else {
            let mut keys = self.sets.take(layer);
            self.keys.append_keys(&mut keys)?;
            self.ledger.keys += keys.len() as u64;
        }
        self.complete_layer(layer);
        Ok(())
    }

    /// Merges the runs of a layer in parts, each of which covers a range of keys. The last key
    /// already written tells where the next part begins, so an interrupted merge can resume.
    ///
    /// A part is as large as memory allows, and all threads sort it
    /// together. Each run contributes at most its share. The runs are
    /// mapped, so even a large number of them needs no open file handles.
    fn merge(&mut self, layer: usize, watch: &Watch<'_>) -> Result<(), EnumerationError> {
        let runs = self.ledger.runs.iter().filter(|run| run.layer == layer);
        let runs = runs.map(|run| self.folder.map(&run.name(), Order::Sequential).map(MappedKeys));
        let runs: Vec<MappedKeys> = runs.collect::<Result<_, _>>()?;
        let share = (self.memory.keys_of_a_part() / runs.len().max(1)).max(1);
        let mut first = match self.ledger.keys - self.ledger.complete() {
            0 => 0,
            _ => self.keys.read_keys(self.ledger.keys - 1, 1)?[0] + 1,
        };
        let mut places: Vec<usize> = runs.iter().map(|run| run.first_not_below(first, 0..run.len())).collect();
        let mut part = Vec::with_capacity(share * runs.len());
        while runs.iter().zip(&places).any(|(run, &place)| place < run.len()) {
            // The part ends before the first key that exceeds some run's share. No key is as large
            // as `u64::MAX`.
            let beyond = runs.iter().zip(&places).filter(|&(run, place)| place + share < run.len());
            let end = beyond.map(|(run, place)| run.get(place + share)).min().unwrap_or(u64::MAX);
            part.clear();
            for (run, place) in runs.iter().zip(&mut places) {
                let until = run.first_not_below(end, *place..run.len().min(*place + share));
                part.extend((*place..until).map(|index| run.get(index)));
                *place = until;
            }
            part.par_sort_unstable();
            part.dedup();
            debug_assert!(part.first().is_none_or(|&key| key >= first));
            first = end;
            self.keys.append_keys(&mut part)?;
            self.ledger.keys += part.len() as u64;
            self.step(watch)?;
        }
        Ok(())
    }
}
