//! Verification: is every byte what was written, and is every entry true?
//!
//! Checksums only show that the file has not changed since it was written. To show that it is true,
//! every entry is derived again from the positions that follow it. In a strong table those are
//! entries, too. In an opening table most of them are; the others, at the lower end of the
//! strategy, have to be proven by a solver ([`Verifier::prove`]).
//!
//! Finally the entries are encoded again and compared byte for byte. So no byte is left unchecked,
//! except for two texts in the metadata: the program, and the command.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::read::Table;
use super::rewrite::first_difference;
use super::{Entry, Fault, Kind, Section, WriteError};
use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;
use crate::game::notation::cell_name;
use crate::game::outcome::{Outcome, Value};
use crate::game::position::Setup;
use crate::solve::in_turns;

/// What is wrong with a table. In the positions the mover is the first player.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Flaw {
    /// The bytes are not what was written.
    Fault(Fault),
    /// The number of entries is not what the header says.
    Count {
        /// The number in the header.
        expected: u64,
        /// The number of entries found.
        found: u64,
    },
    /// The summary in the metadata does not match the entries.
    Summary,
    /// An entry does not come after the one before it.
    Order(Setup),
    /// An entry is not in canonical form, so no lookup would find it.
    NotCanonical(Setup),
    /// An entry below the openings has no more live cells than the depth of the table.
    TooDeep(Setup),
    /// A byte is not what would be written for these entries.
    Different {
        /// The place of the byte in the file.
        at: u64,
        /// The section that it belongs to.
        section: Section,
    },
    /// An opening that the table claims to cover is missing.
    NoOpening(Setup),
    /// The position after this move is neither in the table nor below its depth.
    Missing(Setup, Cell),
    /// The entry contradicts the positions that follow it.
    Untrue(Setup, Entry),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => return fault.fmt(f),
            Self::Count { expected, found } => write!(f, "it should have {expected} entries, but has {found}")?,
            Self::Summary => write!(f, "its metadata does not match its entries")?,
            Self::Order(position) => write!(f, "the entry {position} is out of order")?,
            Self::NotCanonical(position) => write!(f, "the entry {position} is not canonical, so it cannot be found")?,
            Self::TooDeep(position) => write!(f, "the entry {position} has too few live cells for the depth of the table")?,
            Self::Different { at, section } => {
                write!(f, "byte {at}, in its {section}, is not what would be written for these entries")?;
            }
            Self::NoOpening(position) => write!(f, "the opening {position} is missing")?,
            Self::Missing(position, to) => {
                let to = cell_name(position.size, *to);
                write!(f, "from {position} the move {to} leads to a position that is missing")?;
            }
            Self::Untrue(position, entry) => {
                write!(f, "the entry {position} says ")?;
                match entry {
                    Entry::Outcome(outcome) => write!(f, "{outcome}")?,
                    Entry::Lost => write!(f, "loss")?,
                    Entry::Won(to) => write!(f, "win by {}", cell_name(position.size, *to))?,
                }
                write!(f, ", which is false")?;
            }
        }
        write!(f, ": build it again")
    }
}

impl std::error::Error for Flaw {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}

/// What was verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// The number of entries that were derived from the positions that follow them.
    pub entries: u64,
    /// The number of following positions that are not in the table and were proven by the solver.
    pub proven: u64,
}

/// Why a table could not be verified.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Unverified {
    /// Something is wrong with the table.
    Flawed(Flaw),
    /// The work was stopped. No flaw was found until then.
    Stopped,
}

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flawed(flaw) => flaw.fmt(f),
            Self::Stopped => f.write_str("the verification was stopped before it found a flaw"),
        }
    }
}

impl std::error::Error for Unverified {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Flawed(flaw) => Some(flaw),
            Self::Stopped => None,
        }
    }
}

impl From<Flaw> for Unverified {
    fn from(flaw: Flaw) -> Self {
        Self::Flawed(flaw)
    }
}

impl From<Fault> for Unverified {
    fn from(fault: Fault) -> Self {
        Self::Flawed(Flaw::Fault(fault))
    }
}

/// What the verification needs from outside: mirrors, a solver, and a way to stop it.
pub struct Verifier<'a, W> {
    /// Whether a mirror decides a duel without dead cells against its mover. Strategies end there.
    pub mirror: &'a (dyn Fn(Duel<W>) -> bool + Sync),
    /// Proves who wins a position that is not in the table. `None` if the search was stopped.
    pub prove: &'a (dyn Fn(Duel<W>) -> Option<Value> + Sync),
    /// Receives the number of entries derived since the last call. Returns false to stop the work.
    pub derived: &'a (dyn Fn(u64) -> bool + Sync),
}

impl<W> fmt::Debug for Verifier<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier").finish_non_exhaustive()
    }
}

impl<W: Word> Verifier<'_, W> {
    /// Checks everything: the checksums, the order, every entry, and that these entries would be
    /// written with the same bytes. Uses all threads of the current thread pool.
    ///
    /// # Errors
    /// With the first flaw in the order of the file, or if the work was stopped.
    pub fn verify(&self, table: &Table<W>) -> Result<Verified, Unverified> {
        let proven = AtomicU64::new(0);
        let entries = check(table, &|duel, stored| self.check_entry(table, duel, stored, &proven))?;
        match first_difference(table, table.metadata()?, &|| (self.derived)(0)) {
            Ok(None) => Ok(Verified { entries, proven: proven.into_inner() }),
            Ok(Some(at)) => Err(Flaw::Different { at, section: table.section_of(at) }.into()),
            Err(WriteError::Stopped) => Err(Unverified::Stopped),
            Err(_) => Err(Flaw::Summary.into()),
        }
    }

    /// Checks the openings and this many entries, spread evenly over the table.
    ///
    /// # Errors
    /// With the first flaw, or if the work was stopped.
    pub fn sample(&self, table: &Table<W>, entries: u64) -> Result<Verified, Unverified> {
        check_openings(table)?;
        let proven = AtomicU64::new(0);
        let blocks = table.blocks() as u64;
        let entries = entries.min(table.len());
        let flawed = AtomicBool::new(false);
        let look = |index: usize| {
            // One flaw is enough.
            if flawed.load(Ordering::Relaxed) {
                return Ok(());
            }
            let index = index as u64;
            let mut block = Vec::new();
            table.block_entries((u128::from(index) * u128::from(blocks) / u128::from(entries)) as usize, &mut block)?;
            // Not always the first entry of a block.
            let (duel, stored) = block[(index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % block.len()];
            self.check_entry(table, duel, stored, &proven).inspect_err(|_| flawed.store(true, Ordering::Relaxed))
        };
        in_turns(entries as usize, look).into_iter().collect::<Result<(), _>>()?;
        Ok(Verified { entries, proven: proven.into_inner() })
    }

    fn check_entry(&self, table: &Table<W>, duel: Duel<W>, stored: Entry, proven: &AtomicU64) -> Result<(), Unverified> {
        let true_again = match table.kind() {
            Kind::Strong => derive(table, duel)? == stored,
            Kind::Opening => self.strategy_holds(table, duel, stored, proven)?,
        };
        if !true_again {
            return Err(Flaw::Untrue(position(table, duel), stored).into());
        }
        if (self.derived)(1) { Ok(()) } else { Err(Unverified::Stopped) }
    }

    /// Whether the winner really wins. If the mover loses, every move must lose; if the mover wins,
    /// every reply to the stored move must lose.
    fn strategy_holds(&self, table: &Table<W>, duel: Duel<W>, stored: Entry, proven: &AtomicU64) -> Result<bool, Unverified> {
        let board = table.board();
        let losers_turn = match stored {
            Entry::Won(to) if duel.moves(board).contains(to) => duel.play_unchecked(to),
            Entry::Lost => duel,
            _ => return Ok(false),
        };
        if (self.mirror)(losers_turn.without_dead_cells(board)) {
            return Ok(true);
        }
        for reply in losers_turn.moves(board) {
            let next = losers_turn.play_unchecked(reply);
            let value = match table.look_up(next)? {
                Some(entry) => entry.value(),
                None if next.live(board).len() > table.depth() => {
                    return Err(Flaw::Missing(position(table, losers_turn), reply).into());
                }
                None => {
                    proven.fetch_add(1, Ordering::Relaxed);
                    (self.prove)(next).ok_or(Unverified::Stopped)?
                }
            };
            if value == Value::Loss {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Checks the form of a table, but not whether its entries are true: all checksums, the header, the
/// index, the openings; that every entry is canonical and in order; the numbers of entries. Reads
/// the file once, with all threads of the current thread pool. Returns the number of entries.
///
/// # Errors
/// With the first flaw in the order of the file, or if `wanted` returned false.
pub fn check_form<W: Word>(table: &Table<W>, wanted: &(dyn Fn() -> bool + Sync)) -> Result<u64, Unverified> {
    check(table, &|_, _| if wanted() { Ok(()) } else { Err(Unverified::Stopped) })
}

/// Checks the form of a table, and every entry in the given way.
fn check<W: Word>(table: &Table<W>, entry: &EntryCheck<'_, W>) -> Result<u64, Unverified> {
    for section in [Section::Metadata, Section::Codes, Section::Blocks, Section::Directory] {
        table.check(section)?;
    }
    table.check_padding()?;
    table.check_header()?;
    table.check_index()?;
    let openings = check_openings(table)?;
    let mut whole = BlockSummary::default();
    for begin in (0..table.blocks()).step_by(BLOCKS_AT_ONCE) {
        let blocks = BLOCKS_AT_ONCE.min(table.blocks() - begin);
        let summaries = in_turns(blocks, |index| check_block(table, begin + index, &openings, entry));
        // Reports the first flaw in the order of the file, whichever thread was faster.
        for summary in summaries {
            whole = whole.followed_by(summary?, table)?;
        }
    }
    if whole.entries != table.len() {
        return Err(Flaw::Count { expected: table.len(), found: whole.entries }.into());
    }
    let metadata = table.metadata()?;
    if whole.won != metadata.won || whole.longest != metadata.longest.map(usize::from) {
        return Err(Flaw::Summary.into());
    }
    Ok(whole.entries)
}

/// A check of one entry.
type EntryCheck<'a, W> = dyn Fn(Duel<W>, Entry) -> Result<(), Unverified> + Sync + 'a;

/// Checks that every opening that the table covers has an entry, and returns them in order.
fn check_openings<W: Word>(table: &Table<W>) -> Result<Vec<Duel<W>>, Unverified> {
    let openings = table.metadata()?.coverage.duels(table.board());
    for &opening in &openings {
        if table.probe(opening)?.is_none() {
            return Err(Flaw::NoOpening(position(table, opening)).into());
        }
    }
    Ok(openings)
}

fn check_block<W: Word>(
    table: &Table<W>,
    index: usize,
    openings: &[Duel<W>],
    entry: &EntryCheck<'_, W>,
) -> Result<BlockSummary<W>, Unverified> {
    let mut entries = Vec::new();
    table.block_entries(index, &mut entries)?;
    if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
        return Err(Flaw::Order(position(table, pair[1].0)).into());
    }
    for &(duel, stored) in &entries {
        if table.symmetries().canonical(table.board(), duel).duel != duel {
            return Err(Flaw::NotCanonical(position(table, duel)).into());
        }
        let deep = table.kind() == Kind::Opening && duel.free.len() <= table.depth();
        if deep && openings.binary_search(&duel).is_err() {
            return Err(Flaw::TooDeep(position(table, duel)).into());
        }
        entry(duel, stored)?;
    }
    let won = entries.iter().filter(|(_, stored)| stored.value() == Value::Win).count() as u64;
    let longest = entries.iter().map(|(_, stored)| stored.plies()).max().flatten();
    let ends = Some((entries[0].0, entries[entries.len() - 1].0));
    Ok(BlockSummary { ends, entries: entries.len() as u64, won, longest })
}

/// A duel of the table's board as a position that can be reported.
fn position<W: Word>(table: &Table<W>, duel: Duel<W>) -> Setup {
    Setup::of_duel(table.board(), duel)
}

/// The outcome of a duel, derived from the outcomes of the positions that follow it.
fn derive<W: Word>(table: &Table<W>, duel: Duel<W>) -> Result<Entry, Unverified> {
    let mut best = None;
    for to in duel.moves(table.board()) {
        let Some(Entry::Outcome(next)) = table.look_up(duel.play_unchecked(to))? else {
            return Err(Flaw::Missing(position(table, duel), to).into());
        };
        best = best.max(Some(next.one_ply_before()));
    }
    Ok(Entry::Outcome(best.unwrap_or(Outcome::OVER)))
}

/// How many blocks are checked before their summaries are joined.
const BLOCKS_AT_ONCE: usize = 1 << 12;

/// A summary of a block, or of several consecutive blocks.
#[derive(Clone, Copy)]
struct BlockSummary<W> {
    /// The first and the last entry.
    ends: Option<(Duel<W>, Duel<W>)>,
    entries: u64,
    won: u64,
    longest: Option<usize>,
}

impl<W> Default for BlockSummary<W> {
    fn default() -> Self {
        Self { ends: None, entries: 0, won: 0, longest: None }
    }
}

impl<W: Word> BlockSummary<W> {
    fn followed_by(self, after: Self, table: &Table<W>) -> Result<Self, Flaw> {
        let ends = match (self.ends, after.ends) {
            (Some((_, last)), Some((first, _))) if last >= first => return Err(Flaw::Order(position(table, first))),
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
