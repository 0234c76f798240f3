//! Who wins after a first placement: one winning reply is enough.

use super::control::{Control, Stopped};
use super::known::{Known, Origin};
use super::order;
use super::{Opening, Question, Solver, mirror};
use crate::game::cells::{Cell, Cells, Word};
use crate::game::outcome::Value;
use crate::game::symmetry::{Symmetries, Symmetry};

/// A reply with which the second player wins after a placement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// Where the second player places.
    pub cell: Cell,
    /// How the position that follows was proven: by a mirror, by a table, by a search.
    pub origin: Origin,
}

/// What was proven of one first placement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WeakProof {
    /// The second player wins with this reply.
    Second(Reply),
    /// The first player wins, whatever the reply.
    First,
}

impl WeakProof {
    /// The same as the second player sees it, whose turn it is.
    pub(crate) fn known(&self) -> Known {
        match self {
            Self::First => Known::winner(Value::Loss, Origin::Solved),
            Self::Second(reply) => {
                let origin = Origin::of_all([reply.origin.clone()].into_iter());
                Known { winning_move: Some(reply.cell), ..Known::winner(Value::Win, origin) }
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
    /// Who wins after the first player's placement, and by which reply.
    ///
    /// # Errors
    /// If the control stopped the search.
    pub fn weak(&self, free: Cells<W>, first: Cell, control: &Control) -> Result<WeakProof, Stopped> {
        for second in self.replies_in_order(free, first) {
            let duel = Opening { first, second }.duel(free).without_dead_cells(self.board());
            if let Some(symmetry) = mirror(&self.shared.symmetries, duel) {
                return Ok(WeakProof::Second(Reply { cell: second, origin: Origin::Mirror(symmetry) }));
            }
            let known = self.answer(Question::Winner, duel, control)?;
            if known.value == Value::Loss {
                return Ok(WeakProof::Second(Reply { cell: second, origin: known.origin }));
            }
        }
        Ok(WeakProof::First)
    }

    /// The second player's replies to a placement: those first that a mirror decides, then the most
    /// promising ones.
    pub(crate) fn replies_in_order(&self, free: Cells<W>, first: Cell) -> Vec<Cell> {
        let mut replies = order::promising_replies(self.board(), free.without(first), first);
        let duel = |second| Opening { first, second }.duel(free).without_dead_cells(self.board());
        // The sort is stable.
        replies.sort_by_key(|&second| mirror(&self.shared.symmetries, duel(second)).is_none());
        replies
    }
}
