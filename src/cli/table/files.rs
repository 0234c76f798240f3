//! The tables that are named on the command line: files, and folders with tables.

use std::io::ErrorKind;
use std::path::PathBuf;

use crate::cli::{Failure, Status};
use crate::table::{EXTENSION, Error, Location};

/// The tables that were named.
pub(super) struct Named {
    pub(super) files: Vec<PathBuf>,
    /// Whether several paths or a folder were named. Then each table gets one line.
    pub(super) several: bool,
}

impl Named {
    /// The files among these paths, and those in the folders among them.
    pub(super) fn new(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut files = Vec::new();
        for path in paths {
            let found = Location::from(path.clone()).files()?;
            if found.is_empty() {
                let sentence = format!("the folder {} has no tables: their names end with .{EXTENSION}", path.display());
                return Err(Failure::Input(sentence));
            }
            files.extend(found);
        }
        let several = paths.len() > 1 || paths.iter().any(|path| path.is_dir());
        Ok(Self { files, several })
    }
}

/// The status for a file that cannot be used.
pub(super) fn ended(fault: &Error) -> Status {
    match fault {
        Error::Io { source, .. } if source.kind() == ErrorKind::NotFound => Status::BadInput,
        _ => Status::Failed,
    }
}

/// The status of several tables is that of the worst.
pub(super) fn worst(all: impl Iterator<Item = Status>) -> Status {
    all.max_by_key(|status| match status {
        Status::Answered => 0,
        Status::Unknown => 1,
        Status::Failed => 2,
        Status::BadInput => 3,
        Status::Interrupted => 4,
    })
    .unwrap_or(Status::Answered)
}
