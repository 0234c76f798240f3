//! Lookahead: formulas, move orderings, and two ways
//! to make a move. Each benchmark asserts its answer.

use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use isolde::play::heuristics::Heuristic;
use isolde::play::{Lookahead, Ordering, Style};
use isolde::{Board, Cell, Control, Duel, Position, lines_by_copying, lines_by_taking_back};

fn main() {
    divan::main();
}

fn start() -> (Arc<Board<u64>>, Duel<u64>) {
    let position: Position = "7x7: d4 b2".parse().expect("the position is legal");
    let board = Board::new(position.size()).expect("7x7 fits");
    (Arc::new(board), position.duel().expect("both knights are placed"))
}

const DEPTH: u32 = 9;

/// Searches to a fixed depth. The throughput is in nodes.
fn look(bencher: Bencher<'_, '_>, style: Style) {
    let (board, duel) = start();
    let moves: Vec<Cell> = duel.moves(&board).into_iter().collect();
    let search = || {
        let mut search = Lookahead::new(&board, style, 4 << 20);
        let found = search.best_in_duel(black_box(duel), &moves, DEPTH, &Control::unlimited());
        (found.map(|found| found.score), search.nodes())
    };
    // Whatever the ordering, the score must be that of the simplest search.
    let plain = Style { ordering: Ordering::AsTheyCome, keeps_results: false, scouts: false, ..style };
    let mut plainly = Lookahead::new(&board, plain, 0);
    let expected = plainly.best_in_duel(duel, &moves, DEPTH, &Control::unlimited()).map(|found| found.score);
    bencher.counter(ItemsCount::new(search().1)).bench(|| assert_eq!(search().0, expected));
}

#[divan::bench(args = [Heuristic::Improved, Heuristic::NextMoves, Heuristic::Bfs, Heuristic::Room], sample_count = 20)]
fn formula(bencher: Bencher<'_, '_>, heuristic: Heuristic) {
    look(bencher, Style::usual(heuristic));
}

#[divan::bench(
    args = [Ordering::AsTheyCome, Ordering::ByLastScores, Ordering::LastBestFirst, Ordering::Promising],
    sample_count = 20
)]
fn ordering(bencher: Bencher<'_, '_>, ordering: Ordering) {
    look(bencher, Style { ordering, ..Style::usual(Heuristic::NextMoves) });
}

const PLIES: u32 = 9;

#[divan::bench]
fn moves_copied(bencher: Bencher<'_, '_>) {
    let (board, duel) = start();
    let lines = lines_by_taking_back(&board, duel, PLIES);
    bencher
        .counter(ItemsCount::new(lines))
        .bench(|| assert_eq!(lines_by_copying(black_box(&board), black_box(duel), PLIES), lines));
}

#[divan::bench]
fn moves_taken_back(bencher: Bencher<'_, '_>) {
    let (board, duel) = start();
    let lines = lines_by_copying(&board, duel, PLIES);
    bencher
        .counter(ItemsCount::new(lines))
        .bench(|| assert_eq!(lines_by_taking_back(black_box(&board), black_box(duel), PLIES), lines));
}
