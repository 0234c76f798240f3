//! `isolde query`: a position, its outcome, and every move with its outcome.

mod batch;
mod desk;
mod text;

pub(super) use text::write_moves;

use std::time::Duration;

use super::folders::Folders;
use super::limits::{Limits, status, stopped_by_ctrl_c};
use super::{Failure, Status, output};
use crate::notation;
use crate::solve::{Control, Question};
use desk::Desk;

/// Look up or solve a position: every move with its outcome
///
/// Who wins, in how many plies when the winner hurries and the loser delays, every legal move with its own outcome, the best first, the line that is expected,
/// and where each value comes from: a table, a mirror, separated regions, what is known of the moves, or solved now. What no table has is solved on the spot, for
/// at most 10s a position unless --time says otherwise; what that leaves open is `unknown`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("time", |time| time.help("Stop after this time, for each position, and say what is proven until then [default: 10s]")))]
pub(super) struct Args {
    /// A board, a line of play or a position
    #[arg(required_unless_present = "batch")]
    position: Option<String>,
    /// Read positions from standard input and answer line by line: position, winner, plies and best move, with tabs between them
    #[arg(long, conflicts_with = "position")]
    batch: bool,
    /// Only who wins: no plies are searched, but those of tables are told
    #[arg(long)]
    winner: bool,
    /// Write the answer as data
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folders: Folders,
    #[command(flatten)]
    limits: Limits,
}

const EXAMPLES: &str = "\
Examples:
  isolde query 5x5                             every first placement
  isolde query \"7x7: d4\" --winner              every reply to d4, and who wins by it
  isolde query \"7x7: d4 b3 f5\" --time 1m       every move, with a minute to count plies
  isolde query \"5/5/2N2/2n2/5 w\" --json        a position, as data
  isolde query --batch --json < positions.txt  one answer for each line

Exit codes: 0 the winner is proven, 2 bad input, 3 unknown within the limits, 130 interrupted.";

/// How long a position may take unless --time says otherwise.
const TIME: Duration = Duration::from_secs(10);

impl Args {
    fn question(&self) -> Question {
        if self.winner { Question::Winner } else { Question::Distance }
    }
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let folders = args.folders.list()?;
    let Some(position) = &args.position else {
        return batch::run(args, folders);
    };
    let setup = notation::parse(position)?;
    let mut desk = Desk::new(args, folders);
    let control = stopped_by_ctrl_c(Control::with_time(Some(args.limits.time_or(TIME))));
    let analysis = desk.analyse(setup, &control)?;
    (if args.json { output::json(&analysis) } else { text::write(&analysis, args.question()) })?;
    Ok(status(analysis.finding.is_some()))
}
