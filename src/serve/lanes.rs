//! Lanes and turns: which search runs when.
//!
//! A lane is a thread that takes the next job from the queue and runs it. While others wait, a job
//! that can go on later has a turn of limited length; then its control is stopped, and it goes back
//! into the queue. A job that cannot go on later is stopped after some seconds, and its answer is
//! what it has found by then. A job whose client has left is withdrawn: it is stopped at once.

use std::net::IpAddr;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use super::fault::Fault;
use super::lane::Lane;
use super::metrics::Metrics;
use super::queue::{Full, Queue, Waiting};
use crate::solve::{Control, Settings};

/// The threads of a lane. More hardly make a search quicker, and more lanes answer more people.
const THREADS_A_LANE: usize = 4;

/// The least time that a turn takes.
const TURN: Duration = Duration::from_millis(100);

/// How long a job that cannot go on later may run while others wait.
const ONLY_TURN: Duration = Duration::from_secs(5);

/// Work for a lane.
pub(super) trait Job: Send + Sync {
    /// Whether it can be stopped and go on later.
    fn can_pause(&self) -> bool;

    /// The control of its next turn, with the time that it has left.
    fn control(&self) -> Control;

    /// Runs until it is done, or stopped by the control.
    fn run(&self, lane: &mut Lane, control: &Arc<Control>) -> Turn;

    /// Tells those who wait that it is done. Called after the last turn, when the lane is free.
    fn tell(&self);

    /// Called instead of a further turn, if a turn panicked or if the server stops.
    fn fail(&self, fault: Fault);
}

/// How a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// Nothing is left to do.
    Done,
    /// There is more to do.
    More,
}

/// A job that has its turn.
type Taken = Waiting<Arc<dyn Job>>;

/// A job on a lane.
struct Running {
    id: u64,
    control: Arc<Control>,
    can_pause: bool,
    since: Instant,
    /// How long it had run before this turn.
    served: Duration,
    withdrawn: bool,
}

impl Running {
    /// How long its turn may take while a job waits that has run for `least` so far. A long search
    /// gets longer turns, but not while a newcomer waits.
    fn turn(&self, least: Duration) -> Duration {
        if !self.can_pause {
            return ONLY_TURN;
        }
        if least * 2 < self.served { TURN } else { TURN.max(self.served / 2) }
    }
}

struct State {
    queue: Queue<Arc<dyn Job>>,
    running: Vec<Running>,
    stopping: bool,
}

/// The queue and the lanes that work on it.
pub(super) struct Lanes {
    state: Mutex<State>,
    /// Signalled when there is work, or the end.
    work: Condvar,
    /// Signalled when a turn may have to be ended.
    turns: Condvar,
    ids: AtomicU64,
    metrics: Arc<Metrics>,
}

/// How threads and memory are divided: one entry for each lane.
pub(super) fn divided(whole: Settings) -> Vec<Settings> {
    let threads = whole.threads.get();
    let lanes = threads.div_ceil(THREADS_A_LANE);
    let part = |lane| threads / lanes + usize::from(lane < threads % lanes);
    let memory = whole.memory / lanes as u64;
    (0..lanes).map(|lane| Settings { threads: NonZero::new(part(lane)).unwrap_or(whole.threads), memory }).collect()
}

/// The least memory with which this many threads can search on every board.
pub(super) fn least_memory(threads: NonZero<usize>) -> u64 {
    let parts = divided(Settings { threads, memory: 0 });
    let widest = parts.iter().map(|part| Lane::least_memory(part.threads)).max();
    widest.unwrap_or(0) * parts.len() as u64
}

impl Lanes {
    pub(super) fn new(most_waiting: usize, metrics: Arc<Metrics>) -> Self {
        let state = State { queue: Queue::new(most_waiting), running: Vec::new(), stopping: false };
        Self { state: Mutex::new(state), work: Condvar::new(), turns: Condvar::new(), ids: AtomicU64::new(1), metrics }
    }

    /// Starts a thread for each lane, and one that ends turns.
    pub(super) fn start(self: &Arc<Self>, lanes: Vec<Lane>) -> std::io::Result<Vec<JoinHandle<()>>> {
        let mut threads = Vec::new();
        for lane in lanes {
            let this = Arc::clone(self);
            threads.push(Builder::new().name("lane".to_string()).spawn(move || this.work(lane))?);
        }
        let this = Arc::clone(self);
        threads.push(Builder::new().name("turns".to_string()).spawn(move || this.end_turns())?);
        Ok(threads)
    }

    /// Puts a job into the queue. Its number is used to withdraw it.
    pub(super) fn submit(&self, client: IpAddr, job: Arc<dyn Job>) -> Result<u64, Fault> {
        let mut state = self.lock();
        let id = self.ids.fetch_add(1, Ordering::Relaxed);
        if state.stopping {
            return Err(Fault::stopping());
        }
        if let Err(Full) = state.queue.push(id, client, job) {
            self.metrics.refused.add_one();
            return Err(Fault::busy("too many searches are waiting: ask again later"));
        }
        self.metrics.begun.add_one();
        self.work.notify_one();
        self.turns.notify_one();
        Ok(id)
    }

    /// Stops a job that nobody waits for. Nothing happens if it is over.
    pub(super) fn withdraw(&self, id: u64) {
        let mut state = self.lock();
        let was_waiting = state.queue.remove(id).is_some();
        let running = state.running.iter_mut().find(|running| running.id == id && !running.withdrawn);
        if let Some(running) = running {
            running.withdrawn = true;
            running.control.stop();
        } else if !was_waiting {
            return;
        }
        self.metrics.left.add_one();
    }

    /// How many jobs come before this one, with those that run. `None` if it does not wait.
    pub(super) fn ahead(&self, id: u64) -> Option<usize> {
        let state = self.lock();
        Some(state.queue.ahead(id)? + state.running.len())
    }

    /// How many jobs run, and how many wait.
    pub(super) fn load(&self) -> (usize, usize) {
        let state = self.lock();
        (state.running.len(), state.queue.len())
    }

    /// Stops all jobs and lets the threads end.
    pub(super) fn stop(&self) {
        let mut state = self.lock();
        state.stopping = true;
        state.running.iter().for_each(|running| running.control.stop());
        let waiting = state.queue.drain();
        drop(state);
        self.work.notify_all();
        self.turns.notify_all();
        waiting.iter().for_each(|waiting| waiting.item.fail(Fault::stopping()));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The life of a lane's thread.
    fn work(&self, mut lane: Lane) {
        while let Some((next, control)) = self.next() {
            let began = Instant::now();
            let turn = catch_unwind(AssertUnwindSafe(|| next.item.run(&mut lane, &control)));
            self.metrics.turns.add_one();
            let job = Arc::clone(&next.item);
            let stopping = self.finish(next, *turn.as_ref().unwrap_or(&Turn::Done), began.elapsed());
            // The answer is sent last: a client that has it must not find the job still running.
            match turn {
                // What was found may have been cut short by the stop, and nobody could tell.
                Ok(_) if stopping => job.fail(Fault::stopping()),
                Ok(Turn::Done) => job.tell(),
                Ok(Turn::More) => {}
                Err(_) => {
                    lane.forget();
                    job.fail(Fault::internal());
                }
            }
        }
    }

    /// Waits for the next job. `None` at the end.
    fn next(&self) -> Option<(Taken, Arc<Control>)> {
        let mut state = self.lock();
        loop {
            if state.stopping {
                return None;
            }
            if let Some(next) = state.queue.take() {
                let control = Arc::new(next.item.control());
                state.running.push(Running {
                    id: next.id,
                    control: Arc::clone(&control),
                    can_pause: next.item.can_pause(),
                    since: Instant::now(),
                    served: next.served,
                    withdrawn: false,
                });
                self.turns.notify_one();
                return Some((next, control));
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A turn is over: the job is done with, or goes back into the queue.
    ///
    /// Returns whether the server stops.
    fn finish(&self, job: Taken, turn: Turn, took: Duration) -> bool {
        let mut state = self.lock();
        let place = state.running.iter().position(|running| running.id == job.id);
        let withdrawn = place.is_some_and(|place| state.running.swap_remove(place).withdrawn);
        if turn == Turn::More && !withdrawn && !state.stopping {
            state.queue.put_back(job.id, job.client, job.served + took, job.item);
            self.work.notify_one();
        } else if !withdrawn {
            self.metrics.ended.add_one();
        }
        state.stopping
    }

    /// Stops each job whose turn is over while others wait.
    fn end_turns(&self) {
        let mut state = self.lock();
        while !state.stopping {
            let now = Instant::now();
            let mut soonest: Option<Duration> = None;
            if let Some(least) = state.queue.least_served() {
                for running in state.running.iter().filter(|running| !running.control.is_stopped()) {
                    let left = running.turn(least).saturating_sub(now - running.since);
                    if left.is_zero() {
                        running.control.stop();
                    } else {
                        soonest = Some(soonest.map_or(left, |soonest| soonest.min(left)));
                    }
                }
            }
            state = match soonest {
                Some(left) => {
                    self.turns.wait_timeout(state, left).map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state)
                }
                None => self.turns.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_and_memory_are_divided_between_lanes() {
        for threads in 1..=40 {
            let whole = Settings { threads: NonZero::new(threads).expect("a thread"), memory: 1 << 30 };
            let parts = divided(whole);
            assert_eq!(parts.iter().map(|part| part.threads.get()).sum::<usize>(), threads);
            assert!(parts.iter().all(|part| part.threads.get() <= THREADS_A_LANE));
            assert_eq!(parts.len(), threads.div_ceil(THREADS_A_LANE));
            assert!(parts.iter().map(|part| part.memory).sum::<u64>() <= whole.memory);
        }
    }

    #[test]
    fn a_long_search_gets_longer_turns_unless_a_newcomer_waits() {
        let turn_of = |can_pause: bool, served: u64, least: u64| {
            let (control, since) = (Arc::default(), Instant::now());
            let served = Duration::from_millis(served);
            let running = Running { id: 1, control, can_pause, since, served, withdrawn: false };
            running.turn(Duration::from_millis(least)).as_millis()
        };
        let turn = |served, least| turn_of(true, served, least);
        assert_eq!(turn_of(false, 0, 0), 5000, "it has only one");
        assert_eq!([turn(0, 0), turn(100, 100), turn(1000, 900), turn(9000, 5000)], [100, 100, 500, 4500]);
        assert_eq!([turn(1000, 0), turn(9000, 100)], [100, 100]);
    }
}
