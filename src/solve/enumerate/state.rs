//! The state of an enumeration, in memory and on disk, and how checkpoints keep the two in step.

use std::path::Path;
use std::time::{Duration, Instant};

use super::folder::{EnumerationError, Folder, Growing};
use super::keys::Moves;
use super::ledger::{Identity, KEYS, Ledger, Run, VALUES};
use super::sets::Sets;
use super::{EnumerationPhase, EnumerationProgress};
use crate::game::board::Size;
use crate::game::duel::Duel;
use crate::solve::Settings;
use crate::solve::control::Control;

/// The default time between two checkpoints. This is how much work can be lost.
const BETWEEN_CHECKPOINTS: Duration = Duration::from_secs(10);

/// How the memory is divided.
///
/// The sets may fill one half. When they are written out, the list that is sorted takes less than
/// the sets did: at most 8 bytes per key, where they take at least 10. The rest serves everything
/// else: a sixteenth of the memory for the keys that are expanded or decided together, a quarter
/// for the part that is merged and later, when there are no sets, a quarter for the signposts.
/// Mapped files do not count, because the system takes their pages back when it needs them.
#[derive(Clone, Copy)]
pub(super) struct Memory(u64);

impl Memory {
    const KEY_BYTES: u64 = 8;
    /// More keys at once make nothing faster, and a request to stop would have to wait longer.
    const MOST_KEYS_AT_ONCE: u64 = 1 << 16;
    const MOST_KEYS_OF_A_PART: u64 = 1 << 22;

    pub(super) fn for_sets(self) -> u64 {
        self.0 / 2
    }

    /// How many keys are expanded at once. Each may have eight successors, in lists that may have
    /// twice the capacity they need.
    pub(super) fn keys_at_once(self) -> usize {
        (self.0 / 16 / (Self::KEY_BYTES * (1 + 8 * 2))).clamp(64, Self::MOST_KEYS_AT_ONCE) as usize
    }

    /// How many keys are merged at once.
    pub(super) fn keys_of_a_part(self) -> usize {
        (self.0 / 4 / Self::KEY_BYTES).clamp(64, Self::MOST_KEYS_OF_A_PART) as usize
    }

    /// How many keys may be kept in memory as an index.
    pub(super) fn signposts(self) -> usize {
        (self.0 / 4 / Self::KEY_BYTES) as usize
    }
}

/// The control that can stop the work, and the callback that reports its progress.
pub(super) struct Watch<'a> {
    pub(super) control: &'a Control,
    pub(super) progress: &'a (dyn Fn(EnumerationProgress) + Sync),
}

pub(super) struct EnumerationState {
    pub(super) moves: Moves,
    pub(super) memory: Memory,
    pub(super) folder: Folder,
    pub(super) ledger: Ledger,
    pub(super) keys: Growing,
    pub(super) values: Growing,
    pub(super) sets: Sets,
    /// Runs that the ledger no longer names. The manifest on disk may still name them.
    retired: Vec<Run>,
    /// Runs with lower numbers are safely on disk.
    safe_runs: u64,
    checkpoint: Instant,
    pub(super) between_checkpoints: Duration,
}

impl EnumerationState {
    /// Resumes the work that the folder holds, or starts it.
    pub(super) fn new(size: Size, roots: &[Duel<u64>], settings: Settings, folder: &Path) -> Result<Self, EnumerationError> {
        let (folder, moves) = (Folder::new(folder), Moves::new(size));
        let identity = Identity::new(size, roots.iter().map(|&root| moves.canonical(root)).collect());
        let found = Ledger::read(&folder, &identity)?;
        Ledger::tidy(&folder, found.as_ref())?;
        let begins = found.is_none();
        let ledger = found.unwrap_or_else(|| Ledger::new(identity.clone()));
        let mut sets = Sets::new(ledger.all_layers(), settings.threads.get());
        if begins {
            sets.add(&[sets.batch(identity.roots.into_iter())]);
        }
        Ok(Self {
            moves,
            memory: Memory(settings.memory),
            keys: folder.open(KEYS, 8 * ledger.keys, ledger.keys_checksum)?,
            values: folder.open(VALUES, ledger.decided, ledger.values_checksum)?,
            folder,
            sets,
            retired: Vec::new(),
            safe_runs: ledger.next_run,
            between_checkpoints: BETWEEN_CHECKPOINTS,
            checkpoint: Instant::now(),
            ledger,
        })
    }

    /// Ends a step of the work: reports progress, writes a checkpoint if one is due, and stops if
    /// the control says so.
    pub(super) fn step(&mut self, watch: &Watch<'_>) -> Result<(), EnumerationError> {
        (watch.progress)(self.progress());
        let stopped = watch.control.is_stopped();
        if stopped || self.checkpoint.elapsed() >= self.between_checkpoints {
            self.save()?;
        }
        if stopped { Err(EnumerationError::Stopped) } else { Ok(()) }
    }

    fn progress(&self) -> EnumerationProgress {
        let Ledger { keys, expanded, decided, .. } = self.ledger;
        let found_all = self.ledger.next_layer().is_none() && expanded == keys;
        let phase = if found_all { EnumerationPhase::Deciding } else { EnumerationPhase::Finding };
        EnumerationProgress { phase, layer: self.ledger.current_layer(), found: keys, expanded, decided }
    }

    /// Marks a layer as complete. Its runs are deleted once no manifest on disk names them.
    pub(super) fn complete_layer(&mut self, layer: usize) {
        self.retired.extend(self.ledger.complete_layer(layer));
    }

    /// Writes the keys of a layer that are in memory to a new run.
    pub(super) fn write_run(&mut self, layer: usize) -> Result<(), EnumerationError> {
        let mut keys = self.sets.take(layer);
        if !keys.is_empty() {
            let mut run = Run { layer, number: self.ledger.next_run, keys: keys.len() as u64, checksum: 0 };
            run.checksum = self.folder.write_keys(&run.name(), &mut keys)?;
            self.ledger.runs.push(run);
            self.ledger.next_run += 1;
        }
        Ok(())
    }

    /// Writes all keys in the sets to runs.
    pub(super) fn write_runs(&mut self) -> Result<(), EnumerationError> {
        self.sets.filled().into_iter().try_for_each(|layer| self.write_run(layer))
    }

    /// Writes a checkpoint. Everything goes to disk before the manifest that names it. Files named
    /// by the old manifest are kept until the new one is written.
    fn save(&mut self) -> Result<(), EnumerationError> {
        self.write_runs()?;
        for run in self.ledger.runs.iter().filter(|run| run.number >= self.safe_runs) {
            self.folder.sync(&run.name())?;
        }
        self.keys.sync()?;
        self.values.sync()?;
        (self.ledger.keys_checksum, self.ledger.values_checksum) = (self.keys.checksum(), self.values.checksum());
        self.ledger.write(&self.folder)?;
        self.safe_runs = self.ledger.next_run;
        for run in self.retired.drain(..) {
            self.folder.remove(&run.name())?;
        }
        self.checkpoint = Instant::now();
        Ok(())
    }
}
