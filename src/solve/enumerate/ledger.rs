//! The manifest: which files in the folder are complete, and everything else needed to resume.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::folder::{EnumerationError, Folder};
use crate::game::board::Size;

/// The keys of all layers, the highest layer first. Each layer is sorted.
pub(super) const KEYS: &str = "keys";
/// One byte for each key, the lowest layer first: the number of plies of its outcome.
pub(super) const VALUES: &str = "values";
const MANIFEST: &str = "manifest.json";
/// The version of the file format. Increment it whenever the meaning of the files changes.
const VERSION: u32 = 2;

/// Identifies the enumeration that a folder holds.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Identity {
    version: u32,
    files: usize,
    ranks: usize,
    /// The keys of the roots, sorted, without duplicates.
    pub(super) roots: Vec<u64>,
}

impl Identity {
    pub(super) fn new(size: Size, mut roots: Vec<u64>) -> Self {
        roots.sort_unstable();
        roots.dedup();
        Self { version: VERSION, files: size.files(), ranks: size.ranks(), roots }
    }
}

/// A file of sorted keys of one layer, without duplicates, that waits to be merged into the layer.
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
    /// The number of keys of each complete layer, the highest layer first.
    layers: Vec<u64>,
    /// The number of keys written: those of the complete
    /// layers, and the first ones of the next layer.
    pub(super) keys: u64,
    /// The number of keys that are expanded. Their successors are among the keys and the runs.
    pub(super) expanded: u64,
    pub(super) runs: Vec<Run>,
    pub(super) next_run: u64,
    /// The number of values written.
    pub(super) decided: u64,
    /// The CRC-32 of the first `keys` keys and of the first `decided` values, as they stand in
    /// their files.
    pub(super) keys_checksum: u32,
    pub(super) values_checksum: u32,
    /// The CRC-32 of the manifest's own text, computed with a zero here.
    checksum: u32,
}

/// The position of a layer in the two files.
pub(super) struct Place {
    pub(super) keys: Range<usize>,
    /// The index of the layer's first value.
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

    /// Reads the folder's manifest. `None` if there is none that can be used, so that the work has
    /// to start from scratch.
    ///
    /// A manifest is unusable if it cannot be read, or if its files are missing or are not what was
    /// written. A readable manifest of other work is an error, and its files are left alone.
    pub(super) fn read(folder: &Folder, identity: &Identity) -> Result<Option<Self>, EnumerationError> {
        let Some(bytes) = folder.read(MANIFEST)? else { return Ok(None) };
        // Another version may mean something else by the rest of the manifest, so do not read on.
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
        serde_json::to_string(self).expect("numbers and lists of numbers always serialize")
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
        // A number of keys that no file can hold is none that was written.
        let sound =
            |name: &str, bytes: Option<u64>, checksum| bytes.and_then(|bytes| folder.checksum(name, bytes)) == Some(checksum);
        let keys = |keys: u64| keys.checked_mul(8);
        // A run is read to its end, so it must not be longer than what was written.
        let is_whole = |run: &Run| folder.length(&run.name()) == keys(run.keys);
        let runs = self.runs.iter().all(|run| is_whole(run) && sound(&run.name(), keys(run.keys), run.checksum));
        runs && sound(KEYS, keys(self.keys), self.keys_checksum) && sound(VALUES, Some(self.decided), self.values_checksum)
    }

    /// Removes files that an enumeration may have left in the folder and that this ledger does not
    /// name. Without a ledger it removes all of them, the manifest first, because an old manifest
    /// must never describe newly written files.
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

    /// One layer for every number of live cells, from zero to all cells but the knights'.
    pub(super) fn all_layers(&self) -> usize {
        (self.identity.files * self.identity.ranks).saturating_sub(1)
    }

    /// The highest layer that is not complete, if there is one.
    pub(super) fn next_layer(&self) -> Option<usize> {
        (self.all_layers() - self.layers.len()).checked_sub(1)
    }

    /// The layer in progress. Forward, this is the lowest complete layer until it is expanded, then
    /// the next one. Backward, it is the lowest layer that is not decided.
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

    /// The number of keys in all complete layers.
    pub(super) fn complete(&self) -> u64 {
        self.layers.iter().sum()
    }

    /// Marks the next layer as complete and returns its runs, which are no longer needed.
    pub(super) fn complete_layer(&mut self, layer: usize) -> Vec<Run> {
        self.layers.push(self.keys - self.complete());
        self.runs.extract_if(.., |run| run.layer == layer).collect()
    }

    /// The complete layers, lowest first.
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
