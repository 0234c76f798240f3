//! What a claim may use to find out whether it is true: solvers, all openings of a board, true outcomes along a line, within limits.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::verdict::{PlayedLine, TrueOutcome};
use crate::board::Size;
use crate::cells::Cell;
use crate::duel::Duel;
use crate::notation::Line;
use crate::outcome::Value;
use crate::position::{Player, Position};
use crate::solve::{Control, Settings, Solver, SolverError, Stopped, WeakProof};
use crate::verify::{Bounds, Exhaustion, Openings, Reachable, Rule, exhaust};

/// Why a claim was not examined to the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// The control stopped the work.
    Stopped,
    /// The machine does not give what the work needs.
    Machine(SolverError),
}

impl From<Stopped> for Unfinished {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<SolverError> for Unfinished {
    fn from(fault: SolverError) -> Self {
        Self::Machine(fault)
    }
}

/// Examines claims about boards of up to 64 cells, within limits.
pub struct Examiner<'a> {
    settings: Settings,
    control: &'a Arc<Control>,
    most_positions: u64,
    tell: &'a (dyn Fn(&str) + Sync),
    pool: rayon::ThreadPool,
    /// The solver of the last board: `settings.memory` is a promise for all of them together.
    solver: RefCell<Option<Rc<Solver<u64>>>>,
    /// Openings are small, and several claims are about them.
    openings: RefCell<HashMap<(usize, usize), Rc<Openings>>>,
}

impl<'a> Examiner<'a> {
    /// The memory that the claims need: all positions of 5x5 are kept at once.
    pub const LEAST_MEMORY: u64 = 256 << 20;

    /// An examiner that may use so much of the machine, look at so many positions in each check of a rule, and tells what it is at.
    ///
    /// # Errors
    /// If the system does not give the threads.
    pub fn new(
        settings: Settings,
        control: &'a Arc<Control>,
        most_positions: u64,
        tell: &'a (dyn Fn(&str) + Sync),
    ) -> Result<Self, SolverError> {
        let threads = settings.threads.get();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|fault| SolverError::Threads { threads, reason: fault.to_string() })?;
        let (solver, openings) = (RefCell::new(None), RefCell::new(HashMap::new()));
        Ok(Self { settings, control, most_positions, tell, pool, solver, openings })
    }

    /// The limits.
    #[must_use]
    pub fn control(&self) -> &'a Arc<Control> {
        self.control
    }

    /// Says what is being done.
    pub fn tell(&self, doing: &str) {
        (self.tell)(doing);
    }

    /// Whoever says so, for other threads.
    pub(super) fn teller(&self) -> &'a (dyn Fn(&str) + Sync) {
        self.tell
    }

    /// Every position of a small board with its value.
    ///
    /// # Errors
    /// If a limit ran out.
    pub fn reachable(&self, size: Size) -> Result<Reachable, Unfinished> {
        self.tell(&format!("all positions of {size}"));
        // They need room, and no solver.
        *self.solver.borrow_mut() = None;
        let control = self.control;
        Ok(self.install(|| Reachable::new(size, control))?)
    }

    /// Does work with as many threads as are allowed.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// The solver for a board.
    ///
    /// # Errors
    /// If the system does not give what it needs.
    pub fn solver(&self, size: Size) -> Result<Rc<Solver<u64>>, Unfinished> {
        let mut kept = self.solver.borrow_mut();
        if let Some(solver) = kept.as_ref().filter(|solver| solver.board().size() == size) {
            return Ok(Rc::clone(solver));
        }
        // The old one gives back its memory before the new one takes its own.
        *kept = None;
        let solver = Rc::new(Solver::new(size, self.settings)?);
        *kept = Some(Rc::clone(&solver));
        Ok(solver)
    }

    /// All openings of a board.
    ///
    /// # Errors
    /// If a limit ran out.
    pub fn openings(&self, size: Size) -> Result<Rc<Openings>, Unfinished> {
        let key = (size.files(), size.ranks());
        if let Some(openings) = self.openings.borrow().get(&key) {
            return Ok(Rc::clone(openings));
        }
        self.tell(&format!("all openings of {size}"));
        let openings = Openings::solve(self.solver(size)?.as_ref(), self.control, || {});
        if !openings.is_complete() {
            return Err(Unfinished::Stopped);
        }
        let openings = Rc::new(openings);
        self.openings.borrow_mut().insert(key, Rc::clone(&openings));
        Ok(openings)
    }

    fn bounds(&self) -> Bounds<'a> {
        Bounds { most_positions: self.most_positions, control: self.control, tell: &|_| {} }
    }

    /// Plays a rule against everything from a start on.
    #[must_use]
    pub fn exhaust(&self, rule: &Rule, start: &Position<u64>) -> Exhaustion {
        self.tell(&format!("{rule} on {}", start.size()));
        let bounds = self.bounds();
        self.install(|| exhaust(rule, start, bounds, |_| Ok(false)))
    }

    /// The same, but where the rule has no reply and `forgive` says so, its player may go on with any move that wins.
    ///
    /// # Errors
    /// If the system does not give what the work needs.
    pub fn exhaust_forgiving(
        &self,
        rule: &Rule,
        start: &Position<u64>,
        forgive: impl Fn(&Position<u64>) -> bool + Sync,
    ) -> Result<Exhaustion, Unfinished> {
        self.tell(&format!("{rule} on {}", start.size()));
        let solver = self.solver(start.size())?;
        let (solver, control, bounds) = (solver.as_ref(), self.control, self.bounds());
        let forgiven = |position: &Position<u64>| Ok(forgive(position) && winner(solver, position, control)? == position.turn());
        Ok(self.install(|| exhaust(rule, start, bounds, forgiven)))
    }

    /// Who wins a position, and in how many plies if that is quickly counted.
    ///
    /// # Errors
    /// If a limit ran out.
    pub fn outcome(&self, position: &Position<u64>) -> Result<TrueOutcome, Unfinished> {
        let solver = self.solver(position.size())?;
        let winner = winner(&solver, position, self.control)?;
        let few = |duel: &Duel<u64>| duel.live(position.board()).len() <= TrueOutcome::MOST_LIVE_TO_COUNT;
        let plies = match position.duel().filter(few) {
            Some(duel) => Some(solver.outcome(duel, self.control)?.plies()),
            None => position.winner().map(|_| 0),
        };
        Ok(TrueOutcome { winner, plies })
    }

    /// A line of play as evidence: legal, and with the true outcome after every ply.
    ///
    /// # Errors
    /// If a limit ran out.
    ///
    /// # Panics
    /// If a move of the line is not legal.
    pub fn line(&self, size: Size, moves: &[Cell], shows: impl Into<String>) -> Result<PlayedLine, Unfinished> {
        let mut position = Position::<u64>::empty(size);
        let mut outcomes = Vec::new();
        for &to in moves {
            position = position.play(to).expect("evidence is a legal line");
            outcomes.push(self.outcome(&position)?);
        }
        Ok(PlayedLine { size, shows: shows.into(), moves: moves.to_vec(), outcomes })
    }
}

/// Who wins a position, placed or not.
fn winner(solver: &Solver<u64>, position: &Position<u64>, control: &Control) -> Result<Player, Stopped> {
    let (turn, free) = (position.turn(), position.free());
    if let Some(winner) = position.winner() {
        return Ok(winner);
    }
    match (position.duel(), position.knight(Player::First)) {
        (Some(duel), _) => Ok(if solver.value(duel, control)? == Value::Win { turn } else { !turn }),
        (None, Some(first)) => match solver.weak(free.with(first), first, control)? {
            WeakProof::Second(_) => Ok(Player::Second),
            WeakProof::First => Ok(Player::First),
        },
        (None, None) => {
            for first in free {
                if winner(solver, &position.play_unchecked(first), control)? == Player::First {
                    return Ok(Player::First);
                }
            }
            Ok(Player::Second)
        }
    }
}

/// Boards with both sides at least 3, up to so many cells, small ones first; those with more ranks than files stand for both.
pub(super) fn boards(most_cells: usize) -> Vec<Size> {
    let sides = |size: &Size| 3 <= size.files() && size.files() <= size.ranks();
    let mut boards: Vec<Size> = Size::every().filter(|size| sides(size) && size.cells() <= most_cells).collect();
    boards.sort_by_key(|size| (size.cells(), size.files()));
    boards
}

/// Whether a side has no middle.
pub(super) fn even(side: usize) -> bool {
    side.is_multiple_of(2)
}

/// Of boards up to this size all positions are gone through: they fit into memory.
pub(super) const MOST_CELLS_FOR_ALL_POSITIONS: usize = 25;

/// The size of a board that there is.
///
/// # Panics
/// If there is none.
pub(super) fn size(files: usize, ranks: usize) -> Size {
    Size::new(files, ranks).expect("the claims' boards exist")
}

/// A line that the program knows to be right, such as `7x7: d4 b3`.
///
/// # Panics
/// If it is not.
pub(super) fn played(line: &str) -> (Line, Position<u64>) {
    let line: Line = line.parse().expect("the claims' lines are right");
    let position = Position::new(line.end().setup()).expect("a line leads to a position");
    (line, position)
}
