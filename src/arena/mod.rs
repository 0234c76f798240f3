//! Games between players, and what can be said of their results.

// In the order of their layers: each uses only those above it. The empty lines keep them so.
pub mod statistics;

mod game;

pub use game::{Random, game};
