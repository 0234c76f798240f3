//! `isolde campaign merge`: the results checked, and written as a table.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use crate::build::{Campaign, Checked, Completion, Recheck};
use crate::cli::limits::{Limits, status};
use crate::cli::output::{self, fact, grouped};
use crate::cli::{Failure, Status, table};
use crate::table::EXTENSION;

/// Check all results of a campaign, and write the table
///
/// The table is the one that `isolde table build` writes on one machine, byte for byte. Whatever
/// follows from other results is derived again. Of what does not, a sample is solved again, or with
/// `--recheck all` everything. If a result is false, its job is named, and nothing is written.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder of the campaign
    folder: PathBuf,
    /// The table to write [default: BOARD-opening.isolde]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the table if it exists
    #[arg(long)]
    force: bool,
    /// How many statements of jobs are solved again, or `all`, which takes about as long as the
    /// campaign
    #[arg(long, value_name = "N", default_value = "16", value_parser = recheck)]
    recheck: Wanted,
    /// Another number chooses other results
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Write the answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: Limits,
}

const EXAMPLES: &str = "\
Examples:
  isolde campaign merge 8x8 --output 8x8-opening.isolde
  isolde campaign merge 8x8 --recheck all

Exit codes: 0 written, 1 jobs are open or a result is false, 2 bad input, 3 not finished within --time,
130 interrupted.";

/// How many results are to be solved again; `None` for all of them.
#[derive(Clone, Copy)]
struct Wanted(Option<usize>);

fn recheck(text: &str) -> Result<Wanted, String> {
    match text {
        "all" => Ok(Wanted(None)),
        _ => text.parse().map(|leaves| Wanted(Some(leaves))).map_err(|_| "write a number, or all".to_string()),
    }
}

#[derive(Serialize)]
struct Report {
    table: PathBuf,
    entries: usize,
    /// Statements of jobs that do not follow from other results.
    leaves: usize,
    /// How many of them were solved again.
    solved: usize,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let campaign = Campaign::open(&args.folder)?;
    let size = campaign.plan().size;
    let target = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{size}-opening.{EXTENSION}")));
    let recheck = match args.recheck.0 {
        Some(leaves) => Recheck::Sample { leaves, seed: args.seed },
        None => Recheck::All,
    };
    let (settings, control) = (args.limits.settings(size)?, args.limits.control());
    let (completion, checked) =
        table::told_progress(&control, |progress| campaign.merge(&target, args.force, recheck, settings, &control, progress))?;
    let Completion::Finished { table } = completion else {
        output::warning("not finished: nothing was written");
        return Ok(status(false));
    };
    let Checked { entries, leaves, solved } = checked;
    if args.json {
        output::json(&Report { table, entries, leaves, solved })?;
        return Ok(Status::Answered);
    }
    let status = table::tell(&table, false)?;
    let mut out = output::answer();
    let [entries, leaves, solved] = [entries, leaves, solved].map(|count| grouped(count as u64));
    let agree = format!("{entries} positions agree with those that follow them");
    fact(&mut out, "checked", &format!("{agree}; {solved} of {leaves} statements below them solved again"))?;
    out.flush()?;
    Ok(status)
}
