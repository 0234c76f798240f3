//! A finished game is solved: who was winning, and which moves were blunders.

use std::sync::Arc;

use super::record::Judgement;
use crate::analysis::Analyst;
use crate::game::notation::Line;
use crate::game::position::Position;
use crate::solve::{Control, Settings, SolverError};
use crate::table::Tables;

/// The most nodes for one game. They take a few tenths of a second.
const NODES: u64 = 2_000_000;

/// Asks about the positions of a game from the last to the first, until one has no answer: an
/// earlier position nearly always takes more work, so it would have none, either.
pub(super) fn backwards<T: Clone>(positions: &[Position], ask: impl FnMut(&Position) -> Option<T>) -> Vec<Option<T>> {
    let mut answers: Vec<Option<T>> = positions.iter().rev().map_while(ask).map(Some).collect();
    answers.resize(positions.len(), None);
    answers.reverse();
    answers
}

/// Judges a game: solves its positions from the last to the first, until two million nodes have
/// been searched or the control stops.
///
/// # Errors
/// If the system cannot provide the memory.
pub fn judge(line: &Line, settings: Settings, tables: &Tables, control: &Arc<Control>) -> Result<Judgement, SolverError> {
    let analyst = Analyst::new(settings, tables)?;
    let control = control.part_of_nodes(NODES);
    // Only positions with both knights placed are judged.
    let mut position = Position::empty(line.size());
    let mut positions: Vec<Position> = Vec::new();
    for &to in line.moves() {
        position = position.play_unchecked(to);
        if position.is_duel() {
            positions.push(position.clone());
        }
    }
    let winners = backwards(&positions, |position| analyst.winner(position, &control).ok());
    let known = winners.iter().filter(|winner| winner.is_some()).count();
    // A table or a mirror may decide an opening that the search did not.
    let at_hand = |position: &Position| {
        let known = analyst.at_hand(position)?;
        Some(known.winner_at_turn_of(position.turn()))
    };
    let opening_winner = winners.first().copied().flatten().or_else(|| positions.first().and_then(at_hand));
    let gave_away = |number: &usize| {
        let turn = positions[*number].turn();
        winners[*number] == Some(turn) && winners[number + 1] == Some(!turn)
    };
    let blunders = (0..positions.len().saturating_sub(1)).filter(gave_away).map(|number| number + 3).collect();
    Ok(Judgement { known_from: line.moves().len() + 1 - known, opening_winner, blunders })
}
