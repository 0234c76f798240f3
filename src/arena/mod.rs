//! Games between players, and what their results say.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
pub mod statistics;

mod record;

mod game;

mod judge;

mod review;

pub mod openings;

mod tournament;

mod games_file;

mod games;

mod standings;

pub mod published;

pub mod heuristic_accuracy;

pub use game::{Rules, game, play_out, random_opening};
pub use games::{GameEntry, Games};
pub use games_file::{GamesFile, GamesFileError, Judging, LineError, LineFault, parse_games, read_games};
pub use judge::judge;
pub use record::{End, Forfeit, Judgement, Record, RecordError, YOU};
pub use review::{Review, ReviewedPly};
pub use standings::{Score, Standings, Tally};
pub use tournament::{Fixture, Plan};
