//! `isolde move`: a move in a position, within a limit.

use std::io::{self, Write};
use std::num::NonZero;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::folders::{self, Folders};
use super::limits::Machine;
use super::output::{fact, plural};
use super::thinking::Thinking;
use super::{Failure, Status, output, with_word_for};
use crate::board::Size;
use crate::cells::Word;
use crate::notation::{self, cell_name};
use crate::outcome::Value;
use crate::play::{Agent, Basis, Clock, Decision, Limit, Means};
use crate::position::{Player, Position, Setup};
use crate::solve::Settings;
use crate::table::Shelf;

/// Choose a move, within a time limit
///
/// The answer says whether the move is proven, and by what: a table, a mirror, separated regions, or an exact search. Where nothing is proven, a lookahead decides. The time counts
/// from the start of the program; there is always a legal move.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A board (to place on), a line of play or a position
    position: String,
    /// Who chooses; `isolde agents` lists them
    #[arg(long, value_name = "AGENT", default_value = "best")]
    agent: Agent,
    /// Write the same as data
    #[arg(long)]
    json: bool,
    /// What chance depends on, for agents that choose between equal moves by lot
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    thinking: Thinking,
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

Exit codes: 0 answered, 2 bad input, 3 only proof was wanted (perfect) and there was none within the limit.";

/// The limit, unless another is set.
pub(super) const TIME: Duration = Duration::from_secs(1);

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let (started, clock) = (Instant::now(), args.thinking.limit_or(TIME).start());
    let setup = notation::parse(&args.position)?;
    with_word_for!(setup.size, answer(args, setup, &clock, started))
}

fn answer<W: Word>(args: &Args, setup: Setup, clock: &Clock, started: Instant) -> Result<Status, Failure> {
    let position = Position::<W>::new(setup).map_err(notation::Error::from)?;
    if let Some(winner) = position.winner() {
        return Err(Failure::Input(format!("there is no move to choose: the {winner} player has won")));
    }
    let settings = set_up::<W>(args.machine.settings::<W>(setup.size)?, setup.size, args.thinking.limit_or(TIME));
    let shelf = Arc::new(Shelf::open(setup.size, &args.folders.list()?));
    let means = Means { size: setup.size, settings, shelf, tells_line: true };
    // Kept until the answer is written: giving back its memory takes time.
    let mut thinker = args.agent.thinker(&means, args.seed)?;
    let decision = thinker.think(&position, clock, &mut |_| {});
    let answer = Answer::new(setup, args.agent, &decision, started);
    (if args.json { output::json(&answer) } else { write_text(&answer) })?;
    folders::warn_of(means.shelf.take_faults());
    Ok(if decision.basis == Basis::NoProof { Status::Unknown } else { Status::Answered })
}

/// As much of the machine as can be set up in a small part of the time; and one thread where the limit is no time, so that the moves are the same on every machine.
pub(super) fn set_up<W: Word>(settings: Settings, size: Size, limit: Limit) -> Settings {
    let Limit::Time(time) = limit else {
        return Settings { threads: NonZero::<usize>::MIN, ..settings };
    };
    let milliseconds = time.as_millis().min(1 << 20) as u64;
    // What each thread at least fills, and what can be filled in a tenth of the time.
    let each = size.cells().pow(2) as u64 / 2 * 8 * u64::from(W::BITS);
    let threads = NonZero::new((milliseconds * FILLED / 10 / each) as usize).unwrap_or(NonZero::<usize>::MIN);
    Settings { threads: threads.min(settings.threads), memory: settings.memory.min((4 + milliseconds) << 20) }
}

/// How many bytes can be filled in a millisecond, a guess on the safe side.
const FILLED: u64 = 1 << 20;

#[derive(Serialize)]
struct Answer {
    board: String,
    position: String,
    turn: Player,
    agent: String,
    #[serde(rename = "move")]
    to: String,
    proven: bool,
    /// Who wins, if that is proven.
    winner: Option<Player>,
    plies: Option<usize>,
    /// What the move rests on.
    by: String,
    score: Option<f64>,
    depth: Option<u32>,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
}

impl Answer {
    fn new(setup: Setup, agent: Agent, decision: &Decision, started: Instant) -> Self {
        let cell = |to| cell_name(setup.size, to);
        let (plies, score, depth) = match decision.basis {
            Basis::Proven { plies, .. } => (plies, None, None),
            Basis::Guess { score, depth } => (None, Some(score), Some(depth)),
            _ => (None, None, None),
        };
        let winner = |value| if value == Value::Win { setup.turn } else { !setup.turn };
        Self {
            board: setup.size.to_string(),
            position: setup.to_string(),
            turn: setup.turn,
            agent: agent.to_string(),
            to: cell(decision.to),
            proven: decision.basis.value().is_some(),
            winner: decision.basis.value().map(winner),
            plies,
            by: in_words(&decision.basis),
            score,
            depth,
            line: decision.line.iter().map(|&to| cell(to)).collect(),
            nodes: decision.nodes,
            seconds: started.elapsed().as_secs_f64(),
        }
    }
}

/// What a choice rests on, in words.
pub(super) fn in_words(basis: &Basis) -> String {
    match basis {
        Basis::Proven { by, .. } => by.to_string(),
        Basis::Guess { depth, .. } => format!("heuristic search to depth {depth}"),
        Basis::OnlyMove => "the only move".to_string(),
        Basis::Chance => "chance".to_string(),
        Basis::NoProof => "nothing: there is no proof within the limit".to_string(),
    }
}

fn write_text(answer: &Answer) -> io::Result<()> {
    let mut out = output::answer();
    output::write_headline(&mut out, &answer.position, &answer.to)?;
    let proven = match (answer.winner, answer.plies) {
        (Some(winner), Some(plies)) => format!("yes: the {winner} player wins in {plies} {}", plural(plies, "ply")),
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
