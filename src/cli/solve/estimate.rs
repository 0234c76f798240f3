//! Only how long it would take.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use super::{Args, unusual_start};
use crate::analysis::{Estimated, Expected, Task, Work};
use crate::cli::limits::status;
use crate::cli::openings::{subject, table_names};
use crate::cli::output::{self, fact, grouped, plural, roughly, write_headline};
use crate::cli::{Failure, Status};
use crate::game::position::Position;
use crate::solve::Question;

/// How long the speed is measured.
const MEASURING: Duration = Duration::from_secs(2);

#[derive(Serialize)]
struct Report {
    board: String,
    /// The position that the openings start from, if it is not the empty board.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    /// `openings` or `placements`.
    task: &'static str,
    /// The classes of openings or placements, and how many of them are known without a search.
    classes: usize,
    at_hand: usize,
    /// `at hand`, `measured` or `estimated`.
    based_on: &'static str,
    nodes: Range,
    seconds: Range,
    /// Nodes per second, as measured.
    rate: Option<f64>,
    threads: usize,
    /// The tables that were asked.
    tables: Vec<String>,
}

#[derive(Clone, Copy, Serialize)]
struct Range {
    least: f64,
    likely: f64,
    most: f64,
}

impl Range {
    fn exactly(number: f64) -> Self {
        Self { least: number, likely: number, most: number }
    }
}

impl From<Estimated> for Range {
    fn from(Estimated { least, likely, most }: Estimated) -> Self {
        Self { least, likely, most }
    }
}

pub(super) fn run(args: &Args, start: &Position) -> Result<Status, Failure> {
    let settings = args.limits.settings(start.size())?;
    let analyst = args.analyst(start.size(), settings)?;
    let control = args.limits.control();
    let task = if args.weak { Task::Weak } else { Task::Openings(Question::Winner) };
    let Ok(expected) = analyst.expect(start, task, &control, MEASURING) else {
        output::warning("stopped before the speed of this machine was measured; that takes two seconds");
        return Ok(status(false));
    };
    let (based_on, nodes, seconds, rate) = match expected.work {
        Work::None => ("at hand", Range::exactly(0.0), Range::exactly(0.0), None),
        Work::Done { nodes, seconds } => {
            ("measured", Range::exactly(nodes as f64), Range::exactly(seconds), Some(nodes as f64 / seconds))
        }
        Work::Estimated { nodes, rate, .. } => ("estimated", nodes.into(), nodes.divided_by(rate).into(), Some(rate)),
    };
    let report = Report {
        board: start.size().to_string(),
        position: unusual_start(start),
        task: if args.weak { "placements" } else { "openings" },
        classes: expected.classes,
        at_hand: expected.at_hand,
        based_on,
        nodes,
        seconds,
        rate,
        threads: settings.threads.get(),
        tables: table_names(&analyst),
    };
    (if args.json { output::json(&report) } else { write_text(&report, start, expected) })?;
    Ok(Status::Answered)
}

fn write_text(report: &Report, start: &Position, expected: Expected) -> io::Result<()> {
    let mut out = output::answer();
    let Report { task, seconds, .. } = report;
    let verdict = match expected.work {
        Work::None => format!("answered at once; all {task} are known without a search"),
        Work::Done { seconds, .. } if seconds < 0.1 => "takes less than 0.1 seconds, as just measured".to_string(),
        Work::Done { seconds, .. } => format!("takes {seconds:.1} seconds, as just measured"),
        Work::Estimated { .. } if roughly(seconds.least) == roughly(seconds.most) => {
            format!("takes {} on this machine", roughly(seconds.likely))
        }
        Work::Estimated { .. } => {
            let [least, likely, most] = [seconds.least, seconds.likely, seconds.most].map(roughly);
            format!("takes about {likely} on this machine, between {least} and {most}")
        }
    };
    write_headline(&mut out, &subject(start), &verdict)?;
    let (classes, known) = (grouped(report.classes as u64), grouped(report.at_hand as u64));
    let classes = format!("{classes} {}, {known} known without a search", plural(report.classes, "class"));
    fact(&mut out, task, &classes)?;
    match expected.work {
        Work::None => {}
        Work::Done { nodes, .. } => fact(&mut out, "nodes", &grouped(nodes))?,
        Work::Estimated { nodes, rate, measured } => {
            let [least, likely, most] = [nodes.least, nodes.likely, nodes.most].map(rounded);
            fact(&mut out, "nodes", &format!("about {likely}, between {least} and {most}"))?;
            let threads = format!("{} {}", report.threads, plural(report.threads, "thread"));
            let speed = format!("{:.1} M nodes/s with {threads}, measured for {measured:.1} s on this board", rate / 1e6);
            fact(&mut out, "speed", &speed)?;
            fact(&mut out, "based on", BASIS)?;
        }
    }
    report.tables.iter().try_for_each(|table| fact(&mut out, "table", table))?;
    out.flush()
}

/// Where the number of nodes comes from.
const BASIS: &str = "boards from 30 to 49 cells, whose nodes grow with the number of knight's moves on the board";

/// A large number with two digits that count.
fn rounded(number: f64) -> String {
    match number {
        _ if number < 1e12 => {
            let unit = 10_f64.powf((number.max(1.0).log10().floor() - 1.0).max(0.0));
            grouped(((number / unit).round() * unit) as u64)
        }
        _ => format!("10^{:.0}", number.log10()),
    }
}
