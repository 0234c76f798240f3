//! `isolde table build`: proves what a table will hold, and writes it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytesize::ByteSize;

use super::{finish, info};
use crate::build::{Build, BuildRequest, Contents, Estimate, Scope, parse_openings};
use crate::cli::interruption::interruptible;
use crate::cli::limits::{Limits, TIME_AFTER_RESUMING, checkpoint};
use crate::cli::openings::MANY_SECONDS;
use crate::cli::output::{self, grouped};
use crate::cli::placements::Placements;
use crate::cli::{Failure, Status};
use crate::game::board::Size;
use crate::game::notation::{Line, Written, cell_name};
use crate::game::position::{Player, Position};
use crate::solve::{Control, Opening};
use crate::table::EXTENSION;

/// Prove what is asked about a board, and write it to a table
///
/// An *opening table* holds every opening with its winner, and the winner's strategy below it: the
/// winner's move in every position that can arise against it, as long as more than --depth cells
/// are live. What is left then is solved at once.
///
/// A *strong table* holds every position that the openings lead to, up to symmetry and dead cells,
/// with its outcome.
///
/// Until it is finished, a table is made in a folder beside it whose name ends with `.part`. If a
/// build is interrupted, however suddenly, the same command continues from there and ends with the
/// same bytes. Before a table gets its name, its form is checked; `isolde table verify` also checks
/// every entry.
///
/// --memory is for positions that wait and for the search. The files of a strong build are mapped
/// into memory on top of that: while there is room, the system keeps their pages, and the program
/// seems to use as much memory as they are large. The system takes the pages back when it needs
/// them.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("time", |time| time.help(TIME_AFTER_RESUMING)))]
pub(super) struct Args {
    /// The board, such as 7x7
    board: String,
    /// Every position with its outcome, instead of openings and strategies
    #[arg(long)]
    strong: bool,
    /// Strategies end at positions with this many live cells [default: as many as a search solves
    /// at once, 42 on 7x7]
    #[arg(long, value_name = "CELLS", conflicts_with = "strong")]
    depth: Option<usize>,
    #[command(flatten)]
    placements: Placements,
    /// Only these openings, such as "d4 b3, a1 c2"
    #[arg(long, value_name = "OPENINGS", conflicts_with_all = ["first", "opening"], requires = "output")]
    openings: Option<String>,
    /// A move for the winner to try before all others: the placements and moves that lead to it,
    /// such as "c2 a8 a1". May be repeated
    ///
    /// In a few openings the move that is usually tried first is very hard to refute. Unfinished
    /// work continues with other tries, too.
    #[arg(long = "try", value_name = "CELLS", conflicts_with = "strong")]
    tries: Vec<String>,
    /// The table to write [default: tables/BOARD-KIND.isolde, with the placements if there are any]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the table if it exists
    #[arg(long)]
    force: bool,
    /// How often the work on a strong table is saved, at most 30s. Work on an opening table is
    /// saved as soon as something is proven
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = checkpoint)]
    checkpoint: Duration,
    /// Write a description of the table as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: Limits,
}

const EXAMPLES: &str = "\
Examples:
  isolde table build 5x5 --strong                   every position of 5x5
  isolde table build 7x7                            every opening of 7x7, and how its winner wins
  isolde table build 7x7 --depth 40                 the same, with longer strategies
  isolde table build 8x8 --opening \"d4 f5\" --output 8x8-d4f5.isolde

Exit codes: 0 written, 1 failed, 2 bad input, 3 not finished within --time, 130 interrupted.
After 3 and 130 the same command continues.";

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let size: Size = args.board.parse()?;
    let placed = args.placements.after(Written::Line(Line::new(size)))?.position().clone();
    let contents = match args.strong {
        true => Contents::Strong { checkpoint: args.checkpoint },
        false => Contents::Opening { depth: args.depth },
    };
    let openings = args.openings.as_deref().map(|openings| parse_openings(size, openings));
    let openings = openings.transpose().map_err(|fault| Failure::Input(format!("--openings: {fault}")))?;
    let request = BuildRequest {
        size,
        contents,
        scope: openings.map_or_else(|| scope(&placed), Scope::Openings),
        tries: args.tries.iter().map(|cells| format!("{size}: {cells}").parse()).collect::<Result<_, _>>()?,
        target: PathBuf::new(),
        replace: args.force,
        settings: args.limits.settings(size)?,
    };
    let target = match &args.output {
        Some(output) => output.clone(),
        None => {
            let target = usual_target(&request, &placed);
            let folder = target.parent().unwrap_or(Path::new("."));
            let refused = |fault| Failure::Files(format!("cannot create the folder {}: {fault}", folder.display()));
            fs::create_dir_all(folder).map_err(refused)?;
            target
        }
    };
    let build = Build::begin(BuildRequest { target, ..request })?.with_time(args.limits.time());
    warn(&build);
    let control = interruptible(Control::unlimited());
    let shown = control.part(args.limits.time());
    let completion = super::told_progress(&shown, |progress| build.run(&control, progress))?;
    finish(completion, |table| info::tell(table, args.json))
}

/// The openings that begin with these placements.
fn scope(placed: &Position) -> Scope {
    match (placed.knight(Player::First), placed.knight(Player::Second)) {
        (Some(first), Some(second)) => Scope::Openings(vec![Opening { first, second }]),
        (Some(first), None) => Scope::First(first),
        (None, _) => Scope::All,
    }
}

/// The path of a table that was not given one.
fn usual_target(request: &BuildRequest, placed: &Position) -> PathBuf {
    let knights = Player::BOTH.iter().filter_map(|&player| placed.knight(player));
    let cells: String = knights.map(|cell| cell_name(request.size, cell)).collect();
    let placed = if cells.is_empty() { cells } else { format!("{cells}-") };
    Path::new("tables").join(format!("{}-{placed}{}.{EXTENSION}", request.size, request.kind()))
}

/// From this many positions on, a person should know how long to wait.
const MANY_POSITIONS: f64 = 2e7;

/// Warns of a table that will not be found, and of work that takes long.
fn warn(build: &Build) {
    let (target, size) = (&build.request().target, build.request().size);
    if target.extension().is_none_or(|extension| extension != EXTENSION) {
        output::warning(&format!("`isolde query` will not find {}: the names of tables end with .{EXTENSION}", target.display()));
    }
    match build.estimate() {
        Some(Estimate::Strong { positions, seconds, bytes }) if positions >= MANY_POSITIONS => {
            let room = ByteSize(bytes.min(1e18) as u64);
            let rounded = 10_f64.powf(positions.log10().floor() - 1.0);
            let positions = grouped(((positions / rounded).round() * rounded) as u64);
            let time = output::roughly(seconds);
            output::warning(&format!(
                "{size} has about {positions} positions: expect {time} and {room} of temporary files; \
                 Ctrl-C stops, the same command continues"
            ));
        }
        Some(Estimate::Opening { classes, seconds }) if seconds >= MANY_SECONDS => {
            let (count, noun) = (grouped(classes as u64), output::plural(classes, "class"));
            let time = output::roughly(seconds);
            output::warning(&format!(
                "{size}: {count} {noun} of openings may take {time}, and their strategies several times as long; \
                 Ctrl-C stops, the same command continues"
            ));
        }
        _ => {}
    }
}
