//! Interruptions: Ctrl-C, on Unix also SIGTERM and SIGHUP, and the end of standard input.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};

use crate::solve::Control;

/// Makes an interruption stop this control.
pub(super) fn interruptible(control: Control) -> Arc<Control> {
    let control = Arc::new(control);
    let mut stopped = TO_BE_STOPPED.lock().unwrap_or_else(PoisonError::into_inner);
    stopped.retain(|control| control.strong_count() > 0);
    stopped.push(Arc::downgrade(&control));
    drop(stopped);
    // If the signals cannot be caught, they end the program as usual. The work can go on.
    WATCH.call_once(|| drop(watch()));
    if was_interrupted() {
        control.stop();
    }
    control
}

/// From now on, the end of standard input stops the work, as Ctrl-C does. If the process that holds
/// the other end is killed, the system closes it.
pub(super) fn interrupted_by_end_of_input() -> io::Result<()> {
    let wait = || {
        // An error ends the input, too.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        interrupt();
    };
    std::thread::Builder::new().name("input".to_string()).spawn(wait).map(drop)
}

/// Whether the program was interrupted.
pub(super) fn was_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The signals are caught from the first control on.
static WATCH: Once = Once::new();

/// What an interruption stops.
static TO_BE_STOPPED: Mutex<Vec<Weak<Control>>> = Mutex::new(Vec::new());

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
    let stopped = TO_BE_STOPPED.lock().unwrap_or_else(PoisonError::into_inner);
    stopped.iter().filter_map(Weak::upgrade).for_each(|control| control.stop());
}

/// Calls [`interrupt`] whenever a signal arrives.
#[cfg(unix)]
fn watch() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let hangup = if hangup_is_ignored() { None } else { Some(SIGHUP) };
    // The thread first: without it, signals that are caught would be lost.
    let (caught, signals) = std::sync::mpsc::channel::<signal_hook::iterator::Signals>();
    let watch = move || signals.into_iter().for_each(|mut signals| signals.forever().for_each(|_| interrupt()));
    std::thread::Builder::new().name("signals".to_string()).spawn(watch)?;
    let signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup))?;
    let _ = caught.send(signals);
    Ok(())
}

#[cfg(not(unix))]
fn watch() -> io::Result<()> {
    ctrlc::set_handler(interrupt).map_err(io::Error::other)
}

/// Whether the program was started so that it survives the end of its terminal, as by `nohup`. Only
/// Linux tells.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    // Signal n is bit n - 1, and SIGHUP is signal 1.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 != 0)
}
