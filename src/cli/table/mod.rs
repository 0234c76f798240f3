//! `isolde table`: proven results on disk.

mod build;
mod export;
mod info;
mod merge;
mod verify;

use super::{Failure, Status};
use crate::table::{self, WorkError};

/// Make, inspect, verify, export and merge tables of proven results
///
/// A table is a file that holds what is proven of the positions of one board. `isolde query` answers from the tables that it finds in the folder `tables`,
/// and `isolde solve --tables` uses them.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true, disable_help_subcommand = true)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  isolde table build 5x5 --strong             every position of 5x5 with its outcome
  isolde table build 7x7                      every opening of 7x7, and how its winner wins
  isolde table info tables/5x5-strong.isolde
  isolde table verify tables/5x5-strong.isolde";

#[derive(clap::Subcommand)]
enum Verb {
    Build(build::Args),
    Info(info::Args),
    Verify(verify::Args),
    Export(export::Args),
    Merge(merge::Args),
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    match &args.verb {
        Verb::Build(args) => build::run(args),
        Verb::Info(args) => info::run(args),
        Verb::Verify(args) => verify::run(args),
        Verb::Export(args) => export::run(args),
        Verb::Merge(args) => merge::run(args),
    }
}

impl From<WorkError> for Failure {
    fn from(fault: WorkError) -> Self {
        match fault {
            WorkError::NoFolder { .. } | WorkError::Exists { .. } | WorkError::NoName { .. } | WorkError::Foreign { .. } => {
                Self::Input(fault.to_string())
            }
            WorkError::Busy { .. } | WorkError::Io { .. } => Self::Files(fault.to_string()),
        }
    }
}

impl From<table::Error> for Failure {
    fn from(fault: table::Error) -> Self {
        match fault {
            table::Error::Io { ref source, .. } if source.kind() != std::io::ErrorKind::NotFound => {
                Self::Files(fault.to_string())
            }
            table::Error::Io { .. } => Self::Input(fault.to_string()),
            table::Error::Fault { .. } => Self::Files(fault.to_string()),
        }
    }
}
