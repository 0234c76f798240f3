//! `isolde verify`: strategies and laws that people believe in, checked.

mod check;
mod lagged;
mod mirror;
mod parity;

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::folders::{Folders, warn_of};
use super::limits::{Limits, MostPositions};
use super::{Failure, Status};
use crate::analysis::Analyst;
use crate::board::{Board, Size};
use crate::cells::Word;
use crate::position::Position;
use crate::solve::Control;
use crate::symmetry::{Symmetries, Symmetry};
use crate::table::Shelf;
use crate::verify::MIRRORS;
use check::Checker;

/// Verify strategies and laws: mirrors, following, the colour law
///
/// A strategy that people believe in is checked twice: by its argument, every step of which is computed, and by playing it against everything that the opponent can do. Where it
/// breaks, a shortest line of play shows it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true, disable_help_subcommand = true)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  isolde verify mirror 6x6 --by center                   does answering with the image win, and for whom?
  isolde verify mirror \"7x7: d4 b3 f5\"                   is this position decided by a mirror?
  isolde verify lagged 7x7 --first c2 --second d4        the same, one move behind
  isolde verify parity 5x7                               does the player to move win when both stand on one colour?";

#[derive(clap::Subcommand)]
enum Verb {
    Mirror(mirror::Args),
    Lagged(lagged::Args),
    Parity(parity::Args),
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    match &args.verb {
        Verb::Mirror(args) => mirror::run(args),
        Verb::Lagged(args) => lagged::run(args),
        Verb::Parity(args) => parity::run(args),
    }
}

/// What all of them share.
#[derive(clap::Args)]
struct Common {
    /// Write the answer as data
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folders: Folders,
    #[command(flatten)]
    limits: Limits,
}

/// How long true outcomes are looked for unless --time says otherwise.
const TIME_FOR_OUTCOMES: Duration = Duration::from_secs(10);

/// What `--time` means where a strategy is checked.
const TIME_HELP: &str = "Stop after this time, such as 90s or 10m [default: none for the check, 10s for true outcomes]";

impl Common {
    fn analyst<W: Word>(&self, size: Size) -> Result<Analyst<W>, Failure> {
        let shelf = Shelf::open(size, &self.folders.list()?);
        warn_of(shelf.take_faults());
        Ok(Analyst::new(size, self.limits.settings::<W>(size)?, shelf)?)
    }

    fn checker<'a, W: Word>(
        &self,
        analyst: &'a Analyst<W>,
        positions: &MostPositions,
        control: &'a Arc<Control>,
    ) -> Result<Checker<'a, W>, Failure> {
        let settings = self.limits.settings::<W>(analyst.solver().board().size())?;
        Ok(Checker {
            analyst,
            most_positions: positions.or_as_many_as_fit::<W>(settings),
            control,
            time_for_outcomes: Cell::new(self.limits.time_or(TIME_FOR_OUTCOMES)),
        })
    }
}

/// Reads the name of a mirror; the fault lists them all, and the nearest.
fn mirror_name() -> impl TypedValueParser<Value = Symmetry> {
    let named = |name: String| MIRRORS.into_iter().find(|mirror| mirror.name() == name).ok_or("no mirror has this name");
    PossibleValuesParser::new(MIRRORS.map(Symmetry::name)).try_map(named)
}

/// The mirrors of a board that move its cells in different ways; on a single cell there is nothing to move, and the half turn stands for all.
fn mirrors_of(size: Size) -> Vec<Symmetry> {
    let distinct: Vec<Symmetry> =
        Symmetries::new(&Board::<u128>::new(size)).iter().filter(|symmetry| MIRRORS.contains(symmetry)).collect();
    if distinct.is_empty() { vec![Symmetry::Center] } else { distinct }
}

/// A fault if the game is over: then there is nothing left to answer.
fn check_that_it_goes_on<W: Word>(position: &Position<W>) -> Result<(), Failure> {
    match position.winner() {
        Some(winner) => {
            Err(Failure::Input(format!("the game is over, {winner} has won: name a position in which there is a move left")))
        }
        None => Ok(()),
    }
}

/// A fault, unless a board of this size has the mirror.
fn check_that_it_fits(size: Size, mirror: Symmetry) -> Result<(), Failure> {
    let has: Vec<&str> = mirrors_of(size).into_iter().map(Symmetry::name).collect();
    let why = match mirror {
        _ if has.contains(&mirror.name()) => return Ok(()),
        _ if !mirror.fits(size) => "reflection in a diagonal exchanges files and ranks, so that the board must be a square",
        // The half turn stands for every mirror that does the same.
        _ => "on a line it leaves every cell where it is, or does the same as center",
    };
    Err(Failure::Input(format!("{size} has no {mirror}: {why}; it has {}", has.join(", "))))
}
