//! What it costs to search each move of a position: the truth that the [network](super::cost) is
//! fitted to. The searches themselves do without the network, so the truth does not depend on it.

use super::control::{Control, Wanted};
use super::order::ordered;
use super::search::Searcher;
use crate::game::board::Board;
use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;

/// What became of the search of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Searched {
    /// The move wins.
    Wins,
    /// The move loses.
    Loses,
    /// The search was given up.
    Unknown,
}

/// What it cost to search a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveCost {
    /// The move.
    pub to: Cell,
    /// What was found.
    pub searched: Searched,
    /// The nodes that it took.
    pub nodes: u64,
}

/// Every move gets a new memo of this size.
const MEMO_BYTES: u64 = 2 << 20;
/// A move is given up when it has taken this many times the nodes of the cheapest winning move.
const TOO_EXPENSIVE: u64 = 16;
/// But not before it has taken this many.
const ALWAYS: u64 = 2_000;

/// What it costs to search each of the mover's moves alone, with an empty memo and at most `most`
/// nodes. The most promising move comes first.
#[must_use]
pub fn move_costs<W: Word>(board: &Board<W>, duel: Duel<W>, most: u64) -> Vec<MoveCost> {
    let mut limit = most;
    let costs = ordered(board, duel).into_iter().map(|to| {
        let control = Control::with_nodes(limit);
        let answer = Searcher::without_network(board, MEMO_BYTES).mover_wins(duel.play_unchecked(to), &Wanted::by(&control));
        let nodes = control.nodes();
        let searched = match answer {
            Ok(false) => Searched::Wins,
            Ok(true) => Searched::Loses,
            Err(_) => Searched::Unknown,
        };
        if searched == Searched::Wins {
            limit = limit.min((nodes * TOO_EXPENSIVE).max(ALWAYS));
        }
        MoveCost { to, searched, nodes }
    });
    costs.collect()
}
