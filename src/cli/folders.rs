//! The options `--tables` and `--no-tables`, and the variable `ISOLDE_TABLES`: where tables are
//! looked for.
//!
//! Places named by `--tables` are the only ones: an answer rests on exactly the tables that were
//! asked for. Otherwise tables come from the places in `ISOLDE_TABLES`, or else from the default
//! folders, and after them from the program itself.

use std::env;
use std::path::PathBuf;

use super::{Failure, output};
use crate::game::board::Size;
use crate::table::{Location, Tables};

/// The variable with a list of folders and files, separated as in `PATH`.
const VARIABLE: &str = "ISOLDE_TABLES";

#[derive(clap::Args)]
#[command(next_help_heading = "Tables")]
pub(super) struct Folders {
    /// A folder with tables, or one table; may be repeated [default: ISOLDE_TABLES, or else tables/
    /// here and isolde/tables in your data folder; then the built-in tables]
    #[arg(long, value_name = "PATH")]
    tables: Vec<PathBuf>,
    /// Use no tables
    #[arg(long, conflicts_with = "tables")]
    no_tables: bool,
}

impl Folders {
    /// The places to look into. It is an error if one named by `--tables` does not exist.
    pub(super) fn list(&self) -> Result<Vec<Location>, Failure> {
        if self.no_tables {
            return Ok(Vec::new());
        }
        check(&self.tables)?;
        Ok(named_or_default(&self.tables))
    }

    /// The tables of a board. Prints a warning for each file that cannot be used.
    pub(super) fn tables(&self, size: Size) -> Result<Tables, Failure> {
        let tables = Tables::open(size, &self.list()?);
        warn_of(&tables);
        Ok(tables)
    }

    /// Where tables were looked for, if there are none for the board and the answer took long.
    pub(super) fn hint(&self, tables: &Tables, seconds: f64) -> Option<String> {
        let slow = seconds >= SLOW && tables.paths().is_empty() && !self.no_tables;
        slow.then(|| self.looked(tables.size()))
    }

    /// Prints a warning for each table that turned out to be damaged, and the hint if there is one.
    pub(super) fn tell_about(&self, tables: &Tables, seconds: f64) {
        warn_of(tables);
        if let Some(sentence) = self.hint(tables, seconds) {
            output::hint(&sentence);
        }
    }

    /// Where tables of a board were looked for.
    fn looked(&self, size: Size) -> String {
        let name = |place: &Location| match place {
            Location::Path(path) => path.display().to_string(),
            Location::BuiltIn => "the program itself".to_string(),
        };
        let places: Vec<String> = places(&self.tables).iter().map(name).collect();
        format!("no table of {size} was found: looked in {}; --tables and {VARIABLE} name other places", places.join(", "))
    }
}

/// From this many seconds on, a person may wonder why no table answered.
const SLOW: f64 = 2.0;

/// Prints a warning for each table that cannot be used.
pub(super) fn warn_of(tables: &Tables) {
    for fault in tables.take_faults() {
        output::warning(&fault.to_string());
    }
}

/// The places that were named, or else the default ones, whether or not they exist.
pub(super) fn places(named: &[PathBuf]) -> Vec<Location> {
    if !named.is_empty() {
        return named_or_default(named);
    }
    let folders = in_variable().unwrap_or_else(usual_folders);
    folders.into_iter().map(Location::Path).chain([Location::BuiltIn]).collect()
}

/// The places that were named, or the default ones if none was.
pub(super) fn named_or_default(named: &[PathBuf]) -> Vec<Location> {
    if named.is_empty() { default_folders() } else { named.iter().cloned().map(Location::Path).collect() }
}

/// The places in `ISOLDE_TABLES`, or else the default folders that exist; then the built-in tables.
pub(super) fn default_folders() -> Vec<Location> {
    let folders = usual_folders().into_iter().filter(|folder| folder.is_dir()).collect();
    in_variable().unwrap_or(folders).into_iter().map(Location::Path).chain([Location::BuiltIn]).collect()
}

/// The places in `ISOLDE_TABLES`. `None` if it is not set, or empty.
fn in_variable() -> Option<Vec<PathBuf>> {
    let list = env::var_os(VARIABLE)?;
    let places: Vec<PathBuf> = env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()).collect();
    (!places.is_empty()).then_some(places)
}

/// The default folders, whether or not they exist.
fn usual_folders() -> Vec<PathBuf> {
    let folders = [Some(PathBuf::from("tables")), data_folder().map(|folder| folder.join("isolde").join("tables"))];
    folders.into_iter().flatten().collect()
}

/// Checks that the folders and files exist.
pub(super) fn check(places: &[PathBuf]) -> Result<(), Failure> {
    match places.iter().find(|place| !place.exists()) {
        Some(missing) => {
            let missing = missing.display();
            Err(Failure::Input(format!(
                "--tables {missing}: there is no such file; name a folder with *.isolde files, or a table"
            )))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_slow_answer_without_tables_says_where_it_looked() {
        let folders = |tables: &[&str], no_tables| Folders { tables: tables.iter().map(PathBuf::from).collect(), no_tables };
        let none = Tables::none(Size::new(8, 8).expect("8x8 is a board"));
        let hint = folders(&["a", "b"], false).hint(&none, 2.5).expect("that was slow");
        assert_eq!(hint, "no table of 8x8 was found: looked in a, b; --tables and ISOLDE_TABLES name other places");
        assert!(folders(&[], false).hint(&none, 2.5).is_some_and(|hint| hint.contains("the program itself;")));
        assert_eq!(folders(&["a"], false).hint(&none, 1.5), None);
        assert_eq!(folders(&[], true).hint(&none, 2.5), None);
    }
}
