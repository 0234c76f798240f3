//! Zobrist hashing: a 64-bit hash of a duel that a move updates with a handful of XORs.
//!
//! Every fact "cell c is free", "the mover stands on c" and "the other stands on c" has a fixed
//! random key. The hash of a duel is the XOR of the keys of its facts. A move swaps the roles of
//! the knights and takes one free cell. Everything else stays the same.
//!
//! The hash picks a place in a table. It never decides whether two duels are equal.
//!
//! # Stability
//! The keys are a contract: a hash printed by one version is the same in every later version. Key
//! number `n` is output number `n` (from 0) of the SplitMix64 generator seeded with [`SEED`]. For
//! the cell with index `c` (on any board), the facts *free*, *mover* and *other* have the key
//! numbers `3c`, `3c + 1` and `3c + 2`.

use crate::game::cells::{Cell, MAX_CELLS, Word};
use crate::game::duel::Duel;

/// The seed of the keys: the letters `isolde` and the version number of the contract.
pub const SEED: u64 = u64::from_be_bytes(*b"isolde\0\x01");

/// The keys of one cell.
#[derive(Clone, Copy)]
struct Keys {
    free: u64,
    mover: u64,
    other: u64,
}

static KEYS: [Keys; MAX_CELLS] = keys();

const fn keys() -> [Keys; MAX_CELLS] {
    let mut keys = [Keys { free: 0, mover: 0, other: 0 }; MAX_CELLS];
    let mut cell = 0;
    while cell < MAX_CELLS {
        let number = 3 * cell as u64;
        keys[cell] = Keys { free: key(number), mover: key(number + 1), other: key(number + 2) };
        cell += 1;
    }
    keys
}

const fn key(number: u64) -> u64 {
    split_mix(SEED, number)
}

/// Output number `number` of SplitMix64 with this seed (Steele, Lea, Flood: *Fast Splittable
/// Pseudorandom Number Generators*, 2014).
pub(crate) const fn split_mix(seed: u64, number: u64) -> u64 {
    let mut z = seed.wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The hash of a duel.
#[must_use]
pub fn hash<W: Word>(duel: Duel<W>) -> u64 {
    let free = duel.free.into_iter().fold(0, |hash, cell| hash ^ KEYS[cell.index()].free);
    free ^ KEYS[duel.mover.index()].mover ^ KEYS[duel.other.index()].other
}

/// The key of the fact that a cell is free. XOR it into a hash to clear or free the cell.
#[inline]
#[must_use]
pub fn free_key(cell: Cell) -> u64 {
    KEYS[cell.index()].free
}

/// The hash after the mover of `duel`, whose hash is `hash`, moves to `to`.
#[inline]
#[must_use]
pub fn hash_after<W>(hash: u64, duel: &Duel<W>, to: Cell) -> u64 {
    let (from, waiting, to) = (KEYS[duel.mover.index()], KEYS[duel.other.index()], KEYS[to.index()]);
    hash ^ from.mover ^ waiting.other ^ waiting.mover ^ to.free ^ to.other
}
