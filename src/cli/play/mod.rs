//! `isolde play`: a game in the terminal.

mod command;
mod table;

use std::path::PathBuf;

use super::folders::Folders;
use super::limits::Machine;
use super::thinking::Thinking;
use super::{Failure, Status, with_word_for};
use crate::notation::Line;
use crate::play::Agent;
use crate::position::Player;
use table::sit_down;

/// Play against an agent, or watch two of them
///
/// The board is drawn after each move. Type a cell to move or to place there, or: hint (what `best` would play), values (the true value of every move), undo (take back your last move), quit.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The board, or a line of play to go on from, such as 7x7 or `7x7: d4 b3`
    start: String,
    /// Which player you are: first or second
    #[arg(long = "as", value_name = "PLAYER", default_value = "first", conflicts_with = "watch")]
    seat: Player,
    /// Whom you play
    #[arg(long, value_name = "AGENT", default_value = "best", conflicts_with = "watch")]
    against: Agent,
    /// Watch these two agents play each other, the first player's name first, with a comma between
    #[arg(long, value_name = "AGENTS", value_delimiter = ',', num_args = 1)]
    watch: Vec<Agent>,
    /// Save the record of the game in a file; `isolde show` reads it
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// What chance depends on
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    thinking: Thinking,
    #[command(flatten)]
    machine: Machine,
    #[command(flatten)]
    folders: Folders,
}

const EXAMPLES: &str = "\
Examples:
  isolde play 7x7 --as second --against best --time 1s
  isolde play 5x5 --against AB_Improved --save game.json
  isolde play \"7x7: d4 b3\" --as first
  isolde play 7x7 --watch best,AB_next_moves --time 150ms";

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let line: Line = args.start.parse()?;
    if !args.watch.is_empty() && args.watch.len() != 2 {
        return Err(Failure::Input("--watch takes two agents with a comma between, such as best,AB_Improved".to_string()));
    }
    with_word_for!(line.size(), sit_down(args, line))
}
