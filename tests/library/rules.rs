//! The rules: against the naive oracle on every position of every small board, and the edge cases
//! by name.

use crate::support::generators::{at, cell, game, position};
use crate::support::oracle::{At, Game, for_every_position};
use isolde::{Board, Cells, IllegalMove, Part, Player, Position, Setup, SetupError, Size, Word, perft};

fn empty(files: usize, ranks: usize) -> Position {
    Position::empty(Size::new(files, ranks).unwrap())
}

fn play(start: &Position, moves: &[At]) -> Position {
    moves.iter().fold(start.clone(), |position, &to| position.play(cell(position.size(), to)).unwrap())
}

/// Everything the rules say of one position, in the oracle's words and in the program's.
fn assert_same_rules<W: Word>(naive: &Game) {
    let position = position(naive);
    let size = position.size();
    let coordinates = |cells: Cells<u128>| cells.into_iter().map(|cell| at(size, cell)).collect::<Vec<At>>();
    let moves = naive.moves();
    assert_eq!(coordinates(position.legal_moves()), moves, "{naive:?}");
    assert_eq!(position.winner(), naive.winner().map(|winner| Player::BOTH[winner]), "{naive:?}");
    for to in naive.cells() {
        let verdict = position.check(cell(size, to));
        assert_eq!(verdict.is_ok(), moves.contains(&to), "{naive:?} {to:?}");
        match position.play(cell(size, to)) {
            Ok(next) => assert_eq!(game(&next), naive.after(to), "{naive:?} {to:?}"),
            Err(fault) => assert_eq!(verdict, Err(fault), "{naive:?} {to:?}"),
        }
    }
    if let ([Some(first), Some(second)], Some(duel)) = (naive.knights, position.duel::<W>()) {
        let board = Board::<W>::new(size).unwrap();
        let standing = [first, second];
        let (mover, other) = (naive.region(standing[naive.turn]), naive.region(standing[1 - naive.turn]));
        let (mover_region, other_region) = duel.regions(&board);
        assert_eq!(coordinates(mover_region.convert()), mover, "{naive:?}");
        assert_eq!(coordinates(other_region.convert()), other, "{naive:?}");
        let live = duel.live(&board);
        let dead = |at: &At| naive.is_free(*at) && !mover.contains(at) && !other.contains(at);
        assert!(naive.cells().iter().all(|at| live.contains(cell(size, *at)) == (naive.is_free(*at) && !dead(at))));
        // The hunter is whoever can now, or at its own turn, step onto a cell of the colour that
        // the opponent's next step has.
        let one_colour = (first.0 + first.1 + second.0 + second.1) % 2 == 0;
        let hunter = if one_colour { naive.turn } else { 1 - naive.turn };
        assert_eq!(position.part(Player::BOTH[hunter]), Some(Part::Hunter), "{naive:?}");
        assert_eq!(position.part(Player::BOTH[1 - hunter]), Some(Part::Prey), "{naive:?}");
    } else {
        assert_eq!(position.duel::<W>(), None, "{naive:?}");
    }
}

#[test]
fn the_oracle_agrees_on_every_position_of_every_board_up_to_twelve_cells() {
    let mut positions = 0_u64;
    for size in Size::every().filter(|size| size.cells() <= 12) {
        for_every_position(size.files() as i32, size.ranks() as i32, |naive| {
            assert_same_rules::<u64>(naive);
            if naive.knights[1].is_some() && size.cells() <= 9 {
                assert_same_rules::<u128>(naive);
            }
            positions += 1;
        });
    }
    // Both knights on n cells, any of the others blocked, either to move: n (n - 1) 2^(n - 2) 2;
    // one knight: n 2^(n - 1); none: 2^n.
    let count = |n: u64| n * (n - 1) * (1 << n) / 2 + n * (1 << (n - 1)) + (1 << n);
    let expected: u64 = Size::every().map(|size| size.cells() as u64).filter(|&n| n <= 12).map(count).sum();
    assert_eq!(positions, expected);
}

#[test]
fn the_oracle_counts_the_same_lines() {
    for (files, ranks, depth) in [(1, 1, 3), (2, 2, 4), (3, 3, 9), (4, 3, 7), (3, 4, 7), (5, 4, 5), (13, 9, 2)] {
        let naive = Game::empty(files, ranks);
        let lines: Vec<u64> = (1..=depth).map(|length| naive.lines(length)).collect();
        assert_eq!(perft(&position(&naive), depth), lines, "{files}x{ranks}");
    }
}

#[test]
fn on_a_single_cell_the_second_player_cannot_place_and_has_lost() {
    let start = empty(1, 1);
    assert_eq!((start.winner(), start.turn()), (None, Player::First));
    let placed = play(&start, &[(0, 0)]);
    assert_eq!(placed.turn(), Player::Second);
    assert_eq!(placed.winner(), Some(Player::First));
    assert_eq!(placed.play(cell(placed.size(), (0, 0))), Err(IllegalMove::Occupied));
}

#[test]
fn where_no_knight_can_move_the_first_player_loses_after_the_placements() {
    for (files, ranks) in [(2, 1), (1, 16), (16, 1), (2, 2)] {
        let start = empty(files, ranks);
        for first in start.legal_moves() {
            let answered = start.play(first).unwrap();
            for second in answered.legal_moves() {
                assert_eq!(answered.play(second).unwrap().winner(), Some(Player::Second));
            }
        }
    }
}

#[test]
fn a_knight_on_the_centre_of_three_by_three_never_moves() {
    let stuck = play(&empty(3, 3), &[(1, 1), (0, 0)]);
    assert_eq!(stuck.winner(), Some(Player::Second), "first is to move and cannot");
    let waits = play(&empty(3, 3), &[(0, 0), (1, 1)]);
    assert_eq!(waits.winner(), None, "first can move, so the game goes on");
    assert_eq!(play(&waits, &[(1, 2)]).winner(), Some(Player::First), "and then second cannot");
}

#[test]
fn the_mover_without_a_move_has_lost_whether_or_not_the_other_could_move() {
    let other_moves = play(&empty(3, 3), &[(1, 1), (0, 0)]);
    assert!(!other_moves.duel::<u128>().unwrap().moves_of_other(other_moves.board()).is_empty());
    assert_eq!(other_moves.winner(), Some(Player::Second));
    let neither_moves = play(&empty(2, 2), &[(0, 0), (1, 1)]);
    assert!(neither_moves.duel::<u128>().unwrap().moves_of_other(neither_moves.board()).is_empty());
    assert_eq!(neither_moves.winner(), Some(Player::Second));
}

#[test]
fn placement_cells_are_blocked_once_left() {
    let position = play(&empty(5, 5), &[(0, 0), (4, 4), (1, 2), (3, 2)]);
    for left in [(0, 0), (4, 4)] {
        assert_eq!(position.check(cell(position.size(), left)), Err(IllegalMove::Occupied));
    }
    assert_eq!(position.free().len(), 21);
}

#[test]
fn faults_are_told_apart() {
    let position = play(&empty(4, 4), &[(0, 0), (1, 2)]);
    let size = Size::new(5, 5).unwrap();
    assert_eq!(position.check(cell(size, (4, 4))), Err(IllegalMove::OffBoard));
    assert_eq!(position.check(cell(position.size(), (1, 2))), Err(IllegalMove::Occupied));
    assert_eq!(position.check(cell(position.size(), (3, 3))), Err(IllegalMove::NotAKnightsMove));
    assert_eq!(position.check(cell(position.size(), (2, 1))), Ok(()));
}

#[test]
fn only_legal_setups_become_positions() {
    let size = Size::new(3, 3).unwrap();
    let cell = |index| Some(isolde::Cell::new(index));
    let setup = Setup { size, blocked: Cells::EMPTY, knights: [cell(0), cell(1)], turn: Player::First };
    let fault = |setup| Position::new(setup).map(|position| position.setup());
    assert_eq!(fault(setup), Ok(setup));
    let off = Cells::only(isolde::Cell::new(9));
    assert_eq!(fault(Setup { blocked: off, ..setup }), Err(SetupError::OffBoard));
    assert_eq!(fault(Setup { knights: [cell(0), cell(9)], ..setup }), Err(SetupError::OffBoard));
    let under = Cells::only(isolde::Cell::new(1));
    assert_eq!(fault(Setup { blocked: under, ..setup }), Err(SetupError::KnightOnBlocked(Player::Second)));
    assert_eq!(fault(Setup { knights: [cell(4), cell(4)], ..setup }), Err(SetupError::KnightsTogether));
    assert_eq!(fault(Setup { knights: [None, cell(4)], ..setup }), Err(SetupError::FirstNotPlaced));
    assert_eq!(fault(Setup { knights: [cell(4), None], ..setup }), Err(SetupError::WrongTurn(Player::First)));
    let second_first = Setup { knights: [None, None], turn: Player::Second, ..setup };
    assert_eq!(fault(second_first), Err(SetupError::WrongTurn(Player::Second)));
}

#[test]
fn every_size_up_to_the_limits_is_a_board_and_no_other() {
    for files in 0..40_usize {
        for ranks in 0..40 {
            let allowed = (1..=16).contains(&files) && (1..=16).contains(&ranks) && files * ranks <= 128;
            assert_eq!(Size::new(files, ranks).is_ok(), allowed, "{files}x{ranks}");
        }
    }
    assert!(Size::every().all(|size| size.fits::<u128>() && size.fits::<u64>() == (size.cells() <= 64)));
}
