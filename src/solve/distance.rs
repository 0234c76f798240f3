//! In how many plies: outcomes with distance.
//!
//! The search of who wins stops at the first winning move; here the quickest is wanted, against the slowest defence. The question is asked with a
//! limit: does the game end within so many plies? The limit grows by two plies at a time until the answer is yes.
//!
//! Three things keep this small. Who wins is known beforehand from the fast search, so that only winning moves are tried for the winner.
//! Separated knights need no search: the loser walks its longest path, and that is how long it takes. And what is known of a
//! position (it takes more than so many plies; it takes at most so many) is kept in a memo of its own.

use super::control::{Stopped, Wanted};
use super::memo::Memo;
use super::order;
use super::regions;
use super::split::Shared;
use crate::cells::{Cell, Cells, Word};
use crate::duel::Duel;
use crate::outcome::{Outcome, Value};
use crate::zobrist;

/// Bits of a number of plies.
const PLIES_BITS: u32 = 7;
/// A memo for distances holds two of them.
pub(super) const RESULT_BITS: u32 = 2 * PLIES_BITS;

/// From this limit on, asking who wins before asking how fast pays. Below it, looking is as cheap.
const ASK_WHO_WINS: usize = 5;

/// What is known of how long a decided duel lasts: at least and at most.
#[derive(Clone, Copy)]
struct Known {
    at_least: usize,
    at_most: usize,
}

/// The search for distances.
pub(super) struct Distances<'a, W> {
    pub(super) shared: &'a Shared<W>,
    pub(super) memo: &'a Memo,
    pub(super) wanted: Wanted<'a>,
}

impl<W: Word> Distances<'_, W> {
    /// The exact outcome of a duel.
    pub(super) fn outcome(&self, duel: Duel<W>) -> Result<Outcome, Stopped> {
        let value = Value::win_if(self.shared.mover_wins(duel, &self.wanted)?);
        let mut plies = match value {
            Value::Win => 1,
            Value::Loss => 0,
        };
        while !self.ends_within(duel, value, plies)? {
            plies += 2;
        }
        Ok(Outcome::after(plies))
    }

    /// Whether the mover can win within `plies` (`Win`), or the other can whatever the mover does (`Loss`).
    fn ends_within(&self, duel: Duel<W>, value: Value, plies: usize) -> Result<bool, Stopped> {
        let board = &self.shared.board;
        let moves = duel.moves(board);
        if moves.is_empty() || plies == 0 {
            return Ok(moves.is_empty() && value == Value::Loss);
        }
        let (region, others_region) = duel.regions(board);
        if region.is_disjoint(others_region) {
            return self.walks_end_within(duel, (region, others_region), value, plies);
        }
        self.wanted.check()?;
        self.wanted.control().add_nodes(1);
        let duel = self.shared.symmetries.least_image(Duel { free: region | others_region, ..duel }).duel;
        let hash = zobrist::hash(duel);
        let known = self.known(hash, duel, value);
        if plies >= known.at_most || plies < known.at_least {
            return Ok(plies >= known.at_most);
        }
        let ends = match value {
            Value::Win => self.some_move_ends(duel, plies)?,
            Value::Loss => self.all_moves_end(duel, plies)?,
        };
        let known = if ends { Known { at_most: plies, ..known } } else { Known { at_least: plies + 2, ..known } };
        self.memo.put(hash, duel, pack(known, value), duel.free.len() as u32 / 2);
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

    /// Separated knights: the loser makes all the moves it can, the winner as many, and one more if it moves first.
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
        // A walk of one move more than the limit allows is enough to know that the loser lasts too long.
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

    fn known(&self, hash: u64, duel: Duel<W>, value: Value) -> Known {
        let nothing = Known { at_least: 0, at_most: usize::MAX };
        self.memo.get(hash, duel).and_then(|packed| unpack(packed, value)).unwrap_or(nothing)
    }
}

/// Both numbers have the parity that says who wins: what is stored for one winner says nothing of the other.
fn pack(known: Known, value: Value) -> u32 {
    let parity = usize::from(value == Value::Win);
    let limit = (1 << PLIES_BITS) - 2 + parity;
    (known.at_least.clamp(parity, limit) | known.at_most.min(limit) << PLIES_BITS) as u32
}

fn unpack(packed: u32, value: Value) -> Option<Known> {
    let limit = (1 << PLIES_BITS) - 1;
    let (at_least, at_most) = (packed as usize & limit, packed as usize >> PLIES_BITS);
    let same = Value::win_if(at_least % 2 == 1) == value;
    let at_most = if at_most >= limit - 1 { usize::MAX } else { at_most };
    same.then_some(Known { at_least, at_most })
}
