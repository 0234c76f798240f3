//! Estimates of how long a build takes, before it starts.

use super::request::{BuildRequest, Scope};
use crate::analysis::{expected_seconds, links};
use crate::game::board::Size;
use crate::game::position::Position;
use crate::solve::{Question, expected_positions};
use crate::table::Kind;

/// How many positions one thread finds and decides in a second. Two threads took 128 seconds for
/// the 120 million positions of 5x6.
const POSITIONS_A_SECOND: f64 = 5e5;

/// How many bytes a position takes on disk until the table is written: nine in the files of keys
/// and values, and about as many in runs that wait to be merged.
const BYTES_A_POSITION: f64 = 20.0;

/// A rough estimate of what a build takes. On large boards it can be wrong by a large factor.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Estimate {
    /// A strong table with all openings.
    Strong {
        /// The number of positions.
        positions: f64,
        /// The time for finding and deciding them.
        seconds: f64,
        /// The space on disk that the unfinished work needs.
        bytes: f64,
    },
    /// An opening table.
    Opening {
        /// The number of classes of openings.
        classes: usize,
        /// The time for proving who wins the openings. Their strategies take several times as long.
        seconds: f64,
    },
}

impl Estimate {
    /// `None` for a strong table of only some openings: there are no measurements of those.
    pub(super) fn of(request: &BuildRequest, classes: usize) -> Option<Self> {
        let threads = request.settings.threads.get();
        match (request.kind(), &request.scope) {
            (Kind::Strong, Scope::All) => {
                let positions = expected_positions(request.size);
                let seconds = positions / POSITIONS_A_SECOND / threads as f64;
                Some(Self::Strong { positions, seconds, bytes: positions * BYTES_A_POSITION })
            }
            (Kind::Strong, _) => None,
            (Kind::Opening, _) => Some(Self::Opening { classes, seconds: openings(request.size, classes, threads) }),
        }
    }
}

/// A rough number of seconds for proving who wins this many openings of a board.
pub(super) fn openings(size: Size, openings: usize, threads: usize) -> f64 {
    expected_seconds(Question::Winner, openings, links(&Position::empty(size)), threads)
}
