//! In how many plies the game ends.

use std::sync::Arc;
use std::time::Duration;

use super::Inquiry;
use crate::analysis::Judged;
use crate::analysis::view::View;
use crate::game::board::{Board, with_word_for};
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::game::outcome::Value;
use crate::game::position::Position;
use crate::game::symmetry::Symmetries;
use crate::solve::{Control, Known, Question};

/// The line gets a tenth of the time that is left before plies are counted, but no more than this.
const MOST_TIME_FOR_LINE: Duration = Duration::from_millis(250);

/// Roughly how long the plies of one opening with 28 free cells take to count, as on 5x6, and how
/// much longer they take with each further cell. Some openings take ten times as long.
const SECONDS_FOR_28_CELLS: f64 = 0.005;
const GROWTH_A_CELL: f64 = 1.5;

/// Placements are not counted if that is expected to take this many times as long as there is time:
/// then nothing would come of it.
const HOPELESS: f64 = 4.0;

/// How much of this time, the rest of the whole, may go into counting plies.
fn time_for_plies(left: Duration) -> Duration {
    left - (left / 10).min(MOST_TIME_FOR_LINE)
}

/// Whether the plies of a position with a knight to be placed can be counted within this time. With
/// both knights placed, it is always tried.
fn may_count<W: Word>(view: View<W>, board: &Board<W>, symmetries: &Symmetries<W>, time: Duration) -> bool {
    let moves = view.moves(board);
    let distinct = || view.distinct(moves.into_iter().collect(), board, symmetries).len();
    let (openings, to_place) = match view {
        View::Duel(_) => return true,
        _ if time == Duration::MAX => return true,
        View::Placed { .. } => (distinct(), 1),
        View::Empty(_) => (distinct() * moves.len().saturating_sub(1), 2),
    };
    let free_after = moves.len() as i32 - to_place;
    let each = SECONDS_FOR_28_CELLS * GROWTH_A_CELL.powi(free_after - 28);
    openings as f64 * each <= HOPELESS * time.as_secs_f64()
}

/// Whether an analysis of this position with this much time would count plies.
pub(in crate::analysis) fn would_count(position: &Position, time: Duration) -> bool {
    fn would_count<W: Word>(position: &Position, time: Duration) -> bool {
        let board = Board::<W>::fitting(position.size());
        may_count(View::of(position), &board, &Symmetries::new(&board), time_for_plies(time))
    }
    with_word_for!(position.size(), would_count(position, time))
}

impl<W: Word> Inquiry<'_, W> {
    /// Counts plies within this time, but leaves some of the whole for the line: those of all
    /// moves, or, in a won position whose other moves are not asked for, those of the position and
    /// of one quickest move.
    pub(super) fn count_plies(&mut self, time: Duration, every_move: bool) {
        if self.control.is_stopped() {
            return;
        }
        let root = self.root;
        let time = self.control.time_left().map_or(time, |left| time.min(time_for_plies(left)));
        if !may_count(root, self.board(), self.symmetries, time) {
            return;
        }
        let control = Arc::new(self.control.part(Some(time)));
        let wins = self.conclusion().is_some_and(|known| known.value == Value::Win);
        if let View::Duel(duel) = root
            && wins
            && !every_move
        {
            let whole = std::mem::replace(&mut self.control, Arc::clone(&control));
            self.ask(Question::Distance, &[duel], &control);
            if let Some(plies) = self.fact(root).and_then(|known| known.plies()) {
                self.move_that_takes(root, Value::Win, plies);
            }
            self.control = whole;
            return;
        }
        // The moves that decide the plies of the position come first: if it is won, those that win.
        let uncounted = |judged: &Judged| judged.known.as_ref().is_none_or(|known| known.count.is_none());
        let open: Vec<Judged> = self.judged(root).into_iter().filter(uncounted).collect();
        let decides = |judged: &Judged| !wins || judged.known.as_ref().is_none_or(|known| known.value == Value::Win);
        let (first, then): (Vec<Judged>, Vec<Judged>) = open.into_iter().partition(decides);
        for moves in [first, then] {
            let duels: Vec<Duel<W>> =
                moves.iter().flat_map(|judged| self.duels_that_count(root.after(judged.to), &control)).collect();
            self.ask(Question::Distance, &duels, &control);
        }
    }

    /// The duels whose plies decide those of a view.
    pub(super) fn duels_that_count(&mut self, view: View<W>, control: &Arc<Control>) -> Vec<Duel<W>> {
        match view {
            View::Duel(duel) => vec![duel],
            placed => self.replies_that_count(placed, control),
        }
    }

    /// The openings whose plies decide those of a placement: if some reply wins, all that do;
    /// otherwise all.
    fn replies_that_count(&mut self, placed: View<W>, control: &Arc<Control>) -> Vec<Duel<W>> {
        let replies: Vec<Duel<W>> = self.moves(placed).filter_map(|to| placed.after(to).duel()).collect();
        let open: Vec<Duel<W>> = replies.iter().copied().filter(|&duel| self.known(View::Duel(duel)).is_none()).collect();
        self.ask(Question::Winner, &open, control);
        let wins = self.known(placed).is_some_and(|known| known.value == Value::Win);
        let counts = |known: Option<Known>| known.is_none_or(|k| k.count.is_none() && !(wins && k.value == Value::Win));
        replies.into_iter().filter(|&duel| counts(self.known(View::Duel(duel)))).collect()
    }
}
