//! All openings of a board: solved while a bar shows how it goes, and counted by colours.

use std::io::{self, Write};

use super::output::{self, grouped, styled};
use super::progress::watched;
use super::solve::warn_if_long;
use crate::cells::Word;
use crate::position::Player;
use crate::solve::{Control, Settings, Solver};
use crate::verify::Openings;

/// Every opening of the solver's board, as far as the control allows.
pub(super) fn solve_openings<W: Word>(solver: &Solver<W>, settings: Settings, control: &Control) -> Openings {
    let (size, classes) = (solver.board().size(), Openings::classes_of(solver.board()));
    warn_if_long(&size.to_string(), classes, size.cells(), settings.threads.get());
    watched((classes, "openings"), control, || solver.filling(), |bar| Openings::solve(solver, control, || bar.inc(1)))
}

/// Writes the little table; `count` tells how many openings there are in which the first player is the hunter (or not) and this player wins (none: unknown).
pub(super) fn write_colours(out: &mut impl Write, count: impl Fn(bool, Option<Player>) -> u64) -> io::Result<()> {
    let some_unknown = count(true, None) + count(false, None) > 0;
    let columns = if some_unknown { &["first wins", "second wins", "unknown"][..] } else { &["first wins", "second wins"] };
    let heads: String = columns.iter().map(|head| format!(" {head:>11}")).collect();
    writeln!(out, "\n{}", styled(output::QUIET, format!("{:<36}{heads}", "openings")))?;
    for (hunts, name) in [(true, "on one colour (first is the hunter)"), (false, "on two colours (first is the prey)")] {
        let counts = [Some(Player::First), Some(Player::Second), None].map(|winner| count(hunts, winner));
        let counts: String = counts.iter().take(columns.len()).map(|&count| format!(" {:>11}", grouped(count))).collect();
        writeln!(out, "{name:<36}{counts}")?;
    }
    writeln!(out)
}
