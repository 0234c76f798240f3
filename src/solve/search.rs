//! The search: who wins a duel, with a proof that names the cells on which the result depends.
//!
//! # The shape of a proof
//! Every move changes the colour of the mover's cell. So it is always the same player, the hunter,
//! who is to move when both knights stand on one colour. Only the hunter can take a cell that its
//! opponent could move to next, and on all but small boards the hunter wins. A proof is then a tree
//! with one good move at each of the hunter's turns and all moves at each of the prey's turns. The
//! search follows that tree: two functions call each other, [`hunters_turn`](Search::hunters_turn)
//! and [`preys_turn`](Search::preys_turn), and both ask whether the hunter wins. There is no window
//! and no score: a duel is won or lost.
//!
//! # What happens at a node
//! The steps always come in the same order, cheap ones first:
//!
//! 1. **End of the game.** A player without a move has lost. A prey
//!    without an exit, or with a single exit that the hunter can take,
//!    loses at the hunter's next move. Masks decide all of these.
//! 2. **Win in two.** The hunter may win with its next two moves. Masks decide this too
//!    ([`win_in_two`](Search::win_in_two)).
//! 3. **Remembered proofs.** At the prey's turn, all moves are looked up before any of them is
//!    searched. A single move that is known to escape ends the node. Chess programs call this
//!    enhanced transposition cutoffs \[1\].
//! 4. **Separation.** When the knights can no longer meet, each walks its longest path.
//! 5. **Move ordering.** The remaining moves are ordered by a learned score ([`super::order`]), and
//!    the hunter's moves where a proof is expensive by its expected cost ([`super::expectation`]).
//! 6. **Moves.** They are searched until one of them decides the node.
//! 7. **Proof.** The proof of the node is built from the proofs of its moves. At the hunter's turn
//!    it is stored.
//!
//! # Why proofs and not just results
//! Two positions deep in a game are seldom equal, but they often differ only in cells that no
//! longer matter. A search that also returns the cells on which the result depends can reuse the
//! result wherever those cells are the same. This is Ginsberg's partition search \[2\].
//! [`super::proof`] has the rules for building the sets, [`super::partition_memo`] stores the
//! proofs. On all openings of 7x7 this halves nodes and time. Positions at the top of the tree,
//! which all threads share ([`super::parallel`]), are kept in an exact transposition table indexed
//! by a Zobrist hash \[3\] ([`super::transposition`]).
//!
//! # What this search leaves out
//! It neither clears dead cells nor uses symmetry. No proof mentions a dead cell, and this far from
//! the root an image of a position hardly ever comes up again. docs/search-notes.md has the
//! figures, including those of ideas that were tried and dropped.
//!
//! 1. A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin: *Exploiting graph properties of game trees*.
//!    AAAI 1996.
//! 2. M. Ginsberg: *Partition search*. AAAI 1996.
//! 3. A. Zobrist: *A new hashing method with application for game playing*. Technical report 88,
//!    University of Wisconsin, 1970.

use super::control::{STEPS_BETWEEN_CHECKS, Stopped, Wanted};
use super::cost::CostModel;
use super::order::{MOST_MOVES, PreyOrder};
use super::partition_memo::{PartitionMemo, Place};
use super::proof::Proof;
use super::regions;
use super::visited::Visited;
use crate::game::board::Board;
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::{Duel, Part};

/// What one thread needs for its searches and keeps between them.
pub(super) struct Searcher<W> {
    board: Board<W>,
    general: PartitionMemo<W>,
    costs: Option<Box<CostModel>>,
    /// Keeps some of the positions that are searched, if anybody wants them.
    pub(super) visited: Option<Box<Visited<W>>>,
}

impl<W: Word> Searcher<W> {
    pub(super) fn new(board: &Board<W>, bytes: u64) -> Self {
        Self { costs: Some(Box::new(CostModel::new())), ..Self::without_network(board, bytes) }
    }

    /// A searcher that orders all moves by counts.
    pub(super) fn without_network(board: &Board<W>, bytes: u64) -> Self {
        Self { board: board.clone(), general: PartitionMemo::new(board, bytes), costs: None, visited: None }
    }

    pub(super) fn search<'a>(&'a mut self, wanted: &'a Wanted<'a>) -> Search<'a, W> {
        Search {
            board: &self.board,
            general: &mut self.general,
            costs: self.costs.as_deref(),
            visited: self.visited.as_deref_mut(),
            wanted,
            refutation: Cells::EMPTY,
            nodes: 0,
            reported: 0,
        }
    }

    /// The hunter's moves, those first that are expected to take the least work.
    pub(super) fn hunters_moves(&mut self, duel: Duel<W>, wanted: &Wanted<'_>) -> Vec<Cell> {
        let candidates = Moves::of(duel.moves(&self.board));
        let mut search = self.search(wanted);
        let queue = candidates.order(|moves, len| search.hunters_scores(duel.free, duel.other, moves, len));
        queue.map(|number| candidates.get(number)).collect()
    }

    /// Whether the mover wins.
    pub(super) fn mover_wins(&mut self, duel: Duel<W>, wanted: &Wanted<'_>) -> Result<bool, Stopped> {
        let mut search = self.search(wanted);
        let answer = match duel.part_of_mover(search.board) {
            Part::Hunter => search.hunter_to_move(duel.free, duel.mover, duel.other).map(|proof| proof.hunter_wins),
            Part::Prey => search.preys_turn(duel.free, duel.other, duel.mover, Cells::EMPTY).map(|proof| !proof.hunter_wins),
        };
        wanted.add_nodes(search.nodes - search.reported);
        answer
    }
}

pub(super) struct Search<'a, W> {
    pub(super) board: &'a Board<W>,
    pub(super) general: &'a mut PartitionMemo<W>,
    /// Orders the hunter's moves where a proof is expensive, if it is there.
    pub(super) costs: Option<&'a CostModel>,
    visited: Option<&'a mut Visited<W>>,
    wanted: &'a Wanted<'a>,
    /// The prey's move at the last turn of the prey that it won. Empty if any move would have won.
    refutation: Cells<W>,
    nodes: u64,
    /// How many of the nodes the control has been told about.
    reported: u64,
}

/// The moves of a node.
pub(super) struct Moves {
    pub(super) cells: [Cell; MOST_MOVES],
    pub(super) len: usize,
}

impl Moves {
    const NONE: Self = Self { cells: [Cell::new(0); MOST_MOVES], len: 0 };

    #[inline]
    pub(super) fn of<W: Word>(cells: Cells<W>) -> Self {
        let mut moves = Self::NONE;
        for to in cells {
            moves.push(to);
        }
        moves
    }

    #[inline]
    fn push(&mut self, to: Cell) {
        self.cells[self.len % MOST_MOVES] = to;
        self.len += 1;
    }

    #[inline]
    pub(super) fn get(&self, number: usize) -> Cell {
        self.cells[number % MOST_MOVES]
    }

    /// Queues the moves by score, least score first. Moves with equal scores keep their order. A
    /// single move needs no score.
    #[inline]
    pub(super) fn order(&self, scores: impl FnOnce(&[Cell; MOST_MOVES], usize) -> [i32; MOST_MOVES]) -> Queue {
        let scores = if self.len < 2 { [0; MOST_MOVES] } else { scores(&self.cells, self.len) };
        let mut queue = Queue { keys: [Queue::DONE; MOST_MOVES] };
        for (number, (key, score)) in queue.keys.iter_mut().zip(scores).enumerate() {
            *key = if number < self.len { score * MOST_MOVES as i32 + number as i32 } else { Queue::DONE };
        }
        queue
    }
}

/// The moves still to be searched, by their numbers. They are not sorted, because most often only
/// the first one is needed.
pub(super) struct Queue {
    /// Score and number combined, so that one minimum finds both.
    keys: [i32; MOST_MOVES],
}

impl Queue {
    const DONE: i32 = i32::MAX;

    #[inline]
    fn remove(&mut self, number: usize) {
        self.keys[number % MOST_MOVES] = Self::DONE;
    }
}

impl Iterator for Queue {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let least = self.keys.into_iter().fold(Self::DONE, i32::min);
        let number = least as usize % MOST_MOVES;
        self.remove(number);
        (least != Self::DONE).then_some(number)
    }
}

impl<W: Word> Search<'_, W> {
    #[inline]
    fn enter(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(STEPS_BETWEEN_CHECKS) {
            self.wanted.add_nodes(self.nodes - self.reported);
            self.reported = self.nodes;
            self.wanted.check()?;
        }
        Ok(())
    }

    /// The hunter's turn, before anything has been checked.
    fn hunter_to_move(&mut self, free: Cells<W>, hunter: Cell, prey: Cell) -> Result<Proof<W>, Stopped> {
        let board = self.board;
        let (around_hunter, around_prey) = (board.knight_moves(hunter), board.knight_moves(prey));
        let (moves, exits) = (around_hunter & free, around_prey & free);
        let Some(any_move) = moves.first() else {
            return Ok(Proof::prey(Cells::EMPTY, around_hunter));
        };
        if exits.is_empty() {
            return Ok(Proof::hunter(Cells::only(any_move), around_prey));
        }
        if exits.len() == 1 && !exits.is_disjoint(moves) {
            return Ok(Proof::hunter(exits, around_prey.except(exits)));
        }
        let [_, twice, _] = board.expand_counting(free);
        if let Some(proof) = self.win_in_two(free, hunter, prey, moves, exits, exits & twice) {
            return Ok(proof);
        }
        let place = self.general.place(hunter, prey, exits);
        match self.general.get(place, free, prey) {
            Some(proof) => Ok(proof),
            None => self.hunters_turn(free, hunter, prey, place),
        }
    }

    /// The hunter's turn, when the hunter has a move
    /// but no win in two, and no stored proof applies.
    fn hunters_turn(&mut self, free: Cells<W>, hunter: Cell, prey: Cell, place: Place) -> Result<Proof<W>, Stopped> {
        self.enter()?;
        let board = self.board;
        let moves = board.knight_moves(hunter) & free;
        if let Some((proof, searched)) = self.separated(free, hunter, prey, moves)? {
            if searched {
                self.general.put(place, prey, proof);
            }
            return Ok(proof);
        }
        let candidates = Moves::of(moves);
        if let Some(visited) = self.visited.as_mut().filter(|_| candidates.len > 1) {
            visited.see(Duel { free, mover: hunter, other: prey });
        }
        let queue = candidates.order(|moves, len| self.hunters_scores(free, prey, moves, len));
        let mut proof = Proof::prey(Cells::EMPTY, board.knight_moves(hunter).except(free));
        let mut hint = Cells::EMPTY;
        for number in queue {
            let to = candidates.get(number);
            let after = self.preys_turn(free.without(to), to, prey, hint)?;
            if after.hunter_wins {
                proof = after.before_winner_moved(hunter, to);
                break;
            }
            proof.add_losers_move(hunter, after);
            hint = self.refutation;
        }
        self.general.put(place, prey, proof);
        Ok(proof)
    }

    /// The prey's turn. The `hint` is the prey's reply that refuted the hunter's previous move at
    /// the same node, or empty.
    fn preys_turn(&mut self, free: Cells<W>, hunter: Cell, prey: Cell, hint: Cells<W>) -> Result<Proof<W>, Stopped> {
        self.enter()?;
        let board = self.board;
        let (around_hunter, around_prey) = (board.knight_moves(hunter).without(prey), board.knight_moves(prey).without(hunter));
        let (moves, targets) = (around_hunter & free, around_prey & free);
        let Some(any_target) = targets.first() else {
            return Ok(Proof::hunter(Cells::EMPTY, around_prey));
        };
        let Some(any_move) = moves.first() else {
            self.refutation = Cells::EMPTY;
            return Ok(Proof::prey(Cells::only(any_target), around_hunter));
        };
        let mut all = Proof::hunter(Cells::EMPTY, around_prey.except(free));
        let mut candidates = Moves::NONE;
        let mut places = [Place::NONE; MOST_MOVES];
        // The target is itself a neighbour of each of its exits. So an exit with three free
        // neighbours has two besides the target.
        let [_, _, thrice] = board.expand_counting(free);
        for to in targets {
            let around = board.knight_moves(to).without(prey);
            let exits = around & free;
            if exits.is_empty() {
                all.add_losers_move(prey, Proof::hunter(Cells::only(any_move), around));
            } else if exits.len() == 1 && !exits.is_disjoint(moves) {
                all.add_losers_move(prey, Proof::hunter(exits, around.except(exits)));
            } else if let Some(proof) = self.win_in_two(free.without(to), hunter, to, moves, exits, exits & thrice) {
                all.add_losers_move(prey, proof);
            } else {
                let place = self.general.place(hunter, to, exits);
                self.general.fetch(place);
                places[candidates.len % MOST_MOVES] = place;
                candidates.push(to);
            }
        }
        let mut open = Moves::NONE;
        for number in 0..candidates.len {
            let (to, place) = (candidates.get(number), places[number % MOST_MOVES]);
            match self.general.get(place, free.without(to), to) {
                Some(proof) if !proof.hunter_wins => {
                    self.refutation = Cells::only(to);
                    return Ok(proof.before_winner_moved(prey, to));
                }
                Some(proof) => all.add_losers_move(prey, proof),
                None => {
                    places[open.len % MOST_MOVES] = place;
                    open.push(to);
                }
            }
        }
        for number in open.order(|moves, len| PreyOrder::new(board, free, hunter, hint).scores(moves, len)) {
            let to = open.get(number);
            let after = self.hunters_turn(free.without(to), hunter, to, places[number])?;
            if !after.hunter_wins {
                self.refutation = Cells::only(to);
                return Ok(after.before_winner_moved(prey, to));
            }
            all.add_losers_move(prey, after);
        }
        Ok(all)
    }

    /// The hunter's win by a move that leaves every target of the prey with no exit, or with a
    /// single exit that the hunter then takes.
    ///
    /// The hunter moves to a cell of the same colour as the prey's targets, so its move takes no
    /// exit of a target. A target with two or more exits (`open`) must therefore be the cell that
    /// the hunter moves to.
    #[inline]
    pub(super) fn win_in_two(
        &self,
        free: Cells<W>,
        hunter: Cell,
        prey: Cell,
        moves: Cells<W>,
        targets: Cells<W>,
        open: Cells<W>,
    ) -> Option<Proof<W>> {
        let board = self.board;
        let moves = match open.len() {
            0 => moves,
            1 => moves & open,
            _ => return None,
        };
        'moves: for to in moves {
            let onward = board.knight_moves(to) & free;
            let mut proof = Proof::hunter(Cells::only(to), board.knight_moves(prey).except(free));
            for target in targets.without(to) {
                let around = board.knight_moves(target);
                let exits = around & free;
                let answer = if exits.is_empty() { onward.first().map(Cells::only) } else { Some(exits & onward) };
                let Some(answer) = answer.filter(|answer| !answer.is_empty()) else { continue 'moves };
                proof.need |= answer;
                proof.stop |= around.except(free).without(hunter).without(prey);
            }
            return Some(proof);
        }
        None
    }

    /// The result when the knights can no longer meet and it is the hunter's turn. `None` if they
    /// still can.
    ///
    /// The winner needs the cells of its walk and nothing else of its region. The loser is confined
    /// by the walls of its own region, all of them blocked cells. As long as the walls stand, the
    /// region can only shrink, and the loser's longest walk with it.
    ///
    /// The flag beside the proof says whether the result
    /// took a search. Only then is it worth storing.
    #[inline]
    fn separated(&self, free: Cells<W>, hunter: Cell, prey: Cell, moves: Cells<W>) -> Result<Option<(Proof<W>, bool)>, Stopped> {
        let board = self.board;
        let Some(preys) = board.region_apart(prey, free, moves) else { return Ok(None) };
        let hunters = board.flood(Cells::only(hunter), free);
        let separated = regions::separated(board, (hunter, hunters), (prey, preys), self.wanted)?;
        let (loser, region) = if separated.mover_wins { (prey, preys) } else { (hunter, hunters) };
        let walls = (board.expand(region) | board.knight_moves(loser)).except(region).without(hunter).without(prey);
        Ok(Some((Proof { hunter_wins: separated.mover_wins, need: separated.walk, stop: walls }, separated.searched)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Size;
    use crate::solve::Control;
    use proptest::prelude::*;

    fn proof<W: Word>(searcher: &mut Searcher<W>, duel: Duel<W>) -> Proof<W> {
        let control = Control::unlimited();
        let (wanted, board) = (Wanted::by(&control), &searcher.board.clone());
        let mut search = searcher.search(&wanted);
        let proof = match duel.part_of_mover(board) {
            Part::Hunter => search.hunter_to_move(duel.free, duel.mover, duel.other),
            Part::Prey => search.preys_turn(duel.free, duel.other, duel.mover, Cells::EMPTY),
        };
        proof.expect("this search has no limit")
    }

    /// The winner, found by trying everything.
    fn hunter_wins<W: Word>(board: &Board<W>, duel: Duel<W>) -> bool {
        let mover_wins = duel.moves(board).into_iter().any(|to| {
            let next = duel.play_unchecked(to);
            hunter_wins(board, next) == (duel.part_of_mover(board) == Part::Hunter)
        });
        mover_wins == (duel.part_of_mover(board) == Part::Hunter)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Every proof keeps its promise, both for its own position and for others that it covers.
        /// This includes proofs built from stored proofs of other positions.
        #[test]
        fn a_proof_holds_for_every_position_it_covers(
            (files, ranks) in (3..7_usize, 3..7_usize),
            patterns in prop::collection::vec(any::<(u64, u64)>(), 24),
            knights in any::<(usize, usize)>(),
        ) {
            let board = Board::<u64>::fitting(Size::new(files, ranks).unwrap());
            let cells = board.size().cells();
            let (mover, other) = (Cell::new(knights.0 % cells), Cell::new(knights.1 % cells));
            prop_assume!(mover != other);
            let mut searcher = Searcher::new(&board, 1 << 20);
            let free = |pattern: u64| (Cells::from_word(pattern) & board.cells()).without(mover).without(other);
            let few = |cells: Cells<u64>| cells.into_iter().take(14).collect::<Cells<u64>>();
            for (pattern, change) in patterns {
                let duel = Duel { free: few(free(pattern)), mover, other };
                let proof = proof(&mut searcher, duel);
                prop_assert!(proof.covers(duel.free), "{duel:?} {proof:?}");
                prop_assert!(!proof.need.contains(mover) && !proof.need.contains(other));
                prop_assert!(!proof.stop.contains(mover) && !proof.stop.contains(other));
                prop_assert_eq!(hunter_wins(&board, duel), proof.hunter_wins);
                let elsewhere = Duel { free: few(free(change).except(proof.stop).except(proof.need)) | proof.need, ..duel };
                prop_assert!(proof.covers(elsewhere.free));
                prop_assert_eq!(hunter_wins(&board, elsewhere), proof.hunter_wins, "{:?} {:?} {:?}", duel, proof, elsewhere);
            }
        }
    }
}
