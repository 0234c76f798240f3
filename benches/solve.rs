//! The solver. Each benchmark asserts its answers.

use divan::{Bencher, black_box};
use isolde::solve::{Solver, opening_classes};
use isolde::{Board, Control, Duel, Position, Question, Settings, Value, Word};

fn main() {
    divan::main();
}

fn position(text: &str) -> Position {
    text.parse().expect("the position is legal")
}

/// How many of these duels the mover wins, according to a new solver with one thread.
fn won<W: Word>(start: &Position, duels: &[Duel<W>]) -> usize {
    let solver = Solver::new(start.size(), Settings { memory: 64 << 20, ..Settings::default() })
        .expect("64 MiB and one thread are available");
    let answers = solver.answers(Question::Winner, black_box(duels), &Control::unlimited(), |_, _| {});
    answers.iter().filter(|answer| answer.as_ref().is_ok_and(|answer| answer.value == Value::Win)).count()
}

/// One opening of each class.
fn openings(start: &Position) -> Vec<Duel<u64>> {
    let (board, free) = (Board::new(start.size()).expect("small boards fit"), start.free().convert());
    opening_classes(&board, free, free).iter().map(|class| class.representative().duel(free)).collect()
}

#[divan::bench(sample_count = 10)]
fn all_openings_of_6x6(bencher: Bencher<'_, '_>) {
    let start = position("6x6");
    let duels = openings(&start);
    bencher.bench(|| assert_eq!(won(&start, &duels), 78));
}

#[divan::bench(sample_count = 10)]
fn one_opening_of_7x7(bencher: Bencher<'_, '_>) {
    let start = position("7x7: b2 d5");
    let duels: Vec<Duel<u64>> = start.duel().into_iter().collect();
    bencher.bench(|| assert_eq!(won(&start, &duels), 0));
}

/// All positions three plies after a quiet start.
#[divan::bench(sample_count = 10)]
fn midgames_of_7x7(bencher: Bencher<'_, '_>) {
    let start = position("7x7: d4 e4 f5 c5 e7 d7 g6 b6");
    let after = |positions: Vec<Position>| -> Vec<Position> {
        positions.iter().flat_map(|p| p.legal_moves().into_iter().map(|to| p.play_unchecked(to))).collect()
    };
    let duels: Vec<Duel<u64>> = after(after(after(vec![start.clone()]))).iter().filter_map(Position::duel).collect();
    bencher.bench(|| assert_eq!(won(&start, &duels), 31));
}

#[divan::bench(sample_count = 10)]
fn endgame_of_11x9(bencher: Bencher<'_, '_>) {
    let start = position(
        "11x9: a8 b3 c9 c1 b7 a2 a9 b4 c8 c2 e9 a3 g8 b1 e7 d2 f9 f1 d8 h2 b9 j1 a7 k3 c6 i2 a5 k1 c4 j3 b2 i1 d1 k2 e3 j4 g2 k6 \
         i3 j8 h1 h9 j2 i7 k4 k8 j6 i9 i4 h7 k5 i5",
    );
    let duels: Vec<Duel<u128>> = start.duel().into_iter().collect();
    bencher.bench(|| assert_eq!(won(&start, &duels), 1));
}

/// Outcomes with distance.
#[divan::bench(sample_count = 10)]
fn distances_of_4x5(bencher: Bencher<'_, '_>) {
    let start = position("4x5");
    let duels = openings(&start);
    bencher.bench(|| {
        let solver = Solver::new(start.size(), Settings { memory: 64 << 20, ..Settings::default() })
            .expect("64 MiB and one thread are available");
        let answers = solver.answers(Question::Distance, black_box(&duels), &Control::unlimited(), |_, _| {});
        let longest = answers.iter().filter_map(|answer| answer.as_ref().ok()?.plies()).max();
        assert_eq!(longest, Some(18));
    });
}
