//! Isolde, the Isolation decider.
//!
//! Two knights on a board of any size up to 128 cells: each player places one, then they take turns to move; every visited cell is
//! gone for good, and whoever cannot move has lost. Isolde proves who wins.
//!
//! The modules stand in the order of their layers; each uses only those above it.
//!
//! ```
//! use isolde::{Part, Player, Position, notation};
//!
//! let position = Position::<u64>::new(notation::parse("7x7: d4 b3 f5")?)?;
//! assert_eq!(position.turn(), Player::Second);
//! assert_eq!(position.legal_moves().len(), 5);
//! assert_eq!(position.part(Player::First), Some(Part::Prey));
//! # Ok::<(), isolde::notation::Error>(())
//! ```

#![warn(clippy::unwrap_used)]

mod mapped;

mod cells;

mod board;

mod duel;

mod symmetry;

pub mod zobrist;

mod position;

mod perft;

pub mod notation;

mod outcome;

mod solve;

pub mod table;

mod analysis;

pub mod verify;

pub mod play;

pub mod arena;

pub mod claims;

pub mod engine;

pub mod cli;

pub use analysis::{Analysis, Analyst, Count, Finding, Judged, Origin};
pub use board::{Board, Colour, Size, SizeError};
pub use cells::{Cell, Cells, Iter, MAX_CELLS, Word};
pub use duel::{Duel, Part};
pub use outcome::{Choice, Outcome, Value};
pub use perft::{lines_by_copying, lines_by_taking_back, perft};
pub use position::{IllegalMove, Player, Position, Setup, SetupError};
pub use solve::{
    Answer, Control, Enumeration, EnumerationError, EnumerationPhase, EnumerationProgress, Journal, JournalError, Known,
    MOST_MOVES, Notes, Opening, OpeningClass, Promising, Question, Reply, Settings, Solver, SolverError, Source, Stopped,
    StrategyError, StrategyLimits, StrategyProgress, Strong, StrongEntries, WeakProof, board_mirror, default_depth,
    expected_positions, mirror, opening_classes, winner_by_choice,
};
pub use symmetry::{Canonical, Symmetries, Symmetry};

/// The README's examples, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
