//! The options `--first` and `--opening`, which name placements.

use super::Failure;
use crate::game::notation;
use crate::game::position::{Player, Position};

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
    pub(super) fn after(&self, start: Position) -> Result<Position, Failure> {
        let (option, needed, cells) = match (&self.first, &self.opening) {
            (Some(first), _) => ("--first", "one cell, such as d4,", first),
            (_, Some(opening)) => ("--opening", "two cells, such as \"d4 b3\",", opening),
            _ => return Ok(start),
        };
        if cells.split_whitespace().count() != if self.first.is_some() { 1 } else { 2 } {
            return Err(Failure::Input(format!("{option} takes {needed} and not `{cells}`")));
        }
        if start.knight(Player::First).is_some() {
            return Err(Failure::Input(format!("{option} goes with a board on which no knight is placed yet")));
        }
        let place = |position: Position, text| {
            let to = notation::parse_move(&position, text).map_err(|fault| Failure::Input(format!("{option}: {fault}")))?;
            Ok(position.play_unchecked(to))
        };
        cells.split_whitespace().try_fold(start, place)
    }
}
