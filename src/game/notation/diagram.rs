//! Positions as diagrams: ranks from the top.

use std::fmt;
use std::str::FromStr;

use super::error::Error;
use super::names::{number, trimmed};
use crate::game::board::Size;
use crate::game::cells::Cells;
use crate::game::position::{Player, Position, Setup};

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..self.size.ranks()).rev() {
            let mut run = 0;
            for cell in (0..self.size.files()).filter_map(|file| self.size.cell(file, rank)) {
                let letter = match self.knights {
                    [Some(first), _] if first == cell => 'N',
                    [_, Some(second)] if second == cell => 'n',
                    _ if self.blocked.contains(cell) => '*',
                    _ => {
                        run += 1;
                        continue;
                    }
                };
                write_run(f, std::mem::take(&mut run))?;
                write!(f, "{letter}")?;
            }
            write_run(f, run)?;
            f.write_str(if rank > 0 { "/" } else { "" })?;
        }
        f.write_str(match self.turn {
            Player::First => " w",
            Player::Second => " b",
        })
    }
}

fn write_run(f: &mut fmt::Formatter<'_>, run: usize) -> fmt::Result {
    if run > 0 { write!(f, "{run}") } else { Ok(()) }
}

impl FromStr for Setup {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut fields = trimmed(text).split_whitespace();
        let placement = fields.next().unwrap_or_default();
        let ranks: Vec<&str> = placement.split('/').collect();
        let ranks = ranks.iter().enumerate().map(|(above, text)| parse_rank(text, ranks.len() - above));
        let ranks = ranks.collect::<Result<Vec<_>, _>>()?;
        let size = Size::new(ranks[0].len(), ranks.len())?;
        let turn = match fields.next() {
            None => return Err(Error::NoTurn),
            Some("w") => Player::First,
            Some("b") => Player::Second,
            Some(text) => return Err(Error::Turn { text: text.into() }),
        };
        let rest: Vec<&str> = fields.collect();
        match rest.as_slice() {
            [] => {}
            ["-", "-", half_moves, moves] if number(half_moves).is_some() && number(moves).is_some() => {}
            _ => return Err(Error::Trailing { text: rest.join(" ") }),
        }
        let mut setup = Self { size, blocked: Cells::EMPTY, knights: [None; 2], turn };
        for (rank, contents) in (1..=ranks.len()).rev().zip(&ranks) {
            if contents.len() != size.files() {
                return Err(Error::RankLength { rank, cells: contents.len(), expected: size.files() });
            }
            for (content, cell) in contents.iter().zip((0..).map_while(|file| size.cell(file, rank - 1))) {
                match *content {
                    Content::Free => {}
                    Content::Blocked => setup.blocked = setup.blocked.with(cell),
                    Content::Knight(player) => {
                        if setup.knights[player as usize].replace(cell).is_some() {
                            return Err(Error::TwoKnights { player, rank });
                        }
                    }
                }
            }
        }
        Position::new(setup)?;
        Ok(setup)
    }
}

/// What stands on one cell of a position's text.
#[derive(Clone, Copy)]
pub(super) enum Content {
    Free,
    Blocked,
    Knight(Player),
}

pub(super) fn parse_rank(text: &str, rank: usize) -> Result<Vec<Content>, Error> {
    let mut contents = Vec::new();
    let mut rest = text;
    while let Some(found) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (token, behind) = rest.split_at(digits.max(found.len_utf8()));
        match found {
            '0' => return Err(Error::ZeroRun { rank }),
            '1'..='9' => {
                // A run longer than any board is cut to a length that no rank accepts either.
                let run = number(token).unwrap_or(usize::MAX).min(10 * Size::MAX_SIDE);
                contents.extend(std::iter::repeat_n(Content::Free, run));
            }
            '*' => contents.push(Content::Blocked),
            'N' => contents.push(Content::Knight(Player::First)),
            'n' => contents.push(Content::Knight(Player::Second)),
            _ => return Err(Error::Character { rank, found }),
        }
        rest = behind;
    }
    Ok(contents)
}
