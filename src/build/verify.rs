//! A whole table checked, with the solver for the positions that are not in it.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::BuildError;
use super::progress::{Progress, Stage};
use crate::game::cells::Word;
use crate::game::symmetry::Symmetries;
use crate::solve::{Control, Settings, Solver, mirror};
use crate::table::{Kind, Table, Unverified, Verified, Verifier, size_of_table};

/// The verification of one table, whatever the size of its board.
pub struct Verification {
    by_word: ByWord,
}

enum ByWord {
    Small(Box<Checked<u64>>),
    Large(Box<Checked<u128>>),
}

/// A table, and a solver for its board.
struct Checked<W> {
    table: Table<W>,
    solver: Solver<W>,
}

/// Evaluates an expression with the table and the solver of the word that the board needs.
macro_rules! with_checked {
    ($verification:expr, $checked:ident => $answer:expr) => {
        match &$verification.by_word {
            ByWord::Small($checked) => $answer,
            ByWord::Large($checked) => $answer,
        }
    };
}

impl Verification {
    /// Opens a table, and starts a solver for its board.
    ///
    /// # Errors
    /// If the file cannot be read or is not a table, or if the system refuses the threads or the
    /// memory.
    pub fn open(table: &Path, settings: Settings) -> Result<Self, BuildError> {
        let by_word = if size_of_table(table)?.fits::<u64>() {
            ByWord::Small(Box::new(Checked::open(table, settings)?))
        } else {
            ByWord::Large(Box::new(Checked::open(table, settings)?))
        };
        Ok(Self { by_word })
    }

    /// The number of entries of the table.
    #[must_use]
    pub fn entries(&self) -> u64 {
        with_checked!(self, checked => checked.table.len())
    }

    /// The kind of the table.
    #[must_use]
    pub fn kind(&self) -> Kind {
        with_checked!(self, checked => checked.table.kind())
    }

    /// How full the solver's transposition table is, in thousandths.
    #[must_use]
    pub fn filling(&self) -> u32 {
        with_checked!(self, checked => checked.solver.filling())
    }

    /// Checks every byte, the order, and every entry against the positions that follow it. With a
    /// `sample`, checks the openings and only this many entries, spread evenly over the table.
    ///
    /// # Errors
    /// With the first flaw, or if the control stopped the work.
    pub fn run(
        &self,
        sample: Option<u64>,
        control: &Control,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Verified, Unverified> {
        with_checked!(self, checked => checked.run(sample, control, progress))
    }
}

impl<W: Word> Checked<W> {
    fn open(path: &Path, settings: Settings) -> Result<Self, BuildError> {
        let table = Table::<W>::open(path)?;
        let solver = Solver::new(table.board().size(), settings)?;
        Ok(Self { table, solver })
    }

    fn run(&self, sample: Option<u64>, control: &Control, progress: &(dyn Fn(Progress) + Sync)) -> Result<Verified, Unverified> {
        let Self { table, solver } = self;
        let total = sample.unwrap_or(table.len()).min(table.len());
        let done = AtomicU64::new(0);
        let symmetries = Symmetries::new(table.board());
        let verifier = Verifier {
            mirror: &|duel| mirror(&symmetries, duel).is_some(),
            prove: &|duel| solver.value(duel, control).ok(),
            derived: &|entries| {
                let done = entries + done.fetch_add(entries, Ordering::Relaxed);
                progress(Progress { stage: Stage::Verifying, done, total });
                !control.is_stopped()
            },
        };
        solver.install(|| match sample {
            Some(entries) => verifier.sample(table, entries),
            None => verifier.verify(table),
        })
    }
}
