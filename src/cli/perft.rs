//! `isolde perft`: counts lines of play.

use std::io::Write;
use std::time::Instant;

use serde::Serialize;

use super::asked::Asked;
use super::interruption::interruptible;
use super::limits::status;
use super::{Failure, Status, output};
use crate::game::cells::MAX_CELLS;
use crate::game::perft::perft_while;
use crate::solve::Control;

/// Count the lines of play of each length
///
/// If a knight is not placed yet, its placement counts as a ply. If the work is interrupted, the
/// lengths counted so far are printed.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    asked: Asked,
    /// The greatest length to count, in plies; no game is longer than 128
    #[arg(value_parser = clap::value_parser!(u8).range(1..=MAX_CELLS as i64))]
    depth: u8,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde perft 5x5 6
  isolde perft \"7x7: d4 e4\" 8
  isolde perft \"8/8/8/4n3/3N4/8/8/8 w\" 9 --json";

#[derive(Serialize)]
struct Report {
    /// The position as it was written, and as a diagram.
    asked: String,
    position: String,
    /// `counts[n]` is the number of lines of n + 1 plies.
    counts: Vec<u64>,
    seconds: f64,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let asked = args.asked.written()?;
    let position = asked.position();
    let (started, control) = (Instant::now(), interruptible(Control::unlimited()));
    let depth = usize::from(args.depth);
    // One length after the other, so that there is something to print after an interruption.
    let counts: Vec<u64> = (1..=depth).map_while(|plies| perft_while(position, plies, &|| !control.is_stopped())).collect();
    let is_complete = counts.len() == depth;
    let report = Report {
        asked: asked.to_string(),
        position: position.setup().to_string(),
        counts,
        seconds: started.elapsed().as_secs_f64(),
    };
    (if args.json { output::json(&report) } else { write_text(&report) })?;
    Ok(status(is_complete))
}

fn write_text(report: &Report) -> std::io::Result<()> {
    let mut out = output::answer();
    let counts: Vec<String> = report.counts.iter().map(|&count| output::grouped(count)).collect();
    let width = counts.iter().map(String::len).max().unwrap_or_default().max("lines".len());
    writeln!(out, "{}\n", output::styled(output::STRONG, &report.asked))?;
    writeln!(out, "{}", output::styled(output::QUIET, format!("plies  {:>width$}", "lines")))?;
    for (before, count) in counts.iter().enumerate() {
        writeln!(out, "{:>5}  {count:>width$}", before + 1)?;
    }
    let total: u64 = report.counts.iter().sum();
    let rate = (total as f64 / report.seconds.max(1e-9)) as u64;
    let cost = format!(
        "{} {} in {:.3} s, {} a second",
        output::grouped(total),
        output::plural(total as usize, "line"),
        report.seconds,
        output::grouped(rate)
    );
    writeln!(out, "\n{}", output::styled(output::QUIET, cost))?;
    out.flush()
}
