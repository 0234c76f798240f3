//! `isolde table verify`: is every byte what was written, and is every entry true?

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;

use crate::board::Board;
use crate::cells::Word;
use crate::cli::limits::{Limits, status};
use crate::cli::output::{self, grouped, styled};
use crate::cli::progress::watched;
use crate::cli::{Failure, Status, with_word_for};
use crate::duel::Duel;
use crate::notation::cell_name;
use crate::position::Setup;
use crate::solve::{Solver, mirror};
use crate::symmetry::Symmetries;
use crate::table::{Flaw, Kind, Proven, Table, Verdict, Verified, Verifier, size_of_table};

/// Check a table: every byte, the order, and every entry against the positions that follow it
///
/// The checksums say whether the file is what was written. Whether that is true is found out anew: the outcome of each position is derived from those of its
/// successors. In an opening table, positions at the lower end of the winner's strategy are proven by the solver.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The table
    file: PathBuf,
    /// A quick look: only so many entries, spread over the table, instead of all
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Write the answer as data
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: Limits,
}

const EXAMPLES: &str = "\
Examples:
  isolde table verify tables/5x5-strong.isolde
  isolde table verify tables/7x7-opening.isolde --sample 1000

Exit codes: 0 all is well, 1 the table is damaged or false, 2 bad input, 3 not finished within the limits, 130 interrupted.";

#[derive(Serialize)]
struct Report {
    file: PathBuf,
    /// `true`, `flawed`, or `unknown` when a limit ran out.
    verdict: &'static str,
    /// What is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    flaw: Option<String>,
    /// Entries that were derived from their successors.
    entries: u64,
    /// Of how many.
    positions: u64,
    /// Successors that were proven by the solver.
    proven: u64,
    seconds: f64,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    with_word_for!(size_of_table(&args.file)?, verify(args))
}

fn verify<W: Word>(args: &Args) -> Result<Status, Failure> {
    let started = Instant::now();
    let table = Table::<W>::open(&args.file)?;
    let size = table.board().size();
    let solver = Solver::<W>::new(size, args.limits.settings::<W>(size)?)?;
    let control = args.limits.control();
    let wanted = args.sample.unwrap_or(table.len()).min(table.len());
    let verdict = watched(
        (wanted as usize, "entries"),
        &control,
        || solver.filling(),
        |bar| {
            let symmetries = Symmetries::new(table.board());
            let verifier = Verifier {
                mirror: &|duel| mirror(&symmetries, duel).is_some(),
                prove: &|duel| solver.value(duel, &control).ok(),
                derived: &|entries| {
                    bar.inc(entries);
                    !control.is_stopped()
                },
            };
            solver.install(|| match args.sample {
                Some(entries) => verifier.sample(&table, entries),
                None => verifier.verify(&table),
            })
        },
    );
    let (verified, flaw) = match &verdict {
        Ok(verified) => (*verified, None),
        Err(Verdict::Stopped) => (Verified::default(), None),
        Err(Verdict::Flawed(flaw)) => (Verified::default(), Some(sentence(table.board(), flaw))),
    };
    let report = Report {
        file: args.file.clone(),
        verdict: match (&verdict, &flaw) {
            (Ok(_), _) => "true",
            (_, Some(_)) => "flawed",
            _ => "unknown",
        },
        flaw,
        entries: verified.entries,
        positions: table.len(),
        proven: verified.proven,
        seconds: started.elapsed().as_secs_f64(),
    };
    (if args.json { output::json(&report) } else { write_text(&report, args.sample.is_some(), table.kind()) })?;
    Ok(if report.flaw.is_some() { Status::Failed } else { status(verdict.is_ok()) })
}

/// A flaw in words.
fn sentence<W: Word>(board: &Board<W>, flaw: &Flaw<W>) -> String {
    let position = |duel: &Duel<W>| Setup::of_duel(board, *duel);
    match flaw {
        Flaw::Fault(fault) => fault.to_string(),
        Flaw::Count { expected, found } => format!("it should have {expected} entries, but has {found}: build it anew"),
        Flaw::Summary => "its metadata do not fit its entries: build it anew".to_string(),
        Flaw::Order(duel) => format!("the entry {} is out of order: build it anew", position(duel)),
        Flaw::NotCanonical(duel) => format!("the entry {} is not canonical and cannot be found: build it anew", position(duel)),
        Flaw::NoOpening(duel) => format!("the opening {} is missing: build it anew", position(duel)),
        Flaw::Missing(duel, to) => {
            let to = cell_name(board.size(), *to);
            format!("from {} the move {to} leads to a position that is missing: build it anew", position(duel))
        }
        Flaw::Untrue(duel, proven) => {
            let says = match proven {
                Proven::Outcome(outcome) => outcome.to_string(),
                Proven::Lost => "loss".to_string(),
                Proven::Won(to) => format!("win by {}", cell_name(board.size(), *to)),
            };
            format!("the entry {} says {says}, and that is false: build it anew", position(duel))
        }
    }
}

fn write_text(report: &Report, sample: bool, kind: Kind) -> std::io::Result<()> {
    let mut out = output::answer();
    let verdict = match (report.verdict, &report.flaw) {
        (_, Some(flaw)) => flaw.clone(),
        ("true", _) if sample => "no flaw found in the sample".to_string(),
        ("true", _) => "every byte and every entry is right".to_string(),
        _ => "not finished within the limits; no flaw found so far".to_string(),
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
