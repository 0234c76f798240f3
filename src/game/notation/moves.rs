//! Boards, cells and moves, read.

use std::str::FromStr;

use super::error::Error;
use super::names::{cell_name, cell_names, number};
use crate::game::board::Size;
use crate::game::cells::Cell;
use crate::game::position::Position;

/// What stands between files and ranks.
pub(super) const CROSSES: [char; 3] = ['x', 'X', '×'];

impl FromStr for Size {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let sides = text.split_once(CROSSES).and_then(|(files, ranks)| Some((number(files)?, number(ranks)?)));
        let (files, ranks) = sides.ok_or_else(|| Error::Board { text: text.into() })?;
        Ok(Self::new(files, ranks)?)
    }
}

/// Reads a cell of a board of this size.
///
/// # Errors
/// If the text is not a cell, or not one of this board.
pub fn parse_cell(size: Size, text: &str) -> Result<Cell, Error> {
    match split_cell(text) {
        Some((cell, "")) => cell_on(size, cell),
        _ => Err(Error::Cell { text: text.into() }),
    }
}

/// Cuts a cell's name off the front of a text.
fn split_cell(text: &str) -> Option<(&str, &str)> {
    let rank = text.strip_prefix(|file: char| ('a'..='p').contains(&file.to_ascii_lowercase()))?;
    let digits = rank.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0 && !rank.starts_with('0')).then(|| text.split_at(1 + digits))
}

/// The cell of a name that [`split_cell`] has cut off.
fn cell_on(size: Size, name: &str) -> Result<Cell, Error> {
    let file = name.bytes().next().map(|letter| usize::from(letter.to_ascii_lowercase() - b'a'));
    let rank = name.get(1..).and_then(number).map(|rank| rank - 1);
    let cell = file.zip(rank).and_then(|(file, rank)| size.cell(file, rank));
    cell.ok_or_else(|| Error::CellOffBoard { text: name.into(), size })
}

/// Reads a move of the player to move: `f5`, `d4f5` or `d4f5,f5d4`.
///
/// # Errors
/// If the text is not a move, or not a legal one here.
pub fn parse_move(position: &Position, text: &str) -> Result<Cell, Error> {
    let size = position.size();
    let (step, wall) = match text.split_once(',') {
        None => (text, None),
        Some((step, wall)) => (step, Some(wall)),
    };
    let not_a_cell = || Error::Cell { text: text.into() };
    let (from, to) = match split_cell(step).ok_or_else(not_a_cell)? {
        (to, "") if wall.is_none() => (None, to),
        (from, to) => (Some(from), to),
    };
    let to = match split_cell(to) {
        Some((to, "")) => cell_on(size, to)?,
        _ => return Err(not_a_cell()),
    };
    if let Some(from) = from {
        let from = cell_on(size, from)?;
        let mover = position.knight(position.turn());
        if mover != Some(from) {
            return Err(Error::From { text: text.into(), mover: mover.map(|cell| cell_name(size, cell)) });
        }
        let expected = cell_name(size, to) + &cell_name(size, from);
        if wall.is_some_and(|wall| !wall.eq_ignore_ascii_case(&expected)) {
            return Err(Error::Wall { text: text.into(), expected });
        }
    }
    let illegal = |fault| Error::Illegal { text: text.into(), fault, legal: cell_names(size, position.legal_moves()) };
    position.check(to).map_err(illegal)?;
    Ok(to)
}

/// The moves in a word, in which commas stand between moves, or between a move and the wall that it
/// leaves. `d4f5,f5d4` is one move: a wall begins where the move ends, and no opponent can move
/// from there.
pub(super) fn moves_in(word: &str) -> Vec<&str> {
    let mut rest = Some(word.strip_suffix(',').unwrap_or(word));
    let mut moves = Vec::new();
    while let Some(text) = rest {
        let mut pieces = text.split(',');
        let (step, wall) = (pieces.next().unwrap_or_default(), pieces.next().unwrap_or_default());
        let length = step.len() + if is_wall_of(step, wall) { 1 + wall.len() } else { 0 };
        moves.push(&text[..length]);
        rest = text.get(length + 1..);
    }
    moves
}

fn is_wall_of(step: &str, wall: &str) -> bool {
    let halves = |text| split_cell(text).filter(|(_, second)| split_cell(second).is_some());
    halves(step).zip(halves(wall)).is_some_and(|((_, to), (from, _))| to.eq_ignore_ascii_case(from))
}

/// The walling form of a move to `to`: the move, and the wall that it leaves where the mover stood.
/// A placement is its cell alone.
#[must_use]
pub fn walling_move(position: &Position, to: Cell) -> String {
    let name = |cell| cell_name(position.size(), cell);
    match position.knight(position.turn()) {
        None => name(to),
        Some(from) => format!("{from}{to},{to}{from}", from = name(from), to = name(to)),
    }
}
