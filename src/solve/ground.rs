//! The free cells of a position, as the scores of moves see them: near ones and far ones.
//!
//! All moves of a player lead to cells of one colour. Here these are the near cells, and the cells
//! of the other colour are the far ones. A knight goes back and forth between them, so a score
//! always knows on which of the two a set lies. On boards of more than 64 cells, where a set of any
//! cells is two machine words, near and far cells have a word each ([`Halves`]). On smaller boards
//! one word holds both ([`Whole`]).

use crate::game::board::{Board, Colour};
use crate::game::cells::{Cell, Cells, Word};
use crate::game::split::{Side, Split};

/// Free cells, near and far.
pub(super) trait Ground: Copy {
    /// The word that holds a set of near cells, or a set of far cells.
    type Word: Word;

    /// The number of free cells.
    fn len(self) -> usize;
    /// The free near cells, and perhaps far ones, which no set of near cells contains.
    fn near(self) -> Cells<Self::Word>;
    /// The free far cells, and perhaps near ones.
    fn far(self) -> Cells<Self::Word>;
    /// The free near cells and the free far ones, and no others. `far` is the far cells' colour.
    fn by_colour(self, far: Colour) -> [Cells<Self::Word>; 2];
    /// The set that holds only `cell`.
    fn only(self, cell: Cell) -> Cells<Self::Word>;
    /// The cells a knight's move away from `from`, free or not.
    fn knight_moves(self, from: Cell) -> Cells<Self::Word>;
    /// The free near cells a knight's move away from some cell of `far`.
    fn onto_near(self, far: Cells<Self::Word>) -> Cells<Self::Word>;
    /// The free far cells a knight's move away from some cell of `near`.
    fn onto_far(self, near: Cells<Self::Word>) -> Cells<Self::Word>;
    /// The ground without a near cell.
    #[must_use]
    fn without(self, near: Cell) -> Self;
    /// The near cells a knight's move away from at least one, two, and so on up to `N` free cells,
    /// and the far ones. The sets may contain cells above the last rank.
    fn counted<const N: usize>(self) -> [[Cells<Self::Word>; N]; 2];
}

/// A word for the cells of both colours.
pub(super) struct Whole<'a, W> {
    pub(super) board: &'a Board<W>,
    pub(super) free: Cells<W>,
}

impl<W> Clone for Whole<'_, W>
where
    Cells<W>: Copy,
{
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Whole<'_, W> where Cells<W>: Copy {}

impl<W: Word> Ground for Whole<'_, W> {
    type Word = W;

    #[inline(always)]
    fn len(self) -> usize {
        self.free.len()
    }

    #[inline(always)]
    fn near(self) -> Cells<W> {
        self.free
    }

    #[inline(always)]
    fn far(self) -> Cells<W> {
        self.free
    }

    #[inline(always)]
    fn by_colour(self, far: Colour) -> [Cells<W>; 2] {
        let far = self.board.coloured(far);
        [self.free.except(far), self.free & far]
    }

    #[inline(always)]
    fn only(self, cell: Cell) -> Cells<W> {
        Cells::only(cell)
    }

    #[inline(always)]
    fn knight_moves(self, from: Cell) -> Cells<W> {
        self.board.knight_moves(from)
    }

    #[inline(always)]
    fn onto_near(self, far: Cells<W>) -> Cells<W> {
        self.board.expand_beyond(far) & self.free
    }

    #[inline(always)]
    fn onto_far(self, near: Cells<W>) -> Cells<W> {
        self.board.expand_beyond(near) & self.free
    }

    #[inline(always)]
    fn without(self, near: Cell) -> Self {
        Self { free: self.free.without(near), ..self }
    }

    #[inline(always)]
    fn counted<const N: usize>(self) -> [[Cells<W>; N]; 2] {
        [self.board.expand_counting(self.free); 2]
    }
}

/// A word for the near cells and one for the far cells.
#[derive(Clone, Copy)]
pub(super) struct Halves<'a> {
    split: &'a Split,
    near: Cells<u64>,
    far: Cells<u64>,
    from_near: &'a Side,
    from_far: &'a Side,
}

impl<'a> Halves<'a> {
    /// The ground whose far cells have the colour of `far`. `None` on boards of up to 64 cells.
    #[inline]
    pub(super) fn new<W: Word>(board: &'a Board<W>, free: Cells<W>, far: Cell) -> Option<Self> {
        let split = board.split()?;
        let [dark, light] = split.split(free.convert());
        let [from_dark, from_light] = split.sides();
        Some(match board.colour(far) {
            Colour::Dark => Self { split, near: light, far: dark, from_near: from_light, from_far: from_dark },
            Colour::Light => Self { split, near: dark, far: light, from_near: from_dark, from_far: from_light },
        })
    }

    /// The near cells as the far ones.
    pub(super) fn exchanged(self) -> Self {
        Self { near: self.far, far: self.near, from_near: self.from_far, from_far: self.from_near, ..self }
    }
}

impl Ground for Halves<'_> {
    type Word = u64;

    #[inline(always)]
    fn len(self) -> usize {
        self.near.len() + self.far.len()
    }

    #[inline(always)]
    fn near(self) -> Cells<u64> {
        self.near
    }

    #[inline(always)]
    fn far(self) -> Cells<u64> {
        self.far
    }

    #[inline(always)]
    fn by_colour(self, _: Colour) -> [Cells<u64>; 2] {
        [self.near, self.far]
    }

    #[inline(always)]
    fn only(self, cell: Cell) -> Cells<u64> {
        Split::only(cell)
    }

    #[inline(always)]
    fn knight_moves(self, from: Cell) -> Cells<u64> {
        self.split.knight_moves(from)
    }

    #[inline(always)]
    fn onto_near(self, far: Cells<u64>) -> Cells<u64> {
        self.from_far.expand_beyond(far) & self.near
    }

    #[inline(always)]
    fn onto_far(self, near: Cells<u64>) -> Cells<u64> {
        self.from_near.expand_beyond(near) & self.far
    }

    #[inline(always)]
    fn without(self, near: Cell) -> Self {
        Self { near: self.near.except(Split::only(near)), ..self }
    }

    #[inline(always)]
    fn counted<const N: usize>(self) -> [[Cells<u64>; N]; 2] {
        [self.from_far.expand_counting(self.far), self.from_near.expand_counting(self.near)]
    }
}
