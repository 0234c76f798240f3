//! `isolde solve`: who wins, proven.

mod board;
mod weak;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::limits::{Limits, status};
use super::live::{self, Shown};
use super::openings::warn_if_long;
use super::placements::Placements;
use super::{Failure, Status, folders};
use crate::analysis::{Analyst, Request};
use crate::game::board::Size;
use crate::game::position::{Player, Position};
use crate::solve::{Known, Question};
use crate::table::Tables;

/// Prove who wins a board, an opening or a position
///
/// A board: every opening (all ordered pairs of placements, one of each symmetry class computed),
/// and from them who wins when both place as they like. A position or a line of play, with both
/// knights placed: who wins, by which move, and the expected line, in the shape of `isolde query`,
/// which judges every move.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A board, a line of play or a position
    position: String,
    #[command(flatten)]
    placements: Placements,
    /// Only who wins the board: one proven reply to each placement, or a mirror
    #[arg(long, conflicts_with_all = ["opening", "distance"])]
    weak: bool,
    /// Also in how many plies, when the winner hurries and the loser delays
    #[arg(long)]
    distance: bool,
    /// Write the answer as data
    #[arg(long)]
    json: bool,
    /// Use the proven results of the tables in this folder; may be given several times
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
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
    let position = args.placements.after(args.position.parse()?)?;
    match position.winner() {
        None if args.weak && position.is_duel() => {
            Err(Failure::Input("--weak goes with a board on which the second player has not placed yet".into()))
        }
        None if args.weak => weak::run(args, &position),
        None if !position.is_duel() => board::run(args, &position),
        _ => solve_position(args, &position),
    }
}

/// One position with both knights placed, or one that is over: the same answer as that of `isolde
/// query`, but only the winner is proven, and one best move.
fn solve_position(args: &Args, position: &Position) -> Result<Status, Failure> {
    let settings = args.limits.settings(position.size())?;
    let live = position.live().len();
    let analyst = Analyst::new(settings, &args.tables(position.size())?)?;
    let request = match args.distance {
        true => Request { plies: Some(Duration::MAX), line: Duration::MAX, ..Request::winner() },
        false => Request::winner(),
    };
    let control = args.limits.control();
    if analyst.at_hand(position).is_none() {
        warn_if_long(&position.setup().to_string(), 1, live, settings.threads.get());
    }
    let analysis = live::analyse(&analyst, position, request, &control, Shown::fitting(args.json));
    live::write(&analysis, request, args.json)?;
    Ok(status(analysis.known.as_ref().is_some_and(|known| args.is_complete(known))))
}

impl Args {
    /// The tables that were named.
    fn tables(&self, size: Size) -> Result<Tables, Failure> {
        folders::check(&self.tables)?;
        let tables = Tables::open(size, &self.tables);
        folders::warn_of(&tables);
        Ok(tables)
    }

    fn question(&self) -> Question {
        if self.distance { Question::Distance } else { Question::Winner }
    }

    /// Whether all that was asked for is known.
    fn is_complete(&self, known: &Known) -> bool {
        known.count.is_some() || !self.distance
    }
}

/// Who wins, as far as that is known.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Winner(Option<Player>);

impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.map_or("unknown", Player::name))
    }
}

impl Serialize for Winner {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The position that placements start from, if it is not the empty board.
fn unusual_start(position: &Position) -> Option<String> {
    (position.free() != position.board().cells()).then(|| position.setup().to_string())
}

/// The verdict about placements in a sentence.
fn verdict(winner: Winner, first_placed: bool) -> String {
    let sentence = match (winner.0, first_placed) {
        (None, _) => "not proven within the limits",
        (Some(Player::Second), true) => "the second player wins; it has a winning reply",
        (Some(Player::First), true) => "the first player wins; no reply wins for the second",
        (Some(Player::Second), false) => "the second player wins; every first placement has a winning reply",
        (Some(Player::First), false) => "the first player wins; some first placement has no winning reply",
    };
    sentence.to_string()
}
