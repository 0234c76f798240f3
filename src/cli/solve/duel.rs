//! One position with both knights placed.

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use super::Args;
use crate::cells::Word;
use crate::cli::limits::status;
use crate::cli::progress::watched;
use crate::cli::{Failure, Status, output};
use crate::duel::Duel;
use crate::notation::cell_name;
use crate::outcome::Value;
use crate::position::{Player, Position};
use crate::solve::{Answer, Solver, Stopped};

#[derive(Serialize)]
struct Report {
    board: String,
    position: String,
    turn: &'static str,
    /// `first`, `second`, or `unknown` when a limit ran out.
    winner: &'static str,
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
    let solver = Solver::new(position.size(), args.limits.settings()?);
    let control = args.limits.control();
    let started = Instant::now();
    let (answer, line) = watched(
        1,
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
        position: position.setup().to_string(),
        turn: position.turn().name(),
        winner: winner(position.turn(), answer),
        plies: answer.ok().and_then(|answer| answer.plies),
        best: line.as_ref().and_then(|line| line.first().cloned()),
        line,
        nodes: control.nodes(),
        seconds: started.elapsed().as_secs_f64(),
    };
    (if args.json { output::json(&report) } else { write_text(&report) })?;
    Ok(status(answer.is_ok()))
}

/// The name of the winner, when it is `mover`'s turn.
pub(super) fn winner(mover: Player, answer: Result<Answer, Stopped>) -> &'static str {
    match answer.map(|answer| answer.value) {
        Ok(Value::Win) => mover.name(),
        Ok(Value::Loss) => (!mover).name(),
        Err(Stopped) => "unknown",
    }
}

fn write_text(report: &Report) -> io::Result<()> {
    let mut out = output::answer();
    let Report { winner, turn, .. } = report;
    let plies = report.plies.map(|plies| format!(" in {plies} {}", if plies == 1 { "ply" } else { "plies" })).unwrap_or_default();
    let over = report.line.as_ref().is_some_and(Vec::is_empty);
    let verdict = match *winner {
        "unknown" => "not proven within the limits".to_string(),
        winner if over => format!("the {winner} player has won: {turn} cannot move"),
        winner => format!("the {winner} player wins{plies}, {turn} to move"),
    };
    writeln!(out, "{}: {}\n", report.position, output::styled(output::STRONG, verdict))?;
    match (&report.best, &report.line) {
        (Some(best), _) if winner == turn => output::fact(&mut out, "wins by", best)?,
        (Some(best), _) => output::fact(&mut out, "move", &format!("{best} (every move loses)"))?,
        (None, None) if *winner != "unknown" => output::fact(&mut out, "move", "not found within the limits")?,
        _ => {}
    }
    if let Some(line) = report.line.as_ref().filter(|line| !line.is_empty()) {
        output::fact(&mut out, "line", &line.join(" "))?;
    }
    output::cost(&mut out, report.nodes, report.seconds)?;
    out.flush()
}
