//! All openings of a board: solved while a bar shows the progress, counted by colours, and listed.

use std::fmt;
use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::output::{self, grouped, plural, styled};
use super::progress::watched;
use crate::analysis::{Analyst, JudgedClass, Openings, Task, expected_seconds, links};
use crate::game::board::Size;
use crate::game::cells::Cell;
use crate::game::notation::cell_name;
use crate::game::position::{Player, Position};
use crate::solve::{Control, Opening, Question, Settings};

/// Every opening that goes on from a position, as far as the control allows.
pub(super) fn solve_openings(
    analyst: &Analyst,
    start: &Position,
    question: Question,
    settings: Settings,
    control: &Control,
) -> Openings {
    // What is at hand takes no time, so it would make the time that is left look too short.
    let (classes, at_hand) = analyst.classes_at_hand(start, Task::Openings(question));
    warn_if_long(start, question, classes - at_hand, settings.threads.get());
    let done = |bar: &indicatif::ProgressBar| analyst.openings(start, question, control, || bar.inc(1));
    watched((classes - at_hand, "openings"), control, || analyst.filling(), done)
}

/// The start of some openings in words: the board, the board and a placement, or a position with
/// blocked cells.
pub(super) fn subject(start: &Position) -> String {
    let (size, first) = (start.size(), start.knight(Player::First));
    let free = first.map_or(start.free(), |first| start.free().with(first));
    match (free == start.board().cells(), first) {
        (false, _) => start.setup().to_string(),
        (true, Some(first)) => format!("{size}, {} placed", cell_name(size, first)),
        (true, None) => size.to_string(),
    }
}

/// A class of placements by its first cell, such as `a1 (4 cells)`.
pub(super) fn class_name(size: Size, cells: &[Cell]) -> String {
    let first = cells.first().map(|&first| cell_name(size, first)).unwrap_or_default();
    format!("{first} ({} {})", cells.len(), plural(cells.len(), "cell"))
}

/// Who wins, as far as that is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Winner(pub(super) Option<Player>);

impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.map_or("unknown", Player::name))
    }
}

impl Serialize for Winner {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One opening, for JSON and CSV.
#[derive(Serialize)]
pub(super) struct OpeningRow {
    pub(super) first: String,
    pub(super) second: String,
    pub(super) winner: Winner,
    /// Counted after both placements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plies: Option<usize>,
}

/// Every opening in the order of the cells, proven or not.
pub(super) fn rows(openings: &Openings) -> Vec<OpeningRow> {
    let name = |cell| cell_name(openings.size, cell);
    let row = |(opening, judged): (Opening, &JudgedClass)| OpeningRow {
        first: name(opening.first),
        second: name(opening.second),
        winner: Winner(judged.winner()),
        plies: judged.plies(),
    };
    openings.iter().map(row).collect()
}

/// Prints openings as CSV. No value has a character that would need quotes.
pub(super) fn csv(rows: &[OpeningRow]) -> io::Result<()> {
    let mut out = output::answer();
    writeln!(out, "first,second,winner,plies")?;
    for OpeningRow { first, second, winner, plies } in rows {
        let plies = plies.map(|plies| plies.to_string()).unwrap_or_default();
        writeln!(out, "{first},{second},{winner},{plies}")?;
    }
    out.flush()
}

/// The tables that are asked, for the answer to name them.
pub(super) fn table_names(analyst: &Analyst) -> Vec<String> {
    analyst.tables().paths().iter().map(|path| path.display().to_string()).collect()
}

/// From this many seconds on, a person should know how long to wait.
pub(super) const MANY_SECONDS: f64 = 300.0;

/// Large boards are tried all the same, but nobody should wait without knowing for how long.
pub(super) fn warn_if_long(start: &Position, question: Question, openings: usize, threads: usize) {
    let seconds = expected_seconds(question, openings, links(start), threads);
    if seconds < MANY_SECONDS {
        return;
    }
    let (subject, expected) = (subject(start), output::roughly(seconds));
    let work = match openings {
        1 => "this".to_string(),
        many => format!("{} classes of openings", grouped(many as u64)),
    };
    output::warning(&format!(
        "{subject}: {work} may take {expected}; Ctrl-C, or --time, stops it and prints what is proven by then"
    ));
}

/// Writes the number of openings by colours and winner.
pub(super) fn write_colours(out: &mut impl Write, openings: &Openings) -> io::Result<()> {
    let some_unknown = !openings.is_complete();
    let columns = if some_unknown { &["first wins", "second wins", "unknown"][..] } else { &["first wins", "second wins"] };
    let heads: String = columns.iter().map(|head| format!(" {head:>11}")).collect();
    writeln!(out, "\n{}", styled(output::QUIET, format!("{:<36}{heads}", "openings")))?;
    for (hunts, name) in [(true, "on one colour (first is the hunter)"), (false, "on two colours (first is the prey)")] {
        let counts = [Some(Player::First), Some(Player::Second), None].map(|winner| openings.count(hunts, winner));
        let counts: String = counts.iter().take(columns.len()).map(|&count| format!(" {:>11}", grouped(count))).collect();
        writeln!(out, "{name:<36}{counts}")?;
    }
    writeln!(out)
}
