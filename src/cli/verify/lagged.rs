//! `isolde verify lagged`: does following one move behind win?

use std::io::{self, Write};

use serde::Serialize;

use super::check::{Check, Checker, Start, Truth, write_argument};
use super::{Common, fitting, mirror_name};
use crate::board::Size;
use crate::cells::Word;
use crate::cli::limits::{MostPositions, status};
use crate::cli::output::{self, fact, write_headline};
use crate::cli::{Failure, Status, with_word_for};
use crate::notation;
use crate::position::Position;
use crate::solve::Opening;
use crate::symmetry::Symmetry;
use crate::verify::{LaggedArgument, Rule, RuleKind};

/// Does following one move behind win for the second player?
///
/// After both placements the second player always moves to the image of the cell that the first has just left.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The board, such as 7x7
    board: String,
    /// Where the first player places
    #[arg(long, value_name = "CELL")]
    first: String,
    /// Where the second player places
    #[arg(long, value_name = "CELL")]
    second: String,
    /// The mirror
    #[arg(long, value_name = "SYMMETRY", value_parser = mirror_name(), default_value = "center")]
    by: Symmetry,
    #[command(flatten)]
    positions: MostPositions,
    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = "\
Examples:
  isolde verify lagged 7x7 --first c2 --second d4
  isolde verify lagged 5x5 --first b1 --second c3 --json
  isolde verify lagged 6x6 --first c2 --second e3        no cell of 6x6 is its own image: it breaks

Exit codes: 0 it wins, 1 it breaks, 2 bad input, 3 unknown within the limits, 130 interrupted.";

#[derive(Serialize)]
struct Report {
    board: String,
    line: String,
    mirror: &'static str,
    /// `wins`, `breaks` or `unknown`.
    verdict: &'static str,
    argument: Vec<String>,
    check: Check,
    /// The true outcome of the opening.
    outcome: Truth,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let size: Size = args.board.parse()?;
    fitting(size, args.by)?;
    with_word_for!(size, verify(args, size))
}

fn verify<W: Word>(args: &Args, size: Size) -> Result<Status, Failure> {
    let place = |position: &Position<W>, option: &str, cell: &str| {
        notation::parse_move(position, cell).map_err(|fault| Failure::Input(format!("{option}: {fault}")))
    };
    let empty = Position::<W>::empty(size);
    let first = place(&empty, "--first", &args.first)?;
    let placed = empty.play_unchecked(first);
    let second = place(&placed, "--second", &args.second)?;
    let start = Start::new(&args.board, empty).after(first).after(second);
    let analyst = args.common.analyst::<W>(size)?;
    let control = args.common.limits.control();
    let rule = Rule::new(RuleKind::Lagged, args.by, size);
    let most_positions = args.positions.or_as_many_as_fit(args.common.limits.settings::<W>(size)?);
    let checker = Checker { common: &args.common, analyst: &analyst, most_positions, control: &control };
    let check = Check::run(&checker, &rule, &start);
    let argument = LaggedArgument::new(size, args.by, Opening { first, second });
    let report = Report {
        board: size.to_string(),
        line: start.line(&[]),
        mirror: args.by.name(),
        verdict: if argument.second_wins() { "wins" } else { check.verdict },
        argument: argument.sentences(),
        outcome: Truth::of(&args.common.truth(&analyst, &start.position, &control)),
        check,
    };
    (if args.common.json { output::json(&report) } else { write_text(&report) })?;
    Ok(match report.verdict {
        "wins" => Status::Answered,
        "breaks" => Status::Failed,
        _ => status(false),
    })
}

fn write_text(report: &Report) -> io::Result<()> {
    let mut out = output::answer();
    let verdict = match report.verdict {
        "wins" => "the second player wins by following one move behind",
        "breaks" => "following one move behind is no winning strategy",
        _ => "not decided within the limits",
    };
    write_headline(&mut out, &report.line, &format!("{verdict} ({})", report.mirror))?;
    write_argument(&mut out, &report.argument)?;
    report.check.write(&mut out)?;
    fact(&mut out, "solver", &format!("{}, {}", report.line, report.outcome.words()))?;
    out.flush()
}
