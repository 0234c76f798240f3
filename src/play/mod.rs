//! Players: scores that guess who stands better, a search that looks ahead, and the players that use them.

// In the order of their layers: each uses only those above it. The empty lines keep them so.
pub mod heuristics;

mod cache;

mod lookahead;

mod clock;

mod thinker;

mod random;

mod best;

mod agents;

pub use agents::{Agent, Means, UnknownAgent};
pub use best::{Best, Manner};
pub use clock::{Clock, Limit};
pub use lookahead::{Found, Knowledge, Lookahead, Ordering, Style, WIN};
pub use random::Random;
pub use thinker::{Basis, Decision, Proof, Thinker};
