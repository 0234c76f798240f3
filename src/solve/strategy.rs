//! The winner's strategy of openings: its move in every position that can arise against it.
//!
//! A proof that a player wins is a tree: one move at each of the winner's turns, and all moves at
//! each of the loser's. A strategy is the top of this tree, written down. Further down, where few
//! cells are left, a search finds the winner's move at once. So a strategy leaves out positions
//! with at most `depth` live cells. It also leaves out everything below a position that a
//! [mirror](mirror()) decides: there the winner only has to mirror.
//!
//! # Why every run gives the same strategy
//! The winner's move depends on the canonical duel alone, and on the moves to be tried first
//! ([`Solver::choice`]), so the positions that follow do not depend on the threads. For the same
//! reason a choice, once proven, holds for every depth and for all openings. This is why a run can
//! resume from a [`StrategyLog`].
//!
//! # Level by level
//! A level consists of all positions with the same number of live cells. Every move takes at least
//! one live cell, so a position is only reached from higher levels, and no position is decided
//! twice. The positions of a level are independent of each other, and the threads share them.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ahash::RandomState;
use hashbrown::HashSet;

use super::control::{Control, Stopped};
use super::strategy_log::{Finding, HASHER, StrategyLog, StrategyLogError};
use super::{Solver, mirror, order};
use crate::game::board::Size;
use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;
use crate::game::outcome::{Choice, Value};

/// With at most this many live cells, a search finds the winner's move at once. Nodes on one thread
/// for one of the winner's positions, mean and worst:
///
/// | live cells | 7x7, strategy | 8x8, random play | 9x9, random play |
/// |---|---|---|---|
/// | 38 | 440, 6 k | 0.8 k, 4 k | 0.3 k, 5 k |
/// | 40 | 1.3 k, 13 k | 1.8 k, 10 k | 0.6 k, 7 k |
/// | 42 | 4.0 k, 42 k | 3.8 k, 17 k | 1.3 k, 36 k |
/// | 44 | 15 k, 109 k | 10 k, 78 k | 2.2 k, 27 k |
/// | 46 | 30 k, 209 k | 15 k, 93 k | 3.5 k, 48 k |
/// | 48 | | 32 k, 138 k | 6.7 k, 80 k |
/// | 50 | | 94 k, 301 k | 17 k, 184 k |
/// | 52 | | 282 k, 2.2 M | |
///
/// Measured in up to 1500 positions (7x7), 30 to 50 positions (8x8) and about 200 positions (9x9).
/// At seven million nodes a second, the worst position takes 6 milliseconds with 42 live cells and
/// 16 with 44. That leaves room for slow machines and for worse positions.
const AT_ONCE: usize = 42;

/// A strategy goes at least this many plies beyond the openings. On boards with few cells the
/// openings alone are not enough: on 6x7 the worst opening took 1.8 M nodes, and the worst position
/// with at most 38 live cells took 73 k.
const FIRST_MOVES: usize = 2;

/// By default a strategy goes at most this many plies beyond the openings. Every two plies multiply
/// its positions by 3.5 and take about as much time as the openings (measured on 7x7). On 8x8, ten
/// plies make half a million positions and leave a third of a second to the worst search.
const MOST_PLIES: usize = 10;

/// The default depth of a strategy: 32 for 6x6, 38 for 6x7, 42 for 7x7, 44 for 7x8, 52 for 8x8.
///
/// With it, 7x7 has 7,274 entries, which take two threads 8 seconds. On boards with more than 64
/// cells no search can solve an opening, so their default hardly matters.
#[must_use]
pub fn default_depth(size: Size) -> usize {
    let after_placement = size.cells().saturating_sub(2);
    AT_ONCE.min(after_placement.saturating_sub(FIRST_MOVES)).max(after_placement.saturating_sub(MOST_PLIES))
}

/// How far a strategy goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrategyLimits {
    /// The strategy contains the openings, and below them positions with more live cells than this.
    pub depth: usize,
    /// The memory, in bytes, for the positions of the strategy while it is proven.
    pub memory: u64,
}

/// The progress of a strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrategyProgress {
    /// The level in progress: the number of live cells of its positions.
    pub live: usize,
    /// The number of positions of this level.
    pub of: usize,
    /// How many of them are decided.
    pub decided: usize,
    /// The number of positions of the higher levels, which are all decided.
    pub above: usize,
}

/// Why there is no strategy.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum StrategyError {
    /// The control stopped the work. The strategy log holds what was proven until then.
    Stopped,
    /// The strategy log cannot be written.
    Log(StrategyLogError),
    /// The strategy does not fit into the memory.
    Memory { positions: usize, live: usize, memory: u64 },
}

impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("the work was stopped"),
            Self::Log(fault) => fault.fmt(f),
            Self::Memory { positions, live, memory } => write!(
                f,
                "the strategy does not fit into {} MiB: it has {positions} positions from the openings down to {live} \
                 live cells; choose a larger depth ({live} or more) or give it more memory",
                memory >> 20
            ),
        }
    }
}

impl std::error::Error for StrategyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Log(fault) => Some(fault),
            Self::Stopped | Self::Memory { .. } => None,
        }
    }
}

impl From<Stopped> for StrategyError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<StrategyLogError> for StrategyError {
    fn from(fault: StrategyLogError) -> Self {
        Self::Log(fault)
    }
}

impl<W: Word> Solver<W> {
    /// Whether the mover wins, and by which move. The answer depends on nothing but the duel and
    /// the moves to be [tried first](Solver::with_first_tries).
    ///
    /// # Errors
    /// If the control stopped the search.
    pub fn choice(&self, duel: Duel<W>, control: &Control) -> Result<Choice, Stopped> {
        let symmetries = &self.shared.symmetries;
        let canonical = symmetries.canonical(self.board(), duel);
        Ok(match self.choice_of_canonical(canonical.duel, control)? {
            Choice::Loss => Choice::Loss,
            Choice::Win(to) => Choice::Win(symmetries.cell(canonical.symmetry.inverse(), to)),
        })
    }

    /// The same for a canonical duel. Of the moves of a symmetric position, every run takes the
    /// same one.
    pub(crate) fn choice_of_canonical(&self, duel: Duel<W>, control: &Control) -> Result<Choice, Stopped> {
        if self.at_hand_of_canonical(duel, control)?.is_some_and(|known| known.value == Value::Loss) {
            return Ok(Choice::Loss);
        }
        self.choice_by(duel, |next| self.value(next, control))
    }

    /// The choice in a canonical duel by the values of the duels that follow it. As few of them as
    /// possible are asked for; the first error ends the search for a winning move.
    ///
    /// Prefers a move after which a mirror decides, because nothing has to be written down below
    /// it. Among these it takes the first in the order of the cells. Otherwise it takes the first
    /// winning move in the order of the search, after the move that it was told to try first.
    ///
    /// That order was learned to keep proofs small, and it keeps strategies small as well. The
    /// winning move that leaves the loser the fewest replies was tried instead: strategies become
    /// smaller near the top and larger further down, and take longer (docs/search-notes.md).
    pub(crate) fn choice_by<E>(&self, duel: Duel<W>, mut value: impl FnMut(Duel<W>) -> Result<Value, E>) -> Result<Choice, E> {
        let after = |to: Cell| duel.play_unchecked(to).without_dead_cells(self.board());
        if let Some(to) = duel.moves(self.board()).into_iter().find(|&to| self.by_mirror(after(to))) {
            return Ok(Choice::Win(to));
        }
        let (legal, tries) = (duel.moves(self.board()), self.first_tries.get(&duel).map_or(&[][..], Vec::as_slice));
        let first = tries.iter().copied().filter(|&to| legal.contains(to));
        let others = order::ordered(self.board(), duel).into_iter().filter(|to| !tries.contains(to));
        for to in first.chain(others) {
            if value(after(to))? == Value::Loss {
                return Ok(Choice::Win(to));
            }
        }
        Ok(Choice::Loss)
    }

    fn by_mirror(&self, duel: Duel<W>) -> bool {
        mirror(&self.shared.symmetries, duel).is_some()
    }

    /// The winner's strategy of these openings: canonical duels, in ascending order, each with the
    /// mover's choice.
    ///
    /// It contains every opening, and below them every position with more than `depth` live cells
    /// in which the winner may have to move. The moves are meant for the canonical orientation.
    /// `progress` is called after each position.
    ///
    /// # Errors
    /// If the control stopped the work, if the strategy log cannot be written, or if the strategy
    /// does not fit into the memory.
    pub fn strategy(
        &self,
        openings: &[Duel<W>],
        limits: StrategyLimits,
        log: Option<StrategyLog<W>>,
        control: &Control,
        progress: impl Fn(StrategyProgress) + Sync,
    ) -> Result<Vec<(Duel<W>, Choice)>, StrategyError> {
        let log = Mutex::new(log);
        self.strategy_by(openings, limits, |Level { live, positions, above }| {
            let decided = AtomicUsize::new(0);
            let decide = |_, &duel: &Duel<W>| {
                let choice = self.choice_once(duel, &log, control)?;
                let decided = 1 + decided.fetch_add(1, Ordering::Relaxed);
                progress(StrategyProgress { live, of: positions.len(), decided, above });
                Ok((duel, choice))
            };
            self.for_each(positions, decide).into_iter().collect()
        })
    }

    /// The strategy of these openings, as far as `decide` knows it. It is given one level after the
    /// other, and returns the choices that it knows. Nothing is asked about the positions below the
    /// others.
    ///
    /// # Errors
    /// If `decide` returns one, or if the strategy does not fit into the memory.
    pub(crate) fn strategy_by(
        &self,
        openings: &[Duel<W>],
        limits: StrategyLimits,
        mut decide: impl FnMut(Level<'_, W>) -> Result<Vec<(Duel<W>, Choice)>, StrategyError>,
    ) -> Result<Vec<(Duel<W>, Choice)>, StrategyError> {
        let mut levels = Levels::new(self.board().size(), limits);
        for &opening in openings {
            levels.insert(self.shared.symmetries.canonical(self.board(), opening).duel)?;
        }
        while let Some((live, positions)) = levels.next_level() {
            let entries = decide(Level { live, positions: &positions, above: levels.entries })?;
            for &(duel, choice) in &entries {
                for next in self.winners_turns(duel, choice).filter(|next| next.free.len() > limits.depth) {
                    levels.insert(next)?;
                }
            }
            levels.add(entries);
        }
        Ok(levels.into_sorted())
    }

    /// The choice from the strategy log. If it is not there, finds it and writes it there.
    fn choice_once(
        &self,
        duel: Duel<W>,
        log: &Mutex<Option<StrategyLog<W>>>,
        control: &Control,
    ) -> Result<Choice, StrategyError> {
        let lock = || log.lock().expect("no thread panics while it holds the strategy log");
        if control.is_stopped() {
            return Err(StrategyError::Stopped);
        }
        // The log serves builds with any moves to be tried first, so it has no such choice.
        if self.first_tries.contains_key(&duel) {
            return Ok(self.choice_of_canonical(duel, control)?);
        }
        if let Some(choice) = lock().as_mut().and_then(|log| log.take(duel)) {
            return Ok(choice);
        }
        let choice = self.choice_of_canonical(duel, control)?;
        if let Some(log) = lock().as_mut() {
            log.append(duel, Finding::Choice(choice))?;
        }
        Ok(choice)
    }

    /// The positions in which the winner may have to move next, after this choice.
    pub(crate) fn winners_turns(&self, duel: Duel<W>, choice: Choice) -> impl Iterator<Item = Duel<W>> {
        let (board, symmetries) = (self.board(), &self.shared.symmetries);
        let losers_turn = match choice {
            Choice::Loss => duel,
            Choice::Win(to) => duel.play_unchecked(to).without_dead_cells(board),
        };
        let open = !self.by_mirror(losers_turn);
        let moves = losers_turn.moves(board).into_iter().filter(move |_| open);
        moves.map(move |to| symmetries.canonical(board, losers_turn.play_unchecked(to)).duel)
    }
}

/// The positions of a strategy with the same number of live cells.
pub(crate) struct Level<'a, W> {
    /// That number.
    pub(crate) live: usize,
    /// The positions, in ascending order: the work on them is the same in every run.
    pub(crate) positions: &'a [Duel<W>],
    /// The number of positions of the higher levels whose choices are known.
    pub(crate) above: usize,
}

/// The positions of a strategy, grouped by their number of live cells.
struct Levels<W> {
    limits: StrategyLimits,
    /// The positions that wait to be decided, indexed by their number of live cells.
    waiting: Vec<HashSet<Duel<W>, RandomState>>,
    decided: Vec<Vec<(Duel<W>, Choice)>>,
    entries: usize,
    /// The number of positions in memory, decided or waiting.
    held: usize,
}

impl<W: Word> Levels<W> {
    /// The most memory that one position takes. It stands in a set, which may be half empty and is
    /// copied when it grows, or in a list, which is copied when all levels are joined at the end. A
    /// resumed run also has it from its strategy log. This is counted from the start, so that a run
    /// that fits into the memory still fits when it is resumed.
    const BYTES: u64 = 4 * size_of::<(Duel<W>, Choice)>() as u64;

    fn new(size: Size, limits: StrategyLimits) -> Self {
        let waiting = (0..=size.cells()).map(|_| HashSet::with_hasher(HASHER)).collect();
        Self { limits, waiting, decided: Vec::new(), entries: 0, held: 0 }
    }

    fn insert(&mut self, duel: Duel<W>) -> Result<(), StrategyError> {
        let live = duel.free.len();
        if self.waiting[live].insert(duel) {
            self.held += 1;
        }
        if self.held as u64 * Self::BYTES > self.limits.memory {
            return Err(StrategyError::Memory { positions: self.held, live, memory: self.limits.memory });
        }
        Ok(())
    }

    /// Of the waiting positions, those with the most live cells.
    fn next_level(&mut self) -> Option<(usize, Vec<Duel<W>>)> {
        let live = self.waiting.iter().rposition(|level| !level.is_empty())?;
        let level = std::mem::replace(&mut self.waiting[live], HashSet::with_hasher(HASHER));
        let mut level: Vec<_> = level.into_iter().collect();
        level.sort_unstable();
        Some((live, level))
    }

    fn add(&mut self, level: Vec<(Duel<W>, Choice)>) {
        self.entries += level.len();
        self.decided.push(level);
    }

    fn into_sorted(self) -> Vec<(Duel<W>, Choice)> {
        let mut entries = self.decided.concat();
        entries.sort_unstable();
        entries
    }
}
