//! The search at work. Each bench asserts its answers.

use divan::{Bencher, black_box};
use isolde::{Control, Duel, Position, Question, Settings, Solver, Value, Word, notation, opening_classes};

fn main() {
    divan::main();
}

fn position<W: Word>(text: &str) -> Position<W> {
    Position::new(notation::parse(text).expect("the benches' texts are right")).expect("and fit the word")
}

/// How many of these duels the mover wins, found by a fresh solver with one thread.
fn won<W: Word>(start: &Position<W>, duels: &[Duel<W>]) -> usize {
    let solver =
        Solver::new(start.size(), Settings { memory: 64 << 20, ..Settings::default() }).expect("the machine is large enough");
    let answers = solver.answers(Question::Winner, black_box(duels), &Control::unlimited(), |_, _| {});
    answers.iter().filter(|answer| answer.is_ok_and(|answer| answer.value == Value::Win)).count()
}

/// One opening of each class.
fn openings(start: &Position<u64>) -> Vec<Duel<u64>> {
    let classes = opening_classes(start.board(), start.free(), start.free());
    classes.iter().map(|class| class.representative().duel(start.free())).collect()
}

#[divan::bench(sample_count = 10)]
fn all_openings_of_6x6(bencher: Bencher<'_, '_>) {
    let start = position::<u64>("6x6");
    let duels = openings(&start);
    bencher.bench(|| assert_eq!(won(&start, &duels), 78));
}

#[divan::bench(sample_count = 10)]
fn one_opening_of_7x7(bencher: Bencher<'_, '_>) {
    let start = position::<u64>("7x7: b2 d5");
    let duels: Vec<_> = start.duel().into_iter().collect();
    bencher.bench(|| assert_eq!(won(&start, &duels), 0));
}

/// All positions three plies after a quiet beginning.
#[divan::bench(sample_count = 10)]
fn midgames_of_7x7(bencher: Bencher<'_, '_>) {
    let start = position::<u64>("7x7: d4 e4 f5 c5 e7 d7 g6 b6");
    let after = |positions: Vec<Position<u64>>| -> Vec<Position<u64>> {
        positions.iter().flat_map(|p| p.legal_moves().into_iter().map(|to| p.play_unchecked(to))).collect()
    };
    let duels: Vec<_> = after(after(after(vec![start.clone()]))).iter().filter_map(Position::duel).collect();
    bencher.bench(|| assert_eq!(won(&start, &duels), 31));
}

#[divan::bench(sample_count = 10)]
fn endgame_of_11x9(bencher: Bencher<'_, '_>) {
    let start = position::<u128>(
        "11x9: a8 b3 c9 c1 b7 a2 a9 b4 c8 c2 e9 a3 g8 b1 e7 d2 f9 f1 d8 h2 b9 j1 a7 k3 c6 i2 a5 k1 c4 j3 b2 i1 d1 k2 e3 j4 g2 k6 \
         i3 j8 h1 h9 j2 i7 k4 k8 j6 i9 i4 h7 k5 i5",
    );
    let duels: Vec<_> = start.duel().into_iter().collect();
    bencher.bench(|| assert_eq!(won(&start, &duels), 1));
}

/// Outcomes with distance.
#[divan::bench(sample_count = 10)]
fn distances_of_4x5(bencher: Bencher<'_, '_>) {
    let start = position::<u64>("4x5");
    let duels = openings(&start);
    bencher.bench(|| {
        let solver =
            Solver::new(start.size(), Settings { memory: 64 << 20, ..Settings::default() }).expect("the machine is large enough");
        let answers = solver.answers(Question::Distance, black_box(&duels), &Control::unlimited(), |_, _| {});
        let longest = answers.iter().filter_map(|answer| answer.ok()?.plies).max();
        assert_eq!(longest, Some(18));
    });
}
