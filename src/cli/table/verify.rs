//! `isolde table verify`: is every byte what was written, and is every entry true?

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;

use crate::build::Verification;
use crate::cli::limits::{Limits, status};
use crate::cli::output::{self, grouped, styled};
use crate::cli::progress::watched;
use crate::cli::{Failure, Status};
use crate::table::{Kind, Unverified, size_of_table};

/// Check a table: every byte, the order, and every entry against the positions that follow it
///
/// The checksums show whether the file is what was written. To show that it is true, the outcome of
/// each position is derived again from the outcomes of the positions that follow it. In an opening
/// table, the solver proves the positions at the lower end of the winner's strategy.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The table
    file: PathBuf,
    /// Check only this many entries, spread over the table
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Write the answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: Limits,
}

const EXAMPLES: &str = "\
Examples:
  isolde table verify tables/5x5-strong.isolde
  isolde table verify tables/7x7-opening.isolde --sample 1000

Exit codes: 0 the table is right, 1 it is damaged or false, 2 bad input, 3 not finished within the limits,
130 interrupted.";

#[derive(Serialize)]
struct Report {
    file: PathBuf,
    /// `true`, `flawed`, or `unknown` if a limit was reached.
    verdict: &'static str,
    /// What is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    flaw: Option<String>,
    /// The number of entries that were derived from the positions that follow them.
    entries: u64,
    /// The number of entries of the table.
    positions: u64,
    /// The number of following positions that the solver proved.
    proven: u64,
    seconds: f64,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let started = Instant::now();
    let settings = args.limits.settings(size_of_table(&args.file)?)?;
    let verification = Verification::open(&args.file, settings)?;
    let control = args.limits.control();
    let positions = verification.entries();
    let wanted = args.sample.unwrap_or(positions).min(positions);
    let result = watched(
        (wanted as usize, "entries"),
        &control,
        || verification.filling(),
        |bar| verification.run(args.sample, &control, &|progress| bar.set_position(progress.done)),
    );
    let verified = result.as_ref().copied().unwrap_or_default();
    let (verdict, flaw, ended) = match &result {
        Ok(_) => ("true", None, Status::Answered),
        Err(Unverified::Flawed(flaw)) => ("flawed", Some(flaw.to_string()), Status::Failed),
        Err(_) => ("unknown", None, status(false)),
    };
    let report = Report {
        file: args.file.clone(),
        verdict,
        flaw,
        entries: verified.entries,
        positions,
        proven: verified.proven,
        seconds: started.elapsed().as_secs_f64(),
    };
    (if args.json { output::json(&report) } else { write_text(&report, args.sample.is_some(), verification.kind()) })?;
    Ok(ended)
}

fn write_text(report: &Report, sample: bool, kind: Kind) -> std::io::Result<()> {
    let mut out = output::answer();
    let verdict = match (report.verdict, &report.flaw) {
        (_, Some(flaw)) => flaw,
        ("true", _) if sample => "no flaw found in the sample",
        ("true", _) => "every byte and every entry is right",
        _ => "not finished within the limits; no flaw found so far",
    };
    writeln!(out, "{}: {}\n", report.file.display(), styled(output::STRONG, verdict))?;
    if report.verdict == "true" {
        let from = match kind {
            Kind::Strong => "derived from their successors".to_string(),
            Kind::Opening => {
                format!("derived from their successors, of which {} were proven by the solver", grouped(report.proven))
            }
        };
        let entries = format!("{} of {} entries {from}", grouped(report.entries), grouped(report.positions));
        output::fact(&mut out, "verified", &entries)?;
    }
    output::fact(&mut out, "time", &format!("{:.2} s", report.seconds))?;
    out.flush()
}
