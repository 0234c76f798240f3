//! Every position of a board: the strong solution.
//!
//! Each position that can be reached from the roots is found once, up to symmetry and dead cells, and then decided. There are far too many to
//! keep in memory, and they take far too long to find to be found twice: so they are in files, and after a stop, even a sudden one, the work
//! goes on where it was a few seconds before.
//!
//! The positions are handled in *layers*, by the number of their live cells, because every move leads from one layer to a lower one.
//! - Forward, from the highest layer to the lowest: the successors of a layer's positions wait in sets in memory, which are written out as sorted
//!   *runs* when they are full; when a layer's turn comes, its runs are merged.
//! - Backward, from the lowest to the highest: every position is decided by its successors, which are looked up in the lower layers.
//!
//! The files that result are the same for any number of threads, any memory and any interruption.

// In the order of their layers: each uses only those above it. The empty lines keep them so.
mod keys;

mod folder;

mod ledger;

mod sets;

mod work;

mod find;

mod decide;

mod strong;

mod expected;

use std::path::Path;
use std::time::Duration;

use super::Settings;
use super::control::Control;
use crate::board::Size;
use crate::duel::Duel;
use work::{Watch, Work};

pub use expected::expected_positions;
pub use folder::EnumerationError;
pub use strong::{Strong, StrongEntries};

/// What an enumeration is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnumerationPhase {
    /// Finding all positions, from the roots downwards.
    Finding,
    /// Deciding them, from the ends of the games upwards.
    Deciding,
}

/// How far an enumeration is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnumerationProgress {
    /// What it is doing.
    pub phase: EnumerationPhase,
    /// The live cells of the positions at work.
    pub layer: usize,
    /// The positions that are known. When all are expanded, these are all there are.
    pub found: u64,
    /// Those whose successors were found.
    pub expanded: u64,
    /// Those whose outcome is known.
    pub decided: u64,
}

/// Finds and decides every position of a board.
pub struct Enumeration {
    work: Work,
    pool: rayon::ThreadPool,
}

impl Enumeration {
    /// The most cells that a board can have.
    pub const MOST_CELLS: usize = keys::MOST_CELLS;

    /// Begins, or goes on where an earlier enumeration of the same board from the same roots stopped in this folder.
    ///
    /// The folder must exist and belong to this enumeration alone, and to the [solution](Strong) that comes of it.
    ///
    /// # Errors
    /// If the folder holds other work, if its files cannot be read and written, or if the system does not give the threads.
    ///
    /// # Panics
    /// If the board has more than [`Enumeration::MOST_CELLS`] cells.
    pub fn new(size: Size, roots: &[Duel<u64>], settings: Settings, folder: &Path) -> Result<Self, EnumerationError> {
        assert!(size.cells() <= Self::MOST_CELLS, "a board of {} cells is too large", size.cells());
        let threads = settings.threads.get();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|fault| EnumerationError::Threads { threads, reason: fault.to_string() })?;
        Ok(Self { work: Work::new(size, roots, settings, folder)?, pool })
    }

    /// Makes what was done safe as often as this, instead of every ten seconds.
    #[must_use]
    pub fn with_checkpoints(mut self, every: Duration) -> Self {
        self.work.between_checkpoints = every;
        self
    }

    /// Finds and decides all positions. `progress` is told after each step, many times a second.
    ///
    /// # Errors
    /// If the control stopped the work, or if the files in the folder cannot be read and written. Either way a [new](Enumeration::new)
    /// enumeration goes on from what is safe in the folder.
    pub fn run(self, control: &Control, progress: &(dyn Fn(EnumerationProgress) + Sync)) -> Result<Strong, EnumerationError> {
        let Self { mut work, pool } = self;
        let watch = Watch { control, progress };
        pool.install(|| {
            work.find(&watch)?;
            work.decide(&watch)?;
            Strong::new(&work)
        })
    }
}
