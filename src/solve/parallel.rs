//! The top of the tree, searched by all threads together.
//!
//! Down to [`SERIAL`](super::shared::SERIAL) live cells a position is split into its moves; below
//! that, one thread searches on alone. At the prey's turn all moves are searched at the same time,
//! since all of them are needed to prove the usual result, that the hunter wins. At the hunter's
//! turn they are searched one after the other, since usually the first of them wins. A move that
//! takes far more nodes than its position is expected to take waits until the others have had their
//! turn. As soon as one move settles a position, the threads that are busy with its other moves are
//! called back.
//!
//! This is also where symmetry is used. So near the root, two positions are still often images of
//! each other, and a canonical form costs nothing compared with the search that it saves. With one
//! thread everything happens in order, and the number of nodes is always the same.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::at_hand::{NODES_AT_HAND, Simplified};
use super::control::{Allowance, Stopped, Wanted};
use super::order;
use super::shared::Shared;
use crate::game::board::Board;
use crate::game::cells::Word;
use crate::game::duel::{Duel, Part};
use crate::game::outcome::Value;
use crate::game::zobrist;

/// A move of the hunter may take this many times the nodes that its position is expected to take
/// before the next one gets a chance, and each further time `MORE_PATIENCE` times as many as
/// before.
///
/// The first move in order nearly always wins. But now and then it is one that only just loses, and
/// that takes more nodes to refute than anybody has: on 8x8 after c2 a8, five moves were not
/// refuted within 100 M nodes, while a1 wins within 68 M. With a patience of 1, 8x8 d4 f5 takes
/// more than 490 M nodes instead of 71.0 M, because hardly any move is searched to its end; with 2,
/// 4 and 8 it takes 73.4, 71.0 and 71.0 M. All of these were measured without the network.
pub(crate) const PATIENCE: u64 = 8;
pub(crate) const MORE_PATIENCE: u64 = 4;

/// How many nodes the proof of a position takes, very roughly.
///
/// The nodes of a position grow by a tenth with each pair of free cells a knight's move apart, as
/// they do from board to board (docs/search-notes.md). `analysis/expected.rs` tells people the same
/// with floating point; here the number has to be the same on every machine.
pub(crate) fn expected_nodes<W: Word>(board: &Board<W>, duel: Duel<W>) -> u64 {
    let links = board.links(duel.free.with(duel.mover).with(duel.other));
    // In thousandths, because the first steps are small.
    (0..links).fold(2_800, |nodes: u64, _| nodes.saturating_add(nodes / 1_000 * 102)) / 1_000
}

/// How many nodes a move of the hunter may take the first time.
fn first_allowance<W: Word>(board: &Board<W>, duel: Duel<W>, patience: u64) -> u64 {
    expected_nodes(board, duel).saturating_mul(patience).max(1)
}

impl<W: Word> Shared<W> {
    /// Whether the mover wins.
    pub(super) fn mover_wins(&self, duel: Duel<W>, wanted: &Wanted<'_>) -> Result<bool, Stopped> {
        let mut simplified = Simplified::new(self, duel);
        match self.at_hand(&mut simplified, wanted)? {
            Some(known) => Ok(known.value == Value::Win),
            None => self.search(simplified, wanted),
        }
    }

    /// The same for a duel that is not [decided without a search](Shared::at_hand).
    pub(super) fn search(&self, mut simplified: Simplified<W>, wanted: &Wanted<'_>) -> Result<bool, Stopped> {
        let duel = simplified.duel;
        if duel.free.len() <= self.serial {
            return self.search_alone(duel, wanted);
        }
        wanted.check()?;
        wanted.add_nodes(1);
        let canonical = simplified.canonical(self).duel;
        let hash = zobrist::hash(canonical);
        if let Some(result) = self.memo.get(hash, canonical) {
            return Ok(result != 0);
        }
        let nodes = wanted.control().nodes();
        let wins = match canonical.part_of_mover(&self.board) {
            Part::Hunter => self.some_move_wins(canonical, wanted)?,
            Part::Prey => self.some_move_wins_at_once(canonical, wanted)?,
        };
        self.memo.put(hash, canonical, u32::from(wins), (duel.free.len() - self.serial) as u32);
        if let Some(source) = &self.source {
            source.learn(canonical, Value::win_if(wins), wanted.control().nodes() - nodes);
        }
        Ok(wins)
    }

    /// Whether the mover wins, if that is known without a search: at hand, or from the
    /// transposition table.
    pub(super) fn recall(&self, duel: Duel<W>, wanted: &Wanted<'_>) -> Result<Option<bool>, Stopped> {
        let mut simplified = Simplified::new(self, duel);
        // A longest walk can take for ever, and another move may win at once.
        match self.at_hand(&mut simplified, &wanted.within(&Allowance::new(NODES_AT_HAND))) {
            Ok(Some(known)) => return Ok(Some(known.value == Value::Win)),
            Ok(None) => {}
            Err(Stopped) => {
                wanted.check()?;
                return Ok(None);
            }
        }
        if simplified.duel.free.len() <= self.serial {
            return Ok(None);
        }
        let canonical = simplified.canonical(self).duel;
        Ok(self.memo.get(zobrist::hash(canonical), canonical).map(|result| result != 0))
    }

    /// Whether the hunter has a winning move. Its moves are searched one after the other, first
    /// those that are expected to take the least work. A move that takes much more than that waits
    /// until the others have had their chance.
    ///
    /// A move that is known to win ends the turn at once, wherever it stands in the order. After an
    /// interruption most of them are: the source has what was proven before.
    fn some_move_wins(&self, duel: Duel<W>, wanted: &Wanted<'_>) -> Result<bool, Stopped> {
        for to in duel.moves(&self.board) {
            if self.recall(duel.play_unchecked(to), wanted)? == Some(false) {
                return Ok(true);
            }
        }
        let mut open = self.hunters_moves(duel, wanted);
        let mut nodes = first_allowance(&self.board, duel, self.patience);
        while open.len() > 1 {
            let mut undecided = Vec::new();
            for to in open {
                let allowance = Allowance::new(nodes);
                match self.mover_wins(duel.play_unchecked(to), &wanted.within(&allowance)) {
                    Ok(false) => return Ok(true),
                    Ok(true) => {}
                    Err(Stopped) => {
                        wanted.check()?;
                        undecided.push(to);
                    }
                }
            }
            open = undecided;
            nodes = nodes.saturating_mul(MORE_PATIENCE);
        }
        match open.first() {
            Some(&to) => self.mover_wins(duel.play_unchecked(to), wanted).map(|loses| !loses),
            None => Ok(false),
        }
    }

    fn some_move_wins_at_once(&self, duel: Duel<W>, wanted: &Wanted<'_>) -> Result<bool, Stopped> {
        let moves = order::ordered(&self.board, duel);
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
        // A move that was not searched to the end matters only if no other move wins.
        if answers.contains(&Ok(true)) { Ok(true) } else { answers.into_iter().find(Result::is_err).unwrap_or(Ok(false)) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::game::board::Size;
    use crate::game::cells::{Cell, Cells};
    use crate::game::symmetry::Symmetries;
    use crate::solve::Control;
    use crate::solve::search::Searcher;
    use crate::solve::transposition::TranspositionTable;
    use proptest::prelude::*;

    fn shared(board: &Board<u64>, serial: usize, patience: u64, threads: usize) -> Shared<u64> {
        Shared {
            symmetries: Symmetries::new(board),
            memo: TranspositionTable::new(board.size().cells(), 1 << 12, 1).unwrap(),
            source: None,
            serial,
            patience,
            searchers: Mutex::new((0..threads).map(|_| Searcher::new(board, 1 << 20)).collect()),
            board: board.clone(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// The winner is the same however far down a position is split, by however many threads,
        /// with a transposition table so small that it forgets most results, and with so little
        /// patience that every move has to wait for the others.
        #[test]
        fn splitting_changes_no_answer(
            (files, ranks) in (3..8_usize, 3..8_usize),
            patterns in prop::collection::vec(any::<(u64, u64)>(), 12),
            knights in any::<(usize, usize)>(),
        ) {
            let board = Board::<u64>::fitting(Size::new(files, ranks).unwrap());
            let cells = board.size().cells();
            let (mover, other) = (Cell::new(knights.0 % cells), Cell::new(knights.1 % cells));
            prop_assume!(mover != other);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
            let (alone, split) = (shared(&board, 64, PATIENCE, 1), shared(&board, 3, 0, 3));
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
