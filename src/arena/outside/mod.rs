//! Outside agents: other programs that speak UCI and know joust, at the board in a tournament.
//!
//! Such a program is not trusted. It may be missing, know other games only, be silent, end, answer
//! too late, answer nonsense, or write endlessly. None of this stops the tournament: every
//! wait has a deadline, what is read is bounded, and a program that does not answer is ended and
//! started anew for the next game.
//!
//! ```text
//! Pool      one program, and its processes that wait for a game
//! └ Guest   one process at the board, for one game
//!   └ Process   lines in, lines out, with deadlines
//! ```

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod program;

mod said;

mod running;

mod process;

mod fault;

mod handshake;

mod pool;

mod guest;

use std::time::Duration;

use crate::game::board::Size;

pub use fault::OutsideError;
pub use guest::Guest;
pub use pool::Pool;
pub use program::Program;

/// What an outside agent is told before it plays, and how long it is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The board.
    pub size: Size,
    /// Whether the players place their knights themselves.
    pub placing: bool,
    /// The memory for its hash table, in mebibytes.
    pub hash: u64,
    /// How long it may take to start, to get ready for a game, and to answer at all once its time
    /// for a move is over.
    pub patience: Duration,
    /// How long a move may take if its limit is not a time.
    pub longest_move: Duration,
}
