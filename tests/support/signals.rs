//! Signals sent to a running program, at a moment when it is ready for them.

use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

/// The signals that interrupt the program.
pub const SIGNALS: [&str; 3] = ["INT", "TERM", "HUP"];

/// Waits until the program catches these signals: from then on it can be interrupted. Linux tells
/// in `/proc`.
pub fn wait_until_interruptible(child: &mut Child) {
    // Signal n is bit n - 1: HUP is 1, INT is 2, TERM is 15.
    const WANTED: u64 = 1 << 0 | 1 << 1 | 1 << 14;
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        if caught & WANTED == WANTED {
            return;
        }
        assert_eq!(child.try_wait().unwrap(), None, "the program ended before it could be interrupted");
        sleep(Duration::from_millis(1));
    }
}

/// Sends a signal, such as `TERM`.
pub fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(sent.unwrap().success(), "kill -s {signal}");
}
