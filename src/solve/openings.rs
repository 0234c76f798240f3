//! The openings of a board, in classes that are images of each other and so have the same winner.

use std::collections::BTreeMap;

use crate::game::board::Board;
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::Duel;
use crate::game::position::Player;
use crate::game::symmetry::{Symmetries, Symmetry};

/// An ordered pair of placements: the first player's and the second's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Opening {
    /// Where the first player placed.
    pub first: Cell,
    /// Where the second player placed.
    pub second: Cell,
}

impl Opening {
    /// The duel that follows, with the first player to move. `free` are the cells that are free
    /// before the placements.
    #[must_use]
    pub fn duel<W: Word>(self, free: Cells<W>) -> Duel<W> {
        Duel { free: free.without(self.first).without(self.second), mover: self.first, other: self.second }
    }
}

/// The openings that are images of each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningClass {
    /// The openings, least first. Solving one of them solves all.
    pub members: Vec<Opening>,
}

impl OpeningClass {
    /// The opening that is solved for all.
    #[must_use]
    pub fn representative(&self) -> Opening {
        self.members[0]
    }
}

/// Who wins when this player can choose between options with these winners (`None`: unknown). The
/// player wins if one option is won for it. The opponent wins if all options are won for the
/// opponent, or if there is no option.
#[must_use]
pub fn winner_by_choice(player: Player, options: impl IntoIterator<Item = Option<Player>>) -> Option<Player> {
    let mut winner = Some(!player);
    for option in options {
        match option {
            Some(option) if option == player => return Some(player),
            None => winner = None,
            _ => {}
        }
    }
    winner
}

/// All openings on these free cells with one of these first placements, by class, the least
/// representative first.
///
/// Only symmetries that keep the set of free cells count: all of them on the empty board, perhaps
/// none on a board with blocked cells.
#[must_use]
pub fn opening_classes<W: Word>(board: &Board<W>, free: Cells<W>, first: Cells<W>) -> Vec<OpeningClass> {
    let symmetries = Symmetries::new(board);
    let keeping = keeping(&symmetries, free);
    let mut classes: BTreeMap<Opening, Vec<Opening>> = BTreeMap::new();
    for first in first {
        for second in free.without(first) {
            let image = |&symmetry: &_| {
                let cell = |cell| symmetries.cell(symmetry, cell);
                Opening { first: cell(first), second: cell(second) }
            };
            let opening = Opening { first, second };
            let least = keeping.iter().map(image).min().unwrap_or(opening);
            classes.entry(least).or_default().push(opening);
        }
    }
    classes.into_values().map(|members| OpeningClass { members }).collect()
}

/// These first placements, by class: placements that are images of each other, least first. The
/// same symmetries count as for [`opening_classes`].
#[must_use]
pub fn placement_classes<W: Word>(board: &Board<W>, free: Cells<W>, first: Cells<W>) -> Vec<Vec<Cell>> {
    let symmetries = Symmetries::new(board);
    let keeping = keeping(&symmetries, free);
    let mut classes: BTreeMap<Cell, Vec<Cell>> = BTreeMap::new();
    for cell in first {
        let least = keeping.iter().map(|&symmetry| symmetries.cell(symmetry, cell)).min().unwrap_or(cell);
        classes.entry(least).or_default().push(cell);
    }
    classes.into_values().collect()
}

/// The symmetries that keep a set of free cells.
fn keeping<W: Word>(symmetries: &Symmetries<W>, free: Cells<W>) -> Vec<Symmetry> {
    symmetries.iter().filter(|&symmetry| symmetries.set(symmetry, free) == free).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Player::{First, Second};

    #[test]
    fn one_winning_option_is_enough_and_only_all_losing_options_lose() {
        assert_eq!(winner_by_choice(First, [Some(Second), None, Some(First)]), Some(First));
        assert_eq!(winner_by_choice(First, [Some(Second), None]), None);
        assert_eq!(winner_by_choice(First, [Some(Second), Some(Second)]), Some(Second));
        assert_eq!(winner_by_choice(Second, []), Some(First));
    }
}
