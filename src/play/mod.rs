//! Players: heuristics, a lookahead that uses them, and the agents built from both.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
pub mod heuristics;

mod cache;

mod lookahead;

mod clock;

mod chooser;

mod random;

mod best;

mod agents;

mod catalogue;

mod chosen_move;

pub use agents::{Agent, Means, UnknownAgent, settings_for};
pub use catalogue::{AgentEntry, Catalogue, HeuristicEntry};
pub(crate) use chooser::panic_message;
pub use chooser::{Basis, Chooser, Decision, ProvenBy};
pub use chosen_move::ChosenMove;
pub(crate) use clock::format_duration;
pub use clock::{Clock, Limit, LimitError};
pub use lookahead::{Found, Knowledge, Lookahead, Ordering, Style, WIN};
pub use random::Random;
