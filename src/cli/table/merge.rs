//! `isolde table merge`: several tables of one board as one.

use std::path::PathBuf;

use super::{finish, info, told_progress};
use crate::build::merge;
use crate::cli::interruption::interruptible;
use crate::cli::{Failure, Status};
use crate::solve::Control;

/// Write several tables of one board and kind as one table
///
/// For example, opening tables of a large board that were built for one opening each. Where two
/// tables have the same position, they must agree about it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The tables
    #[arg(required = true, num_args = 2..)]
    files: Vec<PathBuf>,
    /// The table to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Replace the table if it exists
    #[arg(long)]
    force: bool,
    /// Write a description of the table as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde table merge d4.isolde c3.isolde --output 8x8-opening.isolde";

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let control = interruptible(Control::unlimited());
    let completion = told_progress(&control, |progress| merge(&args.files, &args.output, args.force, &control, progress))?;
    finish(completion, |table| info::tell(table, args.json))
}
