//! `isolde play`: a game in the terminal.

mod command;
mod game;

use std::path::PathBuf;

use super::folders::Folders;
use super::limits::Machine;
use super::move_limits::MoveLimits;
use super::{Failure, Status, agents};
use crate::game::notation::Line;
use crate::game::position::Player;
use crate::play::Agent;

/// Play against an agent, or watch two of them
///
/// The board is drawn after each move. Type a cell to move or place there, or one of: hint (what
/// `best` would play), values (the true value of every move), undo (take back your last move),
/// quit.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A board, or a line of play to continue, such as 7x7 or `7x7: d4 b3`
    start: String,
    /// Your side: first or second
    #[arg(long = "as", value_name = "PLAYER", default_value = "first", conflicts_with = "watch")]
    seat: Player,
    /// Your opponent; `isolde agents` lists them
    #[arg(long, value_name = "AGENT", default_value = "best", conflicts_with = "watch", value_parser = agents::agent)]
    against: Agent,
    /// Watch two agents play each other: two names with a comma between, the first player's name
    /// first
    #[arg(long, value_name = "AGENTS", value_delimiter = ',', num_args = 1, value_parser = agents::agent)]
    watch: Vec<Agent>,
    /// Save the record of the game to a file; `isolde show` reads it
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Seed for agents that choose at random between equal moves
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    move_limits: MoveLimits,
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
    game::play(args, line)
}
