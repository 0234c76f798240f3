//! Exact answers about duels: who wins, and in how many plies.
//!
//! [`Solver`] works with one machine word, `u64` or `u128`. Most users want [`crate::Analyst`]
//! instead, which chooses the word and answers about whole positions.
//!
//! ```
//! use isolde::{Control, Position, Settings, Value, solve::Solver};
//!
//! let position: Position = "5x5: a1 c3".parse()?;
//! let solver = Solver::<u64>::new(position.size(), Settings::default())?;
//! let duel = position.duel().unwrap();
//! assert_eq!(solver.value(duel, &Control::unlimited()), Ok(Value::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod known;

mod source;

mod control;

mod settings;

mod turns;

mod openings;

mod mirror;

mod regions;

mod transposition;

mod proof;

mod partition_memo;

mod weights;

mod ground;

mod order;

pub(crate) mod cost;

mod visited;

mod search;

mod expectation;

mod move_costs;

mod shared;

mod at_hand;

mod parallel;

mod distance;

mod solver;

mod guide;

mod weak;

mod enumerate;

mod strategy_log;

mod proof_checkpoint;

mod strategy;

pub(crate) use at_hand::NODES_AT_HAND;
pub use control::{Control, Stopped};
pub use enumerate::{
    Enumeration, EnumerationError, EnumerationPhase, EnumerationProgress, Strong, StrongEntries, expected_positions,
};
pub(crate) use guide::Guide;
pub use known::{Count, Known, Origin};
pub use mirror::mirror;
pub use move_costs::{MoveCost, Searched, move_costs, visited};
pub use openings::{Opening, OpeningClass, opening_classes, placement_classes, winner_by_choice};
pub use order::{MOST_MOVES, Promising};
pub(crate) use order::{ordered, promising_replies};
pub(crate) use parallel::{MORE_PATIENCE, PATIENCE, expected_nodes};
pub use proof_checkpoint::ProofCheckpoint;
pub use settings::{Settings, SolverError};
pub use solver::{Question, Solver};
pub use source::Source;
pub use strategy::{StrategyError, StrategyLimits, StrategyProgress, default_depth};
pub use strategy_log::{StrategyLog, StrategyLogError};
pub(crate) use turns::in_turns;
pub use weak::{Reply, WeakProof, board_mirror};
