//! Play without proof: scores that guess who stands better, and a search that looks a fixed number of plies ahead.

// In the order of their layers: each uses only those above it. The empty lines keep them so.
pub mod heuristics;

mod alphabeta;

pub use alphabeta::{AlphaBeta, Ordering};
