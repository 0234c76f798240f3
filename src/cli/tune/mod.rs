//! `isolde tune`: where the numbers of the search's network come from.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod sample;

mod fit;

use super::{Failure, Status};

/// Fit the search's network to the true cost of moves
///
/// Where most of the board is free, a small network says which move of the hunter has the cheapest
/// proof. `isolde tune sample` measures the cost of every move in positions that the search visits,
/// and `isolde tune fit` turns such files into weights. The same seed gives the same files. Who
/// wins never depends on the weights, only how long the proof takes.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true, disable_help_subcommand = true)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  isolde tune sample 8x8 --free 32..50 --games 500 > 8x8.costs
  isolde tune fit *.costs -o src/solve/cost/weights.rs";

#[derive(clap::Subcommand)]
enum Verb {
    Sample(sample::Args),
    Fit(fit::Args),
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    match &args.verb {
        Verb::Sample(args) => sample::run(args),
        Verb::Fit(args) => fit::run(args),
    }
}
