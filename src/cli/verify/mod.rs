//! `isolde verify`: strategies and laws that people believe in, checked.

mod check;
mod lagged;
mod mirror;
mod parity;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::folders::{Folders, warn_of};
use super::limits::Limits;
use super::{Failure, Status};
use crate::analysis::{Analysis, Analyst};
use crate::board::Size;
use crate::cells::Word;
use crate::position::Position;
use crate::solve::{Control, Question};
use crate::symmetry::Symmetry;
use crate::table::Shelf;
use crate::verify::MIRRORS;

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

/// What all checks of a strategy share.
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

/// How long the true outcome of a position is looked for unless --time says otherwise.
const TIME_FOR_OUTCOME: Duration = Duration::from_secs(10);

/// With this many live cells or fewer, plies are counted: that takes no time that anybody would notice.
const MOST_LIVE_TO_COUNT: usize = 26;

impl Common {
    fn analyst<W: Word>(&self, size: Size) -> Result<Analyst<W>, Failure> {
        let (folders, settings): (Vec<PathBuf>, _) = (self.folders.list()?, self.limits.settings::<W>(size)?);
        let shelf = Shelf::open(size, &folders);
        warn_of(shelf.take_faults());
        Ok(Analyst::new(size, settings, shelf)?)
    }

    /// The true outcome of a position, as far as it is found in the time.
    fn truth<W: Word>(&self, analyst: &Analyst<W>, position: &Position<W>, control: &Arc<Control>) -> Analysis {
        let part = Arc::new(control.part(Some(self.limits.time_or(TIME_FOR_OUTCOME))));
        let few = position.duel().is_some_and(|duel| duel.live(position.board()).len() <= MOST_LIVE_TO_COUNT);
        analyst.analyse(position, if few { Question::Distance } else { Question::Winner }, &part)
    }
}

/// Reads the name of a mirror; the fault lists them all, and the nearest.
fn mirror_name() -> impl TypedValueParser<Value = Symmetry> {
    let named = |name: String| MIRRORS.into_iter().find(|mirror| mirror.name() == name).unwrap_or(Symmetry::Identity);
    PossibleValuesParser::new(MIRRORS.map(Symmetry::name)).map(named)
}

/// The mirror, if a board of this size has it.
fn fitting(size: Size, mirror: Symmetry) -> Result<Symmetry, Failure> {
    let on_line = |side: usize| side == 1 && size.cells() > 1;
    let does_nothing =
        (mirror == Symmetry::Vertical && on_line(size.files())) || (mirror == Symmetry::Horizontal && on_line(size.ranks()));
    if !mirror.fits(size) {
        let why = "reflection in a diagonal exchanges files and ranks, so that the board must be a square";
        return Err(Failure::Input(format!("{size} has no {mirror}: {why}; it has center, vertical and horizontal")));
    }
    if does_nothing {
        return Err(Failure::Input(format!("on {size} {mirror} leaves every cell where it is: try --by center")));
    }
    Ok(mirror)
}
