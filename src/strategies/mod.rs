//! Checks of strategies that people believe in: mirrors, and following one move behind.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod mirrors;

mod argument;

mod rule;

mod sort;

mod exhaust;

mod symmetric;

mod mirroring;

mod reachable;

pub use argument::{Argument, LaggedArgument};
pub use exhaust::{Bounds, Break, CheckEnd, CheckLimit, Exhaustion, NoReply, exhaust};
pub use mirroring::{BreakingLine, BrokenSymmetry, Mirroring, Reply};
pub use mirrors::{MIRRORS, NoMirror, UnknownMirror, mirror_named, mirrors_of};
pub use reachable::Reachable;
pub use rule::{Rule, RuleKind};
pub use symmetric::Asymmetry;
