//! What a proof is expected to cost.
//!
//! A small network is asked about the hunter's moves: which of them to try first, and how many
//! nodes the proof below each of them takes. It is fitted to positions with the true cost of every
//! move ([`crate::tune`]).

mod inputs;

mod network;

mod weights;

use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::Duel;
use crate::solve::order::MOST_MOVES;
pub(crate) use inputs::INPUTS;
use inputs::inputs;
use network::{Answers, Ready};
pub(crate) use network::{DOUBLING, FIRST_ONE, HIDDEN, Network, SECOND_ONE};

/// The network, ready to be asked.
pub(super) struct CostModel(Ready);

impl CostModel {
    /// The network was fitted to positions with at most this many free cells.
    pub(super) const MOST_FREE: usize = 56;

    pub(super) fn new() -> Self {
        Self(Ready::from(&weights::WEIGHTS))
    }

    /// What the network says about the first `len` moves of the hunter.
    #[inline]
    pub(super) fn answers<W: Word>(
        &self,
        board: &Board<W>,
        free: Cells<W>,
        prey: Cell,
        moves: &[Cell; MOST_MOVES],
        len: usize,
    ) -> Answers {
        self.0.answers(&inputs(board, free, prey, moves), len)
    }
}

/// What the network sees of these moves of the hunter.
pub(crate) fn inputs_of_moves(size: Size, duel: Duel<u128>, moves: &[Cell]) -> Vec<[i32; INPUTS]> {
    match size.fits::<u64>() {
        true => inputs_with_word::<u64>(size, duel, moves),
        false => inputs_with_word::<u128>(size, duel, moves),
    }
}

fn inputs_with_word<W: Word>(size: Size, duel: Duel<u128>, moves: &[Cell]) -> Vec<[i32; INPUTS]> {
    let board = Board::<W>::fitting(size);
    // Fewer moves are filled up with any cell.
    let mut cells = [duel.other; MOST_MOVES];
    let len = cells.iter_mut().zip(moves).map(|(cell, &to)| *cell = to).count();
    let inputs = inputs(&board, duel.free.convert(), duel.other, &cells);
    (0..len).map(|number| inputs.map(|input| input[number])).collect()
}
