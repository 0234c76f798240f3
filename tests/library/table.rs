//! Tables: what is written comes back, absent means absent, and damage never goes unnoticed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::corpus::checks::sealed;
use crate::support::folder;
use crate::support::generators::any_size;
use crate::support::naive::EveryDuel;
use crate::support::tables::opening_table;
use isolde::solve::{Enumeration, Solver};
use isolde::table::{
    Coverage, Entry, Error, Fault, Flaw, Kind, MergeError, Merged, Plan, Section, Table, Unverified, Verifier, check_form, write,
};
use isolde::{Board, Cell, Cells, Control, Duel, Outcome, Settings, Setup, Size, Symmetries, Value, Word};
use proptest::prelude::*;
use rayon::prelude::*;

type Entries<W> = BTreeMap<Duel<W>, Entry>;

fn plan(size: Size, kind: Kind) -> Plan {
    Plan { size, kind, depth: 0, command: "a test".to_string(), coverage: Coverage::All }
}

fn write_table<W: Word>(folder: &Path, plan: &Plan, entries: &Entries<W>) -> PathBuf {
    let path = folder.join(format!("{}-{}.isolde", plan.size, plan.kind));
    let listed = || entries.iter().map(|(&duel, &proven)| (duel, proven));
    write(plan, listed, &path, &folder.join("directory"), &|| true).expect("there is room for a test");
    path
}

/// The strong solution of a small board, told by the oracle: every canonical position that some
/// opening leads to.
fn strong(files: usize, ranks: usize) -> (Board<u64>, Entries<u64>) {
    let board = Board::<u64>::new(Size::new(files, ranks).unwrap()).unwrap();
    let symmetries = Symmetries::new(&board);
    let every = EveryDuel::new(files, ranks);
    let mut entries = Entries::new();
    let mut todo = Coverage::All.duels(&board);
    while let Some(duel) = todo.pop() {
        let plies = every.plies(duel.free.word() as usize, duel.mover.index(), duel.other.index());
        if entries.insert(duel, Entry::Outcome(Outcome::after(plies))).is_none() {
            let after = |to| symmetries.canonical(&board, duel.play_unchecked(to)).duel;
            todo.extend(duel.moves(&board).into_iter().map(after));
        }
    }
    (board, entries)
}

fn verify<W: Word>(table: &Table<W>) -> Result<u64, Unverified> {
    let verifier = Verifier { mirror: &|_| false, prove: &|_| panic!("a strong table has all positions"), derived: &|_| true };
    let verified = verifier.verify(table)?;
    assert_eq!(verified.proven, 0);
    Ok(verified.entries)
}

/// All boards up to 16 cells, as `isolde table build --strong` makes them: every entry is the
/// oracle's, plies included, and no position is missing.
#[test]
fn strong_tables_say_what_the_oracle_says() {
    let sizes: Vec<Size> = Size::every().filter(|size| (2..=16).contains(&size.cells())).collect();
    assert_eq!(sizes.len(), 49);
    sizes.par_iter().for_each(|&size| {
        let folder = folder();
        let (board, expected) = strong(size.files(), size.ranks());
        let roots = Coverage::All.duels(&board);
        let work = Enumeration::new(size, &roots, Settings::default(), folder.path()).unwrap();
        let found = work.run(&Control::unlimited(), &|_| ()).unwrap();
        let entries = found.entries().map(|(duel, outcome)| (duel, Entry::Outcome(outcome))).collect();
        let path = write_table(folder.path(), &plan(size, Kind::Strong), &entries);
        let table = Table::<u64>::open(&path).unwrap();
        let read: Entries<u64> = table.entries().map(Result::unwrap).collect();
        assert!(read == expected, "{size} has other entries than the oracle's");
        assert_eq!(verify(&table), Ok(table.len()));
    });
}

/// Every duel of a board, reachable or not, in every orientation: found if it was put in, and
/// absent if not.
#[test]
fn absent_means_absent() {
    for (files, ranks) in [(3, 3), (3, 4), (4, 3), (2, 6), (1, 5), (1, 2)] {
        let folder = folder();
        let (board, entries) = strong(files, ranks);
        let path = write_table(folder.path(), &plan(board.size(), Kind::Strong), &entries);
        let table = Table::<u64>::open(&path).unwrap();
        let symmetries = Symmetries::new(&board);
        for (free, mover, other) in EveryDuel::new(files, ranks).duels() {
            let duel = Duel { free: Cells::from_word(free as u64), mover: Cell::new(mover), other: Cell::new(other) };
            let expected = entries.get(&symmetries.canonical(&board, duel).duel).copied();
            assert_eq!(table.look_up(duel), Ok(expected), "{duel:?}");
        }
    }
}

#[test]
fn a_board_too_small_for_two_knights_has_an_empty_table() {
    let folder = folder();
    let path = write_table::<u64>(folder.path(), &plan(Size::new(1, 1).unwrap(), Kind::Strong), &Entries::new());
    let table = Table::<u64>::open(&path).unwrap();
    assert!(table.is_empty());
    assert_eq!(verify(&table), Ok(0));
}

/// Random entries of any board: canonical duels with values that mean nothing.
fn any_entries<W: Word>() -> impl Strategy<Value = (Size, Kind, Entries<W>)> {
    let duels = prop::collection::vec((any::<(usize, usize)>(), any::<(u128, u128, u128)>(), any::<(u8, u8)>()), 0..400);
    (any_size::<W>(), prop::bool::ANY, duels).prop_filter_map("there is room for two", |(size, strong, duels)| {
        let board = Board::<W>::new(size).unwrap();
        let symmetries = Symmetries::new(&board);
        let kind = if strong { Kind::Strong } else { Kind::Opening };
        let mut entries = Entries::new();
        for ((mover, other), (a, b, c), (dense, value)) in duels {
            let (mover, other) = (Cell::new(mover % size.cells()), Cell::new(other % size.cells()));
            if mover == other {
                continue;
            }
            let pattern = [a | b | c, a | b, a, a & b & c][usize::from(dense % 4)];
            let free = (Cells::from_word(W::narrow(pattern)) & board.cells()).without(mover).without(other);
            let duel = symmetries.canonical(&board, Duel { free, mover, other }).duel;
            let moves = board.knight_moves(duel.mover);
            let proven = match kind {
                Kind::Strong => Entry::Outcome(Outcome::after(usize::from(value) % (duel.free.len() + 1))),
                Kind::Opening => moves.into_iter().nth(usize::from(value) % 9).map_or(Entry::Lost, Entry::Won),
            };
            entries.insert(duel, proven);
        }
        Some((size, kind, entries)).filter(|_| size.cells() > 1)
    })
}

fn comes_back<W: Word>((size, kind, entries): &(Size, Kind, Entries<W>)) -> Result<(), TestCaseError> {
    let folder = folder();
    let path = write_table(folder.path(), &plan(*size, *kind), entries);
    let table = Table::<W>::open(&path).expect("a new table can be opened");
    let read: Result<Vec<_>, _> = table.entries().collect();
    prop_assert_eq!(read, Ok(entries.iter().map(|(&duel, &proven)| (duel, proven)).collect::<Vec<_>>()));
    let symmetries = Symmetries::new(table.board());
    for (&duel, &proven) in entries {
        prop_assert_eq!(table.probe(duel), Ok(Some(proven)));
        for symmetry in symmetries.iter() {
            let expected = match proven {
                Entry::Won(to) => symmetries.cell(symmetry, to),
                _ => Cell::new(0),
            };
            match table.look_up(symmetries.duel(symmetry, duel)) {
                // A position that is its own image may get its move back in either orientation.
                Ok(Some(Entry::Won(to))) => {
                    let same = symmetries.iter().filter(|&s| symmetries.duel(s, duel) == symmetries.duel(symmetry, duel));
                    let mut images = same.map(|s| match proven {
                        Entry::Won(own) => symmetries.cell(s, own),
                        _ => to,
                    });
                    prop_assert!(to == expected || images.any(|image| image == to));
                }
                found => prop_assert_eq!(found, Ok(Some(proven))),
            }
        }
        // Its neighbours are there only if they were put in.
        let flipped = duel.free.into_iter().map(|cell| Duel { free: duel.free.without(cell), ..duel });
        for neighbour in flipped.chain([Duel { mover: duel.other, other: duel.mover, ..duel }]) {
            prop_assert_eq!(table.probe(neighbour), Ok(entries.get(&neighbour).copied()));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn whatever_is_written_comes_back_on_small_boards(entries in any_entries::<u64>()) {
        comes_back(&entries)?;
    }

    #[test]
    fn whatever_is_written_comes_back_on_large_boards(entries in any_entries::<u128>()) {
        comes_back(&entries)?;
    }
}

/// Opens a table from bytes that may be damaged.
fn open_bytes(folder: &Path, bytes: &[u8]) -> Result<Table<u64>, Fault> {
    let path = folder.join("damaged.isolde");
    fs::write(&path, bytes).unwrap();
    Table::open(&path).map_err(|error| match error {
        Error::Fault { fault, .. } => fault,
        _ => panic!("{error}"),
    })
}

#[test]
fn a_table_cut_at_any_length_is_refused() {
    let folder = folder();
    let (board, entries) = strong(3, 4);
    let bytes = fs::read(write_table(folder.path(), &plan(board.size(), Kind::Strong), &entries)).unwrap();
    for length in 0..bytes.len() {
        let fault = open_bytes(folder.path(), &bytes[..length]).expect_err("a cut table is no table");
        match length {
            0..8 => assert_eq!(fault, Fault::NotATable),
            _ => assert!(matches!(fault, Fault::Cut { found, .. } if found == length as u64), "{length}: {fault}"),
        }
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(open_bytes(folder.path(), &longer), Err(Fault::Cut { .. })));
}

/// Another program may do to a small table what it likes: its bytes are in memory.
#[test]
fn a_small_table_that_is_cut_off_in_use_is_still_right() {
    let folder = folder();
    let (board, entries) = strong(3, 4);
    let path = write_table(folder.path(), &plan(board.size(), Kind::Strong), &entries);
    let table = Table::<u64>::open(&path).unwrap();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(0).unwrap();
    assert!(!table.is_mapped() && entries.iter().all(|(&duel, &proven)| table.probe(duel) == Ok(Some(proven))));
}

#[test]
fn a_flipped_byte_anywhere_never_makes_a_table_lie_and_verify_names_the_section() {
    let folder = folder();
    let (board, entries) = strong(3, 4);
    let bytes = fs::read(write_table(folder.path(), &plan(board.size(), Kind::Strong), &entries)).unwrap();
    let duels: Vec<_> = entries.iter().collect();
    // Positions that no opening leads to.
    let symmetries = Symmetries::new(&board);
    let subsets =
        duels.iter().flat_map(|(duel, _)| duel.free.into_iter().map(|cell| Duel { free: duel.free.without(cell), ..**duel }));
    let absent: Vec<_> =
        subsets.map(|duel| symmetries.canonical(&board, duel).duel).filter(|duel| !entries.contains_key(duel)).collect();
    assert!(absent.len() > 100);
    for at in 0..bytes.len() {
        for flip in [1, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            let table = match open_bytes(folder.path(), &damaged) {
                Ok(table) => table,
                Err(Fault::NotATable) => {
                    assert!(at < 8);
                    continue;
                }
                Err(Fault::Version { .. }) => {
                    assert!((8..10).contains(&at));
                    continue;
                }
                Err(Fault::Damaged(Section::Header)) => {
                    assert!(at < 128);
                    continue;
                }
                Err(fault) => {
                    assert_eq!(fault, Fault::Damaged(Section::Codes), "byte {at}");
                    continue;
                }
            };
            assert!(at >= 128, "a damaged header was believed");
            // Every tenth entry in turn: each is asked under damage of thousands of bytes.
            for (&duel, &proven) in duels.iter().copied().skip(at % 10).step_by(10) {
                let found = table.probe(duel);
                assert!(found == Ok(Some(proven)) || found.is_err(), "byte {at}: {duel:?} became {found:?}");
            }
            for &duel in absent.iter().skip(at % 10).step_by(10) {
                let found = table.probe(duel);
                assert!(found == Ok(None) || found.is_err(), "byte {at}: {duel:?} became {found:?}");
            }
            let Err(Unverified::Flawed(Flaw::Fault(Fault::Damaged(section)))) = verify(&table) else {
                panic!("the damage at byte {at} was not seen");
            };
            let expected = match at as u64 {
                at if at < table.section_length(Section::Header) + table.section_length(Section::Metadata) => Section::Metadata,
                _ if section == Section::Padding => Section::Padding,
                at if at >= table.file_length() - 16 - table.section_length(Section::Directory) => Section::Directory,
                _ => Section::Blocks,
            };
            assert_eq!(section, expected, "byte {at}");
        }
    }
}

/// The same for a directory of several groups: whichever key leads the search astray, that is seen.
#[test]
fn a_damaged_key_of_the_directory_or_its_index_is_seen() {
    let folder = folder();
    let (board, entries) = strong(4, 4);
    let path = write_table(folder.path(), &plan(board.size(), Kind::Strong), &entries);
    let (bytes, table) = (fs::read(&path).unwrap(), Table::<u64>::open(&path).unwrap());
    assert!(table.section_length(Section::Blocks) / 32 > 256, "more than two groups");
    let end = bytes.len() - 16;
    let begin = end - table.section_length(Section::Directory) as usize;
    let mut seen = 0;
    for at in begin..end {
        for flip in [1, 0x40] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            let table = open_bytes(folder.path(), &damaged).unwrap();
            for (&duel, &proven) in entries.iter().skip(at % 30).step_by(30) {
                let found = table.probe(duel);
                assert!(found == Ok(Some(proven)) || found.is_err(), "byte {at}: {duel:?} became {found:?}");
                seen += usize::from(found.is_err());
            }
        }
    }
    assert!(seen > 1000, "only {seen} looks met the damage");
}

/// What verify says of a strong table whose entries were changed before it was written: its
/// checksums are all right.
fn verify_changed(change: impl FnOnce(&mut Entries<u64>)) -> Result<u64, Unverified> {
    let folder = folder();
    let (board, mut entries) = strong(3, 4);
    change(&mut entries);
    let path = write_table(folder.path(), &plan(board.size(), Kind::Strong), &entries);
    verify(&Table::<u64>::open(&path).unwrap())
}

#[test]
fn verify_sees_what_checksums_do_not() {
    let (board, entries) = strong(3, 4);
    let some = |holds: &dyn Fn(&Duel<u64>) -> bool| *entries.keys().find(|duel| holds(duel)).unwrap();
    let opening = some(&|duel| duel.free.len() == 10);
    let middle = some(&|duel| duel.free.len() == 5 && duel.moves(&board).len() > 1);
    let wrong = Entry::Outcome(Outcome::after(9));
    assert_eq!(verify_changed(|_| ()), Ok(entries.len() as u64));
    let position = |duel| Setup::of_duel(&board, duel);
    assert_eq!(verify_changed(|entries| _ = entries.remove(&opening)), Err(Flaw::NoOpening(position(opening)).into()));
    let missing = verify_changed(|entries| _ = entries.remove(&middle));
    assert!(matches!(missing, Err(Unverified::Flawed(Flaw::Missing(..)))), "{missing:?}");
    let untrue = verify_changed(|entries| _ = entries.insert(middle, wrong));
    assert!(matches!(untrue, Err(Unverified::Flawed(Flaw::Untrue(..)))), "{untrue:?}");
    let symmetries = Symmetries::new(&board);
    let image = symmetries.iter().map(|symmetry| symmetries.duel(symmetry, middle)).find(|image| *image != middle).unwrap();
    let twisted = verify_changed(|entries| _ = entries.insert(image, wrong));
    assert_eq!(twisted, Err(Flaw::NotCanonical(position(image)).into()));
}

/// The bytes of a table, with one of them changed and all checksums made right again. `None` if
/// that is the same table.
fn changed(bytes: &[u8], at: usize, flip: u8) -> Option<Vec<u8>> {
    let mut changed = bytes.to_vec();
    changed[at] ^= flip;
    Some(sealed::table(&changed)).filter(|changed| changed != bytes)
}

/// The places of the two texts in the metadata: the program, and the command.
fn texts(bytes: &[u8]) -> [std::ops::Range<usize>; 2] {
    let text = |at: usize| at + 8..at + 8 + u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let program = text(128);
    [program.clone(), text(program.end)]
}

/// With right checksums, too: no byte can be changed without `verify` noticing, except for texts.
#[test]
fn verify_sees_every_change_of_a_strong_table() {
    let folder = folder();
    let (board, entries) = strong(3, 3);
    let bytes = fs::read(write_table(folder.path(), &plan(board.size(), Kind::Strong), &entries)).unwrap();
    let texts = texts(&bytes);
    let mut seen = 0;
    for (at, flip) in (0..bytes.len()).flat_map(|at| [(at, 1), (at, 0x20), (at, 0x80), (at, 0xff)]) {
        let Some(changed) = changed(&bytes, at, flip) else { continue };
        let Ok(table) = Table::<u64>::from_bytes("changed", changed) else { continue };
        let flaw = verify(&table).err();
        assert!(flaw.is_some() || texts.iter().any(|text| text.contains(&at)), "byte {at} with {flip:#x} was believed");
        seen += usize::from(flaw.is_some());
    }
    assert!(seen > 1000, "only {seen} changes came that far");
}

/// The same for an opening table. There `verify` believes another move if it wins as well.
#[test]
fn verify_sees_every_change_of_an_opening_table() {
    let folder = folder();
    let path = opening_table(Size::new(3, 4).unwrap(), &EveryDuel::new(3, 4), 7, folder.path());
    let bytes = fs::read(&path).unwrap();
    let texts = texts(&bytes);
    let solver = Solver::<u64>::new(Size::new(3, 4).unwrap(), Settings::default()).unwrap();
    let control = Control::unlimited();
    let symmetries = Symmetries::new(&Board::<u64>::new(Size::new(3, 4).unwrap()).unwrap());
    let mirror = |duel| isolde::solve::mirror(&symmetries, duel).is_some();
    let verifier = Verifier { mirror: &mirror, prove: &|duel| solver.value(duel, &control).ok(), derived: &|_| true };
    let values = |table: &Table<u64>| -> Vec<_> {
        table.entries().map(|entry| entry.map(|(duel, entry)| (duel, entry.value()))).collect()
    };
    let expected = Table::<u64>::open(&path).unwrap();
    verifier.verify(&expected).unwrap();
    let mut seen = 0;
    for (at, flip) in (0..bytes.len()).flat_map(|at| [(at, 1), (at, 0x80)]) {
        let Some(changed) = changed(&bytes, at, flip) else { continue };
        let Ok(table) = Table::<u64>::from_bytes("changed", changed) else { continue };
        if verifier.verify(&table).is_err() {
            seen += 1;
        } else if !texts.iter().any(|text| text.contains(&at)) {
            assert_eq!((values(&table), table.depth()), (values(&expected), expected.depth()), "byte {at} was believed");
        }
    }
    assert!(seen > 500, "only {seen} changes came that far");
}

/// What the end of every build checks finds a changed index, too, of which a lookup says nothing.
#[test]
fn the_form_of_a_table_includes_its_index() {
    let folder = folder();
    let (board, entries) = strong(4, 4);
    let path = write_table(folder.path(), &plan(board.size(), Kind::Strong), &entries);
    let (bytes, table) = (fs::read(&path).unwrap(), Table::<u64>::open(&path).unwrap());
    assert_eq!(check_form(&table, &|| true), Ok(table.len()));
    assert_eq!(check_form(&table, &|| false), Err(Unverified::Stopped));
    let keys = (table.section_length(Section::Blocks) / 32).div_ceil(128) as usize;
    let end = bytes.len() - 16;
    assert!(keys > 2);
    for at in end - keys * 4..end {
        let table = Table::<u64>::from_bytes("changed", changed(&bytes, at, 1).unwrap()).unwrap();
        assert_eq!(check_form(&table, &|| true), Err(Fault::Damaged(Section::Directory).into()), "byte {at}");
    }
}

#[test]
fn a_sample_sees_a_false_table() {
    let folder = folder();
    let (board, mut entries) = strong(3, 4);
    entries.values_mut().for_each(|proven| *proven = Entry::Outcome(Outcome::after(proven.plies().unwrap() + 1)));
    let path = write_table(folder.path(), &plan(board.size(), Kind::Strong), &entries);
    let verifier = Verifier { mirror: &|_| false, prove: &|_| Some(Value::Win), derived: &|_| true };
    let verdict = verifier.sample(&Table::<u64>::open(&path).unwrap(), 10);
    assert!(matches!(verdict, Err(Unverified::Flawed(Flaw::Untrue(..)))), "{verdict:?}");
}

#[test]
fn tables_are_merged_and_conflicts_are_named() {
    let folder = folder();
    let (board, entries) = strong(3, 4);
    let split = |keep: &dyn Fn(usize) -> bool, name: &str| {
        let kept = entries.iter().enumerate().filter(|(index, _)| keep(*index)).map(|(_, (&duel, &proven))| (duel, proven));
        let part = folder.path().join(name);
        fs::create_dir(&part).unwrap();
        Table::<u64>::open(&write_table(&part, &plan(board.size(), Kind::Strong), &kept.collect())).unwrap()
    };
    let tables = [split(&|index| index % 3 == 0, "a"), split(&|index| index % 3 != 0, "b"), split(&|index| index % 2 == 0, "c")];
    let mut merged = Merged::new(&tables).unwrap();
    let together = std::iter::from_fn(|| merged.next_entry().unwrap());
    assert!(together.eq(entries.iter().map(|(&duel, &proven)| (duel, proven))));
    let (position, _) = entries.iter().nth(10).map(|(&duel, &proven)| (duel, proven)).unwrap();
    let other = folder.path().join("d");
    fs::create_dir(&other).unwrap();
    let lie = Entries::from([(position, Entry::Outcome(Outcome::after(11)))]);
    let lie = Table::<u64>::open(&write_table(&other, &plan(board.size(), Kind::Strong), &lie)).unwrap();
    let tables = [split(&|_| true, "e"), lie];
    let mut merged = Merged::new(&tables).unwrap();
    let conflict = std::iter::from_fn(|| merged.next_entry().transpose()).find_map(Result::err);
    assert!(
        matches!(conflict, Some(MergeError::Conflict { position: named, .. }) if named == Setup::of_duel(&board, position)),
        "{conflict:?}"
    );
}

#[test]
fn the_same_entries_give_the_same_bytes() {
    let folders = [folder(), folder()];
    let (board, entries) = strong(3, 4);
    let bytes = folders.map(|folder| fs::read(write_table(folder.path(), &plan(board.size(), Kind::Strong), &entries)).unwrap());
    assert_eq!(bytes[0], bytes[1]);
}
