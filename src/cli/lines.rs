//! The lines of standard input, read so that the wait for a line can be interrupted.

use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use super::Failure;
use crate::solve::Control;

/// The lines of standard input. A thread of its own reads them.
pub(super) struct Lines(Receiver<io::Result<String>>);

/// How often the wait for a line looks for an interruption.
const LOOK: Duration = Duration::from_millis(50);

impl Lines {
    pub(super) fn of_standard_input() -> Self {
        let (line, lines) = sync_channel(0);
        // A line that is not UTF-8 is a bad line like any other. Its answer shows what can be shown
        // of it.
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        std::thread::spawn(move || io::stdin().lock().split(b'\n').try_for_each(|read| line.send(read.map(text))));
        Self(lines)
    }

    /// The next line; `None` at the end of the input, or when the control is stopped.
    pub(super) fn next(&mut self, control: &Control) -> Result<Option<String>, Failure> {
        while !control.is_stopped() {
            match self.0.recv_timeout(LOOK) {
                Ok(read) => {
                    let line = read.map_err(|fault| Failure::Files(format!("cannot read standard input: {fault}")))?;
                    return Ok(Some(line));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
        Ok(None)
    }
}
