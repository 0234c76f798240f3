//! Only who wins the board.

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use super::{Args, Winner, unusual_start, verdict};
use crate::analysis::Analyst;
use crate::cli::limits::status;
use crate::cli::openings::{subject, warn_if_long};
use crate::cli::output::write_headline;
use crate::cli::progress::watched;
use crate::cli::{Failure, Status, output};
use crate::game::cells::Cell;
use crate::game::notation::cell_name;
use crate::game::position::{Player, Position};
use crate::game::symmetry::Symmetry;
use crate::solve::{Reply, Stopped, WeakProof};

#[derive(Serialize)]
struct Report {
    board: String,
    /// The position that the placements start from, if it is not the empty board.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    winner: Winner,
    /// The mirror by which the second player wins, if the board has one.
    mirror: Option<&'static str>,
    /// What was found for the first placements, one of each symmetry class: all of them, or as many
    /// as decide the board.
    placements: Vec<Placement>,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Placement {
    first: String,
    winner: Winner,
    /// The second player's winning reply.
    reply: Option<String>,
    /// `mirror` and its name, or `search`.
    by: Option<String>,
}

pub(super) fn run(args: &Args, start: &Position) -> Result<Status, Failure> {
    let settings = args.limits.settings(start.size())?;
    let (control, started) = (args.limits.control(), Instant::now());
    let analyst = Analyst::new(settings, &args.tables(start.size())?)?;
    let placements = analyst.placements(start);
    if !analyst.has_mirror(start) {
        warn_if_long(&subject(start), placements, start.free().len(), settings.threads.get());
    }
    let solve = |bar: &indicatif::ProgressBar| analyst.weak(start, &control, || bar.inc(1));
    let solution = watched((placements, "placements"), &control, || analyst.filling(), solve);
    let report = Report {
        board: start.size().to_string(),
        position: unusual_start(start),
        winner: Winner(solution.winner()),
        mirror: solution.mirror.map(Symmetry::name),
        placements: solution.placements.iter().map(|&(first, proof)| placement(start, first, proof)).collect(),
        nodes: control.nodes(),
        seconds: started.elapsed().as_secs_f64(),
    };
    (if args.json { output::json(&report) } else { write_text(&report, start) })?;
    Ok(status(report.winner.0.is_some()))
}

fn placement(position: &Position, first: Cell, proof: Result<WeakProof, Stopped>) -> Placement {
    let name = |cell| cell_name(position.size(), cell);
    let (winner, reply, by) = match proof {
        Ok(WeakProof::Second(reply @ Reply::Mirror(_, mirror))) => {
            (Some(Player::Second), Some(reply), Some(format!("mirror {mirror}")))
        }
        Ok(WeakProof::Second(reply @ Reply::Searched(_))) => (Some(Player::Second), Some(reply), Some("search".into())),
        Ok(WeakProof::First) => (Some(Player::First), None, None),
        Err(Stopped) => (None, None, None),
    };
    Placement { first: name(first), winner: Winner(winner), reply: reply.map(|reply| name(reply.cell())), by }
}

fn write_text(report: &Report, position: &Position) -> io::Result<()> {
    let mut out = output::answer();
    let verdict = match report.mirror {
        Some(mirror) => format!("the second player wins by a mirror ({mirror})"),
        None => verdict(report.winner, position.knight(Player::First).is_some()),
    };
    write_headline(&mut out, &subject(position), &verdict)?;
    if report.mirror.is_some() {
        writeln!(
            out,
            "The mirror keeps the board and fixes no cell, so that every placement and every move can be answered with its image:"
        )?;
        writeln!(out, "the first player is the first to run out of moves.\n")?;
    }
    for Placement { first, winner, reply, by } in &report.placements {
        let found = match (reply, by) {
            (Some(reply), Some(by)) => format!("{reply:<4} wins for second ({by})"),
            _ if winner.0.is_some() => "no reply wins".to_string(),
            _ => "unknown".to_string(),
        };
        output::fact(&mut out, first, &found)?;
    }
    output::cost(&mut out, report.nodes, report.seconds)?;
    out.flush()
}
