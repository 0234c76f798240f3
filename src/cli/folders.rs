//! Where tables are looked for.

use std::env;
use std::path::PathBuf;

use super::{Failure, output};
use crate::table;

#[derive(clap::Args)]
#[command(next_help_heading = "Tables")]
pub(super) struct Folders {
    /// A folder with tables; may be given several times [default: tables/ here, and isolde/tables in your data folder]
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
    /// Use no tables
    #[arg(long, conflicts_with = "tables")]
    no_tables: bool,
}

impl Folders {
    /// The folders, all of which are there. One that was asked for by name and is not there is a fault; one that is looked for anyway is not.
    pub(super) fn list(&self) -> Result<Vec<PathBuf>, Failure> {
        if self.no_tables {
            return Ok(Vec::new());
        }
        if self.tables.is_empty() {
            return Ok(usual());
        }
        check(&self.tables)?;
        Ok(self.tables.clone())
    }
}

/// The folders that are looked into unless others are named, as far as they are there.
pub(super) fn usual() -> Vec<PathBuf> {
    let usual = [Some(PathBuf::from("tables")), data_folder().map(|folder| folder.join("isolde").join("tables"))];
    usual.into_iter().flatten().filter(|folder| folder.is_dir()).collect()
}

/// Folders that were asked for by name must be there.
pub(super) fn check(folders: &[PathBuf]) -> Result<(), Failure> {
    match folders.iter().find(|folder| !folder.is_dir()) {
        Some(missing) => {
            let missing = missing.display();
            Err(Failure::Input(format!("--tables {missing}: there is no such folder; name one that holds *.isolde files")))
        }
        None => Ok(()),
    }
}

/// Tells of tables that cannot be used.
pub(super) fn warn_of(faults: impl IntoIterator<Item = table::Error>) {
    for fault in faults {
        output::warning(&fault.to_string());
    }
}

/// Where this system keeps a user's data.
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
