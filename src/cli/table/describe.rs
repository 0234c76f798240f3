//! The description of a table: as data, and as one line of a list.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use serde::Serialize;

use super::files::{reason, worst};
use crate::cli::Status;
use crate::cli::output::{self, fact, grouped, plural, styled};
use crate::game::notation::cell_name;
use crate::table::{AnyTable, Coverage, Error, Kind};

/// The description of a table.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) file: PathBuf,
    pub(super) board: String,
    pub(super) kind: Kind,
    /// The openings that it covers. `None` if it covers all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) openings: Option<Vec<[String; 2]>>,
    /// The number of classes of openings that it covers.
    pub(super) opening_classes: usize,
    /// In an opening table, the strategies contain positions with more live cells than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) depth: Option<usize>,
    pub(super) positions: u64,
    pub(super) won: u64,
    pub(super) lost: u64,
    /// The longest game, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) longest: Option<u8>,
    pub(super) bytes: u64,
    pub(super) bytes_per_position: f64,
    pub(super) program: String,
    pub(super) command: String,
    /// Whether the file is mapped while it is in use. A smaller one is read into memory.
    pub(super) mapped: bool,
}

impl Report {
    pub(super) fn of(table: &AnyTable) -> Result<Self, Error> {
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

/// One table of a list.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Described {
    Table(Box<Report>),
    Unusable {
        file: PathBuf,
        fault: String,
        #[serde(skip)]
        status: Status,
    },
}

impl Described {
    pub(super) fn of_file(file: &Path) -> Self {
        Self::of(file, AnyTable::open(file).and_then(|table| Report::of(&table)))
    }

    pub(super) fn of(file: &Path, report: Result<Report, Error>) -> Self {
        match report {
            Ok(report) => Self::Table(Box::new(report)),
            Err(fault) => {
                let (status, fault) = reason(&fault);
                Self::Unusable { file: file.to_path_buf(), fault, status }
            }
        }
    }

    fn file(&self) -> &Path {
        match self {
            Self::Table(report) => &report.file,
            Self::Unusable { file, .. } => file,
        }
    }
}

/// Tables that were described, and their totals.
#[derive(Serialize)]
pub(super) struct Totals {
    /// The number of tables that can be used.
    usable: usize,
    /// The number of files that cannot.
    unusable: usize,
    /// The bytes of the tables that can be used.
    bytes: u64,
    #[serde(skip)]
    pub(super) status: Status,
}

impl Totals {
    pub(super) fn of<'a>(all: impl Iterator<Item = &'a Described> + Clone) -> Self {
        let bytes = |described: &Described| match described {
            Described::Table(report) => Some(report.bytes),
            Described::Unusable { .. } => None,
        };
        let usable = all.clone().filter_map(bytes).count();
        let status = worst(all.clone().map(|described| match described {
            Described::Table(_) => Status::Answered,
            Described::Unusable { status, .. } => *status,
        }));
        Self { usable, unusable: all.clone().count() - usable, bytes: all.filter_map(bytes).sum(), status }
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let tables = format!("{} {}, {}", self.usable, plural(self.usable, "table"), ByteSize(self.bytes));
        let unusable = if self.unusable > 0 { format!("; {} cannot be used", self.unusable) } else { String::new() };
        fact(out, "total", &format!("{tables}{unusable}"))
    }
}

/// Writes one line for each table, in columns. `name` tells what to call it.
pub(super) fn write_lines(out: &mut impl Write, all: &[Described], name: impl Fn(&Path) -> String) -> io::Result<()> {
    let width = all.iter().map(|described| name(described.file()).chars().count()).max().unwrap_or(0);
    for described in all {
        let name = format!("{:<width$}", name(described.file()));
        match described {
            Described::Table(report) => {
                let covers = match &report.openings {
                    None => "all openings".to_string(),
                    Some(openings) => format!("{} {}", openings.len(), plural(openings.len(), "opening")),
                };
                let (kind, positions) = (report.kind, grouped(report.positions));
                let bytes = ByteSize(report.bytes).to_string();
                writeln!(out, "{name}  {:<6} {kind:<8} {covers:<13} {positions:>12} positions {bytes:>10}", report.board)?;
            }
            Described::Unusable { fault, .. } => writeln!(out, "{name}  {}", styled(output::STRONG, fault))?,
        }
    }
    Ok(())
}
