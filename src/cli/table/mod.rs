//! `isolde table`: proven results on disk.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod files;

mod describe;

mod list;

mod info;

mod export;

mod build;

mod merge;

mod verify;

use std::path::Path;

use super::limits::unfinished;
use super::output::grouped;
use super::progress::told;
use super::{Failure, Status};
use crate::build::{BuildError, Completion, Progress, Stage, WorkFolderError};
use crate::solve::Control;
use crate::table::{self, MergeError};

pub(super) use info::tell;

/// List, build, inspect, verify, export and merge tables of proven results
///
/// A table is a file that holds what is proven about the positions of one board. Tables of the
/// boards from 3x3 to 5x5, and of the openings of boards up to 8x8, are part of the program. Your
/// own tables are found in the folder `tables` here, in `isolde/tables` of your data folder, or
/// where ISOLDE_TABLES says.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true, disable_help_subcommand = true)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  isolde table list                           which tables are found, and where
  isolde table build 5x5 --strong             every position of 5x5 with its outcome
  isolde table build 7x7                      every opening of 7x7, and how its winner wins
  isolde table info tables/5x5-strong.isolde
  isolde table verify tables/5x5-strong.isolde";

#[derive(clap::Subcommand)]
enum Verb {
    List(list::Args),
    Build(build::Args),
    Info(info::Args),
    Verify(verify::Args),
    Export(export::Args),
    Merge(merge::Args),
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    match &args.verb {
        Verb::List(args) => list::run(args),
        Verb::Build(args) => build::run(args),
        Verb::Info(args) => info::run(args),
        Verb::Verify(args) => verify::run(args),
        Verb::Export(args) => export::run(args),
        Verb::Merge(args) => merge::run(args),
    }
}

/// Does work while a bar shows its progress.
pub(super) fn told_progress<R>(control: &Control, work: impl FnOnce(&(dyn Fn(Progress) + Sync)) -> R) -> R {
    told("positions", control, |tell| {
        work(&|Progress { stage, done, total }| match stage {
            Stage::Finding => tell(done, total, "finding all positions"),
            Stage::Deciding => tell(done, total, "deciding them"),
            Stage::Proving { live, nodes } => {
                tell(done, total, &format!("{} nodes, positions with {live} live cells", grouped(nodes)));
            }
            Stage::Writing => tell(done, total, "writing the table"),
            Stage::Verifying => tell(done, total, "verifying"),
        })
    })
}

/// Describes the finished table, or says how to continue.
fn finish(completion: Completion, describe: impl FnOnce(&Path) -> Result<Status, Failure>) -> Result<Status, Failure> {
    match completion {
        Completion::Finished { table } => describe(&table),
        Completion::Stopped { folder } => Ok(unfinished(&folder)),
    }
}

impl From<BuildError> for Failure {
    /// Adds to an error what can be done about it on the command line.
    fn from(fault: BuildError) -> Self {
        if let Some(folder) = fault.kept_in() {
            let folder = folder.display();
            return Self::Files(format!(
                "{fault}; what was proven is kept in {folder}, and the same command continues from there"
            ));
        }
        match fault {
            BuildError::Placement(_) | BuildError::TooLarge { .. } => Self::Input(fault.to_string()),
            BuildError::Depth { .. } => Self::Input(format!("--{fault}")),
            BuildError::Folder(fault) => fault.into(),
            BuildError::Solver(fault) => fault.into(),
            BuildError::Table(fault) => fault.into(),
            BuildError::Merge(fault) => fault.into(),
            _ => Self::Files(fault.to_string()),
        }
    }
}

impl From<WorkFolderError> for Failure {
    fn from(fault: WorkFolderError) -> Self {
        match fault {
            WorkFolderError::NoFolder { .. } => Self::Input(format!("{fault}: create it, or write elsewhere with --output")),
            WorkFolderError::Exists { unfinished: None, .. } => {
                Self::Input(format!("{fault}: --force replaces it, --output writes elsewhere"))
            }
            WorkFolderError::Exists { .. } => {
                Self::Input(format!("{fault}: --force replaces the file, --output writes elsewhere"))
            }
            WorkFolderError::Foreign { .. } => {
                Self::Input(format!("{fault}: finish that or delete the folder, or write elsewhere with --output"))
            }
            WorkFolderError::Busy { .. } => Self::Files(format!("{fault}: wait for it, or write elsewhere with --output")),
            WorkFolderError::NoName { .. } | WorkFolderError::NotAFile { .. } => {
                Self::Input(format!("{fault}: name a file with --output"))
            }
            _ => Self::Files(fault.to_string()),
        }
    }
}

impl From<MergeError> for Failure {
    fn from(fault: MergeError) -> Self {
        match fault {
            MergeError::NoTables | MergeError::Boards { .. } | MergeError::Kinds { .. } => Self::Input(fault.to_string()),
            MergeError::Conflict { .. } => Self::Files(format!("{fault} with `isolde table verify`")),
            _ => Self::Files(fault.to_string()),
        }
    }
}

impl From<table::Error> for Failure {
    fn from(fault: table::Error) -> Self {
        match fault {
            table::Error::Io { ref source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                Self::Input(fault.to_string())
            }
            _ => Self::Files(fault.to_string()),
        }
    }
}
