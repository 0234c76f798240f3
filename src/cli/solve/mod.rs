//! `isolde solve`: who wins, proven.

mod board;
mod duel;
mod weak;

use super::limits::Limits;
use super::{Failure, Status, with_word_for};
use crate::cells::Word;
use crate::notation;
use crate::position::{Position, Setup};
use crate::solve::Question;

/// Prove who wins a board, an opening or a position
///
/// A board: every opening (all ordered pairs of placements, one of each symmetry class computed), and from them who wins when both
/// place as they like. A position or a line of play, with both knights placed: who wins, by which move, and the line that is expected.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A board, a line of play or a position
    position: String,
    /// Only the openings that begin with this placement
    #[arg(long, value_name = "CELL", conflicts_with = "opening")]
    first: Option<String>,
    /// Only this opening: both placements, such as "d4 b3"
    #[arg(long, value_name = "CELLS")]
    opening: Option<String>,
    /// Only who wins the board: one proven reply to each placement, or a mirror
    #[arg(long, conflicts_with_all = ["opening", "distance"])]
    weak: bool,
    /// Also in how many plies, when the winner hurries and the loser delays
    #[arg(long)]
    distance: bool,
    /// Write the answer as data
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: Limits,
}

const EXAMPLES: &str = "\
Examples:
  isolde solve 5x5                          every opening of 5x5
  isolde solve 7x7 --first d4               all replies to d4
  isolde solve 7x7 --opening \"d4 b3\"        one opening, with the winning move
  isolde solve \"7x7: d4 b3 f5\" --distance   a position, with the number of plies
  isolde solve 8x8 --weak                   who wins 8x8, and why
  isolde solve 7x8 --time 1m --json         what can be proven in a minute, as data

Exit codes: 0 answered, 2 bad input, 3 not all proven within the limits, 130 interrupted.";

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let setup = notation::parse(&args.position)?;
    with_word_for!(setup.size, solve(args, setup))
}

fn solve<W: Word>(args: &Args, setup: Setup) -> Result<Status, Failure> {
    let start = Position::<W>::new(setup).map_err(notation::Error::from)?;
    let position = placed(args, start)?;
    if args.weak {
        return weak::run(args, &position);
    }
    match position.duel() {
        Some(duel) => duel::run(args, &position, duel),
        None => board::run(args, &position),
    }
}

/// The position after the placements that the options name.
fn placed<W: Word>(args: &Args, start: Position<W>) -> Result<Position<W>, Failure> {
    let (option, cells) = match (&args.first, &args.opening) {
        (Some(first), _) => ("--first", first),
        (_, Some(opening)) => ("--opening", opening),
        _ => return Ok(start),
    };
    let needed = if args.first.is_some() { 1 } else { 2 };
    let found = cells.split_whitespace().count();
    if found != needed {
        return Err(Failure::Input(format!("{option} takes {needed} of the board's cells, and `{cells}` are {found}")));
    }
    if start.knight(start.turn()).is_some() || start.knight(!start.turn()).is_some() {
        return Err(Failure::Input(format!("{option} goes with a board on which no knight is placed yet")));
    }
    let place = |position: Position<W>, text| {
        let to = notation::parse_move(&position, text).map_err(|fault| Failure::Input(format!("{option}: {fault}")))?;
        Ok(position.play_unchecked(to))
    };
    cells.split_whitespace().try_fold(start, place)
}

impl Args {
    fn question(&self) -> Question {
        if self.distance { Question::Distance } else { Question::Winner }
    }
}
