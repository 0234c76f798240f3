//! All openings of a board: solved while a bar shows the progress, and counted by colours.

use std::io::{self, Write};

use super::output::{self, grouped, styled};
use super::progress::watched;
use crate::analysis::{Analyst, Openings, expected_seconds};
use crate::game::notation::cell_name;
use crate::game::position::{Player, Position};
use crate::solve::{Control, Question, Settings};

/// Every opening that goes on from a position, as far as the control allows.
pub(super) fn solve_openings(
    analyst: &Analyst,
    start: &Position,
    question: Question,
    settings: Settings,
    control: &Control,
) -> Openings {
    let classes = analyst.opening_classes(start);
    warn_if_long(&subject(start), classes, start.free().len(), settings.threads.get());
    let done = |bar: &indicatif::ProgressBar| analyst.openings(start, question, control, || bar.inc(1));
    watched((classes, "openings"), control, || analyst.filling(), done)
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

/// How long this many openings will take, if that is long.
pub(super) fn expected_if_long(openings: usize, free: usize, threads: usize) -> Option<String> {
    let seconds = expected_seconds(openings, free, threads);
    (seconds >= 300.0).then(|| output::roughly(seconds))
}

/// Large boards are tried all the same, but nobody should wait without knowing for how long.
pub(super) fn warn_if_long(subject: &str, openings: usize, free: usize, threads: usize) {
    let Some(expected) = expected_if_long(openings, free, threads) else {
        return;
    };
    let work = match openings {
        1 => "this".to_string(),
        many => format!("{} classes of openings", grouped(many as u64)),
    };
    output::warning(&format!(
        "{subject}: {work} may take {expected}; --time sets a limit, and Ctrl-C prints what is proven by then"
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
