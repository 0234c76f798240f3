//! A position from one player's point of view.

use crate::game::board::Board;
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::Duel;
use crate::game::position::{Player, Position};

/// A position with both knights placed, from one player's point of view. It does not matter who is
/// to move.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a, W> {
    /// The board.
    pub board: &'a Board<W>,
    /// The cells that can still be moved to.
    pub free: Cells<W>,
    /// Where the player's knight stands.
    pub own: Cell,
    /// Where the opponent's knight stands.
    pub opponent: Cell,
}

impl<'a, W: Word> Side<'a, W> {
    /// A duel from the mover's point of view.
    #[inline]
    #[must_use]
    pub fn movers(board: &'a Board<W>, duel: Duel<W>) -> Self {
        Self { board, free: duel.free, own: duel.mover, opponent: duel.other }
    }

    /// A duel from the waiting player's point of view.
    #[inline]
    #[must_use]
    pub fn others(board: &'a Board<W>, duel: Duel<W>) -> Self {
        Self { board, free: duel.free, own: duel.other, opponent: duel.mover }
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

    /// Whether less than a quarter of all cells is free, which is what the reports call the end of
    /// the game.
    #[must_use]
    pub(super) fn is_late(&self) -> bool {
        4 * self.free.len() < self.board.size().cells()
    }

    /// A quantity for the player minus the same quantity for the opponent.
    #[inline]
    pub(super) fn difference(&self, of: impl Fn(Cell) -> f64) -> f64 {
        of(self.own) - of(self.opponent)
    }
}

impl<'a> Side<'a, u128> {
    /// A position as a player sees it, once both knights are placed.
    #[must_use]
    pub fn of(position: &'a Position, player: Player) -> Option<Self> {
        let (own, opponent) = (position.knight(player)?, position.knight(!player)?);
        Some(Self { board: position.board(), free: position.free(), own, opponent })
    }
}
