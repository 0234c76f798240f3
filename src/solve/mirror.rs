//! Positions decided by a mirror.
//!
//! Suppose that a symmetry of the board exchanges the two knights, keeps the set of live cells, and fixes no live cell. Then the mover
//! loses: whatever it plays, the other answers with the image. The answer is there, because its image, the cell just played to, was free;
//! it is another cell, because no live cell is fixed, so that it is still free; it is a knight's move away, because symmetries keep knight moves.
//! After the answer the position is again of this kind, with the same player to move, so that the mover is the first to run out of moves.
//!
//! The symmetry must exchange the knights both ways. For a half turn or a reflection that follows from one way; a quarter turn never does
//! it, since it would have to be its own inverse on both cells.

use crate::cells::Word;
use crate::duel::Duel;
use crate::symmetry::{Symmetries, Symmetry};

/// The mirror by which the other wins this duel, if there is one. Dead cells must have been cleared.
#[must_use]
pub fn mirror<W: Word>(symmetries: &Symmetries<W>, duel: Duel<W>) -> Option<Symmetry> {
    symmetries.iter().find(|&symmetry| {
        symmetries.cell(symmetry, duel.mover) == duel.other
            && symmetries.cell(symmetry, duel.other) == duel.mover
            && symmetries.fixed_cells(symmetry).is_disjoint(duel.free)
            && symmetries.set(symmetry, duel.free) == duel.free
    })
}
