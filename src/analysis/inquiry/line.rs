//! The line that is expected.
//!
//! Where the plies are known, both sides play their best: the winner hurries, the loser delays.
//! Where they are not, the winner's moves are proven to win, and the loser plays the most stubborn
//! move that a short look ahead finds.

use std::sync::Arc;

use super::{Inquiry, Line};
use crate::analysis::best;
use crate::analysis::view::View;
use crate::game::cells::{Cell, Word};
use crate::game::outcome::{Outcome, Value};
use crate::solve::{Known, Origin, Question};

impl<W: Word> Inquiry<'_, W> {
    /// The line from the best move on.
    pub(super) fn find_line(&mut self) -> Line {
        let moves = self.judged(self.root);
        let position = self.conclusion_from(&moves);
        let first = best(position.as_ref(), &moves);
        let Some((first, known)) = first.and_then(|first| Some((first.to, first.known.as_ref()?))) else {
            return Line { complete: moves.is_empty(), ..Line::default() };
        };
        // A move whose plies are known need not be the best: others may not have been counted.
        let optimal = known.plies().is_some() && known.plies() == position.and_then(|position| position.plies());
        // An earlier analysis may have found the line. One that says more is never given up.
        let earlier = Some(std::mem::take(&mut self.line)).filter(|earlier| earlier.begins_with(first));
        match earlier {
            Some(earlier) if earlier.complete && earlier.optimal == optimal => earlier,
            earlier => {
                let line = self.line_from(first, known, optimal);
                earlier.into_iter().chain([line]).max_by_key(Line::worth).unwrap_or_default()
            }
        }
    }

    /// The line that begins with this move. `known` is what is known of the move.
    fn line_from(&mut self, first: Cell, known: &Known, optimal: bool) -> Line {
        let mut plies = known.plies().map(|plies| self.root.plies_after(plies));
        let (mut view, mut value) = (self.root.after(first), !known.value);
        let mut line = Line { moves: vec![first], complete: false, optimal };
        while self.moves(view).next().is_some() {
            plies = plies.or_else(|| self.known(view)?.plies());
            let next = match (plies, value) {
                (Some(plies), _) => self.move_that_takes(view, value, plies),
                (None, Value::Win) => self.winning_move(view),
                (None, Value::Loss) => self.stubborn_move_of(view, &self.moves(view).collect::<Vec<_>>()),
            };
            let Some(to) = next else {
                return line;
            };
            line.moves.push(to);
            plies = plies.map(|plies| view.plies_after(plies));
            (view, value) = (view.after(to), !value);
        }
        Line { complete: true, ..line }
    }

    /// The most promising of the moves after which the game takes this many plies in all, as it
    /// does when both play their best.
    pub(super) fn move_that_takes(&mut self, view: View<W>, value: Value, plies: usize) -> Option<Cell> {
        for to in self.promising(view) {
            let (next, plies) = (view.after(to), view.plies_after(plies));
            if self.takes(next, !value, plies)? {
                let before = self.known(next);
                if matches!(next, View::Duel(_)) && before.as_ref().is_none_or(|known| known.count.is_none()) {
                    self.learn(next, before, Known::counted(Outcome::after(plies), Origin::Solved));
                }
                return Some(to);
            }
        }
        None
    }

    /// Whether a view has this value and takes this many plies, if it cannot be better than that
    /// for the player who moved there. `None` if the limits do not suffice.
    ///
    /// One question with a limit of plies is enough, and the count of the plies has mostly answered
    /// it. To count the plies of a slow win would take much longer.
    fn takes(&mut self, view: View<W>, value: Value, plies: usize) -> Option<bool> {
        if self.value(view)? != value {
            return Some(false);
        }
        if let Some(count) = self.known(view).and_then(|known| known.plies()) {
            return Some(count == plies);
        }
        let View::Duel(duel) = view else {
            return Some(self.plies(view)? == plies);
        };
        match value {
            Value::Loss => self.solver.ends_within(duel, Value::Loss, plies, &self.control).ok(),
            Value::Win if plies < 2 => Some(true),
            Value::Win => self.solver.ends_within(duel, Value::Win, plies - 2, &self.control).ok().map(|ends| !ends),
        }
    }

    /// A winning move: one that is known, or else the first that a search finds.
    pub(super) fn winning_move(&mut self, view: View<W>) -> Option<Cell> {
        if let Some(to) = self.known(view).and_then(|known| known.winning_move) {
            return Some(to);
        }
        let moves = self.promising(view);
        // The search that proved the win tried the moves in another order. To prove another move
        // from nothing can take as long again.
        let recalled = match view {
            View::Duel(duel) => self.solver.recalled_win(duel, &moves, &self.control).unwrap_or(None),
            View::Empty(_) | View::Placed { .. } => None,
        };
        for to in recalled.into_iter().chain(moves) {
            if self.value(view.after(to))? == Value::Loss {
                return Some(to);
            }
        }
        None
    }

    fn value(&mut self, view: View<W>) -> Option<Value> {
        match self.known(view) {
            Some(known) => Some(known.value),
            None => self.solve(view),
        }
    }

    fn plies(&mut self, view: View<W>) -> Option<usize> {
        if self.known(view).is_none_or(|known| known.count.is_none()) {
            let control = Arc::clone(&self.control);
            let duels = self.duels_that_count(view, &control);
            self.ask(Question::Distance, &duels, &control);
        }
        self.known(view)?.plies()
    }
}
