//! The rules: counting lines, expanding sets, finding
//! canonical forms. Each benchmark asserts its answer.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use isolde::{Board, Cells, Duel, Position, Size, Symmetries, perft};

fn main() {
    divan::main();
}

fn position(text: &str) -> Position {
    text.parse().expect("the position is legal")
}

/// Counts lines of play: pure move generation.
#[divan::bench(args = [("7x7: d4 e4", 9, 723_456), ("8x8: d4 e5", 9, 2_123_618)])]
fn perft_small(bencher: Bencher<'_, '_>, (start, depth, expected): (&str, usize, u64)) {
    let start = position(start);
    let total: u64 = perft(&start, depth).iter().sum();
    bencher.counter(ItemsCount::new(total)).bench(|| {
        let lines = perft(black_box(&start), depth);
        assert_eq!(lines[depth - 1], expected);
    });
}

/// Lines of eight plies on 11x9.
const LARGE_DEPTH: usize = 8;
const EXPECTED: u64 = 1_790_292;

/// The same on a board that needs 128-bit words.
#[divan::bench]
fn perft_large(bencher: Bencher<'_, '_>) {
    let start = position("11x9: f5 g5");
    let total: u64 = perft(&start, LARGE_DEPTH).iter().sum();
    bencher.counter(ItemsCount::new(total)).bench(|| assert_eq!(perft(black_box(&start), LARGE_DEPTH).last(), Some(&EXPECTED)));
}

/// Moves a whole set of knights at once.
#[divan::bench]
fn expand(bencher: Bencher<'_, '_>) {
    let board = Board::<u64>::new(Size::new(7, 7).expect("7x7 is a valid size")).unwrap();
    let corner = Cells::only(board.size().cell(0, 0).expect("a1 is on the board"));
    bencher.bench(|| {
        let two_moves_away = board.expand(board.expand(black_box(corner)));
        assert_eq!(two_moves_away.len(), 10);
    });
}

/// Duels from the middle of a 7x7 game, a few plies after a fixed line.
fn midgames() -> (Board<u64>, Vec<Duel<u64>>) {
    let start = position("7x7: d4 e4 f5 c5 e7 d7");
    let mut positions = vec![start.clone()];
    for _ in 0..3 {
        positions = positions.iter().flat_map(|p| p.legal_moves().into_iter().map(|to| p.play_unchecked(to))).collect();
    }
    (Board::new(start.size()).expect("7x7 fits"), positions.iter().filter_map(Position::duel).collect())
}

/// Clears dead cells and finds the least of eight images.
#[divan::bench]
fn canonical(bencher: Bencher<'_, '_>) {
    let (board, duels) = midgames();
    let symmetries = Symmetries::new(&board);
    bencher.counter(ItemsCount::new(duels.len())).bench(|| {
        for &duel in &duels {
            let canonical = symmetries.canonical(&board, black_box(duel));
            assert!(canonical.duel <= duel);
        }
    });
}
