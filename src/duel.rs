//! A position with both knights placed, as the search sees it.
//!
//! A [`Duel`] knows no first and no second player, only the one who moves and the one who waits, because nothing
//! else matters to its value. It is three words, copied on every move: there is nothing to undo.

use std::fmt;

use crate::board::Board;
use crate::cells::{Cell, Cells, Word};

/// The free cells, the mover's cell and the other's cell.
///
/// The two knights stand on different cells, neither of them free.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Duel<W> {
    /// The cells that can still be moved to.
    pub free: Cells<W>,
    /// Where the player to move stands.
    pub mover: Cell,
    /// Where the waiting player stands.
    pub other: Cell,
}

/// The parts that the two knights play in a duel, and keep until its end.
///
/// Every move changes the colour of the moving knight's cell. So when the knights stand on one colour now, they do so whenever
/// the same player is to move again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// To move when both knights stand on one colour. Its targets and its opponent's next targets share a colour:
    /// it can take them away.
    Hunter,
    /// To move when the knights stand on different colours. It never takes a cell that its opponent could move to next.
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
    /// The cells that the mover can move to. Empty means that the mover has lost.
    #[inline]
    #[must_use]
    pub fn moves(self, board: &Board<W>) -> Cells<W> {
        board.knight_moves(self.mover) & self.free
    }

    /// The cells that the other could move to if it were its turn.
    #[inline]
    #[must_use]
    pub fn moves_of_other(self, board: &Board<W>) -> Cells<W> {
        board.knight_moves(self.other) & self.free
    }

    /// The duel after the mover's move to a cell that is trusted to be one of [`Duel::moves`].
    #[inline]
    #[must_use]
    pub fn play_unchecked(self, to: Cell) -> Self {
        debug_assert!(self.free.contains(to));
        Self { free: self.free.without(to), mover: self.other, other: to }
    }

    /// The part that the mover plays.
    #[inline]
    #[must_use]
    pub fn part_of_mover(self, board: &Board<W>) -> Part {
        if board.colour(self.mover) == board.colour(self.other) { Part::Hunter } else { Part::Prey }
    }

    /// The cells that the mover's and the other's knight could still reach, each if the other stood still for ever.
    #[must_use]
    pub fn regions(self, board: &Board<W>) -> (Cells<W>, Cells<W>) {
        let region = |knight| board.flood(Cells::only(knight), self.free);
        (region(self.mover), region(self.other))
    }

    /// The free cells that at least one knight can still reach. The rest are dead: they do not count.
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
}
