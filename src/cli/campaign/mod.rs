//! `isolde campaign`: proofs cut into jobs, for several processes or machines.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod plan;

mod jobs;

mod work;

mod run;

mod status;

mod merge;

use super::output::warning;
use super::{Failure, Status};
use crate::build::{BadFile, CampaignError};

/// Cut a large proof into jobs, for several processes or a cluster
///
/// A campaign is a folder that all workers see. It holds a plan and, for each job that was done, a
/// file with its result. A job is one question about one position, done by one thread within a
/// number of nodes. Any scheduler can run the jobs, and everything may be killed at any moment:
/// what was done is on disk. When no job is open, `merge` checks everything and writes the table
/// that `isolde table build` would write. docs/campaigns.md has examples for Dask, Slurm and xargs.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true, disable_help_subcommand = true)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  isolde campaign plan 7x9 --weak --output 7x9      who wins 7x9: cut into jobs
  isolde campaign run 7x9 --threads 2               do all of them, on this machine
  isolde campaign status 7x9                        how far it is
  isolde campaign merge 7x9 --output 7x9.isolde     check everything, and write the table
  isolde campaign jobs 7x9                          the jobs that can be done now
  isolde campaign work 7x9 --next                   do one of them";

#[derive(clap::Subcommand)]
enum Verb {
    Plan(plan::Args),
    Jobs(jobs::Args),
    Work(work::Args),
    Run(run::Args),
    Status(status::Args),
    Merge(merge::Args),
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    match &args.verb {
        Verb::Plan(args) => plan::run(args),
        Verb::Jobs(args) => jobs::run(args),
        Verb::Work(args) => work::run(args),
        Verb::Run(args) => run::run(args),
        Verb::Status(args) => status::run(args),
        Verb::Merge(args) => merge::run(args),
    }
}

/// Names the files that were set aside.
fn warn_of(set_aside: &[BadFile]) {
    for BadFile { path, reason } in set_aside {
        warning(&format!("set aside as {}: {reason}; if it was a result, its job is open again", path.display()));
    }
}

impl From<CampaignError> for Failure {
    /// Adds to an error what can be done about it on the command line.
    fn from(fault: CampaignError) -> Self {
        match fault {
            CampaignError::Request(fault) | CampaignError::Publish(fault) => fault.into(),
            CampaignError::Folder(fault) => fault.into(),
            CampaignError::Solver(fault) => fault.into(),
            CampaignError::NoCampaign { .. } => Self::Input(format!("{fault}: `isolde campaign plan` begins one")),
            CampaignError::OtherPlan { .. } => Self::Input(format!("{fault}: choose another folder with --output")),
            CampaignError::Memory { .. } => Self::Input(format!("--memory is too small: {fault}")),
            CampaignError::NoLine { .. } => Self::Input(format!("{fault}; `isolde campaign jobs --wave` writes the list")),
            CampaignError::Mirror { .. }
            | CampaignError::NoOpenings { .. }
            | CampaignError::NotAName { .. }
            | CampaignError::NoResult { .. } => Self::Input(fault.to_string()),
            CampaignError::Open { .. } => Self::Files(format!("{fault} with `isolde campaign run`")),
            CampaignError::Lied(ref lie) => {
                Self::Files(format!("{fault}; `isolde campaign work … {} --again` does the job again", lie.job))
            }
            _ => Self::Files(fault.to_string()),
        }
    }
}
