//! `isolde move`: chooses a move within a limit.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::analysis_text::in_plies;
use super::asked::Asked;
use super::folders::{self, Folders};
use super::interruption::{interruptible, was_interrupted};
use super::limits::Machine;
use super::move_limits::MoveLimits;
use super::output::fact;
use super::{Failure, Status, agents, output};
use crate::analysis::plies_from;
use crate::game::notation::{Written, cell_name};
use crate::game::outcome::Value;
use crate::game::position::Player;
use crate::play::{Agent, Basis, Decision, Means, settings_for};
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
    let answer = MoveReport::new(&asked, args.agent, &decision, started);
    (if args.json { output::json(&answer) } else { write_text(&answer) })?;
    folders::warn_of(&means.tables);
    Ok(match decision.basis {
        // The move is legal, but the agent has not used its limit.
        _ if was_interrupted => Status::Interrupted,
        Basis::NoProof => Status::Unknown,
        _ => Status::Answered,
    })
}

#[derive(Serialize)]
struct MoveReport {
    /// The position as it was written, and as a diagram.
    asked: String,
    board: String,
    position: String,
    turn: Player,
    agent: String,
    #[serde(rename = "move")]
    to: String,
    proven: bool,
    /// The winner, if proven.
    winner: Option<Player>,
    plies: Option<usize>,
    /// What the plies are counted from.
    plies_from: &'static str,
    /// What the move rests on.
    by: String,
    score: Option<f64>,
    depth: Option<u32>,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
    #[serde(skip)]
    placing: bool,
}

impl MoveReport {
    fn new(asked: &Written, agent: Agent, decision: &Decision, started: Instant) -> Self {
        let setup = asked.position().setup();
        let placing = !asked.position().is_duel();
        let cell = |to| cell_name(setup.size, to);
        let (plies, score, depth) = match decision.basis {
            Basis::Proven { plies, .. } => (plies, None, None),
            Basis::Guess { score, depth } => (None, Some(score), Some(depth)),
            _ => (None, None, None),
        };
        let winner = |value| if value == Value::Win { setup.turn } else { !setup.turn };
        Self {
            asked: asked.to_string(),
            board: setup.size.to_string(),
            position: setup.to_string(),
            turn: setup.turn,
            agent: agent.to_string(),
            to: cell(decision.to),
            proven: decision.basis.value().is_some(),
            winner: decision.basis.value().map(winner),
            plies,
            plies_from: plies_from(placing),
            by: in_words(&decision.basis),
            score,
            depth,
            line: decision.line.iter().map(|&to| cell(to)).collect(),
            nodes: decision.nodes,
            seconds: started.elapsed().as_secs_f64(),
            placing,
        }
    }
}

/// What a decision rests on, in words.
pub(super) fn in_words(basis: &Basis) -> String {
    match basis {
        Basis::Proven { by, .. } => by.to_string(),
        Basis::Guess { depth, .. } => format!("heuristic search to depth {depth}"),
        Basis::OnlyMove => "the only move".to_string(),
        Basis::Chance => "chance".to_string(),
        Basis::NoProof => "nothing: no proof was found within the limit".to_string(),
    }
}

fn write_text(answer: &MoveReport) -> io::Result<()> {
    let mut out = output::answer();
    output::write_headline(&mut out, &answer.asked, &answer.to)?;
    let proven = match (answer.winner, answer.plies) {
        (Some(winner), Some(plies)) => format!("yes: the {winner} player wins {}", in_plies(plies, answer.placing)),
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
