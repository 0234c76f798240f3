//! What every heuristic says of a position, and whether the move that it would choose keeps the
//! win.

use std::collections::BTreeMap;

use serde::Serialize;

use super::choice::highest;
use super::{Heuristic, Side};
use crate::analysis::Analysis;
use crate::game::cells::Cell;
use crate::game::duel::Duel;
use crate::game::notation::{Written, cell_name};
use crate::game::position::{Player, Position};

/// What the heuristics say of a position, beside the truth.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Opinions {
    /// The position as it was written.
    pub asked: String,
    /// The board.
    pub board: String,
    /// The position as a diagram.
    pub position: String,
    /// Whose turn it is.
    pub turn: Player,
    /// Who wins; `None` if that is unknown.
    pub winner: Option<Player>,
    /// What each heuristic says.
    pub heuristics: Vec<Opinion>,
}

/// What a heuristic says of a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Opinion {
    /// Its name.
    pub heuristic: String,
    /// The report that it comes from.
    pub source: &'static str,
    /// What it counts.
    pub what: &'static str,
    /// How good the position is for the mover. `None` while a knight is missing.
    pub score: Option<f64>,
    /// The moves that it would choose one ply ahead: all with the highest score. There are none
    /// before the first placement, nor after the end of the game.
    pub choices: Vec<String>,
    /// How good each move is for the mover. `None` if it ends the game, which beats every score.
    pub scores: BTreeMap<String, Option<f64>>,
    /// Whether all choices keep the win. `None` if the mover has no win, or if that is unknown.
    pub keeps_win: Option<bool>,
    /// Who wins by each of the choices; `None` if that is unknown.
    pub choice_winners: BTreeMap<String, Option<Player>>,
    /// In how many plies, counted as in an analysis; `None` if nobody has counted.
    pub choice_plies: BTreeMap<String, Option<usize>>,
}

impl Opinions {
    /// What the heuristics say of a position whose analysis this is. The analysis need not be
    /// complete.
    ///
    /// # Panics
    /// If the analysis is of another position.
    #[must_use]
    pub fn new(asked: &Written, analysis: &Analysis) -> Self {
        let position = asked.position();
        assert_eq!(analysis.position, position.setup(), "the analysis is of another position");
        // No formula scores a board with a single knight.
        let after = |to| Some((to, position.play_unchecked(to).duel()?));
        let moves: Vec<(Cell, Duel<u128>)> = position.legal_moves().into_iter().filter_map(after).collect();
        Self {
            asked: asked.to_string(),
            board: position.size().to_string(),
            position: position.setup().to_string(),
            turn: position.turn(),
            winner: analysis.winner(),
            heuristics: Heuristic::all().map(|heuristic| Opinion::new(heuristic, position, &moves, analysis)).collect(),
        }
    }
}

impl Opinion {
    fn new(heuristic: Heuristic, position: &Position, moves: &[(Cell, Duel<u128>)], analysis: &Analysis) -> Self {
        let name = |to| cell_name(position.size(), to);
        let scores: Vec<f64> = moves.iter().map(|&(_, after)| heuristic.score_after(position.board(), after)).collect();
        let choices: Vec<Cell> = highest(&scores).map(|place| moves[place].0).collect();
        let judged = |to: &Cell| analysis.moves.iter().find(|judged| judged.to == *to);
        let winner_by = |to: &Cell| judged(to).and_then(|judged| analysis.winner_by_move(judged));
        let plies_by = |to: &Cell| judged(to).and_then(|judged| judged.known.as_ref()?.plies());
        let winners: Vec<Option<Player>> = choices.iter().map(winner_by).collect();
        let turn = position.turn();
        let keeps_win = if analysis.winner() != Some(turn) || winners.is_empty() {
            None
        } else if winners.contains(&Some(!turn)) {
            Some(false)
        } else {
            winners.iter().all(Option::is_some).then_some(true)
        };
        Self {
            heuristic: heuristic.to_string(),
            source: heuristic.source(),
            what: heuristic.what(),
            score: Side::of(position, turn).map(|side| heuristic.score(&side)),
            scores: moves.iter().zip(&scores).map(|(&(to, _), &score)| (name(to), finite(score))).collect(),
            choice_winners: choices.iter().zip(winners).map(|(&to, winner)| (name(to), winner)).collect(),
            choice_plies: choices.iter().map(|to| (name(*to), plies_by(to))).collect(),
            choices: choices.into_iter().map(name).collect(),
            keeps_win,
        }
    }
}

fn finite(score: f64) -> Option<f64> {
    Some(score).filter(|score| score.is_finite())
}
