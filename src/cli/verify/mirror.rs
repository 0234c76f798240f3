//! `isolde verify mirror`: does answering every move with its image win, and for whom?

use std::io::{self, Write};

use serde::Serialize;

use super::check::{Check, Checker, Start, write_argument};
use super::{Common, fitting, mirror_name};
use crate::cells::{Cell, Word};
use crate::cli::limits::{MostPositions, status};
use crate::cli::output::{self, fact, styled, write_headline};
use crate::cli::{Failure, Status, with_word_for};
use crate::notation::{self, cell_name};
use crate::position::{Player, Position, Setup};
use crate::symmetry::{Symmetries, Symmetry};
use crate::verify::{Argument, Asymmetry, ByMirror, MIRRORS, Rule, RuleKind};

/// Does answering every move with its image win, and for whom?
///
/// On a board: the argument, with what follows for every board of the same shape, and the check: the second player mirrors against everything that the first can do, and
/// where cells are their own images, the first player places on one and mirrors from then on. In a position: is it decided by a mirror, and for whom, or where does the
/// symmetry break?
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A board, a line of play or a position
    position: String,
    /// The mirror [default: all that the board has]
    #[arg(long, value_name = "SYMMETRY", value_parser = mirror_name())]
    by: Option<Symmetry>,
    #[command(flatten)]
    positions: MostPositions,
    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = "\
Examples:
  isolde verify mirror 6x6 --by center           the second player wins 6x6 by the half turn
  isolde verify mirror 7x7                       all five mirrors of 7x7, and where they break
  isolde verify mirror \"7x7: d4 b3 f5\"           is this position decided by a mirror?
  isolde verify mirror 7x8 --by center --memory 4GiB       room to go through all positions of a larger board

Exit codes: 0 a mirror wins, 1 none does, 2 bad input, 3 unknown within the limits, 130 interrupted.";

#[derive(Serialize)]
struct Report {
    board: String,
    position: String,
    /// Who wins by a mirror; none if no mirror was shown to win.
    winner: Option<&'static str>,
    mirrors: Vec<Row>,
    /// A move by which the mover reaches symmetry, and wins.
    reaches: Option<Reaches>,
}

/// What was found about one mirror.
#[derive(Serialize)]
struct Row {
    mirror: &'static str,
    /// `wins`, `breaks` or `unknown`.
    verdict: &'static str,
    winner: Option<&'static str>,
    /// On a board: the argument in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    argument: Vec<String>,
    /// In a position: where the symmetry breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    breaks_at: Option<String>,
    checks: Vec<Check>,
}

#[derive(Serialize)]
struct Reaches {
    #[serde(rename = "move")]
    to: String,
    mirror: &'static str,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let setup = notation::parse(&args.position)?;
    args.by.map(|mirror| fitting(setup.size, mirror)).transpose()?;
    with_word_for!(setup.size, verify(args, setup))
}

fn verify<W: Word>(args: &Args, setup: Setup) -> Result<Status, Failure> {
    let position = Position::<W>::new(setup).map_err(notation::Error::from)?;
    let start = Start::new(&args.position, position);
    let analyst = args.common.analyst::<W>(setup.size)?;
    let control = args.common.limits.control();
    let most_positions = args.positions.or_as_many_as_fit(args.common.limits.settings::<W>(setup.size)?);
    let checker = Checker { common: &args.common, analyst: &analyst, most_positions, control: &control };
    let work = Work { checker, start: &start };
    let mirrors = args.by.map_or_else(|| mirrors_of(&start.position), |by| vec![by]);
    let mirrors: Vec<Row> = mirrors.into_iter().map(|mirror| work.row(mirror)).collect();
    let report = Report {
        board: setup.size.to_string(),
        position: setup.to_string(),
        winner: mirrors.iter().find_map(|row| row.winner),
        mirrors,
        reaches: reaches(&start.position),
    };
    (if args.common.json { output::json(&report) } else { write_text(&report, &start.position) })?;
    Ok(match report.winner {
        Some(_) => Status::Answered,
        None if report.mirrors.iter().all(|row| row.verdict == "breaks") => Status::Failed,
        None => status(false),
    })
}

/// The mirrors that move the cells of a board in different ways; on a single cell there is nothing to move, and the half turn stands for all.
fn mirrors_of<W: Word>(position: &Position<W>) -> Vec<Symmetry> {
    let distinct: Vec<Symmetry> =
        Symmetries::new(position.board()).iter().filter(|symmetry| MIRRORS.contains(symmetry)).collect();
    if distinct.is_empty() { vec![Symmetry::Center] } else { distinct }
}

fn reaches<W: Word>(position: &Position<W>) -> Option<Reaches> {
    match ByMirror::find(position.board(), &Symmetries::new(position.board()), position.duel()?)? {
        ByMirror::After(to, mirror) => Some(Reaches { to: cell_name(position.size(), to), mirror: mirror.name() }),
        ByMirror::AtOnce(_) => None,
    }
}

struct Work<'a, W> {
    checker: Checker<'a, W>,
    start: &'a Start<W>,
}

impl<W: Word> Work<'_, W> {
    fn row(&self, mirror: Symmetry) -> Row {
        let position = &self.start.position;
        let (size, free) = (position.size(), position.free());
        let whole_board = free == position.board().cells();
        let rule = Rule::new(RuleKind::Mirror, mirror, size);
        let (asymmetry, mut checks) = match position.duel() {
            Some(duel) => match Asymmetry::find(position.board(), mirror, duel) {
                // Who mirrors must stand on the image of its opponent, or it has nothing to keep up.
                apart @ Some(Asymmetry::Knights { .. }) => (apart, Vec::new()),
                asymmetry => (asymmetry, vec![self.check(&rule, self.start)]),
            },
            None if position.knight(Player::First).is_none() => {
                (Asymmetry::in_cells(size, mirror, free), vec![self.check(&rule, self.start)])
            }
            None => (None, vec![self.check(&rule, self.start)]),
        };
        let argument = Argument::new(size, mirror);
        if whole_board && !argument.fixed.is_empty() {
            checks.extend(self.first_places(&rule, argument.fixed.into_iter()));
        }
        // The argument is a proof, whether or not there was room to go through all positions.
        let argued = match position.duel() {
            Some(_) => asymmetry.is_none(),
            None => whole_board && argument.second_wins(),
        };
        let checked = checks.iter().find(|check| check.verdict == "wins").map(|check| check.player);
        let winner = checked.or_else(|| argued.then(|| (!position.turn()).name()));
        let verdict = match winner {
            Some(_) => "wins",
            None if checks.iter().all(|check| check.verdict == "breaks") => "breaks",
            None => "unknown",
        };
        Row {
            mirror: mirror.name(),
            verdict,
            winner,
            argument: if whole_board { argument.sentences() } else { Vec::new() },
            breaks_at: asymmetry.filter(|_| !whole_board).map(|asymmetry| asymmetry.on(size).to_string()),
            checks,
        }
    }

    fn check(&self, rule: &Rule, start: &Start<W>) -> Check {
        Check::run(&self.checker, rule, start)
    }

    /// The first player places on a cell that is its own image and mirrors from then on: of these cells, one by which it wins, or else the one by which it holds out longest.
    fn first_places(&self, rule: &Rule, fixed: impl Iterator<Item = Cell>) -> Option<Check> {
        let placed = fixed.map(|cell| {
            let name = cell_name(self.start.position.size(), cell);
            Check { placing: Some(name), ..self.check(rule, &self.start.after(cell)) }
        });
        // Of equals the first.
        placed.reduce(|best, next| if holds_out(&next) > holds_out(&best) { next } else { best })
    }
}

fn holds_out(check: &Check) -> usize {
    check.broken.as_ref().map_or(usize::MAX, |broken| broken.plies)
}

fn write_text<W: Word>(report: &Report, position: &Position<W>) -> io::Result<()> {
    let mut out = output::answer();
    let whole_board = position.free() == position.board().cells();
    let by: Vec<&str> = report.mirrors.iter().filter(|row| row.verdict == "wins").map(|row| row.mirror).collect();
    let tried: Vec<&str> = report.mirrors.iter().map(|row| row.mirror).collect();
    let unknown = report.mirrors.iter().any(|row| row.verdict == "unknown");
    let verdict = match (report.winner, whole_board) {
        (Some(winner), _) => format!("the {winner} player wins by a mirror: {}", by.join(", ")),
        (None, _) if unknown => "not decided within the limits".to_string(),
        (None, true) => format!("no winning strategy for either player: {}", tried.join(", ")),
        (None, false) => format!("not decided by a mirror: {}", tried.join(", ")),
    };
    write_headline(&mut out, if whole_board { &report.board } else { &report.position }, &verdict)?;
    for row in &report.mirrors {
        let title = match row.verdict {
            "wins" => format!("{} wins", row.winner.unwrap_or_default()),
            other => other.to_string(),
        };
        writeln!(out, "{}", styled(output::STRONG, format!("{}: {title}", row.mirror)))?;
        write_argument(&mut out, &row.argument)?;
        if let Some(breaks_at) = &row.breaks_at {
            fact(&mut out, "symmetry", &format!("broken: {breaks_at}"))?;
        } else if position.duel().is_some() {
            fact(
                &mut out,
                "symmetry",
                "the knights are images of each other, and so are the live cells, none of which is its own image",
            )?;
        }
        row.checks.iter().try_for_each(|check| check.write(&mut out))?;
        writeln!(out)?;
    }
    if let Some(Reaches { to, mirror }) = &report.reaches {
        let turn = position.turn();
        fact(&mut out, "but", &format!("{turn} is to move, reaches symmetry ({mirror}) by {to}, and wins"))?;
    }
    out.flush()
}
