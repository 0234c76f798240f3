//! The options `--tables` and `--no-tables`: where tables are looked for.

use std::env;
use std::path::PathBuf;

use super::{Failure, output};
use crate::game::board::Size;
use crate::table::Tables;

#[derive(clap::Args)]
#[command(next_help_heading = "Tables")]
pub(super) struct Folders {
    /// A folder with tables; may be repeated [default: tables/ here, and isolde/tables in your data
    /// folder]
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
    /// Use no tables
    #[arg(long, conflicts_with = "tables")]
    no_tables: bool,
}

impl Folders {
    /// The folders to look into. It is an error if a folder named by `--tables` does not exist.
    pub(super) fn list(&self) -> Result<Vec<PathBuf>, Failure> {
        if self.no_tables {
            return Ok(Vec::new());
        }
        if self.tables.is_empty() {
            return Ok(default_folders());
        }
        check(&self.tables)?;
        Ok(self.tables.clone())
    }

    /// The tables of a board. Prints a warning for each file that cannot be used.
    pub(super) fn tables(&self, size: Size) -> Result<Tables, Failure> {
        let tables = Tables::open(size, &self.list()?);
        warn_of(&tables);
        Ok(tables)
    }
}

/// Prints a warning for each table that cannot be used.
pub(super) fn warn_of(tables: &Tables) {
    for fault in tables.take_faults() {
        output::warning(&fault.to_string());
    }
}

/// The default folders that exist.
pub(super) fn default_folders() -> Vec<PathBuf> {
    let folders = [Some(PathBuf::from("tables")), data_folder().map(|folder| folder.join("isolde").join("tables"))];
    folders.into_iter().flatten().filter(|folder| folder.is_dir()).collect()
}

/// Checks that the folders exist.
pub(super) fn check(folders: &[PathBuf]) -> Result<(), Failure> {
    match folders.iter().find(|folder| !folder.is_dir()) {
        Some(missing) => {
            let missing = missing.display();
            Err(Failure::Input(format!("--tables {missing}: there is no such folder; name one that holds *.isolde files")))
        }
        None => Ok(()),
    }
}

/// Where this system keeps the user's data.
fn data_folder() -> Option<PathBuf> {
    let folder = |variable| env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute());
    if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library").join("Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local").join("share")))
    }
}
