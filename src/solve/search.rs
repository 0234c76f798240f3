//! The search itself.

use super::control::{Stopped, Wanted};
use super::general::General;
use super::order::{self, MOST_MOVES};
use super::proof::Proof;
use super::regions;
use crate::board::Board;
use crate::cells::{Cell, Cells, Word};
use crate::duel::{Duel, Part};

/// How many nodes pass between two looks at the clock.
const NODES_BETWEEN_CHECKS: u64 = 1 << 10;

/// What one thread needs for its searches, and keeps between them.
pub(super) struct Searcher<W> {
    board: Board<W>,
    general: General<W>,
}

impl<W: Word> Searcher<W> {
    pub(super) fn new(board: &Board<W>, bytes: u64) -> Self {
        Self { board: board.clone(), general: General::new(board, bytes) }
    }

    /// Whether the mover wins.
    pub(super) fn mover_wins(&mut self, duel: Duel<W>, wanted: &Wanted<'_>) -> Result<bool, Stopped> {
        let mut search = Search { board: &self.board, general: &mut self.general, wanted, nodes: 0, reported: 0 };
        let answer = match duel.part_of_mover(&self.board) {
            Part::Hunter => search.hunters_turn(duel.free, duel.mover, duel.other).map(|proof| proof.hunter_wins),
            Part::Prey => search.preys_turn(duel.free, duel.other, duel.mover).map(|proof| !proof.hunter_wins),
        };
        wanted.control().add_nodes(search.nodes - search.reported);
        answer
    }
}

struct Search<'a, W> {
    board: &'a Board<W>,
    general: &'a mut General<W>,
    wanted: &'a Wanted<'a>,
    nodes: u64,
    /// The nodes that the control knows of.
    reported: u64,
}

impl<W: Word> Search<'_, W> {
    fn enter(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) {
            self.wanted.control().add_nodes(self.nodes - self.reported);
            self.reported = self.nodes;
            self.wanted.check()?;
        }
        Ok(())
    }

    fn hunters_turn(&mut self, free: Cells<W>, hunter: Cell, prey: Cell) -> Result<Proof<W>, Stopped> {
        self.enter()?;
        let board = self.board;
        let moves = board.knight_moves(hunter) & free;
        if moves.is_empty() {
            return Ok(Proof::prey(Cells::EMPTY, board.knight_moves(hunter).without(prey)));
        }
        let exits = board.knight_moves(prey) & free;
        let place = self.general.place(hunter, prey, moves, exits);
        if let Some(proof) = self.general.get(place, free, prey) {
            return Ok(proof);
        }
        let hunted = board.flood(Cells::only(prey), free);
        if hunted.is_disjoint(moves) {
            let own = board.flood(Cells::only(hunter), free);
            let separated = regions::separated(board, (hunter, own), (prey, hunted));
            let (loser, region) = if separated.mover_wins { (prey, hunted) } else { (hunter, own) };
            let walls = (board.expand(region) | board.knight_moves(loser)).except(region).without(hunter).without(prey);
            return Ok(Proof { hunter_wins: separated.mover_wins, need: separated.walk, stop: walls });
        }
        let mut all = Proof::prey(Cells::EMPTY, board.knight_moves(hunter).except(free).without(prey));
        let mut proof = None;
        for to in self.sorted(moves, |to| order::hunter_score(board, free.without(to), to, prey)).into_iter().flatten() {
            let after = self.preys_turn(free.without(to), to, prey)?;
            if after.hunter_wins {
                proof = Some(after.before_winner_moved(hunter, to));
                break;
            }
            all.add_losers_move(hunter, after);
        }
        let proof = proof.unwrap_or(all);
        self.general.put(place, prey, proof);
        Ok(proof)
    }

    fn preys_turn(&mut self, free: Cells<W>, hunter: Cell, prey: Cell) -> Result<Proof<W>, Stopped> {
        self.enter()?;
        let board = self.board;
        let exits = board.knight_moves(prey) & free;
        let mut all = Proof::hunter(Cells::EMPTY, board.knight_moves(prey).except(free).without(hunter));
        for to in self.sorted(exits, |to| order::prey_score(board, free.without(to), hunter, to)).into_iter().flatten() {
            let after = self.hunters_turn(free.without(to), hunter, to)?;
            if !after.hunter_wins {
                return Ok(after.before_winner_moved(prey, to));
            }
            all.add_losers_move(prey, after);
        }
        Ok(all)
    }

    fn sorted(&self, moves: Cells<W>, score: impl Fn(Cell) -> i32) -> [Option<Cell>; MOST_MOVES] {
        let mut list = [(i32::MAX, None); MOST_MOVES];
        for (slot, to) in list.iter_mut().zip(moves) {
            *slot = (score(to), Some(to));
        }
        list.sort_unstable_by_key(|entry| entry.0);
        list.map(|entry| entry.1)
    }
}
