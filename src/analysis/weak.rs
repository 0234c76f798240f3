//! Only who wins a board: one winning reply to each first placement is enough, or a mirror.

use super::openings::placements;
use crate::game::cells::{Cell, Word};
use crate::game::outcome::Value;
use crate::game::position::{Player, Position};
use crate::game::symmetry::{Symmetries, Symmetry};
use crate::solve::{
    Control, Known, Origin, Reply, Solver, Stopped, WeakProof, board_mirror, placement_classes, winner_by_choice,
};

/// Who wins a board, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeakSolution {
    /// The mirror by which the second player wins, if the board has one.
    pub mirror: Option<Symmetry>,
    /// What was found for the first placements, by symmetry class: all of them, or as many as
    /// decide the board.
    pub placements: Vec<WeakPlacement>,
}

/// What was found for one class of first placements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeakPlacement {
    /// The placements that are images of each other, least first.
    pub cells: Vec<Cell>,
    /// What was proven of the first of them.
    pub proof: Result<WeakProof, Stopped>,
}

impl WeakSolution {
    /// The first placements, by symmetry class.
    pub(super) fn classes<W: Word>(solver: &Solver<W>, start: &Position) -> Vec<Vec<Cell>> {
        let (free, firsts) = placements(start);
        placement_classes(solver.board(), free, firsts)
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
        for cells in Self::classes(solver, start) {
            let first = cells[0];
            let proof = match mirror {
                Some(mirror) => {
                    let reply = Reply { cell: symmetries.cell(mirror, first), origin: Origin::Mirror(mirror) };
                    Ok(WeakProof::Second(reply))
                }
                None => solver.weak(free, first, control),
            };
            done();
            // One placement that wins is enough for the first player.
            let is_decided = proof == Ok(WeakProof::First);
            placements.push(WeakPlacement { cells, proof });
            if is_decided {
                break;
            }
        }
        Self { mirror, placements }
    }

    /// The same as the first player sees it, who is to place; `None` if that is unknown.
    pub(super) fn known(&self) -> Option<Known> {
        let winning = self.placements.iter().find(|placement| placement.proof == Ok(WeakProof::First));
        let winning = winning.map(|placement| placement.cells[0]);
        let value = if self.winner()? == Player::First { Value::Win } else { Value::Loss };
        let origin = self.mirror.map_or(Origin::Solved, Origin::Mirror);
        Some(Known { winning_move: winning, ..Known::winner(value, origin) })
    }

    /// Who wins the board, if that is known.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        let after = |placement: &WeakPlacement| match placement.proof {
            Ok(WeakProof::Second(_)) => Some(Player::Second),
            Ok(WeakProof::First) => Some(Player::First),
            Err(Stopped) => None,
        };
        winner_by_choice(Player::First, self.placements.iter().map(after))
    }
}
