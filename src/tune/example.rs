//! A position at the hunter's turn, with the true cost of every move, as a line of text.
//!
//! ```text
//! 8x8 d2 f4 df7fe7bb8b6f97ff  f3+24507 b3+27362 b1+38729 f1+56361
//! ```
//!
//! The board, the hunter, the prey, the free cells as a number, and for each move whether it wins,
//! loses or was given up, and the nodes that were searched.

use std::fmt;
use std::str::FromStr;

use crate::game::board::{Board, Size};
use crate::game::cells::Cells;
use crate::game::duel::{Duel, Part};
use crate::game::notation::{cell_name, parse_cell};
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
        write!(f, "not an example of the cost of moves, such as \"4x4 a1 d4 7ffe  c2+12 b3?96\": {}", self.0)
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
        let cell = |name: &str| parse_cell(size, name).map_err(|_| wrong());
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
            let nodes = word[sign + 1..].parse().map_err(|_| wrong())?;
            moves.push(MoveCost { to: cell(&word[..sign])?, searched, nodes });
        }
        let (board, duel) = (Board::<u128>::fitting(size), Duel { free, mover, other });
        let legal = free.is_subset(board.cells())
            && mover != other
            && !free.contains(mover)
            && !free.contains(other)
            && duel.part_of_mover(&board) == Part::Hunter
            && moves.iter().map(|found| found.to).collect::<Cells<u128>>() == duel.moves(&board)
            && moves.len() == duel.moves(&board).len()
            && moves.iter().all(|found| found.nodes > 0);
        if legal { Ok(Self { size, duel, moves }) } else { Err(wrong()) }
    }
}
