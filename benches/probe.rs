//! The time of a table lookup: `cargo bench --bench probe`.
//!
//! Looks up random entries of the strong table of 5x5 in `tables/`, in an order unrelated to that
//! of the table. Every result is checked. At the end, whole analyses from tables and mirrors.

use std::path::Path;
use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use isolde::table::{Entry, Table};
use isolde::{Analyst, Control, Duel, Position, Request, Settings, Symmetries, Tables};

fn main() {
    divan::main();
}

fn table() -> Table<u64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/5x5-strong.isolde");
    Table::open(&path).expect("the table is part of the repository")
}

/// How many different entries are looked up, over and over: a number that fits in the processor's
/// caches, and one that does not.
const ENTRIES: [usize; 2] = [1 << 13, 1 << 20];

/// Entries in scrambled order: a multiplication puts neighbours far apart.
fn shuffled(table: &Table<u64>, entries: usize) -> Vec<(Duel<u64>, Entry)> {
    let all: Vec<_> = table.entries().map(|entry| entry.expect("the table is not damaged")).collect();
    (0..entries).map(|index| all[index.wrapping_mul(0x9e37_79b9_7f4a_7c15) % all.len()]).collect()
}

/// Canonical duels: only the search in the file.
#[divan::bench(args = ENTRIES)]
fn canonical(bencher: Bencher<'_, '_>, entries: usize) {
    let table = table();
    let asked = shuffled(&table, entries);
    bencher.counter(ItemsCount::new(entries)).bench_local(|| {
        for &(duel, proven) in &asked {
            assert_eq!(table.probe(duel), Ok(Some(proven)));
        }
    });
}

/// Duels as they come up in play: the lookup first clears dead cells and finds the least image.
#[divan::bench(args = ENTRIES)]
fn any_orientation(bencher: Bencher<'_, '_>, entries: usize) {
    let table = table();
    let symmetries = Symmetries::new(table.board());
    let turned = |(index, (duel, proven)): (usize, (Duel<u64>, Entry))| {
        let symmetry = symmetries.iter().nth(index % symmetries.iter().len()).expect("the index is in range");
        (symmetries.duel(symmetry, duel), proven)
    };
    let asked: Vec<_> = shuffled(&table, entries).into_iter().enumerate().map(turned).collect();
    bencher.counter(ItemsCount::new(entries)).bench_local(|| {
        for &(duel, proven) in &asked {
            assert_eq!(table.look_up(duel), Ok(Some(proven)));
        }
    });
}

/// Opens a table, which reads the header and the codes.
#[divan::bench]
fn open() -> u64 {
    table().len()
}

/// Positions, and how many plies their lines have. A strong table has everything, an opening table
/// or a mirror only the winners.
const AT_HAND: [(&str, usize); 4] = [("5x5: a1 c3", 15), ("5x5", 18), ("7x7: d4 b3", 33), ("8x8", 50)];

/// An analysis without a search: every move and the line.
#[divan::bench(args = AT_HAND)]
fn analysis(bencher: Bencher<'_, '_>, (text, plies): (&str, usize)) {
    let position: Position = text.parse().expect("it is a position");
    let tables = Tables::open(position.size(), &[Path::new(env!("CARGO_MANIFEST_DIR")).join("tables")]);
    let analyst = Analyst::new(Settings::default(), &tables).expect("there is enough memory");
    let stopped = Arc::new(Control::unlimited());
    stopped.stop();
    bencher.bench_local(|| {
        let analysis = analyst.analyse(&position, Request::everything(), &stopped, |_| {});
        assert_eq!((analysis.line.len(), analysis.nodes), (plies, 0));
        assert!(analysis.winner().is_some());
    });
}
