//! The options `--first` and `--opening`, which name placements.

use super::Failure;
use crate::game::notation::{Written, parse_move, quoted};
use crate::game::position::Player;

#[derive(clap::Args)]
pub(super) struct Placements {
    /// Only the openings that begin with this placement
    #[arg(long, value_name = "CELL", conflicts_with = "opening")]
    pub(super) first: Option<String>,
    /// Only this opening: both placements, such as "d4 b3"
    #[arg(long, value_name = "CELLS")]
    pub(super) opening: Option<String>,
}

impl Placements {
    /// The position after the placements that the options name.
    pub(super) fn after(&self, start: Written) -> Result<Written, Failure> {
        let (option, needed, cells) = match (&self.first, &self.opening) {
            (Some(first), _) => ("--first", "one cell, such as d4,", first),
            (_, Some(opening)) => ("--opening", "two cells, such as \"d4 b3\",", opening),
            _ => return Ok(start),
        };
        let named = || cells.split(|letter: char| letter == ',' || letter.is_whitespace()).filter(|cell| !cell.is_empty());
        if named().count() != if self.first.is_some() { 1 } else { 2 } {
            return Err(Failure::Input(format!("{option} takes {needed} and not {}", quoted(cells))));
        }
        if start.position().knight(Player::First).is_some() {
            return Err(Failure::Input(format!("{option} goes with a board on which no knight is placed yet")));
        }
        let wrong = |fault: &dyn std::fmt::Display| Failure::Input(format!("{option}: {fault}"));
        let place = |placed: Written, text| {
            let to = parse_move(placed.position(), text).map_err(|fault| wrong(&fault))?;
            placed.play(to).map_err(|fault| wrong(&fault))
        };
        named().try_fold(start, place)
    }
}
