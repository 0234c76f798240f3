//! What an earlier analysis of the same position has proven.

use super::{Inquiry, Line};
use crate::analysis::Analysis;
use crate::analysis::view::View;
use crate::game::cells::Word;
use crate::solve::Known;

impl<W: Word> Inquiry<'_, W> {
    /// Begins with what an earlier analysis of the position has proven.
    pub(in crate::analysis) fn remember(&mut self, so_far: &Analysis) {
        let (root, symmetry, size) = (self.root, self.symmetry, self.board().size());
        let there = |cell| self.symmetries.cell(symmetry, cell);
        let turned = |known: &Known| known.clone().before(symmetry.inverse(), size);
        self.spent = (so_far.nodes, so_far.seconds);
        self.tables.extend(so_far.tables.iter().cloned());
        self.line = Line {
            moves: so_far.line.iter().map(|&to| there(to)).collect(),
            complete: so_far.line_complete,
            optimal: so_far.line_optimal,
        };
        let proven = so_far.known.as_ref().map(turned);
        let judged = so_far.moves.iter().filter_map(|judged| Some((there(judged.to), turned(judged.known.as_ref()?))));
        let judged: Vec<_> = judged.collect();
        // A winner that is not at hand was found by a search of the position as a whole, and keeps
        // that origin. The empty board is never searched as a whole.
        let was_searched = self.conclusion().is_none() && !matches!(root, View::Empty(_));
        for (to, known) in judged {
            self.relearn(root.after(to), root.known_after(&known));
        }
        let Some(proven) = proven else { return };
        if was_searched {
            self.relearn(root, Known::winner(proven.value, proven.origin.clone()));
        }
        // Plies that do not follow from the moves were counted for the position as a whole.
        if proven.count.is_some() && self.conclusion().is_none_or(|known| known.count.is_none()) {
            self.relearn(root, proven);
        }
    }

    /// Adds what is at hand to what was proven of a view earlier, which keeps its origin.
    fn relearn(&mut self, view: View<W>, proven: Known) {
        match self.fact(view) {
            Some(at_hand) => self.learn(view, Some(proven), at_hand),
            None => self.learn(view, None, proven),
        }
    }
}
