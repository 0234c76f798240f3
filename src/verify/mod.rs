//! Strategies and laws that people believe in, checked.

// In the order of their layers: each uses only those above it. The empty lines keep them so.
mod argument;

mod rule;

mod exhaust;

mod symmetric;

mod reachable;

mod openings;

pub use argument::{Argument, LaggedArgument, MIRRORS};
pub use exhaust::{Bounds, Break, End, Exhaustion, Fault, Limit, exhaust};
pub use openings::{ByMirror, JudgedClass, Openings};
pub use reachable::Reachable;
pub use rule::{Rule, RuleKind};
pub use symmetric::Asymmetry;
