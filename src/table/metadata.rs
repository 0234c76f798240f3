//! How a table was made, and what it covers.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::game::board::Board;
use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;
use crate::game::symmetry::Symmetries;

/// How a table was made, and what it covers. It contains no date and no path, so that the same
/// command always writes the same bytes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Metadata {
    /// The program and its version.
    pub program: String,
    /// The command that makes the table.
    pub command: String,
    /// Which openings the table covers.
    pub coverage: Coverage,
    /// The number of entries in which the mover wins.
    pub won: u64,
    /// The longest game, in plies. `None` in an opening table.
    pub longest: Option<u8>,
}

/// Which openings a table covers. Symmetric images of these openings are covered, too.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Coverage {
    /// All openings of the board.
    All,
    /// One opening of each class: the first and the second player's cell.
    Openings(Vec<(u8, u8)>),
}

impl Coverage {
    /// The coverage of exactly these openings.
    #[must_use]
    pub fn of<W: Word>(board: &Board<W>, openings: &[Duel<W>]) -> Self {
        let all = Self::All.duels(board);
        let covered = canonical(board, openings.iter().copied());
        if covered == all {
            return Self::All;
        }
        Self::Openings(covered.iter().map(|duel| (duel.mover.index() as u8, duel.other.index() as u8)).collect())
    }

    /// The canonical duels of the openings, in ascending order.
    #[must_use]
    pub fn duels<W: Word>(&self, board: &Board<W>) -> Vec<Duel<W>> {
        let cells = board.cells();
        let duel = |mover, other| Duel { mover, other, free: cells.without(mover).without(other) };
        match self {
            Self::All => {
                let replies = |first| cells.without(first).into_iter().map(move |second| duel(first, second));
                canonical(board, cells.into_iter().flat_map(replies))
            }
            Self::Openings(openings) => {
                let on_board =
                    |&&(first, second): &&(u8, u8)| first != second && usize::from(first.max(second)) < board.size().cells();
                let cell = |index: u8| Cell::new(index.into());
                canonical(board, openings.iter().filter(on_board).map(|&(first, second)| duel(cell(first), cell(second))))
            }
        }
    }
}

fn canonical<W: Word>(board: &Board<W>, duels: impl Iterator<Item = Duel<W>>) -> Vec<Duel<W>> {
    let symmetries = Symmetries::new(board);
    let sorted: BTreeSet<_> = duels.map(|duel| symmetries.canonical(board, duel).duel).collect();
    sorted.into_iter().collect()
}

/// Metadata cannot be longer than this.
const MOST_BYTES: usize = 1 << 20;

// These two functions are the only ones that use bincode. Integers have a fixed length and are
// little-endian.

pub(super) fn to_bytes(metadata: &Metadata) -> Vec<u8> {
    bincode::serde::encode_to_vec(metadata, configuration()).expect("strings and numbers can always be written")
}

pub(super) fn from_bytes(bytes: &[u8]) -> Option<Metadata> {
    let (metadata, used) = bincode::serde::decode_from_slice(bytes, configuration()).ok()?;
    (used == bytes.len()).then_some(metadata)
}

fn configuration() -> impl bincode::config::Config {
    bincode::config::legacy().with_limit::<MOST_BYTES>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_come_back_and_nothing_else_does() {
        let metadata = Metadata {
            program: "isolde".to_string(),
            command: "isolde table build 3x3".to_string(),
            coverage: Coverage::Openings(vec![(0, 8), (4, 1)]),
            won: 7,
            longest: None,
        };
        let bytes = to_bytes(&metadata);
        assert_eq!(from_bytes(&bytes), Some(metadata));
        assert_eq!(from_bytes(&bytes[..bytes.len() - 1]), None);
        // A length that is too large is refused before anything is allocated.
        assert_eq!(from_bytes(&[0xff; 64]), None);
    }
}
