//! The limit for each move, and by how much it may be exceeded.

use std::time::Duration;

use crate::play::Limit;

/// The limit for each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The limit.
    pub limit: Limit,
    /// By how much a move may exceed a time limit.
    pub grace: Duration,
}
