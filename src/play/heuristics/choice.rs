//! How a heuristic chooses a move one ply ahead: the one with the highest score.

use super::{Heuristic, Side};
use crate::game::board::Board;
use crate::game::cells::Word;
use crate::game::duel::Duel;

impl Heuristic {
    /// The score for the player who has just moved. A move that leaves the opponent without a move
    /// always has the highest score.
    #[must_use]
    pub fn score_after<W: Word>(self, board: &Board<W>, after: Duel<W>) -> f64 {
        if after.moves(board).is_empty() { f64::INFINITY } else { self.score(&Side::others(board, after)) }
    }
}

/// The places of the highest of these scores: several if they are equal.
pub fn highest(scores: &[f64]) -> impl Iterator<Item = usize> {
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (0..scores.len()).filter(move |&place| scores[place] == highest)
}
