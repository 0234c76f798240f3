//! `isolde table info`: what a table covers, and how it was made.

use std::io::Write;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use serde::Serialize;

use crate::board::Board;
use crate::cells::Word;
use crate::cli::output::{self, fact, grouped, styled};
use crate::cli::{Failure, Status, with_word_for};
use crate::notation::cell_name;
use crate::table::{Coverage, Error, Kind, Table, size_of_table};

/// What a table covers, how it was made, how large it is
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The table
    file: PathBuf,
    /// Write the answer as data
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde table info tables/5x5-strong.isolde
  isolde table info tables/7x7-opening.isolde --json";

/// What is told of a table.
#[derive(Serialize)]
struct Report {
    file: PathBuf,
    board: String,
    kind: Kind,
    /// The openings it covers; none: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    openings: Option<Vec<[String; 2]>>,
    /// Classes of openings that it covers.
    opening_classes: usize,
    /// Of an opening table: positions of the strategies with more live cells than this are there.
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
    with_word_for!(size_of_table(&args.file)?, tell(&args.file, args.json))
}

/// Says what a table is.
pub(super) fn tell<W: Word>(file: &Path, json: bool) -> Result<Status, Failure> {
    let report = report(&Table::<W>::open(file)?)?;
    (if json { output::json(&report) } else { write_text(&report) })?;
    Ok(Status::Answered)
}

/// What there is to tell of an open table.
fn report<W: Word>(table: &Table<W>) -> Result<Report, Error> {
    let metadata = table.metadata().map_err(|fault| Error::Fault { path: table.path().to_path_buf(), fault })?;
    let board = table.board();
    let classes = metadata.coverage.duels(board);
    Ok(Report {
        file: table.path().to_path_buf(),
        board: board.size().to_string(),
        kind: table.kind(),
        openings: openings(board, &metadata.coverage),
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

fn openings<W: Word>(board: &Board<W>, coverage: &Coverage) -> Option<Vec<[String; 2]>> {
    let name = |cell| cell_name(board.size(), cell);
    match coverage {
        Coverage::All => None,
        Coverage::Openings(_) => Some(coverage.duels(board).iter().map(|duel| [name(duel.mover), name(duel.other)]).collect()),
    }
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
