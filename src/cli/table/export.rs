//! `isolde table export`: a table as text.

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;

use crate::cells::Word;
use crate::cli::{Failure, Status, output, with_word_for};
use crate::notation::cell_name;
use crate::outcome::Value;
use crate::position::Setup;
use crate::table::{Error, Proven, Table, size_of_table};

/// Write every entry of a table as CSV or as JSON lines
///
/// One line for each position, in the table's order: the position with the mover as `N`, whether the mover wins, in how many plies (strong tables), and
/// the winning move (opening tables).
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The table
    file: PathBuf,
    /// How lines are written
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  isolde table export tables/4x4-strong.isolde > 4x4.csv
  isolde table export tables/7x7-opening.isolde --format jsonl | head";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A heading, then values between commas
    Csv,
    /// One JSON object a line
    Jsonl,
}

#[derive(Serialize)]
struct Row {
    position: String,
    value: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<usize>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    to: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    with_word_for!(size_of_table(&args.file)?, export(args))
}

fn export<W: Word>(args: &Args) -> Result<Status, Failure> {
    let table = Table::<W>::open(&args.file)?;
    let mut out = output::answer();
    if args.format == Format::Csv {
        writeln!(out, "position,value,plies,move")?;
    }
    for entry in table.entries() {
        let (duel, proven) = entry.map_err(|fault| Error::Fault { path: args.file.clone(), fault })?;
        let row = Row {
            position: Setup::of_duel(table.board(), duel).to_string(),
            value: if proven.value() == Value::Win { "win" } else { "loss" },
            plies: proven.plies(),
            to: match proven {
                Proven::Won(to) => Some(cell_name(table.board().size(), to)),
                _ => None,
            },
        };
        match args.format {
            Format::Csv => {
                let plies = row.plies.map(|plies| plies.to_string()).unwrap_or_default();
                writeln!(out, "{},{},{plies},{}", row.position, row.value, row.to.unwrap_or_default())?;
            }
            Format::Jsonl => {
                serde_json::to_writer(&mut out, &row).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
        }
    }
    out.flush()?;
    Ok(Status::Answered)
}
