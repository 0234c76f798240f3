//! The work behind `go`, on a thread of its own: a search, or a count of lines of play.
//!
//! It ends with lines to write, whatever happens. If the player panics, or the machine cannot
//! provide what the search needs, there is still a legal move.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

use super::info::{best_move, best_move_with_reply, info};
use super::options::Options;
use super::search::Search;
use crate::game::board::Size;
use crate::game::cells::Cell;
use crate::game::notation::walling_move;
use crate::game::perft::perft_while;
use crate::game::position::Position;
use crate::play::{Chooser, Clock, Decision, panic_message};
use crate::solve::{Control, SolverError};

/// Finds a player for a board.
pub type Seating = dyn Fn(Size, &Options) -> Result<Box<dyn Chooser>, SolverError> + Send + Sync;

/// The player at a board, kept from move to move.
pub(super) struct Seat {
    size: Size,
    player: Box<dyn Chooser>,
}

impl Seat {
    /// The player for a board: the one that has the seat, or a new one.
    pub(super) fn taken(seat: Option<Self>, size: Size, options: &Options, seating: &Seating) -> Result<Self, SolverError> {
        match seat.filter(|seat| seat.size == size) {
            Some(seat) => Ok(seat),
            // The former player has gone, so that the two do not need memory at the same time.
            None => Ok(Self { size, player: seating(size, options)? }),
        }
    }
}

/// What is left when the work has ended.
pub(super) struct Finished {
    /// The player, if it can go on.
    pub(super) seat: Option<Seat>,
    /// The lines to write.
    pub(super) lines: Vec<String>,
}

/// Work that has been started.
pub(super) struct Work {
    control: Arc<Control>,
    answer: Receiver<Finished>,
    /// What to write if there is no answer.
    lines_if_lost: Vec<String>,
    /// Whether the work is done, so that its answer is there.
    pub(super) is_done: bool,
    /// Whether the answer waits for `stop`.
    pub(super) waits: bool,
    /// Whether the answer waits for `ponderhit`, and for how long the search may go on after it.
    pub(super) ponders: Option<Option<Duration>>,
    /// When the search ends that has pondered.
    pub(super) deadline: Option<Instant>,
}

impl Work {
    /// Asks the work to end.
    pub(super) fn stop(&self) {
        self.control.stop();
    }

    /// Stops the work and waits for its end.
    pub(super) fn end(self) -> Finished {
        self.stop();
        let lost = || Finished { seat: None, lines: told("the work behind go failed", self.lines_if_lost) };
        self.answer.recv().unwrap_or_else(|_| lost())
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// The thread that works. It is kept: on a busy machine a thread that wakes up runs milliseconds
/// sooner than a new one, and a move may have no more time than that.
#[derive(Default)]
pub(super) struct Worker {
    jobs: Option<Sender<Job>>,
}

impl Worker {
    /// Gives the thread something to do, and starts it before if that is needed.
    fn give(&mut self, job: Job) -> io::Result<()> {
        let unsent = match &self.jobs {
            Some(jobs) => jobs.send(job).err().map(|unsent| unsent.0),
            None => Some(job),
        };
        if let Some(job) = unsent {
            let (jobs, inbox) = channel::<Job>();
            Builder::new().name("search".to_string()).spawn(move || inbox.into_iter().for_each(|job| job()))?;
            let _ = jobs.send(job);
            self.jobs = Some(jobs);
        }
        Ok(())
    }

    /// Starts the thread, so that the next work need not. If it cannot be started, that work says
    /// so.
    pub(super) fn prepare(&mut self) {
        let _ = self.give(Box::new(|| {}));
    }

    /// Starts work. `done` is called at its end. If there is no thread for it, the error has the
    /// lines to write.
    fn start(
        &mut self,
        control: &Arc<Control>,
        lines_if_lost: Vec<String>,
        done: impl FnOnce() + Send + 'static,
        work: impl FnOnce() -> Finished + Send + 'static,
    ) -> Result<Work, Vec<String>> {
        let (finished, answer) = channel();
        let job = move || {
            // If the work panics, nothing is sent: the receiver sees a closed channel.
            if let Ok(answer) = catch_unwind(AssertUnwindSafe(work)) {
                let _ = finished.send(answer);
            } else {
                drop(finished);
            }
            done();
        };
        match self.give(Box::new(job)) {
            Ok(()) => {
                let control = Arc::clone(control);
                Ok(Work { control, answer, lines_if_lost, is_done: false, waits: false, ponders: None, deadline: None })
            }
            Err(fault) => Err(told(&no_thread(&fault), lines_if_lost)),
        }
    }
}

/// These lines, and before them what is wrong.
fn told(fault: &str, lines: Vec<String>) -> Vec<String> {
    [format!("info string {fault}")].into_iter().chain(lines).collect()
}

pub(super) fn no_thread(fault: &io::Error) -> String {
    format!("cannot start a thread: {fault}")
}

/// A search, and what it needs.
pub(super) struct Thinking {
    pub(super) search: Search,
    pub(super) options: Options,
    pub(super) seat: Option<Seat>,
    pub(super) seating: Arc<Seating>,
    /// Writes a line while the search goes on.
    pub(super) say: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Thinking {
    /// Starts the search. The time counts from now, unless it ponders.
    pub(super) fn start(self, worker: &mut Worker, done: impl FnOnce() + Send + 'static) -> Result<Work, Vec<String>> {
        let Search { ref position, ref moves, time, nodes, waits, ponders, .. } = self.search;
        let whole = Arc::new(Control::with_time(time.filter(|_| !ponders)));
        let control = Arc::new(nodes.map_or_else(|| whole.part(None), |nodes| whole.part_of_nodes(nodes)));
        let lines_if_lost = vec![best_move(position, moves.first().copied())];
        let clock = Clock { control: Arc::clone(&control), depth: self.search.depth };
        let work = worker.start(&control, lines_if_lost, done, move || self.answer(&clock))?;
        Ok(Work { waits, ponders: ponders.then_some(time), ..work })
    }

    /// Searches, and writes `info` lines on the way.
    fn answer(mut self, clock: &Clock) -> Finished {
        let position = self.search.position.clone();
        if position.winner().is_some() {
            (self.say)("info depth 0 score mate 0");
            return Finished { seat: self.seat, lines: vec![best_move(&position, None)] };
        }
        let mut best = None;
        // A player that panics may be left in a broken state. Its seat is lost with it.
        let fault = match catch_unwind(AssertUnwindSafe(|| self.choose(clock, &mut best))) {
            Ok(Ok((seat, decision))) => {
                let line = if self.options.ponder {
                    best_move_with_reply(&position, &decision)
                } else {
                    best_move(&position, Some(decision.to))
                };
                return Finished { seat: Some(seat), lines: vec![line] };
            }
            Ok(Err(fault)) => fault.to_string(),
            Err(panic) => format!("the search failed: {}", panic_message(panic.as_ref()).replace(char::is_control, " ")),
        };
        let to = best.or(self.search.moves.first().copied());
        Finished { seat: None, lines: told(&fault, vec![best_move(&position, to)]) }
    }

    /// Lets the player choose. `best` becomes the best move so far.
    fn choose(&mut self, clock: &Clock, best: &mut Option<Cell>) -> Result<(Seat, Decision), SolverError> {
        let started = Instant::now();
        let Search { position, moves, .. } = &self.search;
        let mut seat = Seat::taken(self.seat.take(), position.size(), &self.options, self.seating.as_ref())?;
        let filling = seat.player.filling();
        let mut report = |decision: &Decision| {
            *best = Some(decision.to);
            (self.say)(&info(position, decision, started.elapsed(), filling));
        };
        let decision = seat.player.choose_among(position, moves, clock, &mut report);
        (self.say)(&info(position, &decision, started.elapsed(), seat.player.filling()));
        Ok((seat, decision))
    }
}

/// Starts to count the lines of play after each move, which are written as Stockfish does.
pub(super) fn count(
    position: Position,
    plies: usize,
    worker: &mut Worker,
    say: Arc<dyn Fn(&str) + Send + Sync>,
    done: impl FnOnce() + Send + 'static,
) -> Result<Work, Vec<String>> {
    let control = Arc::new(Control::unlimited());
    let until = Arc::clone(&control);
    worker.start(&control, Vec::new(), done, move || {
        let mut all = u64::from(plies == 0);
        for to in position.legal_moves().into_iter().filter(|_| plies > 0) {
            let Some(lines) = perft_while(&position.play_unchecked(to), plies - 1, &|| !until.is_stopped()) else {
                return Finished { seat: None, lines: vec!["info string perft was stopped".to_string()] };
            };
            all += lines;
            say(&format!("{}: {lines}", walling_move(&position, to)));
        }
        Finished { seat: None, lines: vec![String::new(), format!("Nodes searched: {all}")] }
    })
}
