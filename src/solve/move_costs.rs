//! What the [network](super::cost) is fitted to: positions that a search visits, and what it costs
//! to search each of their moves. All of these searches do without the network, so the truth does
//! not depend on it.

use std::ops::RangeInclusive;

use super::control::{Control, Wanted};
use super::order::ordered;
use super::search::Searcher;
use super::visited::Visited;
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

/// Every search gets a new memo of this size.
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

/// Positions at the hunter's turn, with at least two moves, that the search for the winner of
/// `duel` visits: at most `each` of each of these numbers of free cells, picked at random. The
/// search is given up after `nodes` nodes.
#[must_use]
pub fn visited<W: Word>(
    board: &Board<W>,
    duel: Duel<W>,
    free: RangeInclusive<usize>,
    each: usize,
    nodes: u64,
    seed: u64,
) -> Vec<Duel<W>> {
    let mut searcher = Searcher::without_network(board, MEMO_BYTES);
    searcher.visited = Some(Box::new(Visited::new(free, each, seed)));
    let control = Control::with_nodes(nodes);
    // What is found does not matter, nor whether the search comes to its end.
    let _ = searcher.mover_wins(duel, &Wanted::by(&control));
    searcher.visited.map_or_else(Vec::new, |visited| visited.kept())
}
