//! `isolde verify parity`: the colour law on one board.

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use super::Common;
use crate::analysis::{ByMirror, JudgedClass, Openings};
use crate::cli::limits::status;
use crate::cli::openings::{Winner, solve_openings, table_names, write_colours};
use crate::cli::output::{self, fact, grouped, plural, styled, write_headline};
use crate::cli::{Failure, Status};
use crate::game::board::Size;
use crate::game::notation::cell_name;
use crate::game::position::{Player, Position};
use crate::solve::Question;

/// Does the player to move win exactly when both knights stand on one colour?
///
/// Solves all openings of a board, or reads them from a table. Counts how many openings on one
/// colour and on two colours each player wins, and lists every exception to the colour law, one
/// for all its images, with the mirror that explains it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The board, such as 5x7
    board: String,
    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = "\
Examples:
  isolde verify parity 5x7
  isolde verify parity 7x7 --json
  isolde verify parity 7x8 --time 10m

Exit codes: 0 every opening is proven, whether or not the law holds; 2 bad input,
3 not all proven within the limits, 130 interrupted.";

#[derive(Serialize)]
struct Report {
    board: String,
    /// `holds`, `exceptions` or `unknown`.
    verdict: &'static str,
    one_colour: Counts,
    two_colours: Counts,
    exceptions: Vec<Exception>,
    /// The openings whose winners come from tables; those of all others were searched for now.
    from_tables: usize,
    /// The tables that were used.
    tables: Vec<String>,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Counts {
    first_wins: u64,
    second_wins: u64,
    unknown: u64,
}

/// An opening that breaks the law, with its images.
#[derive(Serialize)]
struct Exception {
    first: String,
    second: String,
    /// The number of openings, images included.
    openings: usize,
    winner: Winner,
    /// The mirror that decides them, and the move after which it does. The move is `None` if the
    /// mirror decides at once.
    mirror: Option<&'static str>,
    after: Option<String>,
    #[serde(skip)]
    why: String,
}

impl Exception {
    fn new(size: Size, judged: &JudgedClass) -> Self {
        let opening = judged.class.representative();
        let (mirror, after) = match judged.mirror {
            Some(ByMirror::AtOnce(mirror)) => (Some(mirror.name()), None),
            Some(ByMirror::After(to, mirror)) => (Some(mirror.name()), Some(cell_name(size, to))),
            None => (None, None),
        };
        Self {
            first: cell_name(size, opening.first),
            second: cell_name(size, opening.second),
            openings: judged.class.members.len(),
            winner: Winner(judged.winner()),
            mirror,
            after,
            why: judged.mirror.map_or_else(|| "no mirror".to_string(), |mirror| mirror.on(size)),
        }
    }
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let size: Size = args.board.parse()?;
    let analyst = args.common.analyst(size)?;
    let control = args.common.limits.control();
    let started = Instant::now();
    let (start, settings) = (Position::empty(size), args.common.limits.settings(size)?);
    let openings = solve_openings(&analyst, &start, Question::Winner, settings, &control);
    let counts = |first_hunts| Counts {
        first_wins: openings.count(first_hunts, Some(Player::First)),
        second_wins: openings.count(first_hunts, Some(Player::Second)),
        unknown: openings.count(first_hunts, None),
    };
    let exceptions: Vec<Exception> = openings.exceptions().map(|judged| Exception::new(size, judged)).collect();
    let report = Report {
        board: size.to_string(),
        verdict: match (exceptions.is_empty(), openings.is_complete()) {
            (false, _) => "exceptions",
            (true, true) => "holds",
            (true, false) => "unknown",
        },
        one_colour: counts(true),
        two_colours: counts(false),
        exceptions,
        from_tables: openings.count_from_tables(),
        tables: table_names(&analyst),
        nodes: control.nodes(),
        seconds: started.elapsed().as_secs_f64(),
    };
    (if args.common.json { output::json(&report) } else { write_text(&report, &openings) })?;
    args.common.folders.tell_about(analyst.tables(), report.seconds);
    Ok(status(openings.is_complete()))
}

fn write_text(report: &Report, openings: &Openings) -> io::Result<()> {
    let mut out = output::answer();
    let count = |exceptions: &[&Exception]| exceptions.iter().map(|exception| exception.openings as u64).sum::<u64>();
    let all: Vec<&Exception> = report.exceptions.iter().collect();
    let by_mirror: Vec<&Exception> = all.iter().copied().filter(|exception| exception.mirror.is_some()).collect();
    let (broken, explained) = (count(&all), count(&by_mirror));
    let mirrors = match (broken, explained) {
        (1, 1) => "explained by a mirror".to_string(),
        (broken, explained) if broken == explained => "all explained by a mirror".to_string(),
        (_, 0) => "none explained by a mirror".to_string(),
        (_, explained) => format!("{} explained by a mirror", grouped(explained)),
    };
    let all_openings = openings.len() as u64;
    let known = if openings.is_complete() { "" } else { ", as far as is known," };
    let verdict = match broken {
        0 if openings.classes.is_empty() => "there are no openings: the second player cannot place".to_string(),
        0 if report.verdict == "unknown" => "not decided within the limits".to_string(),
        0 => "the colour law holds for every opening".to_string(),
        broken => {
            format!(
                "the colour law{known} holds with {} {} among {} openings, {mirrors}",
                grouped(broken),
                plural(broken as usize, "exception"),
                grouped(all_openings)
            )
        }
    };
    write_headline(&mut out, &report.board, &verdict)?;
    writeln!(out, "The law: the player to move (the first) wins exactly when both knights stand on one colour.")?;
    write_colours(&mut out, openings)?;
    if !report.exceptions.is_empty() {
        let head = format!("{:<10} {:>8}  {:<12} {}", "exception", "openings", "winner", "why");
        writeln!(out, "{}", styled(output::QUIET, head))?;
        for Exception { first, second, openings, winner, why, .. } in &report.exceptions {
            writeln!(out, "{:<10} {openings:>8}  {winner:<12} {why}", format!("{first} {second}"))?;
        }
        writeln!(out)?;
    }
    let proven: u64 = [&report.one_colour, &report.two_colours].map(|counts| counts.first_wins + counts.second_wins).iter().sum();
    let unknown = report.one_colour.unknown + report.two_colours.unknown;
    let classes = openings.classes.len();
    let of = format!("{} in {} {}", grouped(proven + unknown), grouped(classes as u64), plural(classes, "class"));
    fact(&mut out, "proven", &format!("{} of {of} of openings", grouped(proven)))?;
    match report.from_tables {
        0 => {}
        all if all == openings.len() => fact(&mut out, "from", "the table: nothing was solved again")?,
        some => fact(&mut out, "from", &format!("the table for {} openings, and a search for the others", grouped(some as u64)))?,
    }
    report.tables.iter().try_for_each(|table| fact(&mut out, "table", table))?;
    output::cost(&mut out, report.nodes, report.seconds)?;
    out.flush()
}
