//! Only who wins the board.

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use super::Args;
use super::board::placements;
use crate::board::Size;
use crate::cells::{Cell, Word};
use crate::cli::limits::status;
use crate::cli::progress::watched;
use crate::cli::{Failure, Status, output};
use crate::notation::cell_name;
use crate::position::{Player, Position};
use crate::solve::{Reply, Solver, Stopped, WeakProof, board_mirror, opening_classes};
use crate::symmetry::Symmetries;

#[derive(Serialize)]
struct Report {
    board: String,
    winner: &'static str,
    /// The mirror by which the second player wins, if the board has one.
    mirror: Option<&'static str>,
    /// What was found for each first placement, one of each symmetry class; empty if a mirror decides the board.
    placements: Vec<Placement>,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Placement {
    first: String,
    winner: &'static str,
    /// The second player's winning reply.
    reply: Option<String>,
    /// `mirror` and its name, or `search`.
    by: Option<String>,
}

pub(super) fn run<W: Word>(args: &Args, position: &Position<W>) -> Result<Status, Failure> {
    if position.knight(Player::Second).is_some() {
        return Err(Failure::Input("--weak goes with a board on which the second player has not placed yet".into()));
    }
    let settings = args.limits.settings()?;
    let control = args.limits.control();
    let started = Instant::now();
    let (free, first) = placements(position);
    let mirror = board_mirror(&Symmetries::new(position.board()), free);
    let placements: Vec<Placement> = if mirror.is_some() {
        Vec::new()
    } else {
        let solver = Solver::new(position.size(), settings);
        let mut firsts: Vec<Cell> =
            opening_classes(position.board(), free, first).iter().map(|class| class.representative().first).collect();
        firsts.dedup();
        if firsts.is_empty() {
            firsts.extend(first);
        }
        watched(
            firsts.len() as u64,
            &control,
            || solver.filling(),
            |bar| {
                let solve = |&first: &Cell| {
                    let proof = solver.weak(free, first, &control);
                    bar.inc(1);
                    placement(position.size(), first, proof)
                };
                firsts.iter().map(solve).collect()
            },
        )
    };
    let report = Report {
        board: position.size().to_string(),
        winner: board_winner(&placements),
        mirror: mirror.map(|symmetry| symmetry.name()),
        placements,
        nodes: control.nodes(),
        seconds: started.elapsed().as_secs_f64(),
    };
    (if args.json { output::json(&report) } else { write_text(&report) })?;
    Ok(status(report.winner != "unknown"))
}

fn placement(size: Size, first: Cell, proof: Result<WeakProof, Stopped>) -> Placement {
    let (winner, reply, by) = match proof {
        Ok(WeakProof::Second(Reply::Mirror(second, symmetry))) => ("second", Some(second), Some(format!("mirror {symmetry}"))),
        Ok(WeakProof::Second(Reply::Searched(second))) => ("second", Some(second), Some("search".into())),
        Ok(WeakProof::First) => ("first", None, None),
        Err(Stopped) => ("unknown", None, None),
    };
    Placement { first: cell_name(size, first), winner, reply: reply.map(|cell| cell_name(size, cell)), by }
}

/// One placement that wins is enough for the first player; the second needs an answer to all.
fn board_winner(placements: &[Placement]) -> &'static str {
    let some = |winner: &str| placements.iter().any(|placement| placement.winner == winner);
    match (some("first"), some("unknown")) {
        (true, _) => "first",
        (_, true) => "unknown",
        _ => "second",
    }
}

fn write_text(report: &Report) -> io::Result<()> {
    let mut out = output::answer();
    let verdict = match (report.winner, report.mirror) {
        (_, Some(mirror)) => format!("the second player wins by the mirror `{mirror}`"),
        ("second", _) => "the second player wins: every placement has a reply that wins".to_string(),
        ("first", _) => "the first player wins: some placement has no reply that wins".to_string(),
        _ => "not proven within the limits".to_string(),
    };
    writeln!(out, "{}: {}\n", report.board, output::styled(output::STRONG, verdict))?;
    if report.mirror.is_some() {
        writeln!(out, "It keeps the board and fixes no cell, so every placement and every move can be answered with its image:")?;
        writeln!(out, "the first player is the first to run out of moves.\n")?;
    }
    for Placement { first, winner, reply, by } in &report.placements {
        let found = match (reply, by) {
            (Some(reply), Some(by)) => format!("{reply:<4} wins for second ({by})"),
            _ if *winner == "first" => "no reply wins".to_string(),
            _ => "unknown".to_string(),
        };
        output::fact(&mut out, first, &found)?;
    }
    output::cost(&mut out, report.nodes, report.seconds)?;
    out.flush()
}
