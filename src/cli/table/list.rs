//! `isolde table list`: which tables there are, and where.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::describe::{self, write_lines, write_totals};
use crate::cli::output::{self, styled};
use crate::cli::{Failure, Status, folders};
use crate::table::{Listing, Place};

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

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    if let Some(missing) = args.paths.iter().find(|path| !path.exists()) {
        return Err(Failure::Input(format!("{}: there is no such folder or file", missing.display())));
    }
    let listing = Listing::of(&folders::places(&args.paths))?;
    (if args.json { output::json(&listing) } else { write_text(&listing) })?;
    Ok(describe::status(listing.places.iter().flat_map(|place| &place.tables)))
}

fn write_text(listing: &Listing) -> std::io::Result<()> {
    let mut out = output::answer();
    for Place { place, fault, tables } in &listing.places {
        let fault = fault.as_ref().map(|fault| format!(": {fault}")).unwrap_or_default();
        writeln!(out, "{}{fault}", styled(output::STRONG, place))?;
        write_lines(&mut out, tables, |file| format!("  {}", name(file)))?;
        writeln!(out)?;
    }
    write_totals(&mut out, &listing.totals)?;
    out.flush()
}

/// The name of a file in its place.
fn name(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str()).display().to_string();
    name.strip_suffix(" (built in)").map(str::to_string).unwrap_or(name)
}
