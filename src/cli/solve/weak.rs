//! Only who wins the board.

use std::cell::Cell;
use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use super::{Args, Resumed, tell_about_checkpoint, unusual_start, verdict, write_mirror};
use crate::analysis::{Task, WeakPlacement};
use crate::cli::limits::status;
use crate::cli::openings::{Winner, class_name, subject, table_names, warn_if_long};
use crate::cli::output::{styled, write_headline};
use crate::cli::progress::watched;
use crate::cli::{Failure, Status, output};
use crate::game::notation::cell_name;
use crate::game::position::{Player, Position};
use crate::game::symmetry::Symmetry;
use crate::solve::{Origin, Question, Reply, Stopped, WeakProof};

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
    /// The tables that were asked.
    tables: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resumed: Option<Resumed>,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Placement {
    first: String,
    /// How many placements this one stands for: itself and its images.
    stands_for: usize,
    winner: Winner,
    /// The second player's winning reply.
    reply: Option<String>,
    /// `mirror` or `table` and its name, `separated`, `undisturbed walk`, or `search`.
    by: Option<String>,
    #[serde(skip)]
    name: String,
}

pub(super) fn run(args: &Args, start: &Position) -> Result<Status, Failure> {
    let settings = args.limits.settings(start.size())?;
    let (control, started) = (args.limits.control(), Instant::now());
    let analyst = args.analyst(start.size(), settings)?;
    let (placements, at_hand) = analyst.classes_at_hand(start, Task::Weak);
    warn_if_long(start, Question::Winner, placements - at_hand, settings.threads.get());
    let solve = |bar: &indicatif::ProgressBar| {
        let searched = Cell::new(control.nodes());
        let done = || bar.inc((searched.replace(control.nodes()) < control.nodes()).into());
        analyst.weak(start, &control, done)
    };
    let solution = watched((placements - at_hand, "placements"), &control, || analyst.filling(), solve);
    let report = Report {
        board: start.size().to_string(),
        position: unusual_start(start),
        winner: Winner(solution.winner()),
        mirror: solution.mirror.map(Symmetry::name),
        placements: solution.placements.iter().map(|found| placement(start, found)).collect(),
        tables: table_names(&analyst),
        resumed: analyst.checkpoint().map(Resumed::from),
        nodes: control.nodes(),
        seconds: started.elapsed().as_secs_f64(),
    };
    (if args.json { output::json(&report) } else { write_text(&report, start, solution.mirror) })?;
    args.folders.tell_about(analyst.tables(), report.seconds);
    tell_about_checkpoint(&analyst);
    Ok(status(report.winner.0.is_some()))
}

fn placement(position: &Position, found: &WeakPlacement) -> Placement {
    let (size, first) = (position.size(), found.cells[0]);
    let (winner, reply) = match &found.proof {
        Ok(WeakProof::Second(reply)) => (Some(Player::Second), Some(reply)),
        Ok(WeakProof::First) => (Some(Player::First), None),
        Err(Stopped) => (None, None),
    };
    let by = |reply: &Reply| match &reply.origin {
        Origin::Solved => "search".to_string(),
        origin => origin.to_string(),
    };
    Placement {
        first: cell_name(size, first),
        stands_for: found.cells.len(),
        winner: Winner(winner),
        reply: reply.map(|reply| cell_name(size, reply.cell)),
        by: reply.map(by),
        name: class_name(size, &found.cells),
    }
}

fn write_text(report: &Report, position: &Position, mirror: Option<Symmetry>) -> io::Result<()> {
    let mut out = output::answer();
    let verdict = verdict(report.winner, None, mirror, position.knight(Player::First).is_some());
    write_headline(&mut out, &subject(position), &verdict)?;
    if mirror.is_some() {
        write_mirror(&mut out)?;
    }
    let width = report.placements.iter().map(|placement| placement.name.len()).max().unwrap_or_default();
    for Placement { name, winner, reply, by, .. } in &report.placements {
        let found = match (reply, by) {
            (Some(reply), Some(by)) => format!("{reply:<4} wins for second ({by})"),
            _ if winner.0.is_some() => "no reply wins".to_string(),
            _ => "unknown".to_string(),
        };
        writeln!(out, "{}  {found}", styled(output::STRONG, format!("{name:<width$}")))?;
    }
    writeln!(out)?;
    report.tables.iter().try_for_each(|table| output::fact(&mut out, "table", table))?;
    if let Some(resumed) = &report.resumed {
        output::fact(&mut out, "resumed", &resumed.to_string())?;
    }
    output::cost(&mut out, report.nodes, report.seconds)?;
    out.flush()
}
