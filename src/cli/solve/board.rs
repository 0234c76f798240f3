//! All openings of a board, or of a board and a first placement.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use super::Args;
use super::duel::winner;
use crate::board::{Board, Size};
use crate::cells::{Cells, Word};
use crate::cli::limits::status;
use crate::cli::progress::watched;
use crate::cli::{Failure, Status, output};
use crate::duel::Part;
use crate::notation::cell_name;
use crate::position::{Player, Position};
use crate::solve::{Answer, Opening, OpeningClass, Solver, Stopped, opening_classes};

#[derive(Serialize)]
struct Report {
    board: String,
    /// The position that the openings start from, if it is not the empty board.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    winner: &'static str,
    openings: Vec<OpeningRow>,
    nodes: u64,
    seconds: f64,
    #[serde(skip)]
    classes: usize,
    #[serde(skip)]
    first_placed: bool,
}

#[derive(Serialize)]
struct OpeningRow {
    first: String,
    second: String,
    winner: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<usize>,
    #[serde(skip)]
    first_hunts: bool,
}

pub(super) fn run<W: Word>(args: &Args, position: &Position<W>) -> Result<Status, Failure> {
    let settings = args.limits.settings()?;
    let (free, first) = placements(position);
    let board: &Board<W> = position.board();
    let classes = opening_classes(board, free, first);
    warn_if_long(position.size(), &classes, free.len(), settings.threads.get());
    let solver = Solver::new(position.size(), settings);
    let control = args.limits.control();
    let started = Instant::now();
    let duels: Vec<_> = classes.iter().map(|class| class.representative().duel(free)).collect();
    let answers = watched(
        classes.len() as u64,
        &control,
        || solver.filling(),
        |bar| solver.answers(args.question(), &duels, &control, |_, _| bar.inc(1)),
    );
    let openings = rows(board, &classes, &answers);
    let report = Report {
        board: position.size().to_string(),
        position: (free != board.cells()).then(|| position.setup().to_string()),
        winner: board_winner(&openings),
        openings,
        nodes: control.nodes(),
        seconds: started.elapsed().as_secs_f64(),
        classes: classes.len(),
        first_placed: position.turn() == Player::Second,
    };
    (if args.json { output::json(&report) } else { write_text(&report) })?;
    Ok(status(answers.iter().all(Result::is_ok)))
}

/// The cells that are free before any placement, and the first placements in question.
pub(super) fn placements<W: Word>(position: &Position<W>) -> (Cells<W>, Cells<W>) {
    match position.knight(Player::First) {
        Some(first) => (position.free().with(first), Cells::only(first)),
        None => (position.free(), position.free()),
    }
}

/// Every member of every class, in the order of the cells.
fn rows<W: Word>(board: &Board<W>, classes: &[OpeningClass], answers: &[Result<Answer, Stopped>]) -> Vec<OpeningRow> {
    let by_class =
        classes.iter().zip(answers).flat_map(|(class, &answer)| class.members.iter().map(move |&member| (member, answer)));
    let all: BTreeMap<Opening, Result<Answer, Stopped>> = by_class.collect();
    let row = |(opening, answer): (Opening, Result<Answer, Stopped>)| OpeningRow {
        first: cell_name(board.size(), opening.first),
        second: cell_name(board.size(), opening.second),
        winner: winner(Player::First, answer),
        plies: answer.ok().and_then(|answer| answer.plies),
        first_hunts: opening.duel(board.cells()).part_of_mover(board) == Part::Hunter,
    };
    all.into_iter().map(row).collect()
}

/// The second player wins if every placement has a reply that wins for it; the first wins if it has a placement without. One that
/// nobody can answer is such a placement too.
fn board_winner(rows: &[OpeningRow]) -> &'static str {
    let mut unknown = false;
    for replies in rows.chunk_by(|a, b| a.first == b.first) {
        if replies.iter().any(|row| row.winner == "second") {
            continue;
        }
        if replies.iter().all(|row| row.winner == "first") {
            return "first";
        }
        unknown = true;
    }
    match (rows.is_empty(), unknown) {
        (true, _) => "first",
        (_, true) => "unknown",
        _ => "second",
    }
}

fn write_text(report: &Report) -> io::Result<()> {
    let mut out = output::answer();
    let (subject, by_placing) = match report.openings.first() {
        Some(row) if report.first_placed => (format!("{}, {} placed", report.board, row.first), "this placement"),
        _ => (report.board.clone(), "every placement"),
    };
    let verdict = match report.winner {
        "second" => format!("the second player wins: {by_placing} has a reply that wins"),
        "first" if report.openings.is_empty() => "the first player wins: the second cannot place".to_string(),
        "first" if report.first_placed => "the first player wins: every reply loses".to_string(),
        "first" => "the first player wins: some placement has no reply that wins".to_string(),
        _ => "not proven within the limits".to_string(),
    };
    writeln!(out, "{subject}: {}\n", output::styled(output::STRONG, verdict))?;
    for replies in report.openings.chunk_by(|a, b| a.first == b.first) {
        write_replies(&mut out, replies)?;
    }
    write_colours(&mut out, &report.openings)?;
    let openings = format!(
        "{} openings in {} classes",
        output::grouped(report.openings.len() as u64),
        output::grouped(report.classes as u64)
    );
    output::fact(
        &mut out,
        "proven",
        &format!(
            "{} of {openings}",
            output::grouped(report.openings.iter().filter(|row| row.winner != "unknown").count() as u64)
        ),
    )?;
    output::cost(&mut out, report.nodes, report.seconds)?;
    out.flush()
}

/// One first placement and the replies that win.
fn write_replies(out: &mut impl Write, replies: &[OpeningRow]) -> io::Result<()> {
    let winning: Vec<String> = replies
        .iter()
        .filter(|row| row.winner == "second")
        .map(|row| row.plies.map_or_else(|| row.second.clone(), |plies| format!("{}:{plies}", row.second)))
        .collect();
    let unknown = replies.iter().filter(|row| row.winner == "unknown").count();
    let unknown = if unknown > 0 { format!(", {unknown} unknown") } else { String::new() };
    let summary = format!("{:>3} of {} replies win{unknown}", winning.len(), replies.len());
    writeln!(
        out,
        "{} {} {}",
        output::styled(output::STRONG, format!("{:<4}", replies[0].first)),
        output::styled(output::QUIET, summary),
        winning.join(" ")
    )
}

/// How many openings each player wins, by whether the knights stand on one colour.
fn write_colours(out: &mut impl Write, rows: &[OpeningRow]) -> io::Result<()> {
    let count =
        |hunts: bool, winner: &str| rows.iter().filter(|row| row.first_hunts == hunts && row.winner == winner).count() as u64;
    writeln!(
        out,
        "\n{}",
        output::styled(output::QUIET, format!("{:<38} {:>10} {:>10}", "openings", "first wins", "second wins"))
    )?;
    for (hunts, name) in [(true, "on one colour (first is the hunter)"), (false, "on two colours (first is the prey)")] {
        let [first, second] = ["first", "second"].map(|player| output::grouped(count(hunts, player)));
        writeln!(out, "{name:<38} {first:>10} {second:>11}")?;
    }
    writeln!(out)
}

/// Seconds that an opening of 7x7 takes one thread, and by how much each further cell prolongs that: both as measured (docs/search-notes.md).
const SECONDS_FOR_49_CELLS: f64 = 0.015;
const GROWTH_A_CELL: f64 = 1.45;

/// Large boards are tried all the same, but nobody should wait without knowing for how long.
fn warn_if_long(size: Size, classes: &[OpeningClass], cells: usize, threads: usize) {
    let an_opening = SECONDS_FOR_49_CELLS * GROWTH_A_CELL.powi(cells as i32 - 49);
    let seconds = an_opening * classes.len() as f64 / threads as f64;
    if seconds > 300.0 {
        let expected = match seconds / 3600.0 {
            hours if hours < 2.0 => format!("{:.0} minutes", hours * 60.0),
            hours if hours < 72.0 => format!("{hours:.0} hours"),
            hours if hours < 24.0 * 700.0 => format!("{:.0} days", hours / 24.0),
            _ => "years".to_string(),
        };
        output::warning(&format!(
            "{size} has {} classes of openings, which may take {expected}: --time sets a limit, --first, --opening and --weak ask for less",
            output::grouped(classes.len() as u64)
        ));
    }
}
