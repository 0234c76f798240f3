//! A table put to the test: is every byte what was written, and is every entry true?
//!
//! Checksums only say that nothing has changed since. Truth is another matter: every entry is derived anew from the positions that follow it. In a strong table those are
//! entries, too. In an opening table most of them are; the rest, at the lower end of the strategy, is left to whoever can prove it (`prove`).

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::read::Table;
use super::{Fault, Kind, Proven, Section};
use crate::cells::{Cell, Word};
use crate::duel::Duel;
use crate::outcome::{Outcome, Value};

/// What is wrong with a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw<W> {
    /// Its bytes are not what was written.
    Fault(Fault),
    /// The header says so many entries, and there are so many.
    Count {
        /// What the header says.
        expected: u64,
        /// What was found.
        found: u64,
    },
    /// The metadata say something else of the entries than the entries do.
    Summary,
    /// An entry does not come after the one before it.
    Order(Duel<W>),
    /// An entry is not in canonical form: it would never be found.
    NotCanonical(Duel<W>),
    /// An opening that the table says it covers is not there.
    NoOpening(Duel<W>),
    /// A position that follows an entry by this move is neither in the table nor proven.
    Missing(Duel<W>, Cell),
    /// An entry says this, but its successors say otherwise.
    Untrue(Duel<W>, Proven),
}

/// What was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// Entries derived from their successors.
    pub entries: u64,
    /// Successors that are not in the table and were proven on the spot.
    pub proven: u64,
}

/// Why a table was not found true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<W> {
    /// Something is wrong with it.
    Flawed(Flaw<W>),
    /// Somebody stopped the work.
    Stopped,
}

impl<W> From<Flaw<W>> for Verdict<W> {
    fn from(flaw: Flaw<W>) -> Self {
        Self::Flawed(flaw)
    }
}

impl<W> From<Fault> for Verdict<W> {
    fn from(fault: Fault) -> Self {
        Self::Flawed(Flaw::Fault(fault))
    }
}

/// Whoever helps with a verification.
pub struct Verifier<'a, W> {
    /// Whether a mirror decides a position without dead cells against its mover: below it a strategy is not continued.
    pub mirror: &'a (dyn Fn(Duel<W>) -> bool + Sync),
    /// Proves who wins a position that is not in the table. None: stopped before it was found.
    pub prove: &'a (dyn Fn(Duel<W>) -> Option<Value> + Sync),
    /// Told of every entry that has been derived. False: stop.
    pub derived: &'a (dyn Fn(u64) -> bool + Sync),
}

impl<W> fmt::Debug for Verifier<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier").finish_non_exhaustive()
    }
}

impl<W: Word> Verifier<'_, W> {
    /// Looks at everything: every checksum, the order, and every entry. All threads of the current pool are at work.
    ///
    /// # Errors
    /// With the first flaw in the order of the file, or when stopped.
    pub fn verify(&self, table: &Table<W>) -> Result<Verified, Verdict<W>> {
        for section in [Section::Metadata, Section::Codes, Section::Blocks, Section::Directory] {
            table.check(section)?;
        }
        table.check_padding()?;
        self.check_openings(table)?;
        let proven = AtomicU64::new(0);
        let mut whole = Tally::default();
        for begin in (0..table.blocks()).step_by(BLOCKS_AT_ONCE) {
            let blocks = begin..table.blocks().min(begin + BLOCKS_AT_ONCE);
            let tallies: Vec<_> = blocks.into_par_iter().map(|index| self.check_block(table, index, &proven)).collect();
            // The first flaw in the order of the file, whatever the order of the work.
            for tally in tallies {
                whole = whole.followed_by(tally?)?;
            }
        }
        if whole.entries != table.len() {
            return Err(Flaw::Count { expected: table.len(), found: whole.entries }.into());
        }
        let metadata = table.metadata()?;
        if whole.won != metadata.won || whole.longest != metadata.longest.map(usize::from) {
            return Err(Flaw::Summary.into());
        }
        Ok(Verified { entries: whole.entries, proven: proven.into_inner() })
    }

    /// Looks at the openings and at so many entries, spread evenly over the table.
    ///
    /// # Errors
    /// With the first flaw, or when stopped.
    pub fn sample(&self, table: &Table<W>, entries: u64) -> Result<Verified, Verdict<W>> {
        table.metadata()?;
        self.check_openings(table)?;
        let proven = AtomicU64::new(0);
        let blocks = table.blocks() as u64;
        let entries = entries.min(table.len());
        let look = |index: u64| {
            let mut block = Vec::new();
            table.block_entries((u128::from(index) * u128::from(blocks) / u128::from(entries)) as usize, &mut block)?;
            // Not always the first of a block.
            let (duel, stored) = block[(index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % block.len()];
            self.check_entry(table, duel, stored, &proven)
        };
        (0..entries).into_par_iter().map(look).collect::<Result<Vec<()>, _>>()?;
        Ok(Verified { entries, proven: proven.into_inner() })
    }

    fn check_openings(&self, table: &Table<W>) -> Result<(), Verdict<W>> {
        for opening in table.metadata()?.coverage.duels(table.board()) {
            if table.probe(opening)?.is_none() {
                return Err(Flaw::NoOpening(opening).into());
            }
        }
        Ok(())
    }

    fn check_block(&self, table: &Table<W>, index: usize, proven: &AtomicU64) -> Result<Tally<W>, Verdict<W>> {
        let mut entries = Vec::new();
        table.block_entries(index, &mut entries)?;
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            return Err(Flaw::Order(pair[1].0).into());
        }
        for &(duel, stored) in &entries {
            self.check_entry(table, duel, stored, proven)?;
        }
        let won = entries.iter().filter(|(_, stored)| stored.value() == Value::Win).count() as u64;
        let longest = entries.iter().map(|(_, stored)| stored.plies()).max().flatten();
        let ends = Some((entries[0].0, entries[entries.len() - 1].0));
        Ok(Tally { ends, entries: entries.len() as u64, won, longest })
    }

    fn check_entry(&self, table: &Table<W>, duel: Duel<W>, stored: Proven, proven: &AtomicU64) -> Result<(), Verdict<W>> {
        if table.symmetries().canonical(table.board(), duel).duel != duel {
            return Err(Flaw::NotCanonical(duel).into());
        }
        let true_again = match table.kind() {
            Kind::Strong => derive(table, duel)? == stored,
            Kind::Opening => self.strategy_holds(table, duel, stored, proven)?,
        };
        if !true_again {
            return Err(Flaw::Untrue(duel, stored).into());
        }
        if (self.derived)(1) { Ok(()) } else { Err(Verdict::Stopped) }
    }

    /// Whether the winner wins: against every move if the mover is the loser, otherwise by the stored move and then against every reply.
    fn strategy_holds(&self, table: &Table<W>, duel: Duel<W>, stored: Proven, proven: &AtomicU64) -> Result<bool, Verdict<W>> {
        let board = table.board();
        let losers_turn = match stored {
            Proven::Won(to) if duel.moves(board).contains(to) => duel.play_unchecked(to),
            Proven::Lost => duel,
            _ => return Ok(false),
        };
        if (self.mirror)(losers_turn.without_dead_cells(board)) {
            return Ok(true);
        }
        for reply in losers_turn.moves(board) {
            let next = losers_turn.play_unchecked(reply);
            let value = match table.look_up(next)? {
                Some(entry) => entry.value(),
                None if next.live(board).len() > table.depth() => return Err(Flaw::Missing(losers_turn, reply).into()),
                None => {
                    proven.fetch_add(1, Ordering::Relaxed);
                    (self.prove)(next).ok_or(Verdict::Stopped)?
                }
            };
            if value == Value::Loss {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The outcome of a duel from those of the positions that follow it.
fn derive<W: Word>(table: &Table<W>, duel: Duel<W>) -> Result<Proven, Verdict<W>> {
    let mut best = None;
    for to in duel.moves(table.board()) {
        let Some(Proven::Outcome(next)) = table.look_up(duel.play_unchecked(to))? else {
            return Err(Flaw::Missing(duel, to).into());
        };
        best = best.max(Some(next.one_ply_before()));
    }
    Ok(Proven::Outcome(best.unwrap_or(Outcome::OVER)))
}

/// How many blocks are looked at before their results are put together.
const BLOCKS_AT_ONCE: usize = 1 << 12;

/// What a block, or several that follow each other, adds to the whole.
#[derive(Clone, Copy)]
struct Tally<W> {
    /// The first and the last entry.
    ends: Option<(Duel<W>, Duel<W>)>,
    entries: u64,
    won: u64,
    longest: Option<usize>,
}

impl<W> Default for Tally<W> {
    fn default() -> Self {
        Self { ends: None, entries: 0, won: 0, longest: None }
    }
}

impl<W: Word> Tally<W> {
    fn followed_by(self, after: Self) -> Result<Self, Flaw<W>> {
        let ends = match (self.ends, after.ends) {
            (Some((_, last)), Some((first, _))) if last >= first => return Err(Flaw::Order(first)),
            (Some((first, _)), Some((_, last))) => Some((first, last)),
            (before, after) => before.or(after),
        };
        Ok(Self {
            ends,
            entries: self.entries + after.entries,
            won: self.won + after.won,
            longest: self.longest.max(after.longest),
        })
    }
}
