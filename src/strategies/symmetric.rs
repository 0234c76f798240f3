//! Is a position decided by a mirror, and if not, where does the symmetry break?

use std::fmt;

use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::Duel;
use crate::game::notation::cell_name;
use crate::game::position::Position;
use crate::game::symmetry::Symmetry;

/// Why a mirror does not decide a duel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asymmetry {
    /// The knights are not images of each other.
    Knights {
        /// Where the mover stands.
        mover: Cell,
        /// The image of that cell.
        image: Cell,
        /// Where the other stands.
        other: Cell,
    },
    /// A cell is live, but its image is not.
    Cell {
        /// The live cell.
        live: Cell,
        /// Its image.
        image: Cell,
    },
    /// A live cell is its own image.
    Fixed {
        /// That cell.
        cell: Cell,
    },
}

impl Asymmetry {
    /// What is the case in a duel without an asymmetry, in words.
    pub const ABSENT: &str = "the knights are images of each other, and the live cells come in pairs of images";

    /// The first reason why the player who waits may be unable to answer every move with its image.
    ///
    /// # Panics
    /// If the board lacks the symmetry: see [`Symmetry::fits`].
    #[must_use]
    pub fn at(position: &Position, symmetry: Symmetry) -> Option<Self> {
        match position.duel() {
            Some(duel) => Self::find(position.board(), symmetry, duel),
            None => Self::in_cells(position.size(), symmetry, position.free()),
        }
    }

    /// The first reason why the mirror does not decide this duel. `None` if it does: then the other
    /// wins.
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

    /// The first reason why the mirror cannot answer moves to these cells: a cell whose image is
    /// not among them, or a cell that is its own image.
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

    /// A move after which one of these mirrors decides the position, for the player who makes it.
    ///
    /// # Panics
    /// If the board lacks one of the symmetries: see [`Symmetry::fits`].
    #[must_use]
    pub fn ended_by(position: &Position, mirrors: &[Symmetry]) -> Option<(Cell, Symmetry)> {
        position.legal_moves().into_iter().find_map(|to| {
            let duel = position.play_unchecked(to).duel()?;
            let decides = |mirror: &&Symmetry| Self::find(position.board(), **mirror, duel).is_none();
            Some((to, *mirrors.iter().find(decides)?))
        })
    }

    /// The reason in words, with the names of the cells.
    #[must_use]
    pub fn on(self, size: Size) -> impl fmt::Display {
        let name = |cell| cell_name(size, cell);
        match self {
            Self::Knights { mover, image, other } => {
                format!(
                    "the mover stands on {}, whose image is {}, but the other stands on {}",
                    name(mover),
                    name(image),
                    name(other)
                )
            }
            Self::Cell { live, image } => format!("{} can still be reached, but its image {} cannot", name(live), name(image)),
            Self::Fixed { cell } => format!("{} can still be reached, and is its own image", name(cell)),
        }
    }
}
