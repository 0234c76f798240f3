//! `isolde table build`: proves what a table will hold, and writes it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytesize::ByteSize;

use super::info;
use crate::board::{Board, Size};
use crate::cells::{Cells, Word};
use crate::cli::limits::{Limits, status};
use crate::cli::output::{self, grouped};
use crate::cli::placements::Placements;
use crate::cli::progress::told;
use crate::cli::solve::expected_if_long;
use crate::cli::{Failure, Status, with_word_for};
use crate::duel::Duel;
use crate::position::{Player, Position};
use crate::solve::{
    Control, Enumeration, EnumerationError, EnumerationPhase, Journal, JournalError, Notes, Settings, Solver, StrategyError,
    StrategyLimits, default_depth, expected_positions, opening_classes,
};
use crate::table::{Coverage, EXTENSION, Error, Kind, Plan, Proven, Work, write};

/// Prove what is asked of a board, and write it to a table
///
/// An *opening table*: every opening with its winner, and below it the winner's strategy: its move in every position that can come up against it, as long as more
/// than --depth cells are live; what is left then is solved at once.
///
/// A *strong table*: every position that the openings lead to, up to symmetry and dead cells, with its outcome.
///
/// Until it is finished, a table is made in a folder beside it that ends with `.part`. A build that was cut short, however suddenly, goes on from there when
/// the same command is given again, and ends with the same bytes.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The board, such as 7x7
    board: String,
    /// Every position with its outcome, instead of openings and strategies
    #[arg(long)]
    strong: bool,
    /// The winner's strategies go down to so many live cells [default: as many as are solved at once, 42 on 7x7]
    #[arg(long, value_name = "CELLS", conflicts_with = "strong")]
    depth: Option<usize>,
    #[command(flatten)]
    placements: Placements,
    /// The table to be written [default: tables/BOARD-KIND.isolde, with the placements if there are any]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the table if it exists
    #[arg(long)]
    force: bool,
    /// How often the work on a strong table is made safe, at most 30s; that on an opening table is at once, as soon as something is proven
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = checkpoint)]
    checkpoint: Duration,
    /// Write what was made as data
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: Limits,
}

const EXAMPLES: &str = "\
Examples:
  isolde table build 5x5 --strong                   every position of 5x5
  isolde table build 7x7                            every opening of 7x7, and how its winner wins
  isolde table build 7x7 --depth 40                 the same, further down
  isolde table build 8x8 --opening \"d4 f5\" --output 8x8-d4f5.isolde

Exit codes: 0 written, 1 failed, 2 bad input, 3 not finished within --time, 130 interrupted: the same command goes on.";

fn checkpoint(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).ok().filter(|time| *time <= Duration::from_secs(30));
    time.ok_or_else(|| "write a time of at most 30s, such as 500ms or 20s".to_string())
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let size: Size = args.board.parse()?;
    if args.strong {
        return strong(args, size);
    }
    with_word_for!(size, opening(args, size))
}

/// The openings that were asked for, one of each class.
fn openings<W: Word>(args: &Args, size: Size) -> Result<Vec<Duel<W>>, Failure> {
    let position = args.placements.after(Position::<W>::empty(size))?;
    let board = position.board();
    if let Some(duel) = position.duel() {
        return Ok(vec![duel]);
    }
    let first = position.knight(Player::First).map_or(board.cells(), Cells::only);
    let classes = opening_classes(board, board.cells(), first);
    Ok(classes.iter().map(|class| class.representative().duel(board.cells())).collect())
}

/// The command that makes this table, the same however it was typed.
fn command(args: &Args, size: Size, option: &str) -> String {
    let placed = match (&args.placements.first, &args.placements.opening) {
        (Some(first), _) => format!(" --first {}", cells(first).join(" ")),
        (_, Some(opening)) => format!(" --opening \"{}\"", cells(opening).join(" ")),
        _ => String::new(),
    };
    format!("isolde table build {size}{option}{placed}")
}

/// The cells that an option names; that they are cells of the board was found out before.
fn cells(option: &str) -> Vec<&str> {
    option.split_whitespace().collect()
}

/// Begins the work on the table, or goes on with it.
fn begin(args: &Args, size: Size, kind: Kind, task: &str) -> Result<Work, Failure> {
    let placed = args.placements.first.as_ref().or(args.placements.opening.as_ref());
    let placed = placed.map(|option| format!("{}-", cells(option).concat())).unwrap_or_default();
    let usual = || Path::new("tables").join(format!("{size}-{placed}{kind}.{EXTENSION}"));
    let target = args.output.clone().unwrap_or_else(usual);
    let work = Work::begin(&target, args.force, task)?;
    if target.extension().is_none_or(|extension| extension != EXTENSION) {
        output::warning(&format!(
            "{} will not be found by `isolde query`: names of tables end with .{EXTENSION}",
            target.display()
        ));
    }
    Ok(work)
}

/// Writes the proven entries and gives the table its name.
fn finish<W: Word, I: Iterator<Item = (Duel<W>, Proven)>>(
    args: &Args,
    work: Work,
    plan: &Plan,
    (count, entries): (u64, impl Fn() -> I),
    control: &Control,
) -> Result<Status, Failure> {
    let (finished, beside) = (work.file("table"), work.file("directory"));
    let written = told("entries", |tell| {
        // They are gone through twice.
        let gone = AtomicU64::new(0);
        let counting = |_: &_| {
            let gone = gone.fetch_add(1, Ordering::Relaxed);
            if gone.is_multiple_of(1 << 16) {
                tell(gone / 2, count, "writing the table");
            }
        };
        write(plan, || entries().inspect(counting), &finished, &beside, &|| !control.is_stopped())
    });
    match written {
        Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::Interrupted => return Ok(unfinished(&work)),
        written => written?,
    }
    let target = work.target().to_path_buf();
    work.publish(&finished)?;
    info::tell::<W>(&target, args.json)
}

/// Says how to go on.
fn unfinished(work: &Work) -> Status {
    let folder = work.folder().display();
    output::warning(&format!("not finished: the same command goes on from {folder}"));
    status(false)
}

fn strong(args: &Args, size: Size) -> Result<Status, Failure> {
    if size.cells() > Enumeration::MOST_CELLS {
        let most = Enumeration::MOST_CELLS;
        return Err(Failure::Input(format!("{size} has {} cells: strong tables are for boards of up to {most}", size.cells())));
    }
    let openings = openings::<u64>(args, size)?;
    let settings = args.limits.settings::<u64>(size)?;
    let board = Board::<u64>::new(size);
    let plan = Plan {
        size,
        kind: Kind::Strong,
        depth: 0,
        command: command(args, size, " --strong"),
        coverage: Coverage::of(&board, &openings),
    };
    let work = begin(args, size, Kind::Strong, &plan.command)?;
    // The estimate is for all openings.
    let expected = if plan.coverage == Coverage::All { expected_positions(size) } else { 0.0 };
    warn_if_large(size, expected, settings.threads.get());
    let control = args.limits.control();
    let found = told("positions", |tell| {
        let enumeration = Enumeration::new(size, &openings, settings, work.folder())?.with_checkpoints(args.checkpoint);
        enumeration.run(&control, &|progress| match progress.phase {
            EnumerationPhase::Finding => tell(progress.expanded, progress.found.max(expected as u64), "finding all positions"),
            EnumerationPhase::Deciding => tell(progress.decided, progress.found, "deciding them"),
        })
    });
    let found = match found {
        Err(EnumerationError::Stopped) => return Ok(unfinished(&work)),
        Err(fault @ EnumerationError::Io { .. }) => return Err(Failure::Files(kept(&fault.to_string(), &work))),
        Err(fault) => return Err(Failure::Files(format!("{}: {fault}", work.folder().display()))),
        Ok(found) => found,
    };
    let entries = || found.entries().map(|(duel, outcome)| (duel, Proven::Outcome(outcome)));
    finish(args, work, &plan, (found.len() as u64, entries), &control)
}

/// A fault, and what is left of the work.
fn kept(fault: &str, work: &Work) -> String {
    format!("{fault}; what was proven until then is kept in {}, and the same command goes on from there", work.folder().display())
}

/// From this many positions on, nobody should wait without knowing for how long.
const MANY_POSITIONS: f64 = 2e7;
/// Positions that one thread finds and decides in a second: those of 5x6 took two threads 128 seconds. And bytes that one takes on disk until the
/// table is written: nine in the files of keys and values, and about as many in runs that wait to be merged.
const POSITIONS_A_SECOND: f64 = 5e5;
const BYTES_A_POSITION: f64 = 20.0;

fn warn_if_large(size: Size, positions: f64, threads: usize) {
    if positions < MANY_POSITIONS {
        return;
    }
    let seconds = positions / POSITIONS_A_SECOND / threads as f64;
    let room = ByteSize((positions * BYTES_A_POSITION).min(1e18) as u64);
    let rounded = 10_f64.powf(positions.log10().floor() - 1.0);
    let positions = grouped(((positions / rounded).round() * rounded) as u64);
    let time = output::roughly(seconds);
    output::warning(&format!(
        "{size} has about {positions} positions: expect {time} and {room} of disk on the way; Ctrl-C stops, the same command goes on"
    ));
}

fn opening<W: Word>(args: &Args, size: Size) -> Result<Status, Failure> {
    let openings = openings::<W>(args, size)?;
    let most = size.cells().saturating_sub(2);
    let depth = args.depth.unwrap_or_else(|| default_depth(size));
    if depth > most {
        return Err(Failure::Input(format!("--depth {depth} is too large: after the placements {size} has {most} free cells")));
    }
    let settings = args.limits.settings::<W>(size)?;
    let board = Board::<W>::new(size);
    let plan = Plan {
        size,
        kind: Kind::Opening,
        depth: depth as u8,
        command: command(args, size, &format!(" --depth {depth}")),
        coverage: Coverage::of(&board, &openings),
    };
    // What is in the journal holds for every depth.
    let work = begin(args, size, Kind::Opening, &command(args, size, ""))?;
    if let Some(expected) = expected_if_long(openings.len(), size.cells(), settings.threads.get()) {
        let classes = grouped(openings.len() as u64);
        output::warning(&format!(
            "{size}: {classes} {} of openings may take {expected}, and their strategies several times that; Ctrl-C stops, the same command goes on",
            output::plural(openings.len(), "class")
        ));
    }
    let control = args.limits.control();
    let for_strategy = settings.memory / 4;
    let solver = Solver::<W>::new(size, Settings { memory: settings.memory - for_strategy, ..settings })?;
    let refused = |fault: JournalError| Failure::Files(fault.to_string());
    let journal = Journal::open(&work.file("journal"), &board).map_err(refused)?;
    let solver = solver.with_source(Arc::new(Notes::open(&work.file("notes"), &board).map_err(refused)?));
    let limits = StrategyLimits { depth, memory: for_strategy };
    let strategy = told("positions", |tell| {
        solver.strategy(&openings, limits, Some(journal), &control, |progress| {
            let doing = format!("{} nodes, positions with {} live cells", grouped(control.nodes()), progress.live);
            tell((progress.above + progress.decided) as u64, (progress.above + progress.of) as u64, &doing);
        })
    });
    let strategy = match strategy {
        Err(StrategyError::Stopped) => return Ok(unfinished(&work)),
        Err(fault @ StrategyError::Journal(_)) => return Err(Failure::Files(kept(&fault.to_string(), &work))),
        Err(fault) => return Err(Failure::Files(fault.to_string())),
        Ok(strategy) => strategy,
    };
    let entries = || strategy.iter().map(|&(duel, choice)| (duel, choice.into()));
    finish(args, work, &plan, (strategy.len() as u64, entries), &control)
}
