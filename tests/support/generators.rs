//! Random boards and positions, and the way from the oracle's games to the program's positions.

use isolde::notation::Continuation;
use isolde::{Board, Cell, Cells, Duel, Player, Position, Setup, Size, Word};
use proptest::prelude::*;

use super::oracle::{At, Game};

/// Any board that fits into the word.
pub fn any_size<W: Word>() -> impl Strategy<Value = Size> {
    (1..=Size::MAX_SIDE, 1..=Size::MAX_SIDE)
        .prop_filter_map("the board fits", |(files, ranks)| Size::new(files, ranks).ok().filter(|size| size.fits::<W>()))
}

/// Any position of any board: knights anywhere, or missing; any other cells blocked, from none to
/// almost all.
pub fn any_position<W: Word>() -> impl Strategy<Value = Position> {
    let cells = (any::<usize>(), any::<usize>());
    let patterns = (any::<u128>(), any::<u128>(), any::<u128>());
    (any_size::<W>(), cells, patterns, 0..4_u8, 0..8_u8, prop::sample::select(&Player::BOTH)).prop_map(
        |(size, (first, second), (a, b, c), density, placed, turn)| {
            let (first, second) = (Cell::new(first % size.cells()), Cell::new(second % size.cells()));
            let (knights, turn) = match placed {
                0 => ([None; 2], Player::First),
                1 => ([Some(first), None], Player::Second),
                _ if first == second => ([Some(first), None], Player::Second),
                _ => ([Some(first), Some(second)], turn),
            };
            let standing: Cells<u128> = knights.into_iter().flatten().collect();
            let pattern = [a & b & c, a & b, a, a | b][usize::from(density)];
            let blocked = Cells::from_word(pattern).except(standing) & Cells::first_cells(size.cells());
            Position::new(Setup { size, blocked, knights, turn }).expect("a legal position was generated")
        },
    )
}

/// Any position, and up to 12 moves played from it.
pub fn any_continuation() -> impl Strategy<Value = Continuation> {
    (any_position::<u128>(), prop::collection::vec(any::<usize>(), 0..12)).prop_map(|(start, choices)| {
        let mut continued = Continuation::new(start);
        for choice in choices {
            let legal: Vec<Cell> = continued.end().legal_moves().into_iter().collect();
            if let Some(&to) = legal.get(choice % legal.len().max(1)) {
                continued.play(to).expect("the move is legal");
            }
        }
        continued
    })
}

/// Any position with both knights placed, as its board and duel.
pub fn any_duel<W: Word>() -> impl Strategy<Value = (Board<W>, Duel<W>)> {
    let with_board = |position: Position| Some((Board::new(position.size()).ok()?, position.duel()?));
    any_position::<W>().prop_filter_map("both knights are placed", with_board)
}

/// The program's cell for the oracle's.
pub fn cell(size: Size, (file, rank): At) -> Cell {
    size.cell(file as usize, rank as usize).expect("the oracle stays on the board")
}

/// The oracle's cell for the program's.
pub fn at(size: Size, cell: Cell) -> At {
    (size.file(cell) as i32, size.rank(cell) as i32)
}

/// The program's position for the oracle's game.
pub fn position(game: &Game) -> Position {
    let size = Size::new(game.files as usize, game.ranks as usize).expect("the oracle's boards are small");
    let standing = |at: &At| game.knights.contains(&Some(*at));
    let blocked = game.cells().into_iter().filter(|at| !game.is_free(*at) && !standing(at));
    let setup = Setup {
        size,
        blocked: blocked.map(|at| cell(size, at)).collect(),
        knights: game.knights.map(|knight| knight.map(|at| cell(size, at))),
        turn: Player::BOTH[game.turn],
    };
    Position::new(setup).expect("the oracle's games are legal")
}

/// The oracle's game for the program's position.
pub fn game(position: &Position) -> Game {
    let size = position.size();
    let mut game = Game::empty(size.files() as i32, size.ranks() as i32);
    for (file, rank) in game.cells() {
        game.free[rank as usize][file as usize] = position.free().contains(cell(size, (file, rank)));
    }
    game.knights = Player::BOTH.map(|player| position.knight(player).map(|cell| at(size, cell)));
    game.turn = position.turn() as usize;
    game
}
