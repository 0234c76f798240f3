//! `isolde agents`: who can play, and what they believe in.

use std::io::{self, Write};

use serde::Serialize;

use super::folders::{self, Folders};
use super::limits::{Limits, status};
use super::output::{self, grouped, styled};
use super::progress::watched;
use super::{Failure, Status, with_word_for};
use crate::arena::keeping::{Keeping, Kept, measure};
use crate::arena::statistics::Interval;
use crate::board::Size;
use crate::cells::Word;
use crate::play::heuristics::Heuristic;
use crate::solve::Solver;
use crate::table::Shelf;

/// List the agents and the heuristics
///
/// With --measure, beside each heuristic: in what share of random positions with a winning move its choice, looking one ply ahead, keeps the win: of all, and of those in which some move loses. Every move of these positions is solved for that.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Measure the heuristics on this board
    #[arg(long, value_name = "BOARD")]
    measure: Option<String>,
    /// On so many positions
    #[arg(long, value_name = "N", default_value_t = 2000, requires = "measure", value_parser = clap::value_parser!(u64).range(30..=1_000_000))]
    positions: u64,
    /// What chance depends on
    #[arg(long, value_name = "N", default_value_t = 0, requires = "measure")]
    seed: u64,
    /// Write the same as data
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
  isolde agents --measure 6x6 --positions 5000";

/// The agents, with what stands for a heuristic's name in angle brackets.
const AGENTS: [(&str, &str, &str); 7] = [
    ("best", "Isolde", "proof where there is one, and where there is none a lookahead that knows what is proven"),
    ("perfect", "Isolde", "proof alone; says so when there is none within the limit"),
    ("Random", "all", "any move"),
    ("MM_<heuristic>", "all", "looks three plies ahead, whatever the time; the choice of minimax, found by alpha-beta"),
    ("AB_<heuristic>", "all", "alpha-beta by iterative deepening, as far as the time allows, the last best move first"),
    ("ID_<heuristic>", "reach-report, decay-report", "the same by another name"),
    (
        "AB_<heuristic>@<order>",
        "symmetry-report",
        "the same with moves in another order: as-they-come, or by-scores of the last iteration",
    ),
];

#[derive(Serialize)]
struct List {
    agents: Vec<AgentRow>,
    heuristics: Vec<HeuristicRow>,
    /// What was measured, on which board.
    measured: Option<Measured>,
}

#[derive(Serialize)]
struct AgentRow {
    agent: &'static str,
    source: &'static str,
    what: &'static str,
}

#[derive(Serialize)]
struct HeuristicRow {
    heuristic: String,
    source: &'static str,
    what: &'static str,
    keeps_win: Option<Shares>,
}

#[derive(Serialize)]
struct Measured {
    board: String,
    positions: u64,
    /// Those in which some move loses.
    positions_with_choice: u64,
    random_move_keeps_win: Shares,
}

/// How often a win is kept: in all positions, and in those in which some move loses.
#[derive(Serialize, Clone, Copy)]
struct Shares {
    of_all: Share,
    with_choice: Option<Share>,
}

impl From<Kept> for Shares {
    fn from(kept: Kept) -> Self {
        Self { of_all: kept.of_all.into(), with_choice: kept.with_choice.map(Share::from) }
    }
}

/// In percent, with its 95 % interval.
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
    let measured = match &args.measure {
        Some(board) => {
            let size: Size = board.parse()?;
            match with_word_for!(size, keeping(args, size))? {
                Some(keeping) => Some((size, keeping)),
                None => return Ok(status(false)),
            }
        }
        None => None,
    };
    let list = list(args, measured.as_ref());
    (if args.json { output::json(&list) } else { write_text(&list) })?;
    Ok(Status::Answered)
}

fn keeping<W: Word>(args: &Args, size: Size) -> Result<Option<Keeping>, Failure> {
    if size.files().min(size.ranks()) < 3 || size.cells() < 12 {
        return Err(Failure::Input(format!("{size} is too small to measure anything: take 3x4 or more")));
    }
    let shelf = Shelf::<W>::open(size, &args.folders.list()?);
    folders::warn_of(shelf.take_faults());
    let solver = Solver::new(size, args.limits.settings::<W>(size)?)?.with_source(std::sync::Arc::new(shelf));
    let control = args.limits.control();
    let heuristics: Vec<Heuristic> = Heuristic::all().collect();
    let parts = (args.positions as usize, "positions");
    let measured = watched(
        parts,
        &control,
        || solver.filling(),
        |bar| measure(&solver, &heuristics, args.positions, args.seed, &control, || bar.inc(1)),
    );
    Ok(measured.ok())
}

fn list(args: &Args, measured: Option<&(Size, Keeping)>) -> List {
    let keeps = |heuristic: Heuristic| {
        let (_, keeping) = measured?;
        keeping.by_formula.iter().find(|(known, _)| *known == heuristic).map(|(_, kept)| Shares::from(*kept))
    };
    let row = |heuristic: Heuristic| HeuristicRow {
        heuristic: heuristic.to_string(),
        source: heuristic.source(),
        what: heuristic.what(),
        keeps_win: keeps(heuristic),
    };
    let mut heuristics: Vec<HeuristicRow> = Heuristic::all().map(row).collect();
    let percent = |row: &HeuristicRow| row.keeps_win.map_or(0.0, |shares| shares.of_all.percent);
    heuristics.sort_by(|a, b| percent(b).total_cmp(&percent(a)));
    List {
        agents: AGENTS.into_iter().map(|(agent, source, what)| AgentRow { agent, source, what }).collect(),
        heuristics,
        measured: measured.map(|(size, keeping)| Measured {
            board: size.to_string(),
            positions: args.positions,
            positions_with_choice: keeping.with_choice,
            random_move_keeps_win: keeping.by_chance.into(),
        }),
    }
}

fn write_text(list: &List) -> io::Result<()> {
    let mut out = output::answer();
    if let Some(measured) = &list.measured {
        let positions = grouped(measured.positions);
        let head = format!(
            "{positions} random positions of {} with a winning move: how often does the choice keep the win?",
            measured.board
        );
        writeln!(out, "{}\n", styled(output::STRONG, head))?;
        let share = |share: Share| format!("{:.1} % ({:.1} to {:.1})", share.percent, share.low, share.high);
        let row = |name: &str, shares: Shares| {
            format!("{name:<24} {:>24} {:>24}", share(shares.of_all), shares.with_choice.map_or("too few".to_string(), share))
        };
        let some_lose = format!("the {} where some lose", grouped(measured.positions_with_choice));
        writeln!(out, "{}", styled(output::QUIET, format!("{:<24} {:>24} {some_lose:>24}", "choice", "in all, 95 %")))?;
        for heuristic in &list.heuristics {
            writeln!(out, "{}", heuristic.keeps_win.map(|shares| row(&heuristic.heuristic, shares)).unwrap_or_default())?;
        }
        writeln!(out, "{}", row("a random move", measured.random_move_keeps_win))?;
        return out.flush();
    }
    writeln!(out, "{}", styled(output::STRONG, "agents"))?;
    for AgentRow { agent, source, what } in &list.agents {
        writeln!(out, "  {agent:<24} {what} {}", styled(output::QUIET, format!("({source})")))?;
    }
    writeln!(out, "\n{}", styled(output::STRONG, "heuristics"))?;
    for HeuristicRow { heuristic, source, what, .. } in &list.heuristics {
        writeln!(out, "  {heuristic:<24} {what} {}", styled(output::QUIET, format!("({source})")))?;
    }
    out.flush()
}
