//! Positions decided by a mirror.
//!
//! Suppose that a symmetry of the board exchanges the two knights, maps the set of live cells to
//! itself, and fixes no live cell. Then the mover loses, because the other can answer every move
//! with its image:
//!
//! - The answer is free. It is the image of the cell just taken, which was free, so it was free
//!   too. It is a different cell, because no live cell is fixed, so it still is.
//! - The answer is a knight's move, because symmetries preserve knight's moves.
//! - After the answer the position is of the same kind again, with the same player to move.
//!
//! So the mover is the first to run out of moves.
//!
//! The symmetry must exchange the knights both ways. For a half turn or a reflection, one way
//! implies the other. A quarter turn never exchanges two cells: it would have to be its own inverse
//! on both of them.

use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::game::symmetry::{Symmetries, Symmetry};

/// The symmetry by which the other wins this duel, if
/// there is one. Dead cells must have been cleared.
#[must_use]
pub fn mirror<W: Word>(symmetries: &Symmetries<W>, duel: Duel<W>) -> Option<Symmetry> {
    symmetries.iter().find(|&symmetry| {
        symmetries.cell(symmetry, duel.mover) == duel.other
            && symmetries.cell(symmetry, duel.other) == duel.mover
            && symmetries.fixed_cells(symmetry).is_disjoint(duel.free)
            && symmetries.set(symmetry, duel.free) == duel.free
    })
}
