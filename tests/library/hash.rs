//! The hash is a contract: its keys follow from the published generator, and never change.

use isolde::{Cell, Cells, Duel, zobrist};

/// SplitMix64 as a running generator, the form in which it is published.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[test]
fn the_keys_are_the_documented_sequence() {
    let mut generator = SplitMix(zobrist::SEED);
    let keys: Vec<[u64; 3]> = (0..128).map(|_| [generator.next(), generator.next(), generator.next()]).collect();
    for (mover, other) in [(0, 1), (5, 127), (126, 64)] {
        let free: Cells<u128> = (0..128).filter(|&c| c % 3 == 1 && c != mover && c != other).map(Cell::new).collect();
        let duel = Duel { free, mover: Cell::new(mover), other: Cell::new(other) };
        let expected = free.into_iter().fold(keys[mover][1] ^ keys[other][2], |hash, cell| hash ^ keys[cell.index()][0]);
        assert_eq!(zobrist::hash(duel), expected);
    }
}

#[test]
fn the_keys_stay_what_they_are() {
    let lone = Duel { free: Cells::<u64>::EMPTY, mover: Cell::new(0), other: Cell::new(1) };
    assert_eq!(zobrist::SEED, 0x6973_6f6c_6465_0001);
    assert_eq!(zobrist::hash(lone), 0xa2fa_af2b_636c_36f0);
}
