//! A position as one of its players sees it.

use crate::board::Board;
use crate::cells::{Cell, Cells, Word};
use crate::duel::Duel;
use crate::position::{Player, Position};

/// Both knights placed, seen by one player; who is to move does not matter.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a, W> {
    /// The board.
    pub board: &'a Board<W>,
    /// The cells that can still be moved to.
    pub free: Cells<W>,
    /// Where the player stands.
    pub own: Cell,
    /// Where its opponent stands.
    pub opponent: Cell,
}

impl<'a, W: Word> Side<'a, W> {
    /// A duel as its mover sees it.
    #[inline]
    #[must_use]
    pub fn movers(board: &'a Board<W>, duel: Duel<W>) -> Self {
        Self { board, free: duel.free, own: duel.mover, opponent: duel.other }
    }

    /// A duel as the player sees it who waits.
    #[inline]
    #[must_use]
    pub fn others(board: &'a Board<W>, duel: Duel<W>) -> Self {
        Self { board, free: duel.free, own: duel.other, opponent: duel.mover }
    }

    /// A position as a player sees it, once both knights are placed.
    #[must_use]
    pub fn of(position: &'a Position<W>, player: Player) -> Option<Self> {
        let (own, opponent) = (position.knight(player)?, position.knight(!player)?);
        Some(Self { board: position.board(), free: position.free(), own, opponent })
    }

    /// The cells that a knight could move to.
    #[inline]
    #[must_use]
    pub(super) fn moves(&self, knight: Cell) -> Cells<W> {
        self.board.knight_moves(knight) & self.free
    }

    /// The share of all cells that is still free.
    #[must_use]
    pub(super) fn blank_share(&self) -> f64 {
        self.free.len() as f64 / self.board.size().cells() as f64
    }

    /// Whether less than a quarter of all cells is free: the reports' end of the game.
    #[must_use]
    pub(super) fn is_late(&self) -> bool {
        4 * self.free.len() < self.board.size().cells()
    }

    /// What holds of the player, less what holds of its opponent.
    #[inline]
    pub(super) fn difference(&self, of: impl Fn(Cell) -> f64) -> f64 {
        of(self.own) - of(self.opponent)
    }
}
