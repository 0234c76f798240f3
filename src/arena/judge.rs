//! What is proven of a game after it was played.

use std::sync::Arc;

use super::record::Judgement;
use crate::cells::Word;
use crate::duel::Duel;
use crate::notation::Line;
use crate::outcome::Value;
use crate::position::{Player, Position};
use crate::solve::{Control, Settings, Solver, SolverError};
use crate::table::Shelf;

/// The most nodes that go into one game: a few tenths of a second.
const NODES: u64 = 2_000_000;

/// Judges a game: who wins each of its positions, from the last to the first, as far as that can be proven with so much work.
///
/// # Errors
/// If the system does not give the memory.
pub fn judge<W: Word>(line: &Line, settings: Settings, shelf: &Arc<Shelf<W>>) -> Result<Judgement, SolverError> {
    let size = line.size();
    let solver = Solver::new(size, settings)?.with_source(Arc::<Shelf<W>>::clone(shelf));
    let control = Control::with_nodes(NODES);
    // The duels after two plies and more, with the player to move.
    let mut position = Position::<W>::empty(size);
    let mut duels: Vec<(Duel<W>, Player)> = Vec::new();
    for &to in line.moves() {
        position = position.play_unchecked(to);
        duels.extend(position.duel().map(|duel| (duel, position.turn())));
    }
    let winner = |value, turn: Player| if value == Value::Win { turn } else { !turn };
    let mut winners = vec![None; duels.len()];
    for (number, &(duel, turn)) in duels.iter().enumerate().rev() {
        // Earlier positions nearly always take more work.
        let Ok(value) = solver.value(duel, &control) else { break };
        winners[number] = Some(winner(value, turn));
    }
    let known = winners.iter().filter(|winner| winner.is_some()).count();
    // Of an opening a table or a mirror may know what could not be solved.
    let at_hand =
        |&(duel, turn): &(Duel<W>, Player)| Some(winner(solver.value_at_hand(duel, &Control::with_nodes(NODES)).ok()??, turn));
    let opening_winner = winners.first().copied().flatten().or_else(|| duels.first().and_then(at_hand));
    let gave_away = |number: &usize| winners[*number] == Some(duels[*number].1) && winners[number + 1] == Some(!duels[*number].1);
    let blunders = (0..duels.len().saturating_sub(1)).filter(gave_away).map(|number| number + 3).collect();
    Ok(Judgement { known_from: line.moves().len() + 1 - known, opening_winner, blunders })
}
