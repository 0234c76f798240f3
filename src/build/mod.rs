//! Long work that can stop and continue: building, merging and verifying tables.
//!
//! A [`Build`] begins by claiming a folder beside the table's final place, or finds one that an
//! interrupted build has left there. It saves what it has proven while it runs, writes the table at
//! the end, and gives it its name by a rename. If the same request is made again after an
//! interruption, however sudden, the build continues and ends with the same bytes.
//!
//! The machine word for a board is chosen inside. Progress is reported as numbers, and every limit
//! comes with a [`Control`].
//!
//! ```
//! use std::time::Duration;
//! use isolde::build::{Build, BuildRequest, Completion, Contents, Scope};
//! use isolde::{Control, Settings, Size};
//!
//! let target = std::env::temp_dir().join(format!("isolde-example-{}.isolde", std::process::id()));
//! let build = Build::begin(BuildRequest {
//!     size: Size::new(3, 3)?,
//!     contents: Contents::Strong { checkpoint: Duration::from_secs(10) },
//!     scope: Scope::All,
//!     tries: Vec::new(),
//!     target: target.clone(),
//!     replace: true,
//!     settings: Settings::default(),
//! })?;
//! let completion = build.run(&Control::unlimited().into(), &|progress| {
//!     let _ = (progress.stage, progress.done, progress.total);
//! })?;
//! assert_eq!(completion, Completion::Finished { table: target.clone() });
//! # std::fs::remove_file(target)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod work_folder;

mod progress;

mod publish;

mod request;

mod estimate;

mod strong;

mod opening;

mod merge;

mod verify;

mod campaign;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::game::board::{Size, with_word_for};
use crate::game::position::IllegalMove;
use crate::solve::{Control, EnumerationError, Opening, SolverError, StrategyError, StrategyLogError};
use crate::table::{self, Flaw, Kind, MergeError, WriteError};

pub use campaign::{
    BadFile, Campaign, CampaignError, CampaignPlan, CampaignStatus, Checked, Goal, Lie, OpenJob, OpenJobs, Placement, Ran,
    Recheck, RunProgress, Which, Worked, parse_openings,
};
pub use estimate::Estimate;
pub use merge::merge;
pub use progress::{Completion, Progress, Stage};
pub use request::{BuildRequest, Contents, Scope};
pub use verify::Verification;
pub use work_folder::{WorkFolder, WorkFolderError};

/// A table in the making.
///
/// As long as this value lives, no other process can build the same table.
#[derive(Debug)]
pub struct Build {
    request: BuildRequest,
    /// One opening of each class.
    openings: Vec<Opening>,
    work: WorkFolder,
    time: Option<Duration>,
}

impl Build {
    /// Checks the request and claims the folder for the unfinished work. If an interrupted build of
    /// the same request has left its work there, [`Build::run`] will continue with it.
    ///
    /// # Errors
    /// If the table that was asked for cannot exist, or cannot be made in that place.
    pub fn begin(request: BuildRequest) -> Result<Self, BuildError> {
        request.check()?;
        let work = WorkFolder::begin(&request.target, request.replace, &request.task())?;
        Ok(Self { openings: request.openings(), request, work, time: None })
    }

    /// Stops the work after this time. It counts from the moment when unfinished work has been read
    /// back: otherwise a short time would not get a large build any further.
    #[must_use]
    pub fn with_time(mut self, time: Option<Duration>) -> Self {
        self.time = time;
        self
    }

    /// What is being built.
    #[must_use]
    pub fn request(&self) -> &BuildRequest {
        &self.request
    }

    /// The folder that holds the unfinished work.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.work.folder()
    }

    /// A rough estimate of what the whole build takes. `None` if there is nothing to base it on.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(&self.request, self.openings.len())
    }

    /// Proves what is missing, writes the table, and moves it to its final place.
    ///
    /// `progress` is called from all threads, many times a second.
    ///
    /// # Errors
    /// If the system refuses threads, memory or an operation on a file, if a file is not what was
    /// written, or if the strategy needs more memory.
    pub fn run(self, control: &Arc<Control>, progress: &(dyn Fn(Progress) + Sync)) -> Result<Completion, BuildError> {
        use opening::run as opening;
        let Self { request, openings, work, time } = self;
        let start_clock = &|| control.part(time);
        match request.kind() {
            Kind::Strong => strong::run(&request, &openings, work, start_clock, progress),
            Kind::Opening => with_word_for!(request.size, opening(&request, &openings, work, start_clock, progress)),
        }
    }
}

/// Why a table cannot be built, merged or verified.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum BuildError {
    /// The board does not have the opening that was asked for.
    Placement(IllegalMove),
    /// The board is too large for a strong table.
    TooLarge { size: Size, most: usize },
    /// No position of the board has that many live cells.
    Depth { size: Size, depth: usize, most: usize },
    /// A line to be tried is of another board, or has no move after the placements.
    Try { size: Size },
    /// The table cannot be made in that place.
    Folder(WorkFolderError),
    /// The solver cannot be started.
    Solver(SolverError),
    /// The positions of a strong table cannot be found or decided.
    Enumeration { folder: PathBuf, source: EnumerationError },
    /// The strategy of an opening table cannot be proven or saved.
    Strategy { folder: PathBuf, source: StrategyError },
    /// The strategy log or the proof checkpoint cannot be opened.
    Log(StrategyLogError),
    /// The table cannot be written.
    Write(WriteError),
    /// The table was written and is not sound, so it did not get its name. What it was made from is
    /// kept: the next run checks it, and does again what is not as it was saved.
    Unsound { folder: PathBuf, flaw: Flaw },
    /// A table cannot be read.
    Table(table::Error),
    /// The tables cannot be merged.
    Merge(MergeError),
}

impl BuildError {
    /// The folder that holds what was proven before a file could not be written. Once there is
    /// room, the same request continues from there.
    #[must_use]
    pub fn kept_in(&self) -> Option<&Path> {
        match self {
            Self::Enumeration { folder, source: EnumerationError::Io { .. } }
            | Self::Strategy { folder, source: StrategyError::Log(_) } => Some(folder),
            _ => None,
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Placement(fault) => write!(f, "the opening cannot be placed: {fault}"),
            Self::TooLarge { size, most } => {
                write!(f, "{size} has {} cells: strong tables are for boards of up to {most}", size.cells())
            }
            Self::Depth { size, depth, most } => {
                write!(f, "depth {depth} is too large: after the placements {size} has {most} free cells")
            }
            Self::Try { size } => {
                write!(f, "a line to be tried has two placements and at least one move, all on {size}, such as \"a1 d4 b3\"")
            }
            Self::Folder(fault) => fault.fmt(f),
            Self::Solver(fault) => fault.fmt(f),
            // An error of the system names the file itself.
            Self::Enumeration { source: fault @ EnumerationError::Io { .. }, .. } => fault.fmt(f),
            Self::Enumeration { folder, source } => write!(f, "{}: {source}", folder.display()),
            Self::Strategy { source, .. } => source.fmt(f),
            Self::Log(fault) => fault.fmt(f),
            Self::Write(fault) => fault.fmt(f),
            Self::Unsound { folder, flaw } => {
                let folder = folder.display();
                write!(f, "the table that was written to {folder} is not sound: {flaw}; if that fails again, delete {folder}")
            }
            Self::Table(fault) => fault.fmt(f),
            Self::Merge(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Placement(fault) => Some(fault),
            Self::TooLarge { .. } | Self::Depth { .. } | Self::Try { .. } => None,
            Self::Folder(fault) => Some(fault),
            Self::Solver(fault) => Some(fault),
            Self::Enumeration { source, .. } => Some(source),
            Self::Strategy { source, .. } => Some(source),
            Self::Log(fault) => Some(fault),
            Self::Write(fault) => Some(fault),
            Self::Unsound { flaw, .. } => Some(flaw),
            Self::Table(fault) => Some(fault),
            Self::Merge(fault) => Some(fault),
        }
    }
}

impl From<WorkFolderError> for BuildError {
    fn from(fault: WorkFolderError) -> Self {
        Self::Folder(fault)
    }
}

impl From<SolverError> for BuildError {
    fn from(fault: SolverError) -> Self {
        Self::Solver(fault)
    }
}

impl From<StrategyLogError> for BuildError {
    fn from(fault: StrategyLogError) -> Self {
        Self::Log(fault)
    }
}

impl From<WriteError> for BuildError {
    fn from(fault: WriteError) -> Self {
        Self::Write(fault)
    }
}

impl From<table::Error> for BuildError {
    fn from(fault: table::Error) -> Self {
        Self::Table(fault)
    }
}

impl From<MergeError> for BuildError {
    fn from(fault: MergeError) -> Self {
        Self::Merge(fault)
    }
}
