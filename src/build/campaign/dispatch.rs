//! Jobs handed out: which are open, how one of them is done, and how a result is taken back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::job::{self, Job};
use super::result::{BadFile, End};
use super::results::Number;
use super::state::State;
use super::{Campaign, CampaignError, knowledge, work};
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::game::outcome::Value;
use crate::solve::Control;

/// How often results of other processes are looked for while there is nothing else to do.
const LEAST_PAUSE: Duration = Duration::from_millis(200);

/// How long to wait after a look at all results that took this long. Looking takes a tenth of the
/// time, at the most.
pub(super) fn pause_after(look: Duration) -> Duration {
    LEAST_PAUSE.max(10 * look)
}

/// A job that can be done now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenJob {
    /// The name, which stands for the position and the question.
    pub name: String,
    /// `strategy`, or `winner`.
    pub question: &'static str,
    /// The position as a diagram, its mover as the first player.
    pub position: String,
}

/// The jobs that can be done now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenJobs {
    /// The jobs, in the order in which they should be done.
    pub jobs: Vec<OpenJob>,
    /// Files that were set aside, because they are not results.
    pub set_aside: Vec<BadFile>,
}

/// Which job to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Which {
    /// The job with this name.
    Named(String),
    /// The job in this line, counted from 1, of the list that was [kept](Campaign::open_jobs).
    Line(usize),
    /// The first open job that no other process of this machine is doing. While they do all of
    /// them, this one waits.
    Next,
}

/// What was done about a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Worked {
    /// It was done now.
    Done {
        /// The name of the job.
        job: String,
        /// Its position.
        position: String,
        /// Whether the mover wins; `None` if the job was split into the moves of its position.
        mover_wins: Option<bool>,
        /// Why it was split: it had no more `nodes`, `time` or `memory`.
        ran_out_of: Option<&'static str>,
        /// The nodes that it has searched.
        nodes: u64,
        /// The time that it took.
        time: Duration,
    },
    /// It has a result.
    Already {
        /// The name of the job.
        job: String,
    },
    /// Nothing can be said about it: the work was stopped.
    Stopped,
    /// No job is open.
    Complete,
    /// The job is not open: its position was decided in another way.
    NotOpen {
        /// The name of the job.
        job: String,
    },
}

pub(super) fn open_jobs<W: Word>(campaign: &Campaign, keep: bool) -> Result<OpenJobs, CampaignError> {
    let Campaign { store, plan } = campaign;
    let mut state = State::<W>::new(plan)?;
    let set_aside = state.refresh(store)?;
    let open = state.outlook(plan, u64::MAX)?.open;
    let board = state.results.board();
    if keep {
        store.sweep()?;
        knowledge::compact(&state.results, store)?;
        store.write_jobs(&open.iter().map(|job| job.line(board) + "\n").collect::<String>())?;
    }
    let described = open.iter().map(|job| OpenJob {
        name: job.name(),
        question: job.question.name(),
        position: job::diagram(board, job.duel).to_string(),
    });
    Ok(OpenJobs { jobs: described.collect(), set_aside })
}

pub(super) fn work_on<W: Word>(
    campaign: &Campaign,
    which: &Which,
    time: Option<Duration>,
    control: &Arc<Control>,
    set_aside: &mut Vec<BadFile>,
) -> Result<Worked, CampaignError> {
    let Campaign { store, plan } = campaign;
    let mut state = State::<W>::new(plan)?;
    let kept = store.read_jobs()?;
    let kept_job = |line: &str| Job::<W>::from_line(state.results.board(), state.results.symmetries(), line);
    let (name, mut job) = match which {
        Which::Named(name) => {
            if !job::is_name(name) {
                return Err(CampaignError::NotAName { name: name.clone() });
            }
            (name.clone(), kept.lines().find(|line| line.starts_with(name.as_str())).and_then(kept_job))
        }
        Which::Line(number) => {
            let lines = kept.lines().count();
            let line = number.checked_sub(1).and_then(|number| kept.lines().nth(number));
            let job = line.and_then(kept_job).ok_or(CampaignError::NoLine { number: *number, lines })?;
            (job.name(), Some(job))
        }
        Which::Next => return next(campaign, &mut state, time, control, set_aside),
    };
    match state.results.read(store, &name)? {
        Some(Ok(_)) => return Ok(Worked::Already { job: name }),
        Some(Err(bad)) => set_aside.extend(store.set_bad_aside(&bad)?),
        None => {}
    }
    if job.is_none() {
        set_aside.extend(state.refresh(store)?);
        job = state.outlook(plan, u64::MAX)?.open.into_iter().find(|job| job.name() == name);
    }
    let Some(job) = job else { return Ok(Worked::NotOpen { job: name }) };
    // If another process of this machine is at it, both do it. That does no harm.
    let _claimed = store.claim(&name)?;
    done(campaign, &state, job, time, control)
}

/// Does the first open job that nobody else is doing. While there is none, it waits.
fn next<W: Word>(
    campaign: &Campaign,
    state: &mut State<W>,
    time: Option<Duration>,
    control: &Arc<Control>,
    set_aside: &mut Vec<BadFile>,
) -> Result<Worked, CampaignError> {
    while !control.is_stopped() {
        let begin = Instant::now();
        set_aside.extend(state.refresh(&campaign.store)?);
        let open = state.outlook(&campaign.plan, u64::MAX)?.open;
        if open.is_empty() {
            return Ok(Worked::Complete);
        }
        for job in open {
            let name = job.name();
            let Some(_claimed) = campaign.store.claim(&name)? else { continue };
            // It may have been done after the results were read.
            if campaign.store.read_result(&name)?.is_none() {
                return done(campaign, state, job, time, control);
            }
        }
        let pause = control.part(Some(pause_after(begin.elapsed())));
        while !pause.is_stopped() {
            std::thread::sleep(LEAST_PAUSE / 10);
        }
    }
    Ok(Worked::Stopped)
}

fn done<W: Word>(
    campaign: &Campaign,
    state: &State<W>,
    job: Job<W>,
    time: Option<Duration>,
    control: &Arc<Control>,
) -> Result<Worked, CampaignError> {
    let Campaign { store, plan } = campaign;
    let started = Instant::now();
    let Some(found) = work::work(plan, store, job, control, &Arc::new(control.part(time)))? else {
        return Ok(Worked::Stopped);
    };
    let (board, symmetries) = (state.results.board(), state.results.symmetries());
    store.write_result(&job.name(), &found.to_bytes(board, symmetries, &plan.id()))?;
    Ok(Worked::Done {
        job: job.name(),
        position: job::diagram(board, job.duel).to_string(),
        mover_wins: match found.end {
            End::Answered(value) => Some(value == Value::Win),
            End::Split { .. } => None,
        },
        ran_out_of: match found.end {
            End::Answered(_) => None,
            End::Split { why, .. } => Some(why.name()),
        },
        nodes: found.nodes,
        time: started.elapsed(),
    })
}

pub(super) fn retract<W: Word>(campaign: &Campaign, job: &str) -> Result<Vec<String>, CampaignError> {
    let store = &campaign.store;
    let mut state = State::<W>::new(&campaign.plan)?;
    state.refresh(store)?;
    let results = &state.results;
    let Some(number) = results.all().iter().position(|found| found.job.name() == job) else {
        return Err(CampaignError::NoResult { name: job.to_string() });
    };
    // Whatever has used a position that one of these results speaks of may be false, too.
    let mut users: BTreeMap<Duel<W>, Vec<Number>> = BTreeMap::new();
    for (number, found) in results.all().iter().enumerate() {
        found.used.iter().for_each(|&duel| users.entry(duel).or_default().push(number));
    }
    let (mut seen, mut names, mut waiting) = (BTreeSet::from([number]), Vec::new(), vec![number]);
    while let Some(number) = waiting.pop() {
        let found = &results.all()[number];
        names.push(found.job.name());
        for (duel, _) in found.statements(results.board(), results.symmetries()) {
            waiting.extend(users.get(&duel).into_iter().flatten().filter(|&&user| seen.insert(user)));
        }
    }
    // First what could bring it back.
    store.forget_knowledge()?;
    for name in &names {
        store.set_aside(&store.result_path(name))?;
    }
    Ok(names)
}
