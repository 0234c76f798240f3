//! A child process that does not outlive us.
//!
//! On Unix it leads a process group of its own. So Ctrl-C in a terminal reaches us alone: a game
//! that we break off is not one that the agent has lost by a crash. And if the program is a script,
//! what it has started is ended with it.

use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A child that is ended, with its group, when this value is dropped.
pub(super) struct Running {
    child: Child,
}

/// How a process has ended.
pub(super) enum End {
    Exit(i32),
    #[cfg_attr(not(unix), allow(dead_code))]
    Signal(i32),
    Unknown,
}

impl Running {
    pub(super) fn start(mut command: Command) -> io::Result<Self> {
        platform::lead_a_group(&mut command);
        Ok(Self { child: command.spawn()? })
    }

    /// The ends of its pipes, if they have not been taken yet.
    pub(super) fn take_pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>) {
        (self.child.stdin.take(), self.child.stdout.take())
    }

    /// Waits until it has ended, but no longer than this.
    pub(super) fn end_within(&mut self, longest: Duration) -> Option<End> {
        let until = Instant::now() + longest;
        loop {
            let end = platform::end_of(&mut self.child);
            if end.is_some() || Instant::now() >= until {
                return end;
            }
            sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Before the child is waited for: until then no other process can have its number.
        platform::end_group(&self.child);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
mod platform {
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    use super::End;

    pub(super) fn lead_a_group(command: &mut Command) {
        command.process_group(0);
    }

    /// How it has ended, if it has. It stays to be waited for.
    pub(super) fn end_of(child: &mut Child) -> Option<End> {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(Pid::from_child(child)), look).ok()??;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => End::Exit(code),
            (_, Some(signal)) => End::Signal(signal),
            _ => End::Unknown,
        })
    }

    pub(super) fn end_group(child: &Child) {
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
}

#[cfg(not(unix))]
mod platform {
    use std::process::{Child, Command};

    use super::End;

    pub(super) fn lead_a_group(_: &mut Command) {}

    pub(super) fn end_of(child: &mut Child) -> Option<End> {
        let status = child.try_wait().ok()??;
        Some(status.code().map_or(End::Unknown, End::Exit))
    }

    pub(super) fn end_group(_: &Child) {}
}
