//! A whole campaign in one process.

use std::collections::{BTreeSet, VecDeque};
use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::CampaignError;
use super::dispatch::pause_after;
use super::job::Job;
use super::knowledge::compact;
use super::plan::CampaignPlan;
use super::result::{BadFile, End};
use super::state::State;
use super::store::Store;
use super::work::work;
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::solve::{Control, SolverError};

/// How far the work is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunProgress {
    /// Jobs that were done, in this run or before.
    pub done: usize,
    /// Jobs that are known to be open.
    pub open: usize,
    /// How many of the done ones were split.
    pub split: usize,
}

/// How the work ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    /// Whether no job is open any more.
    pub complete: bool,
    /// The jobs that this run did.
    pub jobs: usize,
    /// Files that were set aside.
    pub set_aside: Vec<BadFile>,
}

/// What the threads share.
struct Shared<W> {
    state: State<W>,
    queue: VecDeque<Job<W>>,
    in_work: BTreeSet<Duel<W>>,
    /// Positions that another process is working on.
    elsewhere: BTreeSet<Duel<W>>,
    /// Results have been added since the queue was filled.
    stale: bool,
    /// When that was, and how long it took.
    filled: Instant,
    filling: Duration,
    /// The number of results when the knowledge was written.
    compacted: usize,
    ran: Ran,
    fault: Option<CampaignError>,
}

struct Runner<'a, W> {
    plan: &'a CampaignPlan,
    store: &'a Store,
    shared: Mutex<Shared<W>>,
    changed: Condvar,
    control: &'a Arc<Control>,
    /// The time of a job.
    time: Option<Duration>,
    progress: &'a (dyn Fn(RunProgress) + Sync),
}

/// Does open jobs, each with one thread, until none is left.
pub(super) fn run<W: Word>(
    plan: &CampaignPlan,
    store: &Store,
    (threads, time): (NonZero<usize>, Option<Duration>),
    control: &Arc<Control>,
    progress: &(dyn Fn(RunProgress) + Sync),
) -> Result<Ran, CampaignError> {
    let shared = Shared {
        state: State::<W>::new(plan)?,
        queue: VecDeque::new(),
        in_work: BTreeSet::new(),
        elsewhere: BTreeSet::new(),
        stale: true,
        filled: Instant::now(),
        filling: Duration::ZERO,
        compacted: 0,
        ran: Ran { complete: false, jobs: 0, set_aside: Vec::new() },
        fault: None,
    };
    let runner = Runner { plan, store, shared: Mutex::new(shared), changed: Condvar::new(), control, time, progress };
    std::thread::scope(|scope| {
        let started = (0..threads.get()).map(|_| std::thread::Builder::new().spawn_scoped(scope, || runner.take_jobs()));
        if let Some(fault) = started.filter_map(Result::err).next() {
            let reason = fault.to_string();
            runner.lock().fault = Some(CampaignError::Solver(SolverError::Threads { threads: threads.get(), reason }));
        }
    });
    let shared = runner.shared.into_inner().expect("no thread panics while it holds the jobs");
    match shared.fault {
        Some(fault) => Err(fault),
        None => Ok(shared.ran),
    }
}

impl<W: Word> Runner<'_, W> {
    fn lock(&self) -> MutexGuard<'_, Shared<W>> {
        self.shared.lock().expect("no thread panics while it holds the jobs")
    }

    /// One thread: does one job after the other.
    fn take_jobs(&self) {
        loop {
            let next = self.next();
            let done = match next {
                Ok(None) => break,
                Ok(Some(job)) => self.work_on(job),
                Err(fault) => Err(fault),
            };
            if let Err(fault) = done {
                self.lock().fault.get_or_insert(fault);
                break;
            }
        }
        self.changed.notify_all();
    }

    /// The next job. `None` if the work is over.
    fn next(&self) -> Result<Option<Job<W>>, CampaignError> {
        let mut shared = self.lock();
        loop {
            if shared.fault.is_some() || self.control.is_stopped() || shared.ran.complete {
                return Ok(None);
            }
            // The jobs are in the order in which they should be done, so that one opening is proven
            // after the other. Finding out takes a tenth of the time, at the most.
            if shared.stale && (shared.queue.is_empty() || shared.filled.elapsed() >= 10 * shared.filling) {
                shared.stale = false;
                self.fill(&mut shared)?;
                continue;
            }
            if let Some(job) = shared.queue.pop_front() {
                shared.in_work.insert(job.duel);
                return Ok(Some(job));
            }
            // Others are at work, here or elsewhere. What they find opens new jobs.
            if shared.in_work.is_empty() {
                shared.elsewhere.clear();
                shared.stale = true;
            }
            let pause = pause_after(shared.filling);
            shared = self.changed.wait_timeout(shared, pause).expect("no thread panics while it holds the jobs").0;
        }
    }

    /// Fills the queue with the open jobs that nobody is working on.
    fn fill(&self, shared: &mut Shared<W>) -> Result<(), CampaignError> {
        let begin = Instant::now();
        // Somebody may have moved the folder away.
        let plan = self.store.read_plan()?.and_then(|text| CampaignPlan::from_text(&text).ok());
        if plan.as_ref() != Some(self.plan) {
            return Err(CampaignError::NoCampaign { folder: self.store.folder().to_path_buf() });
        }
        let set_aside = shared.state.refresh(self.store)?;
        shared.ran.set_aside.extend(set_aside);
        let open = shared.state.outlook(self.plan, u64::MAX)?.open;
        shared.ran.complete = open.is_empty();
        let results = shared.state.results.all().len();
        if !open.is_empty() && results != shared.compacted {
            // The parts of a job begin with what it has proven.
            compact(&shared.state.results, self.store)?;
            shared.compacted = results;
        }
        let is_free = |job: &Job<W>| !shared.in_work.contains(&job.duel) && !shared.elsewhere.contains(&job.duel);
        shared.queue = open.into_iter().filter(is_free).collect();
        (shared.filled, shared.filling) = (Instant::now(), begin.elapsed());
        self.tell(shared);
        Ok(())
    }

    fn work_on(&self, job: Job<W>) -> Result<(), CampaignError> {
        let name = job.name();
        let claimed = self.store.claim(&name)?;
        // Another process may have done it since the results were read.
        let found = match (&claimed, self.store.read_result(&name)?) {
            (Some(_), None) => {
                let found = work(self.plan, self.store, job, self.control, &Arc::new(self.control.part(self.time)))?;
                if let Some(found) = &found {
                    let shared = self.lock();
                    let (board, symmetries) = (shared.state.results.board().clone(), shared.state.results.symmetries().clone());
                    drop(shared);
                    self.store.write_result(&name, &found.to_bytes(&board, &symmetries, &self.plan.id()))?;
                }
                found
            }
            _ => None,
        };
        let mut shared = self.lock();
        shared.in_work.remove(&job.duel);
        match found {
            Some(found) => {
                shared.state.results.add(found);
                shared.ran.jobs += 1;
                self.tell(&shared);
            }
            None => drop(shared.elsewhere.insert(job.duel)),
        }
        shared.stale = true;
        drop(shared);
        self.changed.notify_all();
        Ok(())
    }

    fn tell(&self, shared: &Shared<W>) {
        let all = shared.state.results.all();
        let split = all.iter().filter(|found| matches!(found.end, End::Split { .. })).count();
        (self.progress)(RunProgress { done: all.len(), open: shared.queue.len() + shared.in_work.len(), split });
    }
}
