//! Signals sent to a running program, at a moment when it is ready for them.

use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

/// The signals that interrupt the program. Where tests run without a terminal, as under `nohup`,
/// SIGHUP may be ignored, and then the program ignores it, too.
pub fn signals() -> impl Iterator<Item = &'static str> {
    let ignores_hangup = mask("self", "SigIgn:") & 1 != 0;
    ["INT", "TERM", "HUP"].into_iter().filter(move |&signal| signal != "HUP" || !ignores_hangup)
}

/// Waits until the program catches signals: from then on it can be interrupted. Linux tells in
/// `/proc`.
pub fn wait_until_interruptible(child: &mut Child) {
    // SIGHUP is caught last, and SIGTERM before it. Signal n is bit n - 1.
    let wanted = signals().map(|signal| if signal == "HUP" { 1 } else { 1 << 14 }).fold(0, |all, bit| all | bit);
    while mask(&child.id().to_string(), "SigCgt:") & wanted != wanted {
        assert_eq!(child.try_wait().unwrap(), None, "the program ended before it could be interrupted");
        sleep(Duration::from_millis(1));
    }
}

/// A set of signals of a process, as Linux reports it.
fn mask(process: &str, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix(name));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Sends a signal, such as `TERM`.
pub fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(sent.unwrap().success(), "kill -s {signal}");
}
