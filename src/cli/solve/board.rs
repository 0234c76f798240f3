//! All openings of a board, or of a board and a first placement.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use super::{Args, Winner, placements, subject, unusual_start, verdict, warn_if_long};
use crate::board::Board;
use crate::cells::Word;
use crate::cli::limits::status;
use crate::cli::openings::write_colours;
use crate::cli::output::{grouped, styled, write_headline};
use crate::cli::progress::watched;
use crate::cli::{Failure, Status, output};
use crate::duel::Part;
use crate::notation::cell_name;
use crate::position::{Player, Position};
use crate::solve::{Answer, Opening, OpeningClass, Stopped, opening_classes, winner_by_choice};

#[derive(Serialize)]
struct Report {
    board: String,
    /// The position that the openings start from, if it is not the empty board.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    winner: Winner,
    openings: Vec<OpeningRow>,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct OpeningRow {
    first: String,
    second: String,
    winner: Winner,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<usize>,
    #[serde(skip)]
    first_hunts: bool,
}

pub(super) fn run<W: Word>(args: &Args, position: &Position<W>) -> Result<Status, Failure> {
    let settings = args.limits.settings::<W>(position.size())?;
    let (free, first) = placements(position);
    let board: &Board<W> = position.board();
    let classes = opening_classes(board, free, first);
    warn_if_long(&subject(position), classes.len(), free.len(), settings.threads.get());
    let control = args.limits.control();
    let started = Instant::now();
    let solver = args.solver(position.size(), settings)?;
    let duels: Vec<_> = classes.iter().map(|class| class.representative().duel(free)).collect();
    let answers = watched(
        (classes.len(), "openings"),
        &control,
        || solver.filling(),
        |bar| solver.answers(args.question(), &duels, &control, |_, _| bar.inc(1)),
    );
    let openings = rows(board, &classes, &answers);
    let by_placement = openings.chunk_by(same_placement).map(|replies| winner_by_choice(Player::Second, winners(replies)));
    let winner = match position.knight(Player::First) {
        Some(_) => winner_by_choice(Player::Second, winners(&openings)),
        // A placement that nobody can answer has no row of its own; it is then the only one, and it wins.
        None if openings.is_empty() => Some(Player::First),
        None => winner_by_choice(Player::First, by_placement),
    };
    let report = Report {
        board: position.size().to_string(),
        position: unusual_start(position),
        winner: Winner(winner),
        openings,
        nodes: control.nodes(),
        seconds: started.elapsed().as_secs_f64(),
    };
    (if args.json { output::json(&report) } else { write_text(&report, position, classes.len()) })?;
    Ok(status(answers.iter().all(|&answer| args.is_complete(answer))))
}

fn same_placement(a: &OpeningRow, b: &OpeningRow) -> bool {
    a.first == b.first
}

fn winners(rows: &[OpeningRow]) -> impl Iterator<Item = Option<Player>> {
    rows.iter().map(|row| row.winner.0)
}

/// Every member of every class, in the order of the cells.
fn rows<W: Word>(board: &Board<W>, classes: &[OpeningClass], answers: &[Result<Answer, Stopped>]) -> Vec<OpeningRow> {
    let by_class =
        classes.iter().zip(answers).flat_map(|(class, &answer)| class.members.iter().map(move |&member| (member, answer)));
    let all: BTreeMap<Opening, Result<Answer, Stopped>> = by_class.collect();
    let row = |(opening, answer): (Opening, Result<Answer, Stopped>)| OpeningRow {
        first: cell_name(board.size(), opening.first),
        second: cell_name(board.size(), opening.second),
        winner: Winner::when_moves(Player::First, answer),
        plies: answer.ok().and_then(|answer| answer.plies),
        first_hunts: opening.duel(board.cells()).part_of_mover(board) == Part::Hunter,
    };
    all.into_iter().map(row).collect()
}

fn write_text<W: Word>(report: &Report, position: &Position<W>, classes: usize) -> io::Result<()> {
    let mut out = output::answer();
    let verdict = match report.openings.is_empty() {
        true => "the first player wins: the second cannot place".to_string(),
        false => verdict(report.winner, position.knight(Player::First).is_some()),
    };
    write_headline(&mut out, &subject(position), &verdict)?;
    if !report.openings.is_empty() {
        for replies in report.openings.chunk_by(same_placement) {
            write_replies(&mut out, replies)?;
        }
        let count = |first_hunts, winner| {
            report.openings.iter().filter(|row| row.first_hunts == first_hunts && row.winner.0 == winner).count() as u64
        };
        write_colours(&mut out, count)?;
        let proven = winners(&report.openings).flatten().count() as u64;
        let all = report.openings.len() as u64;
        let proven = format!("{} of {} openings in {} classes", grouped(proven), grouped(all), grouped(classes as u64));
        output::fact(&mut out, "proven", &proven)?;
    }
    output::cost(&mut out, report.nodes, report.seconds)?;
    out.flush()
}

/// One first placement and the replies that win, with their plies if those are known.
fn write_replies(out: &mut impl Write, replies: &[OpeningRow]) -> io::Result<()> {
    let second = |row: &&OpeningRow| row.winner.0 == Some(Player::Second);
    let reply = |row: &OpeningRow| row.plies.map_or_else(|| row.second.clone(), |plies| format!("{}({plies})", row.second));
    let winning: Vec<String> = replies.iter().filter(second).map(reply).collect();
    let unknown = replies.len() - winners(replies).flatten().count();
    let unknown = if unknown > 0 { format!(" ({unknown} unknown)") } else { String::new() };
    let summary = format!("{:>3} of {} replies win{unknown}:", winning.len(), replies.len());
    let placement = styled(output::STRONG, format!("{:<4}", replies[0].first));
    writeln!(out, "{}", format!("{placement} {} {}", styled(output::QUIET, summary), winning.join(" ")).trim_end())
}
