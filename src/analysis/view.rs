//! A position as its mover sees it, from the empty board to the end.
//!
//! No first and no second player, only what the outcome depends on: what a [`Duel`] is to the
//! search, a [`View`] is to an answer, which has to speak of placements, too.

use std::collections::HashSet;

use crate::game::board::Board;
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::Duel;
use crate::game::position::Position;
use crate::game::symmetry::{Symmetries, Symmetry};
use crate::solve::{Count, Known};

/// What is to be judged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum View<W> {
    /// Nobody has placed: these cells are free.
    Empty(Cells<W>),
    /// One knight is placed; the mover is to place the other.
    Placed { first: Cell, free: Cells<W> },
    /// Both knights are placed.
    Duel(Duel<W>),
}

impl<W: Word> View<W> {
    /// The view of a position whose board fits the word.
    pub(crate) fn of(position: &Position) -> Self {
        let free = position.free().convert();
        match (position.duel(), position.knight(!position.turn())) {
            (Some(duel), _) => Self::Duel(duel),
            (None, Some(first)) => Self::Placed { first, free },
            (None, None) => Self::Empty(free),
        }
    }

    /// The duel, once both knights are placed.
    pub(crate) fn duel(self) -> Option<Duel<W>> {
        if let Self::Duel(duel) = self { Some(duel) } else { None }
    }

    /// The cells that the mover can place on or move to.
    pub(crate) fn moves(self, board: &Board<W>) -> Cells<W> {
        match self {
            Self::Empty(free) | Self::Placed { free, .. } => free,
            Self::Duel(duel) => duel.moves(board),
        }
    }

    /// Some of these moves, which are legal: of placements that are images of each other only the
    /// first. Moves of a duel, which are few, are all kept.
    pub(crate) fn distinct(self, moves: Vec<Cell>, board: &Board<W>, symmetries: &Symmetries<W>) -> Vec<Cell> {
        if matches!(self, Self::Duel(_)) {
            return moves;
        }
        let mut seen = HashSet::new();
        moves.into_iter().filter(|&to| seen.insert(self.after(to).canonical(board, symmetries).0)).collect()
    }

    /// No game from here on has more plies.
    pub(crate) fn moves_left(self) -> usize {
        match self {
            Self::Empty(free) | Self::Placed { free, .. } => free.len(),
            Self::Duel(duel) => duel.free.len(),
        }
    }

    /// What the opponent sees after one of the [`View::moves`].
    pub(crate) fn after(self, to: Cell) -> Self {
        match self {
            Self::Empty(free) => Self::Placed { first: to, free: free.without(to) },
            Self::Placed { first, free } => Self::Duel(Duel { mover: first, other: to, free: free.without(to) }),
            Self::Duel(duel) => Self::Duel(duel.play_unchecked(to)),
        }
    }

    /// What is known after a move, as the player sees it who makes the move from here. Plies are
    /// counted once both knights are placed: a placement adds none.
    pub(crate) fn before(self, known: Known) -> Known {
        match self {
            Self::Duel(_) => known.one_ply_before(),
            Self::Empty(_) | Self::Placed { .. } => Known { value: !known.value, winning_move: None, ..known },
        }
    }

    /// What is known after a move, as the opponent sees it: the opposite of [`View::before`].
    pub(crate) fn known_after(self, known: &Known) -> Known {
        let count =
            known.count.as_ref().map(|count| Count { plies: self.plies_after(count.plies), origin: count.origin.clone() });
        Known { count, ..Known::winner(!known.value, known.origin.clone()) }
    }

    /// The plies that are left after a move from here, of this many before it.
    pub(crate) fn plies_after(self, plies: usize) -> usize {
        if matches!(self, Self::Duel(_)) { plies - 1 } else { plies }
    }

    /// The view that stands for this one and all its images, and the symmetry that leads there.
    pub(crate) fn canonical(self, board: &Board<W>, symmetries: &Symmetries<W>) -> (Self, Symmetry) {
        let least = |image: &dyn Fn(Symmetry) -> Self| {
            let images = symmetries.iter().map(|symmetry| (image(symmetry), symmetry));
            images.min().unwrap_or((self, Symmetry::Identity))
        };
        match self {
            Self::Empty(free) => least(&|symmetry| Self::Empty(symmetries.set(symmetry, free))),
            Self::Placed { first, free } => {
                least(&|symmetry| Self::Placed { first: symmetries.cell(symmetry, first), free: symmetries.set(symmetry, free) })
            }
            Self::Duel(duel) => {
                let canonical = symmetries.canonical(board, duel);
                (Self::Duel(canonical.duel), canonical.symmetry)
            }
        }
    }
}
