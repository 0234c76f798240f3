//! The UCI protocol as pure functions of the lines read. The caller carries out the [`Effect`]s.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod protocol;

mod info;

mod session;

pub use info::{best_move, info};
pub use protocol::{Command, Go, ProtocolError, Start, parse};
pub use session::{Effect, Options, Search, Session};
