//! The rules of the game, and nothing else: boards, positions, symmetries and how all of them are
//! written.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
pub(crate) mod cells;

pub(crate) mod split;

pub(crate) mod board;

pub(crate) mod duel;

pub(crate) mod symmetry;

pub mod zobrist;

pub(crate) mod position;

pub(crate) mod perft;

pub mod notation;

pub(crate) mod outcome;
