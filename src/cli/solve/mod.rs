//! `isolde solve`: who wins, proven.

mod board;
mod estimate;
mod weak;

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use super::asked::Asked;
use super::folders::Folders;
use super::limits::{Limits, status};
use super::live::{self, Shown};
use super::openings::{OpeningRow, Winner, csv, warn_if_long};
use super::output::{self, grouped, plural};
use super::placements::Placements;
use super::{Failure, Status};
use crate::analysis::{Analysis, Analyst, Checkpoint, Request};
use crate::game::board::Size;
use crate::game::notation::{Written, cell_name};
use crate::game::position::{Player, Position};
use crate::game::symmetry::Symmetry;
use crate::solve::{Known, Question, Settings, StrategyLogError};

/// Prove who wins a board, an opening or a position
///
/// A board: every opening (all ordered pairs of placements, one of each symmetry class computed),
/// and from them who wins when both place as they like. Placements that are images of each other
/// share a line. A position or a line of play, with both knights placed: who wins, by which move,
/// and the expected line, in the shape of `isolde query`, which judges every move.
///
/// Proven results are taken from tables where there are any; `--no-tables` proves everything again.
/// With `--resume FILE`, every result is saved as soon as it is proven: stopped by Ctrl-C or `kill
/// -9`, the same command goes on. The file serves all questions about its board.
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
    /// Save what is proven in this file, and begin with what it holds: the same command goes on
    /// where it was stopped
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    resume: Option<PathBuf>,
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
  isolde solve 7x8 --estimate               how long all openings of 7x8 would take
  isolde solve 5x5 --distance --csv         every opening with its winner and plies
  isolde solve 7x8 --time 1m --json         what can be proven in a minute, as data
  isolde solve 7x8 --resume 7x8.proven      the same command goes on, however it was stopped

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
    let analyst = args.analyst(position.size(), settings)?;
    let request = match args.distance {
        true => Request { plies: Some(Duration::MAX), line: Duration::MAX, ..Request::winner() },
        false => Request::winner(),
    };
    let control = args.limits.control();
    if analyst.at_hand(position).is_none() {
        warn_if_long(position, args.question(), 1, settings.threads.get());
    }
    let analysis = live::analyse(&analyst, asked, request, &control, Shown::fitting(args.json || args.csv));
    match args.csv {
        true => csv(&[opening_row(&analysis)])?,
        false => live::write(asked, &analysis, request, args.json)?,
    }
    args.folders.tell_about(analyst.tables(), analysis.seconds);
    tell_about_checkpoint(&analyst);
    Ok(status(analysis.known.as_ref().is_some_and(|known| args.is_complete(known))))
}

/// The opening that was analysed.
fn opening_row(analysis: &Analysis) -> OpeningRow {
    let setup = &analysis.position;
    let [first, second] = setup.knights.map(|knight| knight.map(|cell| cell_name(setup.size, cell)).unwrap_or_default());
    OpeningRow { first, second, winner: Winner(analysis.winner()), plies: analysis.plies() }
}

impl Args {
    /// The analyst for a board, with the tables and the checkpoint that were asked for.
    fn analyst(&self, size: Size, settings: Settings) -> Result<Analyst, Failure> {
        let analyst = Analyst::new(settings, &self.folders.tables(size)?)?;
        let Some(file) = &self.resume else { return Ok(analyst) };
        analyst.with_checkpoint(file).map_err(|fault| {
            let file = file.display();
            let input = |found: String| Failure::Input(format!("--resume {file}: {found}"));
            match fault {
                StrategyLogError::NotALog { .. } => {
                    input("this is not a file that --resume has written; name another one, or a new one".to_string())
                }
                StrategyLogError::OtherBoard { files, ranks, .. } => {
                    input(format!("this file is about {files}x{ranks}, not {size}; name another one, or a new one"))
                }
                StrategyLogError::InUse { .. } => {
                    Failure::Files(format!("--resume {file}: another process is using this file; wait for it, or name another"))
                }
                fault => Failure::Files(fault.to_string()),
            }
        })
    }

    fn question(&self) -> Question {
        if self.distance { Question::Distance } else { Question::Winner }
    }

    /// Whether all that was asked for is known.
    fn is_complete(&self, known: &Known) -> bool {
        known.count.is_some() || !self.distance
    }
}

/// Where the work was resumed from.
#[derive(Serialize)]
struct Resumed {
    file: String,
    /// How many results earlier runs have left there.
    results: usize,
}

impl From<&Checkpoint> for Resumed {
    fn from(checkpoint: &Checkpoint) -> Self {
        Self { file: checkpoint.path.display().to_string(), results: checkpoint.results }
    }
}

impl fmt::Display for Resumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, results } = self;
        write!(f, "from {file}, with {} {} of earlier runs", grouped(*results as u64), plural(*results, "result"))
    }
}

/// Whether all results could be saved.
fn tell_about_checkpoint(analyst: &Analyst) {
    if let Some(fault) = analyst.checkpoint().and_then(Checkpoint::fault) {
        output::warning(&format!("not everything that was proven is saved: {fault}"));
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
