//! The solver against the naive oracle, and laws that its answers obey.

use std::num::NonZero;
use std::sync::Arc;

use crate::support::generators::any_duel;
use crate::support::naive::{EveryDuel, Recursion};
use isolde::solve::{Opening, Solver, Source, WeakProof, board_mirror, mirror, opening_classes};
use isolde::{
    Board, Cell, Cells, Choice, Control, Duel, Known, Origin, Outcome, Question, Settings, Size, Stopped, Symmetries, Value,
    Word, zobrist,
};
use proptest::prelude::*;

fn settings(threads: usize, memory: u64) -> Settings {
    Settings { threads: NonZero::new(threads).unwrap(), memory }
}

fn size(files: usize, ranks: usize) -> Size {
    Size::new(files, ranks).unwrap()
}

fn duel<W: Word>(free: u64, mover: usize, other: usize) -> Duel<W> {
    Duel { free: Cells::from_word(free).convert(), mover: Cell::new(mover), other: Cell::new(other) }
}

fn compare_every_duel<W: Word>(files: usize, ranks: usize) -> usize {
    let every = EveryDuel::new(files, ranks);
    let solver = Solver::<W>::new(size(files, ranks), settings(2, 64 << 20)).unwrap();
    let duels: Vec<_> = every.duels().collect();
    for part in duels.chunks(1 << 16) {
        let asked: Vec<Duel<W>> = part.iter().map(|&(free, mover, other)| duel(free as u64, mover, other)).collect();
        // The winner is found first and then the distance, so one question checks both.
        let answers = solver.answers(Question::Distance, &asked, &Control::unlimited(), |_, _| {});
        for (&(free, mover, other), answer) in part.iter().zip(answers) {
            let plies = every.plies(free, mover, other);
            let (found, value) = (answer.map(|known| (known.value, known.plies())), Outcome::after(plies).value());
            assert_eq!(found, Ok((value, Some(plies))), "{files}x{ranks}: free {free:b}, mover {mover}, other {other}");
        }
    }
    duels.len()
}

#[test]
fn every_position_of_every_board_up_to_twelve_cells_has_the_oracles_outcome() {
    for size in Size::every().filter(|size| size.cells() <= 12) {
        let compared = compare_every_duel::<u64>(size.files(), size.ranks());
        let cells = size.cells();
        assert_eq!(compared, if cells < 2 { 0 } else { (cells * (cells - 1)) << (cells - 2) });
    }
}

#[test]
fn every_position_of_every_board_from_thirteen_to_sixteen_cells_has_the_oracles_outcome() {
    for size in Size::every().filter(|size| (13..=16).contains(&size.cells())) {
        compare_every_duel::<u64>(size.files(), size.ranks());
    }
}

#[test]
fn boards_on_the_wide_word_have_the_same_outcomes() {
    for (files, ranks) in [(3, 3), (3, 4), (2, 5), (13, 1)] {
        compare_every_duel::<u128>(files, ranks);
    }
}

#[test]
fn every_opening_of_four_by_five_five_by_four_five_by_five_and_three_by_seven_has_the_oracles_winner() {
    for (files, ranks) in [(4, 5), (5, 4), (5, 5), (3, 7)] {
        let size = size(files, ranks);
        let board = Board::<u64>::new(size).unwrap();
        let classes = opening_classes(&board, board.cells(), board.cells());
        let solver = Solver::new(size, settings(2, 64 << 20)).unwrap();
        let mut naive = Recursion::new(files, ranks);
        let mut openings = 0;
        for class in classes {
            let value = solver.value(class.representative().duel(board.cells()), &Control::unlimited()).unwrap();
            // Each member is asked of the oracle: that one answers for all is the program's claim,
            // not the oracle's.
            for opening in class.members {
                let duel = opening.duel(board.cells());
                let wins = naive.mover_wins(duel.free.word(), duel.mover.index(), duel.other.index());
                assert_eq!(value, Value::win_if(wins), "{size}: {opening:?}");
                openings += 1;
            }
        }
        assert_eq!(openings, size.cells() * (size.cells() - 1));
    }
}

/// A duel of a middling board with so few free cells that its outcome is found at once.
fn small_duel<W: Word>() -> impl Strategy<Value = (Board<W>, Duel<W>)> {
    any_duel::<W>().prop_map(|(board, duel)| {
        let free: Cells<W> = duel.free.into_iter().take(24).collect();
        (board, Duel { free, ..duel })
    })
}

fn an_outcome_follows_from_those_of_the_moves<W: Word>(board: &Board<W>, duel: Duel<W>) {
    let solver = Solver::<W>::new(board.size(), settings(1, Settings::LEAST_MEMORY)).unwrap();
    let control = Control::unlimited();
    let outcome = |duel| solver.outcome(duel, &control).unwrap();
    let next: Vec<Outcome> = duel.moves(board).into_iter().map(|to| outcome(duel.play_unchecked(to)).one_ply_before()).collect();
    assert_eq!(outcome(duel), next.into_iter().max().unwrap_or(Outcome::OVER));
    assert_eq!(solver.value(duel, &control), Ok(outcome(duel).value()));
    assert_eq!(outcome(duel.without_dead_cells(board)), outcome(duel), "dead cells do not count");
    let symmetries = Symmetries::new(board);
    for symmetry in symmetries.iter() {
        assert_eq!(outcome(symmetries.duel(symmetry, duel)), outcome(duel), "{symmetry}");
    }
    if mirror(&symmetries, duel.without_dead_cells(board)).is_some() {
        assert_eq!(outcome(duel).value(), Value::Loss);
    }
}

fn distances_step_by_one_along_the_expected_line<W: Word>(board: &Board<W>, duel: Duel<W>) {
    let solver = Solver::<W>::new(board.size(), settings(1, Settings::LEAST_MEMORY)).unwrap();
    let control = Control::unlimited();
    for question in [Question::Winner, Question::Distance] {
        let line = solver.expected_line(question, duel, &control).unwrap();
        let mut at = duel;
        for (played, &to) in line.iter().enumerate() {
            let here = solver.outcome(at, &control).unwrap();
            assert!(at.moves(board).contains(to));
            at = at.play_unchecked(to);
            let next = solver.outcome(at, &control).unwrap();
            assert_eq!(next.value(), !here.value(), "a winner stays one, after {played} plies");
            if question == Question::Distance {
                assert_eq!(next.one_ply_before(), here, "after {played} plies");
            }
        }
        assert!(at.moves(board).is_empty(), "the line goes to the end");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn outcomes_follow_from_those_of_the_moves(small in small_duel::<u64>(), large in small_duel::<u128>()) {
        an_outcome_follows_from_those_of_the_moves(&small.0, small.1);
        an_outcome_follows_from_those_of_the_moves(&large.0, large.1);
    }

    #[test]
    fn expected_lines_keep_their_promise(small in small_duel::<u64>(), large in small_duel::<u128>()) {
        distances_step_by_one_along_the_expected_line(&small.0, small.1);
        distances_step_by_one_along_the_expected_line(&large.0, large.1);
    }
}

/// Openings of a board, every so many of them.
fn some_openings(board: &Board<u64>, every: usize) -> Vec<Duel<u64>> {
    let classes = opening_classes(board, board.cells(), board.cells());
    classes.iter().step_by(every).map(|class| class.representative().duel(board.cells())).collect()
}

#[test]
fn neither_threads_nor_memory_change_an_answer() {
    // Of these boards only the second and the third are large enough to be split among threads.
    for (files, ranks, every) in [(6, 6, 1), (7, 7, 24), (5, 10, 60)] {
        let board = Board::<u64>::new(size(files, ranks)).unwrap();
        let duels = some_openings(&board, every);
        let answers = |threads, memory| {
            let solver = Solver::new(board.size(), settings(threads, memory)).unwrap();
            solver.answers(Question::Winner, &duels, &Control::unlimited(), |_, _| {})
        };
        let expected = answers(1, 256 << 20);
        assert!(expected.iter().all(Result::is_ok));
        for (threads, memory) in [(2, 256 << 20), (4, Settings::LEAST_MEMORY)] {
            assert_eq!(answers(threads, memory), expected, "{threads} threads, {memory} bytes");
        }
    }
}

#[test]
fn one_thread_always_searches_the_same_nodes() {
    let board = Board::<u64>::new(size(7, 7)).unwrap();
    let duels = some_openings(&board, 80);
    let nodes = || {
        let control = Control::unlimited();
        let solver = Solver::new(board.size(), settings(1, 64 << 20)).unwrap();
        (solver.answers(Question::Winner, &duels, &control, |_, _| {}), control.nodes())
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn a_question_that_the_source_answers_costs_nothing() {
    /// The oracle's outcomes of the given share of all duels, in parts of 256.
    struct Oracle {
        every: EveryDuel,
        share: u64,
    }

    impl Source<u64> for Oracle {
        fn look_up(&self, duel: Duel<u64>) -> Option<Known> {
            let plies = self.every.plies(duel.free.word() as usize, duel.mover.index(), duel.other.index());
            (zobrist::hash(duel) % 256 < self.share).then(|| Known::counted(Outcome::after(plies), Origin::Solved))
        }
    }

    let size = size(4, 4);
    let solver = || Solver::<u64>::new(size, settings(2, 64 << 20)).unwrap();
    let informed = |share| solver().with_source(Arc::new(Oracle { every: EveryDuel::new(4, 4), share }));
    let (solver, partly, wholly) = (solver(), informed(100), informed(256));
    let control = Control::unlimited();
    for opening in some_openings(solver.board(), 1) {
        for question in [Question::Winner, Question::Distance] {
            let ask = |solver: &Solver<u64>| {
                let known = solver.answer(question, opening, &control).unwrap();
                // A source may know the plies without being asked.
                let plies = known.plies().filter(|_| question == Question::Distance);
                (known.value, plies, solver.expected_line(question, opening, &control))
            };
            let answers = ask(&solver);
            let before = control.nodes();
            assert_eq!(ask(&wholly), answers);
            assert_eq!(control.nodes(), before);
            assert_eq!(ask(&partly), answers);
        }
    }
}

/// A source that knows one duel.
struct One(Duel<u64>, Value);

impl Source<u64> for One {
    fn look_up(&self, canonical: Duel<u64>) -> Option<Known> {
        (canonical == self.0).then(|| Known::winner(self.1, Origin::Solved))
    }
}

/// A move that is known to win ends a turn at once, wherever it stands in the order; and a position
/// that is known to be lost needs no choice.
#[test]
fn what_is_known_of_the_moves_saves_the_search() {
    let board = Board::<u64>::new(size(7, 7)).unwrap();
    let symmetries = Symmetries::new(&board);
    let opening = Opening { first: Cell::new(24), second: Cell::new(8) }.duel(board.cells());
    let canonical = |duel| symmetries.canonical(&board, duel).duel;
    let solver = || Solver::new(board.size(), settings(1, 64 << 20)).unwrap();
    let after: Vec<_> = opening.moves(&board).into_iter().map(|to| canonical(opening.play_unchecked(to))).collect();
    let usual = solver();
    let lost: Vec<_> = after.iter().filter(|&&duel| usual.value(duel, &Control::unlimited()) == Ok(Value::Loss)).collect();
    assert!(lost.len() > 1, "the first in order is only one of them");
    for &&duel in &lost {
        let informed = solver().with_source(Arc::new(One(duel, Value::Loss)));
        let control = Control::unlimited();
        assert_eq!(informed.value(opening, &control), Ok(Value::Win));
        assert_eq!(control.nodes(), 1, "{duel:?}");
        assert_eq!(informed.choice(duel, &control), Ok(Choice::Loss));
        assert_eq!(control.nodes(), 1, "{duel:?}");
    }
}

#[test]
fn a_stopped_search_says_so_and_can_be_asked_again() {
    let board = Board::<u64>::new(size(7, 7)).unwrap();
    let duel = Opening { first: Cell::new(24), second: Cell::new(25) }.duel(board.cells());
    let solver = Solver::new(board.size(), settings(2, 64 << 20)).unwrap();
    let stopped = Control::unlimited();
    stopped.stop();
    assert_eq!(solver.value(duel, &stopped), Err(Stopped));
    assert_eq!(solver.outcome(duel, &stopped), Err(Stopped));
    // Cut short again and again, what has been remembered by then must still be true.
    let mut limit = std::time::Duration::from_micros(50);
    let answer = loop {
        match solver.value(duel, &Control::with_time(Some(limit))) {
            Ok(value) => break value,
            Err(Stopped) => limit *= 2,
        }
    };
    let fresh = Solver::new(board.size(), settings(1, 256 << 20)).unwrap();
    assert_eq!(Ok(answer), fresh.value(duel, &Control::unlimited()));
}

#[test]
fn a_board_is_won_weakly_by_whoever_wins_it() {
    for (files, ranks) in [(3, 3), (3, 5), (4, 4), (4, 5), (5, 5), (3, 7)] {
        let board = Board::<u64>::new(size(files, ranks)).unwrap();
        let solver = Solver::new(board.size(), settings(2, 64 << 20)).unwrap();
        let value = |first, second| solver.value(Opening { first, second }.duel(board.cells()), &Control::unlimited());
        for first in board.cells() {
            let won: Cells<u64> =
                board.cells().without(first).into_iter().filter(|&s| value(first, s) == Ok(Value::Loss)).collect();
            match solver.weak(board.cells(), first, &Control::unlimited()).unwrap() {
                WeakProof::First => assert!(won.is_empty()),
                WeakProof::Second(reply) => assert!(won.contains(reply.cell)),
            }
        }
        let even = files % 2 == 0 || ranks % 2 == 0;
        assert_eq!(board_mirror(&Symmetries::new(&board), board.cells()).is_some(), even);
    }
}

/// The search for a longest walk looks at its control, however large the region.
#[test]
fn a_search_for_a_longest_walk_can_be_stopped() {
    let size = Size::new(16, 8).unwrap();
    let solver = Solver::<u128>::new(size, settings(1, 64 << 20)).unwrap();
    let (mut stopped, mut seed) = (0, 7_u64);
    for _ in 0..200 {
        let mut is_free = |cell: &Cell| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let is_wall = [7, 8].contains(&size.file(*cell));
            !is_wall && (seed >> 33) % 100 >= 20
        };
        let [mover, other] = [(3, 4), (12, 4)].map(|(file, rank)| size.cell(file, rank).unwrap());
        let free: Cells<u128> = solver.board().cells().into_iter().filter(&mut is_free).collect();
        let duel = Duel { free: free.without(mover).without(other), mover, other };
        let nothing = Control::unlimited();
        nothing.stop();
        match solver.at_hand(duel, &nothing) {
            Err(Stopped) => stopped += 1,
            // The bounds decided it.
            Ok(known) => assert_eq!(known.map(|known| known.origin), Some(Origin::Separated)),
        }
    }
    assert!(stopped > 3, "{stopped} walks were searched: that is no test");
}
