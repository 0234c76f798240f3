//! `isolde agents`: the agents and the heuristics, and how accurate the heuristics are.

mod score;

use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::Analyst;
use crate::arena::heuristic_accuracy::{Accuracy, Measurement, measure};
use crate::arena::statistics::Interval;
use crate::arena::{Entrant, UnknownEntrant};
use crate::cli::folders::Folders;
use crate::cli::limits::{Limits, status};
use crate::cli::output::{self, grouped, paragraph, styled};
use crate::cli::progress::watched;
use crate::cli::{Failure, Status};
use crate::game::board::Size;
use crate::play::heuristics::Heuristic;
use crate::play::{Agent, AgentEntry, Catalogue, HeuristicEntry, UnknownAgent};

/// List the agents and the heuristics
///
/// With --measure, measure how accurate each heuristic is. It chooses a move in random positions
/// that have a winning move, looking one ply ahead. The answer is how often its choice keeps the
/// win: in all positions, and in the positions in which some move loses. Every move is solved
/// exactly. If the time runs out, the answer is about the positions measured until then.
///
/// With --score, show what every heuristic says of one position: its score for the player to move,
/// the move that it would choose one ply ahead, and whether that move is right. The truth is looked
/// up or solved, for at most 10s unless --time says otherwise; what that leaves open is `unknown`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Measure the heuristics on this board
    #[arg(long, value_name = "BOARD")]
    measure: Option<String>,
    /// Show what every heuristic says of this position, beside the truth; needs no quotes
    #[arg(long, value_name = "POSITION", num_args = 1.., conflicts_with = "measure")]
    score: Vec<String>,
    /// The number of positions to measure on
    #[arg(long, value_name = "N", default_value_t = 2000, requires = "measure")]
    #[arg(value_parser = clap::value_parser!(u64).range(30..=1_000_000))]
    positions: u64,
    /// Seed of the random positions
    #[arg(long, value_name = "N", default_value_t = 0, requires = "measure")]
    seed: u64,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    folders: Folders,
}

const EXAMPLES: &str = "\
Examples:
  isolde agents
  isolde agents --json
  isolde agents --measure 6x6 --positions 5000
  isolde agents --score \"7x7: d4 b3\"
  isolde agents --score \"8x8: d4 e5\" --time 1m --json

Exit codes: 0 answered, 2 bad input, 3 not everything was solved within the limits, 130 interrupted.";

/// Reads the name of an agent given on the command line.
pub(super) fn agent(text: &str) -> Result<Agent, String> {
    text.parse().map_err(|fault: UnknownAgent| match text.parse() {
        Ok(Entrant::Outside(_)) => format!("{fault}; another program plays in `isolde tournament` alone"),
        _ => format!("{fault} (`isolde agents` lists them all)"),
    })
}

/// Reads the name of an agent, or of another program, that takes part in a tournament.
pub(super) fn entrant(text: &str) -> Result<Entrant, String> {
    text.parse().map_err(|fault: UnknownEntrant| format!("{fault} (`isolde agents` lists them all)"))
}

/// Outside agents in the list.
const OUTSIDE: AgentEntry = AgentEntry {
    agent: "uci:<program>",
    source: "others",
    what: "another program that speaks UCI and knows joust, such as uci:fairy-stockfish; in tournaments only",
};

#[derive(Serialize)]
struct List {
    agents: Vec<AgentEntry>,
    heuristics: Vec<HeuristicRow>,
    /// What was measured, if anything was.
    measured: Option<Measured>,
}

#[derive(Serialize)]
struct HeuristicRow {
    #[serde(flatten)]
    entry: HeuristicEntry,
    keeps_win: Option<Shares>,
}

#[derive(Serialize)]
struct Measured {
    board: String,
    positions: u64,
    /// How many positions were to be measured.
    positions_wanted: u64,
    /// The positions in which some move loses.
    positions_with_choice: u64,
    random_move_keeps_win: Shares,
}

/// How often a choice keeps the win: in all positions, and in those in which some move loses.
#[derive(Serialize, Clone, Copy)]
struct Shares {
    of_all: Option<Share>,
    with_choice: Option<Share>,
}

impl From<Accuracy> for Shares {
    fn from(accuracy: Accuracy) -> Self {
        Self { of_all: accuracy.of_all.map(Share::from), with_choice: accuracy.with_choice.map(Share::from) }
    }
}

/// A share in percent, with its 95 % confidence interval.
#[derive(Serialize, Clone, Copy)]
struct Share {
    percent: f64,
    low: f64,
    high: f64,
}

impl From<Interval> for Share {
    fn from(interval: Interval) -> Self {
        let Interval { estimate, low, high } = interval.times(100.0);
        Self { percent: estimate, low, high }
    }
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    if !args.score.is_empty() {
        return score::run(args);
    }
    let measured = match &args.measure {
        Some(board) => {
            let size: Size = board.parse()?;
            Some((size, measured_on(args, size)?))
        }
        None => None,
    };
    let list = list(args, measured.as_ref());
    (if args.json { output::json(&list) } else { write_text(&list) })?;
    Ok(status(measured.is_none_or(|(_, measurement)| measurement.positions == args.positions)))
}

/// Measures all heuristics on a board, as far as the limits allow.
fn measured_on(args: &Args, size: Size) -> Result<Measurement, Failure> {
    if size.files().min(size.ranks()) < 3 || size.cells() < 12 {
        return Err(Failure::Input(format!("{size} is too small to measure on: take 3x4 or a larger board")));
    }
    let analyst = Analyst::new(args.limits.settings(size)?, &args.folders.tables(size)?)?;
    let control = args.limits.control();
    let heuristics: Vec<Heuristic> = Heuristic::all().collect();
    let parts = (args.positions as usize, "positions");
    Ok(watched(
        parts,
        &control,
        || analyst.filling(),
        |bar| measure(&analyst, &heuristics, args.positions, args.seed, &control, || bar.inc(1)),
    ))
}

fn list(args: &Args, measured: Option<&(Size, Measurement)>) -> List {
    let keeps_win = |heuristic: Heuristic| {
        let (_, measurement) = measured?;
        let (_, accuracy) = measurement.heuristics.iter().find(|(known, _)| *known == heuristic)?;
        Some(Shares::from(*accuracy))
    };
    let row = |heuristic: Heuristic| HeuristicRow { entry: heuristic.into(), keeps_win: keeps_win(heuristic) };
    let mut heuristics: Vec<HeuristicRow> = Heuristic::all().map(row).collect();
    let percent = |row: &HeuristicRow| row.keeps_win.and_then(|shares| shares.of_all).map_or(0.0, |share| share.percent);
    heuristics.sort_by(|a, b| percent(b).total_cmp(&percent(a)));
    List {
        agents: Catalogue::new().agents.into_iter().chain([OUTSIDE]).collect(),
        heuristics,
        measured: measured.map(|(size, measurement)| Measured {
            board: size.to_string(),
            positions: measurement.positions,
            positions_wanted: args.positions,
            positions_with_choice: measurement.with_choice,
            random_move_keeps_win: measurement.random_move.into(),
        }),
    }
}

fn write_text(list: &List) -> io::Result<()> {
    let mut out = output::answer();
    if let Some(measured) = &list.measured {
        let Measured { positions, positions_wanted, .. } = *measured;
        let wanted = if positions < positions_wanted { format!(" of {}", grouped(positions_wanted)) } else { String::new() };
        let head = format!(
            "{}{wanted} random positions of {} with a winning move: how often does the choice keep the win?",
            grouped(positions),
            measured.board
        );
        writeln!(out, "{}\n", styled(output::STRONG, head))?;
        let in_percent = |share: Share| format!("{:.1} % ({:.1} to {:.1})", share.percent, share.low, share.high);
        let share = |share: Option<Share>| share.map_or("none".to_string(), in_percent);
        let row =
            |name: &str, shares: Shares| format!("{name:<24} {:>24} {:>24}", share(shares.of_all), share(shares.with_choice));
        let some_lose = format!("the {} where some lose", grouped(measured.positions_with_choice));
        writeln!(out, "{}", styled(output::QUIET, format!("{:<24} {:>24} {some_lose:>24}", "choice", "in all, 95 %")))?;
        for heuristic in &list.heuristics {
            writeln!(out, "{}", heuristic.keeps_win.map(|shares| row(&heuristic.entry.heuristic, shares)).unwrap_or_default())?;
        }
        writeln!(out, "{}", row("a random move", measured.random_move_keeps_win))?;
        if positions < positions_wanted {
            writeln!(out)?;
            let why = "The work was stopped before the end, by --time or an interruption. Positions that were being solved \
                       then are left out. Those are often hard, so the figures of a short run lean towards easy positions.";
            paragraph(&mut out, "stopped", why)?;
        }
        return out.flush();
    }
    writeln!(out, "{}", styled(output::STRONG, "agents"))?;
    for AgentEntry { agent, source, what } in &list.agents {
        writeln!(out, "  {agent:<24} {what} {}", styled(output::QUIET, format!("({source})")))?;
    }
    writeln!(out, "\n{}", styled(output::STRONG, "heuristics"))?;
    for HeuristicEntry { heuristic, source, what } in list.heuristics.iter().map(|row| &row.entry) {
        writeln!(out, "  {heuristic:<24} {what} {}", styled(output::QUIET, format!("({source})")))?;
    }
    out.flush()
}
