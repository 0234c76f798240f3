//! A position with both knights placed, as the search sees it.
//!
//! A [`Duel`] does not know which player is first. It knows only who moves and who waits, because
//! nothing else affects its value. A duel is three small fields, copied on every move, so there is
//! no undo.

use std::fmt;

use serde::Serialize;

use crate::game::board::Board;
use crate::game::cells::{Cell, Cells, Word};

/// The mover's cell, the other's cell and the free cells.
///
/// The two knights stand on different cells, neither of them free.
///
/// Duels are ordered by the mover's cell, then by the other's cell, then by the free cells as a
/// number. This order picks the [canonical form](crate::Symmetries::canonical) and sorts the
/// entries of a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Duel<W> {
    /// Where the player to move stands.
    pub mover: Cell,
    /// Where the waiting player stands.
    pub other: Cell,
    /// The cells that can still be moved to.
    pub free: Cells<W>,
}

/// The role of a knight in a duel. A knight keeps its role until the game ends.
///
/// Every move changes the colour of the cell that the moving knight stands on. If both knights
/// stand on one colour now, they do so again every time the same player is to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// To move when both knights stand on one colour. The cells it can move to have the same colour
    /// as the cells its opponent can move to next, so it can take them away.
    Hunter,
    /// To move when the knights stand on different colours. It can never take a cell that its
    /// opponent could move to next.
    Prey,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Hunter => "hunter",
            Self::Prey => "prey",
        })
    }
}

impl<W: Word> Duel<W> {
    /// The cells that the mover can move to. If there are none, the mover has lost.
    #[inline]
    #[must_use]
    pub fn moves(self, board: &Board<W>) -> Cells<W> {
        board.knight_moves(self.mover) & self.free
    }

    /// The cells that the other knight could move to if it were its turn.
    #[inline]
    #[must_use]
    pub fn moves_of_other(self, board: &Board<W>) -> Cells<W> {
        board.knight_moves(self.other) & self.free
    }

    /// The duel after the mover moves to `to`, which must be one of [`Duel::moves`]. Only debug
    /// builds check anything: that `to` is free.
    #[inline]
    #[must_use]
    pub fn play_unchecked(self, to: Cell) -> Self {
        debug_assert!(self.free.contains(to));
        Self { free: self.free.without(to), mover: self.other, other: to }
    }

    /// The role of the mover.
    #[inline]
    #[must_use]
    pub fn part_of_mover(self, board: &Board<W>) -> Part {
        if board.colour(self.mover) == board.colour(self.other) { Part::Hunter } else { Part::Prey }
    }

    /// The regions of the mover and of the other: the cells each knight could still reach if its
    /// opponent stood still for ever.
    #[must_use]
    pub fn regions(self, board: &Board<W>) -> (Cells<W>, Cells<W>) {
        let region = |knight| board.flood(Cells::only(knight), self.free);
        (region(self.mover), region(self.other))
    }

    /// The free cells that at least one knight can still reach. The other free cells are dead: they
    /// cannot affect the game.
    #[inline]
    #[must_use]
    pub fn live(self, board: &Board<W>) -> Cells<W> {
        board.flood(Cells::only(self.mover).with(self.other), self.free)
    }

    /// The same duel with its dead cells cleared.
    #[inline]
    #[must_use]
    pub fn without_dead_cells(self, board: &Board<W>) -> Self {
        Self { free: self.live(board), ..self }
    }

    /// The free cells as a number that leaves out the bits of the two knights' cells, which are
    /// never free. Each higher bit moves down by one or two places.
    ///
    /// Among duels with the same knights, these numbers have the same order as the free cells.
    #[inline]
    #[must_use]
    pub fn free_beside_knights(self) -> W {
        let (low, high) = ordered_knights(self.mover, self.other);
        drop_bit(drop_bit(self.free.word(), high), low)
    }

    /// The duel with these knights whose [`Duel::free_beside_knights`] is `number`.
    #[inline]
    #[must_use]
    pub fn with_free_beside_knights(mover: Cell, other: Cell, number: W) -> Self {
        let (low, high) = ordered_knights(mover, other);
        Self { mover, other, free: Cells::from_word(insert_zero(insert_zero(number, low), high)) }
    }
}

fn ordered_knights(mover: Cell, other: Cell) -> (u32, u32) {
    let (a, b) = (mover.index() as u32, other.index() as u32);
    (a.min(b), a.max(b))
}

/// A mask of all bits below `place`.
#[inline]
fn below<W: Word>(place: u32) -> W {
    !(!W::ZERO << place)
}

#[inline]
fn drop_bit<W: Word>(word: W, place: u32) -> W {
    (word & below(place)) | ((word >> 1) & !below::<W>(place))
}

#[inline]
fn insert_zero<W: Word>(word: W, place: u32) -> W {
    (word & below(place)) | ((word & !below::<W>(place)) << 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn free_beside_knights_round_trips(word: u128, mover in 0..128_usize, other in 0..128_usize) {
            prop_assume!(mover != other);
            let (mover, other) = (Cell::new(mover), Cell::new(other));
            let duel = Duel { mover, other, free: Cells::from_word(word).without(mover).without(other) };
            let number = duel.free_beside_knights();
            prop_assert_eq!(number >> 126, 0);
            prop_assert_eq!(Duel::with_free_beside_knights(mover, other, number), duel);
        }
    }
}
