//! Campaigns: proofs that are cut into independent jobs, for several processes or machines.
//!
//! A cluster already has a scheduler, so a campaign brings none. It is a folder that all workers
//! see: a plan, which never changes, and a file with the result of each job. The results are the
//! only truth. What is still to be done follows from them, so any worker and any scheduler may die
//! at any moment.
//!
//! A job is one question about one canonical position, done by one thread within a number of nodes.
//! The same job with the same knowledge has the same result everywhere. If its nodes do not
//! suffice, the position is split into its moves, and the result holds what was proven so far.
//!
//! In the end [`Campaign::merge`] checks the results and writes the table that
//! `isolde table build` writes on one machine, byte for byte.
//!
//! ```
//! use isolde::build::{Campaign, CampaignPlan, Goal, Recheck};
//! use isolde::{Control, Settings, Size};
//!
//! let folder = std::env::temp_dir().join(format!("isolde-campaign-{}", std::process::id()));
//! let (size, goal) = (Size::new(4, 4)?, Goal::All);
//! let depth = CampaignPlan::default_depth(size, &goal);
//! let plan = CampaignPlan { size, goal, depth, tries: Vec::new(), nodes: 500, memory: 4 << 20 };
//! let campaign = Campaign::begin(&folder, plan)?;
//! let control = Control::unlimited().into();
//! let ran = campaign.run(Settings::default().threads, None, &control, &|_| ())?;
//! assert!(ran.complete);
//! let table = folder.join("4x4.isolde");
//! campaign.merge(&table, false, Recheck::All, Settings::default(), &control, &|_| ())?;
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod plan;

mod job;

mod result;

mod store;

mod results;

mod knowledge;

mod work;

mod walk;

mod state;

mod status;

mod merge;

mod dispatch;

mod run;

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::progress::{Completion, Progress};
use super::work_folder::WorkFolderError;
use super::{BuildError, estimate};
use crate::game::board::{Size, with_word_for};
use crate::solve::{Control, Settings, SolverError, StrategyError};
use crate::table::WriteError;

pub use dispatch::{OpenJob, OpenJobs, Which, Worked};
pub use merge::{Checked, Recheck};
pub use plan::{CampaignPlan, Goal, parse_openings};
pub use result::BadFile;
pub use run::{Ran, RunProgress};
pub use status::CampaignStatus;
pub use walk::Placement;

use store::Store;

/// A campaign: a folder with a plan and results.
#[derive(Clone, Debug)]
pub struct Campaign {
    store: Store,
    plan: CampaignPlan,
}

impl Campaign {
    /// Begins a campaign in this folder, or opens it if it has the same plan.
    ///
    /// # Errors
    /// If the plan has a fault, if the folder holds another campaign, or if the system refuses.
    pub fn begin(folder: &Path, plan: CampaignPlan) -> Result<Self, CampaignError> {
        plan.check()?;
        let store = Store::new(folder);
        match store.read_plan()? {
            Some(text) if CampaignPlan::from_text(&text).as_ref() == Ok(&plan) => {}
            Some(_) => return Err(CampaignError::OtherPlan { folder: folder.to_path_buf() }),
            None => store.write_plan(&plan.to_text())?,
        }
        Ok(Self { store, plan })
    }

    /// Opens the campaign in this folder.
    ///
    /// # Errors
    /// If there is none, or its plan cannot be read.
    pub fn open(folder: &Path) -> Result<Self, CampaignError> {
        let store = Store::new(folder);
        let text = store.read_plan()?.ok_or_else(|| CampaignError::NoCampaign { folder: folder.to_path_buf() })?;
        let plan =
            CampaignPlan::from_text(&text).map_err(|reason| CampaignError::BadPlan { folder: folder.to_path_buf(), reason })?;
        Ok(Self { store, plan })
    }

    /// What is to be proven.
    #[must_use]
    pub fn plan(&self) -> &CampaignPlan {
        &self.plan
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.store.folder()
    }

    /// A rough number of seconds that one thread needs for the openings. On large boards it can be
    /// wrong by a large factor.
    #[must_use]
    pub fn expected_seconds(&self) -> f64 {
        estimate::openings(self.plan.size, self.expected_openings(), 1)
    }

    /// The openings that have to be decided if all goes well: one of each class, or one after each
    /// placement.
    #[must_use]
    pub fn expected_openings(&self) -> usize {
        let openings = self.plan.openings();
        let firsts: BTreeSet<_> = openings.iter().map(|opening| opening.first).collect();
        if self.plan.goal == Goal::Weak { firsts.len() } else { openings.len() }
    }

    /// The jobs that can be done now. Files that are not results are set aside.
    ///
    /// With `keep`, this is the list in which [`Which::Line`] counts from now on, and the expensive
    /// proven positions of all results are put together for the jobs that follow.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn open_jobs(&self, keep: bool) -> Result<OpenJobs, CampaignError> {
        use dispatch::open_jobs;
        with_word_for!(self.plan.size, open_jobs(self, keep))
    }

    /// Does a job. One that has a result is not done again. Files that are not results are set
    /// aside and returned.
    ///
    /// If the `time` is over before the nodes are, the job is split, too.
    ///
    /// # Errors
    /// If there is no such job, or the system refuses.
    pub fn work(
        &self,
        which: &Which,
        time: Option<Duration>,
        control: &Arc<Control>,
    ) -> Result<(Worked, Vec<BadFile>), CampaignError> {
        use dispatch::work_on;
        let mut set_aside = Vec::new();
        with_word_for!(self.plan.size, work_on(self, which, time, control, &mut set_aside)).map(|worked| (worked, set_aside))
    }

    /// Sets a result aside, and those that rest on it, so that they are done again. Returns their
    /// names.
    ///
    /// # Errors
    /// If there is no such result, or the system refuses.
    pub fn retract(&self, job: &str) -> Result<Vec<String>, CampaignError> {
        use dispatch::retract;
        with_word_for!(self.plan.size, retract(self, job))
    }

    /// Does open jobs until none is left, each with one thread. `progress` is called after each.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn run(
        &self,
        threads: NonZero<usize>,
        time: Option<Duration>,
        control: &Arc<Control>,
        progress: &(dyn Fn(RunProgress) + Sync),
    ) -> Result<Ran, CampaignError> {
        use run::run;
        with_word_for!(self.plan.size, run(&self.plan, &self.store, (threads, time), control, progress))
    }

    /// How far the campaign is. Nothing is changed.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn status(&self) -> Result<CampaignStatus, CampaignError> {
        use status::status;
        with_word_for!(self.plan.size, status(&self.plan, &self.store))
    }

    /// Checks all results, and writes the table.
    ///
    /// # Errors
    /// If jobs are open, if a result is false, or if the table cannot be written.
    pub fn merge(
        &self,
        target: &Path,
        replace: bool,
        recheck: Recheck,
        settings: Settings,
        control: &Arc<Control>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<(Completion, Checked), CampaignError> {
        use merge::merge;
        let place = (target, replace);
        with_word_for!(self.plan.size, merge(&self.plan, &self.store, place, recheck, settings, control, progress))
    }
}

/// A false statement of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lie {
    /// The job.
    pub job: String,
    /// The position.
    pub position: String,
    /// What the result says about it, in words.
    pub said: String,
}

/// Why a campaign cannot go on.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum CampaignError {
    /// The plan asks for a table that cannot exist.
    Request(BuildError),
    /// The second player wins the board by a mirror: there is nothing to be proven.
    Mirror { size: Size },
    /// The board has no openings.
    NoOpenings { size: Size },
    /// A job needs more memory.
    Memory { size: Size, least: u64 },
    /// There is no campaign in the folder.
    NoCampaign { folder: PathBuf },
    /// The folder holds a campaign with another plan.
    OtherPlan { folder: PathBuf },
    /// The plan cannot be read.
    BadPlan { folder: PathBuf, reason: String },
    /// No job can have this name.
    NotAName { name: String },
    /// There is no result of this job.
    NoResult { name: String },
    /// The list of jobs does not have this line.
    NoLine { number: usize, lines: usize },
    /// Jobs are open.
    Open { jobs: usize },
    /// Files were not results. They were set aside.
    BadResults(Vec<BadFile>),
    /// A result is false.
    Lied(Lie),
    /// The solver cannot be started.
    Solver(SolverError),
    /// A strategy does not fit into the memory.
    Strategy(StrategyError),
    /// The table cannot be made in that place.
    Folder(WorkFolderError),
    /// A table cannot be written.
    Write(WriteError),
    /// The table cannot be made.
    Publish(BuildError),
    /// The system refused an operation.
    Io { doing: &'static str, path: PathBuf, source: io::Error },
}

impl fmt::Display for CampaignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(fault) | Self::Publish(fault) => fault.fmt(f),
            Self::Mirror { size } => {
                write!(f, "the second player wins {size} by mirroring every move: there is nothing else to prove")
            }
            Self::NoOpenings { size } => write!(f, "{size} has no openings"),
            Self::Memory { size, least } => write!(f, "a job on {size} needs at least {} MiB of memory", least.div_ceil(1 << 20)),
            Self::NoCampaign { folder } => write!(f, "there is no campaign in {}", folder.display()),
            Self::OtherPlan { folder } => write!(f, "{} holds a campaign with another plan", folder.display()),
            Self::BadPlan { folder, reason } => write!(f, "the plan in {} cannot be used: {reason}", folder.display()),
            Self::NotAName { name } => {
                let name = crate::game::notation::quoted(name);
                write!(f, "{name} is not the name of a job, such as w-0123456789abcdef")
            }
            Self::NoResult { name } => write!(f, "there is no result of job {name}"),
            Self::NoLine { number, lines } => write!(f, "there is no job {number}: the list has {lines}, counted from 1"),
            Self::Open { jobs: 1 } => f.write_str("the campaign is not complete: a job can be done now"),
            Self::Open { jobs } => write!(f, "the campaign is not complete: {jobs} jobs can be done now"),
            Self::BadResults(files) => {
                f.write_str("some results cannot be used, and their jobs are open again:")?;
                files.iter().try_for_each(|BadFile { path, reason }| write!(f, "\n  {}: {reason}", path.display()))
            }
            Self::Lied(Lie { job, position, said }) => {
                write!(f, "the result of job {job} is false: it gets {said} wrong in {position}; nothing was written")
            }
            Self::Solver(fault) => fault.fmt(f),
            Self::Strategy(fault) => fault.fmt(f),
            Self::Folder(fault) => fault.fmt(f),
            Self::Write(fault) => fault.fmt(f),
            Self::Io { doing, path, source } => write!(f, "cannot {doing} {}: {source}", path.display()),
        }
    }
}

impl std::error::Error for CampaignError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Request(fault) | Self::Publish(fault) => Some(fault),
            Self::Solver(fault) => Some(fault),
            Self::Strategy(fault) => Some(fault),
            Self::Folder(fault) => Some(fault),
            Self::Write(fault) => Some(fault),
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<SolverError> for CampaignError {
    fn from(fault: SolverError) -> Self {
        Self::Solver(fault)
    }
}

impl From<WorkFolderError> for CampaignError {
    fn from(fault: WorkFolderError) -> Self {
        Self::Folder(fault)
    }
}

impl From<BuildError> for CampaignError {
    fn from(fault: BuildError) -> Self {
        Self::Publish(fault)
    }
}
