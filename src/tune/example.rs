//! A position at the hunter's turn, with the true cost of every move, as a line of text.
//!
//! ```text
//! 8x8 a5 e1 00ffe7c3a5ff00ff  c6+1530 b7-20114 d6?24480
//! ```
//!
//! The board, the hunter, the prey, the free cells as a number, and for each move whether it wins,
//! loses or was given up, and the nodes that were searched.

use std::fmt;
use std::str::FromStr;

use crate::game::board::Size;
use crate::game::cells::{Cell, Cells};
use crate::game::duel::Duel;
use crate::game::notation::cell_name;
use crate::solve::{MoveCost, Searched};

/// A position with the cost of its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// The board.
    pub size: Size,
    /// The position. The mover is the hunter.
    pub duel: Duel<u128>,
    /// Its moves, most promising first.
    pub moves: Vec<MoveCost>,
}

impl Example {
    /// The nodes of the cheapest winning move.
    #[must_use]
    pub fn cheapest(&self) -> Option<u64> {
        self.moves.iter().filter(|found| found.searched == Searched::Wins).map(|found| found.nodes).min()
    }
}

impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |cell| cell_name(self.size, cell);
        let Duel { free, mover, other } = self.duel;
        write!(f, "{} {} {} {:x} ", self.size, name(mover), name(other), free.word())?;
        for MoveCost { to, searched, nodes } in &self.moves {
            let sign = match searched {
                Searched::Wins => '+',
                Searched::Loses => '-',
                Searched::Unknown => '?',
            };
            write!(f, " {}{sign}{nodes}", name(*to))?;
        }
        Ok(())
    }
}

/// A line that is no example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExampleError(String);

impl fmt::Display for ExampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not an example of the cost of moves, such as \"5x5 c3 a1 1ff7ffe  d5+12 b5?96\": {}", self.0)
    }
}

impl std::error::Error for ExampleError {}

impl FromStr for Example {
    type Err = ExampleError;

    fn from_str(line: &str) -> Result<Self, ExampleError> {
        let wrong = || ExampleError(line.chars().take(80).collect());
        let mut words = line.split_whitespace();
        let mut next = || words.next().ok_or_else(wrong);
        let size: Size = next()?.parse().map_err(|_| wrong())?;
        let cell = |name: &str| {
            let mut letters = name.chars();
            let file = letters.next().and_then(|letter| (letter as usize).checked_sub('a' as usize)).ok_or_else(wrong)?;
            let rank: usize = letters.as_str().parse().map_err(|_| wrong())?;
            let on_board = file < size.files() && (1..=size.ranks()).contains(&rank);
            if on_board { Ok(Cell::new((rank - 1) * size.files() + file)) } else { Err(wrong()) }
        };
        let (mover, other) = (cell(next()?)?, cell(next()?)?);
        let free = Cells::from_word(u128::from_str_radix(next()?, 16).map_err(|_| wrong())?);
        let mut moves = Vec::new();
        for word in words {
            let sign = word.find(['+', '-', '?']).ok_or_else(wrong)?;
            let searched = match word.as_bytes()[sign] {
                b'+' => Searched::Wins,
                b'-' => Searched::Loses,
                _ => Searched::Unknown,
            };
            let to = cell(&word[..sign])?;
            moves.push(MoveCost { to, searched, nodes: word[sign + 1..].parse().map_err(|_| wrong())? });
        }
        let legal = free.is_subset(Cells::first_cells(size.cells()))
            && mover != other
            && !free.contains(mover)
            && !free.contains(other)
            && moves.iter().all(|found| free.contains(found.to));
        if legal { Ok(Self { size, duel: Duel { free, mover, other }, moves }) } else { Err(wrong()) }
    }
}
