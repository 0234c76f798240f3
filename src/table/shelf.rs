//! All tables of one board, in whatever folders they lie.
//!
//! A table of 4x6 serves 6x4, too: files and ranks are exchanged on the way.
//!
//! A shelf is opened once and asked often. What is wrong with a file never spoils an answer: the file, or the place in it, counts as
//! not being there, and the fault is kept for whoever wants to tell the user.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::read::{Table, size_of_table};
use super::{Error, Fault, Proven};
use crate::board::Size;
use crate::cells::Word;
use crate::duel::Duel;

/// What the files of tables are called behind the dot.
pub const EXTENSION: &str = "isolde";

/// The tables of one board.
#[derive(Debug)]
pub struct Shelf<W> {
    size: Size,
    /// Strong tables first: they know the plies, too.
    tables: Vec<Shelved<W>>,
    faults: Mutex<Vec<Error>>,
}

#[derive(Debug)]
struct Shelved<W> {
    table: Table<W>,
    /// Whether a fault was found in it while it was read: one report is enough.
    reported: AtomicBool,
}

impl<W: Word> Shelf<W> {
    /// A shelf without tables for boards of this size.
    #[must_use]
    pub fn empty(size: Size) -> Self {
        Self { size, tables: Vec::new(), faults: Mutex::default() }
    }

    /// The tables of boards of this size in these folders, or of such boards transposed. Of each only the head is read.
    ///
    /// Files that cannot be used are left out: [`Shelf::take_faults`] has them.
    ///
    /// # Panics
    /// If the size does not fit into the word: see [`Size::fits`].
    #[must_use]
    pub fn open(size: Size, folders: &[PathBuf]) -> Self {
        assert!(size.fits::<W>(), "a {size} board does not fit into this word");
        let mut shelf = Self::empty(size);
        let mut faults = Vec::new();
        for folder in folders {
            let files = files(folder).unwrap_or_else(|fault| {
                faults.push(fault);
                Vec::new()
            });
            for file in files {
                match open(&file, size) {
                    Ok(table) => shelf.tables.extend(table.map(|table| Shelved { table, reported: AtomicBool::new(false) })),
                    Err(fault) => faults.push(fault),
                }
            }
        }
        // Stable: within a kind the order is that of the folders, and in a folder that of the names.
        shelf.tables.sort_by_key(|shelved| (shelved.table.kind() as u8, shelved.table.board().size() != size));
        shelf.faults = Mutex::new(faults);
        shelf
    }

    /// The tables, in the order in which they are asked.
    pub fn tables(&self) -> impl Iterator<Item = &Table<W>> {
        self.tables.iter().map(|shelved| &shelved.table)
    }

    /// What the first table that has this duel says of it, and which table that is.
    ///
    /// A table that is damaged just where the duel should stand counts as not having it.
    #[must_use]
    pub fn look_up(&self, duel: Duel<W>) -> Option<(Proven, &Table<W>)> {
        self.tables.iter().find_map(|shelved| match self.look_into(&shelved.table, duel) {
            Ok(proven) => proven.map(|proven| (proven, &shelved.table)),
            Err(fault) => {
                self.report(shelved, fault);
                None
            }
        })
    }

    fn look_into(&self, table: &Table<W>, duel: Duel<W>) -> Result<Option<Proven>, Fault> {
        let size = table.board().size();
        if size == self.size {
            return table.look_up(duel);
        }
        let there = |cell| self.size.transpose(cell);
        let free = duel.free.into_iter().map(there).collect();
        let found = table.look_up(Duel { mover: there(duel.mover), other: there(duel.other), free })?;
        Ok(found.map(|proven| match proven {
            Proven::Won(to) => Proven::Won(size.transpose(to)),
            same => same,
        }))
    }

    fn report(&self, shelved: &Shelved<W>, fault: Fault) {
        if !shelved.reported.swap(true, Ordering::Relaxed) {
            self.lock().push(Error::Fault { path: shelved.table.path().to_path_buf(), fault });
        }
    }

    /// The faults found since this was last asked: of files that were left out, and of tables that turned out to be damaged.
    pub fn take_faults(&self) -> Vec<Error> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Error>> {
        self.faults.lock().expect("no thread panics while it notes a fault")
    }
}

/// The files in a folder that are called as tables are, by name: the order of the folder says nothing.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let io = |source| Error::Io { path: folder.to_path_buf(), doing: "list", source };
    let entries = fs::read_dir(folder).map_err(io)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(io)?;
    let is_table = |path: &PathBuf| path.extension().is_some_and(|extension| extension == EXTENSION) && path.is_file();
    let mut tables: Vec<PathBuf> = paths.into_iter().filter(is_table).collect();
    tables.sort();
    Ok(tables)
}

/// The table in this file, if it is one of boards of this size or of their transpose.
fn open<W: Word>(file: &Path, size: Size) -> Result<Option<Table<W>>, Error> {
    let found = size_of_table(file)?;
    if found == size || found == size.transposed() { Table::open(file).map(Some) } else { Ok(None) }
}
