//! Spoken to by other programs: the UCI protocol, as pure functions of what is read. Whoever has a process around it does what the [`Effect`]s say.

// In the order of their layers: each uses only those above it. The empty lines keep them so.
mod protocol;

mod info;

mod session;

pub use info::{best_move, info};
pub use protocol::{Command, Go, Start, parse};
pub use session::{Effect, Options, Search, Session};
