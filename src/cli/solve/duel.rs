//! One position with both knights placed, or one that is over.

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use super::{Args, Winner, warn_if_long};
use crate::cells::Word;
use crate::cli::limits::status;
use crate::cli::output::{plural, write_headline};
use crate::cli::progress::watched;
use crate::cli::{Failure, Status, output};
use crate::duel::Duel;
use crate::notation::cell_name;
use crate::position::{Player, Position};

#[derive(Serialize)]
struct Report {
    board: String,
    position: String,
    turn: &'static str,
    /// `first`, `second`, or `unknown` when a limit ran out.
    winner: Winner,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<usize>,
    /// The mover's move: one that wins if any does. None if the game is over, or too little is known.
    #[serde(rename = "move")]
    best: Option<String>,
    line: Option<Vec<String>>,
    nodes: u64,
    seconds: f64,
}

pub(super) fn run<W: Word>(args: &Args, position: &Position<W>, duel: Duel<W>) -> Result<Status, Failure> {
    let settings = args.limits.settings::<W>(position.size())?;
    let setup = position.setup().to_string();
    warn_if_long(&setup, 1, duel.live(position.board()).len(), settings.threads.get());
    let control = args.limits.control();
    let started = Instant::now();
    let solver = args.solver(position.size(), settings)?;
    let (answer, line) = watched(
        (1, "position"),
        &control,
        || solver.filling(),
        |_| {
            let answer = solver.answer(args.question(), duel, &control);
            let line = answer.and_then(|_| solver.expected_line(args.question(), duel, &control));
            (answer, line)
        },
    );
    let name = |cell: &_| cell_name(position.size(), *cell);
    let line: Option<Vec<String>> = line.ok().map(|line| line.iter().map(name).collect());
    let report = Report {
        board: position.size().to_string(),
        position: setup,
        turn: position.turn().name(),
        winner: Winner::when_moves(position.turn(), answer),
        plies: answer.ok().and_then(|answer| answer.plies),
        best: line.as_ref().and_then(|line| line.first().cloned()),
        line,
        nodes: control.nodes(),
        seconds: started.elapsed().as_secs_f64(),
    };
    let complete = args.is_complete(answer) && report.line.is_some();
    (if args.json { output::json(&report) } else { write_text(&report, args.distance) })?;
    Ok(status(complete))
}

/// A position in which nobody can go on, both knights placed or not.
pub(super) fn over<W: Word>(args: &Args, position: &Position<W>) -> Result<Status, Failure> {
    let report = Report {
        board: position.size().to_string(),
        position: position.setup().to_string(),
        turn: position.turn().name(),
        winner: Winner(position.winner()),
        plies: args.distance.then_some(0),
        best: None,
        line: Some(Vec::new()),
        nodes: 0,
        seconds: 0.0,
    };
    if args.json {
        output::json(&report)?;
    } else {
        let can = if position.knight(position.turn()).is_some() { "move" } else { "place" };
        let verdict = format!("the {} player has won: {} cannot {can}", report.winner, report.turn);
        let mut out = output::answer();
        write_headline(&mut out, &report.position, &verdict)?;
        out.flush()?;
    }
    Ok(Status::Answered)
}

fn write_text(report: &Report, distance: bool) -> io::Result<()> {
    let mut out = output::answer();
    let Report { winner, turn, .. } = report;
    let plies = report.plies.map(|plies| format!(" in {plies} {}", plural(plies, "ply"))).unwrap_or_default();
    let verdict = match winner.0 {
        None => "not proven within the limits".to_string(),
        Some(winner) => format!("{turn} to move, and the {winner} player wins{plies}"),
    };
    write_headline(&mut out, &report.position, &verdict)?;
    if distance && winner.0.is_some() && report.plies.is_none() {
        output::fact(&mut out, "plies", "not proven within the limits")?;
    }
    match &report.best {
        Some(best) if winner.0.map(Player::name) == Some(turn) => output::fact(&mut out, "wins by", best)?,
        Some(best) => output::fact(&mut out, "move", &format!("{best} (every move loses)"))?,
        None if winner.0.is_some() => output::fact(&mut out, "move", "not found within the limits")?,
        None => {}
    }
    if let Some(line) = &report.line {
        output::fact(&mut out, "line", &line.join(" "))?;
    }
    output::cost(&mut out, report.nodes, report.seconds)?;
    out.flush()
}
