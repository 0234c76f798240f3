//! One game of a file of records.

use std::io::ErrorKind;
use std::path::Path;

use super::Failure;
use crate::arena::{GamesFileError, Record, read_games};

/// The game of this number, or the only game of the file.
pub(super) fn saved_game(file: &str, wanted: Option<u32>) -> Result<Record, Failure> {
    let bad = |why: String| Failure::Input(format!("{file}: {why}"));
    let mut games = read_games(Path::new(file))?;
    let found = match wanted {
        None if games.len() > 1 => {
            return Err(bad(format!("the file holds {} games: choose one with --game", games.len())));
        }
        None => games.pop(),
        Some(wanted) => games.into_iter().find(|(number, _)| *number == wanted as usize),
    };
    let missing = wanted.map_or("the file holds no games".to_string(), |wanted| format!("the file holds no game {wanted}"));
    found.map(|(_, record)| record).ok_or_else(|| bad(missing))
}

impl From<GamesFileError> for Failure {
    fn from(fault: GamesFileError) -> Self {
        match fault {
            GamesFileError::Read { ref source, .. } if source.kind() == ErrorKind::NotFound => Self::Input(fault.to_string()),
            GamesFileError::Read { .. } | GamesFileError::Write { .. } => Self::Files(fault.to_string()),
            _ => Self::Input(fault.to_string()),
        }
    }
}
