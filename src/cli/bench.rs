//! `isolde bench`: fixed questions with fixed settings. The number of nodes is the signature of the
//! search.

use std::io::Write;
use std::time::Instant;

use serde::Serialize;

use super::{Failure, Status, output};
use crate::analysis::Analyst;
use crate::game::outcome::Value;
use crate::game::position::Position;
use crate::solve::{Control, Known, Question, Settings};
use crate::table::Tables;

/// Measure the search on fixed questions
///
/// It always uses one thread and the same memory. The number of nodes is therefore the same on
/// every machine and changes only when the search changes. Only the time depends on the machine.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde bench
  isolde bench --json";

/// Boards, with all classes of their openings, and positions from the opening to the endgame, for
/// both machine words.
const QUESTIONS: [&str; 10] = [
    "6x6",
    "5x8: c3 d5",
    "7x8: c3 e4",
    "7x7: d4 c2",
    "7x7: b2 d5",
    "7x7: c1 d3 a2 f2 b4 g4 a6 f6 c7 d7 b5 b6",
    "8x8: e1 f6 g2 h7 h4 f8 g6 d7 e7 b8 c8 a6",
    "8x8: b3 h7 c1 f8 a2 d7 b4 b6 c2 a8 a3 c7 b1 a6 d2 b8",
    "9x9: g7 d8 i8 f9 g9 h8 e8 i6 c9 h4 a8 g2 b6 i1 c8 h3 a9 g1 b7 i2 a5 g3 b3 h1 a1 i3 c2 h5 a3 i7 b1 h9 d2 f8",
    "11x9: a8 b3 c9 c1 b7 a2 a9 b4 c8 c2 e9 a3 g8 b1 e7 d2 f9 f1 d8 h2 b9 j1 a7 k3 c6 i2 a5 k1 c4 j3 b2 i1 d1 k2 \
     e3 j4 g2 k6 i3 j8 h1 h9 j2 i7 k4 k8 j6 i9 i4 h7 k5 i5",
];

/// Little enough for any machine.
const MEMORY: u64 = 64 << 20;

#[derive(Serialize)]
struct Report {
    questions: Vec<Row>,
    /// The sum of all nodes: the signature of the search.
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Row {
    question: &'static str,
    /// How many of the duels the mover wins.
    won: usize,
    /// The number of duels.
    of: usize,
    nodes: u64,
    seconds: f64,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let mut questions = Vec::new();
    for question in QUESTIONS {
        questions.push(ask(question)?);
    }
    let report = Report {
        nodes: questions.iter().map(|row| row.nodes).sum(),
        seconds: questions.iter().map(|row| row.seconds).sum(),
        questions,
    };
    (if args.json { output::json(&report) } else { write_text(&report) })?;
    Ok(Status::Answered)
}

fn ask(question: &'static str) -> Result<Row, Failure> {
    let position: Position = question.parse()?;
    let settings = Settings { memory: MEMORY, ..Settings::default() };
    let analyst = Analyst::new(settings, &Tables::none(position.size()))?;
    let control = Control::unlimited();
    let started = Instant::now();
    let known: Vec<Option<Known>> = if position.is_duel() {
        vec![analyst.answer(Question::Winner, &position, &control).ok()]
    } else {
        let openings = analyst.openings(&position, Question::Winner, &control, || {});
        openings.classes.into_iter().map(|judged| judged.known).collect()
    };
    let won = known.iter().flatten().filter(|known| known.value == Value::Win).count();
    Ok(Row { question, won, of: known.len(), nodes: control.nodes(), seconds: started.elapsed().as_secs_f64() })
}

fn write_text(report: &Report) -> std::io::Result<()> {
    let mut out = output::answer();
    writeln!(
        out,
        "{}",
        output::styled(output::QUIET, format!("{:<40} {:>9} {:>12} {:>8}", "question", "won", "nodes", "seconds"))
    )?;
    for Row { question, won, of, nodes, seconds } in &report.questions {
        let shown: String =
            if question.len() > 40 { question.chars().take(37).chain("...".chars()).collect() } else { (*question).into() };
        writeln!(out, "{shown:<40} {:>9} {:>12} {seconds:>8.3}", format!("{won}/{of}"), output::grouped(*nodes))?;
    }
    writeln!(out)?;
    output::cost(&mut out, report.nodes, report.seconds)?;
    out.flush()
}
