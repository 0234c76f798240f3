//! `isolde campaign run`: all jobs, in one process.

use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use bytesize::ByteSize;
use serde::Serialize;

use crate::build::{Campaign, RunProgress};
use crate::cli::interruption::interruptible;
use crate::cli::limits::{machine_memory, status, threads, time};
use crate::cli::output::{self, grouped, plural};
use crate::cli::progress::told;
use crate::cli::{Failure, Status};
use crate::solve::Control;

/// Do all jobs of a campaign on this machine
///
/// Several processes can work on one campaign, on one machine or on several.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder of the campaign
    folder: PathBuf,
    /// Number of jobs at the same time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = "Limits")]
    threads: Option<NonZero<usize>>,
    /// Stop after this time, such as 10m. The jobs that are being done are lost
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Limits")]
    time: Option<Duration>,
    /// Split a job that takes longer than this, such as 1h
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Limits")]
    job_time: Option<Duration>,
    /// Write the answer as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde campaign run 9x9 --threads 2
  isolde campaign run 9x9 --time 8h

Exit codes: 0 the campaign is complete, 1 failed, 2 bad input, 3 not complete within --time, 130 interrupted.
After 3 and 130 the same command continues.";

#[derive(Serialize)]
struct Report {
    complete: bool,
    jobs: usize,
    nodes: u64,
    set_aside: Vec<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let campaign = Campaign::open(&args.folder)?;
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN));
    let needed = campaign.plan().memory.saturating_mul(threads.get() as u64);
    if let Some(most) = machine_memory().filter(|&most| most < needed) {
        let (needed, most) = (ByteSize(needed), ByteSize(most));
        return Err(Failure::Input(format!("{threads} jobs need {needed}, and this machine has {most}: choose fewer --threads")));
    }
    let control = interruptible(Control::with_time(args.time));
    let ran = told("jobs", &control, |tell| {
        campaign.run(threads, args.job_time, &control, &|RunProgress { done, open, split }| {
            let facts = format!("{} nodes, {split} split", grouped(control.nodes()));
            tell(done as u64, (done + open) as u64, &facts);
        })
    })?;
    super::warn_of(&ran.set_aside);
    let report = Report {
        complete: ran.complete,
        jobs: ran.jobs,
        nodes: control.nodes(),
        set_aside: ran.set_aside.into_iter().map(|file| file.path).collect(),
    };
    if args.json {
        output::json(&report)?;
    } else {
        let mut out = output::answer();
        let (jobs, noun, nodes) = (grouped(report.jobs as u64), plural(report.jobs, "job"), grouped(report.nodes));
        let end = if report.complete { "the campaign is complete" } else { "not complete: the same command continues" };
        writeln!(out, "{jobs} {noun} done, {nodes} nodes; {end}")?;
        out.flush()?;
    }
    Ok(status(report.complete))
}
