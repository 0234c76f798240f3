//! Limits that all long work shares: threads, memory, time, and Ctrl-C.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytesize::ByteSize;

use super::output::plural;
use super::{Failure, Status};
use crate::board::Size;
use crate::cells::Word;
use crate::solve::{Control, Settings};

/// How much of the machine may be used.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct Machine {
    /// Threads that work [default: all processors]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZero<usize>>,
    /// Memory for what is remembered
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = memory)]
    memory: ByteSize,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct Limits {
    #[command(flatten)]
    machine: Machine,
    /// Stop after this time, such as 90s or 10m, and say what is proven until then
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
}

#[derive(clap::Args)]
pub(super) struct MostPositions {
    /// The most positions in which a strategy is checked [default: as many as half of --memory holds]
    #[arg(long, value_name = "N", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    positions: Option<u64>,
}

impl MostPositions {
    /// The number that was set, or else as many as there is room for: each takes up to six words.
    pub(super) fn or_as_many_as_fit<W: Word>(&self, settings: Settings) -> u64 {
        let bytes = 6 * u64::from(W::BITS) / 8;
        self.positions.unwrap_or(settings.memory / 2 / bytes).min(u32::MAX.into())
    }
}

const MOST_THREADS: usize = 1024;

fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let number = text.parse().ok().filter(|threads: &NonZero<usize>| threads.get() <= MOST_THREADS);
    number.ok_or_else(|| format!("write a number from 1 to {MOST_THREADS}"))
}

fn memory(text: &str) -> Result<ByteSize, String> {
    text.parse().map_err(|_| "write a size such as 512MiB or 2GiB".to_string())
}

pub(super) fn time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| "write a time such as 500ms, 90s, 10m or 1h30m".to_string())
}

impl Machine {
    /// The settings for a board of this size, if the machine can bear them.
    pub(super) fn settings<W: Word>(&self, size: Size) -> Result<Settings, Failure> {
        let threads = self.threads.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN));
        let (least, most) = (Settings::least_memory::<W>(size, threads), machine_memory().unwrap_or(u64::MAX));
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
    /// The settings for a board of this size, if the machine can bear them.
    pub(super) fn settings<W: Word>(&self, size: Size) -> Result<Settings, Failure> {
        self.machine.settings::<W>(size)
    }

    /// A control that stops when the time is over, and on Ctrl-C.
    pub(super) fn control(&self) -> Arc<Control> {
        stopped_by_ctrl_c(Control::with_time(self.time))
    }

    /// The time that was set, or else this one.
    pub(super) fn time_or(&self, default: Duration) -> Duration {
        self.time.unwrap_or(default)
    }
}

/// The same control, which stops on Ctrl-C, too. There can be one of them only.
pub(super) fn stopped_by_ctrl_c(control: Control) -> Arc<Control> {
    let control = Arc::new(control);
    let handled = Arc::clone(&control);
    // Without a handler Ctrl-C ends the program the usual way: no reason to refuse the work.
    let _ = ctrlc::set_handler(move || {
        INTERRUPTED.store(true, Ordering::Relaxed);
        handled.stop();
    });
    control
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How a question ends that was answered, or else was cut short.
pub(super) fn status(answered: bool) -> Status {
    match (answered, INTERRUPTED.load(Ordering::Relaxed)) {
        (true, _) => Status::Answered,
        (false, true) => Status::Interrupted,
        (false, false) => Status::Unknown,
    }
}

/// The machine's memory, where the system says it in the way that Linux does.
fn machine_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kibibytes: u64 =
        text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}
