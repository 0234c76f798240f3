//! Positions of large boards with up to 26 free cells, against the naive oracle: who wins, and by
//! which moves.
//!
//! The free cells are clustered and the knights are near each other, so that the games are fights
//! and not two walks.

use std::sync::Arc;

use isolde::{Analyst, Cell, Cells, Control, Player, Position, Request, Settings, Setup, Size, Tables};

use crate::support::naive::Recursion;

/// SplitMix64: the same positions on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % sides as u64) as usize
    }
}

/// The cells that take part, by number: the mover's, the other's, then the free ones.
fn cluster(dice: &mut Dice, files: usize, ranks: usize) -> Vec<usize> {
    // A window into which the cells fit closely, somewhere on the board.
    let (left, bottom) = (dice.below(files - 5), dice.below(ranks - 5));
    let mut cells: Vec<usize> =
        (0..36).map(|number| (bottom + number / 6) * files + left + number % 6).filter(|_| dice.below(8) > 0).collect();
    for at in 0..cells.len() {
        let other = at + dice.below(cells.len() - at);
        cells.swap(at, other);
    }
    let free = 18 + dice.below(9);
    cells.truncate(2 + free);
    let distance = |a: usize, b: usize| (a % files).abs_diff(b % files).max((a / files).abs_diff(b / files));
    let near = (1..cells.len()).find(|&at| distance(cells[0], cells[at]) <= 2).unwrap_or(1);
    cells.swap(1, near);
    cells
}

#[test]
fn clustered_endgames_of_large_boards_are_what_the_oracle_says() {
    const EACH: usize = 30;
    let mut dice = Dice(20_261_118);
    let (mut won, mut winning, mut moves) = (0, 0, 0);
    let boards = [(8, 8), (9, 8), (9, 9), (10, 9), (10, 10)];
    for (files, ranks) in boards {
        let size = Size::new(files, ranks).unwrap();
        let settings = Settings { memory: 64 << 20, ..Settings::default() };
        let analyst = Analyst::new(settings, &Tables::none(size)).unwrap();
        for _ in 0..EACH {
            let cells = cluster(&mut dice, files, ranks);
            let mut oracle = Recursion::among(files, ranks, &cells);
            let free = (1_u64 << cells.len()) - 4;
            let all: Cells<u128> = cells.iter().map(|&cell| Cell::new(cell)).collect();
            let turn = Player::BOTH[dice.below(2)];
            let mut knights = [Some(Cell::new(cells[0])), Some(Cell::new(cells[1]))];
            if turn == Player::Second {
                knights.swap(0, 1);
            }
            let blocked = Cells::first_cells(size.cells()).except(all);
            let position = Position::new(Setup { size, blocked, knights, turn }).unwrap();
            let analysis = analyst.analyse(&position, Request::winners(), &Arc::new(Control::unlimited()), |_| {});
            let wins = oracle.mover_wins(free, 0, 1);
            assert_eq!(analysis.winner(), Some(if wins { turn } else { !turn }), "{}", position.setup());
            assert_eq!(analysis.moves.len(), oracle.moves(free, 0).len());
            for judged in &analysis.moves {
                let to = cells.iter().position(|&cell| cell == judged.to.index()).unwrap();
                let wins = !oracle.mover_wins(free & !(1 << to), 1, to);
                let expected = Some(if wins { turn } else { !turn });
                assert_eq!(analysis.winner_by_move(judged), expected, "{} {:?}", position.setup(), judged.to);
                (winning, moves) = (winning + usize::from(wins), moves + 1);
            }
            won += usize::from(wins);
        }
    }
    let all = EACH * boards.len();
    assert!((all / 4..=3 * all / 4).contains(&won), "{won} of {all} positions are won");
    assert!((moves / 5..=4 * moves / 5).contains(&winning), "{winning} of {moves} moves win");
    assert!(moves > 2 * all, "{moves} moves in {all} positions: too little choice");
}
