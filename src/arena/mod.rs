//! Games between players, and what can be said of their results.

// In the order of their layers: each uses only those above it. The empty lines keep them so.
pub mod statistics;

mod record;

mod game;

mod judge;

pub mod openings;

mod tournament;

mod standings;

pub mod published;

pub mod keeping;

pub use game::{Rules, game, play_out, random_opening};
pub use judge::judge;
pub use record::{End, Forfeit, Judgement, Record};
pub use standings::{Score, Standings, Tally};
pub use tournament::{Fixture, Plan};
