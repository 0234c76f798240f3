//! `isolde tournament`: games between agents.

mod report;
mod text;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::folders::Folders;
use super::interruption::interruptible;
use super::limits::{Machine, status, time};
use super::move_limits::MoveLimits;
use super::openings::solve_openings;
use super::progress::told;
use super::{Failure, Status, agents, output};
use crate::analysis::Analyst;
use crate::arena::openings::{self, CannotChoose, Selection};
use crate::arena::outside::{OutsideError, Terms};
use crate::arena::published::{EXPERIMENTS, Experiment};
use crate::arena::{Entrant, Fixture, GamesFile, Judging, Plan, Record, Rules, SeatError, Seats, judge};
use crate::game::board::Size;
use crate::game::position::Position;
use crate::play::{Agent, Limit, Means};
use crate::solve::{Control, Question, Settings};
use crate::table::Tables;
use report::Report;

/// Let agents play each other, and report who is better
///
/// Each pair plays every opening twice, with the sides exchanged. After each game its positions are
/// solved as far as possible. So the report can say how many games the opening decided, and who
/// gave away a proven win. A crash, an illegal move or a late move forfeits the game.
///
/// With --nodes or --depth, the same seed and the same tables give the same games on every machine,
/// with any number of threads.
///
/// `uci:PROGRAM` is an outside agent: any program that speaks UCI and knows joust, such as
/// Fairy-Stockfish. It is a file, or a name on PATH, and may be followed by arguments; no shell
/// reads it. Each game has a process of its own, with one thread. It gets `go movetime`, `nodes` or
/// `depth`, and the clock runs from there to `bestmove`. It forfeits as all agents do. Whether it
/// plays the same games again is up to that program.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The board, such as 7x7
    #[arg(long, value_name = "BOARD", default_value = "7x7")]
    board: String,
    /// Who takes part, with commas between; `isolde agents` lists all, and uci:PROGRAM is another
    /// program
    #[arg(long, value_name = "AGENTS", value_delimiter = ',', required_unless_present = "reproduce")]
    #[arg(value_parser = agents::entrant)]
    agents: Vec<Entrant>,
    /// Opponents that every agent plays; the agents then do not play each other
    #[arg(long, value_name = "AGENTS", value_delimiter = ',', value_parser = agents::entrant)]
    against: Vec<Entrant>,
    /// Repeat the experiment of a published report: corners-report, reach-report, symmetry-report,
    /// attack-report or decay-report; --time and --matches may differ from the published ones
    #[arg(long, value_name = "REPORT", conflicts_with_all = ["agents", "against", "board", "openings"])]
    #[arg(value_parser = experiment)]
    reproduce: Option<Experiment>,
    /// Matches of two games for each pair; --openings all and classes give one match to each
    /// opening [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    matches: Option<u32>,
    /// Which openings: random, all, classes (one of each symmetry class), balanced (half won by the
    /// first player, half by the second), free (the agents place their knights themselves)
    #[arg(long, value_name = "WHICH", default_value = "random")]
    openings: Selection,
    /// Seed for the openings, and for agents that choose at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// By how much a move may exceed the time limit
    #[arg(long, value_name = "TIME", default_value = "20ms", value_parser = time)]
    grace: Duration,
    /// How long an outside agent may take to start, and to answer at all once its time for a move
    /// is over; then it is ended, and started anew [default: 10s; for a whole move with --nodes or
    /// --depth 1m]
    #[arg(long, value_name = "TIME", value_parser = time)]
    patience: Option<Duration>,
    /// Do not solve the positions of finished games
    #[arg(long)]
    no_judge: bool,
    /// Stop the whole tournament after this time, such as 10m, and report the games played by then
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Limits")]
    total_time: Option<Duration>,
    /// Save the games to a file, one record on each line
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Continue the tournament whose games are in the file
    #[arg(long, requires = "games")]
    resume: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    move_limits: MoveLimits,
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
  isolde tournament --agents best,AB_Improved --matches 1000 --total-time 10m
  isolde tournament --board 8x8 --agents best,AB_Improved,uci:fairy-stockfish --time 50ms
  isolde tournament --agents best --against \"uci:fairy-stockfish load variants.ini\"
  isolde tournament --agents best,AB_Improved --games games.jsonl            save the games
  isolde tournament --agents best,AB_Improved --games games.jsonl --resume   continue it

Finished games are reported, and saved with --games, however the tournament ends.
Exit codes: 0 played, 1 the system has refused threads, memory, a file or a process, 2 bad input, or
an outside agent that cannot play, 3 --total-time ran out, 130 interrupted.";

/// The default limit, which is that of the reports.
const TIME: Duration = Duration::from_millis(150);

/// The default number of matches.
const MATCHES: u32 = 10;

/// The default patience with outside agents.
const PATIENCE: Duration = Duration::from_secs(10);
const LONGEST_MOVE: Duration = Duration::from_secs(60);

fn experiment(text: &str) -> Result<Experiment, String> {
    let reports: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.report).collect();
    let known = EXPERIMENTS.iter().find(|experiment| experiment.report == text);
    known.copied().ok_or_else(|| format!("the reports are {}", reports.join(", ")))
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    if args.matches.is_some() && matches!(args.openings, Selection::All | Selection::Classes) {
        return Err(Failure::Input(format!("--openings {} gives one match to each opening: leave out --matches", args.openings)));
    }
    if args.reproduce.is_none() && args.against.is_empty() && args.agents.len() < 2 {
        return Err(Failure::Input(
            "a tournament needs two agents: name another in --agents, or opponents in --against".to_string(),
        ));
    }
    let size: Size = args.board.parse()?;
    let settings = args.machine.settings(size)?;
    let tables = args.folders.tables(size)?;
    let control = interruptible(Control::with_time(args.total_time));
    let rules = Rules { limit: args.move_limits.limit_or(TIME), grace: args.grace };
    let ours = |agents: Vec<Agent>| agents.into_iter().map(Entrant::from).collect();
    let plan = Plan {
        size,
        agents: args.reproduce.map_or_else(|| args.agents.clone(), |experiment| ours(experiment.agents())),
        field: args.reproduce.map_or_else(|| args.against.clone(), |experiment| ours(experiment.field())),
        openings: Vec::new(),
        rules,
        seed: args.seed,
    };
    let seats = seats(&plan, args, settings, &tables);
    // If the tournament was stopped meanwhile, its report says that no game was played.
    seats.check(&control).or_else(|fault| if fault.is_stopped() { Ok(()) } else { Err(fault) })?;
    let solved = || {
        let analyst = Analyst::new(settings, &tables)?;
        Ok::<_, Failure>(solve_openings(&analyst, &Position::empty(size), Question::Winner, settings, &control))
    };
    let matches = args.matches.or(args.reproduce.map(|experiment| experiment.matches)).unwrap_or(MATCHES);
    let openings = match openings::choose(args.openings, matches as usize, args.seed, size, solved) {
        Err(Failure::Input(sentence)) if control.is_stopped() => {
            output::fault(&sentence);
            return Ok(status(false));
        }
        chosen => chosen?,
    };
    let plan = Plan { openings, ..plan };
    let mut games = Vec::new();
    let ended = play_plan(&plan, args, settings, &tables, &seats, &control, &mut games);
    if ended.is_ok() || !games.is_empty() {
        let report = Report::new(&plan, &games, args.reproduce.as_ref());
        (if args.json { output::json(&report) } else { text::write(&report) })?;
    }
    ended?;
    Ok(status(games.len() == plan.fixtures().len()))
}

/// Where the entrants sit. What is wrong with an outside agent is found before the openings are
/// solved, which may take long.
fn seats(plan: &Plan, args: &Args, settings: Settings, tables: &Tables) -> Seats {
    let (_, each) = shares(settings, plan.rules.limit);
    let means = Means { settings: each, tables: tables.clone(), wants_line: false };
    let terms = Terms {
        size: plan.size,
        placing: args.openings == Selection::Free,
        hash: (each.memory >> 20).max(1),
        patience: args.patience.unwrap_or(PATIENCE),
        longest_move: args.patience.unwrap_or(LONGEST_MOVE),
    };
    Seats::new(plan, means, terms)
}

/// How many games run at a time, and the settings of each player and of the judge.
///
/// If the limit is not a time, the games must be the same on every machine. Each player then has
/// the same memory, however much --memory allows.
fn shares(settings: Settings, limit: Limit) -> (usize, Settings) {
    let threads = settings.threads.get();
    let (threads, memory) = match limit {
        Limit::Time(_) => (threads, settings.memory / (3 * threads as u64)),
        Limit::Nodes(_) | Limit::Depth(_) => (threads.min((settings.memory / (3 * MEMORY)).max(1) as usize), MEMORY),
    };
    (threads, Settings { memory, ..Settings::default() })
}

/// The memory of each player, and of the judge, if the limit is not a time.
const MEMORY: u64 = 16 << 20;

/// Plays the remaining games behind a progress bar, and collects all games. A failure ends the
/// tournament early; the games before it count.
fn play_plan(
    plan: &Plan,
    args: &Args,
    settings: Settings,
    tables: &Tables,
    seats: &Seats,
    control: &Arc<Control>,
    games: &mut Vec<(Fixture, Record)>,
) -> Result<(), Failure> {
    let judged = if args.no_judge { Judging::No } else { Judging::Yes };
    let mut games_file = args.games.as_deref().map(|file| GamesFile::open(file, plan, judged, args.resume)).transpose()?;
    games.extend(games_file.as_mut().map(GamesFile::take_played).unwrap_or_default());
    let played: HashSet<usize> = games.iter().map(|(fixture, _)| fixture.number).collect();
    let open: Vec<Fixture> = plan.fixtures().into_iter().filter(|fixture| !played.contains(&fixture.number)).collect();
    let (threads, each) = shares(settings, plan.rules.limit);
    let make = |entrant, seed| seats.seat(entrant, seed, control).map_err(Failure::from);
    let judge = |line: &_| if args.no_judge { Ok(None) } else { judge(line, each, tables, control).map(Some) };
    let all = (games.len() + open.len()) as u64;
    let result = told("games", control, |progress| {
        let done = |fixture: &Fixture, record: Record| {
            let written = games_file.as_mut().map_or(Ok(()), |games_file| games_file.write(fixture, &record));
            games.push((*fixture, record));
            progress(games.len() as u64, all, "");
            written.map_err(Failure::from)
        };
        plan.play_all(&open, threads, control, make, judge, done)
    });
    // After an interruption, this also writes the games that were waiting for an unfinished one.
    let written = games_file.map_or(Ok(()), |file| file.finish().map_err(Failure::from));
    games.sort_by_key(|(fixture, _)| fixture.number);
    result.and(written)
}

impl From<CannotChoose> for Failure {
    fn from(fault: CannotChoose) -> Self {
        Self::Input(fault.to_string())
    }
}

/// An outside agent that cannot play from the beginning.
impl From<OutsideError> for Failure {
    fn from(fault: OutsideError) -> Self {
        Self::Input(fault.to_string())
    }
}

/// An outside agent that could play before, and can no longer be started.
impl From<SeatError> for Failure {
    fn from(fault: SeatError) -> Self {
        match fault {
            SeatError::Ours(fault) => Self::Machine(fault),
            fault => Self::Files(fault.to_string()),
        }
    }
}
