//! Work on many items, where the work on each item is itself parallel.

use std::iter;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The results of the same work for each number below `count`, with all threads of the current pool
/// busy. Every thread takes the next number when it is done with one, and helps the others when no
/// number is left.
///
/// A parallel iterator would hand out halves of the range instead. A search is itself split among
/// the threads, so a thread that waits for a part of its search would be given such a half, and go
/// back to the search only when all of that is done. Unfinished searches would pile up: they would
/// push each other's results out of the memory, and overflow the stack.
pub(crate) fn in_turns<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take_turns = |_: rayon::BroadcastContext<'_>| {
        let turns = iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed)).take_while(|&index| index < count);
        turns.map(|index| (index, work(index))).collect::<Vec<_>>()
    };
    let mut results: Vec<_> = rayon::broadcast(take_turns).into_iter().flatten().collect();
    results.sort_unstable_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;
    use rayon::prelude::*;

    /// Even though the work on an item is split among the threads, and a thread has to wait for
    /// what others took of it, no thread begins with further items meanwhile.
    #[test]
    fn items_do_not_pile_up() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let (begun, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |index: usize| {
            most.fetch_max(1 + begun.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
            (0..16).into_par_iter().with_max_len(1).for_each(|_| thread::sleep(Duration::from_micros(20)));
            begun.fetch_sub(1, Ordering::Relaxed);
            index
        };
        assert!(pool.install(|| in_turns(100, work)).into_iter().eq(0..100));
        assert!(most.into_inner() <= 3);
    }
}
