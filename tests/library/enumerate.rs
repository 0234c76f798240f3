//! The strong solution of small boards: against the naive oracle, against published counts, and the
//! same whatever happens on the way.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::naive::EveryDuel;
use crate::support::oracle::{Game, is_knight_step};
use isolde::solve::{Enumeration, EnumerationError, EnumerationPhase, EnumerationProgress, Solver, Strong};
use isolde::{Board, Cell, Cells, Control, Duel, Outcome, Settings, Size, Symmetries};
use tempfile::TempDir;

const PLENTY: u64 = 64 << 20;
/// So little that the sets are written out hundreds of times.
const LITTLE: u64 = 1 << 20;

/// What an enumeration leaves in its folder.
struct Scratch(TempDir);

impl Scratch {
    fn new() -> Self {
        Self(crate::support::folder())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn copy(&self) -> Self {
        let copy = Self::new();
        for entry in fs::read_dir(self.path()).unwrap().map(Result::unwrap) {
            fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
        copy
    }

    /// The two files that come of it.
    fn results(&self) -> [Vec<u8>; 2] {
        ["keys", "values"].map(|name| fs::read(self.path().join(name)).unwrap())
    }

    fn has_a_layer_half_merged(&self) -> bool {
        let manifest: serde_json::Value = serde_json::from_slice(&fs::read(self.path().join("manifest.json")).unwrap()).unwrap();
        let complete = manifest["layers"].as_array().unwrap().iter().map(|keys| keys.as_u64().unwrap()).sum::<u64>();
        manifest["keys"].as_u64().unwrap() > complete
    }

    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(self.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect()
    }
}

fn size(files: usize, ranks: usize) -> Size {
    Size::new(files, ranks).unwrap()
}

fn settings(threads: usize, memory: u64) -> Settings {
    Settings { threads: NonZero::new(threads).unwrap(), memory }
}

/// Every opening, not only one of each class: the enumeration has to see for itself that they are
/// images of each other.
fn openings(size: Size) -> Vec<Duel<u64>> {
    let all = Cells::<u64>::first_cells(size.cells());
    let pairs = all.into_iter().flat_map(|mover| all.without(mover).into_iter().map(move |other| (mover, other)));
    pairs.map(|(mover, other)| Duel { mover, other, free: all.without(mover).without(other) }).collect()
}

fn enumeration(size: Size, settings: Settings, folder: &Scratch) -> Enumeration {
    Enumeration::new(size, &openings(size), settings, folder.path()).unwrap()
}

fn solution(size: Size, settings: Settings, folder: &Scratch) -> Strong {
    enumeration(size, settings, folder).run(&Control::unlimited(), &|_| {}).unwrap()
}

/// Runs until `progress` was told so many times.
fn run_for(steps: usize, enumeration: Enumeration) -> Result<Strong, EnumerationError> {
    let (control, told) = (Control::unlimited(), AtomicUsize::new(0));
    let stop_in_time = |_: EnumerationProgress| {
        if told.fetch_add(1, Ordering::Relaxed) + 1 >= steps {
            control.stop();
        }
    };
    enumeration.run(&control, &stop_in_time)
}

/// Where one move leads to, nothing simplified: free cells, mover, other.
fn reachable(files: usize, ranks: usize, roots: &[(usize, usize, usize)]) -> Vec<(usize, usize, usize)> {
    let cells = Game::empty(files as i32, ranks as i32).cells();
    let mut seen: HashSet<_> = roots.iter().copied().collect();
    let mut waiting: Vec<_> = roots.to_vec();
    while let Some((free, mover, other)) = waiting.pop() {
        for to in (0..cells.len()).filter(|&to| free >> to & 1 == 1 && is_knight_step(cells[mover], cells[to])) {
            let next = (free & !(1 << to), other, to);
            if seen.insert(next) {
                waiting.push(next);
            }
        }
    }
    seen.into_iter().collect()
}

fn duel((free, mover, other): (usize, usize, usize)) -> Duel<u64> {
    Duel { free: Cells::from_word(free as u64), mover: Cell::new(mover), other: Cell::new(other) }
}

#[test]
fn every_board_up_to_12_cells_is_as_the_oracle_says() {
    for size in Size::every().filter(|size| size.cells() <= 12) {
        let folder = Scratch::new();
        let strong = solution(size, settings(2, PLENTY), &folder);
        let entries: Vec<(Duel<u64>, Outcome)> = strong.entries().collect();
        assert!(entries.is_sorted_by(|(a, _), (b, _)| a < b), "each once, in order");
        assert_eq!((entries.len(), strong.len()), (strong.entries().len(), entries.len()));
        let (files, ranks) = (size.files(), size.ranks());
        let every = EveryDuel::new(files, ranks);
        for (duel, outcome) in &entries {
            let plies = every.plies(duel.free.word() as usize, duel.mover.index(), duel.other.index());
            assert_eq!(outcome.plies(), plies, "{files}x{ranks}: {duel:?}");
        }
        let board = Board::<u64>::new(size).unwrap();
        let symmetries = Symmetries::new(&board);
        let roots: Vec<_> = openings(size).iter().map(|d| (d.free.word() as usize, d.mover.index(), d.other.index())).collect();
        let mut expected: Vec<_> = reachable(files, ranks, &roots).into_iter().map(duel).collect();
        expected.iter_mut().for_each(|duel| *duel = symmetries.canonical(&board, *duel).duel);
        expected.sort_unstable();
        expected.dedup();
        assert!(entries.iter().map(|(duel, _)| *duel).eq(expected), "{files}x{ranks}: other positions than can be reached");
    }
}

#[test]
fn the_number_of_positions_is_what_a_prototype_with_sets_in_memory_found() {
    for ((files, ranks), positions) in
        [((4, 4), 7_860), ((4, 5), 179_402), ((5, 4), 179_402), ((3, 7), 126_660), ((5, 5), 2_260_649)]
    {
        let folder = Scratch::new();
        assert_eq!(solution(size(files, ranks), settings(2, PLENTY), &folder).len(), positions, "{files}x{ranks}");
        assert_eq!(folder.names().len(), 2, "a small board needs no other files: {:?}", folder.names());
    }
}

#[test]
fn the_solver_says_the_same() {
    let (size, folder) = (size(4, 5), Scratch::new());
    let strong = solution(size, settings(2, PLENTY), &folder);
    let solver = Solver::new(size, settings(1, PLENTY)).unwrap();
    for (duel, outcome) in strong.entries().step_by(997) {
        assert_eq!(solver.outcome(duel, &Control::unlimited()), Ok(outcome), "{duel:?}");
    }
}

/// Counted by GAMESMAN for its game Joust, in which the knights begin in opposite corners; it knows
/// no symmetry and no dead cells.
#[test]
fn joust_has_as_many_positions_as_gamesman_counts() {
    for ((files, ranks), positions, finals) in [((4, 4), 521, 154), ((5, 4), 16_211, 4_844)] {
        let cells = files * ranks;
        let root = ((1 << cells) - 2 - (1 << (cells - 1)), 0, cells - 1);
        let size = size(files, ranks);
        let board = Board::<u64>::new(size).unwrap();
        let symmetries = Symmetries::new(&board);
        let reached: Vec<Duel<u64>> = reachable(files, ranks, &[root]).into_iter().map(duel).collect();
        assert_eq!(reached.len(), positions);
        assert_eq!(reached.iter().filter(|duel| duel.moves(&board).is_empty()).count(), finals);
        let folder = Scratch::new();
        let enumeration = Enumeration::new(size, &[duel(root)], settings(2, PLENTY), folder.path()).unwrap();
        let strong = enumeration.run(&Control::unlimited(), &|_| {}).unwrap();
        let outcomes: BTreeMap<Duel<u64>, Outcome> = strong.entries().collect();
        let images: HashSet<_> = reached.iter().map(|&duel| symmetries.canonical(&board, duel).duel).collect();
        assert!(images.iter().all(|duel| outcomes.contains_key(duel)));
        assert_eq!(images.len(), outcomes.len());
        for &duel in &reached {
            let over = outcomes[&symmetries.canonical(&board, duel).duel] == Outcome::OVER;
            assert_eq!(over, duel.moves(&board).is_empty());
        }
    }
}

#[test]
fn threads_and_memory_change_nothing() {
    let size = size(4, 5);
    let expected = {
        let folder = Scratch::new();
        solution(size, settings(1, PLENTY), &folder);
        folder.results()
    };
    for (threads, memory) in [(2, PLENTY), (3, PLENTY), (1, LITTLE), (2, LITTLE), (3, LITTLE / 4)] {
        let folder = Scratch::new();
        solution(size, settings(threads, memory), &folder);
        assert!(folder.results() == expected, "{threads} threads, {memory} bytes");
        assert_eq!(folder.names().iter().any(|name| name.starts_with("run-")), memory < PLENTY);
    }
}

#[test]
fn interruptions_change_nothing() {
    for ((files, ranks), memory, steps) in [((4, 4), LITTLE / 64, 1), ((4, 4), LITTLE / 16, 3), ((4, 5), LITTLE / 8, 37)] {
        let (size, folder) = (size(files, ranks), Scratch::new());
        solution(size, settings(1, PLENTY), &folder);
        let (expected, folder, mut stops) = (folder.results(), Scratch::new(), 0);
        let mut within_a_merge = false;
        while let Err(fault) = run_for(steps, enumeration(size, settings(1 + stops % 3, memory), &folder)) {
            assert!(matches!(fault, EnumerationError::Stopped));
            stops += 1;
            within_a_merge |= folder.has_a_layer_half_merged();
        }
        assert!(stops > 10, "{files}x{ranks} was stopped only {stops} times");
        assert!(within_a_merge, "{files}x{ranks} was never stopped in the middle of a merge");
        assert!(folder.results() == expected, "{files}x{ranks}, {memory} bytes, {steps} steps");
        assert_eq!(solution(size, settings(1, memory), &folder).len(), expected[1].len(), "whoever asks again gets the same");
    }
}

/// The folder is copied at any moment, as it would be found after a sudden end, and the work goes
/// on in the copy.
#[test]
fn sudden_ends_change_nothing() {
    let (size, folder) = (size(4, 4), Scratch::new());
    solution(size, settings(1, PLENTY), &folder);
    let expected = folder.results();
    for first in [1, 5, 17, 60] {
        let folder = Scratch::new();
        let _ = run_for(first, enumeration(size, settings(1, LITTLE / 16), &folder));
        let told = AtomicUsize::new(0);
        let die_here = |_: EnumerationProgress| {
            if told.fetch_add(1, Ordering::Relaxed) % 7 == 3 {
                let copy = folder.copy();
                solution(size, settings(2, LITTLE / 8), &copy);
                assert!(copy.results() == expected);
            }
        };
        enumeration(size, settings(1, LITTLE / 16), &folder).run(&Control::unlimited(), &die_here).unwrap();
        assert!(told.into_inner() > 50);
    }
}

#[test]
fn a_damaged_manifest_means_a_new_beginning() {
    let (size, folder) = (size(3, 5), Scratch::new());
    let _ = run_for(9, enumeration(size, settings(1, LITTLE / 16), &folder));
    let manifest = fs::read(folder.path().join("manifest.json")).unwrap();
    let expected = {
        let folder = Scratch::new();
        solution(size, settings(1, PLENTY), &folder);
        folder.results()
    };
    for length in (0..manifest.len()).step_by(23).chain([manifest.len() - 1]) {
        let copy = folder.copy();
        fs::write(copy.path().join("manifest.json"), &manifest[..length]).unwrap();
        solution(size, settings(1, PLENTY), &copy);
        assert!(copy.results() == expected, "cut to {length} bytes");
    }
    for name in folder.names().iter().filter(|name| *name != "manifest.json" && *name != "values") {
        let copy = folder.copy();
        fs::remove_file(copy.path().join(name)).unwrap();
        solution(size, settings(1, PLENTY), &copy);
        assert!(copy.results() == expected, "without {name}");
    }
}

/// Bytes behind those that were saved are covered by no checksum. Nobody reads them.
#[test]
fn bytes_behind_what_was_saved_change_nothing() {
    let (size, folder) = (size(3, 5), Scratch::new());
    solution(size, settings(1, PLENTY), &folder);
    let expected = folder.results();
    let mut kinds = HashSet::new();
    // Interrupted while positions are found, while runs are merged, and while they are decided.
    for steps in [9, 30, 100] {
        let folder = Scratch::new();
        let _ = run_for(steps, enumeration(size, settings(1, LITTLE / 64), &folder));
        for name in folder.names() {
            kinds.insert(name[..3].to_string());
            let saved = fs::read(folder.path().join(&name)).unwrap();
            let again = saved[saved.len().saturating_sub(8)..].to_vec();
            for tail in [vec![0xff; 8], vec![0xff], vec![0; 16], again, b"}".to_vec()] {
                let copy = folder.copy();
                fs::write(copy.path().join(&name), [&saved[..], &tail].concat()).unwrap();
                solution(size, settings(1, PLENTY), &copy);
                assert!(copy.results() == expected, "{name} with {tail:?} after {steps} steps");
            }
        }
    }
    assert_eq!(kinds, ["key", "val", "run", "man"].map(str::to_string).into());
}

#[test]
fn other_work_is_left_alone() {
    let folder = Scratch::new();
    let _ = run_for(5, enumeration(size(3, 5), settings(1, PLENTY), &folder));
    let before = fs::read(folder.path().join("manifest.json")).unwrap();
    let other_board = Enumeration::new(size(5, 3), &openings(size(5, 3)), settings(1, PLENTY), folder.path());
    assert!(matches!(other_board, Err(EnumerationError::Foreign)));
    let other_roots = Enumeration::new(size(3, 5), &openings(size(3, 5))[..1], settings(1, PLENTY), folder.path());
    assert!(matches!(other_roots, Err(EnumerationError::Foreign)));
    assert_eq!(fs::read(folder.path().join("manifest.json")).unwrap(), before);
    let images_of_the_same_roots: Vec<_> = openings(size(3, 5)).into_iter().rev().collect();
    assert!(Enumeration::new(size(3, 5), &images_of_the_same_roots, settings(1, PLENTY), folder.path()).is_ok());
    let next_version = String::from_utf8(before).unwrap().replace("\"version\":2", "\"version\":3");
    fs::write(folder.path().join("manifest.json"), next_version).unwrap();
    let older = Enumeration::new(size(3, 5), &openings(size(3, 5)), settings(1, PLENTY), folder.path());
    assert!(matches!(older, Err(EnumerationError::Foreign)));
}

#[test]
fn faults_name_the_file() {
    let folder = Scratch::new();
    let nowhere = folder.path().join("nowhere");
    let fault = Enumeration::new(size(3, 3), &[], settings(1, PLENTY), &nowhere).err().unwrap().to_string();
    assert!(fault.starts_with("cannot ") && fault.contains("nowhere"), "{fault}");
    fs::create_dir(folder.path().join("values")).unwrap();
    let fault = Enumeration::new(size(3, 3), &[], settings(1, PLENTY), folder.path()).err().unwrap().to_string();
    assert!(fault.starts_with("cannot ") && fault.contains("values"), "{fault}");
}

#[test]
fn a_board_that_is_too_large_is_refused() {
    let folder = Scratch::new();
    let fault = Enumeration::new(size(9, 9), &[], settings(1, PLENTY), folder.path()).err().unwrap();
    assert!(matches!(fault, EnumerationError::TooLarge { most: 50, .. }), "{fault}");
    assert!(folder.names().is_empty());
}

#[test]
fn progress_only_grows() {
    let (size, folder) = (size(3, 6), Scratch::new());
    let last = std::sync::Mutex::new(EnumerationProgress {
        phase: EnumerationPhase::Finding,
        layer: 16,
        found: 0,
        expanded: 0,
        decided: 0,
    });
    let grows = |now: EnumerationProgress| {
        let mut last = last.lock().unwrap();
        assert!(
            now.phase != last.phase
                || (now.layer <= last.layer) == (now.phase == EnumerationPhase::Finding)
                || now.layer == last.layer
        );
        assert!(now.found >= last.found && now.expanded >= last.expanded && now.decided >= last.decided);
        assert!(now.expanded <= now.found && (now.phase == EnumerationPhase::Deciding || now.decided == 0));
        *last = now;
    };
    let control = Control::unlimited();
    let strong = enumeration(size, settings(2, LITTLE), &folder).run(&control, &grows).unwrap();
    let all = strong.len() as u64;
    assert_eq!(
        *last.lock().unwrap(),
        EnumerationProgress { phase: EnumerationPhase::Deciding, layer: 16, found: all, expanded: all, decided: all }
    );
    assert_eq!(control.nodes(), 2 * all);
}

#[test]
#[ignore = "takes minutes, a gigabyte of disk and half a gigabyte of memory"]
fn the_largest_boards_that_were_counted() {
    for ((files, ranks), positions) in [((3, 9), 3_524_356), ((3, 10), 17_332_227), ((4, 7), 28_271_457), ((5, 6), 119_706_799)] {
        let folder = Scratch::new();
        assert_eq!(solution(size(files, ranks), settings(2, 512 << 20), &folder).len(), positions, "{files}x{ranks}");
    }
}
