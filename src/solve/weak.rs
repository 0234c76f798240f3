//! Who wins after a first placement: one winning reply is enough.

use super::control::{Control, Stopped};
use super::known::{Known, Origin};
use super::order;
use super::{Opening, Solver, mirror};
use crate::game::cells::{Cell, Cells, Word};
use crate::game::outcome::Value;
use crate::game::symmetry::{Symmetries, Symmetry};

/// Why the second player wins after a placement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The reply leads to a position that a mirror decides.
    Mirror(Cell, Symmetry),
    /// The reply was proven by a search.
    Searched(Cell),
}

impl Reply {
    /// Where the second player places.
    #[must_use]
    pub fn cell(self) -> Cell {
        match self {
            Self::Mirror(cell, _) | Self::Searched(cell) => cell,
        }
    }
}

/// What was proven of one first placement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WeakProof {
    /// The second player wins with this reply.
    Second(Reply),
    /// The first player wins, whatever the reply.
    First,
}

impl WeakProof {
    /// The same as the second player sees it, whose turn it is.
    pub(crate) fn known(self) -> Known {
        match self {
            Self::First => Known::winner(Value::Loss, Origin::Solved),
            Self::Second(reply) => {
                let origin = match reply {
                    Reply::Mirror(..) => Origin::Moves,
                    Reply::Searched(_) => Origin::Solved,
                };
                Known { winning_move: Some(reply.cell()), ..Known::winner(Value::Win, origin) }
            }
        }
    }
}

/// A mirror by which the second player wins the whole board. It keeps the set of free cells and
/// fixes none of them, so every placement, and then every move, can be answered with its image.
#[must_use]
pub fn board_mirror<W: Word>(symmetries: &Symmetries<W>, free: Cells<W>) -> Option<Symmetry> {
    symmetries.iter().find(|&symmetry| {
        symmetry == symmetry.inverse()
            && !free.is_empty()
            && symmetries.set(symmetry, free) == free
            && symmetries.fixed_cells(symmetry).is_disjoint(free)
    })
}

impl<W: Word> Solver<W> {
    /// Who wins after the first player's placement, and by which reply. Replies that a mirror
    /// decides are tried first, then the most promising ones.
    ///
    /// # Errors
    /// If the control stopped the search.
    pub fn weak(&self, free: Cells<W>, first: Cell, control: &Control) -> Result<WeakProof, Stopped> {
        let replies = order::promising_replies(self.board(), free.without(first), first);
        let duel = |second| Opening { first, second }.duel(free).without_dead_cells(self.board());
        for &second in &replies {
            if let Some(symmetry) = mirror(&self.shared.symmetries, duel(second)) {
                return Ok(WeakProof::Second(Reply::Mirror(second, symmetry)));
            }
        }
        for second in replies {
            if self.value(duel(second), control)? == Value::Loss {
                return Ok(WeakProof::Second(Reply::Searched(second)));
            }
        }
        Ok(WeakProof::First)
    }
}
