//! `isolde table info`: what a table covers, and how it was made.

use std::io::Write;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use serde::Serialize;

use crate::cli::output::{self, fact, grouped, styled};
use crate::cli::{Failure, Status};
use crate::game::notation::cell_name;
use crate::table::{AnyTable, Coverage, Error, Kind};

/// Show what a table covers, how it was made, and how large it is
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The table
    file: PathBuf,
    /// Write the answer as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde table info tables/5x5-strong.isolde
  isolde table info tables/7x7-opening.isolde --json";

/// The description of a table.
#[derive(Serialize)]
struct Report {
    file: PathBuf,
    board: String,
    kind: Kind,
    /// The openings that it covers. `None` if it covers all.
    #[serde(skip_serializing_if = "Option::is_none")]
    openings: Option<Vec<[String; 2]>>,
    /// The number of classes of openings that it covers.
    opening_classes: usize,
    /// In an opening table, the strategies contain positions with more live cells than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<usize>,
    positions: u64,
    won: u64,
    lost: u64,
    /// The longest game, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    longest: Option<u8>,
    bytes: u64,
    bytes_per_position: f64,
    program: String,
    command: String,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    tell(&args.file, args.json)
}

/// Describes a table.
pub(super) fn tell(file: &Path, json: bool) -> Result<Status, Failure> {
    let report = report(&AnyTable::open(file)?)?;
    (if json { output::json(&report) } else { write_text(&report) })?;
    Ok(Status::Answered)
}

fn report(table: &AnyTable) -> Result<Report, Error> {
    let metadata = table.metadata().map_err(|fault| Error::Fault { path: table.path().to_path_buf(), fault })?;
    let classes = table.openings(&metadata.coverage);
    let name = |cell| cell_name(table.size(), cell);
    let openings = || classes.iter().map(|opening| [name(opening.first), name(opening.second)]).collect();
    Ok(Report {
        file: table.path().to_path_buf(),
        board: table.size().to_string(),
        kind: table.kind(),
        openings: (metadata.coverage != Coverage::All).then(openings),
        opening_classes: classes.len(),
        depth: (table.kind() == Kind::Opening).then(|| table.depth()),
        positions: table.len(),
        won: metadata.won,
        lost: table.len().saturating_sub(metadata.won),
        longest: metadata.longest,
        bytes: table.file_length(),
        bytes_per_position: (1000.0 * table.file_length() as f64 / table.len().max(1) as f64).round() / 1000.0,
        program: metadata.program,
        command: metadata.command,
    })
}

/// The most openings that are listed for a person.
const MOST_LISTED: usize = 12;

fn write_text(report: &Report) -> std::io::Result<()> {
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
    fact(&mut out, "made by", &format!("{}: {}", report.program, report.command))?;
    out.flush()
}
