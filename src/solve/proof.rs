//! Why a position is decided: the cells that the proof depends on.
//!
//! A proof that the hunter wins, or that the prey does, seldom uses the whole board. [`Proof`] says what it used: the cells that the winner
//! *needs* free, and the blocked cells that *stop* the loser. Its promise:
//!
//! > Every duel with the same knights and the same player to move, whose free cells include all of `need` and none of `stop`, has
//! > the same winner.
//!
//! So one proof answers for many positions. The rules by which proofs are put together keep the promise:
//!
//! - **The winner moves** to `t`, and a proof of the next position is at hand. The winner can make the same move wherever `t` is free, and what
//!   follows is promised: `need` gains `t`. The cell that the winner leaves is blocked in any such position: `stop` loses it.
//! - **The loser moves**, and there is a proof for each of its moves. In another position that includes all needs and avoids all stops the loser
//!   may lack some of these moves, which does not help it; it has no others if its blocked neighbours are in `stop`. Both sets are the unions, without
//!   the cell that the loser leaves.
//!
//! The knights' own cells are never in either set: they are blocked anyway, and said by the position.

use crate::cells::{Cell, Cells, Word};

/// Who wins, and the cells that this depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Proof<W> {
    pub(super) hunter_wins: bool,
    /// Free cells without which the winner might not win.
    pub(super) need: Cells<W>,
    /// Blocked cells without which the loser might not lose.
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

    /// The proof for the position before the winner's move from `from` to `to`.
    #[inline]
    pub(super) fn before_winner_moved(self, from: Cell, to: Cell) -> Self {
        Self { need: self.need.with(to), stop: self.stop.without(from), ..self }
    }

    /// Adds the proof of the position after one of the loser's moves from `from`.
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
