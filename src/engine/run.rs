//! The engine at work: lines come in, answers go out, and at most one search runs beside them.
//!
//! One loop does everything in the order in which it was said, so that `stop` has taken effect, and
//! its answer is written, before the next line is read.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Builder;
use std::time::Instant;

use super::session::{Effect, Session};
use super::work::{Seat, Seating, Thinking, Work, Worker, count, no_thread};
use crate::game::position::Position;

/// What the engine writes.
#[derive(Clone, Copy, Debug)]
pub enum Said<'a> {
    /// A line of text.
    Line(&'a str),
    /// A drawing of this position.
    Drawing(&'a Position),
}

/// Writes what the engine says, at once.
pub type Voice = dyn Fn(Said<'_>) -> io::Result<()> + Send + Sync;

/// Why the engine could not go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum EngineError {
    /// Nothing can be read, because the system has no thread for it.
    Reader(io::Error),
    /// An answer cannot be written.
    Output(io::Error),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reader(fault) => write!(f, "cannot read what is said to the engine: {}", no_thread(fault)),
            Self::Output(fault) => write!(f, "cannot write the answer: {fault}"),
        }
    }
}

impl std::error::Error for EngineError {}

impl From<io::Error> for EngineError {
    fn from(fault: io::Error) -> Self {
        Self::Output(fault)
    }
}

/// What the loop waits for.
enum Event {
    /// A line of input.
    Line(String),
    /// The end of the input.
    End,
    /// The work of this number is done.
    Done(u64),
    /// The time of a search that has pondered is over.
    TimeIsUp,
}

/// The stack of the thread that reads, in bytes. It needs little.
const READERS_STACK: usize = 1 << 18;

/// Runs the engine until `quit`, or to the end of the lines. `seating` finds a player for a board.
///
/// # Errors
/// If no thread can be started to read the lines, or if an answer cannot be written.
pub fn run(
    mut lines: impl Iterator<Item = String> + Send + 'static,
    seating: Arc<Seating>,
    voice: Arc<Voice>,
) -> Result<(), EngineError> {
    let (events, inbox) = channel();
    let read = events.clone();
    let reader = move || {
        if lines.all(|line| read.send(Event::Line(line)).is_ok()) {
            let _ = read.send(Event::End);
        }
    };
    Builder::new().name("reader".to_string()).stack_size(READERS_STACK).spawn(reader).map_err(EngineError::Reader)?;
    let (session, worker) = (Session::default(), Worker::default());
    let mut engine = Engine { session, seat: None, worker, work: None, number: 0, seating, voice, events };
    loop {
        let effects = match engine.next(&inbox) {
            Event::Line(line) => engine.session.read(&line),
            Event::End => vec![Effect::Stop, Effect::Quit],
            Event::Done(number) => {
                engine.done(number)?;
                Vec::new()
            }
            Event::TimeIsUp => {
                engine.time_is_up();
                Vec::new()
            }
        };
        for effect in effects {
            if effect == Effect::Quit {
                return Ok(());
            }
            engine.carry_out(effect)?;
        }
    }
}

/// The engine between two events.
struct Engine {
    session: Session,
    /// The player. While a search runs, the search has it.
    seat: Option<Seat>,
    worker: Worker,
    work: Option<Work>,
    /// The number of the last work that was started.
    number: u64,
    seating: Arc<Seating>,
    voice: Arc<Voice>,
    events: Sender<Event>,
}

impl Engine {
    /// Waits for the next event.
    fn next(&self, inbox: &Receiver<Event>) -> Event {
        let deadline = self.work.as_ref().and_then(|work| work.deadline);
        let event = match deadline {
            Some(deadline) => inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            None => inbox.recv().map_err(RecvTimeoutError::from),
        };
        event.unwrap_or_else(|fault| match fault {
            RecvTimeoutError::Timeout => Event::TimeIsUp,
            RecvTimeoutError::Disconnected => Event::End,
        })
    }

    fn carry_out(&mut self, effect: Effect) -> io::Result<()> {
        match effect {
            Effect::Say(line) => (self.voice)(Said::Line(&line)),
            Effect::Draw(position) => (self.voice)(Said::Drawing(&position)),
            // If this fails, the search will fail as well, and say why.
            Effect::Prepare(size) => {
                let (seat, options, seating) = (self.seat.take(), self.session.options(), self.seating.as_ref());
                let taken = catch_unwind(AssertUnwindSafe(|| Seat::taken(seat, size, options, seating)));
                self.seat = taken.ok().and_then(Result::ok);
                self.worker.prepare();
                Ok(())
            }
            Effect::Search(search) => {
                let (options, seat, done) = (self.session.options().clone(), self.seat.take(), self.tell_when_done());
                let thinking = Thinking { search: *search, options, seat, seating: Arc::clone(&self.seating), say: self.say() };
                let work = thinking.start(&mut self.worker, done);
                self.begin(work)
            }
            Effect::Perft(position, plies) => {
                let (say, done) = (self.say(), self.tell_when_done());
                let work = count(position, plies, &mut self.worker, say, done);
                self.begin(work)
            }
            Effect::PonderHit => self.ponder_hit(),
            Effect::Stop => self.conclude(),
            Effect::Forget => {
                self.seat = None;
                Ok(())
            }
            Effect::Quit => Ok(()),
        }
    }

    /// For the work beside the loop. It ignores errors: the loop meets them, too, and ends.
    fn say(&self) -> Arc<dyn Fn(&str) + Send + Sync> {
        let voice = Arc::clone(&self.voice);
        Arc::new(move |line| {
            let _ = voice(Said::Line(line));
        })
    }

    fn tell_when_done(&mut self) -> impl FnOnce() + Send + 'static {
        self.number += 1;
        let (events, number) = (self.events.clone(), self.number);
        move || {
            let _ = events.send(Event::Done(number));
        }
    }

    /// The work has begun, or could not and leaves these lines to write.
    fn begin(&mut self, work: Result<Work, Vec<String>>) -> io::Result<()> {
        match work {
            Ok(work) => self.work = Some(work),
            Err(lines) => {
                self.session.search_ended();
                self.write(&lines)?;
            }
        }
        Ok(())
    }

    /// The work of this number is done. It may have been concluded before, by `stop`.
    fn done(&mut self, number: u64) -> io::Result<()> {
        if let Some(work) = self.work.as_mut().filter(|_| self.number == number) {
            work.is_done = true;
        }
        self.conclude_unless_it_waits()
    }

    /// The opponent has made the expected move: the time begins.
    fn ponder_hit(&mut self) -> io::Result<()> {
        if let Some(work) = &mut self.work {
            let time = work.ponders.take().flatten();
            work.deadline = time.and_then(|time| Instant::now().checked_add(time));
        }
        self.conclude_unless_it_waits()
    }

    /// The search ends, and tells that like any other.
    fn time_is_up(&mut self) {
        if let Some(work) = &mut self.work {
            work.deadline = None;
            work.stop();
        }
    }

    fn conclude_unless_it_waits(&mut self) -> io::Result<()> {
        match &self.work {
            Some(work) if work.is_done && !work.waits && work.ponders.is_none() => self.conclude(),
            _ => Ok(()),
        }
    }

    /// Ends the work and writes its answer.
    fn conclude(&mut self) -> io::Result<()> {
        let Some(work) = self.work.take() else { return Ok(()) };
        let finished = work.end();
        self.seat = finished.seat.or(self.seat.take());
        self.session.search_ended();
        self.write(&finished.lines)
    }

    fn write(&self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| (self.voice)(Said::Line(line)))
    }
}
