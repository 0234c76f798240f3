//! The rules at work: lines counted, sets expanded, canonical forms found. Each bench asserts its answer.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use isolde::{Board, Cells, Duel, Position, Size, Symmetries, Word, notation, perft};

fn main() {
    divan::main();
}

fn position<W: Word>(text: &str) -> Position<W> {
    Position::new(notation::parse(text).expect("the benches' texts are right")).expect("and fit the word")
}

/// Lines of play: move generation at its plainest.
#[divan::bench(args = [("7x7: d4 e4", 9, 723_456), ("8x8: d4 e5", 9, 2_123_618)])]
fn perft_small(bencher: Bencher<'_, '_>, (start, depth, expected): (&str, usize, u64)) {
    let start = position::<u64>(start);
    let total: u64 = perft(&start, depth).iter().sum();
    bencher.counter(ItemsCount::new(total)).bench(|| {
        let lines = perft(black_box(&start), depth);
        assert_eq!(lines[depth - 1], expected);
    });
}

/// The same on the wide word.
#[divan::bench]
fn perft_large(bencher: Bencher<'_, '_>) {
    let start = position::<u128>("7x7: d4 e4");
    let total: u64 = perft(&start, 9).iter().sum();
    bencher.counter(ItemsCount::new(total)).bench(|| assert_eq!(perft(black_box(&start), 9)[8], 723_456));
}

/// One knight move by a whole set.
#[divan::bench]
fn expand(bencher: Bencher<'_, '_>) {
    let board = Board::<u64>::new(Size::new(7, 7).expect("7x7 is a board"));
    let corner = Cells::only(board.size().cell(0, 0).expect("a1 is on it"));
    bencher.bench(|| {
        let two_moves_away = board.expand(board.expand(black_box(corner)));
        assert_eq!(two_moves_away.len(), 10);
    });
}

/// The duels after some plies of 7x7, to be brought into canonical form.
fn midgames() -> (Board<u64>, Vec<Duel<u64>>) {
    let start = position::<u64>("7x7: d4 e4 f5 c5 e7 d7");
    let mut positions = vec![start.clone()];
    for _ in 0..3 {
        positions = positions.iter().flat_map(|p| p.legal_moves().into_iter().map(|to| p.play_unchecked(to))).collect();
    }
    (Board::clone(start.board()), positions.iter().filter_map(Position::duel).collect())
}

/// Dead cells cleared and the least of eight images.
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
