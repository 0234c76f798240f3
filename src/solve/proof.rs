//! Why a position is decided: the cells on which the proof depends.
//!
//! A proof that one player wins seldom uses the whole board. [`Proof`] records what it used: the
//! free cells that the winner *needs*, and the blocked cells that *stop* the loser. It promises:
//!
//! > Every duel with the same knights and the same player to move, whose free cells include all of
//! > `need` and none of `stop`, has the same winner.
//!
//! So one proof covers many positions. Two rules build
//! proofs from proofs, and both keep the promise:
//!
//! - **The winner moves** to `t`, and there is a proof for the position after
//!   it. The winner can make the same move wherever `t` is free, and that
//!   proof covers what follows. So `need` gains `t`. The cell that the winner
//!   leaves is blocked in every such position, so it is dropped from `stop`.
//! - **The loser moves**, and there is a proof for each of its moves. Take another position whose
//!   free cells include all needs and avoid all stops. There the loser may lack some of these
//!   moves, which does not help it. It has no additional moves if its blocked neighbours are in
//!   `stop`, so `stop` includes them. Otherwise both sets are unions over the moves, without the
//!   cell that the loser leaves.
//!
//! The knights' own cells are in neither set. They are blocked anyway, and the position names them.

use crate::game::cells::{Cell, Cells, Word};

/// The winner, and the cells on which the result depends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Proof<W> {
    pub(super) hunter_wins: bool,
    /// Free cells that the winner may need in order to win.
    pub(super) need: Cells<W>,
    /// Blocked cells that may be needed to stop the loser.
    pub(super) stop: Cells<W>,
}

impl<W: Word> Proof<W> {
    /// A proof that the hunter wins.
    #[inline]
    pub(super) fn hunter(need: Cells<W>, stop: Cells<W>) -> Self {
        Self { hunter_wins: true, need, stop }
    }

    /// A proof that the prey wins.
    #[inline]
    pub(super) fn prey(need: Cells<W>, stop: Cells<W>) -> Self {
        Self { hunter_wins: false, need, stop }
    }

    /// The proof for the position before the winner moved from `from` to `to`.
    #[inline]
    pub(super) fn before_winner_moved(self, from: Cell, to: Cell) -> Self {
        Self { need: self.need.with(to), stop: self.stop.without(from), ..self }
    }

    /// Adds the proof for the position after one of the loser's moves from `from`.
    #[inline]
    pub(super) fn add_losers_move(&mut self, from: Cell, after: Self) {
        self.need |= after.need;
        self.stop |= after.stop.without(from);
    }

    /// Whether the promise covers this set of free cells.
    #[cfg(test)]
    pub(super) fn covers(&self, free: Cells<W>) -> bool {
        self.need.is_subset(free) && self.stop.is_disjoint(free)
    }
}
