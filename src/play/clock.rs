//! The limit for one move: time, nodes or depth.

use std::fmt::{self, Write};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::game::notation::{grouped, parse_grouped};
use crate::solve::Control;

/// How much work a player may spend on one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Wall-clock time.
    Time(Duration),
    /// A number of nodes. The game is the same on every machine.
    Nodes(u64),
    /// A number of plies to look ahead. The game is the same on every machine.
    Depth(u32),
}

impl Limit {
    /// Starts the clock.
    #[must_use]
    pub fn start(self) -> Clock {
        self.start_within(&Arc::new(Control::unlimited()))
    }

    /// Starts a clock that also stops when `whole` stops.
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

/// Writes `150ms`, `20,000 nodes` or `depth 7`.
///
/// # Stability
/// Records and games files contain this text.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => f.write_str(&format_duration(*time)),
            Self::Nodes(nodes) => write!(f, "{} nodes", grouped(*nodes)),
            Self::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// The error for a text that is not a [`Limit`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LimitError {
    text: String,
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a limit: write one such as `150ms`, `20,000 nodes` or `depth 7`", self.text)
    }
}

impl std::error::Error for LimitError {}

/// Reads what [`Limit`]'s `Display` writes.
impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        let limit = if let Some(nodes) = text.strip_suffix(" nodes") {
            parse_grouped(nodes).map(Self::Nodes)
        } else if let Some(depth) = text.strip_prefix("depth ") {
            depth.parse().ok().map(Self::Depth)
        } else {
            parse_duration(text).map(Self::Time)
        };
        limit.ok_or_else(|| LimitError { text: text.to_string() })
    }
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The units of a written duration of at least a second, in seconds, with singular and plural. A
/// month has 30.44 days and a year 365.25.
const LONG_UNITS: [(u64, &str, &str); 6] = [
    (31_557_600, "year", "years"),
    (2_630_016, "month", "months"),
    (86_400, "day", "days"),
    (3_600, "h", "h"),
    (60, "m", "m"),
    (1, "s", "s"),
];

/// The units of the rest, in nanoseconds.
const SHORT_UNITS: [(u32, &str); 3] = [(1_000_000, "ms"), (1_000, "us"), (1, "ns")];

/// A duration as people write it: `150ms`, `1s 500ms`, `2m`.
///
/// # Stability
/// Records and games files contain this text. It is the text of the crate `humantime`, which wrote
/// them earlier.
pub(crate) fn format_duration(duration: Duration) -> String {
    let mut text = String::new();
    let mut write = |number: u64, unit: &str| {
        if number > 0 {
            let space = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{space}{number}{unit}");
        }
    };
    let mut seconds = duration.as_secs();
    for (length, one, several) in LONG_UNITS {
        let number = seconds / length;
        write(number, if number == 1 { one } else { several });
        seconds %= length;
    }
    let mut nanoseconds = duration.subsec_nanos();
    for (length, unit) in SHORT_UNITS {
        write(u64::from(nanoseconds / length), unit);
        nanoseconds %= length;
    }
    if text.is_empty() { "0s".to_string() } else { text }
}

/// Reads numbers with units, such as `1s 500ms`. `None` if the text is anything else, or too long a
/// time.
fn parse_duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut duration = (!rest.is_empty()).then_some(Duration::ZERO)?;
    while !rest.is_empty() {
        let (number, behind) = split_where(rest, |letter| !letter.is_ascii_digit());
        let (unit, behind) = split_where(behind, |letter| !letter.is_ascii_alphabetic());
        let number: u64 = number.parse().ok()?;
        let long = LONG_UNITS.iter().find(|(_, one, several)| unit == *one || unit == *several);
        let short = SHORT_UNITS.iter().find(|(_, name)| unit == *name);
        let part = match (long, short) {
            (Some((length, ..)), _) => Duration::from_secs(number.checked_mul(*length)?),
            (None, Some((length, _))) => Duration::from_nanos(number.checked_mul(u64::from(*length))?),
            (None, None) => return None,
        };
        duration = duration.checked_add(part)?;
        rest = behind.trim_start();
    }
    Some(duration)
}

/// The text before the first character that `is_end` accepts, and the text from there on.
fn split_where(text: &str, is_end: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(is_end).unwrap_or(text.len()))
}

/// A running clock.
#[derive(Clone, Debug)]
pub struct Clock {
    /// Stops when the limit is reached, or when another thread stops it.
    pub control: Arc<Control>,
    /// How many plies to look ahead. `None`: as many as the control allows.
    pub depth: Option<u32>,
}

impl Clock {
    /// The most plies to look ahead.
    #[must_use]
    pub fn most_depth(&self) -> u32 {
        self.depth.unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_read_back_as_written() {
        for limit in [Limit::Time(Duration::from_millis(150)), Limit::Nodes(20_000), Limit::Depth(7)] {
            assert_eq!(limit.to_string().parse(), Ok(limit));
        }
        for wrong in ["", "7", "nodes", "20000 nodes", "depth", "depth -1", "soon"] {
            assert!(wrong.parse::<Limit>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn durations_are_written_and_read_back() {
        for (seconds, nanoseconds, text) in [
            (0, 0, "0s"),
            (0, 1, "1ns"),
            (0, 1_000, "1us"),
            (0, 10_000_000, "10ms"),
            (0, 150_000_000, "150ms"),
            (0, 999_999_999, "999ms 999us 999ns"),
            (1, 0, "1s"),
            (1, 500_000_000, "1s 500ms"),
            (59, 1, "59s 1ns"),
            (120, 0, "2m"),
            (9_420, 0, "2h 37m"),
            (86_400, 0, "1day"),
            (2 * 86_400 + 3_601, 20_000_000, "2days 1h 1s 20ms"),
            (2_630_016, 0, "1month"),
            (31_557_600 - 1, 0, "11months 30days 9h 50m 23s"),
            (31_557_600 + 2 * 2_630_016, 0, "1year 2months"),
            (1_000_000_000_000_000, 0, "31688087years 9months 23days 8h 44m 16s"),
            (u64::MAX, 999_999_999, "584542046090years 7months 15days 17h 5m 3s 999ms 999us 999ns"),
        ] {
            let duration = Duration::new(seconds, nanoseconds);
            assert_eq!(format_duration(duration), text);
            assert_eq!(parse_duration(text), Some(duration), "{text}");
            #[cfg(feature = "cli")]
            assert_eq!(humantime::format_duration(duration).to_string(), text);
        }
        assert_eq!(parse_duration("1h30m"), Some(Duration::from_secs(5_400)));
        assert_eq!(parse_duration("1500ms"), Some(Duration::from_millis(1_500)));
        for wrong in ["", " ", "s", "1", "1 s", "-1s", "1.5s", "1s,", "1min", "1S", "99999999999999999999s", "584542046091years"]
        {
            assert_eq!(parse_duration(wrong), None, "{wrong}");
        }
    }
}
