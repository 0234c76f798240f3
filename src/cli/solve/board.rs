//! All openings of a board, or of a board and a first placement.

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use super::{Args, Winner, unusual_start, verdict};
use crate::analysis::{Analyst, JudgedClass, Openings};
use crate::cli::limits::status;
use crate::cli::openings::{solve_openings, subject, write_colours};
use crate::cli::output::{grouped, styled, write_headline};
use crate::cli::{Failure, Status, output};
use crate::game::board::Size;
use crate::game::notation::cell_name;
use crate::game::position::{Player, Position};
use crate::solve::Opening;

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
}

pub(super) fn run(args: &Args, start: &Position) -> Result<Status, Failure> {
    let settings = args.limits.settings(start.size())?;
    let analyst = Analyst::new(settings, &args.tables(start.size())?)?;
    let (control, started) = (args.limits.control(), Instant::now());
    let openings = solve_openings(&analyst, start, args.question(), settings, &control);
    let report = Report {
        board: start.size().to_string(),
        position: unusual_start(start),
        winner: Winner(openings.winner()),
        openings: openings.iter().map(|(opening, judged)| OpeningRow::new(start.size(), opening, judged)).collect(),
        nodes: control.nodes(),
        seconds: started.elapsed().as_secs_f64(),
    };
    (if args.json { output::json(&report) } else { write_text(&report, start, &openings) })?;
    let is_complete = |judged: &JudgedClass| judged.known.as_ref().is_some_and(|known| args.is_complete(known));
    Ok(status(openings.classes.iter().all(is_complete)))
}

impl OpeningRow {
    fn new(size: Size, opening: Opening, judged: &JudgedClass) -> Self {
        Self {
            first: cell_name(size, opening.first),
            second: cell_name(size, opening.second),
            winner: Winner(judged.winner()),
            plies: judged.plies(),
        }
    }
}

fn write_text(report: &Report, start: &Position, openings: &Openings) -> io::Result<()> {
    let mut out = output::answer();
    let verdict = match openings.is_empty() {
        true => "the first player wins; the second cannot place".to_string(),
        false => verdict(report.winner, start.knight(Player::First).is_some()),
    };
    write_headline(&mut out, &subject(start), &verdict)?;
    if !openings.is_empty() {
        for replies in report.openings.chunk_by(|a, b| a.first == b.first) {
            write_replies(&mut out, replies)?;
        }
        write_colours(&mut out, openings)?;
        let [proven, all, classes] =
            [openings.proven(), openings.len(), openings.classes.len()].map(|count| grouped(count as u64));
        output::fact(&mut out, "proven", &format!("{proven} of {all} openings in {classes} classes"))?;
    }
    output::cost(&mut out, report.nodes, report.seconds)?;
    out.flush()
}

/// One first placement and the replies that win, with their plies if those are known.
fn write_replies(out: &mut impl Write, replies: &[OpeningRow]) -> io::Result<()> {
    let second = |row: &&OpeningRow| row.winner.0 == Some(Player::Second);
    let reply = |row: &OpeningRow| row.plies.map_or_else(|| row.second.clone(), |plies| format!("{}({plies})", row.second));
    let winning: Vec<String> = replies.iter().filter(second).map(reply).collect();
    let unknown = replies.iter().filter(|row| row.winner.0.is_none()).count();
    let unknown = if unknown > 0 { format!(" ({unknown} unknown)") } else { String::new() };
    let summary = format!("{:>3} of {} replies win{unknown}:", winning.len(), replies.len());
    let placement = styled(output::STRONG, format!("{:<4}", replies[0].first));
    writeln!(out, "{}", format!("{placement} {} {}", styled(output::QUIET, summary), winning.join(" ")).trim_end())
}
