//! `isolde table verify`: is every byte what was written, and is every entry true?

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use super::files::{Named, ended, worst};
use crate::build::Verification;
use crate::cli::limits::{Limits, status};
use crate::cli::output::{self, grouped, plural, styled};
use crate::cli::progress::watched;
use crate::cli::{Failure, Status};
use crate::solve::Control;
use crate::table::{AnyTable, Kind, Unverified, size_of_table};

/// Check a table: every byte, the order, and every entry against the positions that follow it
///
/// The checksums show whether the file is what was written. To show that it is true, the outcome of
/// each position is derived again from the outcomes of the positions that follow it. In an opening
/// table, the solver proves the positions at the lower end of the winner's strategy. Finally the
/// entries are written again, and compared with the file byte for byte. `isolde certify
/// --from-table` proves an opening table without trust in the solver.
///
/// Three things are not checked: the texts that say which program and command made the table;
/// whether there are entries that no opening leads to; and whether an opening table has the same
/// winning move that a new build would have chosen.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The tables, and folders with tables. Several get one line each
    #[arg(required = true, value_name = "PATH")]
    files: Vec<PathBuf>,
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
  isolde table verify tables                   all tables of a folder

Exit codes: 0 the table is right, 1 it is damaged or false, 2 bad input, 3 not finished within the limits,
130 interrupted; of several tables, the worst.";

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

/// Several tables.
#[derive(Serialize)]
struct Several {
    tables: Vec<Report>,
    /// The number of tables with each verdict.
    right: usize,
    flawed: usize,
    unknown: usize,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let named = Named::new(&args.files)?;
    let control = args.limits.control();
    match &named.files[..] {
        [file] if !named.several => {
            let (report, kind, status) = verify(file, args, &control)?;
            (if args.json { output::json(&report) } else { write_text(&report, args.sample.is_some(), kind) })?;
            Ok(status)
        }
        files => verify_several(files, args, &control),
    }
}

/// Verifies one table.
fn verify(file: &Path, args: &Args, control: &Control) -> Result<(Report, Kind, Status), Failure> {
    let started = Instant::now();
    let settings = args.limits.settings(size_of_table(file)?)?;
    let verification = Verification::open(file, settings)?;
    let positions = verification.entries();
    let wanted = args.sample.unwrap_or(positions).min(positions);
    let result = watched(
        (wanted as usize, "entries"),
        control,
        || verification.filling(),
        |bar| verification.run(args.sample, control, &|progress| bar.set_position(progress.done)),
    );
    let verified = result.as_ref().copied().unwrap_or_default();
    let (verdict, flaw, ended) = match &result {
        Ok(_) => ("true", None, Status::Answered),
        Err(Unverified::Flawed(flaw)) => ("flawed", Some(flaw.to_string()), Status::Failed),
        Err(_) => ("unknown", None, status(false)),
    };
    let report = Report {
        file: file.to_path_buf(),
        verdict,
        flaw,
        entries: verified.entries,
        positions,
        proven: verified.proven,
        seconds: started.elapsed().as_secs_f64(),
    };
    Ok((report, verification.kind(), ended))
}

/// Verifies tables one after the other. Each is reported as soon as its verdict is known.
fn verify_several(files: &[PathBuf], args: &Args, control: &Control) -> Result<Status, Failure> {
    let (mut tables, mut ends) = (Vec::new(), Vec::new());
    for file in files {
        let (report, end) = match AnyTable::open(file) {
            Ok(_) => verify(file, args, control).map(|(report, _, end)| (report, end))?,
            Err(fault) => (Report::unreadable(file, fault.reason()), ended(&fault)),
        };
        if !args.json {
            let mut out = output::answer();
            writeln!(out, "{}: {}", file.display(), styled(output::STRONG, verdict(&report, args.sample.is_some())))?;
            out.flush()?;
        }
        tables.push(report);
        ends.push(end);
    }
    let count = |verdict: &str| tables.iter().filter(|report| report.verdict == verdict).count();
    let (right, flawed, unknown) = (count("true"), count("flawed"), count("unknown"));
    if args.json {
        output::json(&Several { tables, right, flawed, unknown })?;
    } else {
        let mut out = output::answer();
        let counts = [(right, "right"), (flawed, "damaged or false"), (unknown, "not finished")];
        let counts: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        writeln!(out)?;
        output::fact(&mut out, "total", &format!("{} {}: {}", files.len(), plural(files.len(), "table"), counts.join(", ")))?;
        out.flush()?;
    }
    Ok(worst(ends.into_iter()))
}

impl Report {
    /// The report on a file that is no table, or cannot be read.
    fn unreadable(file: &Path, flaw: String) -> Self {
        let (file, flaw) = (file.to_path_buf(), Some(flaw));
        Self { file, verdict: "flawed", flaw, entries: 0, positions: 0, proven: 0, seconds: 0.0 }
    }
}

fn verdict(report: &Report, sample: bool) -> &str {
    match (report.verdict, &report.flaw) {
        (_, Some(flaw)) => flaw,
        ("true", _) if sample => "no flaw found in the sample",
        ("true", _) => "every byte and every entry is right",
        _ => "not finished within the limits; no flaw found so far",
    }
}

fn write_text(report: &Report, sample: bool, kind: Kind) -> std::io::Result<()> {
    let mut out = output::answer();
    writeln!(out, "{}: {}\n", report.file.display(), styled(output::STRONG, verdict(report, sample)))?;
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
