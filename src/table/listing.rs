//! Tables described: what they cover, how they were made, and where they are.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::any::AnyTable;
use super::tablebase::Location;
use super::{Coverage, Error, Kind};
use crate::game::notation::cell_name;

/// The description of a table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TableReport {
    /// The file, or the name of a table that is part of the program.
    pub file: PathBuf,
    /// The board.
    pub board: String,
    /// What the table holds for its positions.
    pub kind: Kind,
    /// The openings that it covers. `None` if it covers all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<Vec<[String; 2]>>,
    /// The number of classes of openings that it covers.
    pub opening_classes: usize,
    /// In an opening table, the strategies contain positions with more live cells than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// The number of positions.
    pub positions: u64,
    /// The number of positions that the mover wins.
    pub won: u64,
    /// The number of positions that the mover loses.
    pub lost: u64,
    /// The longest game, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest: Option<u8>,
    /// The length of the file.
    pub bytes: u64,
    /// The same for each position, rounded to thousandths.
    pub bytes_per_position: f64,
    /// The program that made the table.
    pub program: String,
    /// The command that made the table.
    pub command: String,
    /// Whether the file is mapped while it is in use. A smaller one is read into memory.
    pub mapped: bool,
}

impl TableReport {
    /// The description of an open table.
    ///
    /// # Errors
    /// If the file is damaged where it says how the table was made.
    pub fn of(table: &AnyTable) -> Result<Self, Error> {
        let metadata = table.metadata().map_err(|fault| Error::Fault { path: table.path().to_path_buf(), fault })?;
        let classes = table.openings(&metadata.coverage);
        let name = |cell| cell_name(table.size(), cell);
        let openings = || classes.iter().map(|opening| [name(opening.first), name(opening.second)]).collect();
        Ok(Self {
            file: table.path().to_path_buf(),
            board: table.size().to_string(),
            kind: table.kind(),
            openings: (metadata.coverage != Coverage::All).then(openings),
            opening_classes: classes.len(),
            depth: (table.kind() == Kind::Opening).then(|| table.depth()),
            positions: table.len(),
            won: metadata.won,
            lost: table.len().saturating_sub(metadata.won),
            longest: metadata.longest,
            bytes: table.file_length(),
            bytes_per_position: (1000.0 * table.file_length() as f64 / table.len().max(1) as f64).round() / 1000.0,
            program: metadata.program,
            command: metadata.command,
            mapped: table.is_mapped(),
        })
    }
}

/// One file of a list.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Described {
    /// A table.
    Table(Box<TableReport>),
    /// A file that cannot be used.
    Unusable {
        /// The file.
        file: PathBuf,
        /// Why not, in words.
        fault: String,
        /// The same as an error.
        #[serde(skip)]
        error: Error,
    },
}

impl Described {
    /// The description of a file.
    #[must_use]
    pub fn of_file(file: &Path) -> Self {
        Self::of(file, AnyTable::open(file).and_then(|table| TableReport::of(&table)))
    }

    fn of(file: &Path, report: Result<TableReport, Error>) -> Self {
        match report {
            Ok(report) => Self::Table(Box::new(report)),
            Err(error) => Self::Unusable { file: file.to_path_buf(), fault: error.reason(), error },
        }
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &Path {
        match self {
            Self::Table(report) => &report.file,
            Self::Unusable { file, .. } => file,
        }
    }
}

/// How many files were described, and how large they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Totals {
    /// The number of tables that can be used.
    pub usable: usize,
    /// The number of files that cannot.
    pub unusable: usize,
    /// The bytes of the tables that can be used.
    pub bytes: u64,
}

impl Totals {
    /// The totals of these files.
    #[must_use]
    pub fn of<'a>(all: impl Iterator<Item = &'a Described> + Clone) -> Self {
        let bytes = |described: &Described| match described {
            Described::Table(report) => Some(report.bytes),
            Described::Unusable { .. } => None,
        };
        let usable = all.clone().filter_map(bytes).count();
        Self { usable, unusable: all.clone().count() - usable, bytes: all.filter_map(bytes).sum() }
    }
}

/// The tables in one place.
#[derive(Debug, Serialize)]
pub struct Place {
    /// The folder or the file, or `built in`.
    pub place: String,
    /// Why there are no tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The tables.
    pub tables: Vec<Described>,
}

impl Place {
    fn of(location: &Location) -> Result<Self, Error> {
        let (place, tables) = match location {
            Location::BuiltIn => {
                let tables = AnyTable::built_in()?;
                let described = tables.iter().map(|table| Described::of(table.path(), TableReport::of(table)));
                ("built in".to_string(), described.collect::<Vec<_>>())
            }
            Location::Path(path) if path.exists() => {
                let files = location.files()?;
                (path.display().to_string(), files.iter().map(|file| Described::of_file(file)).collect())
            }
            Location::Path(path) => {
                let fault = Some("there is no such folder".to_string());
                return Ok(Self { place: path.display().to_string(), fault, tables: Vec::new() });
            }
        };
        let fault = tables.is_empty().then(|| "no tables".to_string());
        Ok(Self { place, fault, tables })
    }
}

/// The tables in several places, and their totals.
#[derive(Debug, Serialize)]
pub struct Listing {
    /// The places, in the order in which they are looked into.
    pub places: Vec<Place>,
    /// The totals.
    #[serde(flatten)]
    pub totals: Totals,
}

impl Listing {
    /// Describes all tables in these places. Of each file only the beginning is checked.
    ///
    /// # Errors
    /// If the system does not list a folder. A file that cannot be used is described as such.
    pub fn of(places: &[Location]) -> Result<Self, Error> {
        let places = places.iter().map(Place::of).collect::<Result<Vec<_>, _>>()?;
        let totals = Totals::of(places.iter().flat_map(|place| &place.tables));
        Ok(Self { places, totals })
    }
}
