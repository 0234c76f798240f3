//! Every position that can come up on a small board, with its true value and a line that leads
//! there.
//!
//! Values are computed backward from the ends of the games. The value of a position follows from
//! the values after its moves and from nothing else: no mirror, no regions, no memo. So these
//! values can test any claim about such positions.
//!
//! Unlike in a table, dead cells are kept: the number of cells that are gone tells whose turn it
//! is.

use rayon::prelude::*;

use crate::game::board::Board;
use crate::game::cells::{Cell, Cells};
use crate::game::duel::Duel;
use crate::game::outcome::Value;
use crate::game::position::Player;
use crate::game::symmetry::Symmetries;
use crate::solve::{Control, Stopped, opening_classes};

/// Every duel that play on the board can lead to, with one duel for all its images.
pub struct Reachable {
    board: Board<u64>,
    symmetries: Symmetries<u64>,
    /// One layer for each number of free cells, largest number first. Each layer is sorted.
    layers: Vec<Layer>,
}

struct Layer {
    duels: Vec<Duel<u64>>,
    mover_wins: Vec<bool>,
}

impl Reachable {
    /// Finds and decides all positions of a board. They stay in memory, 17 bytes each: 5x5 has 7.4
    /// million of them.
    ///
    /// # Errors
    /// If the control stopped the work.
    pub fn new(board: Board<u64>, control: &Control) -> Result<Self, Stopped> {
        let mut reachable = Self { symmetries: Symmetries::new(&board), board, layers: Vec::new() };
        reachable.find(control)?;
        reachable.decide(control)?;
        Ok(reachable)
    }

    fn find(&mut self, control: &Control) -> Result<(), Stopped> {
        let cells = self.board.cells();
        let openings = opening_classes(&self.board, cells, cells);
        let mut duels: Vec<_> = openings.iter().map(|class| self.canonical(class.representative().duel(cells))).collect();
        while !duels.is_empty() {
            duels.par_sort_unstable();
            duels.dedup();
            // Without this, a layer would keep the memory of its duplicates.
            duels.shrink_to_fit();
            self.layers.push(Layer { mover_wins: Vec::new(), duels });
            if control.is_stopped() {
                return Err(Stopped);
            }
            duels = self.next_layer(&self.layers[self.layers.len() - 1].duels);
        }
        Ok(())
    }

    /// The positions that follow, most duplicates removed: neighbours often lead to the same ones.
    fn next_layer(&self, duels: &[Duel<u64>]) -> Vec<Duel<u64>> {
        let pieces: Vec<Vec<Duel<u64>>> = duels
            .par_chunks(1 << 14)
            .map(|piece| {
                let mut next: Vec<_> = piece.iter().flat_map(|&duel| self.successors(duel)).collect();
                next.sort_unstable();
                next.dedup();
                next.shrink_to_fit();
                next
            })
            .collect();
        pieces.concat()
    }

    fn decide(&mut self, control: &Control) -> Result<(), Stopped> {
        for number in (0..self.layers.len()).rev() {
            if control.is_stopped() {
                return Err(Stopped);
            }
            // The mover wins if some move leads to a position that the opponent loses.
            let wins = |&duel: &Duel<u64>| self.successors(duel).any(|next| self.value_in(number + 1, next) == Some(Value::Loss));
            let mover_wins = self.layers[number].duels.par_iter().map(wins).collect();
            self.layers[number].mover_wins = mover_wins;
        }
        Ok(())
    }

    fn canonical(&self, duel: Duel<u64>) -> Duel<u64> {
        self.symmetries.least_image(duel).duel
    }

    fn successors(&self, duel: Duel<u64>) -> impl Iterator<Item = Duel<u64>> + '_ {
        duel.moves(&self.board).into_iter().map(move |to| self.canonical(duel.play_unchecked(to)))
    }

    fn value_in(&self, layer: usize, canonical: Duel<u64>) -> Option<Value> {
        let layer = self.layers.get(layer)?;
        let place = layer.duels.binary_search(&canonical).ok()?;
        Some(Value::win_if(layer.mover_wins[place]))
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board<u64> {
        &self.board
    }

    /// The board's symmetries.
    #[must_use]
    pub fn symmetries(&self) -> &Symmetries<u64> {
        &self.symmetries
    }

    /// The true value of a duel for its mover. `None` if play cannot lead there.
    #[must_use]
    pub fn value(&self, duel: Duel<u64>) -> Option<Value> {
        let gone = self.board.cells().except(duel.free).len();
        // The openings, with two cells gone, are the first layer.
        self.value_in(gone.checked_sub(2)?, self.canonical(duel))
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layers.iter().map(|layer| layer.duels.len()).sum()
    }

    /// Whether there is no position. That is so on 1x1, where the second player cannot place.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// All positions with their values. Positions after fewer plies come first.
    pub fn iter(&self) -> impl Iterator<Item = (Duel<u64>, Value)> + '_ {
        self.layers
            .iter()
            .flat_map(|layer| layer.duels.iter().copied().zip(layer.mover_wins.iter().map(|&wins| Value::win_if(wins))))
    }

    /// Whose turn it is. Every ply takes one cell, so that the cells gone tell the number of plies.
    #[must_use]
    pub fn turn(&self, duel: Duel<u64>) -> Player {
        let plies = self.board.cells().except(duel.free).len();
        if plies.is_multiple_of(2) { Player::First } else { Player::Second }
    }

    /// A line of play, placements included, that leads to this duel. `None` if play cannot lead
    /// there.
    ///
    /// Together the knights have visited exactly the cells that are gone. So this searches for two
    /// walks that share out these cells.
    #[must_use]
    pub fn line_to(&self, duel: Duel<u64>) -> Option<Vec<Cell>> {
        let ends = match self.turn(duel) {
            Player::First => [duel.mover, duel.other],
            Player::Second => [duel.other, duel.mover],
        };
        let mut walks = Walks { board: &self.board, ends, line: Vec::new() };
        walks.extend(self.board.cells().except(duel.free), [None; 2]).then_some(walks.line)
    }
}

/// A search for two walks that together visit given cells.
struct Walks<'a> {
    board: &'a Board<u64>,
    /// Where the walks of the first and the second player end.
    ends: [Cell; 2],
    /// The plies so far.
    line: Vec<Cell>,
}

impl Walks<'_> {
    /// Extends the walks over the cells that are `left`. Returns whether that succeeded.
    fn extend(&mut self, left: Cells<u64>, knights: [Option<Cell>; 2]) -> bool {
        if left.is_empty() {
            return knights == self.ends.map(Some);
        }
        let player = self.line.len() % 2;
        // The last two plies, and no others, lead to the ends of the walks.
        let (ends, last) = (self.ends, left.len() <= 2);
        let targets = knights[player].map_or(left, |from| self.board.knight_moves(from) & left);
        for to in targets.into_iter().filter(|to| ends.contains(to) == last) {
            let mut next = knights;
            next[player] = Some(to);
            self.line.push(to);
            if self.extend(left.without(to), next) {
                return true;
            }
            self.line.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Size;
    use crate::game::position::Position;
    use crate::solve::{Settings, Solver};

    #[test]
    fn every_position_has_its_value_and_a_line_that_leads_there() {
        for (files, ranks) in [(1, 1), (1, 4), (3, 3), (3, 4), (4, 4)] {
            let size = Size::new(files, ranks).unwrap();
            let reachable = Reachable::new(Board::fitting(size), &Control::unlimited()).unwrap();
            let solver = Solver::<u64>::new(size, Settings::default()).unwrap();
            for (duel, value) in reachable.iter() {
                assert_eq!(solver.value(duel, &Control::unlimited()), Ok(value), "{duel:?}");
                assert_eq!(reachable.value(duel), Some(value));
                let line = reachable.line_to(duel).expect("play can lead there");
                let end = line.iter().fold(Position::empty(size), |position, &to| position.play(to).unwrap());
                assert_eq!((end.duel(), end.turn()), (Some(duel), reachable.turn(duel)));
            }
        }
        let size = Size::new(3, 4).unwrap();
        let reachable = Reachable::new(Board::fitting(size), &Control::unlimited()).unwrap();
        assert_eq!((reachable.len(), reachable.is_empty()), (1326, false));
        // A knight on a1 or b1 cannot have come from c1.
        let [a1, b1, c1] = [0, 1, 2].map(Cell::new);
        let free = reachable.board().cells().without(a1).without(b1).without(c1);
        let unreachable_duel = Duel { mover: b1, other: a1, free };
        assert_eq!((reachable.value(unreachable_duel), reachable.line_to(unreachable_duel)), (None, None));
    }
}
