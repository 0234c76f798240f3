//! Distances: in how many plies a game ends.
//!
//! The search for the winner stops at the first winning move. Here the quickest win against the
//! slowest defence is wanted. So the question comes with a limit: does the game end within `plies`
//! plies? The limit grows by two plies at a time until the answer is yes.
//!
//! Three things keep this search small. The fast search has already told who wins, so the winner
//! tries winning moves only. Separated knights need no search: the loser walks its longest path,
//! and the length of that path gives the distance. And the bounds known for a position (it takes
//! more than x plies, it takes at most y plies) are kept in a transposition table of their own.

use super::at_hand::Simplified;
use super::control::{Stopped, Wanted};
use super::order;
use super::regions;
use super::shared::Shared;
use super::transposition::TranspositionTable;
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::Duel;
use crate::game::outcome::{Outcome, Value};
use crate::game::zobrist;

/// Bits for a number of plies.
const PLIES_BITS: u32 = 7;
/// The table of distances stores two numbers of plies per position.
pub(super) const RESULT_BITS: u32 = 2 * PLIES_BITS;

/// From this limit on it pays to find out who wins a position before searching for its distance.
/// Below it, the search for the distance is as cheap.
const ASK_WHO_WINS: usize = 5;

/// What is known about how long a decided duel lasts.
#[derive(Clone, Copy)]
struct Bounds {
    at_least: usize,
    at_most: usize,
}

/// The search for distances.
pub(super) struct Distances<'a, W> {
    pub(super) shared: &'a Shared<W>,
    pub(super) memo: &'a TranspositionTable,
    pub(super) wanted: Wanted<'a>,
}

impl<W: Word> Distances<'_, W> {
    /// The exact outcome of a duel.
    pub(super) fn outcome(&self, duel: Duel<W>) -> Result<Outcome, Stopped> {
        let known = self.shared.ask_source(&mut Simplified::new(self.shared, duel));
        if let Some(outcome) = known.and_then(|known| known.outcome()) {
            return Ok(outcome);
        }
        let value = Value::win_if(self.shared.mover_wins(duel, &self.wanted)?);
        let mut plies = match value {
            Value::Win => 1,
            Value::Loss => 0,
        };
        while !self.ends_within(duel, value, plies)? {
            plies += 2;
            // No game is longer. Only a source that contradicts itself can lead here, and then
            // nothing is known.
            if plies > duel.free.len() + 2 {
                return Err(Stopped);
            }
        }
        Ok(Outcome::after(plies))
    }

    /// Whether the game ends within `plies`: for `Win`, whether the mover can force a win by then,
    /// for `Loss`, whether the other can.
    pub(super) fn ends_within(&self, duel: Duel<W>, value: Value, plies: usize) -> Result<bool, Stopped> {
        let board = &self.shared.board;
        let moves = duel.moves(board);
        if moves.is_empty() || plies == 0 {
            return Ok(moves.is_empty() && value == Value::Loss);
        }
        let mut simplified = Simplified::new(self.shared, duel);
        if let Some(known) = self.shared.ask_source(&mut simplified) {
            match known.plies() {
                Some(count) => return Ok(known.value == value && count <= plies),
                None if known.value != value => return Ok(false),
                None => {}
            }
        }
        if simplified.are_separated() {
            return self.walks_end_within(simplified.duel, simplified.regions, value, plies);
        }
        self.wanted.check()?;
        self.wanted.control().add_nodes(1);
        let duel = simplified.canonical(self.shared).duel;
        let hash = zobrist::hash(duel);
        let bounds = self.bounds(hash, duel, value);
        if plies >= bounds.at_most || plies < bounds.at_least {
            return Ok(plies >= bounds.at_most);
        }
        let ends = match value {
            Value::Win => self.some_move_ends(duel, plies)?,
            Value::Loss => self.all_moves_end(duel, plies)?,
        };
        let bounds = if ends { Bounds { at_most: plies, ..bounds } } else { Bounds { at_least: plies + 2, ..bounds } };
        self.memo.put(hash, duel, pack(bounds, value), duel.free.len() as u32 / 2);
        Ok(ends)
    }

    fn some_move_ends(&self, duel: Duel<W>, plies: usize) -> Result<bool, Stopped> {
        for to in order::ordered(&self.shared.board, duel) {
            let next = duel.play_unchecked(to);
            if plies >= ASK_WHO_WINS && self.shared.mover_wins(next, &self.wanted)? {
                continue;
            }
            if self.ends_within(next, Value::Loss, plies - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn all_moves_end(&self, duel: Duel<W>, plies: usize) -> Result<bool, Stopped> {
        for to in order::ordered(&self.shared.board, duel) {
            if !self.ends_within(duel.play_unchecked(to), Value::Win, plies - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Separated knights: the loser makes all the moves it can. The winner makes the same number,
    /// plus one if it moves first.
    fn walks_end_within(
        &self,
        duel: Duel<W>,
        (region, others_region): (Cells<W>, Cells<W>),
        value: Value,
        plies: usize,
    ) -> Result<bool, Stopped> {
        let board = &self.shared.board;
        let (mover, other) = ((duel.mover, region), (duel.other, others_region));
        let mover_wins = regions::separated(board, mover, other, &self.wanted)?.mover_wins;
        // If the loser has a walk one move longer than the limit allows, it lasts too long. No
        // longer walk need be found.
        let walk = |(from, region): (Cell, Cells<W>)| {
            let too_long = plies as u32 / 2 + 1;
            regions::longest(board, region, from, too_long, &self.wanted).map(|walk| walk.moves as usize)
        };
        Ok(match (value, mover_wins) {
            (Value::Win, true) => 2 * walk(other)? < plies,
            (Value::Loss, false) => 2 * walk(mover)? <= plies,
            _ => false,
        })
    }

    fn bounds(&self, hash: u64, duel: Duel<W>, value: Value) -> Bounds {
        let nothing = Bounds { at_least: 0, at_most: usize::MAX };
        self.memo.get(hash, duel).and_then(|packed| unpack(packed, value)).unwrap_or(nothing)
    }
}

/// Both numbers have the parity that belongs to the winner. So bounds stored for one winner are
/// never taken for bounds of the other.
fn pack(bounds: Bounds, value: Value) -> u32 {
    let parity = usize::from(value == Value::Win);
    let limit = (1 << PLIES_BITS) - 2 + parity;
    (bounds.at_least.clamp(parity, limit) | bounds.at_most.min(limit) << PLIES_BITS) as u32
}

fn unpack(packed: u32, value: Value) -> Option<Bounds> {
    let limit = (1 << PLIES_BITS) - 1;
    let (at_least, at_most) = (packed as usize & limit, packed as usize >> PLIES_BITS);
    let same = Value::win_if(at_least % 2 == 1) == value;
    let at_most = if at_most >= limit - 1 { usize::MAX } else { at_most };
    same.then_some(Bounds { at_least, at_most })
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::game::board::{Board, Size};
    use crate::game::symmetry::Symmetries;
    use crate::solve::parallel::PATIENCE;
    use crate::solve::search::Searcher;
    use crate::solve::{Control, Known, Origin, Source};
    use proptest::prelude::*;

    const THREADS: usize = 3;

    fn shared(board: &Board<u64>, serial: usize, source: Option<Arc<dyn Source<u64>>>) -> Shared<u64> {
        Shared {
            symmetries: Symmetries::new(board),
            memo: TranspositionTable::new(board.size().cells(), 1 << 12, 1).unwrap(),
            source,
            serial,
            patience: PATIENCE,
            searchers: Mutex::new((0..THREADS).map(|_| Searcher::new(board, 1 << 20)).collect()),
            board: board.clone(),
        }
    }

    /// A value and an outcome, each found from scratch.
    fn answers(shared: &Shared<u64>, duel: Duel<u64>) -> (Value, Outcome, u64) {
        let control = Control::unlimited();
        let memo = TranspositionTable::new(shared.board.size().cells(), 1 << 16, RESULT_BITS).unwrap();
        let distances = Distances { shared, memo: &memo, wanted: Wanted::by(&control) };
        let wins = shared.mover_wins(duel, &distances.wanted).unwrap();
        (Value::win_if(wins), distances.outcome(duel).unwrap(), control.nodes())
    }

    /// A source that knows some duels, picked by their hashes: for some the outcome, for others
    /// only the value. It finds them by a search of its own, without a source.
    struct Part {
        truth: Shared<u64>,
        salt: u64,
        outcomes: u64,
        values: u64,
        most_live: usize,
    }

    impl Source<u64> for Part {
        fn look_up(&self, canonical: Duel<u64>) -> Option<Known> {
            let lot = (zobrist::hash(canonical) ^ self.salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
            let known = canonical.free.len() <= self.most_live && lot < self.outcomes + self.values;
            known.then(|| match answers(&self.truth, canonical) {
                (_, outcome, _) if lot < self.outcomes => Known::counted(outcome, Origin::Solved),
                (value, ..) => Known::winner(value, Origin::Solved),
            })
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// The answers are the same however much a source
        /// knows and however far down positions are split.
        #[test]
        fn a_source_changes_no_answer(
            (files, ranks) in (3..6_usize, 3..7_usize),
            pattern in any::<(u64, u64)>(),
            knights in any::<(usize, usize)>(),
            (salt, outcomes, values) in (any::<u64>(), 0..120_u64, 0..120_u64),
        ) {
            let board = Board::<u64>::fitting(Size::new(files, ranks).unwrap());
            let cells = board.size().cells();
            let (mover, other) = (Cell::new(knights.0 % cells), Cell::new(knights.1 % cells));
            prop_assume!(mover != other);
            let free = (Cells::from_word(pattern.0 | pattern.1) & board.cells()).without(mover).without(other);
            let duel = Duel { free: free.into_iter().take(14).collect(), mover, other };
            let (value, outcome, nodes) = answers(&shared(&board, 64, None), duel);
            let with = |serial, outcomes, values, most_live| {
                let truth = shared(&board, 64, None);
                let source = Arc::new(Part { truth, salt, outcomes, values, most_live });
                answers(&shared(&board, serial, Some(source)), duel)
            };
            for serial in [3, 64] {
                let partly = with(serial, outcomes, values, 128);
                prop_assert_eq!((partly.0, partly.1), (value, outcome));
                prop_assert_eq!(with(serial, 256, 0, 128), (value, outcome, 0), "nothing should be left to search");
                // Everything but the position itself is known. That leaves one node for each search
                // and each limit.
                let live = duel.live(&board).len();
                let (known_value, known_outcome, few) = with(3, 256, 0, live.saturating_sub(1));
                prop_assert_eq!((known_value, known_outcome), (value, outcome));
                prop_assert!(few <= 2 + outcome.plies() as u64, "{few} nodes, {nodes} without");
            }
        }
    }
}
