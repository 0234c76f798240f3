//! How much of the machine a solver may use, and what happens if it cannot have it.

use std::fmt;
use std::num::NonZero;

use crate::game::board::DoesNotFit;

/// How much of the machine a solver may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Threads that search.
    pub threads: NonZero<usize>,
    /// Bytes for what the solver remembers. Each thread takes a part for its partition memo. Of the
    /// rest, one half is for the transposition table of values and one for that of distances, which
    /// is only allocated when distances are asked for.
    pub memory: u64,
}

impl Settings {
    /// The least memory that a solver works with, on the smallest boards.
    pub const LEAST_MEMORY: u64 = 1 << 20;
    /// The memory that it takes by default.
    pub const DEFAULT_MEMORY: u64 = 256 << 20;
    /// The most that a thread takes for its partition memo. A larger one would not fit the
    /// processor's cache and would help little.
    const MOST_FOR_PARTITION_MEMO: u64 = 8 << 20;

    /// The bytes of each thread's partition memo, and of each of the two transposition tables.
    pub(super) fn shares(self) -> (u64, u64) {
        let threads = self.threads.get() as u64;
        let partition_memo = (self.memory / 4 / threads).min(Self::MOST_FOR_PARTITION_MEMO);
        (partition_memo, (self.memory - partition_memo * threads) / 2)
    }
}

impl Default for Settings {
    /// One thread.
    fn default() -> Self {
        Self { threads: NonZero::<usize>::MIN, memory: Self::DEFAULT_MEMORY }
    }
}

/// Why there is no solver.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum SolverError {
    /// The board is too large for the solver's word.
    Board(DoesNotFit),
    /// The system refuses to start the threads.
    Threads { threads: usize, reason: String },
    /// The system refuses the memory.
    Memory { bytes: u64 },
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board(fault) => fault.fmt(f),
            Self::Threads { threads: 1, reason } => write!(f, "cannot start a thread: {reason}"),
            Self::Threads { threads, reason } => write!(f, "cannot start {threads} threads: {reason}"),
            Self::Memory { bytes } => write!(f, "cannot allocate {} MiB of memory", bytes >> 20),
        }
    }
}

impl std::error::Error for SolverError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Board(fault) => Some(fault),
            Self::Threads { .. } | Self::Memory { .. } => None,
        }
    }
}

impl From<DoesNotFit> for SolverError {
    fn from(fault: DoesNotFit) -> Self {
        Self::Board(fault)
    }
}
