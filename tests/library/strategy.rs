//! Strategies against the naive oracle, and the strategy log.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::naive::Recursion;
use isolde::solve::{
    Solver, StrategyError, StrategyLimits, StrategyLog, StrategyLogError, default_depth, mirror, opening_classes,
};
use isolde::{Board, Choice, Control, Duel, Settings, Size, Symmetries, Value};

type Entries = Vec<(Duel<u64>, Choice)>;

const MEMORY: u64 = 1 << 30;

fn solver(board: &Board<u64>, threads: usize) -> Solver<u64> {
    let settings = Settings { threads: NonZero::new(threads).unwrap(), memory: Settings::LEAST_MEMORY };
    Solver::new(board.size(), settings).unwrap()
}

fn board(files: usize, ranks: usize) -> Board<u64> {
    Board::new(Size::new(files, ranks).unwrap()).unwrap()
}

fn openings(board: &Board<u64>) -> Vec<Duel<u64>> {
    let classes = opening_classes(board, board.cells(), board.cells());
    classes.iter().map(|class| class.representative().duel(board.cells())).collect()
}

fn strategy(solver: &Solver<u64>, depth: usize, log: Option<StrategyLog<u64>>) -> Entries {
    let limits = StrategyLimits { depth, memory: MEMORY };
    solver.strategy(&openings(solver.board()), limits, log, &Control::unlimited(), |_| {}).unwrap()
}

/// The duels that a strategy needs, found by following its own choices from the openings.
fn needed(board: &Board<u64>, depth: usize, choices: &BTreeMap<Duel<u64>, Choice>) -> BTreeSet<Duel<u64>> {
    let symmetries = Symmetries::new(board);
    let canonical = |duel| symmetries.canonical(board, duel).duel;
    let mut waiting: Vec<Duel<u64>> = openings(board).into_iter().map(canonical).collect();
    let mut needed = BTreeSet::new();
    while let Some(duel) = waiting.pop() {
        if !needed.insert(duel) {
            continue;
        }
        let losers_turn = match choices.get(&duel).unwrap_or_else(|| panic!("{}: {duel:?} is missing", board.size())) {
            Choice::Loss => duel,
            Choice::Win(to) => duel.play_unchecked(*to).without_dead_cells(board),
        };
        if mirror(&symmetries, losers_turn).is_none() {
            let next = losers_turn.moves(board).into_iter().map(|to| canonical(losers_turn.play_unchecked(to)));
            waiting.extend(next.filter(|next| next.free.len() > depth));
        }
    }
    needed
}

#[test]
fn strategies_of_all_small_boards_are_true_closed_and_no_larger_than_they_must_be() {
    for size in Size::every().filter(|size| size.cells() <= 20) {
        let board = Board::<u64>::new(size).unwrap();
        let solver = solver(&board, 2);
        let mut oracle = Recursion::new(size.files(), size.ranks());
        let mut wins = |duel: Duel<u64>| oracle.mover_wins(duel.free.word(), duel.mover.index(), duel.other.index());
        for depth in [0, 5, 12] {
            let entries = strategy(&solver, depth, None);
            assert!(entries.is_sorted_by(|a, b| a.0 < b.0));
            for &(duel, choice) in &entries {
                assert_eq!(choice.value(), Value::win_if(wins(duel)), "{size}: {duel:?}");
                if let Choice::Win(to) = choice {
                    assert!(duel.moves(&board).contains(to) && !wins(duel.play_unchecked(to)), "{size}: {duel:?} {to:?}");
                }
            }
            let choices = entries.into_iter().collect();
            assert!(needed(&board, depth, &choices).iter().eq(choices.keys()), "{size}, depth {depth}");
        }
    }
}

#[test]
fn choices_lead_to_mirrors_and_turn_with_the_board() {
    let board = board(5, 5);
    let symmetries = Symmetries::new(&board);
    let solver = solver(&board, 1);
    for (duel, choice) in strategy(&solver, 15, None) {
        for symmetry in symmetries.iter() {
            let asked = solver.choice(symmetries.duel(symmetry, duel), &Control::unlimited()).unwrap();
            let Choice::Win(to) = asked else {
                assert_eq!(choice, Choice::Loss);
                continue;
            };
            let after = symmetries.duel(symmetry, duel).play_unchecked(to);
            let expected = match choice {
                Choice::Loss => panic!("{duel:?} is lost and its image won"),
                Choice::Win(to) => duel.play_unchecked(to),
            };
            assert_eq!(symmetries.canonical(&board, after).duel, symmetries.canonical(&board, expected).duel);
        }
        let by_mirror = |to| mirror(&symmetries, duel.play_unchecked(to).without_dead_cells(&board)).is_some();
        if let Some(first) = duel.moves(&board).into_iter().find(|&to| by_mirror(to)) {
            assert_eq!(choice, Choice::Win(first));
        }
    }
}

/// A move to be tried first is chosen if it wins, and changes nothing if it does not. It is meant
/// for all images of its position.
#[test]
fn a_move_that_is_tried_first_is_chosen_if_it_wins() {
    let board = board(4, 5);
    let symmetries = Symmetries::new(&board);
    let mut oracle = Recursion::new(4, 5);
    let (mut chosen, mut passed_over) = (0, 0);
    for duel in openings(&board) {
        let usual = solver(&board, 1).choice(duel, &Control::unlimited()).unwrap();
        let by_mirror = |to| mirror(&symmetries, duel.play_unchecked(to).without_dead_cells(&board)).is_some();
        for to in duel.moves(&board) {
            let after = duel.play_unchecked(to);
            let wins = !oracle.mover_wins(after.free.word(), after.mover.index(), after.other.index());
            let expected = match usual {
                Choice::Win(move_to) if by_mirror(move_to) => usual,
                _ if wins => Choice::Win(to),
                _ => usual,
            };
            let image = symmetries.iter().last().unwrap();
            let tried = (symmetries.duel(image, duel), symmetries.cell(image, to));
            let solver = solver(&board, 1).with_first_tries([tried]);
            // A symmetric position has several moves with the same image.
            let next = |choice| match choice {
                Choice::Win(to) => Some(symmetries.canonical(&board, duel.play_unchecked(to)).duel),
                Choice::Loss => None,
            };
            let found = solver.choice(duel, &Control::unlimited()).unwrap();
            assert_eq!(next(found), next(expected), "{duel:?} {to:?}");
            chosen += usize::from(expected != usual);
            passed_over += usize::from(!wins);
        }
    }
    assert!(chosen > 50 && passed_over > 50, "{chosen} {passed_over}");
}

#[test]
fn neither_threads_nor_depth_change_a_choice() {
    // The third is large enough to be split among threads.
    for (files, ranks, depth) in [(5, 6, 20), (6, 6, 28), (5, 10, 48)] {
        let board = board(files, ranks);
        let openings: Vec<_> = openings(&board).into_iter().step_by(if files * ranks > 40 { 90 } else { 1 }).collect();
        let of = |threads, depth| {
            let limits = StrategyLimits { depth, memory: MEMORY };
            solver(&board, threads).strategy(&openings, limits, None, &Control::unlimited(), |_| {}).unwrap()
        };
        let expected = of(1, depth);
        assert!(expected.len() >= openings.len());
        assert_eq!(of(2, depth), expected);
        assert_eq!(of(3, depth), expected);
        let deeper: BTreeMap<_, _> = of(2, depth - 2).into_iter().collect();
        assert!(expected.iter().all(|(duel, choice)| deeper.get(duel) == Some(choice)));
        let openings_only = of(1, default_depth(board.size()).max(files * ranks));
        assert_eq!(openings_only.len(), openings.len(), "every opening, whatever the depth");
    }
}

fn open(path: &Path, board: &Board<u64>) -> StrategyLog<u64> {
    StrategyLog::open(path, board).unwrap()
}

/// Some systems take their time when a file is shortened and written again; a new file is quick.
fn write_anew(path: &Path, bytes: &[u8]) {
    let _ = fs::remove_file(path);
    fs::write(path, bytes).unwrap();
}

/// A strategy log with the whole strategy in it.
fn written(path: &Path, board: &Board<u64>, depth: usize) -> Entries {
    let entries = strategy(&solver(board, 1), depth, Some(open(path, board)));
    assert_eq!(open(path, board).known(), entries.len());
    entries
}

#[test]
fn the_wide_word_has_the_same_strategy_and_the_same_log() {
    let folder = crate::support::folder();
    let (board, path) = (board(4, 5), folder.path().join("log"));
    let expected = written(&path, &board, 8);
    let wide = Board::<u128>::new(board.size()).unwrap();
    let solver = Solver::<u128>::new(board.size(), Settings { memory: Settings::LEAST_MEMORY, ..Settings::default() }).unwrap();
    let widened = |duel: Duel<u64>| Duel { mover: duel.mover, other: duel.other, free: duel.free.convert() };
    let openings: Vec<Duel<u128>> = openings(&board).into_iter().map(widened).collect();
    let limits = StrategyLimits { depth: 8, memory: MEMORY };
    for (log, searched) in [(None, true), (Some(StrategyLog::open(&path, &wide).unwrap()), false)] {
        let control = Control::unlimited();
        let entries = solver.strategy(&openings, limits, log, &control, |_| {}).unwrap();
        assert!(entries.into_iter().eq(expected.iter().map(|&(duel, choice)| (widened(duel), choice))));
        assert_eq!(control.nodes() > 0, searched);
    }
}

#[test]
fn default_depths_are_what_the_documentation_says() {
    for (files, ranks, depth) in [(1, 1, 0), (6, 6, 32), (6, 7, 38), (7, 7, 42), (7, 8, 44), (8, 8, 52)] {
        assert_eq!(default_depth(board(files, ranks).size()), depth, "{files}x{ranks}");
    }
}

#[test]
fn an_interrupted_run_goes_on_and_ends_the_same() {
    let folder = crate::support::folder();
    let board = board(5, 6);
    let (depth, path) = (16, folder.path().join("log"));
    let expected = strategy(&solver(&board, 1), depth, None);
    let solver = solver(&board, 2);
    let (mut runs, mut step) = (0, 7);
    let entries = loop {
        let log = open(&path, &board);
        let known = log.known();
        // Decided anew or from the log: the run stops some way beyond what it knows already.
        let (control, told) = (Control::unlimited(), AtomicUsize::new(0));
        let progress = |_| {
            if told.fetch_add(1, Ordering::Relaxed) == known + step {
                control.stop();
            }
        };
        let limits = StrategyLimits { depth, memory: MEMORY };
        match solver.strategy(&openings(&board), limits, Some(log), &control, progress) {
            Ok(entries) => break entries,
            Err(StrategyError::Stopped) => assert!(open(&path, &board).known() > known, "every run gets further"),
            Err(fault) => panic!("{fault}"),
        }
        (runs, step) = (runs + 1, step * 3 % 997);
    };
    assert!(runs > 3, "{runs}");
    assert_eq!(entries, expected);
    let nothing_left = Control::unlimited();
    let limits = StrategyLimits { depth: depth + 3, memory: MEMORY };
    let again = solver.strategy(&openings(&board), limits, Some(open(&path, &board)), &nothing_left, |_| {}).unwrap();
    assert_eq!(nothing_left.nodes(), 0, "a log serves another depth too");
    assert!(again.iter().all(|entry| expected.binary_search(entry).is_ok()));
}

#[test]
fn a_log_cut_at_any_length_gives_only_what_was_proven() {
    let folder = crate::support::folder();
    let board = board(4, 4);
    let (path, cut) = (folder.path().join("whole"), folder.path().join("cut"));
    let expected = written(&path, &board, 9);
    let bytes = fs::read(&path).unwrap();
    let (header, record) = (21, 23);
    assert_eq!(bytes.len(), header + record * expected.len());
    for length in 0..bytes.len() {
        write_anew(&cut, &bytes[..length]);
        assert_eq!(open(&cut, &board).known(), length.saturating_sub(header) / record);
        if length % 97 == 0 {
            assert_eq!(strategy(&solver(&board, 1), 9, Some(open(&cut, &board))), expected);
            assert_eq!(open(&cut, &board).known(), expected.len(), "the torn end was cut off before more was written");
        }
    }
}

#[test]
fn a_flipped_byte_is_never_believed() {
    let folder = crate::support::folder();
    let board = board(4, 4);
    let (path, flipped) = (folder.path().join("whole"), folder.path().join("flipped"));
    let expected = written(&path, &board, 9);
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        for change in [1, 0x80, 0xff, 1 + (at * 7 % 254) as u8] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            write_anew(&flipped, &bytes);
            match StrategyLog::open(&flipped, &board) {
                Ok(log) => assert_eq!(log.known(), expected.len() - 1, "byte {at}"),
                Err(fault) => assert!(at < 21 && matches!(fault, StrategyLogError::NotALog { .. }), "byte {at}: {fault}"),
            }
        }
        if at % 211 == 30 {
            assert_eq!(strategy(&solver(&board, 1), 9, Some(open(&flipped, &board))), expected);
        }
    }
}

#[test]
fn what_is_no_log_of_the_board_is_refused_and_left_alone() {
    let folder = crate::support::folder();
    let path = folder.path().join("log");
    let refused = |board: &Board<u64>| StrategyLog::open(&path, board).unwrap_err().to_string();
    written(&path, &board(3, 4), 0);
    let before = fs::read(&path).unwrap();
    assert!(refused(&board(4, 3)).ends_with("is the checkpoint of a 3x4 board, not of 4x3: finish that work or delete it"));
    assert_eq!(fs::read(&path).unwrap(), before);
    let held = open(&path, &board(3, 4));
    assert!(refused(&board(3, 4)).ends_with("is in use by another process"));
    drop(held);
    fs::write(&path, "my diary, which is precious to me").unwrap();
    assert!(refused(&board(3, 4)).contains("is not a checkpoint"));
    fs::write(&path, "my").unwrap();
    assert!(refused(&board(3, 4)).contains("is not a checkpoint"));
    let missing = StrategyLog::open(&folder.path().join("no/such"), &board(3, 4)).unwrap_err().to_string();
    assert!(missing.starts_with("cannot open the checkpoint") && missing.contains("no/such"), "{missing}");
}

#[test]
fn a_strategy_too_large_for_the_memory_says_what_to_do() {
    let board = board(5, 5);
    let limits = StrategyLimits { depth: 5, memory: 20_000 };
    let fault = solver(&board, 2).strategy(&openings(&board), limits, None, &Control::unlimited(), |_| {}).unwrap_err();
    let StrategyError::Memory { positions, live, .. } = fault else { panic!("{fault}") };
    assert!(positions > 200 && (5..23).contains(&live), "{fault}");
    assert!(fault.to_string().contains("larger depth"), "{fault}");
}
