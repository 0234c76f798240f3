//! `isolde table export`: a table as text.

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;

use crate::cli::{Failure, Status, output};
use crate::game::notation::cell_name;
use crate::game::outcome::Value;
use crate::table::{AnyTable, Entry, Error};

/// Write every entry of a table as CSV or as JSON lines
///
/// One line for each position, in the order of the table: the position with the mover as `N`,
/// whether the mover wins, in how many plies (strong tables), and the winning move (opening
/// tables).
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The table
    file: PathBuf,
    /// The format of the lines
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  isolde table export tables/4x4-strong.isolde > 4x4.csv
  isolde table export tables/7x7-opening.isolde --format jsonl | head";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A heading, then values separated by commas
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
    let table = AnyTable::open(&args.file)?;
    let mut out = output::answer();
    if args.format == Format::Csv {
        writeln!(out, "position,value,plies,move")?;
    }
    for entry in table.entries() {
        let (position, entry) = entry.map_err(|fault| Error::Fault { path: args.file.clone(), fault })?;
        let row = Row {
            position: position.to_string(),
            value: if entry.value() == Value::Win { "win" } else { "loss" },
            plies: entry.plies(),
            to: match entry {
                Entry::Won(to) => Some(cell_name(table.size(), to)),
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
