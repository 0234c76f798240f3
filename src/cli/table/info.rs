//! `isolde table info`: what a table covers, and how it was made.

use std::io::Write;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use serde::Serialize;

use super::describe::{self, write_lines, write_totals};
use super::files::Named;
use crate::cli::output::{self, fact, grouped, styled};
use crate::cli::{Failure, Status};
use crate::table::{AnyTable, Described, TableReport, Totals};

/// Show what a table covers, how it was made, and how large it is
///
/// Only the beginning of the file is checked; `isolde table verify` checks all of it.
///
/// Do not change a table in place: write a new file, and rename it. Large tables are mapped into
/// memory. If one is cut off while a program uses it, the system ends that program.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The tables, and folders with tables. Several get one line each
    #[arg(required = true, value_name = "PATH")]
    files: Vec<PathBuf>,
    /// Write the answer as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde table info tables/5x5-strong.isolde
  isolde table info tables/7x7-opening.isolde --json
  isolde table info tables more/*.isolde       one line for each table, and the total

Exit codes: 0 answered, 1 a table is damaged, 2 bad input; of several tables, the worst.";

/// Several tables.
#[derive(Serialize)]
struct Several {
    tables: Vec<Described>,
    #[serde(flatten)]
    totals: Totals,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let named = Named::new(&args.files)?;
    match &named.files[..] {
        [file] if !named.several => tell(file, args.json),
        files => tell_several(files, args.json),
    }
}

/// Describes a table.
pub(in crate::cli) fn tell(file: &Path, json: bool) -> Result<Status, Failure> {
    let report = TableReport::of(&AnyTable::open(file)?)?;
    (if json { output::json(&report) } else { write_text(&report) })?;
    Ok(Status::Answered)
}

/// One line for each table, and the total.
fn tell_several(files: &[PathBuf], json: bool) -> Result<Status, Failure> {
    let tables: Vec<_> = files.iter().map(|file| Described::of_file(file)).collect();
    let several = Several { totals: Totals::of(tables.iter()), tables };
    if json {
        output::json(&several)?;
    } else {
        let mut out = output::answer();
        write_lines(&mut out, &several.tables, |file| file.display().to_string())?;
        writeln!(out)?;
        write_totals(&mut out, &several.totals)?;
        out.flush()?;
    }
    Ok(describe::status(several.tables.iter()))
}

/// The most openings that are listed for a person.
const MOST_LISTED: usize = 12;

fn write_text(report: &TableReport) -> std::io::Result<()> {
    let mut out = output::answer();
    let title = format!("{} table of {}", report.kind, report.board);
    writeln!(out, "{}: {}\n", report.file.display(), styled(output::STRONG, title))?;
    let classes = format!("{} {}", grouped(report.opening_classes as u64), output::plural(report.opening_classes, "class"));
    let covers = match &report.openings {
        None => format!("all openings, in {classes}"),
        Some(openings) => {
            let more =
                if openings.len() > MOST_LISTED { format!(" and {} more", openings.len() - MOST_LISTED) } else { String::new() };
            let listed: Vec<String> = openings.iter().take(MOST_LISTED).map(|pair| pair.join(" ")).collect();
            let noun = output::plural(openings.len(), "opening");
            format!("the {noun} {}{more}, and all images", listed.join(", "))
        }
    };
    fact(&mut out, "covers", &covers)?;
    if let Some(depth) = report.depth {
        fact(&mut out, "depth", &format!("the winner's moves while more than {depth} cells are live"))?;
    }
    let counts =
        format!("{} ({} won by the mover, {} lost)", grouped(report.positions), grouped(report.won), grouped(report.lost));
    fact(&mut out, "positions", &counts)?;
    if let Some(longest) = report.longest {
        fact(&mut out, "longest", &format!("{longest} plies"))?;
    }
    let size =
        format!("{} bytes ({}), {:.2} a position", grouped(report.bytes), ByteSize(report.bytes), report.bytes_per_position);
    fact(&mut out, "size", &size)?;
    if report.mapped {
        fact(&mut out, "mapped", "while it is in use: do not change it in place, but rename a new file to its name")?;
    }
    fact(&mut out, "made by", &format!("{}: {}", report.program, report.command))?;
    out.flush()
}
