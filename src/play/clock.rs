//! How long a player may think.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::notation::{grouped, parse_grouped};
use crate::solve::Control;

/// A limit for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// By the clock on the wall.
    Time(Duration),
    /// So many nodes: the same game on every machine.
    Nodes(u64),
    /// So many plies ahead: the same game on every machine.
    Depth(u32),
}

impl Limit {
    /// Starts the clock.
    #[must_use]
    pub fn start(self) -> Clock {
        self.start_within(&Arc::new(Control::unlimited()))
    }

    /// Starts a clock that also stops when the whole does.
    #[must_use]
    pub fn start_within(self, whole: &Arc<Control>) -> Clock {
        let (control, depth) = match self {
            Self::Time(time) => (whole.part(Some(time)), None),
            Self::Nodes(nodes) => (whole.part_of_nodes(nodes), None),
            Self::Depth(depth) => (whole.part(None), Some(depth)),
        };
        Clock { control: Arc::new(control), depth }
    }
}

/// `150ms`, `20,000 nodes`, `depth 7`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => humantime::format_duration(*time).fmt(f),
            Self::Nodes(nodes) => write!(f, "{} nodes", grouped(*nodes)),
            Self::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// Reads what is written; a text that is no limit is given back.
impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || format!("`{text}` is no limit; write one such as `150ms`, `20,000 nodes` or `depth 7`");
        if let Some(nodes) = text.strip_suffix(" nodes") {
            return parse_grouped(nodes).map(Self::Nodes).ok_or_else(fault);
        }
        match text.strip_prefix("depth ") {
            Some(depth) => depth.parse().map(Self::Depth).map_err(|_| fault()),
            None => humantime::parse_duration(text).map(Self::Time).map_err(|_| fault()),
        }
    }
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A clock that runs.
#[derive(Clone, Debug)]
pub struct Clock {
    /// Stops when the limit is reached, or when somebody stops it.
    pub control: Arc<Control>,
    /// How far ahead may be looked; none: as far as the control allows.
    pub depth: Option<u32>,
}

impl Clock {
    /// How far ahead may be looked.
    #[must_use]
    pub fn most_depth(&self) -> u32 {
        self.depth.unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_come_back() {
        for limit in [Limit::Time(Duration::from_millis(150)), Limit::Nodes(20_000), Limit::Depth(7)] {
            assert_eq!(limit.to_string().parse(), Ok(limit));
        }
        for wrong in ["", "7", "nodes", "20000 nodes", "depth", "depth -1", "soon"] {
            assert!(wrong.parse::<Limit>().is_err(), "{wrong}");
        }
    }
}
