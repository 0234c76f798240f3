//! The winner's strategy of openings: its move in every position that it may come to.
//!
//! A proof that a player wins is a tree: one move at each of the winner's turns, all moves at each of the loser's. Its top, written down,
//! is a strategy; below, where few cells are left, the winner's move is found at once by a search. Two kinds of positions need no
//! line in it: those with at most `depth` live cells, and those below a position that a [mirror](mirror()) decides, where
//! everybody can answer without looking.
//!
//! # Why every run writes the same
//! The winner's move is chosen by the canonical duel alone ([`Solver::choice`]), so that the positions that follow are the same whatever the threads do. And so a
//! choice, once proven, holds for every depth and all openings: that is what lets a run go on from a [`Journal`].
//!
//! # Level by level
//! A level is all positions with the same number of live cells. Every move takes at least one of them, so that a position is only ever reached from
//! the levels above, and none is met twice. Within a level the positions are independent: the threads share them.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ahash::RandomState;
use hashbrown::HashSet;
use rayon::prelude::*;

use super::control::{Control, Stopped};
use super::journal::{HASHER, Journal, JournalError};
use super::{Solver, mirror, order};
use crate::board::Size;
use crate::cells::{Cell, Word};
use crate::duel::Duel;
use crate::outcome::{Choice, Value};

/// With at most this many live cells the winner's move is found in a blink. Nodes on one thread for a position of the winner's, mean and worst:
///
/// | live cells | 38 | 40 | 42 | 44 | 46 | 48 | 50 | 52 |
/// |---|---|---|---|---|---|---|---|---|
/// | 7x7, up to 1500 positions of the strategy | 440, 6 k | 1.3 k, 13 k | 4.0 k, 42 k | 15 k, 109 k | 30 k, 209 k | | | |
/// | 8x8, 30 to 50 positions of random play | 0.8 k, 4 k | 1.8 k, 10 k | 3.8 k, 17 k | 10 k, 78 k | 15 k, 93 k | 32 k, 138 k | 94 k, 301 k | 282 k, 2.2 M |
/// | 9x9, some 200 of random play | 0.3 k, 5 k | 0.6 k, 7 k | 1.3 k, 36 k | 2.2 k, 27 k | 3.5 k, 48 k | 6.7 k, 80 k | 17 k, 184 k | |
///
/// At seven million nodes a second the worst with 42 is 6 milliseconds, with 44 it is 16: room for a slow machine, and for worse positions than these.
const AT_ONCE: usize = 42;

/// But for a board of fewer cells the openings alone say little: on 6x7 the worst opening that was met took 1.8 M nodes, and
/// the worst position with 38 live cells or fewer 73 k. So a strategy goes at least so many plies beyond its openings.
const FIRST_MOVES: usize = 2;

/// And on a large board a strategy goes no further by itself: every two plies multiply its positions by 3.5, and cost about as much time as the openings
/// (measured on 7x7; on 8x8 this would be half a million positions). On 8x8 it leaves a third of a second to the worst search.
const MOST_PLIES: usize = 10;

/// The depth of a strategy unless the user says otherwise: 32 for 6x6, 38 for 6x7, 42 for 7x7, 44 for 7x8, 52 for 8x8.
///
/// With it 7x7 has 7,274 entries, in 8 seconds on two threads. Openings of boards over 64 cells are beyond a search, and so whatever this says of them.
#[must_use]
pub fn default_depth(size: Size) -> usize {
    let after_placement = size.cells().saturating_sub(2);
    AT_ONCE.min(after_placement.saturating_sub(FIRST_MOVES)).max(after_placement.saturating_sub(MOST_PLIES))
}

/// How far a strategy goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrategyLimits {
    /// Only positions with more live cells than this are part of it, and the openings.
    pub depth: usize,
    /// Bytes for the positions that are held while it is made.
    pub memory: u64,
}

/// How far the work is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrategyProgress {
    /// The live cells of the positions that are being decided.
    pub live: usize,
    /// How many positions have so many,
    pub of: usize,
    /// and how many of them are decided.
    pub decided: usize,
    /// Positions of the levels above, all decided.
    pub above: usize,
}

/// Why there is no strategy.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum StrategyError {
    /// The control stopped the work. What was proven stands in the journal.
    Stopped,
    Journal(JournalError),
    /// The strategy is too large for the memory.
    Memory {
        positions: usize,
        live: usize,
        memory: u64,
    },
}

impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("the work was stopped"),
            Self::Journal(fault) => fault.fmt(f),
            Self::Memory { positions, live, memory } => write!(
                f,
                "{positions} positions, of the openings and down to {live} live cells, are more than {} MiB hold: \
                 take a larger depth ({live} or more) or more memory",
                memory >> 20
            ),
        }
    }
}

impl std::error::Error for StrategyError {}

impl From<Stopped> for StrategyError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<JournalError> for StrategyError {
    fn from(fault: JournalError) -> Self {
        Self::Journal(fault)
    }
}

impl<W: Word> Solver<W> {
    /// Whether the mover wins, and by which move. That depends on nothing but the duel.
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

    /// A move after which a mirror decides, since nothing has to be written down below it: the first in the order of cells. Otherwise the first winning move
    /// in the order of the search.
    ///
    /// That order was learned to keep proofs small, and does so here. Taking the winning move that leaves the loser the fewest replies instead makes a
    /// strategy smaller near the top and larger further down, and takes longer: docs/search-notes.md.
    fn choice_of_canonical(&self, duel: Duel<W>, control: &Control) -> Result<Choice, Stopped> {
        if self.by_mirror(duel) {
            return Ok(Choice::Loss);
        }
        let after = |to: Cell| duel.play_unchecked(to).without_dead_cells(self.board());
        if let Some(to) = duel.moves(self.board()).into_iter().find(|&to| self.by_mirror(after(to))) {
            return Ok(Choice::Win(to));
        }
        for to in order::ordered(self.board(), duel) {
            if self.value(after(to), control)? == Value::Loss {
                return Ok(Choice::Win(to));
            }
        }
        Ok(Choice::Loss)
    }

    fn by_mirror(&self, duel: Duel<W>) -> bool {
        mirror(&self.shared.symmetries, duel).is_some()
    }

    /// The winner's strategy of these openings: canonical duels with the mover's choice, in the order of duels.
    ///
    /// Every opening is there; below, every position with more than `depth` live cells in which the winner may have to move. Moves are meant for the canonical
    /// orientation. `progress` is told of each position as it is decided.
    ///
    /// # Errors
    /// If the control stopped the work, the journal cannot be written, or the strategy does not fit into the memory.
    pub fn strategy(
        &self,
        openings: &[Duel<W>],
        limits: StrategyLimits,
        journal: Option<Journal<W>>,
        control: &Control,
        progress: impl Fn(StrategyProgress) + Sync,
    ) -> Result<Vec<(Duel<W>, Choice)>, StrategyError> {
        let mut levels = Levels::new(self.board().size(), limits);
        for &opening in openings {
            levels.insert(self.shared.symmetries.canonical(self.board(), opening).duel)?;
        }
        let journal = Mutex::new(journal);
        while let Some((live, level)) = levels.next_level() {
            let decided = AtomicUsize::new(0);
            let decide = |&duel: &Duel<W>| {
                let choice = self.choice_once(duel, &journal, control)?;
                let decided = 1 + decided.fetch_add(1, Ordering::Relaxed);
                progress(StrategyProgress { live, of: level.len(), decided, above: levels.entries });
                Ok((duel, choice))
            };
            let entries: Result<Vec<_>, StrategyError> =
                self.pool.install(|| level.par_iter().with_max_len(1).map(decide).collect());
            let entries = entries?;
            for &(duel, choice) in &entries {
                for next in self.winners_turns(duel, choice).filter(|next| next.free.len() > limits.depth) {
                    levels.insert(next)?;
                }
            }
            levels.add(entries);
        }
        Ok(levels.into_sorted())
    }

    /// The choice from the journal, or else found and written there.
    fn choice_once(
        &self,
        duel: Duel<W>,
        journal: &Mutex<Option<Journal<W>>>,
        control: &Control,
    ) -> Result<Choice, StrategyError> {
        let lock = || journal.lock().expect("no thread panics while it holds the journal");
        if control.is_stopped() {
            return Err(StrategyError::Stopped);
        }
        if let Some(choice) = lock().as_mut().and_then(|journal| journal.take(duel)) {
            return Ok(choice);
        }
        let choice = self.choice_of_canonical(duel, control)?;
        if let Some(journal) = lock().as_mut() {
            journal.append(duel, choice)?;
        }
        Ok(choice)
    }

    /// The positions in which the winner may have to move next, if this is the choice.
    fn winners_turns(&self, duel: Duel<W>, choice: Choice) -> impl Iterator<Item = Duel<W>> {
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

/// The positions of a strategy, gathered by their live cells.
struct Levels<W> {
    limits: StrategyLimits,
    /// Those still to be decided, at the index of their number of live cells.
    waiting: Vec<HashSet<Duel<W>, RandomState>>,
    decided: Vec<Vec<(Duel<W>, Choice)>>,
    entries: usize,
    /// All that are held: decided or waiting.
    held: usize,
}

impl<W: Word> Levels<W> {
    /// What one position takes at most. It is held in a set, which may be half empty and is copied when it grows, or in a list, of which there are two
    /// when at the end all levels are put together; and a run that goes on has it from its journal, too. That is counted from the beginning, so
    /// that a run which fits also fits when it goes on.
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

    /// The positions with the most live cells of those that wait.
    fn next_level(&mut self) -> Option<(usize, Vec<Duel<W>>)> {
        let live = self.waiting.iter().rposition(|level| !level.is_empty())?;
        let level = std::mem::replace(&mut self.waiting[live], HashSet::with_hasher(HASHER));
        Some((live, level.into_iter().collect()))
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
