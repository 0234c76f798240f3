//! The UCI engine: the protocol as pure functions of the lines read, and the loop that carries out
//! their [`Effect`]s.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod protocol;

mod options;

mod search;

mod info;

mod session;

mod work;

mod run;

pub use crate::game::notation::Start;
pub use info::{best_move, best_move_with_reply, info};
pub use options::Options;
pub use protocol::{Command, Go, ProtocolError, parse};
pub use run::{EngineError, Said, Voice, run};
pub use search::Search;
pub use session::{Effect, Session};
pub use work::Seating;
