//! `isolde table merge`: several tables of one board as one.

use std::path::PathBuf;

use super::info;
use crate::cells::Word;
use crate::cli::{Failure, Status, with_word_for};
use crate::table::{Error, MergeError, Merged, Plan, Table, Work, size_of_table, write};

/// Put several tables of one board and kind together
///
/// Such as opening tables of a large board that were built for one opening each. Where two tables have the same position they must agree.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The tables
    #[arg(required = true, num_args = 2..)]
    files: Vec<PathBuf>,
    /// The table to be written
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Replace the table if it exists
    #[arg(long)]
    force: bool,
    /// Write what was made as data
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde table merge d4.isolde c3.isolde --output 8x8-opening.isolde";

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    with_word_for!(size_of_table(&args.files[0])?, merge(args))
}

fn merge<W: Word>(args: &Args) -> Result<Status, Failure> {
    let size = size_of_table(&args.files[0])?;
    for file in &args.files[1..] {
        let other = size_of_table(file)?;
        if other != size {
            let (first, file) = (args.files[0].display(), file.display());
            return Err(Failure::Input(format!(
                "only tables of one board can be merged: {first} is of {size}, but {file} of {other}"
            )));
        }
    }
    let tables = args.files.iter().map(|file| Table::<W>::open(file)).collect::<Result<Vec<_>, _>>()?;
    let (coverage, depth) = Merged::coverage(&tables)?;
    check(&tables)?;
    let names: Vec<String> = args.files.iter().map(|file| file.display().to_string()).collect();
    let work = Work::begin(&args.output, args.force, &format!("isolde table merge {}", names.join(" ")))?;
    let commands = tables.iter().map(|table| table.metadata().map(|metadata| metadata.command));
    let commands: Vec<String> =
        commands.collect::<Result<_, _>>().map_err(|fault| Error::Fault { path: args.files[0].clone(), fault })?;
    let plan =
        Plan { size, kind: tables[0].kind(), depth, command: format!("{}; isolde table merge", commands.join("; ")), coverage };
    // Faults have been looked for: none of these is passed over.
    let entries = || {
        let mut merged = Merged::new(&tables).ok();
        std::iter::from_fn(move || merged.as_mut()?.next_entry().ok()?)
    };
    let (finished, beside) = (work.file("table"), work.file("directory"));
    write(&plan, entries, &finished, &beside, &|| true)?;
    work.publish(&finished)?;
    info::tell::<W>(&args.output, args.json)
}

/// Goes through all entries once: if the tables disagree or one is damaged, nothing is written.
fn check<W: Word>(tables: &[Table<W>]) -> Result<(), Failure> {
    let mut merged = Merged::new(tables)?;
    while merged.next_entry()?.is_some() {}
    Ok(())
}

impl From<MergeError> for Failure {
    fn from(fault: MergeError) -> Self {
        match fault {
            MergeError::Different { .. } => Self::Input(fault.to_string()),
            MergeError::Conflict { .. } | MergeError::Fault { .. } => Self::Files(fault.to_string()),
        }
    }
}
