//! `isolde verify`: checks strategies and laws that people believe in.

mod check;
mod lagged;
mod mirror;
mod parity;

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::folders::Folders;
use super::limits::{Limits, MostPositions};
use super::{Failure, Status};
use crate::analysis::Analyst;
use crate::game::board::Size;
use crate::game::position::Position;
use crate::game::symmetry::Symmetry;
use crate::solve::{Control, Settings};
use crate::strategies::{MIRRORS, NoMirror, mirror_named, mirrors_of};
use check::Checker;

/// Verify strategies and laws: mirrors, following, the colour law
///
/// A strategy is checked in two ways: by its argument, every step of which is computed, and by
/// playing it against every defence. Where it breaks, a shortest line of play shows it.
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
  isolde verify lagged 7x7 --first c2 --second d4        does following one move behind win?
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

/// The options that all subcommands share.
#[derive(clap::Args)]
struct Common {
    /// Write the answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folders: Folders,
    #[command(flatten)]
    limits: Limits,
}

/// How long true outcomes are searched for unless `--time` is given.
const TIME_FOR_OUTCOMES: Duration = Duration::from_secs(10);

/// The help text of `--time` where a strategy is checked.
const TIME_HELP: &str = "Stop after this time, such as 90s or 10m [default: none for the check, 10s for true outcomes]";

impl Common {
    fn analyst(&self, size: Size) -> Result<Analyst, Failure> {
        Ok(Analyst::new(self.limits.settings(size)?, &self.folders.tables(size)?)?)
    }

    /// An analyst with half of the memory: the other half is for the positions of a check.
    fn analyst_beside_checks(&self, size: Size) -> Result<Analyst, Failure> {
        let settings = self.limits.settings(size)?;
        let memory = (settings.memory / 2).max(Settings::least_memory(size, settings.threads));
        Ok(Analyst::new(Settings { memory, ..settings }, &self.folders.tables(size)?)?)
    }

    fn checker<'a>(
        &self,
        analyst: &'a Analyst,
        positions: &MostPositions,
        control: &'a Arc<Control>,
    ) -> Result<Checker<'a>, Failure> {
        let settings = self.limits.settings(analyst.size())?;
        Ok(Checker {
            analyst,
            most_positions: positions.or_as_many_as_fit(settings, analyst.size()),
            control,
            time_for_outcomes: Cell::new(self.limits.time_or(TIME_FOR_OUTCOMES)),
        })
    }
}

/// Reads the name of a mirror. The error message lists all names and suggests the nearest.
fn mirror_name() -> impl TypedValueParser<Value = Symmetry> {
    PossibleValuesParser::new(MIRRORS.map(Symmetry::name)).try_map(|name| mirror_named(&name))
}

/// Fails if the game is over: then there is nothing left to answer.
fn check_that_it_goes_on(position: &Position) -> Result<(), Failure> {
    match position.winner() {
        Some(winner) => {
            Err(Failure::Input(format!("the game is over, {winner} has won: give a position in which the mover can move")))
        }
        None => Ok(()),
    }
}

/// Fails unless a board of this size has the mirror.
fn check_that_it_fits(size: Size, mirror: Symmetry) -> Result<(), Failure> {
    if mirrors_of(size).contains(&mirror) { Ok(()) } else { Err(Failure::Input(NoMirror { size, mirror }.to_string())) }
}
