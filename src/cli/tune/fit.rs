//! `isolde tune fit`: weights from the cost of moves.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use crate::cli::document::Document;
use crate::cli::{Failure, Status, output};
use crate::tune::{Example, Fit, Report, source};

/// Fit the network to files of `isolde tune sample`
///
/// One example of ten is held out, and the report says how well the network orders its moves: the
/// cost of the move that is tried first, as a multiple of the cheapest one's, in the geometric
/// mean. The weights are source code for the next build.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// The files, in this order
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// The file for the weights; without it, there is only the report
    #[arg(long, short, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// How often the fit goes through all examples
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// The same seed and the same files give the same weights
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  isolde tune fit 7x7.costs 8x8.costs                 how well a network does on these positions
  isolde tune fit *.costs -o src/solve/cost/weights.rs";

#[derive(Serialize)]
struct Fitted {
    learnt: usize,
    held_out: usize,
    /// The mean loss of each round.
    losses: Vec<f32>,
    report: Vec<Report>,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let mut examples: Vec<Example> = Vec::new();
    for file in &args.files {
        let text = fs::read_to_string(file);
        let text = text.map_err(|fault| Failure::Input(format!("cannot read {}: {fault}", file.display())))?;
        for (number, line) in text.lines().enumerate() {
            let example =
                line.parse().map_err(|fault| Failure::Input(format!("{}, line {}: {fault}", file.display(), number + 1)))?;
            examples.push(example);
        }
    }
    let document = args.output.as_deref().map(Document::begin).transpose()?;
    let mut losses = Vec::new();
    let fit = Fit::new(&examples, args.rounds as usize, args.seed, |loss| losses.push(loss));
    let fit = fit.ok_or_else(|| Failure::Input("there are too few examples: take at least ten won positions".to_string()))?;
    let [learnt, held_out] = fit.examples();
    let fitted = Fitted { learnt, held_out, losses, report: fit.report() };
    (if args.json { output::json(&fitted) } else { write_text(&fitted) })?;
    document.map_or(Ok(()), |document| document.finish_quietly(&source(&fit)))?;
    Ok(Status::Answered)
}

fn write_text(fitted: &Fitted) -> std::io::Result<()> {
    let mut out = output::answer();
    let Fitted { learnt, held_out, losses, report } = fitted;
    writeln!(
        out,
        "{} examples learnt, {} held out, mean loss {:.3}\n",
        output::grouped(*learnt as u64),
        output::grouped(*held_out as u64),
        losses.last().copied().unwrap_or_default()
    )?;
    let heading = "board  free cells  examples   counts  order   cost   error";
    writeln!(out, "{}", output::styled(output::QUIET, heading))?;
    for Report { size, free: [from, to], examples, chosen: [counts, order, cost], error } in report {
        let free = format!("{from}-{to}");
        writeln!(out, "{size:<5} {free:>11} {examples:>9} {counts:>8.3} {order:>6.3} {cost:>6.3} {error:>7.2}")?;
    }
    writeln!(out, "\ncounts, order, cost: the chosen move's nodes, as a multiple of the cheapest one's; error in doublings")?;
    out.flush()
}
