//! Tables written from what the oracle says: nothing in them was solved by the program.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use isolde::table::{Coverage, Entry, Kind, Plan, write};
use isolde::{Board, Cell, Cells, Duel, Outcome, Size, Symmetries, Value};

use super::naive::EveryDuel;

pub fn outcome(every: &EveryDuel, duel: Duel<u64>) -> Outcome {
    Outcome::after(every.plies(duel.free.word() as usize, duel.mover.index(), duel.other.index()))
}

fn write_table(size: Size, kind: Kind, depth: u8, entries: &BTreeMap<Duel<u64>, Entry>, folder: &Path) -> PathBuf {
    let path = folder.join(format!("{size}-{kind}.isolde"));
    let plan = Plan { size, kind, depth, command: "a test".to_string(), coverage: Coverage::All };
    let beside = folder.join("beside");
    write(&plan, || entries.iter().map(|(&duel, &proven)| (duel, proven)), &path, &beside, &|| true).unwrap();
    let _ = fs::remove_file(beside);
    path
}

/// Every duel of a board with its outcome.
pub fn strong_table(size: Size, every: &EveryDuel, folder: &Path) -> PathBuf {
    let board = Board::<u64>::new(size).unwrap();
    let symmetries = Symmetries::new(&board);
    let mut entries = BTreeMap::new();
    for (free, mover, other) in every.duels() {
        let duel = Duel { mover: Cell::new(mover), other: Cell::new(other), free: Cells::from_word(free as u64) };
        if symmetries.canonical(&board, duel).duel == duel {
            entries.insert(duel, Entry::Outcome(outcome(every, duel)));
        }
    }
    write_table(size, Kind::Strong, 0, &entries, folder)
}

/// The openings of a board with their winners, and the winner's moves down to so many live cells:
/// always the last move that wins, so that a table's move can be told from the first that a search
/// would find.
pub fn opening_table(size: Size, every: &EveryDuel, depth: u8, folder: &Path) -> PathBuf {
    let board = Board::<u64>::new(size).unwrap();
    let symmetries = Symmetries::new(&board);
    let mut entries = BTreeMap::new();
    let mut waiting: Vec<Duel<u64>> = Coverage::All.duels(&board);
    while let Some(duel) = waiting.pop() {
        let duel = symmetries.canonical(&board, duel).duel;
        let opening = duel.live(&board).len() + 2 == size.cells();
        if entries.contains_key(&duel) || !(opening || duel.live(&board).len() > usize::from(depth)) {
            continue;
        }
        let wins = |&to: &Cell| outcome(every, duel.play_unchecked(to)).value() == Value::Loss;
        match duel.moves(&board).into_iter().filter(wins).last() {
            Some(to) => {
                entries.insert(duel, Entry::Won(to));
                let next = duel.play_unchecked(to);
                waiting.extend(next.moves(&board).into_iter().map(|to| next.play_unchecked(to)));
            }
            None => {
                entries.insert(duel, Entry::Lost);
                waiting.extend(duel.moves(&board).into_iter().map(|to| duel.play_unchecked(to)));
            }
        }
    }
    write_table(size, Kind::Opening, depth, &entries, folder)
}
