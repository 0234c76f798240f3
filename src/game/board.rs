//! A board: its size, its knight moves and the two colours of its cells.
//!
//! A [`Size`] says how many files and ranks; a [`Board`] adds the masks that make moving a matter
//! of one lookup, and moving a whole set of knights a matter of a few shifts.
//!
//! ```
//! use isolde::{Board, Size};
//!
//! let board = Board::<u64>::new(Size::new(7, 7)?)?;
//! let corner = board.size().cell(0, 0).unwrap();
//! assert_eq!(board.knight_moves(corner).len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use crate::game::cells::{Cell, Cells, MAX_CELLS, Word};
use crate::game::split::Split;

/// Calls a function that is generic over the word with the smallest word that holds the board.
macro_rules! with_word_for {
    ($size:expr, $function:ident($($argument:expr),*)) => {
        if $size.fits::<u64>() { $function::<u64>($($argument),*) } else { $function::<u128>($($argument),*) }
    };
}
pub(crate) use with_word_for;

/// The size of a board: files (width) and ranks (height).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    files: u8,
    ranks: u8,
}

impl Size {
    /// The most files, and the most ranks, that a board can have.
    pub const MAX_SIDE: usize = 16;

    /// A board with this many files and ranks.
    ///
    /// # Errors
    /// If a side is zero or above [`Size::MAX_SIDE`], or the board has more than [`MAX_CELLS`]
    /// cells.
    pub fn new(files: usize, ranks: usize) -> Result<Self, SizeError> {
        let sides = 1..=Self::MAX_SIDE;
        if files == 0 || ranks == 0 {
            Err(SizeError::Zero { files, ranks })
        } else if !sides.contains(&files) || !sides.contains(&ranks) {
            Err(SizeError::SideTooLong { files, ranks })
        } else if files * ranks > MAX_CELLS {
            Err(SizeError::TooManyCells { files, ranks })
        } else {
            Ok(Self { files: files as u8, ranks: ranks as u8 })
        }
    }

    /// Every size that a board can have.
    pub fn every() -> impl Iterator<Item = Self> {
        (1..=Self::MAX_SIDE).flat_map(|files| (1..=Self::MAX_SIDE).filter_map(move |ranks| Self::new(files, ranks).ok()))
    }

    /// The number of files: the width.
    #[must_use]
    pub const fn files(self) -> usize {
        self.files as usize
    }

    /// The number of ranks: the height.
    #[must_use]
    pub const fn ranks(self) -> usize {
        self.ranks as usize
    }

    /// The number of cells.
    #[must_use]
    pub const fn cells(self) -> usize {
        self.files() * self.ranks()
    }

    /// Whether a set of this board's cells fits into the word.
    #[must_use]
    pub const fn fits<W: Word>(self) -> bool {
        self.cells() <= W::BITS as usize
    }

    /// The board with files and ranks exchanged. Exchanging them in every position changes nothing
    /// about the game.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self { files: self.ranks, ranks: self.files }
    }

    /// The cell of the [transposed](Size::transposed) board that stands for this one.
    #[must_use]
    pub const fn transpose(self, cell: Cell) -> Cell {
        Cell::new(self.file(cell) * self.ranks() + self.rank(cell))
    }

    /// Whether the board has as many files as ranks.
    #[must_use]
    pub const fn is_square(self) -> bool {
        self.files == self.ranks
    }

    /// The cell on this file and rank, both counted from 0, if it is on the board.
    #[must_use]
    pub const fn cell(self, file: usize, rank: usize) -> Option<Cell> {
        if file < self.files() && rank < self.ranks() { Some(Cell::new(rank * self.files() + file)) } else { None }
    }

    /// The file of a cell, counted from 0.
    #[must_use]
    pub const fn file(self, cell: Cell) -> usize {
        cell.index() % self.files()
    }

    /// The rank of a cell, counted from 0.
    #[must_use]
    pub const fn rank(self, cell: Cell) -> usize {
        cell.index() / self.files()
    }
}

/// Why there is no board of a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum SizeError {
    /// A side is zero.
    Zero { files: usize, ranks: usize },
    /// A side is longer than [`Size::MAX_SIDE`].
    SideTooLong { files: usize, ranks: usize },
    /// The board has more than [`MAX_CELLS`] cells.
    TooManyCells { files: usize, ranks: usize },
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero { files, ranks } => write!(f, "a board of {files}x{ranks} has no cells: both sides must be at least 1"),
            Self::SideTooLong { files, ranks } => {
                write!(f, "a board of {files}x{ranks} is too long: at most {max} files and {max} ranks", max = Size::MAX_SIDE)
            }
            Self::TooManyCells { files, ranks } => {
                write!(f, "a board of {files}x{ranks} has {} cells: at most {MAX_CELLS}", files * ranks)
            }
        }
    }
}

impl std::error::Error for SizeError {}

/// A board has more cells than a word has bits: use the wider word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct DoesNotFit {
    pub size: Size,
    pub bits: u32,
}

impl fmt::Display for DoesNotFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, bits } = self;
        write!(f, "a board of {}x{} does not fit a word of {bits} bits", size.files(), size.ranks())
    }
}

impl std::error::Error for DoesNotFit {}

/// The colour of a cell, as on a chess board: `a1` is dark. Every knight move changes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Colour {
    Dark,
    Light,
}

/// A board of one size: the masks that its rules need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board<W> {
    size: Size,
    cells: Cells<W>,
    dark: Cells<W>,
    /// The cells from which a step of one or two files to the right, or to the left, stays on the
    /// board.
    right: [Cells<W>; 2],
    left: [Cells<W>; 2],
    knight: [Cells<W>; MAX_CELLS],
    /// The same board split by colour. Where a set of any cells is one 64-bit word, nothing is
    /// gained by that.
    split: Option<Split>,
}

impl<W: Word> Board<W> {
    /// The board of this size.
    ///
    /// # Errors
    /// If the size does not [fit](Size::fits) the word.
    pub fn new(size: Size) -> Result<Self, DoesNotFit> {
        if size.fits::<W>() { Ok(Self::fitting(size)) } else { Err(DoesNotFit { size, bits: W::BITS }) }
    }

    /// Like [`Board::new`], for a word that was chosen by the size.
    ///
    /// # Panics
    /// If the size does not fit the word.
    pub(crate) fn fitting(size: Size) -> Self {
        assert!(size.fits::<W>(), "a board of {} cells does not fit {} bits", size.cells(), W::BITS);
        let cells = Cells::first_cells(size.cells());
        let where_file = |holds: &dyn Fn(usize) -> bool| cells.into_iter().filter(|&c| holds(size.file(c))).collect();
        let mut board = Self {
            size,
            cells,
            dark: cells.into_iter().filter(|&c| (size.file(c) + size.rank(c)).is_multiple_of(2)).collect(),
            right: [1, 2].map(|step| where_file(&|file| file + step < size.files())),
            left: [1, 2].map(|step| where_file(&|file| file >= step)),
            knight: [Cells::EMPTY; MAX_CELLS],
            split: (W::BITS > u64::BITS).then(|| Split::new(size.files(), size.ranks())),
        };
        for cell in cells {
            board.knight[cell.index()] = board.expand(Cells::only(cell));
        }
        board
    }

    /// The board's size.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// All cells of the board.
    #[inline]
    #[must_use]
    pub const fn cells(&self) -> Cells<W> {
        self.cells
    }

    /// All cells of one colour.
    #[inline]
    #[must_use]
    pub fn coloured(&self, colour: Colour) -> Cells<W> {
        match colour {
            Colour::Dark => self.dark,
            Colour::Light => self.cells.except(self.dark),
        }
    }

    /// The colour of a cell.
    #[inline]
    #[must_use]
    pub fn colour(&self, cell: Cell) -> Colour {
        if self.dark.contains(cell) { Colour::Dark } else { Colour::Light }
    }

    /// The board split by colour, if sets of any cells take more than one 64-bit word.
    #[inline]
    pub(crate) fn split(&self) -> Option<&Split> {
        // The compiler sees that this is `None` for small words.
        if W::BITS > u64::BITS { self.split.as_ref() } else { None }
    }

    /// The cells a knight's move away from `from`, free or not.
    #[inline]
    #[must_use]
    pub fn knight_moves(&self, from: Cell) -> Cells<W> {
        self.knight[from.index()]
    }

    /// The cells a knight's move away from some cell of `set`.
    ///
    /// All knights of the set jump at once: first sideways by one or two files, with those masked
    /// out that would fall off the board, then up and down. Ranks need no mask: a knight that
    /// leaves the board there leaves the set, too.
    #[inline]
    #[must_use]
    pub fn expand(&self, set: Cells<W>) -> Cells<W> {
        self.expand_beyond(set) & self.cells
    }

    /// Like [`Board::expand`], but the result may contain cells above the last rank. For callers
    /// that cut it to cells of the board anyway.
    #[inline]
    #[must_use]
    pub(crate) fn expand_beyond(&self, set: Cells<W>) -> Cells<W> {
        let files = u32::from(self.size.files);
        let one = ((set & self.right[0]).word() << 1) | ((set & self.left[0]).word() >> 1);
        let two = ((set & self.right[1]).word() << 2) | ((set & self.left[1]).word() >> 2);
        let landed = (one << (2 * files)) | (one >> (2 * files)) | (two << files) | (two >> files);
        Cells::from_word(landed)
    }

    /// The cells a knight's move away from at least one, at least two, and so on up to at least `N`
    /// cells of `set`.
    #[inline]
    #[must_use]
    pub fn expand_counting<const N: usize>(&self, set: Cells<W>) -> [Cells<W>; N] {
        let files = u32::from(self.size.files);
        let sideways = [
            ((set & self.right[0]).word() << 1, 2 * files),
            ((set & self.left[0]).word() >> 1, 2 * files),
            ((set & self.right[1]).word() << 2, files),
            ((set & self.left[1]).word() >> 2, files),
        ];
        let mut counted = [W::ZERO; N];
        for (moved, shift) in sideways {
            for landed in [moved << shift, moved >> shift] {
                for times in (1..N).rev() {
                    counted[times] = counted[times] | (counted[times - 1] & landed);
                }
                counted[0] = counted[0] | landed;
            }
        }
        counted.map(|landed| Cells::from_word(landed) & self.cells)
    }

    /// The number of pairs of these cells a knight's move apart.
    #[must_use]
    pub fn links(&self, cells: Cells<W>) -> usize {
        cells.into_iter().map(|cell| (self.knight_moves(cell) & cells).len()).sum::<usize>() / 2
    }

    /// The cells of `through` that a knight reaches, starting with a move from some cell of `from`
    /// and staying within `through`.
    #[inline]
    #[must_use]
    pub fn flood(&self, from: Cells<W>, through: Cells<W>) -> Cells<W> {
        let mut reached = Cells::EMPTY;
        let mut front = from;
        loop {
            front = self.expand_beyond(front) & through.except(reached);
            if front.is_empty() {
                return reached;
            }
            reached |= front;
        }
    }

    /// The region of a knight on `from`, if it contains none of the cells `others`. The flood ends
    /// as soon as it meets one of them.
    ///
    /// With another knight's moves as `others`, the result says whether the two are separated: both
    /// regions are flooded through the same free cells, so they have a cell in common exactly when
    /// one contains a first step of the other.
    #[inline]
    #[must_use]
    pub fn region_apart(&self, from: Cell, through: Cells<W>, others: Cells<W>) -> Option<Cells<W>> {
        let mut reached = self.knight_moves(from) & through;
        loop {
            if !reached.is_disjoint(others) {
                return None;
            }
            let grown = reached | (self.expand_beyond(reached) & through);
            if grown == reached {
                return Some(reached);
            }
            reached = grown;
        }
    }
}
