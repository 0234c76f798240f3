//! A process of an outside agent: lines to it, lines from it, and its end.

use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

use super::program::Program;
use super::running::{End, Running};
use super::said::Said;
use crate::solve::Control;

/// How many bytes of a line are read; the rest of it is skipped. An engine with many variants lists
/// them in a line of a few thousand bytes.
const LONGEST_LINE: usize = 1 << 16;

/// How many lines may wait to be heard, or to be read by the process. A process that says more
/// waits until we listen.
const MOST_LINES: usize = 64;

/// How often a wait looks whether the tournament has been stopped.
const GLANCE: Duration = Duration::from_millis(10);

/// How long a process may take to end after `quit`, and once it has closed its output.
const TIME_TO_QUIT: Duration = Duration::from_millis(500);
const TIME_TO_END: Duration = Duration::from_millis(200);

/// How long a signal that was sent to us and to a process may take to reach us.
const TIME_FOR_SIGNALS: Duration = Duration::from_millis(50);

/// Longer than any tournament, and short enough to be added to the time of day.
const FOR_EVER: Duration = Duration::from_secs(1 << 32);

/// The end of a wait that begins now.
pub(super) fn after(wait: Duration) -> Instant {
    Instant::now() + wait.min(FOR_EVER)
}

/// A running process. It does not outlive this value.
pub(super) struct Process {
    /// `None` once nothing more is said to it.
    input: Option<SyncSender<String>>,
    output: Receiver<Said>,
    running: Running,
}

/// Why nothing was heard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Silence {
    /// The tournament has been stopped.
    Stopped,
    /// There was no answer in time.
    TooLong,
    /// The process has ended, or it cannot be talked to. The text says how.
    Gone(String),
}

impl Process {
    /// Starts a process of the program.
    ///
    /// Two of our threads serve it, so that every wait has a deadline: one waits for its lines, the
    /// other one for it to read ours.
    pub(super) fn start(program: &Program) -> io::Result<Self> {
        let mut command = program.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut running = Running::start(command)?;
        let (input, lines) = sync_channel::<String>(MOST_LINES);
        let (said, output) = sync_channel(MOST_LINES);
        let (stdin, stdout) = running.take_pipes();
        Builder::new().name("to an outside agent".to_string()).spawn(move || {
            let Some(mut stdin) = stdin else { return };
            // The process reads the end of its input once nobody talks to it any more.
            while lines.recv().is_ok_and(|line| stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_ok()) {}
        })?;
        Builder::new().name("from an outside agent".to_string()).spawn(move || {
            let Some(stdout) = stdout else { return };
            read_lines(BufReader::new(stdout), |line| said.send(line).is_ok());
        })?;
        Ok(Self { input: Some(input), output, running })
    }

    /// Sends a line.
    pub(super) fn say(&mut self, line: &str) -> Result<(), Silence> {
        let sent = self.input.as_ref().is_some_and(|input| input.try_send(format!("{line}\n")).is_ok());
        if sent { Ok(()) } else { Err(self.gone()) }
    }

    /// The next line that matters, if it comes before this time.
    pub(super) fn hear(&mut self, until: Instant, control: &Control) -> Result<Said, Silence> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(GLANCE)) {
                Ok(said) => return Ok(said),
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
                Err(RecvTimeoutError::Timeout) if control.is_stopped() => return Err(Silence::Stopped),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Silence::TooLong),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Hears lines until one is what we wait for.
    pub(super) fn hear_until<T>(
        &mut self,
        until: Instant,
        control: &Control,
        mut wanted: impl FnMut(Said) -> Option<T>,
    ) -> Result<T, Silence> {
        loop {
            if let Some(found) = wanted(self.hear(until, control)?) {
                return Ok(found);
            }
            // A process that never stops talking is no reason to go on listening.
            if control.is_stopped() {
                return Err(Silence::Stopped);
            }
            if Instant::now() >= until {
                return Err(Silence::TooLong);
            }
        }
    }

    /// Waits until it has done all that it was told.
    pub(super) fn wait_until_ready(&mut self, patience: Duration, control: &Control) -> Result<(), Silence> {
        self.say("isready")?;
        self.hear_until(after(patience), control, |said| (said == Said::Ready).then_some(()))
    }

    fn gone(&mut self) -> Silence {
        // A signal that has ended the process may be on its way to us, too, as when a session is
        // closed. Then the tournament is stopped, and this is no crash.
        sleep(TIME_FOR_SIGNALS);
        Silence::Gone(match self.running.end_within(TIME_TO_END) {
            Some(End::Exit(code)) => format!("it ended with exit code {code}"),
            Some(End::Signal(signal)) => format!("it was ended by signal {signal}"),
            Some(End::Unknown) => "it ended".to_string(),
            None => "it no longer reads or writes".to_string(),
        })
    }

    /// Asks the process to end, and does not wait. Then its input ends, too.
    pub(super) fn quit(&mut self) {
        if let Some(input) = self.input.take() {
            let _ = input.try_send("quit\n".to_string());
        }
    }
}

impl Drop for Process {
    /// A process that goes on after `quit` is ended.
    fn drop(&mut self) {
        self.quit();
        self.running.end_within(TIME_TO_QUIT);
    }
}

/// Hands on what the lines say until nobody wants more. Of a long line, the beginning counts.
fn read_lines(mut from: impl BufRead, mut hand_on: impl FnMut(Said) -> bool) {
    let mut line = Vec::new();
    loop {
        let (used, is_whole) = match from.fill_buf() {
            Ok([]) => return,
            Ok(bytes) => {
                let end = bytes.iter().position(|&byte| byte == b'\n');
                let part = &bytes[..end.unwrap_or(bytes.len())];
                line.extend_from_slice(&part[..part.len().min(LONGEST_LINE - line.len())]);
                (end.map_or(bytes.len(), |end| end + 1), end.is_some())
            }
            Err(fault) if fault.kind() == ErrorKind::Interrupted => (0, false),
            Err(_) => return,
        };
        from.consume(used);
        if is_whole {
            let said = Said::read(&String::from_utf8_lossy(&line));
            line.clear();
            if said.is_some_and(|said| !hand_on(said)) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_endless_line_only_the_beginning_is_kept() {
        let long = "x".repeat(3 * LONGEST_LINE);
        let text = format!("{long}\nreadyok\nbestmove {long}\n\n\u{0}\nuciok\nreadyok without an end");
        for room in [1, 7, 8192] {
            let mut heard = Vec::new();
            read_lines(BufReader::with_capacity(room, text.as_bytes()), |said| {
                heard.push(said);
                true
            });
            let [Said::Ready, Said::Plays(cut), Said::Uci] = heard.as_slice() else { panic!("{} lines", heard.len()) };
            assert_eq!(cut.len(), LONGEST_LINE - "bestmove ".len());
        }
        let mut heard = 0;
        read_lines("readyok\n".repeat(9).as_bytes(), |_| {
            heard += 1;
            heard < 3
        });
        assert_eq!(heard, 3);
    }
}
