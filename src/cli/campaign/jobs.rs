//! `isolde campaign jobs`: the jobs that can be done now.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use crate::build::{Campaign, OpenJob};
use crate::cli::output;
use crate::cli::{Failure, Status};

/// List the jobs that can be done now, one a line: name, question, position
///
/// They can all be done at the same time. When they are done, others may have become possible: the
/// campaign is complete when there is none.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder of the campaign
    folder: PathBuf,
    /// Keep this list, so that `isolde campaign work --index` counts in it; and put together what
    /// is known so far, for the jobs that follow
    #[arg(long)]
    wave: bool,
    /// Print only how many there are
    #[arg(long, conflicts_with = "json")]
    count: bool,
    /// Print only their names
    #[arg(long, conflicts_with_all = ["json", "count"])]
    names: bool,
    /// Write the answer as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde campaign jobs 9x9
  isolde campaign jobs 9x9 --wave --names | xargs -r -P 4 -n 1 isolde campaign work 9x9
  sbatch --array=1-$(isolde campaign jobs 9x9 --wave --count) job.sh

Exit codes: 0 answered (even if there is none), 1 failed, 2 bad input.";

#[derive(Serialize)]
struct Row {
    name: String,
    question: &'static str,
    position: String,
}

#[derive(Serialize)]
struct Report {
    open: usize,
    set_aside: Vec<PathBuf>,
    jobs: Vec<Row>,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let found = Campaign::open(&args.folder)?.open_jobs(args.wave)?;
    super::warn_of(&found.set_aside);
    let row = |OpenJob { name, question, position }| Row { name, question, position };
    if args.json {
        let set_aside = found.set_aside.iter().map(|file| file.path.clone()).collect();
        output::json(&Report { open: found.jobs.len(), set_aside, jobs: found.jobs.into_iter().map(row).collect() })?;
        return Ok(Status::Answered);
    }
    let mut out = output::answer();
    if args.count {
        writeln!(out, "{}", found.jobs.len())?;
    } else {
        for job in &found.jobs {
            match args.names {
                true => writeln!(out, "{}", job.name)?,
                false => writeln!(out, "{} {} {}", job.name, job.question, job.position)?,
            }
        }
    }
    out.flush()?;
    Ok(Status::Answered)
}
