//! One game between two players, from an opening on.

use crate::board::Board;
use crate::cells::{Cell, Word};
use crate::duel::Duel;
use crate::zobrist::split_mix;

/// Numbers that look random and are the same for the same seed.
#[derive(Clone, Debug)]
pub struct Random {
    seed: u64,
    drawn: u64,
}

impl Random {
    /// The numbers of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    /// A number below this one, which is small: for such numbers the remainder is as good as even.
    pub fn below(&mut self, end: usize) -> usize {
        self.drawn += 1;
        (split_mix(self.seed, self.drawn - 1) % end as u64) as usize
    }

    /// Puts things into a random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

/// Plays a duel to its end. `choose` is asked for each move: with the number of plies played, the duel and its moves in random order. Tells in how many plies it ended.
pub fn game<W: Word>(
    board: &Board<W>,
    mut duel: Duel<W>,
    random: &mut Random,
    mut choose: impl FnMut(usize, Duel<W>, &[Cell]) -> Option<Cell>,
) -> usize {
    for plies in 0.. {
        let mut moves: Vec<Cell> = duel.moves(board).into_iter().collect();
        random.shuffle(&mut moves);
        match choose(plies, duel, &moves) {
            Some(to) => duel = duel.play_unchecked(to),
            None => return plies,
        }
    }
    unreachable!("every game ends")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn the_same_seed_gives_the_same_game() {
        let board = Board::<u64>::new(Size::new(5, 5).unwrap());
        let duel =
            Duel { mover: Cell::new(0), other: Cell::new(12), free: board.cells().without(Cell::new(0)).without(Cell::new(12)) };
        let played = |seed| {
            let mut line: Vec<Cell> = Vec::new();
            let plies = game(&board, duel, &mut Random::new(seed), |_, _, moves| {
                line.extend(moves.first());
                moves.first().copied()
            });
            assert_eq!(line.len(), plies);
            line
        };
        assert_eq!(played(1), played(1));
        assert_ne!(played(1), played(2));
    }

    #[test]
    fn every_order_comes_up() {
        let mut random = Random::new(7);
        let mut orders = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut things = [1, 2, 3];
            random.shuffle(&mut things);
            *orders.entry(things).or_insert(0) += 1;
        }
        assert!(orders.len() == 6 && orders.values().all(|&times| (900..1100).contains(&times)), "{orders:?}");
    }
}
