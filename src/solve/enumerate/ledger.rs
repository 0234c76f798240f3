//! What of the files in the folder is complete: all that has to be known to go on after a stop.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::folder::{EnumerationError, Folder};
use crate::board::Size;

/// All layers' keys, the highest layer first, each layer sorted.
pub(super) const KEYS: &str = "keys";
/// A byte for each key, the lowest layer first: the plies of its outcome.
pub(super) const VALUES: &str = "values";
const MANIFEST: &str = "manifest.json";
/// Counts the changes of what the files mean.
const VERSION: u32 = 2;

/// Whose work the folder holds.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Identity {
    version: u32,
    files: usize,
    ranks: usize,
    /// Their keys, sorted, each once.
    pub(super) roots: Vec<u64>,
}

impl Identity {
    pub(super) fn new(size: Size, mut roots: Vec<u64>) -> Self {
        roots.sort_unstable();
        roots.dedup();
        Self { version: VERSION, files: size.files(), ranks: size.ranks(), roots }
    }
}

/// A file of sorted keys of one layer, each once, that waits for the layer's turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Run {
    pub(super) layer: usize,
    pub(super) number: u64,
    pub(super) keys: u64,
    pub(super) checksum: u32,
}

impl Run {
    pub(super) fn name(self) -> String {
        format!("run-{:06}", self.number)
    }
}

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Ledger {
    #[serde(flatten)]
    identity: Identity,
    /// How many keys each complete layer has, the highest layer first.
    layers: Vec<u64>,
    /// How many keys there are: those of the complete layers, and the first ones of the next.
    pub(super) keys: u64,
    /// Of how many keys the successors were found; they are among the keys and the runs.
    pub(super) expanded: u64,
    pub(super) runs: Vec<Run>,
    pub(super) next_run: u64,
    /// How many values there are.
    pub(super) decided: u64,
    /// CRC-32 of so many keys and values, in their files.
    pub(super) keys_checksum: u32,
    pub(super) values_checksum: u32,
    /// CRC-32 of this, as it is written with a zero here.
    checksum: u32,
}

/// Where a layer stands in the two files.
pub(super) struct Place {
    pub(super) keys: Range<usize>,
    /// The place of its first value.
    pub(super) values: usize,
}

impl Ledger {
    pub(super) fn new(identity: Identity) -> Self {
        Self {
            identity,
            layers: Vec::new(),
            keys: 0,
            expanded: 0,
            runs: Vec::new(),
            next_run: 0,
            decided: 0,
            keys_checksum: 0,
            values_checksum: 0,
            checksum: 0,
        }
    }

    /// What the folder's manifest says; none if there is none to go by.
    ///
    /// A manifest that cannot be read is as good as none, and so is one whose files are missing or are not what was written: the work begins
    /// anew. One that can be read and tells of other work is left alone.
    pub(super) fn read(folder: &Folder, identity: &Identity) -> Result<Option<Self>, EnumerationError> {
        let Some(bytes) = folder.read(MANIFEST)? else { return Ok(None) };
        // What another version means by the rest, nobody knows here.
        if serde_json::from_slice::<Identity>(&bytes).is_ok_and(|found| found.version != VERSION) {
            return Err(EnumerationError::Foreign);
        }
        let Some(ledger) = serde_json::from_slice::<Self>(&bytes).ok().filter(Self::is_whole) else { return Ok(None) };
        if ledger.identity != *identity {
            return Err(EnumerationError::Foreign);
        }
        Ok(Some(ledger).filter(|ledger| ledger.adds_up() && ledger.is_backed_by(folder)))
    }

    pub(super) fn write(&mut self, folder: &Folder) -> Result<(), EnumerationError> {
        self.checksum = self.own_checksum();
        folder.replace(MANIFEST, self.text().as_bytes())
    }

    fn text(&self) -> String {
        serde_json::to_string(self).expect("numbers and lists of numbers can always be written")
    }

    fn own_checksum(&self) -> u32 {
        crc32fast::hash(Self { checksum: 0, ..self.clone() }.text().as_bytes())
    }

    fn is_whole(&self) -> bool {
        self.checksum == self.own_checksum()
    }

    fn adds_up(&self) -> bool {
        let complete = self.layers.iter().try_fold(0_u64, |sum, &keys| sum.checked_add(keys));
        let runs = self.runs.iter().all(|run| run.layer < self.all_layers() && run.number < self.next_run);
        let fits = |complete| self.expanded <= complete && complete <= self.keys && self.decided <= complete;
        runs && self.layers.len() <= self.all_layers() && complete.is_some_and(fits)
    }

    fn is_backed_by(&self, folder: &Folder) -> bool {
        let sound = |name: &str, bytes, checksum| folder.checksum(name, bytes) == Some(checksum);
        let runs = self.runs.iter().all(|run| sound(&run.name(), 8 * run.keys, run.checksum));
        runs && sound(KEYS, 8 * self.keys, self.keys_checksum) && sound(VALUES, self.decided, self.values_checksum)
    }

    /// Removes from the folder what an enumeration may have left there and this ledger does not name. Without a ledger that is everything, the
    /// manifest first: it must not speak for files that are written anew.
    pub(super) fn tidy(folder: &Folder, ledger: Option<&Self>) -> Result<(), EnumerationError> {
        let mut names = folder.names()?;
        names.sort_unstable_by_key(|name| name != MANIFEST);
        for name in names {
            let named = |ledger: &Self| {
                [KEYS, VALUES, MANIFEST].contains(&name.as_str()) || ledger.runs.iter().any(|run| run.name() == name)
            };
            let ours = name.starts_with("run-") || name.starts_with(MANIFEST) || name == KEYS || name == VALUES;
            if ours && !ledger.is_some_and(named) {
                folder.remove(&name)?;
            }
        }
        Ok(())
    }

    /// A layer for every number of live cells, from none to all that are left beside the knights.
    pub(super) fn all_layers(&self) -> usize {
        (self.identity.files * self.identity.ranks).saturating_sub(1)
    }

    /// The highest layer that is not complete, if there is one.
    pub(super) fn next_layer(&self) -> Option<usize> {
        (self.all_layers() - self.layers.len()).checked_sub(1)
    }

    /// The layer at work: forward the lowest that is complete, until it is expanded, and then the next; backward the lowest that is not decided.
    pub(super) fn current_layer(&self) -> usize {
        let lowest = self.all_layers() - self.layers.len();
        match self.next_layer() {
            Some(next) if self.expanded == self.complete() => next,
            None if self.expanded == self.keys => {
                let undecided = |place: &Place| (place.values + place.keys.len()) as u64 > self.decided;
                self.places().iter().position(undecided).unwrap_or_else(|| self.all_layers().saturating_sub(1))
            }
            _ => lowest,
        }
    }

    /// The keys of all complete layers.
    pub(super) fn complete(&self) -> u64 {
        self.layers.iter().sum()
    }

    /// All keys of the next layer are there. Gives its runs away: they are no longer needed.
    pub(super) fn complete_layer(&mut self, layer: usize) -> Vec<Run> {
        self.layers.push(self.keys - self.complete());
        self.runs.extract_if(.., |run| run.layer == layer).collect()
    }

    /// The complete layers, from the lowest.
    pub(super) fn places(&self) -> Vec<Place> {
        let (mut end, mut values) = (self.complete() as usize, 0);
        let place = |&keys: &u64| {
            let keys = keys as usize;
            let place = Place { keys: end - keys..end, values };
            (end, values) = (end - keys, values + keys);
            place
        };
        self.layers.iter().rev().map(place).collect()
    }
}
