//! The symmetries of a board, and what they do to cells, sets of cells and duels.
//!
//! A [`Symmetry`] is one of the eight ways to map a square onto itself. A rectangle has four of
//! them, a line two.
//!
//! ```text
//! 1 2    identity   center   vertical   horizontal   diagonal   antidiagonal   quarter   three-quarter
//! 3 4      1 2       4 3       2 1         3 4          4 2          1 3          2 4          3 1
//!          3 4       2 1       4 3         1 2          3 1          2 4          1 3          4 2
//! ```
//!
//! [`Symmetries`] holds the symmetries of one board, with the tables that map cells and sets of
//! cells. They give every duel a [canonical form](Symmetries::canonical): clear the dead cells,
//! then take the least image.
//!
//! # Stability
//! The canonical form decides which entry of a table belongs to a position. So the order of
//! [`Symmetry::ALL`] and the order of [duels](Duel) are part of the table format.

use std::fmt;

use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Cells, MAX_CELLS, Word};
use crate::game::duel::Duel;

/// A way to map a board onto itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symmetry {
    /// Every cell stays.
    Identity,
    /// The half turn: reflection through the centre.
    Center,
    /// Reflection in the vertical axis: left and right change sides.
    Vertical,
    /// Reflection in the horizontal axis: top and bottom change sides.
    Horizontal,
    /// Reflection in the diagonal through `a1`: files and ranks are exchanged.
    Diagonal,
    /// Reflection in the other diagonal.
    Antidiagonal,
    /// A quarter turn, counterclockwise.
    Quarter,
    /// Three quarter turns, counterclockwise.
    ThreeQuarter,
}

impl Symmetry {
    /// All eight symmetries. The order is part of the table format.
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

    /// The symmetry as three steps, each done or not, in this order: exchange files and ranks,
    /// reverse the files, reverse the ranks.
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
        *Self::ALL.iter().find(|s| s.parts() == parts).expect("ALL lists every combination of the three steps")
    }

    /// Whether a board of this size has the symmetry.
    /// Those that exchange files and ranks need a square.
    #[must_use]
    pub const fn fits(self, size: Size) -> bool {
        size.is_square() || !self.parts().0
    }

    /// The symmetry that applies this one first, then `next`.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let (exchange, files, ranks) = self.parts();
        let (exchange_next, files_next, ranks_next) = next.parts();
        // Reversing the files and then exchanging is the
        // same as exchanging and then reversing the ranks.
        let (files, ranks) = if exchange_next { (ranks, files) } else { (files, ranks) };
        Self::from_parts((exchange ^ exchange_next, files ^ files_next, ranks ^ ranks_next))
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::Quarter => Self::ThreeQuarter,
            Self::ThreeQuarter => Self::Quarter,
            own_inverse => own_inverse,
        }
    }

    /// The image of a cell on a board that [has this symmetry](Symmetry::fits).
    ///
    /// # Panics
    /// If the board does not have the symmetry or the cell.
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
        size.cell(file, rank).expect("a symmetry maps cells of the board to cells of the board")
    }

    /// The name used in input and output.
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

/// A duel's canonical form, and the symmetry that led to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Canonical<W> {
    /// The least image, with dead cells cleared.
    pub duel: Duel<W>,
    /// Maps the original duel to the canonical one. Its
    /// [inverse](Symmetry::inverse) maps moves back.
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
    /// For each group of four cells, the images of its 16 subsets. The image of a larger set is the
    /// union of a few lookups in this table, which is small enough to stay in the cache.
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
            // On a line, several symmetries map the cells in the same way. The first one listed
            // stands for all of them.
            if actions.iter().all(|known| known.images != action.images) {
                actions.push(action);
            }
        }
        Self { actions }
    }

    /// The symmetries that map the cells in different ways, the identity first: eight on a square,
    /// four on a rectangle, two on a line, one on a single cell.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Symmetry> {
        self.actions.iter().map(|action| action.symmetry)
    }

    fn action(&self, symmetry: Symmetry) -> &Action<W> {
        let known = self.actions.iter().find(|action| action.symmetry == symmetry);
        known.unwrap_or_else(|| panic!("{symmetry} is not one of this board's distinct symmetries"))
    }

    /// The image of a cell. A move is the cell moved to, so this is also the image of a move.
    ///
    /// # Panics
    /// If the symmetry is not among [`Symmetries::iter`].
    /// The same holds for the next three methods.
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

    /// The cells that the symmetry maps to themselves.
    #[must_use]
    pub fn fixed_cells(&self, symmetry: Symmetry) -> Cells<W> {
        self.action(symmetry).fixed
    }

    /// The canonical form of a duel: dead cells cleared, then the least image.
    ///
    /// If several symmetries lead to the least image, the result names the first of them in
    /// [`Symmetry::ALL`].
    #[must_use]
    pub fn canonical(&self, board: &Board<W>, duel: Duel<W>) -> Canonical<W> {
        self.least_image(duel.without_dead_cells(board))
    }

    /// The least image of a duel, dead cells included. Clear them first if they should not matter.
    #[must_use]
    pub fn least_image(&self, duel: Duel<W>) -> Canonical<W> {
        let mut least = Canonical { duel, symmetry: Symmetry::Identity };
        for action in &self.actions[1..] {
            // Duels are compared by their knights first, and the knights nearly always decide. Then
            // the free cells need not be mapped.
            let (mover, other) = (action.images[duel.mover.index()], action.images[duel.other.index()]);
            if (mover, other) <= (least.duel.mover, least.duel.other) {
                let image = Duel { mover, other, free: action.image_of_set(duel.free) };
                if image < least.duel {
                    least = Canonical { duel: image, symmetry: action.symmetry };
                }
            }
        }
        least
    }
}
