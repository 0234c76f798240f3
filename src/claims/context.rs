//! What a claim may use to find out whether it is true: a solver, all openings of a board, all
//! positions of a small board, true outcomes along a line. All of it works within limits.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use super::verdict::PlayedLine;
use crate::analysis::{Analyst, Openings, decided_by_tables};
use crate::game::board::{Board, Size};
use crate::game::cells::Cell;
use crate::game::notation::Line;
use crate::game::position::Position;
use crate::solve::{Control, Known, Question, Settings, SolverError, Stopped};
use crate::strategies::{Bounds, Exhaustion, Reachable, Rule, exhaust};
use crate::table::{Location, Tables};

/// Why a claim was not examined to the end.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Unfinished {
    /// The control stopped the work.
    Stopped,
    /// The system refuses the threads or the memory that the work needs.
    Machine(SolverError),
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("the work was stopped before the end"),
            Self::Machine(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for Unfinished {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Stopped => None,
            Self::Machine(fault) => Some(fault),
        }
    }
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

/// The tools for examining claims, within limits. Boards have at most 64 cells.
pub struct Context<'a> {
    settings: Settings,
    control: &'a Arc<Control>,
    most_positions: u64,
    tell: &'a (dyn Fn(&str) + Sync),
    pool: rayon::ThreadPool,
    /// The analyst of the last board. Only one is kept at a time, so that `settings.memory` is not
    /// exceeded.
    analyst: RefCell<Option<Rc<Analyst>>>,
    /// All openings of each board so far. They are small, and several claims need them.
    openings: RefCell<HashMap<(usize, usize), Rc<Openings>>>,
    tables: Vec<Location>,
}

impl<'a> Context<'a> {
    /// The memory that the claims need, in bytes: all positions of 5x5 are kept at once.
    pub const LEAST_MEMORY: u64 = 256 << 20;

    /// A context that uses at most these threads and this memory, and visits at most
    /// `most_positions` in each check of a rule. It reports what it is doing to `tell`.
    ///
    /// # Errors
    /// If the system refuses to start the threads.
    pub fn new(
        settings: Settings,
        control: &'a Arc<Control>,
        most_positions: u64,
        tell: &'a (dyn Fn(&str) + Sync),
    ) -> Result<Self, SolverError> {
        let threads = settings.threads.get();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|fault| SolverError::Threads { threads, reason: fault.to_string() })?;
        let (analyst, openings) = (RefCell::new(None), RefCell::new(HashMap::new()));
        Ok(Self { settings, control, most_positions, tell, pool, analyst, openings, tables: Vec::new() })
    }

    /// The same context, which may look for tables in these places where a board takes too long.
    #[must_use]
    pub fn with_tables(self, tables: Vec<Location>) -> Self {
        Self { tables, ..self }
    }

    /// What stops the work.
    #[must_use]
    pub fn control(&self) -> &'a Arc<Control> {
        self.control
    }

    /// Reports what is being done.
    pub fn tell(&self, doing: &str) {
        (self.tell)(doing);
    }

    /// The function behind [`Self::tell`], which worker threads can share.
    pub(super) fn teller(&self) -> &'a (dyn Fn(&str) + Sync) {
        self.tell
    }

    /// Every position of a small board, with its value.
    ///
    /// # Errors
    /// If the control stopped the work, or the board has more than 64 cells.
    pub fn reachable(&self, size: Size) -> Result<Reachable, Unfinished> {
        self.tell(&format!("all positions of {size}"));
        // The positions need the memory, and no solver is needed to decide them.
        *self.analyst.borrow_mut() = None;
        let (board, control) = (Board::new(size).map_err(SolverError::from)?, self.control);
        Ok(self.install(|| Reachable::new(board, control))?)
    }

    /// Runs `work` on the context's threads.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// The analyst for a board. It uses no tables: every verdict is computed each time.
    ///
    /// # Errors
    /// If the system refuses the threads or the memory.
    pub fn analyst(&self, size: Size) -> Result<Rc<Analyst>, Unfinished> {
        let mut kept = self.analyst.borrow_mut();
        if let Some(analyst) = kept.as_ref().filter(|analyst| analyst.size() == size) {
            return Ok(Rc::clone(analyst));
        }
        // The old analyst frees its memory before the new one allocates.
        *kept = None;
        // Half of the memory: the other half is for the positions of checks.
        let settings = Settings { memory: self.settings.memory / 2, ..self.settings };
        let analyst = Rc::new(Analyst::new(settings, &Tables::none(size))?);
        *kept = Some(Rc::clone(&analyst));
        Ok(analyst)
    }

    /// All openings of a board, with their winners.
    ///
    /// # Errors
    /// If the control stopped the work.
    pub fn openings(&self, size: Size) -> Result<Rc<Openings>, Unfinished> {
        let key = (size.files(), size.ranks());
        if let Some(openings) = self.openings.borrow().get(&key) {
            return Ok(Rc::clone(openings));
        }
        self.tell(&format!("all openings of {size}"));
        let openings = self.analyst(size)?.openings(&Position::empty(size), Question::Winner, self.control, || {});
        if !openings.is_complete() {
            return Err(Unfinished::Stopped);
        }
        let openings = Rc::new(openings);
        self.openings.borrow_mut().insert(key, Rc::clone(&openings));
        Ok(openings)
    }

    /// All openings of boards that tables decide, with the names of the tables: those `wanted`,
    /// with both sides at least 3. The openings are read, not solved.
    pub(super) fn openings_in_tables(&self, wanted: impl Fn(Size) -> bool) -> Vec<(Rc<Openings>, Vec<String>)> {
        let wanted = |size: Size| size.files().min(size.ranks()) >= 3 && wanted(size);
        decided_by_tables(&self.tables, wanted).map(|(openings, tables)| (Rc::new(openings), tables)).collect()
    }

    fn bounds(&self) -> Bounds<'a> {
        Bounds { most_positions: self.most_positions, control: self.control, tell: &|_| {} }
    }

    /// Plays a rule against every defence, from `start` on.
    #[must_use]
    pub fn exhaust(&self, rule: &Rule, start: &Position) -> Exhaustion {
        self.tell(&format!("{rule} on {}", start.size()));
        let bounds = self.bounds();
        self.install(|| exhaust(rule, start, bounds, |_| Ok(false)))
    }

    /// Plays a rule against every defence, from `start` on. Where the rule has no reply and
    /// `forgive` allows it, the rule's player may play any winning move instead.
    ///
    /// # Errors
    /// If the system refuses the threads or the memory.
    pub fn exhaust_forgiving(
        &self,
        rule: &Rule,
        start: &Position,
        forgive: impl Fn(&Position) -> bool + Sync,
    ) -> Result<Exhaustion, Unfinished> {
        self.tell(&format!("{rule} on {}", start.size()));
        let analyst = self.analyst(start.size())?;
        let (analyst, control, bounds) = (analyst.as_ref(), self.control, self.bounds());
        let forgiven = |position: &Position| Ok(forgive(position) && analyst.winner(position, control)? == position.turn());
        Ok(self.install(|| exhaust(rule, start, bounds, forgiven)))
    }

    /// Who wins a position, and in how many plies if that takes no long search.
    ///
    /// # Errors
    /// If the control stopped the work.
    pub fn outcome(&self, position: &Position) -> Result<Known, Unfinished> {
        Ok(self.analyst(position.size())?.quick_answer(position, self.control)?)
    }

    /// A line of play as evidence, with the true outcome after every ply.
    ///
    /// # Errors
    /// If the control stopped the work.
    ///
    /// # Panics
    /// If a move of the line is not legal.
    pub fn line(&self, size: Size, moves: &[Cell], shows: impl Into<String>) -> Result<PlayedLine, Unfinished> {
        let mut position = Position::empty(size);
        let mut known = Vec::new();
        for &to in moves {
            position = position.play(to).expect("evidence is a legal line");
            known.push(self.outcome(&position)?);
        }
        Ok(PlayedLine { size, shows: shows.into(), moves: moves.to_vec(), known })
    }
}

/// All boards with both sides at least 3 and at most `most_cells` cells, smallest first. A board is
/// listed only with at least as many ranks as files: 3x5 stands for 5x3, too.
pub(super) fn boards(most_cells: usize) -> Vec<Size> {
    let sides = |size: &Size| 3 <= size.files() && size.files() <= size.ranks();
    let mut boards: Vec<Size> = Size::every().filter(|size| sides(size) && size.cells() <= most_cells).collect();
    boards.sort_by_key(|size| (size.cells(), size.files()));
    boards
}

/// Whether a side has an even length.
pub(super) fn even(side: usize) -> bool {
    side.is_multiple_of(2)
}

/// The largest boards all of whose positions are examined: they fit into memory.
pub(super) const MOST_CELLS_FOR_ALL_POSITIONS: usize = 25;

/// The size of a board.
///
/// # Panics
/// If there is no such board.
pub(super) fn size(files: usize, ranks: usize) -> Size {
    Size::new(files, ranks).expect("the claims' boards exist")
}

/// A line of play such as `7x7: d4 b3`, and the position at its end.
///
/// # Panics
/// If it is not a legal line.
pub(super) fn played(line: &str) -> (Line, Position) {
    let line: Line = line.parse().expect("the claims' lines are legal");
    let position = Position::new(line.end().setup()).expect("a line leads to a position");
    (line, position)
}

/// Several things in a sentence: `a`, `a and b`, `a, b and c`.
pub(super) fn listed(things: &[impl AsRef<str>]) -> String {
    let things: Vec<&str> = things.iter().map(AsRef::as_ref).collect();
    match things.as_slice() {
        [] => String::new(),
        [one] => (*one).to_string(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_like_english() {
        assert_eq!(listed(&[] as &[&str]), "");
        assert_eq!([listed(&["a"]), listed(&["a", "b"]), listed(&["a", "b", "c"])], ["a", "a and b", "a, b and c"]);
    }

    #[test]
    fn an_unfinished_claim_says_why() {
        use std::error::Error;
        let refused = Unfinished::from(SolverError::Memory { bytes: 1 << 30 });
        assert_eq!(refused.to_string(), "cannot allocate 1024 MiB of memory");
        assert_eq!(refused.source().unwrap().to_string(), refused.to_string());
        assert_eq!(Unfinished::from(Stopped).to_string(), "the work was stopped before the end");
        assert!(Unfinished::Stopped.source().is_none());
    }
}
