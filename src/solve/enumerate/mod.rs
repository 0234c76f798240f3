//! Every position of a board: the strong solution.
//!
//! Finds each position that can be reached from the roots once, up to symmetry and dead cells, and
//! then decides it. There are far too many positions to keep in memory, and finding them takes far
//! too long to do it twice. So they are kept in files. After an interruption, even a sudden one,
//! the work resumes from a checkpoint that is a few seconds old.
//!
//! Positions are grouped in *layers* by their number of live cells, because every move leads to a
//! lower layer.
//! - Forward, from the highest layer to the lowest: the successors of a layer's positions are
//!   collected in sets in memory. When the sets are full, they are written out as sorted *runs*.
//!   When a layer's turn comes, its runs are merged.
//! - Backward, from the lowest layer to the highest: every position is decided from its successors,
//!   which are looked up in the lower layers.
//!
//! The resulting files are the same for any number of
//! threads, any amount of memory and any interruption.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod keys;

mod folder;

mod ledger;

mod sets;

mod state;

mod find;

mod decide;

mod strong;

mod expected;

use std::path::Path;
use std::time::Duration;

use super::Settings;
use super::control::Control;
use crate::game::board::Size;
use crate::game::duel::Duel;
use state::{EnumerationState, Watch};

pub use expected::expected_positions;
pub use folder::EnumerationError;
pub use strong::{Strong, StrongEntries};

/// The phase of an enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnumerationPhase {
    /// Finding all positions, from the roots down.
    Finding,
    /// Deciding them, from the ends of the games up.
    Deciding,
}

/// The progress of an enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnumerationProgress {
    /// What it is doing now.
    pub phase: EnumerationPhase,
    /// The layer in progress: the number of live cells of its positions.
    pub layer: usize,
    /// The number of positions found so far. Once all of them are expanded, there are no others.
    pub found: u64,
    /// The number of positions whose successors have been found.
    pub expanded: u64,
    /// The number of positions whose outcome is known.
    pub decided: u64,
}

/// Finds and decides every position of a board.
pub struct Enumeration {
    work: EnumerationState,
    pool: rayon::ThreadPool,
}

impl Enumeration {
    /// The largest board, in cells, that can be enumerated.
    pub const MOST_CELLS: usize = keys::MOST_CELLS;

    /// Starts an enumeration, or resumes an earlier one of the same board from the same roots in
    /// this folder.
    ///
    /// The folder must exist. Nothing but this enumeration and the [solution](Strong) made from it
    /// may use the folder.
    ///
    /// # Errors
    /// If the board has more than [`Enumeration::MOST_CELLS`] cells, if the folder holds other
    /// work, if its files cannot be read and written, or if the threads cannot be started.
    pub fn new(size: Size, roots: &[Duel<u64>], settings: Settings, folder: &Path) -> Result<Self, EnumerationError> {
        if size.cells() > Self::MOST_CELLS {
            return Err(EnumerationError::TooLarge { size, most: Self::MOST_CELLS });
        }
        let threads = settings.threads.get();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|fault| EnumerationError::Threads { threads, reason: fault.to_string() })?;
        Ok(Self { work: EnumerationState::new(size, roots, settings, folder)?, pool })
    }

    /// Writes a checkpoint this often, instead of every ten seconds.
    #[must_use]
    pub fn with_checkpoints(mut self, every: Duration) -> Self {
        self.work.between_checkpoints = every;
        self
    }

    /// Finds and decides all positions. Calls `progress` after each step, many times a second.
    ///
    /// # Errors
    /// If the control stopped the work, or if the files in the folder
    /// cannot be read and written. Either way, a [new](Enumeration::new)
    /// enumeration resumes from the last checkpoint in the folder.
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
