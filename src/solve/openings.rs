//! The openings of a board, gathered into classes that are won by the same player.

use std::collections::BTreeMap;

use crate::board::Board;
use crate::cells::{Cell, Cells, Word};
use crate::duel::Duel;
use crate::position::Player;
use crate::symmetry::Symmetries;

/// An ordered pair of placements: the first player's and the second's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Opening {
    /// Where the first player placed.
    pub first: Cell,
    /// Where the second player placed.
    pub second: Cell,
}

impl Opening {
    /// The duel that follows, the first player to move, on a board with these cells free before the placements.
    #[must_use]
    pub fn duel<W: Word>(self, free: Cells<W>) -> Duel<W> {
        Duel { free: free.without(self.first).without(self.second), mover: self.first, other: self.second }
    }
}

/// The openings that are images of each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningClass {
    /// Least first. One of them is computed for all.
    pub members: Vec<Opening>,
}

impl OpeningClass {
    /// The opening that is computed.
    #[must_use]
    pub fn representative(&self) -> Opening {
        self.members[0]
    }
}

/// Who wins when this player has the choice between options with these winners (none: unknown): the player, if one of them is its own; the
/// opponent, if all of them are the opponent's, or there is no option at all.
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

/// All openings on these free cells with one of these first placements, by class, least representative first.
///
/// Only symmetries that keep the free cells count: on the empty board all of them, on a board with holes perhaps none.
#[must_use]
pub fn opening_classes<W: Word>(board: &Board<W>, free: Cells<W>, first: Cells<W>) -> Vec<OpeningClass> {
    let symmetries = Symmetries::new(board);
    let keeping: Vec<_> = symmetries.iter().filter(|&symmetry| symmetries.set(symmetry, free) == free).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use Player::{First, Second};

    #[test]
    fn whoever_chooses_wins_by_one_option_and_loses_by_all() {
        assert_eq!(winner_by_choice(First, [Some(Second), None, Some(First)]), Some(First));
        assert_eq!(winner_by_choice(First, [Some(Second), None]), None);
        assert_eq!(winner_by_choice(First, [Some(Second), Some(Second)]), Some(Second));
        assert_eq!(winner_by_choice(Second, []), Some(First));
    }
}
