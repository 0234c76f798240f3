//! Limits that all long work shares: threads, memory, time, and Ctrl-C.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytesize::ByteSize;

use super::{Failure, Status};
use crate::solve::{Control, Settings};

#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct Limits {
    /// Threads that search [default: all processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Memory for what is remembered, such as 512MiB
    #[arg(long, value_name = "SIZE", default_value_t = ByteSize(Settings::DEFAULT_MEMORY))]
    memory: ByteSize,
    /// Stop after this time, such as 90s or 10m, and say what is proven until then
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,
}

impl Limits {
    /// The settings, if the machine can bear them.
    pub(super) fn settings(&self) -> Result<Settings, Failure> {
        let threads = self.threads.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN));
        let (least, most) = (Settings::LEAST_MEMORY, machine_memory().unwrap_or(u64::MAX));
        if !(least..=most).contains(&self.memory.0) {
            let range = match most {
                u64::MAX => format!("at least {}", ByteSize(least)),
                most => format!("from {} to {}, which this machine has", ByteSize(least), ByteSize(most)),
            };
            return Err(Failure::Input(format!("--memory {} cannot be: write a size {range}", self.memory)));
        }
        if threads.get() > 1024 {
            return Err(Failure::Input(format!("--threads {threads} is too many: at most 1024")));
        }
        Ok(Settings { threads, memory: self.memory.0 })
    }

    /// A control that stops when the time is over, and on Ctrl-C.
    pub(super) fn control(&self) -> Arc<Control> {
        let control = Arc::new(Control::with_time(self.time));
        let handled = Arc::clone(&control);
        // Without a handler Ctrl-C ends the program the usual way: no reason to refuse the work.
        let _ = ctrlc::set_handler(move || {
            INTERRUPTED.store(true, Ordering::Relaxed);
            handled.stop();
        });
        control
    }
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
