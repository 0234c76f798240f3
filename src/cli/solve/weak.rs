//! Only who wins the board.

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use super::{Args, Winner, placements, subject, unusual_start, verdict, warn_if_long};
use crate::cells::{Cell, Word};
use crate::cli::limits::status;
use crate::cli::output::write_headline;
use crate::cli::progress::watched;
use crate::cli::{Failure, Status, output};
use crate::notation::cell_name;
use crate::position::{Player, Position};
use crate::solve::{Reply, Stopped, WeakProof, board_mirror, opening_classes, winner_by_choice};
use crate::symmetry::{Symmetries, Symmetry};

#[derive(Serialize)]
struct Report {
    board: String,
    /// The position that the placements start from, if it is not the empty board.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    winner: Winner,
    /// The mirror by which the second player wins, if the board has one.
    mirror: Option<&'static str>,
    /// What was found for the first placements, one of each symmetry class: all of them, or as many as decide the board.
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

pub(super) fn run<W: Word>(args: &Args, position: &Position<W>) -> Result<Status, Failure> {
    let settings = args.limits.settings::<W>(position.size())?;
    let control = args.limits.control();
    let started = Instant::now();
    let (free, first) = placements(position);
    let mut firsts: Vec<Cell> =
        opening_classes(position.board(), free, first).iter().map(|class| class.representative().first).collect();
    firsts.dedup();
    if firsts.is_empty() {
        firsts.extend(first);
    }
    let symmetries = Symmetries::new(position.board());
    let mirror = board_mirror(&symmetries, free);
    let placement = |first, proof| placement(position, first, proof);
    let placements: Vec<Placement> = if let Some(mirror) = mirror {
        let image = |&first: &Cell| Ok(WeakProof::Second(Reply::Mirror(symmetries.cell(mirror, first), mirror)));
        firsts.iter().map(|first| placement(*first, image(first))).collect()
    } else {
        warn_if_long(&subject(position), firsts.len(), free.len(), settings.threads.get());
        let solver = args.solver(position.size(), settings)?;
        watched(
            (firsts.len(), "placements"),
            &control,
            || solver.filling(),
            |bar| {
                let mut found = Vec::new();
                for &first in &firsts {
                    let proof = solver.weak(free, first, &control);
                    found.push(placement(first, proof));
                    bar.inc(1);
                    // One placement that wins is enough for the first player.
                    if proof == Ok(WeakProof::First) {
                        break;
                    }
                }
                found
            },
        )
    };
    let report = Report {
        board: position.size().to_string(),
        position: unusual_start(position),
        winner: Winner(winner_by_choice(Player::First, placements.iter().map(|placement| placement.winner.0))),
        mirror: mirror.map(Symmetry::name),
        placements,
        nodes: control.nodes(),
        seconds: started.elapsed().as_secs_f64(),
    };
    (if args.json { output::json(&report) } else { write_text(&report, position) })?;
    Ok(status(report.winner.0.is_some()))
}

fn placement<W: Word>(position: &Position<W>, first: Cell, proof: Result<WeakProof, Stopped>) -> Placement {
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

fn write_text<W: Word>(report: &Report, position: &Position<W>) -> io::Result<()> {
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
