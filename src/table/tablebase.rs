//! All tables of one board, wherever they are.
//!
//! A table of 4x6 also serves 6x4: lookups exchange files and ranks.
//!
//! A tablebase is opened once and asked often. A fault in a file never makes an answer wrong: the
//! file, or the damaged part of it, counts as absent, and the fault is kept so that it can be
//! reported.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::built_in;
use super::read::{Table, size_of_bytes, size_of_table};
use super::{Entry, Error, Fault, Kind};
use crate::game::board::{Board, Size};
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::game::position::Position;
use crate::game::symmetry::Symmetries;
use crate::solve::{Known, Source};

/// The extension of table files.
pub const EXTENSION: &str = "isolde";

/// Where to look for tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Location {
    /// A folder with tables, whose names end with [`EXTENSION`]; or one table, whatever its name.
    Path(PathBuf),
    /// The tables that are part of the program. There are none without the feature
    /// `embedded-tables`.
    BuiltIn,
}

impl From<PathBuf> for Location {
    fn from(path: PathBuf) -> Self {
        Self::Path(path)
    }
}

impl Location {
    /// The files to be opened: those in a folder, sorted by name, or the file itself.
    ///
    /// # Errors
    /// If the system does not list the folder.
    pub fn files(&self) -> Result<Vec<PathBuf>, Error> {
        match self {
            Self::Path(folder) if folder.is_dir() => files(folder),
            Self::Path(file) => Ok(vec![file.clone()]),
            Self::BuiltIn => Ok(Vec::new()),
        }
    }
}

/// The tables of one board.
#[derive(Debug)]
pub struct Tablebase<W> {
    size: Size,
    /// Strong tables come first, because they also know the plies.
    tables: Vec<Opened<W>>,
    faults: Mutex<Vec<Error>>,
}

#[derive(Debug)]
struct Opened<W> {
    table: Table<W>,
    /// Whether a fault of this table was reported already. One report is enough.
    reported: AtomicBool,
}

impl<W> Opened<W> {
    fn new(table: Table<W>) -> Self {
        Self { table, reported: AtomicBool::new(false) }
    }
}

impl<W: Word> Tablebase<W> {
    /// No tables, for boards of this size.
    #[must_use]
    pub fn empty(size: Size) -> Self {
        Self { size, tables: Vec::new(), faults: Mutex::default() }
    }

    /// One table alone.
    pub(crate) fn of(table: Table<W>) -> Self {
        Self { size: table.board().size(), tables: vec![Opened::new(table)], faults: Mutex::default() }
    }

    /// The tables in these places of boards of this size, or of this size transposed. Of a file for
    /// another board only the header is read.
    ///
    /// Strong tables are asked before opening tables, and tables of one kind in the order of the
    /// places. A built-in table is left out if it was found as a file, too. Files that cannot be
    /// used are left out; [`Tablebase::take_faults`] tells why.
    #[must_use]
    pub fn open<L: Clone + Into<Location>>(size: Size, locations: &[L]) -> Self {
        let mut tablebase = Self::empty(size);
        let mut faults = Vec::new();
        for location in locations.iter().cloned().map(Into::into) {
            let files = location.files().unwrap_or_else(|fault| {
                faults.push(fault);
                Vec::new()
            });
            for file in files {
                match open(&file, size) {
                    Ok(table) => tablebase.tables.extend(table.map(Opened::new)),
                    Err(fault) => faults.push(fault),
                }
            }
            if location == Location::BuiltIn {
                for table in built_in(size) {
                    match table {
                        Ok(table) if tablebase.tables().any(|found| found.is_same_as(&table)) => {}
                        Ok(table) => tablebase.tables.push(Opened::new(table)),
                        Err(fault) => faults.push(fault),
                    }
                }
            }
        }
        // The sort is stable: tables of a kind stay in the order of the places, and within a
        // folder in the order of their names.
        tablebase.tables.sort_by_key(|opened| (opened.table.kind() as u8, opened.table.board().size() != size));
        tablebase.faults = Mutex::new(faults);
        tablebase
    }

    /// The tables, in the order in which they are asked.
    pub fn tables(&self) -> impl Iterator<Item = &Table<W>> {
        self.tables.iter().map(|opened| &opened.table)
    }

    fn look_into(&self, table: &Table<W>, canonical: Duel<W>) -> Result<Option<Entry>, Fault> {
        let size = table.board().size();
        if size == self.size {
            return table.probe(canonical);
        }
        let there = |cell| self.size.transpose(cell);
        let free = canonical.free.into_iter().map(there).collect();
        let found = table.look_up(Duel { mover: there(canonical.mover), other: there(canonical.other), free })?;
        Ok(found.map(|entry| match entry {
            Entry::Won(to) => Entry::Won(size.transpose(to)),
            same => same,
        }))
    }

    fn report(&self, opened: &Opened<W>, fault: Fault) {
        if !opened.reported.swap(true, Ordering::Relaxed) {
            self.lock().push(Error::Fault { path: opened.table.path().to_path_buf(), fault });
        }
    }

    /// The faults found since the last call: files that were left out, and tables that turned out
    /// to be damaged.
    pub fn take_faults(&self) -> Vec<Error> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Error>> {
        self.faults.lock().expect("no thread panics while it records a fault")
    }
}

impl<W: Word> Source<W> for Tablebase<W> {
    /// The result from the first table that has this duel. A table that is damaged where the duel
    /// should be counts as not having it.
    fn look_up(&self, canonical: Duel<W>) -> Option<Known> {
        self.tables.iter().find_map(|opened| match self.look_into(&opened.table, canonical) {
            Ok(entry) => entry.map(|entry| entry.known(opened.table.shared_path())),
            Err(fault) => {
                self.report(opened, fault);
                None
            }
        })
    }

    fn fewest_live(&self) -> usize {
        let fewest = |table: &Table<W>| match table.kind() {
            Kind::Strong => 0,
            Kind::Opening => table.depth() + 1,
        };
        // Without tables no lookup can succeed.
        self.tables().map(fewest).min().unwrap_or(usize::MAX)
    }
}

/// The tables of one board of any size. The machine word that they are read with is chosen here.
///
/// Clones share the tables.
#[derive(Clone, Debug)]
pub struct Tables {
    size: Size,
    pub(crate) by_word: ByWord,
}

#[derive(Clone, Debug)]
pub(crate) enum ByWord {
    Small(Arc<Tablebase<u64>>),
    Large(Arc<Tablebase<u128>>),
}

impl Tables {
    /// No tables, for boards of this size.
    #[must_use]
    pub fn none(size: Size) -> Self {
        Self::open::<Location>(size, &[])
    }

    /// The tables of boards of this size in these places: see [`Tablebase::open`].
    #[must_use]
    pub fn open<L: Clone + Into<Location>>(size: Size, locations: &[L]) -> Self {
        let by_word = if size.fits::<u64>() {
            ByWord::Small(Arc::new(Tablebase::open(size, locations)))
        } else {
            ByWord::Large(Arc::new(Tablebase::open(size, locations)))
        };
        Self { size, by_word }
    }

    /// The board.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// What the first table that has this position says of it; `None` if no table has it, or a
    /// knight is not placed yet.
    #[must_use]
    pub fn look_up(&self, position: &Position) -> Option<Known> {
        fn look_up<W: Word>(tablebase: &Tablebase<W>, position: &Position) -> Option<Known> {
            let board = Board::fitting(tablebase.size);
            let canonical = Symmetries::new(&board).canonical(&board, position.duel()?);
            tablebase.look_up(canonical.duel).map(|known| known.before(canonical.symmetry, tablebase.size))
        }
        if position.size() != self.size {
            return None;
        }
        match &self.by_word {
            ByWord::Small(tablebase) => look_up(tablebase, position),
            ByWord::Large(tablebase) => look_up(tablebase, position),
        }
    }

    /// The paths or names of the tables, in the order in which they are asked.
    #[must_use]
    pub fn paths(&self) -> Vec<PathBuf> {
        fn paths<W: Word>(tablebase: &Tablebase<W>) -> Vec<PathBuf> {
            tablebase.tables().map(|table| table.path().to_path_buf()).collect()
        }
        match &self.by_word {
            ByWord::Small(tablebase) => paths(tablebase),
            ByWord::Large(tablebase) => paths(tablebase),
        }
    }

    /// The faults found since the last call: files that were left out, and tables that turned out
    /// to be damaged.
    #[must_use]
    pub fn take_faults(&self) -> Vec<Error> {
        match &self.by_word {
            ByWord::Small(tablebase) => tablebase.take_faults(),
            ByWord::Large(tablebase) => tablebase.take_faults(),
        }
    }
}

/// The files in a folder that have the extension of tables, sorted by name, because the system
/// lists them in any order.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let io = |source| Error::Io { path: folder.to_path_buf(), doing: "list", source };
    let entries = fs::read_dir(folder).map_err(io)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(io)?;
    let is_table = |path: &PathBuf| path.extension().is_some_and(|extension| extension == EXTENSION) && path.is_file();
    let mut tables: Vec<PathBuf> = paths.into_iter().filter(is_table).collect();
    tables.sort();
    Ok(tables)
}

/// The table in this file, if its board has this size or this size transposed.
fn open<W: Word>(file: &Path, size: Size) -> Result<Option<Table<W>>, Error> {
    if serves(size_of_table(file)?, size) { Table::open(file).map(Some) } else { Ok(None) }
}

/// The built-in tables whose boards have this size or this size transposed.
fn built_in<W: Word>(size: Size) -> impl Iterator<Item = Result<Table<W>, Error>> {
    let serving = move |(_, bytes): &&(&str, &[u8])| size_of_bytes(bytes).is_ok_and(|found| serves(found, size));
    built_in::FILES.iter().filter(serving).map(|&(name, bytes)| Table::from_bytes(&built_in_name(name), bytes))
}

/// What answers call a built-in table.
pub(super) fn built_in_name(file: &str) -> String {
    format!("{file} (built in)")
}

/// Whether a table of the first board answers questions about the second.
fn serves(table: Size, size: Size) -> bool {
    table == size || table == size.transposed()
}
