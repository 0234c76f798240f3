//! Only who wins a board: one winning reply to each first placement is enough, or a mirror.

use super::openings::{Openings, placements};
use crate::game::cells::{Cell, Word};
use crate::game::outcome::Value;
use crate::game::position::{Player, Position};
use crate::game::symmetry::{Symmetries, Symmetry};
use crate::solve::{Control, Known, Origin, Reply, Solver, Stopped, WeakProof, board_mirror, winner_by_choice};

/// Who wins a board, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeakSolution {
    /// The mirror by which the second player wins, if the board has one.
    pub mirror: Option<Symmetry>,
    /// What was found for the first placements, one of each symmetry class: all of them, or as many
    /// as decide the board.
    pub placements: Vec<(Cell, Result<WeakProof, Stopped>)>,
}

impl WeakSolution {
    /// The first placements, one of each symmetry class.
    pub(super) fn firsts<W: Word>(solver: &Solver<W>, start: &Position) -> Vec<Cell> {
        let classes = Openings::classes_from(solver.board(), start);
        let mut firsts: Vec<Cell> = classes.iter().map(|class| class.representative().first).collect();
        firsts.dedup();
        if firsts.is_empty() {
            firsts.extend(placements::<W>(start).1);
        }
        firsts
    }

    /// The mirror by which the second player wins from this start, if there is one.
    pub(super) fn mirror<W: Word>(solver: &Solver<W>, start: &Position) -> Option<Symmetry> {
        board_mirror(&Symmetries::new(solver.board()), placements::<W>(start).0)
    }

    /// Decides the board that starts from a position in which the second player has not placed.
    /// `done` is called after each placement.
    pub(super) fn find<W: Word>(solver: &Solver<W>, start: &Position, control: &Control, done: impl Fn()) -> Self {
        let (free, _) = placements(start);
        let symmetries = Symmetries::new(solver.board());
        let mirror = Self::mirror(solver, start);
        let mut placements = Vec::new();
        for first in Self::firsts(solver, start) {
            let proof = match mirror {
                Some(mirror) => Ok(WeakProof::Second(Reply::Mirror(symmetries.cell(mirror, first), mirror))),
                None => solver.weak(free, first, control),
            };
            placements.push((first, proof));
            done();
            // One placement that wins is enough for the first player.
            if proof == Ok(WeakProof::First) {
                break;
            }
        }
        Self { mirror, placements }
    }

    /// The same as the first player sees it, who is to place; `None` if that is unknown.
    pub(super) fn known(&self) -> Option<Known> {
        let winning = self.placements.iter().find(|(_, proof)| *proof == Ok(WeakProof::First)).map(|(first, _)| *first);
        let value = if self.winner()? == Player::First { Value::Win } else { Value::Loss };
        let origin = self.mirror.map_or(Origin::Solved, Origin::Mirror);
        Some(Known { winning_move: winning, ..Known::winner(value, origin) })
    }

    /// Who wins the board, if that is known.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        let after = |(_, proof): &(Cell, Result<WeakProof, Stopped>)| match proof {
            Ok(WeakProof::Second(_)) => Some(Player::Second),
            Ok(WeakProof::First) => Some(Player::First),
            Err(Stopped) => None,
        };
        winner_by_choice(Player::First, self.placements.iter().map(after))
    }
}
