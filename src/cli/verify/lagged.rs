//! `isolde verify lagged`: does following one move behind win?

use std::io::{self, Write};

use serde::Serialize;

use super::check::{Check, OutcomeRow, RuleVerdict, Start, in_words, write_argument};
use super::{Common, TIME_HELP, check_that_it_fits, check_that_it_goes_on, mirror_name};
use crate::cli::limits::{MostPositions, status};
use crate::cli::output::{self, fact, write_headline};
use crate::cli::{Failure, Status};
use crate::game::board::Size;
use crate::game::notation::{self, Line, Written};
use crate::game::position::Position;
use crate::game::symmetry::Symmetry;
use crate::solve::Opening;
use crate::strategies::{LaggedArgument, Rule, RuleKind};

/// Does following one move behind win for the second player?
///
/// After both placements, the second player always moves to the image of the cell that the first
/// player has just left.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("time", |time| time.help(TIME_HELP)))]
pub(super) struct Args {
    /// The board, such as 7x7
    board: String,
    /// Where the first player places
    #[arg(long, value_name = "CELL")]
    first: String,
    /// Where the second player places
    #[arg(long, value_name = "CELL")]
    second: String,
    /// The mirror whose images are used
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
  isolde verify lagged 6x6 --first c2 --second e3        breaks: no cell of 6x6 is its own image

Exit codes: 0 it wins, 1 it breaks, 2 bad input, 3 unknown within the limits, 130 interrupted.";

#[derive(Serialize)]
struct Report {
    board: String,
    line: String,
    mirror: &'static str,
    verdict: RuleVerdict,
    argument: Vec<String>,
    check: Check,
    /// The true outcome of the opening. `None` if it was not found within the limits.
    outcome: Option<OutcomeRow>,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let size: Size = args.board.parse()?;
    check_that_it_fits(size, args.by)?;
    let place = |position: &Position, option: &str, cell: &str| {
        notation::parse_move(position, cell).map_err(|fault| Failure::Input(format!("{option}: {fault}")))
    };
    let empty = Position::empty(size);
    let first = place(&empty, "--first", &args.first)?;
    let placed = empty.play_unchecked(first);
    let second = place(&placed, "--second", &args.second)?;
    let start = Start::new(&Written::Line(Line::new(size))).after(first).after(second);
    check_that_it_goes_on(&start.position)?;
    let analyst = args.common.analyst_beside_checks(size)?;
    let control = args.common.limits.control();
    let rule = Rule::new(RuleKind::Lagged, args.by, size);
    let checker = args.common.checker(&analyst, &args.positions, &control)?;
    let check = checker.report(&start, checker.exhaust(&rule, &start));
    let argument = LaggedArgument::new(size, args.by, Opening { first, second });
    let contradiction = argument.second_wins() && check.verdict == RuleVerdict::Breaks;
    assert!(!contradiction, "the argument proves that the rule wins, but the check found that it breaks: one of them is wrong");
    let report = Report {
        board: size.to_string(),
        line: start.line(&[]),
        mirror: args.by.name(),
        verdict: if argument.second_wins() { RuleVerdict::Wins } else { check.verdict },
        argument: argument.sentences(),
        outcome: checker.outcome(&start.position),
        check,
    };
    (if args.common.json { output::json(&report) } else { write_text(&report) })?;
    Ok(match report.verdict {
        RuleVerdict::Wins => Status::Answered,
        RuleVerdict::Breaks => Status::Failed,
        RuleVerdict::Unknown => status(false),
    })
}

fn write_text(report: &Report) -> io::Result<()> {
    let mut out = output::answer();
    let verdict = match report.verdict {
        RuleVerdict::Wins => "the second player wins by following one move behind",
        RuleVerdict::Breaks => "following one move behind does not win",
        RuleVerdict::Unknown => "not decided within the limits",
    };
    write_headline(&mut out, &report.line, &format!("{verdict} ({})", report.mirror))?;
    write_argument(&mut out, &report.argument)?;
    report.check.write(&mut out)?;
    fact(&mut out, "solver", &format!("{}, {}", report.line, in_words(report.outcome.as_ref())))?;
    out.flush()
}
