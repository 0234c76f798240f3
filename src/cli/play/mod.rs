//! `isolde play`: a game in the terminal.

mod command;
mod start;

mod game;

use std::path::PathBuf;
use std::time::Duration;

use super::asked::Asked;
use super::folders::Folders;
use super::limits::{Machine, time};
use super::move_limits::MoveLimits;
use super::{Failure, Status, agents};
use crate::game::position::Player;
use crate::play::Agent;
use start::Start;

/// Play against an agent, or watch two of them
///
/// The board is drawn after each move. Type a cell to move or place there, or one of: hint (what
/// `best` would play), values (the true value of every move), undo (take back your last move),
/// resign, quit (leave the game unfinished).
///
/// With --save, the game is saved however it ends: by a win, by quit, by Ctrl-C or when the
/// terminal is closed. `isolde play FILE` continues it, with the same players and the same limit
/// for each move.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("position", |start| start.help(START_HELP)))]
pub(super) struct Args {
    #[command(flatten)]
    asked: Asked,
    /// The number of the game, for a file with several games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// Your side: first or second [default: first]
    #[arg(long = "as", value_name = "PLAYER", conflicts_with = "watch")]
    seat: Option<Player>,
    /// Your opponent; `isolde agents` lists them [default: best]
    #[arg(long, value_name = "AGENT", conflicts_with = "watch", value_parser = agents::agent)]
    against: Option<Agent>,
    /// Watch two agents play each other: two names with a comma between, the first player's name
    /// first
    #[arg(long, value_name = "AGENTS", value_delimiter = ',', num_args = 1, value_parser = agents::agent)]
    watch: Vec<Agent>,
    /// Between the moves of two agents, wait this long
    #[arg(long, value_name = "TIME", value_parser = time)]
    pause: Option<Duration>,
    /// Between the moves of two agents, wait for Enter
    #[arg(long, conflicts_with = "pause")]
    step: bool,
    /// Do not say who is winning, or what an agent's move rests on
    #[arg(long)]
    quiet: bool,
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

const START_HELP: &str = "A board, a line of play to continue, or a file with a saved game; needs no quotes";

const EXAMPLES: &str = "\
Examples:
  isolde play 7x7 --as second --against best --time 1s
  isolde play 7x7 --quiet                                   without being told who wins
  isolde play \"7x7: d4 b3\" --as first
  isolde play 5x5 --against AB_Improved --save game.json
  isolde play game.json --save game.json                    continue that game
  isolde play 7x7 --watch best,AB_next_moves --pause 1s     or --step, to go on with Enter

Exit codes: 0 played or quit, 1 the file could not be written, 2 bad input,
130 interrupted (the game so far is saved with --save).";

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    game::play(args, Start::new(args)?)
}
