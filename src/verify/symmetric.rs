//! Is a position decided by a mirror, and if not, where does the symmetry break?

use std::fmt;

use crate::board::{Board, Size};
use crate::cells::{Cell, Cells, Word};
use crate::duel::Duel;
use crate::notation::cell_name;
use crate::symmetry::Symmetry;

/// Why a mirror does not decide a duel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asymmetry {
    /// The mover's cell has another image than the other's cell.
    Knights {
        /// Where the mover stands.
        mover: Cell,
        /// The image of that cell.
        image: Cell,
        /// Where the other stands.
        other: Cell,
    },
    /// A cell is live, and its image is not.
    Cell {
        /// The live cell.
        live: Cell,
        /// Its image.
        image: Cell,
    },
    /// A cell is live, and its own image.
    Fixed {
        /// That cell.
        cell: Cell,
    },
}

impl Asymmetry {
    /// The first thing that keeps the mirror from deciding this duel; none if it does, and the other wins.
    ///
    /// # Panics
    /// If the board lacks the symmetry: see [`Symmetry::fits`].
    #[must_use]
    pub fn find<W: Word>(board: &Board<W>, symmetry: Symmetry, duel: Duel<W>) -> Option<Self> {
        let image = |cell| symmetry.image_on(board.size(), cell);
        let Duel { mover, other, .. } = duel;
        if image(mover) != other || image(other) != mover {
            return Some(Self::Knights { mover, image: image(mover), other });
        }
        Self::in_cells(board.size(), symmetry, duel.live(board))
    }

    /// The first thing that keeps the mirror from answering moves to these cells: one whose image is not among them, or that is its own image.
    ///
    /// # Panics
    /// If the board lacks the symmetry: see [`Symmetry::fits`].
    #[must_use]
    pub fn in_cells<W: Word>(size: Size, symmetry: Symmetry, live: Cells<W>) -> Option<Self> {
        let image = |cell| symmetry.image_on(size, cell);
        let broken = live.into_iter().find(|&cell| !live.contains(image(cell)));
        let fixed = || live.into_iter().find(|&cell| image(cell) == cell).map(|cell| Self::Fixed { cell });
        broken.map(|cell| Self::Cell { live: cell, image: image(cell) }).or_else(fixed)
    }

    /// The same in words.
    #[must_use]
    pub fn on(self, size: Size) -> impl fmt::Display {
        let name = |cell| cell_name(size, cell);
        match self {
            Self::Knights { mover, image, other } => {
                format!("the mover stands on {}, whose image is {}, and the other on {}", name(mover), name(image), name(other))
            }
            Self::Cell { live, image } => format!("{} can still be reached, and its image {} cannot", name(live), name(image)),
            Self::Fixed { cell } => format!("{} can still be reached, and is its own image", name(cell)),
        }
    }
}
