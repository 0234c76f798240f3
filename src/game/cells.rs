//! A cell of the board, and a set of cells as one machine word.
//!
//! A [`Cell`] is an index, counted along the ranks from `a1`. On a board with `f` files, the cell
//! on file `x` and rank `y` (both from 0) has index `y * f + x`:
//!
//! ```text
//! 4x3     8  9 10 11
//!         4  5  6  7
//!         0  1  2  3
//! ```
//!
//! [`Cells`] is a set of such indices. Boards up to 64 cells use `u64` and larger ones `u128`. All
//! code above this module is generic over that [`Word`].
//!
//! ```
//! use isolde::{Cell, Cells};
//!
//! let corner = Cell::new(0);
//! let set = Cells::<u64>::EMPTY.with(corner).with(Cell::new(7));
//! assert!(set.contains(corner));
//! assert_eq!(set.without(corner).first(), Some(Cell::new(7)));
//! ```

use std::fmt;
use std::hash::Hash;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// The largest number of cells that a board can have.
pub const MAX_CELLS: usize = 128;

/// One cell of a board, stored as its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u8);

impl Cell {
    /// The cell with this index.
    ///
    /// # Panics
    /// If the index is not below [`MAX_CELLS`].
    #[must_use]
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_CELLS);
        Self(index as u8)
    }

    /// The cell's index, always below [`MAX_CELLS`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        // The mask changes nothing. It tells the compiler that lookups in tables of MAX_CELLS
        // entries need no bounds check.
        self.0 as usize & (MAX_CELLS - 1)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
}

/// A machine word that holds a set of cells: `u64` or `u128`.
pub trait Word:
    sealed::Sealed
    + Copy
    + Ord
    + Hash
    + fmt::Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many cells the word has room for.
    const BITS: u32;
    /// The empty set.
    const ZERO: Self;
    /// The set that holds only the cell with index 0.
    const ONE: Self;

    /// The number of one bits.
    fn count_ones(self) -> u32;
    /// The index of the lowest one bit, or [`Self::BITS`] if there is none.
    fn trailing_zeros(self) -> u32;
    /// The word without its lowest one bit. Zero stays zero.
    #[must_use]
    fn without_lowest(self) -> Self;
    /// The word as a `u128`.
    fn widen(self) -> u128;
    /// The low bits of a `u128`.
    fn narrow(wide: u128) -> Self;
}

macro_rules! impl_word {
    ($($word:ty),*) => {$(
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline]
            fn count_ones(self) -> u32 {
                <$word>::count_ones(self)
            }
            #[inline]
            fn trailing_zeros(self) -> u32 {
                <$word>::trailing_zeros(self)
            }
            #[inline]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline]
            fn widen(self) -> u128 {
                u128::from(self)
            }
            #[inline]
            fn narrow(wide: u128) -> Self {
                wide as $word
            }
        }
    )*};
}

impl_word!(u64, u128);

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cells<W>(W);

impl<W: Word> Cells<W> {
    /// The empty set.
    pub const EMPTY: Self = Self(W::ZERO);

    /// The set whose cells are the one bits of `word`.
    #[inline]
    #[must_use]
    pub const fn from_word(word: W) -> Self {
        Self(word)
    }

    /// The word whose one bits are the cells of this set.
    #[inline]
    #[must_use]
    pub const fn word(self) -> W {
        self.0
    }

    /// The cells with an index below `count`.
    ///
    /// # Panics
    /// If `count` is larger than the number of bits in the word.
    #[must_use]
    pub fn first_cells(count: usize) -> Self {
        assert!(count <= W::BITS as usize, "{count} cells do not fit in {} bits", W::BITS);
        match count {
            0 => Self::EMPTY,
            _ => Self(!W::ZERO >> (W::BITS - count as u32)),
        }
    }

    /// The set that holds only `cell`.
    #[inline]
    #[must_use]
    pub fn only(cell: Cell) -> Self {
        debug_assert!(cell.index() < W::BITS as usize);
        Self(W::ONE << cell.0.into())
    }

    /// This set plus `cell`.
    #[inline]
    #[must_use]
    pub fn with(self, cell: Cell) -> Self {
        self | Self::only(cell)
    }

    /// This set minus `cell`.
    #[inline]
    #[must_use]
    pub fn without(self, cell: Cell) -> Self {
        self & !Self::only(cell)
    }

    /// This set minus the cells of `others`.
    #[inline]
    #[must_use]
    pub fn except(self, others: Self) -> Self {
        self & !others
    }

    /// Whether `cell` is in the set.
    #[inline]
    #[must_use]
    pub fn contains(self, cell: Cell) -> bool {
        !(self & Self::only(cell)).is_empty()
    }

    /// Whether the two sets have no cell in common.
    #[inline]
    #[must_use]
    pub fn is_disjoint(self, others: Self) -> bool {
        (self & others).is_empty()
    }

    /// Whether every cell of this set is in `others`.
    #[inline]
    #[must_use]
    pub fn is_subset(self, others: Self) -> bool {
        self.except(others).is_empty()
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == W::ZERO
    }

    /// The number of cells.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The cell with the lowest index.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<Cell> {
        (!self.is_empty()).then(|| Cell(self.0.trailing_zeros() as u8))
    }

    /// The set without its cell of lowest index.
    #[inline]
    #[must_use]
    pub fn without_first(self) -> Self {
        Self(self.0.without_lowest())
    }

    /// The same cells, stored in another word.
    ///
    /// Cells for which the other word has no room are lost. A set of cells of one board fits both
    /// words if the board does.
    #[inline]
    #[must_use]
    pub fn convert<V: Word>(self) -> Cells<V> {
        Cells(V::narrow(self.0.widen()))
    }
}

impl<W: Word> BitAnd for Cells<W> {
    type Output = Self;
    #[inline]
    fn bitand(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }
}

impl<W: Word> BitOr for Cells<W> {
    type Output = Self;
    #[inline]
    fn bitor(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }
}

impl<W: Word> BitAndAssign for Cells<W> {
    #[inline]
    fn bitand_assign(&mut self, others: Self) {
        *self = *self & others;
    }
}

impl<W: Word> BitOrAssign for Cells<W> {
    #[inline]
    fn bitor_assign(&mut self, others: Self) {
        *self = *self | others;
    }
}

/// The complement within the word. It includes indices beyond the board, so intersect it with the
/// board's cells.
impl<W: Word> Not for Cells<W> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl<W: Word> Default for Cells<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<W: Word> FromIterator<Cell> for Cells<W> {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        cells.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl<W: Word> IntoIterator for Cells<W> {
    type Item = Cell;
    type IntoIter = Iter<W>;
    #[inline]
    fn into_iter(self) -> Iter<W> {
        Iter(self)
    }
}

/// The cells of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct Iter<W>(Cells<W>);

impl<W: Word> Iterator for Iter<W> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        let cell = self.0.first()?;
        self.0 = self.0.without_first();
        Some(cell)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl<W: Word> ExactSizeIterator for Iter<W> {}
impl<W: Word> FusedIterator for Iter<W> {}
