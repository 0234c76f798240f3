//! Rules: strategies with exactly one reply to every move.

use std::fmt;

use crate::game::board::Size;
use crate::game::cells::{Cell, MAX_CELLS};
use crate::game::symmetry::Symmetry;

/// A rule on one board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    kind: RuleKind,
    symmetry: Symmetry,
    images: [Cell; MAX_CELLS],
}

/// Which cell's image is the reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleKind {
    /// The image of the cell that the opponent has just moved to.
    Mirror,
    /// The image of the cell that the opponent has just left, so that the rule's player follows one
    /// move behind.
    Lagged,
}

impl Rule {
    /// The rule on a board of this size.
    ///
    /// # Panics
    /// If the board lacks the symmetry: see [`Symmetry::fits`].
    #[must_use]
    pub fn new(kind: RuleKind, symmetry: Symmetry, size: Size) -> Self {
        let mut images = [Cell::new(0); MAX_CELLS];
        for (index, image) in images.iter_mut().enumerate().take(size.cells()) {
            *image = symmetry.image_on(size, Cell::new(index));
        }
        Self { kind, symmetry, images }
    }

    /// The reply to the opponent's move, or to its placement if `from` is `None`. `None` if the
    /// rule has no reply: a follower does not know where to place.
    #[inline]
    #[must_use]
    pub fn reply(&self, from: Option<Cell>, to: Cell) -> Option<Cell> {
        match self.kind {
            RuleKind::Mirror => Some(self.images[to.index()]),
            RuleKind::Lagged => from.map(|from| self.images[from.index()]),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            RuleKind::Mirror => "mirror ",
            RuleKind::Lagged => "lagged mirror ",
        })?;
        self.symmetry.fmt(f)
    }
}
