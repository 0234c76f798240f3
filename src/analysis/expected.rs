//! How long solving will take, roughly.
//!
//! The nodes come from a model that is fitted to boards that were solved (docs/search-notes.md);
//! the nodes per second are measured on the machine that asks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::analyst::{Analyst, with_solver};
use super::openings::{Openings, placements};
use super::weak::WeakSolution;
use crate::game::cells::{Cells, Word};
use crate::game::position::{Player, Position};
use crate::solve::{Control, Question, Solver, Stopped};

/// The nodes of an opening are `NODES × GROWTH ^ links`. The links of a board are its pairs of
/// cells a knight's move apart. Fitted to all openings of the boards from 30 to 49 cells with no
/// side shorter than 4.
const NODES: f64 = 2.8;
const GROWTH: f64 = 1.102;

/// The estimate may be off by this factor. Fitted boards are off by at most 1.8, but on larger ones
/// a few openings take sixty times as long as most.
const ERROR: f64 = 3.0;
/// The largest fitted board has this many links. With every further one the estimate gets less
/// certain.
const MOST_LINKS: usize = 120;
const ERROR_A_LINK: f64 = 1.012;

/// A placement takes this share of the nodes of an average opening if one winning reply is enough:
/// the replies that are tried first win, and they win quickly.
const SHARE_OF_A_PLACEMENT: f64 = 0.8;

/// Counting the plies of all openings takes this many times the nodes of their winners: 30 times
/// on 5x6 and 4x8, 60 on 6x6, 67 on 5x7.
const NODES_FOR_PLIES: f64 = 50.0;

/// How many nodes one thread searches in a second, if that is not measured.
const NODES_A_SECOND: f64 = 8e6;

/// The number of pairs of cells a knight's move apart, among the cells that are live or hold a
/// knight.
#[must_use]
pub fn links(position: &Position) -> usize {
    let knights = Player::BOTH.iter().filter_map(|&player| position.knight(player));
    let cells = knights.fold(position.live(), Cells::with);
    position.board().links(cells)
}

/// A rough number of nodes for this many openings of a board with these [`links`].
fn expected_nodes(openings: usize, links: usize) -> f64 {
    openings as f64 * NODES * GROWTH.powi(links.try_into().unwrap_or(i32::MAX))
}

/// A rough number of seconds for the answers about this many openings of a board with these
/// [`links`].
#[must_use]
pub fn expected_seconds(question: Question, openings: usize, links: usize, threads: usize) -> f64 {
    let times = if question == Question::Distance { NODES_FOR_PLIES } else { 1.0 };
    times * expected_nodes(openings, links) / NODES_A_SECOND / threads as f64
}

/// What is to be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Every opening, with its winner, or also with its plies.
    Openings(Question),
    /// One winning reply to each first placement.
    Weak,
}

/// How much work it will be to solve a board.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expected {
    /// The classes of openings, or of placements if one reply to each is enough.
    pub classes: usize,
    /// How many of them are known without a search.
    pub at_hand: usize,
    /// The work for the others.
    pub work: Work,
}

/// The work for what only a search can tell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Work {
    /// Nothing needs a search.
    None,
    /// All of it was done while the speed was measured.
    Done {
        /// The nodes it took.
        nodes: u64,
        /// The time it took.
        seconds: f64,
    },
    /// More than could be measured.
    Estimated {
        /// The number of nodes.
        nodes: Estimated,
        /// The nodes per second, as measured.
        rate: f64,
        /// How long that was measured, in seconds.
        measured: f64,
    },
}

/// An uncertain number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimated {
    /// It is not likely to be less.
    pub least: f64,
    /// The best guess.
    pub likely: f64,
    /// It is not likely to be more.
    pub most: f64,
}

impl Estimated {
    /// The number of nodes for this many openings.
    fn nodes(openings: f64, links: usize) -> Self {
        let likely = openings * expected_nodes(1, links);
        let beyond = links.saturating_sub(MOST_LINKS).try_into().unwrap_or(i32::MAX);
        let error = ERROR * ERROR_A_LINK.powi(beyond);
        Self { least: likely / error, likely, most: likely * error }
    }

    /// The same in another unit.
    #[must_use]
    pub fn divided_by(self, divisor: f64) -> Self {
        Self { least: self.least / divisor, likely: self.likely / divisor, most: self.most / divisor }
    }
}

impl Analyst {
    /// How much work it will be to solve the board that starts from a position in which the second
    /// player has not placed. Solves it for `measuring` to measure the speed, or to the end if that
    /// takes no longer.
    ///
    /// # Errors
    /// If the control stopped the work before the speed was measured.
    ///
    /// # Panics
    /// If the position is of another board.
    pub fn expect(&self, start: &Position, task: Task, control: &Arc<Control>, measuring: Duration) -> Result<Expected, Stopped> {
        let (classes, at_hand) = self.classes_at_hand(start, task);
        if at_hand == classes {
            return Ok(Expected { classes, at_hand, work: Work::None });
        }
        let started = Instant::now();
        let part = control.part(Some(measuring));
        let done = match task {
            Task::Openings(question) => self.openings(start, question, &part, || {}).is_complete(),
            Task::Weak => self.weak(start, &part, || {}).winner().is_some(),
        };
        let (nodes, seconds) = (part.nodes(), started.elapsed().as_secs_f64());
        let work = if done {
            Work::Done { nodes, seconds }
        } else if nodes == 0 || (control.is_stopped() && seconds < measuring.as_secs_f64()) {
            return Err(Stopped);
        } else {
            let share = if task == Task::Weak { SHARE_OF_A_PLACEMENT } else { 1.0 };
            let expected = Estimated::nodes((classes - at_hand) as f64 * share, links(start));
            Work::Estimated { nodes: expected, rate: nodes as f64 / seconds, measured: seconds }
        };
        Ok(Expected { classes, at_hand, work })
    }

    /// How many classes of openings or of placements there are, and how many of them are known
    /// without a search.
    ///
    /// # Panics
    /// If the position is of another board.
    #[must_use]
    pub fn classes_at_hand(&self, start: &Position, task: Task) -> (usize, usize) {
        match task {
            Task::Openings(question) => with_solver!(self, solver => openings_at_hand(solver, question, start)),
            Task::Weak => self.placements_at_hand(start),
        }
    }

    fn placements_at_hand(&self, start: &Position) -> (usize, usize) {
        let classes = with_solver!(self, solver => WeakSolution::classes(solver, start));
        let after = |first| if start.knight(Player::First).is_some() { start.clone() } else { start.play_unchecked(first) };
        let at_hand = classes.iter().filter(|cells| self.at_hand(&after(cells[0])).is_some()).count();
        (classes.len(), at_hand)
    }
}

fn openings_at_hand<W: Word>(solver: &Solver<W>, question: Question, start: &Position) -> (usize, usize) {
    let classes = Openings::classes_from(solver.board(), start);
    let (free, _) = placements(start);
    let is_at_hand = |duel| Openings::is_at_hand(solver, question, duel);
    let at_hand = classes.iter().filter(|class| is_at_hand(class.representative().duel(free))).count();
    (classes.len(), at_hand)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Size;

    /// All openings of boards, with one thread: classes and nodes.
    const SOLVED: [(&str, usize, f64); 8] = [
        ("3x16", 624, 19.4e6),
        ("4x12", 564, 67.1e6),
        ("5x6", 225, 0.243e6),
        ("5x9", 518, 27.3e6),
        ("6x6", 165, 1.14e6),
        ("6x7", 438, 13.2e6),
        ("6x8", 564, 222e6),
        ("7x7", 315, 58.1e6),
    ];

    #[test]
    fn boards_that_were_solved_took_as_many_nodes_as_expected() {
        for (board, classes, nodes) in SOLVED {
            let size: Size = board.parse().unwrap();
            let expected = Estimated::nodes(classes as f64, links(&Position::empty(size)));
            assert!((expected.least..expected.most).contains(&nodes), "{board}: {nodes}, {expected:?}");
        }
    }

    #[test]
    fn links_are_counted_among_the_cells_that_are_left() {
        let links = |position: &str| links(&position.parse().unwrap());
        assert_eq!((links("3x3"), links("8x8"), links("7x7: d4")), (8, 168, 120));
        // The knights are a move apart, and nothing else is left.
        assert_eq!(links("***/n**/**N w"), 1);
    }
}
