//! `isolde query`: a position, its outcome, and every move with its outcome.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod session;

mod batch;

use std::time::Duration;

use super::asked::Asked;
use super::folders::Folders;
use super::interruption::interruptible;
use super::limits::{Limits, status};
use super::live::{self, Shown};
use super::{Failure, Status};
use crate::analysis::{Analysis, Questions, Request};
use crate::solve::Control;
use session::Session;

/// Look up or solve a position: every move with its outcome
///
/// Who wins, in how many plies when the winner hurries and the loser delays, every legal move with
/// its own outcome, the best first, the expected line, and where each value comes from: a table, a
/// mirror, separated regions, a walk that cannot be disturbed, what is known of the moves, or
/// solved now. On a terminal the answer appears at once and gets better in place.
///
/// Plies count from the position. While a placement is still to be made, they count after both
/// placements.
///
/// A position that no table has is solved on the spot, for at most 10s unless --time or --distance
/// says otherwise; what that leaves open is `unknown`. Where the answer is not shown in place,
/// plies are counted for at most 1s of that.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("time", |time| time.help(TIME_HELP)))]
#[command(mut_arg("position", |asked| asked.required(false).required_unless_present("batch")))]
pub(super) struct Args {
    #[command(flatten)]
    asked: Asked,
    /// Read positions from standard input and answer line by line: position, winner, plies and best
    /// move, with tabs between them; the answer to a blank line or a comment is empty
    #[arg(long, conflicts_with = "position")]
    batch: bool,
    /// Only who wins: no plies are counted, but those that tables have are shown
    #[arg(long)]
    winner: bool,
    /// Count plies to the end, however long that takes, unless --time sets a limit
    #[arg(long, conflicts_with = "winner")]
    distance: bool,
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
  isolde query 7x7: d4 --winner                every reply to d4, and who wins by it
  isolde query \"7x7: d4 b3 f5\" --time 1m       every move, with a minute to count plies
  isolde query \"5/5/2N2/2n2/5 w\" --json        a position, as data
  isolde query --batch --json < positions.txt  one answer for each line

Exit codes: 0 the winner is proven, 2 bad input, 3 unknown within the limits, 130 interrupted.";

const TIME_HELP: &str = "Stop after this time, for each position, and say what is proven by then [default: 10s]";

/// How long a position may take, and how long its plies may be counted where nobody watches the
/// answer, unless --time or --distance says otherwise.
const TIME: Duration = Duration::from_secs(10);
const TIME_FOR_PLIES: Duration = Duration::from_secs(1);

impl Args {
    fn request(&self, shown: Shown) -> Request {
        let plies = match (self.winner, shown) {
            (true, _) => None,
            (false, Shown::Answer) => Some(Duration::MAX),
            (false, Shown::Progress) if self.distance || self.limits.has_time() => Some(Duration::MAX),
            (false, Shown::Progress) => Some(TIME_FOR_PLIES),
        };
        Request { plies, ..Request::winners() }
    }

    fn time(&self) -> Option<Duration> {
        if self.distance && !self.limits.has_time() { None } else { Some(self.limits.time_or(TIME)) }
    }

    /// Whether all that was asked for is in the answer.
    fn is_answered(&self, analysis: &Analysis) -> bool {
        analysis.known.is_some() && (analysis.plies().is_some() || !self.distance)
    }
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let folders = args.folders.list()?;
    if !args.asked.is_given() {
        return batch::run(args, folders);
    }
    let asked = args.asked.written()?;
    let shown = Shown::fitting(args.json);
    let request = args.request(shown);
    let control = interruptible(Control::with_time(args.time()));
    let analysis = Session::new(args, folders, Questions::One).analyse(&asked, request, &control, shown)?;
    live::write(&asked, &analysis, request, args.json)?;
    Ok(status(args.is_answered(&analysis)))
}
