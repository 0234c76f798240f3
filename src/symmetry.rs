//! The symmetries of a board and their action on everything that stands on it.
//!
//! A [`Symmetry`] is one of the eight ways to lay a square onto itself. A rectangle keeps four of them, a line two.
//!
//! ```text
//! 1 2    identity   center   vertical   horizontal   diagonal   antidiagonal   quarter   three-quarter
//! 3 4      1 2       4 3       2 1         3 4          4 2          1 3          2 4          3 1
//!          3 4       2 1       4 3         1 2          3 1          2 4          1 3          4 2
//! ```
//!
//! [`Symmetries`] are those of one board, with the tables that map cells and sets of cells. They give every duel a
//! [canonical form](Symmetries::canonical): dead cells cleared, then the least image.
//!
//! # Stability
//! The canonical form decides which entry of a table answers for a position. The order of [`Symmetry::ALL`] and the
//! order on duels (free cells as a number, then the mover's cell, then the other's) are part of the table format.

use std::fmt;

use crate::board::{Board, Size};
use crate::cells::{Cell, Cells, MAX_CELLS, Word};
use crate::duel::Duel;

/// A way to lay a board onto itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symmetry {
    /// Every cell stays.
    Identity,
    /// The half turn: reflection through the centre.
    Center,
    /// Reflection in the vertical axis: files change sides.
    Vertical,
    /// Reflection in the horizontal axis: ranks change sides.
    Horizontal,
    /// Reflection in the diagonal from `a1`: files and ranks change places.
    Diagonal,
    /// Reflection in the other diagonal.
    Antidiagonal,
    /// A quarter turn, counterclockwise.
    Quarter,
    /// Three quarter turns, counterclockwise.
    ThreeQuarter,
}

impl Symmetry {
    /// All eight.
    pub const ALL: [Self; 8] = [
        Self::Identity,
        Self::Center,
        Self::Vertical,
        Self::Horizontal,
        Self::Diagonal,
        Self::Antidiagonal,
        Self::Quarter,
        Self::ThreeQuarter,
    ];

    /// The symmetry as three yes-or-no questions, asked in this order: are files and ranks exchanged, then the files
    /// reversed, then the ranks reversed?
    const fn parts(self) -> (bool, bool, bool) {
        match self {
            Self::Identity => (false, false, false),
            Self::Center => (false, true, true),
            Self::Vertical => (false, true, false),
            Self::Horizontal => (false, false, true),
            Self::Diagonal => (true, false, false),
            Self::Antidiagonal => (true, true, true),
            Self::Quarter => (true, true, false),
            Self::ThreeQuarter => (true, false, true),
        }
    }

    fn from_parts(parts: (bool, bool, bool)) -> Self {
        *Self::ALL.iter().find(|s| s.parts() == parts).expect("the eight answers to three questions are all listed")
    }

    /// Whether a board of this size has the symmetry: those that exchange files and ranks need a square.
    #[must_use]
    pub const fn fits(self, size: Size) -> bool {
        size.is_square() || !self.parts().0
    }

    /// The symmetry that does this first and `next` after it.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let (exchange, files, ranks) = self.parts();
        let (exchange_next, files_next, ranks_next) = next.parts();
        // An exchange after a reversal of the files is a reversal of the ranks after the exchange.
        let (files, ranks) = if exchange_next { (ranks, files) } else { (files, ranks) };
        Self::from_parts((exchange ^ exchange_next, files ^ files_next, ranks ^ ranks_next))
    }

    /// The symmetry that takes this one back.
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::Quarter => Self::ThreeQuarter,
            Self::ThreeQuarter => Self::Quarter,
            own_inverse => own_inverse,
        }
    }

    /// Where the symmetry takes a cell of a board that [has it](Symmetry::fits).
    ///
    /// # Panics
    /// If the board lacks the symmetry or the cell.
    #[must_use]
    pub fn image_on(self, size: Size, cell: Cell) -> Cell {
        assert!(self.fits(size), "a {}x{} board has no {self} symmetry", size.files(), size.ranks());
        let (exchange, reverse_files, reverse_ranks) = self.parts();
        let (mut file, mut rank) = (size.file(cell), size.rank(cell));
        if exchange {
            (file, rank) = (rank, file);
        }
        if reverse_files {
            file = size.files() - 1 - file;
        }
        if reverse_ranks {
            rank = size.ranks() - 1 - rank;
        }
        size.cell(file, rank).expect("a symmetry of the board keeps its cells on the board")
    }

    /// The name that people type and read.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Center => "center",
            Self::Vertical => "vertical",
            Self::Horizontal => "horizontal",
            Self::Diagonal => "diagonal",
            Self::Antidiagonal => "antidiagonal",
            Self::Quarter => "quarter",
            Self::ThreeQuarter => "three-quarter",
        }
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A duel's canonical form, and how it was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Canonical<W> {
    /// Dead cells cleared, least image.
    pub duel: Duel<W>,
    /// Takes the original to the canonical duel. Its [inverse](Symmetry::inverse) takes moves back.
    pub symmetry: Symmetry,
}

/// The symmetries of one board.
#[derive(Clone, Debug)]
pub struct Symmetries<W> {
    actions: Vec<Action<W>>,
}

/// What one symmetry does to the board's cells.
#[derive(Clone, Debug)]
struct Action<W> {
    symmetry: Symmetry,
    images: [Cell; MAX_CELLS],
    /// The image of a set is put together from those of its pieces of four cells: a few lookups in a table that
    /// stays in the cache.
    pieces: Vec<[Cells<W>; 16]>,
    fixed: Cells<W>,
}

impl<W: Word> Action<W> {
    fn new(symmetry: Symmetry, board: &Board<W>) -> Self {
        let size = board.size();
        let mut images = [Cell::new(0); MAX_CELLS];
        for cell in board.cells() {
            images[cell.index()] = symmetry.image_on(size, cell);
        }
        let piece = |start: usize| {
            std::array::from_fn(|pattern| {
                let members = (0..4).filter(|bit| pattern >> bit & 1 == 1 && start + bit < size.cells());
                members.map(|bit| images[start + bit]).collect()
            })
        };
        Self {
            symmetry,
            images,
            pieces: (0..size.cells()).step_by(4).map(piece).collect(),
            fixed: board.cells().into_iter().filter(|&c| images[c.index()] == c).collect(),
        }
    }

    #[inline]
    fn image_of_set(&self, set: Cells<W>) -> Cells<W> {
        let mut rest = set.word();
        let mut image = Cells::EMPTY;
        for piece in &self.pieces {
            image |= piece[rest.widen() as usize & 15];
            rest = rest >> 4;
        }
        image
    }

    #[inline]
    fn image_of_duel(&self, duel: Duel<W>) -> Duel<W> {
        Duel {
            free: self.image_of_set(duel.free),
            mover: self.images[duel.mover.index()],
            other: self.images[duel.other.index()],
        }
    }
}

impl<W: Word> Symmetries<W> {
    /// The symmetries of this board.
    #[must_use]
    pub fn new(board: &Board<W>) -> Self {
        let mut actions: Vec<Action<W>> = Vec::new();
        for symmetry in Symmetry::ALL.into_iter().filter(|s| s.fits(board.size())) {
            let action = Action::new(symmetry, board);
            // On a line, different symmetries do the same: the first to be listed stands for all of them.
            if actions.iter().all(|known| known.images != action.images) {
                actions.push(action);
            }
        }
        Self { actions }
    }

    /// The symmetries that move the cells in different ways, the identity first: eight on a square, four on a
    /// rectangle, two on a line, one on a single cell.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Symmetry> {
        self.actions.iter().map(|action| action.symmetry)
    }

    fn action(&self, symmetry: Symmetry) -> &Action<W> {
        let known = self.actions.iter().find(|action| action.symmetry == symmetry);
        known.unwrap_or_else(|| panic!("{symmetry} is not one of this board's distinct symmetries"))
    }

    /// The image of a cell. A move is the cell moved to, so this is the image of a move too.
    ///
    /// # Panics
    /// Like all that follows, if the symmetry is not among [`Symmetries::iter`].
    #[must_use]
    pub fn cell(&self, symmetry: Symmetry, cell: Cell) -> Cell {
        self.action(symmetry).images[cell.index()]
    }

    /// The image of a set of cells.
    #[must_use]
    pub fn set(&self, symmetry: Symmetry, set: Cells<W>) -> Cells<W> {
        self.action(symmetry).image_of_set(set)
    }

    /// The image of a duel.
    #[must_use]
    pub fn duel(&self, symmetry: Symmetry, duel: Duel<W>) -> Duel<W> {
        self.action(symmetry).image_of_duel(duel)
    }

    /// The cells that the symmetry leaves where they are.
    #[must_use]
    pub fn fixed_cells(&self, symmetry: Symmetry) -> Cells<W> {
        self.action(symmetry).fixed
    }

    /// The duel that stands for this one and all its images: dead cells cleared, then the least image.
    ///
    /// Where several symmetries lead to the least image, the first of [`Symmetry::ALL`] is named.
    #[must_use]
    pub fn canonical(&self, board: &Board<W>, duel: Duel<W>) -> Canonical<W> {
        self.least_image(duel.without_dead_cells(board))
    }

    /// The least image of a duel whose dead cells do not matter or are cleared already.
    #[must_use]
    pub fn least_image(&self, duel: Duel<W>) -> Canonical<W> {
        let mut least = Canonical { duel, symmetry: Symmetry::Identity };
        for action in &self.actions {
            let image = action.image_of_duel(duel);
            if image < least.duel {
                least = Canonical { duel: image, symmetry: action.symmetry };
            }
        }
        least
    }
}
