//! The move that an agent has chosen, with the position and what the move rests on.

use serde::Serialize;

use super::agents::Agent;
use super::chooser::{Basis, Decision};
use crate::analysis::plies_from;
use crate::game::notation::{Written, cell_name};
use crate::game::outcome::Value;
use crate::game::position::Player;

/// A chosen move, in the words of the notation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChosenMove {
    /// The position as it was written.
    pub asked: String,
    /// The board.
    pub board: String,
    /// The position as a diagram.
    pub position: String,
    /// Who is to move.
    pub turn: Player,
    /// The agent that chose.
    pub agent: String,
    /// The cell to move to, or to place on.
    #[serde(rename = "move")]
    pub to: String,
    /// Whether it is proven who wins after this move.
    pub proven: bool,
    /// The winner, if proven.
    pub winner: Option<Player>,
    /// In how many plies, if that is known.
    pub plies: Option<usize>,
    /// What the plies are counted from.
    pub plies_from: &'static str,
    /// What the move rests on.
    pub by: String,
    /// The score of a lookahead, for the mover.
    pub score: Option<f64>,
    /// How many plies the lookahead searched.
    pub depth: Option<u32>,
    /// The expected line, beginning with the move.
    pub line: Vec<String>,
    /// The positions searched.
    pub nodes: u64,
    /// The time it took.
    pub seconds: f64,
}

impl ChosenMove {
    /// The decision of an agent in a position, made in this time.
    #[must_use]
    pub fn new(asked: &Written, agent: Agent, decision: &Decision, seconds: f64) -> Self {
        let position = asked.position();
        let (setup, turn) = (position.setup(), position.turn());
        let cell = |to| cell_name(setup.size, to);
        let (plies, score, depth) = match decision.basis {
            Basis::Proven { plies, .. } => (plies, None, None),
            Basis::Guess { score, depth } => (None, Some(score), Some(depth)),
            _ => (None, None, None),
        };
        let winner = |value| if value == Value::Win { turn } else { !turn };
        Self {
            asked: asked.to_string(),
            board: setup.size.to_string(),
            position: setup.to_string(),
            turn,
            agent: agent.to_string(),
            to: cell(decision.to),
            proven: decision.basis.value().is_some(),
            winner: decision.basis.value().map(winner),
            plies,
            plies_from: plies_from(!position.is_duel()),
            by: decision.basis.to_string(),
            score,
            depth,
            line: decision.line.iter().map(|&to| cell(to)).collect(),
            nodes: decision.nodes,
            seconds,
        }
    }
}
