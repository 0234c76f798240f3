//! A pseudorandom number generator: the same seed gives the same numbers.

use crate::game::zobrist::split_mix;

/// A pseudorandom number generator. The same seed gives the same numbers.
#[derive(Clone, Debug)]
pub struct Random {
    seed: u64,
    drawn: u64,
}

impl Random {
    /// A generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    /// A number below `end`. Only for small `end`, where the bias of the remainder is negligible.
    pub fn below(&mut self, end: usize) -> usize {
        self.drawn += 1;
        (split_mix(self.seed, self.drawn - 1) % end as u64) as usize
    }

    /// Shuffles the slice.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_permutation_is_about_equally_likely() {
        let mut random = Random::new(7);
        let mut orders = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut things = [1, 2, 3];
            random.shuffle(&mut things);
            *orders.entry(things).or_insert(0) += 1;
        }
        assert!(orders.len() == 6 && orders.values().all(|&times| (900..1100).contains(&times)), "{orders:?}");
    }
}
