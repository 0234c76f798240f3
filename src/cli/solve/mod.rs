//! `isolde solve`: who wins, proven.

mod board;
mod duel;
mod weak;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::limits::Limits;
use super::placements::Placements;
use super::{Failure, Status, folders, output, with_word_for};
use crate::board::Size;
use crate::cells::{Cells, Word};
use crate::notation::{self, cell_name};
use crate::outcome::Value;
use crate::position::{Player, Position, Setup};
use crate::solve::{Answer, Question, Settings, Solver, Stopped};
use crate::table::Shelf;

/// Prove who wins a board, an opening or a position
///
/// A board: every opening (all ordered pairs of placements, one of each symmetry class computed), and from them who wins when both
/// place as they like. A position or a line of play, with both knights placed: who wins, by which move, and the line that is expected.
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
    let setup = notation::parse(&args.position)?;
    with_word_for!(setup.size, solve(args, setup))
}

fn solve<W: Word>(args: &Args, setup: Setup) -> Result<Status, Failure> {
    let start = Position::<W>::new(setup).map_err(notation::Error::from)?;
    let position = args.placements.after(start)?;
    if position.winner().is_some() {
        return duel::over(args, &position);
    }
    match position.duel() {
        Some(_) if args.weak => {
            Err(Failure::Input("--weak goes with a board on which the second player has not placed yet".into()))
        }
        Some(duel) => duel::run(args, &position, duel),
        None if args.weak => weak::run(args, &position),
        None => board::run(args, &position),
    }
}

impl Args {
    /// The solver for boards of this size, with the tables that were named.
    fn solver<W: Word>(&self, size: Size, settings: Settings) -> Result<Solver<W>, Failure> {
        let solver = Solver::new(size, settings)?;
        if self.tables.is_empty() {
            return Ok(solver);
        }
        folders::check(&self.tables)?;
        let shelf = Shelf::open(size, &self.tables);
        folders::warn_of(shelf.take_faults());
        Ok(solver.with_source(Arc::new(shelf)))
    }

    fn question(&self) -> Question {
        if self.distance { Question::Distance } else { Question::Winner }
    }

    /// Whether all that was asked is in the answer.
    fn is_complete(&self, answer: Result<Answer, Stopped>) -> bool {
        answer.is_ok_and(|answer| answer.plies.is_some() || !self.distance)
    }
}

/// Who wins, as far as that is known.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Winner(Option<Player>);

impl Winner {
    /// The winner when it is `mover`'s turn.
    fn when_moves(mover: Player, answer: Result<Answer, Stopped>) -> Self {
        Self(answer.ok().map(|answer| if answer.value == Value::Win { mover } else { !mover }))
    }
}

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

/// The cells that are free before any placement, and the first placements in question.
fn placements<W: Word>(position: &Position<W>) -> (Cells<W>, Cells<W>) {
    match position.knight(Player::First) {
        Some(first) => (position.free().with(first), Cells::only(first)),
        None => (position.free(), position.free()),
    }
}

/// What an answer about placements is about: the board, or the board and a placement, or a position with blocked cells.
fn subject<W: Word>(position: &Position<W>) -> String {
    let size = position.size();
    match (placements(position).0 == position.board().cells(), position.knight(Player::First)) {
        (false, _) => position.setup().to_string(),
        (true, Some(first)) => format!("{size}, {} placed", cell_name(size, first)),
        (true, None) => size.to_string(),
    }
}

/// The position that placements start from, if it is not the empty board.
fn unusual_start<W: Word>(position: &Position<W>) -> Option<String> {
    (position.free() != position.board().cells()).then(|| position.setup().to_string())
}

/// The verdict about placements in a sentence.
fn verdict(winner: Winner, first_placed: bool) -> String {
    let sentence = match (winner.0, first_placed) {
        (None, _) => "not proven within the limits",
        (Some(Player::Second), true) => "the second player wins: it has a reply that wins",
        (Some(Player::First), true) => "the first player wins: no reply wins for the second",
        (Some(Player::Second), false) => "the second player wins: every placement has a reply that wins",
        (Some(Player::First), false) => "the first player wins: some placement has no reply that wins",
    };
    sentence.to_string()
}

/// Seconds that an opening with 49 free cells takes one thread, and by how much each further cell prolongs that: both as measured
/// (docs/search-notes.md).
const SECONDS_FOR_49_CELLS: f64 = 0.025;
const GROWTH_A_CELL: f64 = 1.45;

/// How long so many openings will take, if that is long.
pub(super) fn expected_if_long(openings: usize, free: usize, threads: usize) -> Option<String> {
    let seconds = SECONDS_FOR_49_CELLS * GROWTH_A_CELL.powi(free as i32 - 49) * openings as f64 / threads as f64;
    (seconds >= 300.0).then(|| output::roughly(seconds))
}

/// Large boards are tried all the same, but nobody should wait without knowing for how long.
pub(super) fn warn_if_long(subject: &str, openings: usize, free: usize, threads: usize) {
    let Some(expected) = expected_if_long(openings, free, threads) else {
        return;
    };
    let work = match openings {
        1 => "this".to_string(),
        many => format!("{} classes of openings", output::grouped(many as u64)),
    };
    output::warning(&format!(
        "{subject}: {work} may take {expected}; --time sets a limit, Ctrl-C tells what is proven until then"
    ));
}
