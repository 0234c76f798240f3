//! A board split by colour, so that a set of cells of one colour is one 64-bit word.
//!
//! Every knight's move changes the colour of the knight's cell. So a set of cells that a knight can
//! reach in exactly one, two or three moves lies on one colour, and of a board of up to 128 cells
//! at most 64 have the same colour. A cell's place within its colour is half its index:
//!
//! ```text
//! 5x3   10 11 12 13 14   dark   5  .  6  .  7   light   .  5  .  6  .
//!        5  6  7  8  9          .  3  .  4  .           2  .  3  .  4
//!        0  1  2  3  4          0  .  1  .  2           .  0  .  1  .
//! ```
//!
//! A step to the next file stays in place, or goes one place up or down; a step of two files goes
//! one place up or down. That depends on the cell, and masks tell the cases apart. Two ranks are
//! as many places as the board has files; one rank is half of that, rounded up or down by colour
//! where the board has an odd number of files.

use crate::game::cells::{Cell, Cells, MAX_CELLS};

/// The bits with even numbers.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// The knight moves of a board whose sets are split by colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Split {
    /// The cells of the ranks on which dark cells have odd indices.
    odd: u128,
    /// The dark cells and the light ones.
    sides: [Side; 2],
    knight: [Cells<u64>; MAX_CELLS],
}

/// The knight moves from the cells of one colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Side {
    /// The cells from which a step of one file, to the left or to the right, stays in place, goes
    /// one place up, or goes one place down.
    stay: u64,
    up: u64,
    down: u64,
    /// The cells from which a step of two files to the right, or to the left, stays on the board.
    right: u64,
    left: u64,
    /// How many places one rank up, one rank down, and two ranks are.
    rise: u32,
    fall: u32,
    leap: u32,
}

impl Split {
    /// The board with this many files and ranks.
    pub(crate) fn new(files: usize, ranks: usize) -> Self {
        let empty = |colour| Side {
            stay: 0,
            up: 0,
            down: 0,
            right: 0,
            left: 0,
            rise: (files + colour) as u32 / 2,
            fall: (files + 1 - colour) as u32 / 2,
            leap: files as u32,
        };
        let mut split = Self { odd: 0, sides: [0, 1].map(empty), knight: [Cells::EMPTY; MAX_CELLS] };
        for index in 0..files * ranks {
            let (file, colour) = (index % files, colour(files, index));
            if index % 2 != colour {
                split.odd |= 1 << index;
            }
            let bit = |holds: bool| u64::from(holds) << (index / 2);
            let side = &mut split.sides[colour];
            // From an even index, the next cell has the same half, and the one before a lower one.
            let (before, next) = (file > 0, file + 1 < files);
            let even = index % 2 == 0;
            side.stay |= bit(if even { next } else { before });
            side.up |= bit(!even && next);
            side.down |= bit(even && before);
            side.right |= bit(file + 2 < files);
            side.left |= bit(file >= 2);
        }
        // Of an odd number of cells, one more is dark.
        let cells = [files * ranks / 2, (files * ranks).div_ceil(2)].map(Cells::<u64>::first_cells);
        for index in 0..files * ranks {
            let from = colour(files, index);
            split.knight[index] = split.sides[from].expand_beyond(Self::only(Cell::new(index))) & cells[from];
        }
        split
    }

    /// The moves from the dark cells, and those from the light ones.
    #[inline]
    pub(crate) fn sides(&self) -> &[Side; 2] {
        &self.sides
    }

    /// The cells a knight's move away from `from`, within their colour.
    #[inline]
    pub(crate) fn knight_moves(&self, from: Cell) -> Cells<u64> {
        self.knight[from.index()]
    }

    /// The set that holds only `cell`, within its colour.
    #[inline]
    pub(crate) fn only(cell: Cell) -> Cells<u64> {
        Cells::from_word(1 << (cell.index() / 2))
    }

    /// The dark cells and the light ones of a set.
    #[inline]
    pub(crate) fn split(&self, cells: Cells<u128>) -> [Cells<u64>; 2] {
        let word = self.exchange(cells.word());
        let (low, high) = (word as u64, (word >> 64) as u64);
        let dark = (low & EVEN) | ((high & EVEN) << 1);
        let light = ((low >> 1) & EVEN) | (high & !EVEN);
        [dark, light].map(|woven| Cells::from_word(unweave(woven)))
    }

    /// Exchanges each even index with the next odd one where the dark cells have odd indices.
    #[inline]
    fn exchange(&self, word: u128) -> u128 {
        let even = u128::from(EVEN) << 64 | u128::from(EVEN);
        (word & !self.odd) | (((word & self.odd) & even) << 1) | (((word & self.odd) >> 1) & even)
    }
}

/// 0 for a dark cell, 1 for a light one.
fn colour(files: usize, index: usize) -> usize {
    (index / files + index % files) % 2
}

impl Side {
    /// The cells a knight's move away from some cell of `set`, and perhaps some above the last
    /// rank.
    #[inline(always)]
    pub(crate) fn expand_beyond(&self, set: Cells<u64>) -> Cells<u64> {
        let set = set.word();
        let one = (set & self.stay) | ((set & self.up) << 1) | ((set & self.down) >> 1);
        let two = ((set & self.right) << 1) | ((set & self.left) >> 1);
        Cells::from_word((one << self.leap) | (one >> self.leap) | (two << self.rise) | (two >> self.fall))
    }

    /// The cells a knight's move away from at least one, at least two, and so on up to at least `N`
    /// cells of `set`, and perhaps some above the last rank.
    #[inline(always)]
    pub(crate) fn expand_counting<const N: usize>(&self, set: Cells<u64>) -> [Cells<u64>; N] {
        let set = set.word();
        // No two cells land on one place here: a rank has cells of `up` or of `down`, not of both.
        let beside = ((set & self.up) << 1) | ((set & self.down) >> 1);
        let sideways = [
            (set & self.stay, self.leap, self.leap),
            (beside, self.leap, self.leap),
            ((set & self.right) << 1, self.rise, self.fall),
            ((set & self.left) >> 1, self.rise, self.fall),
        ];
        let mut counted = [0; N];
        for (moved, rise, fall) in sideways {
            for landed in [moved << rise, moved >> fall] {
                for times in (1..N).rev() {
                    counted[times] |= counted[times - 1] & landed;
                }
                counted[0] |= landed;
            }
        }
        counted.map(Cells::from_word)
    }
}

/// Bits with even numbers go to the low half of the word, those with odd numbers to the high half.
#[inline]
fn unweave(word: u64) -> u64 {
    // Each step exchanges the bits of the mask with those so many places higher.
    let steps = [
        (0x2222_2222_2222_2222, 1),
        (0x0c0c_0c0c_0c0c_0c0c, 2),
        (0x00f0_00f0_00f0_00f0, 4),
        (0x0000_ff00_0000_ff00, 8),
        (0x0000_0000_ffff_0000, 16),
    ];
    steps.into_iter().fold(word, |word, (mask, places)| {
        let differ = (word ^ (word >> places)) & mask;
        word ^ differ ^ (differ << places)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{Board, Colour, Size};
    use proptest::prelude::*;

    /// Everything about one set, compared with the board that is not split.
    fn compare(board: &Board<u128>, set: Cells<u128>) {
        let split = board.split().expect("a board of wide words is split");
        let halves = split.split(set);
        for (half, colour) in halves.into_iter().zip([Colour::Dark, Colour::Light]) {
            let one_by_one = (set & board.coloured(colour)).into_iter().map(|cell| Cell::new(cell.index() / 2));
            assert_eq!(half, one_by_one.collect(), "{:?} {colour:?}", board.size());
        }
        // A move from a dark cell leads to a light one.
        let [onto_light, onto_dark] = [0, 1].map(|from| split.sides()[from].expand_beyond(halves[from]));
        let counted: [[Cells<u64>; 4]; 2] = [1, 0].map(|from| split.sides()[from].expand_counting(halves[from]));
        let cells = split.split(board.cells());
        assert_eq!([onto_dark & cells[0], onto_light & cells[1]], split.split(board.expand(set)), "{:?}", board.size());
        for (times, cells_of_board) in board.expand_counting::<4>(set).into_iter().enumerate() {
            let on_board = [0, 1].map(|colour| counted[colour][times] & cells[colour]);
            assert_eq!(on_board, split.split(cells_of_board), "{:?} {times}", board.size());
        }
    }

    #[test]
    fn a_split_board_has_the_moves_of_the_board() {
        for size in Size::every() {
            let board = Board::<u128>::fitting(size);
            let split = board.split().unwrap();
            for cell in board.cells() {
                let moves = split.split(board.knight_moves(cell));
                let onto = if board.colour(cell) == Colour::Dark { 1 } else { 0 };
                assert_eq!((split.knight_moves(cell), moves[1 - onto]), (moves[onto], Cells::EMPTY), "{size:?} {cell:?}");
                compare(&board, Cells::only(cell));
            }
            compare(&board, board.cells());
        }
    }

    proptest! {
        #[test]
        fn sets_move_alike_split_or_whole(words in prop::collection::vec(any::<u128>(), 256)) {
            for (size, word) in Size::every().zip(words.into_iter().cycle()) {
                let board = Board::<u128>::fitting(size);
                compare(&board, Cells::from_word(word) & board.cells());
            }
        }
    }
}
