//! The limits of long work: `--threads`, `--memory`, `--time`.

use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytesize::ByteSize;

use super::interruption::{interruptible, was_interrupted};
use super::output::{plural, warning};
use super::{Failure, Status};
use crate::game::board::Size;
use crate::solve::{Control, Settings};

/// How much of the machine the work may use.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct Machine {
    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZero<usize>>,
    /// Memory for results, such as 512MiB or 2GiB
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = memory)]
    memory: ByteSize,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct Limits {
    #[command(flatten)]
    machine: Machine,
    /// Stop after this time, such as 90s or 10m, and print what is proven by then
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
}

#[derive(clap::Args)]
pub(super) struct MostPositions {
    /// The most positions to check a strategy in [default: as many as half of --memory holds]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    positions: Option<u64>,
}

impl MostPositions {
    /// The number that was set, or as many as fit: each position takes up to six words.
    pub(super) fn or_as_many_as_fit(&self, settings: Settings, size: Size) -> u64 {
        let bytes = 6 * if size.fits::<u64>() { 8 } else { 16 };
        self.positions.unwrap_or(settings.memory / 2 / bytes).min(u32::MAX.into())
    }
}

const MOST_THREADS: usize = 1024;

pub(super) fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let number = text.parse().ok().filter(|threads: &NonZero<usize>| threads.get() <= MOST_THREADS);
    number.ok_or_else(|| format!("write a number from 1 to {MOST_THREADS}"))
}

pub(super) fn memory(text: &str) -> Result<ByteSize, String> {
    text.parse().map_err(|_| "write a size such as 512MiB or 2GiB".to_string())
}

pub(super) fn time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| "write a time such as 500ms, 90s, 10m or 1h30m".to_string())
}

/// Reads a large number, such as 500000, 500M or 2G.
pub(super) fn count(text: &str) -> Result<u64, String> {
    let units = [("k", 1_000), ("M", 1_000_000), ("G", 1_000_000_000), ("T", 1_000_000_000_000)];
    let with_unit = units.into_iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (digits, factor) = with_unit.unwrap_or((text, 1));
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor)).filter(|&number| number > 0);
    number.ok_or_else(|| "write a number such as 500000, 500M or 2G".to_string())
}

/// The help of `--time` for work that can be resumed.
pub(super) const TIME_AFTER_RESUMING: &str = "\
    Stop after this time, such as 90s or 10m, and keep what is proven by then. Reading back the unfinished work of an \
    earlier run comes first and does not count";

/// Reads the time between two checkpoints.
pub(super) fn checkpoint(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).ok().filter(|time| *time <= Duration::from_secs(30));
    time.ok_or_else(|| "write a time of at most 30s, such as 500ms or 20s".to_string())
}

impl Machine {
    /// The settings for a board of this size, if the memory is neither too small for the board nor
    /// too large for the machine.
    pub(super) fn settings(&self, size: Size) -> Result<Settings, Failure> {
        let threads = self.threads.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN));
        let (least, most) = (Settings::least_memory(size, threads), machine_memory().unwrap_or(u64::MAX));
        let given = self.memory.0;
        if given < least {
            let why = format!("{size} with {threads} {} needs at least {}", plural(threads.get(), "thread"), ByteSize(least));
            return Err(Failure::Input(format!("--memory {} is too small: {why}", self.memory)));
        }
        if given > most {
            return Err(Failure::Input(format!("--memory {} is too large: this machine has {}", self.memory, ByteSize(most))));
        }
        Ok(Settings { threads, memory: given })
    }
}

impl Limits {
    /// The settings for a board of this size: see [`Machine::settings`].
    pub(super) fn settings(&self, size: Size) -> Result<Settings, Failure> {
        self.machine.settings(size)
    }

    /// A control that stops after the time limit, and when interrupted.
    pub(super) fn control(&self) -> Arc<Control> {
        interruptible(Control::with_time(self.time))
    }

    /// Whether a time was set.
    pub(super) fn has_time(&self) -> bool {
        self.time.is_some()
    }

    /// The time, if one was set.
    pub(super) fn time(&self) -> Option<Duration> {
        self.time
    }

    /// The time that was set, or this default.
    pub(super) fn time_or(&self, default: Duration) -> Duration {
        self.time.unwrap_or(default)
    }
}

/// The exit code of work that was either completed or stopped early.
pub(super) fn status(answered: bool) -> Status {
    match (answered, was_interrupted()) {
        (true, _) => Status::Answered,
        (false, true) => Status::Interrupted,
        (false, false) => Status::Unknown,
    }
}

/// Says how to continue with work that was stopped early. Returns its exit code.
pub(super) fn unfinished(folder: &Path) -> Status {
    warning(&format!("not finished: the same command continues from {}", folder.display()));
    status(false)
}

/// The memory of the machine. Known on Linux only.
pub(super) fn machine_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kibibytes: u64 =
        text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}
