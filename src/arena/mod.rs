//! Games between players, and what their results say.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
pub mod statistics;

mod record;

mod rules;

pub mod outside;

mod entrant;

mod game;

mod judge;

mod review;

pub mod openings;

mod tournament;

mod seats;

mod games_file;

mod games;

mod standings;

pub mod published;

pub mod heuristic_accuracy;

pub use entrant::{Entrant, UnknownEntrant};
pub use game::{Seat, game, play_out, random_opening};
pub use games::{GameEntry, Games};
pub use games_file::{GamesFile, GamesFileError, Judging, LineError, LineFault, parse_games, read_games};
pub use judge::judge;
pub use record::{End, Forfeit, Judgement, Record, RecordError, YOU};
pub use review::{Review, ReviewedPly};
pub use rules::Rules;
pub use seats::{SeatError, Seats};
pub use standings::{Score, Standings, Tally};
pub use tournament::{Fixture, Plan};
