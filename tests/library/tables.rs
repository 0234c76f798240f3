//! The tables that come with the project: as their README says, sound, true, and readable by the
//! reader in Python.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use isolde::analysis::Openings;
use isolde::solve::{Solver, mirror};
use isolde::table::{AnyTable, Entry, Kind, Table, Verifier};
use isolde::{
    Analyst, Cell, Choice, Control, Duel, Player, Position, Question, Settings, Size, Symmetries, Tables, Value, zobrist,
};
use proptest::test_runner::{Config, TestRunner};
use sha2::{Digest, Sha256};

use crate::support::skipped;

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn tables() -> Vec<PathBuf> {
    let files = fs::read_dir(project().join("tables")).unwrap().map(|entry| entry.unwrap().path());
    let mut tables: Vec<_> = files.filter(|path| path.extension().is_some_and(|extension| extension == "isolde")).collect();
    tables.sort();
    assert!(tables.len() > 10);
    tables
}

fn open(name: &str) -> Table<u64> {
    Table::open(&project().join("tables").join(name)).unwrap()
}

#[test]
fn the_readme_says_what_they_are() {
    let mut rows = String::new();
    for path in tables() {
        let bytes = fs::read(&path).unwrap();
        let table = Table::<u64>::open(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let checksum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let command = table.metadata().unwrap().command;
        writeln!(rows, "| `{name}` | `{command}` | {} | {} | `{checksum}` |", table.len(), bytes.len()).unwrap();
    }
    let readme = fs::read_to_string(project().join("tables/README.md")).unwrap();
    assert!(readme.contains(&rows), "tables/README.md should have these rows:\n{rows}");
    let total: u64 = tables().iter().map(|path| fs::metadata(path).unwrap().len()).sum();
    assert!(total < 20 << 20, "{total} bytes are too many");
}

/// `build.rs` forgets none.
#[test]
#[cfg(feature = "embedded-tables")]
fn they_are_all_built_in() {
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_string();
    let expected: Vec<_> = tables().iter().map(|path| format!("{} (built in)", name(path))).collect();
    let found = AnyTable::built_in().unwrap();
    assert_eq!(found.iter().map(|table| name(table.path())).collect::<Vec<_>>(), expected);
    for (table, path) in found.iter().zip(tables()) {
        assert_eq!(table.metadata(), AnyTable::open(&path).unwrap().metadata());
        assert_eq!(table.file_length(), fs::metadata(path).unwrap().len());
    }
}

/// Every byte, and every entry is derived from the positions that follow it. Positions below the
/// table are proven again: all of them up to 7x7; on 8x8 one in `SAMPLED`, because all of them take
/// `isolde table verify` most of an hour.
#[test]
fn they_are_true() {
    const SAMPLED: u64 = 512;
    for path in tables() {
        let table = Table::<u64>::open(&path).unwrap();
        let solver = Solver::new(table.board().size(), Settings::default()).unwrap();
        let control = Control::unlimited();
        let symmetries = Symmetries::new(table.board());
        let takes_long = table.board().size().cells() > 49;
        let proven = AtomicU64::new(0);
        let verifier = Verifier {
            mirror: &|duel| mirror(&symmetries, duel).is_some(),
            prove: &|duel| {
                if takes_long && !zobrist::hash(duel).is_multiple_of(SAMPLED) {
                    return Some(Value::Win);
                }
                proven.fetch_add(1, Ordering::Relaxed);
                solver.value(duel, &control).ok()
            },
            derived: &|_| true,
        };
        let verified = solver.install(|| verifier.verify(&table)).unwrap_or_else(|flaw| panic!("{}: {flaw:?}", path.display()));
        assert_eq!(verified.entries, table.len());
        assert_eq!(proven.into_inner() == 0, table.kind() == Kind::Strong, "{}", path.display());
    }
}

/// The player to move wins an opening of 8x8 exactly if both knights stand on one colour, except
/// where the other knight stands on the image of its cell through the centre.
#[test]
fn the_colour_law_holds_on_8x8_except_for_images_through_the_centre() {
    let size = Size::new(8, 8).unwrap();
    let openings = Openings::in_tables(&Tables::open(size, &[project().join("tables/8x8-opening.isolde")]));
    let mut exceptions = 0;
    for (opening, found) in openings.iter() {
        let colour = |cell: Cell| (cell.index() / 8 + cell.index() % 8) % 2;
        let law = if colour(opening.first) == colour(opening.second) { Player::First } else { Player::Second };
        let is_image = opening.first.index() + opening.second.index() == 63;
        assert_eq!(found.winner() == Some(law), !is_image, "{opening:?}: {:?}", found.winner());
        exceptions += usize::from(is_image);
    }
    assert_eq!((openings.iter().count(), exceptions), (64 * 63, 64));
}

/// The solver knows nothing of the table, and they agree about random positions, plies included.
#[test]
fn the_solver_agrees_about_5x5() {
    let table = open("5x5-strong.isolde");
    let solver = Solver::new(Size::new(5, 5).unwrap(), Settings::default()).unwrap();
    let control = Control::unlimited();
    let entries: Vec<_> = table.entries().map(Result::unwrap).collect();
    let mut runner = TestRunner::new(Config::with_cases(400));
    runner
        .run(&proptest::arbitrary::any::<proptest::sample::Index>(), |index| {
            let (duel, proven) = *index.get(&entries);
            assert_eq!(Entry::Outcome(solver.outcome(duel, &control).unwrap()), proven, "{duel:?}");
            Ok(())
        })
        .unwrap();
}

/// Following an opening table against random replies, its winner finds every move there, until a
/// mirror or a short search leads on. Returns the most nodes of such a search.
fn longest_search_below(name: &str) -> u64 {
    let table = open(name);
    let solver = Solver::new(table.board().size(), Settings::default()).unwrap();
    let (board, depth, symmetries) = (table.board(), table.depth(), Symmetries::new(table.board()));
    let decided_by_mirror = |duel: Duel<u64>| mirror(&symmetries, duel.without_dead_cells(board)).is_some();
    let (mut searches, mut mirrors, mut most) = (0, 0, 0);
    for (number, opening) in table.metadata().unwrap().coverage.duels(board).into_iter().enumerate() {
        let mut seed = number as u64;
        let mut reply = |duel: Duel<u64>| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let replies: Vec<_> = duel.moves(board).into_iter().collect();
            duel.play_unchecked(replies[(seed >> 33) as usize % replies.len()])
        };
        let mut losers_turn = match table.look_up(opening).unwrap().unwrap() {
            Entry::Won(to) => opening.play_unchecked(to),
            _ => opening,
        };
        while !decided_by_mirror(losers_turn) && !losers_turn.moves(board).is_empty() {
            let winners_turn = reply(losers_turn);
            if winners_turn.live(board).len() <= depth {
                let control = Control::unlimited();
                assert!(matches!(solver.choice(winners_turn, &control), Ok(Choice::Win(_))), "{opening:?} is thrown away");
                most = most.max(control.nodes());
                searches += 1;
                break;
            }
            let Ok(Some(Entry::Won(to))) = table.look_up(winners_turn) else {
                panic!("the strategy of {opening:?} ends too early");
            };
            losers_turn = winners_turn.play_unchecked(to);
        }
        mirrors += usize::from(decided_by_mirror(losers_turn));
    }
    assert!(searches > 250 && mirrors > 0, "{searches} searches, {mirrors} mirrors");
    most
}

#[test]
fn an_opening_table_leads_its_winner_to_where_a_search_is_short() {
    // A tenth of a second for a slow machine that searches two million positions in a second.
    let most = longest_search_below("7x7-opening.isolde");
    assert!(most < 200_000, "7x7: {most} nodes");
    // A tenth of a second for a machine that searches nine million.
    let most = longest_search_below("8x8-opening.isolde");
    assert!(most < 900_000, "8x8: {most} nodes");
}

/// Runs a few lines of Python that use the package's reader.
fn python_says(python: &Path, code: &str, table: &Path, arguments: &[String]) -> String {
    let mut command = Command::new(python);
    command.args(["-B", "-c", code]).arg(table).args(arguments).env("PYTHONPATH", project().join("python"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Prints every entry as numbers.
const ENTRIES: &str = "
import sys
from isolde.tables import Table
with Table(sys.argv[1]) as table:
    for entry in table.numbers():
        print(*entry, sep=',')
";

/// Prints the value of one position, or that it is absent.
const LOOK_UP: &str = "
import sys
from isolde.tables import Table
with Table(sys.argv[1]) as table:
    found = table.look_up(*map(int, sys.argv[2:]))
    print('absent' if found is None else found[0])
";

/// The reader in Python says of every entry what the program says.
#[test]
fn the_reader_in_python_reads_the_same() {
    let Some(python) = skipped::python("the_reader_in_python_reads_the_same", None) else { return };
    for name in ["3x4-strong.isolde", "3x6-strong.isolde", "4x4-strong.isolde", "6x6-opening.isolde", "7x7-opening.isolde"] {
        let table = open(name);
        let number = |duel: isolde::Duel<u64>, proven| match proven {
            Entry::Outcome(outcome) => outcome.plies(),
            Entry::Lost => 0,
            Entry::Won(to) => 1 + table.board().knight_moves(duel.mover).into_iter().position(|cell| cell == to).unwrap(),
        };
        let mut expected = String::new();
        for (duel, proven) in table.entries().map(Result::unwrap) {
            let (mover, other, free) = (duel.mover.index(), duel.other.index(), duel.free.word());
            writeln!(expected, "{mover},{other},{free},{}", number(duel, proven)).unwrap();
        }
        let said = python_says(&python, ENTRIES, table.path(), &[]);
        assert!(said == expected, "{name}: the reader in Python reads something else");
    }
}

/// And it looks positions up that are neither canonical nor free of dead cells.
#[test]
fn the_reader_in_python_finds_the_same() {
    let Some(python) = skipped::python("the_reader_in_python_finds_the_same", None) else { return };
    let table = open("4x4-strong.isolde");
    let board = table.board();
    let mut looked: BTreeMap<bool, usize> = BTreeMap::new();
    for number in 0..60_usize {
        let (mover, other) = (number % 16, (number * 7 + 3) % 16);
        if mover == other {
            continue;
        }
        let cells = |cell| isolde::Cell::new(cell);
        let pattern =
            isolde::Cells::<u64>::from_word((number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 17 | 0x1111 << (number % 4));
        let free = (pattern & board.cells()).without(cells(mover)).without(cells(other));
        let duel = isolde::Duel { mover: cells(mover), other: cells(other), free };
        let asked = [mover.to_string(), other.to_string(), free.word().to_string()];
        let said = python_says(&python, LOOK_UP, table.path(), &asked);
        let expected = table.look_up(duel).unwrap().map_or("absent".to_string(), |proven| proven.plies().unwrap().to_string());
        assert_eq!(said.trim(), expected, "{duel:?}");
        *looked.entry(expected == "absent").or_default() += 1;
    }
    assert!(looked.len() == 2, "only {looked:?}");
}

/// The solver, without tables, finds the winner of every opening that the tables of boards up to 42
/// cells hold.
#[test]
fn the_solver_without_tables_agrees_about_every_opening() {
    let mut boards = 0;
    for path in tables() {
        let size = AnyTable::open(&path).unwrap().size();
        if size.cells() > 42 {
            continue;
        }
        let in_table = Openings::in_tables(&Tables::open(size, &[path]));
        let analyst = Analyst::new(Settings::default(), &Tables::none(size)).unwrap();
        let solved = analyst.openings(&Position::empty(size), Question::Winner, &Control::unlimited(), || {});
        assert!(in_table.is_complete() && solved.is_complete(), "{size}");
        for ((opening, expected), (_, found)) in in_table.iter().zip(solved.iter()) {
            assert_eq!(found.winner(), expected.winner(), "{size}: {opening:?}");
        }
        boards += 1;
    }
    assert!(boards >= 16);
}
