//! The review of a line of play: the true value after every ply, and the moves that would have won.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::judge::backwards;
use crate::analysis::{Analyst, Request};
use crate::game::notation::{Written, cell_name};
use crate::game::position::{Player, Position};
use crate::solve::{Control, Known};

/// What is proven about a line of play, ply by ply.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Review {
    /// The line as it was written.
    pub line: String,
    /// The board.
    pub board: String,
    /// The position that the line starts from.
    pub start: String,
    /// Who wins the start, if that is known.
    pub start_winner: Option<Player>,
    /// The plies in order.
    pub plies: Vec<ReviewedPly>,
    /// The winner is known after every ply from this one on.
    pub known_from: usize,
    /// The plies, counted from 1, that gave away a proven win.
    pub blunders: Vec<usize>,
    /// Whether the winner is known at the start and after every ply.
    pub complete: bool,
}

/// One ply, and what is known after it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReviewedPly {
    /// Its number, counted from 1.
    pub ply: usize,
    /// The cell played to.
    #[serde(rename = "move")]
    pub to: String,
    /// The player who made it.
    pub player: Player,
    /// Who wins after it, if that is known.
    pub winner: Option<Player>,
    /// In how many plies, if that is known. While a placement is still to be made, they are counted
    /// after both placements.
    pub plies: Option<usize>,
    /// Whether it gave away a proven win.
    pub blunder: bool,
    /// After a blunder: the moves that would have won, as far as they are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub better: Vec<String>,
}

impl Review {
    /// Reviews a line from its last position to its first, as far as the control allows. The last
    /// ones are the cheapest.
    ///
    /// # Panics
    /// If the analyst knows another board.
    #[must_use]
    pub fn new(asked: &Written, analyst: &Analyst, control: &Arc<Control>) -> Self {
        let (played, size) = (asked.played(), asked.position().size());
        let mut positions = vec![played.start().clone()];
        for &to in played.moves() {
            positions.push(positions[positions.len() - 1].play_unchecked(to));
        }
        let mut known = backwards(&positions, |position| analyst.quick_answer(position, control).ok());
        // A table or a mirror may decide a position that the search did not reach. The control has
        // stopped by now, so these answers are what is at hand.
        for (known, position) in known.iter_mut().zip(&positions) {
            *known = known.take().or_else(|| analyst.quick_answer(position, control).ok());
        }
        let winner = |ply: usize| known[ply].as_ref().map(|known| known.winner_at_turn_of(positions[ply].turn()));
        let reviewed = |(ply, &to): (usize, _)| {
            let (before, player) = (&positions[ply], positions[ply].turn());
            let blunder = winner(ply) == Some(player) && winner(ply + 1) == Some(!player);
            ReviewedPly {
                ply: ply + 1,
                to: cell_name(size, to),
                player,
                winner: winner(ply + 1),
                plies: known[ply + 1].as_ref().and_then(Known::plies),
                blunder,
                better: if blunder { winning_moves(before, analyst, control) } else { Vec::new() },
            }
        };
        let plies: Vec<ReviewedPly> = played.moves().iter().enumerate().map(reviewed).collect();
        Self {
            line: asked.to_string(),
            board: size.to_string(),
            start: played.start().setup().to_string(),
            start_winner: winner(0),
            known_from: known.iter().rposition(Option::is_none).map_or(0, |ply| ply + 1),
            blunders: plies.iter().filter(|ply| ply.blunder).map(|ply| ply.ply).collect(),
            complete: known.iter().all(Option::is_some),
            plies,
        }
    }
}

/// The moves that win for the player to move, as far as the control allows.
fn winning_moves(position: &Position, analyst: &Analyst, control: &Arc<Control>) -> Vec<String> {
    let request = Request { line: Duration::ZERO, ..Request::winners() };
    let analysis = analyst.analyse(position, request, control, |_| {});
    let wins = analysis.moves.iter().filter(|judged| analysis.winner_by_move(judged) == Some(position.turn()));
    wins.map(|judged| cell_name(position.size(), judged.to)).collect()
}
