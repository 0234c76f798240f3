//! The bytes of a certificate around its proofs: header, positions, checksum.
//!
//! `docs/certificate.md` describes them.

use crate::game::board::Size;
use crate::game::cells::{Cell, Cells};
use crate::game::position::{Player, Position, Setup};
use crate::game::symmetry::Symmetry;

const MAGIC: &[u8; 8] = b"IsoProof";
const VERSION: u8 = 1;
const HEADER: usize = 12;
const CHECKSUM: usize = 4;

/// What stands for a knight that is not placed.
const NOT_PLACED: u8 = 255;

/// A code from here on refers to a lemma of a list. Below it, the code is the hunter's move of a
/// new lemma, or 0 for a new lemma about a win of the prey.
pub(super) const FIRST_REFERENCE: u8 = 128;

/// The tags of the rules for positions.
pub(super) const COVERED: u8 = b'l';
pub(super) const COVERED_AFRESH: u8 = b'f';
pub(super) const WINNERS_MOVE: u8 = b'w';
pub(super) const ALL_MOVES: u8 = b'a';
pub(super) const MIRROR: u8 = b'm';
pub(super) const IMAGE: u8 = b'i';

/// What a certificate is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Statement {
    /// Who wins the board.
    Board,
    /// Who wins every opening.
    Openings,
    /// Who wins some positions.
    Positions,
}

impl Statement {
    const ALL: [Self; 3] = [Self::Board, Self::Openings, Self::Positions];

    const fn tag(self) -> u8 {
        match self {
            Self::Board => b'b',
            Self::Openings => b'o',
            Self::Positions => b'p',
        }
    }
}

/// The beginning of a certificate.
pub(super) fn header(size: Size, statement: Statement) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend([VERSION, size.files() as u8, size.ranks() as u8, statement.tag()]);
    bytes
}

/// Adds the checksum, which ends a certificate.
pub(super) fn seal(bytes: &mut Vec<u8>) {
    bytes.extend(crc32fast::hash(bytes).to_le_bytes());
}

/// Takes the checksum off. `None` if it is wrong.
pub(super) fn unseal(bytes: &mut Vec<u8>) -> Option<()> {
    let end = bytes.len().checked_sub(CHECKSUM)?;
    let is_right = crc32fast::hash(&bytes[..end]).to_le_bytes() == bytes[end..];
    bytes.truncate(end);
    is_right.then_some(())
}

/// Reads the header of a certificate. Returns the board, the statement, and where the claims begin;
/// or what is wrong with it.
pub(super) fn read_header(bytes: &[u8]) -> Result<(Size, Statement, usize), &'static str> {
    if bytes.len() < HEADER || !bytes.starts_with(MAGIC) {
        return Err("it is not a certificate");
    }
    if bytes[8] != VERSION {
        return Err("it is a certificate of another version");
    }
    let size = Size::new(bytes[9].into(), bytes[10].into()).map_err(|_| "its board is impossible")?;
    let statement = Statement::ALL.into_iter().find(|statement| statement.tag() == bytes[11]);
    Ok((size, statement.ok_or("its statement is unknown")?, HEADER))
}

/// The number of a symmetry.
pub(super) fn symmetry_number(symmetry: Symmetry) -> u8 {
    match symmetry {
        Symmetry::Identity => 0,
        Symmetry::Vertical => 1,
        Symmetry::Horizontal => 2,
        Symmetry::Center => 3,
        Symmetry::Diagonal => 4,
        Symmetry::Quarter => 5,
        Symmetry::ThreeQuarter => 6,
        Symmetry::Antidiagonal => 7,
    }
}

/// The character of a player.
pub(super) fn player_tag(player: Player) -> u8 {
    match player {
        Player::First => b'1',
        Player::Second => b'2',
    }
}

/// The player with this character.
pub(super) fn player_of(tag: u8) -> Option<Player> {
    Player::BOTH.into_iter().find(|&player| player_tag(player) == tag)
}

/// Writes a position.
pub(super) fn write_position(bytes: &mut Vec<u8>, position: &Position) {
    let knight = |player| position.knight(player).map_or(NOT_PLACED, |cell: Cell| cell.index() as u8);
    bytes.extend([knight(Player::First), knight(Player::Second), player_tag(position.turn())]);
    let free = position.free().word().to_le_bytes();
    bytes.extend(&free[..position.size().cells().div_ceil(8)]);
}

/// Reads a position, and says how many bytes it takes. `None` if there is none.
pub(super) fn read_position(size: Size, bytes: &[u8]) -> Option<(Position, usize)> {
    let length = 3 + size.cells().div_ceil(8);
    let bytes = bytes.get(..length)?;
    let knight = |byte: u8| (byte != NOT_PLACED).then_some(byte);
    if bytes[..2].iter().copied().filter_map(knight).any(|cell| usize::from(cell) >= size.cells()) {
        return None;
    }
    let knights = [bytes[0], bytes[1]].map(|byte| knight(byte).map(|cell| Cell::new(cell.into())));
    let mut free = [0; 16];
    free[..length - 3].copy_from_slice(&bytes[3..]);
    let free = Cells::from_word(u128::from_le_bytes(free));
    let all = Cells::first_cells(size.cells());
    let placed: Cells<u128> = knights.into_iter().flatten().collect();
    if !free.is_subset(all) || !free.is_disjoint(placed) {
        return None;
    }
    let setup = Setup { size, blocked: all.except(free | placed), knights, turn: player_of(bytes[2])? };
    Some((Position::new(setup).ok()?, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symmetry_has_the_number_of_its_parts() {
        let size = Size::new(5, 5).unwrap();
        for symmetry in Symmetry::ALL {
            let number = symmetry_number(symmetry);
            for cell in Cells::<u64>::first_cells(25) {
                let (mut x, mut y) = (size.file(cell), size.rank(cell));
                if number & 4 != 0 {
                    (x, y) = (y, x);
                }
                let image = (if number & 1 != 0 { 4 - x } else { x }, if number & 2 != 0 { 4 - y } else { y });
                assert_eq!(size.cell(image.0, image.1), Some(symmetry.image_on(size, cell)), "{symmetry}");
            }
        }
    }
}
