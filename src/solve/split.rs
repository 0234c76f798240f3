//! The top of the tree, searched by all threads together.
//!
//! Down to [`SERIAL`] live cells a position is split into its moves; below that one thread searches on alone. At the prey's turn
//! all moves are searched at the same time, since to prove the usual result (the hunter wins) all of them are needed. At the hunter's
//! turn they are searched one after the other, since usually the first of them wins. As soon as one move settles a position, the threads
//! that are busy with its other moves are called back.
//!
//! This is also where symmetry is used: so near the root two positions are still often images of each other, and the price of a
//! canonical form is nothing compared with what it saves. With one thread everything happens in order, and the number of nodes is always the same.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::control::{Stopped, Wanted};
use super::memo::Memo;
use super::mirror::mirror;
use super::order;
use super::regions;
use super::search::Searcher;
use super::source::{Known, Source};
use crate::board::Board;
use crate::cells::{Cell, Cells, Word};
use crate::duel::{Duel, Part};
use crate::outcome::Value;
use crate::symmetry::Symmetries;
use crate::zobrist;

/// With this many live cells or fewer, one thread searches alone. Splitting further down costs nodes, since general proofs only work below
/// (8x8 d4 f5 took 198, 183, 170, 164 M nodes with 30, 34, 42, 46, before the order was learned); splitting less leaves threads idle, and symmetry unused on 7x7.
pub(super) const SERIAL: usize = 44;

/// What all threads share.
pub(super) struct Shared<W> {
    pub(super) board: Board<W>,
    pub(super) symmetries: Symmetries<W>,
    pub(super) memo: Memo,
    pub(super) source: Option<Arc<dyn Source<W>>>,
    /// [`SERIAL`], but for tests.
    pub(super) serial: usize,
    /// One for each thread; whoever searches takes one and gives it back. A thread never splits while it holds one, so that there
    /// is always one left for it. Whoever asks a small question without the threads takes one, too: a question at a time.
    pub(super) searchers: Mutex<Vec<Searcher<W>>>,
}

impl<W: Word> Shared<W> {
    /// Whether the mover wins.
    pub(super) fn mover_wins(&self, duel: Duel<W>, wanted: &Wanted<'_>) -> Result<bool, Stopped> {
        let (region, others_region) = duel.regions(&self.board);
        let duel = Duel { free: region | others_region, ..duel };
        if let Some(wins) = self.at_hand(duel, (region, others_region), wanted)? {
            return Ok(wins);
        }
        if duel.free.len() <= self.serial {
            return self.search_alone(duel, wanted);
        }
        wanted.check()?;
        wanted.control().add_nodes(1);
        let canonical = self.symmetries.least_image(duel).duel;
        let hash = zobrist::hash(canonical);
        if let Some(result) = self.memo.get(hash, canonical) {
            return Ok(result != 0);
        }
        let moves = order::ordered(&self.board, canonical);
        let nodes = wanted.control().nodes();
        let wins = match canonical.part_of_mover(&self.board) {
            Part::Hunter => self.some_move_wins(canonical, &moves, wanted)?,
            Part::Prey => self.some_move_wins_at_once(canonical, &moves, wanted)?,
        };
        self.memo.put(hash, canonical, u32::from(wins), (duel.free.len() - self.serial) as u32);
        if let Some(source) = &self.source {
            source.learn(canonical, Value::win_if(wins), wanted.control().nodes() - nodes);
        }
        Ok(wins)
    }

    /// Whether the mover wins a duel without dead cells, in these regions, if that can be told without going through its moves: by the source, by longest walks, or by a mirror.
    pub(super) fn at_hand(
        &self,
        duel: Duel<W>,
        (region, others_region): (Cells<W>, Cells<W>),
        wanted: &Wanted<'_>,
    ) -> Result<Option<bool>, Stopped> {
        if region.is_empty() {
            return Ok(Some(false));
        }
        // Also before one thread searches alone: such a search has 16,000 nodes on average on 7x7 and 700 below d4 f5 on 8x8, two milliseconds and a
        // tenth of one. A look in vain costs a hundredth of that at most, and one that is not in vain saves it all.
        if let Some(known) = self.known(duel) {
            return Ok(Some(known.value() == Value::Win));
        }
        if region.is_disjoint(others_region) {
            let separated = regions::separated(&self.board, (duel.mover, region), (duel.other, others_region), wanted)?;
            return Ok(Some(separated.mover_wins));
        }
        if mirror(&self.symmetries, duel).is_some() {
            return Ok(Some(false));
        }
        // In the tree below this costs more than it saves; at the few positions that are asked for it is nothing.
        let outlasts = regions::outlasts(&self.board, duel.free, duel.mover, duel.other);
        Ok(outlasts.then_some(true))
    }

    /// What the source knows of a duel without dead cells.
    pub(super) fn known(&self, duel: Duel<W>) -> Option<Known> {
        let source = self.source.as_ref().filter(|source| duel.free.len() >= source.fewest_live())?;
        source.look_up(duel)
    }

    fn some_move_wins(&self, duel: Duel<W>, moves: &[Cell], wanted: &Wanted<'_>) -> Result<bool, Stopped> {
        for &to in moves {
            if !self.mover_wins(duel.play_unchecked(to), wanted)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn some_move_wins_at_once(&self, duel: Duel<W>, moves: &[Cell], wanted: &Wanted<'_>) -> Result<bool, Stopped> {
        let decided = AtomicBool::new(false);
        let wanted = wanted.until(&decided);
        let answers: Vec<Result<bool, Stopped>> = moves
            .par_iter()
            .with_max_len(1)
            .map(|&to| {
                wanted.check()?;
                let wins = !self.mover_wins(duel.play_unchecked(to), &wanted)?;
                decided.fetch_or(wins, Ordering::Relaxed);
                Ok(wins)
            })
            .collect();
        // A move that was not searched to the end matters only if no other one wins.
        if answers.contains(&Ok(true)) { Ok(true) } else { answers.into_iter().find(Result::is_err).unwrap_or(Ok(false)) }
    }

    fn search_alone(&self, duel: Duel<W>, wanted: &Wanted<'_>) -> Result<bool, Stopped> {
        let mut searcher = self.lend();
        let answer = searcher.mover_wins(duel, wanted);
        self.lock().push(searcher);
        answer
    }

    fn lend(&self) -> Searcher<W> {
        self.lock().pop().unwrap_or_else(|| Searcher::new(&self.board, 0))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Searcher<W>>> {
        self.searchers.lock().expect("no thread panics while it takes or returns a searcher")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::solve::Control;
    use proptest::prelude::*;

    fn shared(board: &Board<u64>, serial: usize, threads: usize) -> Shared<u64> {
        Shared {
            symmetries: Symmetries::new(board),
            memo: Memo::new(board.size().cells(), 1 << 12, 1).unwrap(),
            source: None,
            serial,
            searchers: Mutex::new((0..threads).map(|_| Searcher::new(board, 1 << 20)).collect()),
            board: board.clone(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// However far down a position is split, by however many threads, and with a memo so small that it forgets most: the same winner.
        #[test]
        fn splitting_changes_no_answer(
            (files, ranks) in (3..8_usize, 3..8_usize),
            patterns in prop::collection::vec(any::<(u64, u64)>(), 12),
            knights in any::<(usize, usize)>(),
        ) {
            let board = Board::<u64>::new(Size::new(files, ranks).unwrap());
            let cells = board.size().cells();
            let (mover, other) = (Cell::new(knights.0 % cells), Cell::new(knights.1 % cells));
            prop_assume!(mover != other);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
            let (alone, split) = (shared(&board, 64, 1), shared(&board, 3, 3));
            let control = Control::unlimited();
            for (a, b) in patterns {
                let free = (Cells::from_word(a | b) & board.cells()).without(mover).without(other).into_iter().take(22).collect();
                let duel = Duel { free, mover, other };
                let expected = alone.mover_wins(duel, &Wanted::by(&control));
                prop_assert_eq!(pool.install(|| split.mover_wins(duel, &Wanted::by(&control))), expected, "{:?}", duel);
            }
        }
    }
}
