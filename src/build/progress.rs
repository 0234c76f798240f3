//! What long work reports while it runs, and how it ends.

use std::path::PathBuf;

/// How far the work is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// How many positions are done in this stage.
    pub done: u64,
    /// How many positions there are in this stage, as far as is known. The number may still grow.
    pub total: u64,
}

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Stage {
    /// Finding all positions of a strong table.
    Finding,
    /// Deciding the positions that were found.
    Deciding,
    /// Proving the winner's strategy, level by level.
    Proving {
        /// The number of live cells of the positions in this level.
        live: usize,
        /// The number of nodes that were searched so far.
        nodes: u64,
    },
    /// Writing the table.
    Writing,
    /// Verifying the entries of a table.
    Verifying,
}

/// How a piece of work ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Completion {
    /// The table is complete and has its name.
    Finished {
        /// The table.
        table: PathBuf,
    },
    /// The control stopped the work. The same work can be resumed.
    Stopped {
        /// The folder that holds the unfinished work.
        folder: PathBuf,
    },
}
