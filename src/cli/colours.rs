//! How many openings each player wins, by whether the knights stand on one colour.

use std::io::{self, Write};

use super::output::{self, grouped, styled};
use crate::position::Player;

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
