//! `isolde verify mirror`: does answering every move with its image win, and for whom?

use std::io::{self, Write};

use serde::Serialize;

use super::check::{Check, Checker, RuleVerdict, Start, write_argument};
use super::{Common, TIME_HELP, check_that_it_fits, check_that_it_goes_on, mirror_name};
use crate::cli::asked::Asked;
use crate::cli::limits::{MostPositions, status};
use crate::cli::output::{self, fact, paragraph, styled, write_headline};
use crate::cli::{Failure, Status};
use crate::game::cells::Cells;
use crate::game::notation::cell_name;
use crate::game::position::{Player, Position};
use crate::game::symmetry::Symmetry;
use crate::strategies::{Argument, Asymmetry, CheckEnd, Exhaustion, Rule, RuleKind, mirrors_of};

/// Does answering every move with its image win, and for whom?
///
/// On an empty board: shows the argument, with what follows for every board of the same shape. Then
/// the second player mirrors against every defence. If some cells are their own images, the first
/// player also tries to place on one of them and to mirror from then on.
///
/// In a position: shows whether a mirror decides it, and for whom, or where the symmetry breaks.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("time", |time| time.help(TIME_HELP)))]
pub(super) struct Args {
    #[command(flatten)]
    asked: Asked,
    /// The mirror [default: all mirrors of the board]
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
  isolde verify mirror 7x8 --memory 4GiB         with room for more positions

Exit codes: 0 a mirror wins, 1 none does, 2 bad input, 3 unknown within the limits, 130 interrupted.";

#[derive(Serialize)]
struct Report {
    /// The position as it was written, and as a diagram.
    asked: String,
    board: String,
    position: String,
    /// Who wins by a mirror. `None` if no mirror was shown to win.
    winner: Option<&'static str>,
    mirrors: Vec<Row>,
    /// A placement or move by which the mover makes the position symmetric and wins.
    reaches: Option<Reaches>,
}

/// What was found about one mirror.
#[derive(Serialize)]
struct Row {
    mirror: &'static str,
    verdict: RuleVerdict,
    winner: Option<&'static str>,
    /// On an empty board: the argument in sentences.
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
    let asked = args.asked.written()?;
    let position = asked.position();
    let setup = position.setup();
    args.by.map_or(Ok(()), |mirror| check_that_it_fits(setup.size, mirror))?;
    check_that_it_goes_on(position)?;
    let start = Start::new(&asked);
    let analyst = args.common.analyst_beside_checks(setup.size)?;
    let control = args.common.limits.control();
    let work = MirrorCheck { checker: args.common.checker(&analyst, &args.positions, &control)?, start: &start };
    let mirrors = args.by.map_or_else(|| mirrors_of(setup.size), |by| vec![by]);
    let rows: Vec<Row> = mirrors.iter().map(|&mirror| work.row(mirror)).collect();
    let report = Report {
        asked: asked.to_string(),
        board: setup.size.to_string(),
        position: setup.to_string(),
        winner: rows.iter().find_map(|row| row.winner),
        mirrors: rows,
        reaches: reaches(&start.position, &mirrors),
    };
    (if args.common.json { output::json(&report) } else { write_text(&report, &start.position) })?;
    Ok(match report.winner {
        Some(_) => Status::Answered,
        None if report.mirrors.iter().all(|row| row.verdict == RuleVerdict::Breaks) => Status::Failed,
        None => status(false),
    })
}

fn reaches(position: &Position, mirrors: &[Symmetry]) -> Option<Reaches> {
    let (to, mirror) = Asymmetry::ended_by(position, mirrors)?;
    Some(Reaches { to: cell_name(position.size(), to), mirror: mirror.name() })
}

fn is_whole_board(position: &Position) -> bool {
    position.free() == position.board().cells()
}

struct MirrorCheck<'a> {
    checker: Checker<'a>,
    start: &'a Start,
}

impl MirrorCheck<'_> {
    fn row(&self, mirror: Symmetry) -> Row {
        let position = &self.start.position;
        let (size, whole_board) = (position.size(), is_whole_board(position));
        let (asymmetry, argument) = (Asymmetry::at(position, mirror), Argument::new(size, mirror));
        let checks = self.checks(mirror, asymmetry, &argument);
        // The argument is a proof even if there was no room to visit all positions. It does not
        // apply while only one knight is placed.
        let placed_alone = !position.is_duel() && position.knight(Player::First).is_some();
        let argued = asymmetry.is_none() && !placed_alone && argument.keeps_moves && argument.own_inverse;
        let contradiction = argued && checks.iter().any(|check| check.verdict == RuleVerdict::Breaks);
        assert!(
            !contradiction,
            "the argument proves that the mirror wins, but the check found that it breaks: one of them is wrong"
        );
        let checked = checks.iter().find(|check| check.verdict == RuleVerdict::Wins).map(|check| check.player);
        let winner = checked.or_else(|| argued.then_some(!position.turn()));
        let verdict = match winner {
            Some(_) => RuleVerdict::Wins,
            None if checks.iter().all(|check| check.verdict == RuleVerdict::Breaks) => RuleVerdict::Breaks,
            None => RuleVerdict::Unknown,
        };
        Row {
            mirror: mirror.name(),
            verdict,
            winner: winner.map(Player::name),
            argument: if whole_board { argument.sentences() } else { Vec::new() },
            breaks_at: asymmetry.filter(|_| !whole_board).map(|asymmetry| asymmetry.on(size).to_string()),
            checks,
        }
    }

    fn checks(&self, mirror: Symmetry, asymmetry: Option<Asymmetry>, argument: &Argument) -> Vec<Check> {
        let rule = Rule::new(RuleKind::Mirror, mirror, self.start.position.size());
        // Mirroring makes sense only if the knights are images of each other.
        if matches!(asymmetry, Some(Asymmetry::Knights { .. })) {
            return Vec::new();
        }
        let own = self.checker.report(self.start, self.checker.exhaust(&rule, self.start));
        // On a single cell there is nothing to mirror.
        let places = is_whole_board(&self.start.position) && self.start.position.size().cells() > 1;
        let fixed = if places { argument.fixed } else { Cells::EMPTY };
        [own].into_iter().chain(self.first_places(&rule, fixed)).collect()
    }

    /// The first player places on a cell that is its own image and mirrors from then on. Returns
    /// the check of the cell with which this works best.
    fn first_places(&self, rule: &Rule, fixed: Cells<u128>) -> Option<Check> {
        let worth = |found: &Exhaustion| match &found.end {
            CheckEnd::Wins => (2, 0),
            CheckEnd::Unknown(_) => (1, 0),
            CheckEnd::Breaks(broken) => (0, broken.moves.len()),
        };
        let found = fixed.into_iter().map(|cell| (cell, self.checker.exhaust(rule, &self.start.after(cell))));
        // Of equally good cells, take the first.
        let (cell, found) = found.reduce(|best, next| if worth(&next.1) > worth(&best.1) { next } else { best })?;
        let check = self.checker.report(&self.start.after(cell), found);
        Some(Check { placing: Some(cell_name(self.start.position.size(), cell)), ..check })
    }
}

fn write_text(report: &Report, position: &Position) -> io::Result<()> {
    let mut out = output::answer();
    let named = |verdict: Option<RuleVerdict>| {
        let rows = report.mirrors.iter().filter(|row| verdict.is_none_or(|verdict| row.verdict == verdict));
        rows.map(|row| row.mirror).collect::<Vec<_>>().join(", ")
    };
    let unknown = named(Some(RuleVerdict::Unknown));
    let verdict = match (report.winner, is_whole_board(position)) {
        (Some(winner), _) => format!("the {winner} player wins by a mirror: {}", named(Some(RuleVerdict::Wins))),
        (None, _) if !unknown.is_empty() => format!("not decided within the limits: {unknown}"),
        (None, true) => format!("no mirror wins, for either player: {}", named(None)),
        (None, false) => format!("not decided by a mirror: {}", named(None)),
    };
    write_headline(&mut out, &report.asked, &verdict)?;
    for row in &report.mirrors {
        write_row(&mut out, row, position.is_duel())?;
    }
    if let Some(Reaches { to, mirror }) = &report.reaches {
        let turn = position.turn();
        fact(&mut out, "but", &format!("it is {turn}'s turn: {to} makes the position symmetric ({mirror}), and {turn} wins"))?;
    }
    out.flush()
}

fn write_row(out: &mut impl Write, row: &Row, is_duel: bool) -> io::Result<()> {
    let found = match (row.verdict, row.winner) {
        (RuleVerdict::Wins, Some(winner)) => format!("{winner} wins"),
        (RuleVerdict::Unknown, _) => "unknown".to_string(),
        _ => "breaks".to_string(),
    };
    writeln!(out, "{}", styled(output::STRONG, format!("{}: {found}", row.mirror)))?;
    write_argument(out, &row.argument)?;
    if let Some(breaks_at) = &row.breaks_at {
        paragraph(out, "symmetry", &format!("broken: {breaks_at}"))?;
    } else if is_duel {
        paragraph(out, "symmetry", &format!("complete: {}", Asymmetry::ABSENT))?;
    }
    row.checks.iter().try_for_each(|check| check.write(out))?;
    writeln!(out)
}
