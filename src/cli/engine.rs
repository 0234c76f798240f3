//! `isolde engine`: standard input and output around the library's UCI engine.

use std::io::{self, BufRead, Write};
use std::iter::from_fn;
use std::num::NonZero;
use std::sync::Arc;

use super::{Failure, Status, folders, output, picture};
use crate::engine::{self, EngineError, Options, Said};
use crate::game::board::Size;
use crate::play::{Agent, Chooser, Means};
use crate::solve::{Settings, SolverError};
use crate::table::Tables;

/// Speak the UCI protocol, for match runners and analysis programs
///
/// Reads commands from standard input and answers on standard output, until `quit` or the end of
/// input.
///
/// The variants are joust (8x8, knights on d4 and e5) and joust with a board, such as joust7x7, on
/// which both players place first. A placement is written as its cell. A move is written as in
/// joust, with the wall that it leaves: d4e6,e6d4.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {}

const EXAMPLES: &str = "\
Examples:
  isolde engine                        then type: position startpos, go movetime 500, quit

Commands: uci, isready, ucinewgame, setoption, position, go, ponderhit, stop, quit.
d draws the board, and go perft N counts lines of play.";

pub(super) fn run(_: &Args) -> Result<Status, Failure> {
    match engine::run(from_fn(line), Arc::new(player), Arc::new(say)) {
        Ok(()) => Ok(Status::Answered),
        Err(EngineError::Output(fault)) => Err(Failure::Output(fault)),
        Err(fault) => Err(Failure::Files(fault.to_string())),
    }
}

/// The next line of standard input. A line that is not UTF-8 is a wrong command like any other. A
/// read error ends the input.
fn line() -> Option<String> {
    let mut line = Vec::new();
    let read = io::stdin().lock().read_until(b'\n', &mut line).ok().filter(|&length| length > 0);
    read.map(|_| String::from_utf8_lossy(&line).into_owned())
}

/// Prints at once, while holding the lock of standard output.
fn say(said: Said<'_>) -> io::Result<()> {
    match said {
        Said::Line(line) => {
            let mut out = io::stdout().lock();
            writeln!(out, "{line}")?;
            out.flush()
        }
        Said::Drawing(position) => {
            let mut out = output::answer();
            picture::draw(&mut out, position)?;
            writeln!(out, "\nFen: {}", position.setup())?;
            out.flush()
        }
    }
}

/// The player for a board.
fn player(size: Size, options: &Options) -> Result<Box<dyn Chooser>, SolverError> {
    let threads = NonZero::new(options.threads).unwrap_or(NonZero::<usize>::MIN);
    let settings = Settings { threads, memory: options.hash << 20 };
    let folders = folders::named_or_default(&options.tables);
    let means = Means { settings, tables: Tables::open(size, &folders), wants_line: true };
    Agent::Best.chooser(&means, 0)
}
