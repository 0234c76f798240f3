//! A table whose users need not know the machine word that it is read with.

use std::path::Path;

use super::built_in;
use super::read::{Table, size_of_bytes, size_of_table};
use super::tablebase::built_in_name;
use super::{Coverage, Entry, Error, Fault, Kind, Metadata};
use crate::game::board::Size;
use crate::game::cells::Word;
use crate::game::position::Setup;
use crate::solve::Opening;

/// A table of any board, open for reading.
#[derive(Debug)]
pub struct AnyTable {
    by_word: ByWord,
}

#[derive(Debug)]
enum ByWord {
    Small(Box<Table<u64>>),
    Large(Box<Table<u128>>),
}

/// Evaluates an expression with the table in the word that its board needs.
macro_rules! with_table {
    ($any:expr, $table:ident => $answer:expr) => {
        match &$any.by_word {
            ByWord::Small($table) => $answer,
            ByWord::Large($table) => $answer,
        }
    };
}

impl AnyTable {
    /// Opens a table: see [`Table::open`].
    ///
    /// # Errors
    /// If the file cannot be read or is not a sound table.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let by_word = if size_of_table(path)?.fits::<u64>() {
            ByWord::Small(Box::new(Table::open(path)?))
        } else {
            ByWord::Large(Box::new(Table::open(path)?))
        };
        Ok(Self { by_word })
    }

    /// The tables that are part of the program, in the order of their names. None without the
    /// feature `embedded-tables`.
    ///
    /// # Errors
    /// If the program itself is damaged.
    pub fn built_in() -> Result<Vec<Self>, Error> {
        let open = |&(name, bytes): &(&str, &'static [u8])| {
            let name = built_in_name(name);
            let size = size_of_bytes(bytes).map_err(|fault| Error::Fault { path: name.clone().into(), fault })?;
            let by_word = if size.fits::<u64>() {
                ByWord::Small(Box::new(Table::from_bytes(&name, bytes)?))
            } else {
                ByWord::Large(Box::new(Table::from_bytes(&name, bytes)?))
            };
            Ok(Self { by_word })
        };
        built_in::FILES.iter().map(open).collect()
    }

    /// The path of the file, or the name of a table that is not read from a file.
    #[must_use]
    pub fn path(&self) -> &Path {
        with_table!(self, table => table.path())
    }

    /// The board.
    #[must_use]
    pub fn size(&self) -> Size {
        with_table!(self, table => table.board().size())
    }

    /// What the table holds for each position.
    #[must_use]
    pub fn kind(&self) -> Kind {
        with_table!(self, table => table.kind())
    }

    /// In an opening table, the strategies contain positions with more live cells than this.
    #[must_use]
    pub fn depth(&self) -> usize {
        with_table!(self, table => table.depth())
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> u64 {
        with_table!(self, table => table.len())
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The length of the file in bytes.
    #[must_use]
    pub fn file_length(&self) -> u64 {
        with_table!(self, table => table.file_length())
    }

    /// Whether the file is mapped, so that it must not be changed in place.
    #[must_use]
    pub fn is_mapped(&self) -> bool {
        with_table!(self, table => table.is_mapped())
    }

    /// How the table was made, and what it covers.
    ///
    /// # Errors
    /// If that section of the file is damaged.
    pub fn metadata(&self) -> Result<Metadata, Fault> {
        with_table!(self, table => table.metadata())
    }

    /// The openings that a coverage of this table's board names, one of each symmetry class.
    #[must_use]
    pub fn openings(&self, coverage: &Coverage) -> Vec<Opening> {
        with_table!(self, table => {
            let duels = coverage.duels(table.board());
            duels.iter().map(|duel| Opening { first: duel.mover, second: duel.other }).collect()
        })
    }

    /// All entries in order, each with its position, in which the mover is the first player. After
    /// a fault there are no more entries.
    pub fn entries(&self) -> impl Iterator<Item = Result<(Setup, Entry), Fault>> {
        fn entries<W: Word>(table: &Table<W>) -> Box<dyn Iterator<Item = Result<(Setup, Entry), Fault>> + '_> {
            let position = |(duel, entry)| (Setup::of_duel(table.board(), duel), entry);
            Box::new(table.entries().map(move |entry| entry.map(position)))
        }
        with_table!(self, table => entries(table))
    }
}
