//! What is known of a position without a search, or was found out before.

use super::Inquiry;
use crate::analysis::conclude::conclude;
use crate::analysis::view::View;
use crate::game::cells::Word;
use crate::game::symmetry::Symmetry;
use crate::solve::{Known, NODES_AT_HAND, Origin};

/// What is at hand is also looked up after a limit has been reached, in at most this many steps: a
/// lookup is one step, and comparing the walks of separated knights may take more. A step takes
/// about a microsecond. All boards of up to 80 cells need fewer, also while they are empty.
pub(super) const MOST_OVERTIME: u64 = 1 << 14;

impl<W: Word> Inquiry<'_, W> {
    /// What is known of a view itself.
    pub(super) fn fact(&mut self, view: View<W>) -> Option<Known> {
        let (canonical, symmetry) = view.canonical(self.board(), self.symmetries);
        let fact = match self.facts.get(&canonical) {
            Some(fact) => fact.clone(),
            None => {
                if self.overtime >= MOST_OVERTIME {
                    return None;
                }
                let fact = self.at_hand(canonical);
                self.facts.insert(canonical, fact.clone());
                fact
            }
        };
        fact.map(|known| known.before(symmetry, self.board().size()))
    }

    /// What is known of a canonical view without a search.
    fn at_hand(&mut self, view: View<W>) -> Option<Known> {
        let View::Duel(duel) = view else {
            return view.moves(self.board()).is_empty().then(Known::over);
        };
        let control = self.control.part_of_nodes(NODES_AT_HAND);
        let known = self.solver.at_hand_of_canonical(duel, &control);
        if self.overtime > 0 || self.whole.is_stopped() {
            self.overtime += 1 + NODES_AT_HAND.saturating_sub(control.nodes_left().unwrap_or(NODES_AT_HAND));
        }
        let known = known.ok()?;
        if let Some(Known { origin: Origin::Table(path), .. }) = &known {
            self.tables.insert(path.to_path_buf());
        }
        known
    }

    /// Looks the openings up, before the positions after them: the steps may not suffice for all.
    pub(super) fn look_up_openings(&mut self) {
        let placed: Vec<View<W>> = match self.root {
            View::Empty(_) => {
                let firsts = self.root.distinct(self.moves(self.root).collect(), self.board(), self.symmetries);
                firsts.into_iter().map(|first| self.root.after(first)).collect()
            }
            View::Placed { .. } => vec![self.root],
            View::Duel(_) => Vec::new(),
        };
        for placed in placed {
            for to in self.moves(placed) {
                self.fact(placed.after(to));
            }
        }
    }

    /// Adds what was found out about a view to what was known of it before. The first origin is
    /// kept: it was the cheaper one.
    pub(super) fn learn(&mut self, view: View<W>, before: Option<Known>, found: Known) {
        let (canonical, symmetry) = view.canonical(self.board(), self.symmetries);
        let merged = Known::merged(before, Some(found));
        let merged = merged.map(|known| known.before(symmetry.inverse(), self.board().size()));
        self.facts.insert(canonical, merged);
        self.conclusions.clear();
        self.has_news = true;
    }

    /// What is known of a view, also by its moves: through the placements, and then one move deep.
    pub(super) fn known(&mut self, view: View<W>) -> Option<Known> {
        if let Some(known) = self.conclusions.get(&view) {
            return known.clone();
        }
        let known = match view {
            // Of placements that are images of each other, one is enough.
            View::Placed { .. } => match view.canonical(self.board(), self.symmetries) {
                (_, Symmetry::Identity) => self.concluded(view),
                (canonical, symmetry) => self.known(canonical).map(|known| known.before(symmetry, self.board().size())),
            },
            View::Empty(_) | View::Duel(_) => self.concluded(view),
        };
        self.conclusions.insert(view, known.clone());
        known
    }

    fn concluded(&mut self, view: View<W>) -> Option<Known> {
        let fact = self.fact(view);
        if fact.as_ref().is_some_and(|fact| fact.count.is_some()) {
            return fact;
        }
        let one_move_on = |inquiry: &mut Self, to| match view {
            View::Duel(_) => inquiry.fact(view.after(to)),
            View::Empty(_) | View::Placed { .. } => inquiry.known(view.after(to)),
        };
        let moves: Vec<_> = self.moves(view).map(|to| (to, one_move_on(self, to).map(|known| view.before(known)))).collect();
        Known::merged(fact, conclude(&moves))
    }
}
