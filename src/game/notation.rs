//! Text to boards, cells, moves, positions and lines of play, and back.
//!
//! | thing | written | also read |
//! |---|---|---|
//! | board | `7x7`, files x ranks | |
//! | cell | `d4`, files `a` to `p` | |
//! | move | `f5`, the cell moved to | `d4f5`, and `d4f5,f5d4`: the move and the wall it leaves |
//! | position | `8/8/2N5/4n3/3*4/8/8/8 b` | the same followed by `- - 0 1` |
//! | line of play | `7x7: d4 b3 f5`, from the empty board | |
//!
//! A position is written as the FEN of Fairy-Stockfish's *joust*: ranks from the top, numbers for
//! runs of free cells, `*` for a blocked cell, `N` and `n` for the first and the second player's
//! knight, then `w` or `b` for the first or the second to move. A missing knight has not been
//! placed yet.
//!
//! ```
//! use isolde::{Setup, notation};
//!
//! let setup = notation::parse("7x7: d4 b3 f5")?;
//! assert_eq!(setup.to_string(), "7/7/5N1/3*3/1n5/7/7 b");
//! assert_eq!(setup.to_string().parse(), Ok(setup));
//! # Ok::<(), notation::Error>(())
//! ```

use std::fmt;
use std::str::FromStr;

use crate::game::board::{Size, SizeError};
use crate::game::cells::{Cell, Cells, Word};
use crate::game::position::{IllegalMove, Player, Position, Setup, SetupError};

/// Why a text could not be read: what was found, and what would have been right.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Error {
    /// Neither a board nor a line of play nor a position.
    Nothing { text: String },
    /// Not of the form `7x7`.
    Board { text: String },
    /// A board that does not exist.
    Size(SizeError),
    /// Not of the form `d4`.
    Cell { text: String },
    /// A cell that this board lacks.
    CellOffBoard { text: String, size: Size },
    /// A character in a position that means nothing there.
    Character { rank: usize, found: char },
    /// A run of free cells whose length starts with a zero.
    ZeroRun { rank: usize },
    /// A rank that differs in length from the top one.
    RankLength { rank: usize, cells: usize, expected: usize },
    /// A second knight of one player.
    TwoKnights { player: Player, rank: usize },
    /// A position that does not say who is to move.
    NoTurn,
    /// Something else than `w` or `b` where the player to move is named.
    Turn { text: String },
    /// Text behind the end.
    Trailing { text: String },
    /// A position that the rules do not know.
    Setup(SetupError),
    /// A board that is followed by something else than a colon.
    NoColon { text: String },
    /// A move that names another start than the mover's cell, or none that exists.
    From { text: String, mover: Option<String> },
    /// A move whose wall is not where the mover came from.
    Wall { text: String, expected: String },
    /// A move that the rules forbid, and those that they allow.
    Illegal { text: String, fault: IllegalMove, legal: Vec<String> },
    /// A move of a line that cannot be played; plies count from 1, placements included.
    Line { ply: usize, fault: Box<Error> },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing { text } => {
                let forms = "a board (7x7), a line of play (7x7: d4 b3 f5) or a position (8/8/2N5/4n3/3*4/8/8/8 b)";
                write!(f, "`{text}` is not a position: write {forms}")
            }
            Self::Board { text } => write!(f, "`{text}` is not a board: write files x ranks, such as 7x7"),
            Self::Size(fault) => fault.fmt(f),
            Self::Cell { text } => write!(f, "`{text}` is not a cell: write a file from a to p and a rank, such as d4"),
            Self::CellOffBoard { text, size } => {
                let last = size.cell(size.files() - 1, size.ranks() - 1).map(|cell| cell_name(*size, cell));
                write!(f, "`{text}` is not on a {size} board, which goes from a1 to {}", last.unwrap_or_default())
            }
            Self::Character { rank, found } => {
                write!(f, "`{found}` in rank {rank} means nothing: a rank is made of numbers, `*`, `N` and `n`")
            }
            Self::ZeroRun { rank } => write!(f, "rank {rank} has a number that starts with 0: a run has at least one free cell"),
            Self::RankLength { rank, cells, expected } => {
                write!(f, "rank {rank} has {cells} cells, but the top rank has {expected}")
            }
            Self::TwoKnights { player, rank } => {
                write!(f, "rank {rank} holds a second knight of the {player} player: each has one")
            }
            Self::NoTurn => write!(f, "the position does not say who is to move: end it with ` w` for first or ` b` for second"),
            Self::Turn { text } => write!(f, "`{text}` is not a player to move: write `w` for first or `b` for second"),
            Self::Trailing { text } => {
                write!(f, "unexpected `{text}` behind the player to move: nothing but `- - 0 1` may follow")
            }
            Self::Setup(fault) => fault.fmt(f),
            Self::NoColon { text } => write!(f, "unexpected `{text}` behind the board: write a line as `7x7: d4 b3 f5`"),
            Self::From { text, mover: Some(mover) } => write!(f, "`{text}` does not start on {mover}, where the mover stands"),
            Self::From { text, mover: None } => {
                write!(f, "`{text}` moves a knight that is not placed yet: name only the cell to place it on")
            }
            Self::Wall { text, expected } => write!(f, "`{text}` leaves its wall elsewhere: it must end in `,{expected}`"),
            Self::Illegal { text, fault, legal } => {
                write!(f, "`{text}` cannot be played: {fault}; ")?;
                match legal.as_slice() {
                    [] => write!(f, "the game is over, no move is legal"),
                    [only] => write!(f, "only {only} is legal"),
                    several => write!(f, "legal are {}", several.join(" ")),
                }
            }
            Self::Line { ply, fault } => write!(f, "move {ply} of the line: {fault}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Size(fault) => Some(fault),
            Self::Setup(fault) => Some(fault),
            Self::Illegal { fault, .. } => Some(fault),
            Self::Line { fault, .. } => Some(fault.as_ref()),
            _ => None,
        }
    }
}

impl From<SizeError> for Error {
    fn from(fault: SizeError) -> Self {
        Self::Size(fault)
    }
}

impl From<SetupError> for Error {
    fn from(fault: SetupError) -> Self {
        Self::Setup(fault)
    }
}

/// Reads whatever names a position: a board (`7x7`), a line of play (`7x7: d4 b3`) or a position.
///
/// # Errors
/// If the text is none of them, or no position of the game.
pub fn parse(text: &str) -> Result<Setup, Error> {
    // No position holds an `x`, and every board does.
    let head = text.split_whitespace().next().unwrap_or_default();
    if head.contains('x') {
        Ok(text.parse::<Line>()?.end().setup())
    } else if head.contains('/') || (!head.is_empty() && parse_rank(head, 1).is_ok()) {
        text.parse()
    } else {
        Err(Error::Nothing { text: text.into() })
    }
}

/// Reads whatever names a position, as [`parse`] does.
impl FromStr for Position {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Ok(Self::new(parse(text)?)?)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.files(), self.ranks())
    }
}

impl FromStr for Size {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let sides = text.split_once('x').and_then(|(files, ranks)| Some((number(files)?, number(ranks)?)));
        let (files, ranks) = sides.ok_or_else(|| Error::Board { text: text.into() })?;
        Ok(Self::new(files, ranks)?)
    }
}

/// A number in plain digits: no sign, no more digits than any number here can have.
fn number(digits: &str) -> Option<usize> {
    let plain = (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

/// The name of a cell on a board of this size.
#[must_use]
pub fn cell_name(size: Size, cell: Cell) -> String {
    format!("{}{}", char::from(b'a' + size.file(cell) as u8), size.rank(cell) + 1)
}

/// The names of the cells of a set, in the order of the cells.
#[must_use]
pub fn cell_names<W: Word>(size: Size, cells: Cells<W>) -> Vec<String> {
    cells.into_iter().map(|cell| cell_name(size, cell)).collect()
}

/// The names of cells in this order, with spaces between.
#[must_use]
pub fn spaced_names(size: Size, cells: &[Cell]) -> String {
    cells.iter().map(|&cell| cell_name(size, cell)).collect::<Vec<_>>().join(" ")
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
    let rank = text.strip_prefix(|file: char| ('a'..='p').contains(&file))?;
    let digits = rank.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0 && !rank.starts_with('0')).then(|| text.split_at(1 + digits))
}

/// The cell of a name that [`split_cell`] has cut off.
fn cell_on(size: Size, name: &str) -> Result<Cell, Error> {
    let file = name.bytes().next().map(|letter| usize::from(letter - b'a'));
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
        if wall.is_some_and(|wall| wall != expected) {
            return Err(Error::Wall { text: text.into(), expected });
        }
    }
    let illegal = |fault| Error::Illegal { text: text.into(), fault, legal: cell_names(size, position.legal_moves()) };
    position.check(to).map_err(illegal)?;
    Ok(to)
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

/// A line of play from the empty board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    size: Size,
    moves: Vec<Cell>,
    end: Position,
}

impl Line {
    /// The line without a move.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self { size, moves: Vec::new(), end: Position::empty(size) }
    }

    /// The board that is played on.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The cells played to, the two placements first.
    #[must_use]
    pub fn moves(&self) -> &[Cell] {
        &self.moves
    }

    /// The position at the end of the line.
    #[must_use]
    pub fn end(&self) -> &Position {
        &self.end
    }

    /// The position after its first `plies` plies.
    ///
    /// # Panics
    /// If the line has fewer.
    #[must_use]
    pub fn position(&self, plies: usize) -> Position {
        self.moves[..plies].iter().fold(Position::empty(self.size), |position, &to| position.play_unchecked(to))
    }

    /// The first of its plies.
    ///
    /// # Panics
    /// If the line has fewer.
    #[must_use]
    pub fn beginning(&self, plies: usize) -> Self {
        Self { size: self.size, moves: self.moves[..plies].to_vec(), end: self.position(plies) }
    }

    /// Plays one move more.
    ///
    /// # Errors
    /// If it is not legal; the line is then as before.
    pub fn play(&mut self, to: Cell) -> Result<(), IllegalMove> {
        self.end = self.end.play(to)?;
        self.moves.push(to);
        Ok(())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.size)?;
        self.moves.iter().try_for_each(|&cell| write!(f, " {}", cell_name(self.size, cell)))
    }
}

impl FromStr for Line {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let (board, moves) = match text.split_once(':') {
            Some((board, moves)) => (board.trim_end(), moves),
            None => match text.split_once(char::is_whitespace) {
                Some((_, rest)) => return Err(Error::NoColon { text: rest.trim_start().into() }),
                None => (text, ""),
            },
        };
        let mut line = Self::new(board.parse()?);
        for (before, text) in moves.split_whitespace().enumerate() {
            let in_line = |fault| Error::Line { ply: before + 1, fault: Box::new(fault) };
            let to = parse_move(&line.end, text).map_err(in_line)?;
            line.end = line.end.play_unchecked(to);
            line.moves.push(to);
        }
        Ok(line)
    }
}

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
        let mut fields = text.split_whitespace();
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
enum Content {
    Free,
    Blocked,
    Knight(Player),
}

fn parse_rank(text: &str, rank: usize) -> Result<Vec<Content>, Error> {
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

/// A number with its thousands set apart: `2,516,658`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Reads what [`grouped`] writes. `None` if the text is anything else.
#[must_use]
pub fn parse_grouped(text: &str) -> Option<u64> {
    let number = text.replace(',', "").parse().ok()?;
    (grouped(number) == text).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (2_516_658, "2,516,658"), (u64::MAX, "18,446,744,073,709,551,615")];
        for text in ["", ",", "1000", "1,00", "01", "+1", "-1", "1.5", "3x3"] {
            assert_eq!(parse_grouped(text), None, "{text}");
        }
        for (number, text) in cases {
            assert_eq!((grouped(number).as_str(), parse_grouped(text)), (text, Some(number)));
        }
    }
}
