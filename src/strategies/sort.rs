//! A sort that can be stopped.
//!
//! A round of a check may have a hundred million entries. The sort of a library would run for
//! seconds after the work was stopped; this quicksort looks up now and then.

use crate::solve::{Control, Stopped};

/// This many entries are sorted in a few milliseconds.
const SORTED_AT_ONCE: usize = 1 << 17;

/// The number of entries from which a pivot is taken.
const SAMPLES: usize = 9;

/// Sorts on all threads, by keys that differ from each other.
pub(super) fn sort_by_key<T: Send, K: Ord + Copy>(
    entries: &mut [T],
    key: &(impl Fn(&T) -> K + Sync),
    control: &Control,
) -> Result<(), Stopped> {
    if entries.len() <= SORTED_AT_ONCE {
        entries.sort_unstable_by_key(key);
        return Ok(());
    }
    let middle = partition(entries, key, control)?;
    let (before, after) = entries.split_at_mut(middle);
    let (before, after) = rayon::join(|| sort_by_key(before, key, control), || sort_by_key(after, key, control));
    before.and(after)
}

/// Moves the entries below a pivot to the front and returns how many they are: neither none nor
/// all, because the pivot is the median of several entries, which differ.
fn partition<T, K: Ord + Copy>(entries: &mut [T], key: &impl Fn(&T) -> K, control: &Control) -> Result<usize, Stopped> {
    // One entry of each part, somewhere in it: the entries often come as sorted pieces, and entries
    // at equal distances could all be the least of theirs.
    let part = entries.len() / SAMPLES;
    let sample = |number: usize| key(&entries[number * part + number.wrapping_mul(0x9e37_79b9) % part]);
    let mut samples: Vec<K> = (0..SAMPLES).map(sample).collect();
    samples.sort_unstable();
    let pivot = samples[SAMPLES / 2];
    let (mut below, mut end) = (0, entries.len());
    while below < end {
        if (end - below).is_multiple_of(SORTED_AT_ONCE) && control.is_stopped() {
            return Err(Stopped);
        }
        if key(&entries[below]) < pivot {
            below += 1;
        } else {
            end -= 1;
            entries.swap(below, end);
        }
    }
    Ok(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudorandom pairs, of which the first parts are often equal.
    fn pairs(length: u64) -> Vec<(u64, u64)> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        (0..length).map(|number| (next() % 1000, number)).collect()
    }

    #[test]
    fn long_input_is_sorted_as_the_standard_library_does_it() {
        for length in [0, 1, SORTED_AT_ONCE as u64 + 1, 700_000] {
            let (mut sorted, mut expected) = (pairs(length), pairs(length));
            sort_by_key(&mut sorted, &|&pair| pair, &Control::unlimited()).unwrap();
            expected.sort_unstable();
            assert!(sorted == expected, "{length} entries");
        }
    }

    #[test]
    fn a_sort_stops_when_the_work_is_stopped() {
        let stopped = Control::unlimited();
        stopped.stop();
        assert_eq!(sort_by_key(&mut pairs(700_000), &|&pair| pair, &stopped), Err(Stopped));
    }
}
