//! `isolde table list`: which tables there are, and where.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::describe::{Described, Report, Totals, write_lines};
use crate::cli::output::{self, styled};
use crate::cli::{Failure, Status, folders};
use crate::table::{AnyTable, Location};

/// List the tables that are found, and where
///
/// Looks in the same places as the other commands, in the same order. Of each table only the
/// beginning is checked; `isolde table verify` checks all of it.
///
/// If several places have tables of a board, strong tables are asked first, and tables of one kind
/// in the order of this list.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Folders and tables to list [default: the places that ISOLDE_TABLES names, or else tables/
    /// here and isolde/tables in your data folder; then the built-in tables]
    paths: Vec<PathBuf>,
    /// Write the answer as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde table list
  isolde table list ~/tables big.isolde

Exit codes: 0 all tables can be used, 1 one cannot, 2 bad input.";

/// The tables in one place.
#[derive(Serialize)]
struct Place {
    place: String,
    /// Why there are no tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    tables: Vec<Described>,
}

#[derive(Serialize)]
struct Answer {
    places: Vec<Place>,
    #[serde(flatten)]
    totals: Totals,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    if let Some(missing) = args.paths.iter().find(|path| !path.exists()) {
        return Err(Failure::Input(format!("{}: there is no such folder or file", missing.display())));
    }
    let places = folders::places(&args.paths).iter().map(place).collect::<Result<Vec<_>, _>>()?;
    let totals = Totals::of(places.iter().flat_map(|place| &place.tables));
    let answer = Answer { places, totals };
    (if args.json { output::json(&answer) } else { write_text(&answer) })?;
    Ok(answer.totals.status)
}

fn place(location: &Location) -> Result<Place, Failure> {
    let (place, described) = match location {
        Location::BuiltIn => ("built in".to_string(), built_in()?),
        Location::Path(path) if path.exists() => {
            let files = location.files()?;
            (path.display().to_string(), files.iter().map(|file| Described::of_file(file)).collect())
        }
        Location::Path(path) => {
            let fault = Some("there is no such folder".to_string());
            return Ok(Place { place: path.display().to_string(), fault, tables: Vec::new() });
        }
    };
    let fault = described.is_empty().then(|| "no tables".to_string());
    Ok(Place { place, fault, tables: described })
}

fn built_in() -> Result<Vec<Described>, Failure> {
    Ok(AnyTable::built_in()?.iter().map(|table| Described::of(table.path(), Report::of(table))).collect())
}

fn write_text(answer: &Answer) -> std::io::Result<()> {
    let mut out = output::answer();
    for Place { place, fault, tables } in &answer.places {
        let fault = fault.as_ref().map(|fault| format!(": {fault}")).unwrap_or_default();
        writeln!(out, "{}{fault}", styled(output::STRONG, place))?;
        write_lines(&mut out, tables, |file| format!("  {}", name(file)))?;
        writeln!(out)?;
    }
    answer.totals.write(&mut out)?;
    out.flush()
}

/// The name of a file in its place.
fn name(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str()).display().to_string();
    name.strip_suffix(" (built in)").map(str::to_string).unwrap_or(name)
}
