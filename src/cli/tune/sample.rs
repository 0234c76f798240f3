//! `isolde tune sample`: positions with the cost of every move.

use std::io::Write;
use std::ops::RangeInclusive;

use crate::cli::interruption::interruptible;
use crate::cli::limits::status;
use crate::cli::{Failure, Status, output};
use crate::game::board::Size;
use crate::solve::Control;
use crate::tune::Sampling;

/// Positions with the cost of every move of the hunter
///
/// Each line is a position: the board, the hunter, the prey, the free cells as a number, and each
/// move with a sign (+ wins, - loses, ? given up) and the nodes that its search took. All
/// processors are used; the positions do not depend on how many there are.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// The board, such as 8x8
    board: String,
    /// The numbers of free cells, from the least to the greatest
    #[arg(long, value_name = "FROM..TO", value_parser = range)]
    free: RangeInclusive<usize>,
    /// How many games lead to a search; each search gives up to 16 positions for each number of
    /// free cells, and those that are decided almost at once, or not won, are left out
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// The same seed gives the same positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Give a search up after this many nodes, and a move
    #[arg(long, value_name = "N", default_value_t = 3_000_000)]
    nodes: u64,
}

const EXAMPLES: &str = "\
Examples:
  isolde tune sample 8x8 --free 32..50 --games 500 > 8x8.costs
  isolde tune sample 9x9 --free 50..56 --seed 2";

/// The games between two looks at the clock. Only all examples of so many games are written: an
/// interrupted file is the beginning of the full one.
const TOGETHER: u64 = 50;

fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let wrong = || "name the least and the greatest number, such as 37..46".to_string();
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let range = from.parse().map_err(|_| wrong())?..=to.parse().map_err(|_| wrong())?;
    if range.is_empty() { Err(wrong()) } else { Ok(range) }
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let size: Size = args.board.parse()?;
    let control = interruptible(Control::unlimited());
    let mut out = output::answer();
    for first in (0..args.games).step_by(TOGETHER as usize) {
        let games = first..args.games.min(first + TOGETHER);
        let sampling = Sampling { size, free: args.free.clone(), games, seed: args.seed, nodes: args.nodes };
        let Ok(examples) = sampling.run(&control) else { return Ok(status(false)) };
        for example in examples {
            writeln!(out, "{example}")?;
        }
        out.flush()?;
    }
    Ok(Status::Answered)
}
