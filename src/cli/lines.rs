//! The lines of standard input, read so that the wait for a line can be interrupted.

use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use super::Failure;
use crate::game::notation::trimmed;
use crate::solve::Control;

/// The lines of standard input. A thread of its own reads them, unless the system refuses it.
pub(super) struct Lines(io::Result<Receiver<io::Result<String>>>);

/// How often the wait for a line looks for an interruption.
const LOOK: Duration = Duration::from_millis(50);

impl Lines {
    pub(super) fn of_standard_input() -> Self {
        let (line, lines) = sync_channel(0);
        // A line that is not UTF-8 is a bad line like any other. Its answer shows what can be shown
        // of it.
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        // Some editors put a byte order mark in front of a text.
        let first = |line: String| trimmed(&line).to_string();
        let read = move || {
            let read = io::stdin().lock().split(b'\n').map(|read| read.map(text)).enumerate();
            read.map(|(index, read)| if index == 0 { read.map(first) } else { read }).try_for_each(|read| line.send(read))
        };
        Self(std::thread::Builder::new().spawn(read).map(|_| lines))
    }

    /// The next line; `None` at the end of the input, or when the control is stopped.
    pub(super) fn next(&mut self, control: &Control) -> Result<Option<String>, Failure> {
        let failed = |fault: &io::Error| Failure::Files(format!("cannot read standard input: {fault}"));
        let lines = self.0.as_ref().map_err(failed)?;
        while !control.is_stopped() {
            match lines.recv_timeout(LOOK) {
                Ok(read) => return read.map(Some).map_err(|fault| failed(&fault)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
        Ok(None)
    }
}
