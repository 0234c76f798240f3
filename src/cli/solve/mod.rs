//! `isolde solve`: who wins, proven.

mod board;
mod estimate;
mod weak;

use std::io::{self, Write};
use std::time::Duration;

use super::asked::Asked;
use super::folders::Folders;
use super::limits::{Limits, status};
use super::live::{self, Shown};
use super::openings::{OpeningRow, Winner, csv, warn_if_long};
use super::output::plural;
use super::placements::Placements;
use super::{Failure, Status};
use crate::analysis::{Analysis, Analyst, Request};
use crate::game::notation::{Written, cell_name};
use crate::game::position::{Player, Position};
use crate::game::symmetry::Symmetry;
use crate::solve::{Known, Question};

/// Prove who wins a board, an opening or a position
///
/// A board: every opening (all ordered pairs of placements, one of each symmetry class computed),
/// and from them who wins when both place as they like. Placements that are images of each other
/// share a line. A position or a line of play, with both knights placed: who wins, by which move,
/// and the expected line, in the shape of `isolde query`, which judges every move.
///
/// Proven results are taken from tables where there are any; `--no-tables` proves everything again.
/// Plies of an opening are counted after both placements, plies of a position from that position.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    placements: Placements,
    /// Only who wins the board: one proven reply to each placement, or a mirror
    #[arg(long, conflicts_with_all = ["opening", "distance"])]
    weak: bool,
    /// Also in how many plies, when the winner hurries and the loser delays
    #[arg(long)]
    distance: bool,
    /// A line for every placement, with all replies that win
    #[arg(long, conflicts_with_all = ["weak", "json", "csv"])]
    all: bool,
    /// Only how long it would take on this machine: an estimate, in two seconds
    #[arg(long, conflicts_with_all = ["opening", "distance", "all", "csv"])]
    estimate: bool,
    /// Write the answer as data
    #[arg(long)]
    json: bool,
    /// Write every opening as CSV: first, second, winner (or unknown), plies (if counted)
    #[arg(long, conflicts_with_all = ["json", "weak"])]
    csv: bool,
    #[command(flatten)]
    folders: Folders,
    #[command(flatten)]
    limits: Limits,
}

const EXAMPLES: &str = "\
Examples:
  isolde solve 5x5                          every opening of 5x5
  isolde solve 7x7 --no-tables              the same for 7x7, without tables
  isolde solve 7x7 --first d4               all replies to d4
  isolde solve 7x7 --opening \"d4 b3\"        one opening, with the winning move
  isolde solve \"7x7: d4 b3 f5\" --distance   a position, with the number of plies
  isolde solve 8x8 --weak                   who wins 8x8, and why
  isolde solve 8x8 --estimate               how long all openings of 8x8 would take
  isolde solve 5x5 --distance --csv         every opening with its winner and plies
  isolde solve 7x8 --time 1m --json         what can be proven in a minute, as data

Exit codes: 0 answered, 2 bad input, 3 not all proven within the limits, 130 interrupted.";

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let asked = args.placements.after(args.asked.written()?)?;
    let position = asked.position();
    let is_over = position.winner().is_some();
    if position.is_duel() {
        let without = "goes with a board on which the second player has not placed yet";
        let refused = |option: &str, more: &str| Err(Failure::Input(format!("{option} {without}{more}")));
        return if args.weak && !is_over {
            refused("--weak", "")
        } else if args.estimate {
            refused("--estimate", "")
        } else if args.all {
            refused("--all", "")
        } else if args.csv && args.placements.opening.is_none() {
            refused("--csv", ", or with --opening; --json describes a position")
        } else {
            solve_position(args, &asked)
        };
    }
    if is_over && !args.csv {
        solve_position(args, &asked)
    } else if args.estimate {
        estimate::run(args, position)
    } else if args.weak {
        weak::run(args, position)
    } else {
        board::run(args, position)
    }
}

/// One position with both knights placed, or one that is over: the same answer as that of `isolde
/// query`, but only the winner is proven, and one best move.
fn solve_position(args: &Args, asked: &Written) -> Result<Status, Failure> {
    let position = asked.position();
    let settings = args.limits.settings(position.size())?;
    let analyst = Analyst::new(settings, &args.folders.tables(position.size())?)?;
    let request = match args.distance {
        true => Request { plies: Some(Duration::MAX), line: Duration::MAX, ..Request::winner() },
        false => Request::winner(),
    };
    let control = args.limits.control();
    if analyst.at_hand(position).is_none() {
        warn_if_long(position, 1, settings.threads.get());
    }
    let analysis = live::analyse(&analyst, asked, request, &control, Shown::fitting(args.json || args.csv));
    match args.csv {
        true => csv(&[opening_row(&analysis)])?,
        false => live::write(asked, &analysis, request, args.json)?,
    }
    args.folders.tell_about(analyst.tables(), analysis.seconds);
    Ok(status(analysis.known.as_ref().is_some_and(|known| args.is_complete(known))))
}

/// The opening that was analysed.
fn opening_row(analysis: &Analysis) -> OpeningRow {
    let setup = &analysis.position;
    let [first, second] = setup.knights.map(|knight| knight.map(|cell| cell_name(setup.size, cell)).unwrap_or_default());
    OpeningRow { first, second, winner: Winner(analysis.winner()), plies: analysis.plies() }
}

impl Args {
    fn question(&self) -> Question {
        if self.distance { Question::Distance } else { Question::Winner }
    }

    /// Whether all that was asked for is known.
    fn is_complete(&self, known: &Known) -> bool {
        known.count.is_some() || !self.distance
    }
}

/// The position that placements start from, if it is not the empty board.
fn unusual_start(position: &Position) -> Option<String> {
    (position.free() != position.board().cells()).then(|| position.setup().to_string())
}

/// The verdict about placements in a sentence, and why.
fn verdict(winner: Winner, plies: Option<usize>, mirror: Option<Symmetry>, first_placed: bool) -> String {
    let Some(winner) = winner.0 else {
        return "not proven within the limits".to_string();
    };
    let plies = plies.map(|plies| format!(" in {plies} {} after both placements", plural(plies, "ply"))).unwrap_or_default();
    let why = match (winner, first_placed, mirror) {
        (Player::Second, _, Some(mirror)) => format!(" by a mirror ({mirror})"),
        (Player::Second, true, None) => "; it has a winning reply".to_string(),
        (Player::First, true, _) => "; no reply wins for the second".to_string(),
        (Player::Second, false, None) => "; every first placement has a winning reply".to_string(),
        (Player::First, false, _) => "; some first placement has no winning reply".to_string(),
    };
    format!("the {winner} player wins{plies}{why}")
}

/// Explains a mirror that decides the board.
fn write_mirror(out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "The mirror keeps the board and fixes no cell, so that every placement and every move can be answered with its image:"
    )?;
    writeln!(out, "the first player is the first to run out of moves.\n")
}
