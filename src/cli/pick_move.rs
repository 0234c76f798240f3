//! `isolde move`: chooses a move within a limit.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::analysis_text::in_plies;
use super::asked::Asked;
use super::folders::{self, Folders};
use super::interruption::{interruptible, was_interrupted};
use super::limits::Machine;
use super::move_limits::MoveLimits;
use super::output::fact;
use super::{Failure, Status, agents, output};
use crate::play::{Agent, Basis, ChosenMove, Means, settings_for};
use crate::solve::Control;
use crate::table::Tables;

/// Choose a move within a time limit
///
/// The answer says whether the move is proven, and by what: a table, a mirror, separated regions or
/// an exact search. If nothing is proven, a lookahead chooses. The time counts from the start of
/// the program, and the move is always legal. If the search is interrupted, the best move so far is
/// printed.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    asked: Asked,
    /// The agent that chooses; `isolde agents` lists them
    #[arg(long, value_name = "AGENT", default_value = "best", value_parser = agents::agent)]
    agent: Agent,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
    /// Seed for agents that choose at random between equal moves
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    move_limits: MoveLimits,
    #[command(flatten)]
    machine: Machine,
    #[command(flatten)]
    folders: Folders,
}

const EXAMPLES: &str = "\
Examples:
  isolde move \"7x7: d4 b3\" --time 150ms
  isolde move 8x8                                      where to place first
  isolde move \"8x8: d4 e5\" --agent AB_Improved --depth 8
  isolde move \"11x9: f5 c3\" --time 2s --json

Exit codes: 0 answered, 2 bad input, 3 the agent `perfect` found no proof within the limit,
130 interrupted (the best move so far is printed).";

/// The default limit.
pub(super) const TIME: Duration = Duration::from_secs(1);

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let (started, limit) = (Instant::now(), args.move_limits.limit_or(TIME));
    let clock = limit.start_within(&interruptible(Control::unlimited()));
    let asked = args.asked.written()?;
    let position = asked.position();
    let setup = position.setup();
    if let Some(winner) = position.winner() {
        return Err(Failure::Input(format!("there is no move to choose: the {winner} player has won")));
    }
    let settings = settings_for(limit, setup.size, args.machine.settings(setup.size)?);
    let tables = Tables::open(setup.size, &args.folders.list()?);
    let means = Means { settings, tables, wants_line: true };
    // Dropped only after the answer is printed, because freeing its memory takes time.
    let mut chooser = args.agent.chooser(&means, args.seed)?;
    let decision = chooser.choose(position, &clock, &mut |_| {});
    let was_interrupted = was_interrupted();
    let answer = ChosenMove::new(&asked, args.agent, &decision, started.elapsed().as_secs_f64());
    (if args.json { output::json(&answer) } else { write_text(&answer, !position.is_duel()) })?;
    folders::warn_of(&means.tables);
    Ok(match decision.basis {
        // The move is legal, but the agent has not used its limit.
        _ if was_interrupted => Status::Interrupted,
        Basis::NoProof => Status::Unknown,
        _ => Status::Answered,
    })
}

fn write_text(answer: &ChosenMove, placing: bool) -> io::Result<()> {
    let mut out = output::answer();
    output::write_headline(&mut out, &answer.asked, &answer.to)?;
    let proven = match (answer.winner, answer.plies) {
        (Some(winner), Some(plies)) => format!("yes: the {winner} player wins {}", in_plies(plies, placing)),
        (Some(winner), None) => format!("yes: the {winner} player wins"),
        (None, _) => "no".to_string(),
    };
    fact(&mut out, "proven", &proven)?;
    fact(&mut out, "by", &answer.by)?;
    if let Some(score) = answer.score {
        fact(&mut out, "score", &format!("{score:.2} for {}", answer.turn))?;
    }
    output::paragraph(&mut out, "line", &answer.line.join(" "))?;
    output::cost(&mut out, answer.nodes, answer.seconds)?;
    out.flush()
}
