//! Checks of strategies that people believe in: mirrors, and following one move behind.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod argument;

mod rule;

mod sort;

mod exhaust;

mod symmetric;

mod reachable;

pub use argument::{Argument, LaggedArgument, MIRRORS};
pub use exhaust::{Bounds, Break, CheckEnd, CheckLimit, Exhaustion, NoReply, exhaust};
pub use reachable::Reachable;
pub use rule::{Rule, RuleKind};
pub use symmetric::Asymmetry;
