//! The keys that wait in memory until their layer is complete, without duplicates.
//!
//! A hash distributes the keys over shards, so that each shard can be filled by its own thread. The
//! number of shards does not affect the result: a layer leaves the sets as one sorted list.

use ahash::RandomState;
use hashbrown::HashSet;
use rayon::prelude::*;

use super::keys::layer;

/// Keys that were found together, grouped by shard.
pub(super) type Batch = Vec<Vec<u64>>;

/// One set for each shard and layer.
pub(super) struct Sets {
    shards: Vec<Shard>,
}

struct Shard {
    layers: Vec<HashSet<u64, RandomState>>,
}

/// A hasher with fixed seeds, so that every run is the same. It spreads the keys evenly. No result
/// depends on it.
fn hasher() -> RandomState {
    RandomState::with_seeds(0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344)
}

impl Sets {
    pub(super) fn new(layers: usize, threads: usize) -> Self {
        // More shards than threads, so that no thread waits
        // long for a shard that another one is filling.
        let shards = (4 * threads).next_power_of_two();
        let shard = || Shard { layers: (0..layers).map(|_| HashSet::with_hasher(hasher())).collect() };
        Self { shards: (0..shards).map(|_| shard()).collect() }
    }

    /// Distributes keys over the shards.
    pub(super) fn batch(&self, keys: impl Iterator<Item = u64>) -> Batch {
        // The high bits of this product depend on all bits of the key.
        let bits = self.shards.len().trailing_zeros();
        let shard = |key: u64| (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize >> (32 - bits);
        let mut batch: Batch = vec![Vec::new(); self.shards.len()];
        keys.for_each(|key| batch[shard(key)].push(key));
        batch
    }

    /// The most memory, in bytes, that the sets take while these batches are added.
    pub(super) fn bytes_with(&self, batches: &[Batch]) -> u64 {
        let bytes = |(index, shard): (usize, &Shard)| shard.bytes_with(batches.iter().map(|batch| &batch[index]));
        self.shards.par_iter().enumerate().map(bytes).sum()
    }

    pub(super) fn add(&mut self, batches: &[Batch]) {
        let add = |(index, shard): (usize, &mut Shard)| shard.add(batches.iter().map(|batch| &batch[index]));
        self.shards.par_iter_mut().enumerate().for_each(add);
    }

    /// The layers that have keys in the sets.
    pub(super) fn filled(&self) -> Vec<usize> {
        let layers = self.shards.first().map_or(0, |shard| shard.layers.len());
        (0..layers).filter(|&layer| self.shards.iter().any(|shard| !shard.layers[layer].is_empty())).collect()
    }

    /// Removes all keys of a layer and returns them sorted. The sets free their memory one by one
    /// as the list fills.
    pub(super) fn take(&mut self, layer: usize) -> Vec<u64> {
        let mut keys = Vec::with_capacity(self.shards.iter().map(|shard| shard.layers[layer].len()).sum());
        for set in self.shards.iter_mut().map(|shard| &mut shard.layers[layer]) {
            keys.extend(std::mem::replace(set, HashSet::with_hasher(hasher())));
        }
        keys.par_sort_unstable();
        keys
    }
}

impl Shard {
    fn count<'a>(&self, keys: impl Iterator<Item = &'a Vec<u64>>) -> Vec<usize> {
        let mut counts = vec![0; self.layers.len()];
        keys.flatten().for_each(|&key| counts[layer(key)] += 1);
        counts
    }

    /// A set that must grow keeps its old allocation until all keys have moved to the new one. The
    /// size of the new allocation assumes that none of the keys is in the set yet.
    fn bytes_with<'a>(&self, keys: impl Iterator<Item = &'a Vec<u64>>) -> u64 {
        let bytes = |(set, count): (&HashSet<u64, RandomState>, usize)| {
            let grown = set.len() + count;
            let new = if grown > set.capacity() { bytes_for(grown.max(set.capacity() + 1)) } else { 0 };
            set.allocation_size() as u64 + new
        };
        self.layers.iter().zip(self.count(keys)).map(bytes).sum()
    }

    fn add<'a>(&mut self, keys: impl Iterator<Item = &'a Vec<u64>> + Clone) {
        let counts = self.count(keys.clone());
        for (set, count) in self.layers.iter_mut().zip(counts) {
            set.reserve(count);
        }
        keys.flatten().for_each(|&key| {
            self.layers[layer(key)].insert(key);
        });
    }
}

/// The bytes that a set of this many keys takes. It has a power of two of slots, uses at most seven
/// eighths of them, keeps one byte beside each key, and has a few bytes more at the end.
fn bytes_for(keys: usize) -> u64 {
    let places = (keys as u64 * 8 / 7 + 1).next_power_of_two().max(4);
    places * 9 + 64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_set_is_never_underestimated() {
        for keys in (1..200).chain([1000, 1792, 1793, 100_000]) {
            let mut set = HashSet::<u64, RandomState>::with_hasher(hasher());
            set.reserve(keys);
            let taken = set.allocation_size() as u64;
            assert!(taken <= bytes_for(keys), "{keys} keys take {taken} bytes, more than the estimate of {}", bytes_for(keys));
        }
    }

    #[test]
    fn a_layer_is_taken_out_sorted_and_without_duplicates() {
        let mut sets = Sets::new(4, 3);
        let keys = [0b11, 0b101, 0b1, 0b11, 1 << 56 | 0b11, 0b111];
        let batches = [sets.batch(keys.into_iter()), sets.batch(keys.into_iter())];
        let foreseen = sets.bytes_with(&batches);
        sets.add(&batches);
        assert!(sets.bytes_with(&[]) <= foreseen);
        assert_eq!(sets.filled(), [1, 2, 3]);
        assert_eq!(sets.take(2), [0b11, 0b101, 1 << 56 | 0b11]);
        assert_eq!(sets.filled(), [1, 3]);
    }
}
