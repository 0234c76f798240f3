//! Keys: a canonical duel as one number, and the keys of its successors.
//!
//! ```text
//! 63       56 55       48 47                                            0
//! |  mover   |   other   |  the free cells, without the two knights'    |
//! ```
//!
//! Keys have the same order as their duels. All free cells of a canonical duel are live, and the
//! number of them is the duel's *layer*. Every move takes one of them and may leave others dead, so
//! it always leads to a lower layer.

use crate::game::board::{Board, Size};
use crate::game::cells::Cell;
use crate::game::duel::Duel;
use crate::game::symmetry::Symmetries;

const FREE_BITS: u32 = 48;
const OTHER_BITS: u32 = 8;

/// The largest board, in cells, whose duels fit in a key.
pub(super) const MOST_CELLS: usize = FREE_BITS as usize + 2;

/// The layer of a key: the number of live cells of its duel.
#[inline]
pub(super) fn layer(key: u64) -> usize {
    (key << (u64::BITS - FREE_BITS)).count_ones() as usize
}

/// The duel of a key.
#[inline]
pub(super) fn duel(key: u64) -> Duel<u64> {
    let cell = |digits: u64| Cell::new((digits & ((1 << OTHER_BITS) - 1)) as usize & 127);
    let free = key & ((1 << FREE_BITS) - 1);
    Duel::with_free_beside_knights(cell(key >> FREE_BITS >> OTHER_BITS), cell(key >> FREE_BITS), free)
}

/// The key of a canonical duel.
#[inline]
fn key(duel: Duel<u64>) -> u64 {
    let knights = (duel.mover.index() as u64) << OTHER_BITS | duel.other.index() as u64;
    knights << FREE_BITS | duel.free_beside_knights()
}

/// The moves of one board, as maps from keys to keys.
pub(super) struct Moves {
    board: Board<u64>,
    symmetries: Symmetries<u64>,
}

impl Moves {
    pub(super) fn new(size: Size) -> Self {
        let board = Board::fitting(size);
        Self { symmetries: Symmetries::new(&board), board }
    }

    /// The key of a duel's canonical form.
    #[inline]
    pub(super) fn canonical(&self, duel: Duel<u64>) -> u64 {
        key(self.symmetries.canonical(&self.board, duel).duel)
    }

    /// The keys that one move leads to. The same key may come more than once.
    #[inline]
    pub(super) fn successors(&self, key: u64) -> impl Iterator<Item = u64> + '_ {
        let duel = duel(key);
        duel.moves(&self.board).into_iter().map(move |to| self.canonical(duel.play_unchecked(to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::cells::Cells;

    #[test]
    fn keys_preserve_the_order_and_round_trip() {
        let all = Cells::<u64>::first_cells(MOST_CELLS);
        let duels = [(0, 1), (0, 49), (7, 3), (48, 49), (49, 0), (49, 48)].into_iter().flat_map(|(mover, other)| {
            let (mover, other) = (Cell::new(mover), Cell::new(other));
            let frees = [0, 0b1011, 1 << 20, u64::MAX >> 9, u64::MAX].map(|word| Cells::from_word(word) & all);
            frees.map(|free| Duel { mover, other, free: free.without(mover).without(other) })
        });
        let mut duels: Vec<_> = duels.collect();
        duels.sort_unstable();
        assert!(duels.iter().map(|&duel| key(duel)).is_sorted());
        for known in duels {
            assert_eq!(duel(key(known)), known);
            assert_eq!(layer(key(known)), known.free.len());
        }
    }
}
