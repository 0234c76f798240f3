//! The options of the engine, which `setoption` sets.

use std::path::PathBuf;
use std::time::Duration;

use super::protocol::shortened;

/// How the engine is set up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Memory in mebibytes.
    pub hash: u64,
    /// The number of threads for proofs.
    pub threads: usize,
    /// The time kept back in every move for the communication with the engine.
    pub overhead: Duration,
    /// Whether the other program may let the engine think in the opponent's time. Then the engine
    /// also says which reply it expects.
    pub ponder: bool,
    /// The folders with tables, or single tables. If empty, the default ones.
    pub tables: Vec<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self { hash: 256, threads: 1, overhead: Duration::from_millis(10), ponder: false, tables: Vec::new() }
    }
}

const LEAST_HASH: u64 = 16;
const MOST_HASH: u64 = 1 << 16;
const MOST_THREADS: u64 = 256;
const MOST_OVERHEAD: u64 = 5000;

impl Options {
    /// The options as `uci` lists them.
    pub(super) fn listed() -> [String; 5] {
        let Self { hash, threads, overhead, ponder, .. } = Self::default();
        [
            format!("option name Hash type spin default {hash} min {LEAST_HASH} max {MOST_HASH}"),
            format!("option name Threads type spin default {threads} min 1 max {MOST_THREADS}"),
            format!("option name Move Overhead type spin default {} min 0 max {MOST_OVERHEAD}", overhead.as_millis()),
            format!("option name Ponder type check default {ponder}"),
            "option name Tables type string default <empty>".to_string(),
        ]
    }

    /// Sets an option. The error says why it cannot be set.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = |least: u64, most: u64| {
            let number = value.parse::<u64>().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| format!("{name}: `{}` is not a number from {least} to {most}", shortened(value)))
        };
        match name.to_ascii_lowercase().as_str() {
            "hash" => self.hash = number(LEAST_HASH, MOST_HASH)?,
            "threads" => self.threads = number(1, MOST_THREADS)? as usize,
            "move overhead" => self.overhead = Duration::from_millis(number(0, MOST_OVERHEAD)?),
            "ponder" => {
                let wrong = |_| format!("{name}: `{}` is neither true nor false", shortened(value));
                self.ponder = value.to_ascii_lowercase().parse().map_err(wrong)?;
            }
            "tables" => {
                let folders: Vec<PathBuf> = match value {
                    "" | "<empty>" => Vec::new(),
                    folders => std::env::split_paths(folders).collect(),
                };
                if let Some(missing) = folders.iter().find(|folder| !folder.exists()) {
                    return Err(format!("Tables: there is no folder or file {}", shortened(&missing.display().to_string())));
                }
                self.tables = folders;
            }
            _ => return Err(format!("there is no option `{}`", shortened(name))),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set_or_refused() {
        let mut options = Options::default();
        for (name, value) in [("Hash", "32"), ("threads", "2"), ("Move Overhead", "0"), ("Ponder", "True")] {
            assert_eq!(options.set(name, value), Ok(()), "{name}");
        }
        let expected = Options { hash: 32, threads: 2, overhead: Duration::ZERO, ponder: true, tables: Vec::new() };
        assert_eq!(options, expected);
        for (name, value) in [
            ("Hash", "1"),
            ("Hash", "lots"),
            ("Threads", "0"),
            ("Ponder", "perhaps"),
            ("Tables", "/no/such/folder"),
            ("Contempt", "3"),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value}");
        }
        assert_eq!(options, expected);
    }
}
