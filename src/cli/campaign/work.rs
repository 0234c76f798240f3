//! `isolde campaign work`: does jobs.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use crate::build::{BadFile, Campaign, Which, Worked};
use crate::cli::interruption::interruptible;
use crate::cli::limits::time;
use crate::cli::output::{self, grouped, hint};
use crate::cli::{Failure, Status};
use crate::solve::Control;

/// Do jobs, and write their results
///
/// Each job takes one thread, and the memory and at most the nodes of the plan. A job that has a
/// result is not done again.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(clap::ArgGroup::new("which").required(true)))]
#[command(override_usage = "isolde campaign work [OPTIONS] <FOLDER> <JOB|--index <N>|--next>")]
pub(super) struct Args {
    /// The folder of the campaign
    folder: PathBuf,
    /// The jobs, by name
    #[arg(value_name = "JOB", group = "which")]
    jobs: Vec<String>,
    /// The job in this line of the list that `isolde campaign jobs --wave` has kept, counted from 1
    #[arg(long, value_name = "N", group = "which")]
    index: Option<usize>,
    /// The first open job that no other process of this machine is doing; while they do all of
    /// them, this one waits
    #[arg(long, group = "which")]
    next: bool,
    /// Set the results of these jobs aside first, with all results that rest on them
    #[arg(long, requires = "jobs")]
    again: bool,
    /// Split a job that takes longer than this, such as 1h. Only a backstop: the nodes of the plan
    /// make the same results everywhere
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// Write one JSON object a line
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde campaign work 9x9 w-0123456789abcdef
  isolde campaign work 9x9 --index $SLURM_ARRAY_TASK_ID
  while isolde campaign work 9x9 --next; do :; done

Exit codes: 0 done, or nothing had to be done; 1 failed; 2 bad input; 3 with --next, no job is open;
130 interrupted.";

#[derive(Default, Serialize)]
struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    job: Option<&'a str>,
    /// `answered`, `split`, `already`, `not open`, `stopped` or `complete`.
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mover_wins: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ran_out_of: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    set_aside: Vec<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let campaign = Campaign::open(&args.folder)?;
    let control = interruptible(Control::unlimited());
    let which: Vec<Which> = match args.index {
        Some(number) => vec![Which::Line(number)],
        None if args.next => vec![Which::Next],
        None => args.jobs.iter().cloned().map(Which::Named).collect(),
    };
    if args.again {
        for job in &args.jobs {
            let retracted = campaign.retract(job)?;
            hint(&format!("set aside: {}", retracted.join(" ")));
        }
    }
    let mut status = Status::Answered;
    for which in which {
        let (worked, set_aside) = campaign.work(&which, args.time, &control)?;
        super::warn_of(&set_aside);
        tell(&worked, set_aside, args.json)?;
        match worked {
            Worked::Stopped => return Ok(Status::Interrupted),
            Worked::Complete => status = Status::Unknown,
            Worked::Done { .. } | Worked::Already { .. } | Worked::NotOpen { .. } => {}
        }
    }
    Ok(status)
}

fn tell(worked: &Worked, set_aside: Vec<BadFile>, json: bool) -> Result<(), Failure> {
    let plain = |outcome| Report { outcome, ..Report::default() };
    let mut report = match worked {
        Worked::Done { job, position, mover_wins, ran_out_of, nodes, time } => Report {
            job: Some(job),
            outcome: if mover_wins.is_some() { "answered" } else { "split" },
            position: Some(position),
            mover_wins: *mover_wins,
            ran_out_of: *ran_out_of,
            nodes: Some(*nodes),
            seconds: Some(time.as_secs_f64()),
            ..plain("")
        },
        Worked::Already { job } => Report { job: Some(job), ..plain("already") },
        Worked::NotOpen { job } => Report { job: Some(job), ..plain("not open") },
        Worked::Stopped => plain("stopped"),
        Worked::Complete => plain("complete"),
    };
    report.set_aside = set_aside.into_iter().map(|file| file.path).collect();
    if json {
        return Ok(output::json(&report)?);
    }
    let sentence = match worked {
        Worked::Done { job, position, mover_wins, ran_out_of, nodes, time } => {
            let found = match mover_wins {
                Some(true) => "the player to move wins",
                Some(false) => "the player to move loses",
                None => &format!("out of {}, split into its moves", ran_out_of.unwrap_or("nodes")),
            };
            format!("{job} {position}: {found} ({} nodes in {:.1} s)", grouped(*nodes), time.as_secs_f64())
        }
        Worked::Already { job } => format!("{job}: has a result"),
        Worked::NotOpen { job } => format!("{job}: is not open"),
        Worked::Stopped => "stopped: no result was written".to_string(),
        Worked::Complete => "no job is open: the campaign is complete".to_string(),
    };
    let mut out = output::answer();
    writeln!(out, "{sentence}")?;
    Ok(out.flush()?)
}
