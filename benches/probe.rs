//! How long a look into a table takes: `cargo bench --bench probe`.
//!
//! Random entries of the strong table of 5x5 in `tables/`, in an order that has nothing to do with the table's. Each look is checked.

use std::path::Path;

use divan::Bencher;
use divan::counter::ItemsCount;
use isolde::table::{Proven, Table};
use isolde::{Duel, Symmetries};

fn main() {
    divan::main();
}

fn table() -> Table<u64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/5x5-strong.isolde");
    Table::open(&path).expect("the table is part of the project")
}

/// How many different entries are asked for, again and again: such as the processor's caches hold, and such as they do not.
const ENTRIES: [usize; 2] = [1 << 13, 1 << 20];

/// Drawn by multiplying: neighbours here are far apart there.
fn shuffled(table: &Table<u64>, entries: usize) -> Vec<(Duel<u64>, Proven)> {
    let all: Vec<_> = table.entries().map(|entry| entry.expect("the table is sound")).collect();
    (0..entries).map(|index| all[index.wrapping_mul(0x9e37_79b9_7f4a_7c15) % all.len()]).collect()
}

/// Canonical duels: the search in the file alone.
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

/// Duels as they come up in play: dead cells are cleared and the least image is found first.
#[divan::bench(args = ENTRIES)]
fn any_orientation(bencher: Bencher<'_, '_>, entries: usize) {
    let table = table();
    let symmetries = Symmetries::new(table.board());
    let turned = |(index, (duel, proven)): (usize, (Duel<u64>, Proven))| {
        let symmetry = symmetries.iter().nth(index % symmetries.iter().len()).expect("a symmetry of the board");
        (symmetries.duel(symmetry, duel), proven)
    };
    let asked: Vec<_> = shuffled(&table, entries).into_iter().enumerate().map(turned).collect();
    bencher.counter(ItemsCount::new(entries)).bench_local(|| {
        for &(duel, proven) in &asked {
            assert_eq!(table.look_up(duel), Ok(Some(proven)));
        }
    });
}

/// A table is opened: header and codes.
#[divan::bench]
fn open() -> u64 {
    table().len()
}
