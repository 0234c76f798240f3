//! `isolde tournament`: agents against each other.

mod journal;
mod report;
mod text;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::folders::{self, Folders};
use super::limits::{Machine, status, stopped_by_ctrl_c, time};
use super::openings::solve_openings;
use super::progress::told;
use super::thinking::Thinking;
use super::{Failure, Status, output, with_word_for};
use crate::arena::openings::{self, Selection};
use crate::arena::published::{EXPERIMENTS, Experiment};
use crate::arena::{Fixture, Plan, Record, Rules, judge};
use crate::board::{Board, Size};
use crate::cells::Word;
use crate::play::{Agent, Limit, Means};
use crate::solve::{Control, Settings, Solver};
use crate::table::Shelf;
use journal::{Journal, Judged};
use report::Report;

/// Let agents play each other, and say honestly who is better
///
/// Every opening is played twice by each pair, with sides exchanged. After each game its positions are solved, as far as that goes, so that the report can say how many games the openings decided, and
/// who gave away a proven win. A crash, an illegal move and a late one forfeit the game.
///
/// With --nodes or --depth the same seed and the same tables give the same games on every machine, with any number of threads.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The board, such as 7x7
    #[arg(long, value_name = "BOARD", default_value = "7x7")]
    board: String,
    /// Who takes part, with commas between; `isolde agents` lists all
    #[arg(long, value_name = "AGENTS", value_delimiter = ',', required_unless_present = "reproduce")]
    agents: Vec<Agent>,
    /// Opponents that each of them plays, instead of each other
    #[arg(long, value_name = "AGENTS", value_delimiter = ',')]
    against: Vec<Agent>,
    /// Play the experiment of a published report again: corners-report, reach-report, symmetry-report, attack-report or decay-report; --time and --matches may differ from what was published
    #[arg(long, value_name = "REPORT", conflicts_with_all = ["agents", "against", "board", "openings"], value_parser = experiment)]
    reproduce: Option<Experiment>,
    /// Matches of two games for each pair; with --openings all or classes there are as many as there are openings [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    matches: Option<u32>,
    /// Which openings: random, all, classes (one of all that are images of each other), balanced (as many won for the first player as for the second), free (the agents place their knights themselves)
    #[arg(long, value_name = "WHICH", default_value = "random")]
    openings: Selection,
    /// What chance depends on
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How much later than the time limit a move may come
    #[arg(long, value_name = "TIME", default_value = "20ms", value_parser = time)]
    grace: Duration,
    /// Do not solve the games' positions afterwards
    #[arg(long)]
    no_judge: bool,
    /// Save the games in a file, one record a line
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Go on with the tournament whose games are in the file
    #[arg(long, requires = "games")]
    resume: bool,
    /// Write the report as data
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    thinking: Thinking,
    #[command(flatten)]
    machine: Machine,
    #[command(flatten)]
    folders: Folders,
}

const EXAMPLES: &str = "\
Examples:
  isolde tournament --board 7x7 --agents AB_Improved,AB_next_moves,best --matches 50 --time 150ms
  isolde tournament --agents best --against AB_Improved,AB_bfs --openings classes --time 10ms
  isolde tournament --board 6x6 --agents AB_Open,AB_bfs --depth 6 --openings balanced --json
  isolde tournament --reproduce corners-report --time 10ms
  isolde tournament --agents best,AB_Improved --games games.jsonl            save the games
  isolde tournament --agents best,AB_Improved --games games.jsonl --resume   go on after an interruption

Exit codes: 0 played, 2 bad input, 130 interrupted (what was played is told, and saved with --games).";

/// The limit, unless another is set: that of the reports.
const TIME: Duration = Duration::from_millis(150);

/// Matches, unless their number is set.
const MATCHES: u32 = 10;

fn experiment(text: &str) -> Result<Experiment, String> {
    let reports: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.report).collect();
    let known = EXPERIMENTS.iter().find(|experiment| experiment.report == text);
    known.copied().ok_or_else(|| format!("the reports are {}", reports.join(", ")))
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    if args.matches.is_some() && matches!(args.openings, Selection::All | Selection::Classes) {
        return Err(Failure::Input(format!(
            "--openings {} has as many matches as there are openings: leave out --matches",
            args.openings
        )));
    }
    if args.reproduce.is_none() && args.against.is_empty() && args.agents.len() < 2 {
        return Err(Failure::Input(
            "a tournament needs two agents: name another one in --agents, or opponents in --against".to_string(),
        ));
    }
    let size: Size = args.board.parse()?;
    with_word_for!(size, play(args, size))
}

fn play<W: Word>(args: &Args, size: Size) -> Result<Status, Failure> {
    let settings = args.machine.settings::<W>(size)?;
    let shelf = Arc::new(Shelf::<W>::open(size, &args.folders.list()?));
    folders::warn_of(shelf.take_faults());
    let control = stopped_by_ctrl_c(Control::unlimited());
    let solved = || {
        let solver = Solver::new(size, settings).map_err(|fault| fault.to_string())?;
        Ok(solve_openings(&solver.with_source(Arc::<Shelf<W>>::clone(&shelf)), settings, &control))
    };
    let matches = args.matches.or(args.reproduce.map(|experiment| experiment.matches)).unwrap_or(MATCHES);
    let openings = openings::choose(args.openings, matches as usize, args.seed, &Board::<W>::new(size), solved);
    let rules = Rules { limit: args.thinking.limit_or(TIME), grace: args.grace };
    let plan = Plan {
        size,
        agents: args.reproduce.map_or_else(|| args.agents.clone(), |experiment| experiment.agents()),
        field: args.reproduce.map_or_else(|| args.against.clone(), |experiment| experiment.field()),
        openings: openings.map_err(Failure::Input)?,
        rules,
        seed: args.seed,
    };
    let games = play_plan(&plan, args, settings, &shelf, &control)?;
    let report = Report::new(&plan, &games, args.reproduce.as_ref());
    (if args.json { output::json(&report) } else { text::write(&report) })?;
    Ok(status(games.len() == plan.fixtures().len()))
}

/// How many games at a time, and what each player and the judge may use.
///
/// Where the limit is no time, the games must not depend on the machine, and so not on what others leave of its memory.
fn shares(settings: Settings, limit: Limit) -> (usize, Settings) {
    let threads = settings.threads.get();
    let (threads, memory) = match limit {
        Limit::Time(_) => (threads, settings.memory / (3 * threads as u64)),
        Limit::Nodes(_) | Limit::Depth(_) => (threads.min((settings.memory / (3 * MEMORY)).max(1) as usize), MEMORY),
    };
    (threads, Settings { memory, ..Settings::default() })
}

/// The memory of each player, and of the judge, where the limit is no time.
const MEMORY: u64 = 16 << 20;

/// Plays what is still to be played, while a bar shows how it goes.
fn play_plan<W: Word>(
    plan: &Plan,
    args: &Args,
    settings: Settings,
    shelf: &Arc<Shelf<W>>,
    control: &Arc<Control>,
) -> Result<Vec<(Fixture, Record)>, Failure> {
    let judged = if args.no_judge { Judged::No } else { Judged::Yes };
    let mut journal = args.games.as_deref().map(|file| Journal::open(file, plan, judged, args.resume)).transpose()?;
    let mut games = journal.as_mut().map(Journal::take_played).unwrap_or_default();
    let played: HashSet<usize> = games.iter().map(|(fixture, _)| fixture.number).collect();
    let open: Vec<Fixture> = plan.fixtures().into_iter().filter(|fixture| !played.contains(&fixture.number)).collect();
    let (threads, each) = shares(settings, plan.rules.limit);
    let means = Means { size: plan.size, settings: each, shelf: Arc::clone(shelf), tells_line: false };
    let entrants = plan.entrants();
    let make = |entrant: usize, seed| entrants[entrant].thinker(&means, seed);
    let judge = |line: &_| if args.no_judge { Ok(None) } else { judge(line, each, shelf).map(Some) };
    let all = (games.len() + open.len()) as u64;
    let result = told("games", |tell| {
        let done = |fixture: &Fixture, record: Record| {
            if let Some(journal) = &mut journal {
                journal.write(fixture, &record)?;
            }
            games.push((*fixture, record));
            tell(games.len() as u64, all, "");
            Ok::<(), Failure>(())
        };
        plan.play_all(&open, threads, control, make, judge, done)
    });
    // Games that were played behind one that was not, too.
    journal.map_or(Ok(()), Journal::finish).and(result)?;
    games.sort_by_key(|(fixture, _)| fixture.number);
    Ok(games)
}
