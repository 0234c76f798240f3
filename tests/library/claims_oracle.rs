//! The figures of claims about all positions of small boards, counted again by the oracle.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use crate::support::generators::position;
use crate::support::naive::EveryDuel;
use crate::support::oracle::{At, Game};
use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use isolde::{Board, Duel, Size, Symmetries};
use serde_json::Value;

/// The first table of each reading of a claim, as rows by board.
fn tables(id: &str) -> Vec<HashMap<String, Vec<Value>>> {
    let answered = Command::new(cargo_bin!("isolde")).args(["claims", id, "--json"]).assert().code(0);
    let data: Value = serde_json::from_slice(&answered.get_output().stdout).unwrap();
    let rows = |reading: &Value| {
        let rows = reading["evidence"][0]["table"]["rows"].as_array().unwrap().iter().map(|row| row.as_array().unwrap().clone());
        rows.map(|row| (row[0].as_str().unwrap().to_string(), row)).collect()
    };
    data["readings"].as_array().unwrap().iter().map(rows).collect()
}

/// Every position that play leads to, one for all its images, and whether its mover wins.
fn positions(files: usize, ranks: usize) -> Vec<(Game, bool)> {
    let symmetries = Symmetries::new(&Board::<u64>::new(Size::new(files, ranks).unwrap()).unwrap());
    let every = EveryDuel::new(files, ranks);
    let empty = Game::empty(files as i32, ranks as i32);
    let mut found: HashMap<Duel<u64>, (Game, bool)> = HashMap::new();
    let openings = empty.moves().into_iter().map(|first| empty.after(first));
    let mut waiting: Vec<Game> =
        openings.flat_map(|placed| placed.moves().into_iter().map(move |second| placed.after(second))).collect();
    while let Some(game) = waiting.pop() {
        let duel = position(&game).duel().unwrap();
        let canonical = symmetries.least_image(duel).duel;
        if let Entry::Vacant(place) = found.entry(canonical) {
            let plies = every.plies(duel.free.word() as usize, duel.mover.index(), duel.other.index());
            waiting.extend(game.moves().into_iter().map(|to| game.after(to)));
            place.insert((game, plies % 2 == 1));
        }
    }
    found.into_values().collect()
}

type Image = fn(&Game, At) -> At;

const CENTER: Image = |game, (file, rank)| (game.files - 1 - file, game.ranks - 1 - rank);
const VERTICAL: Image = |game, (file, rank)| (game.files - 1 - file, rank);
const HORIZONTAL: Image = |game, (file, rank)| (file, game.ranks - 1 - rank);
const DIAGONAL: Image = |_, (file, rank)| (rank, file);
const ANTIDIAGONAL: Image = |game, (file, rank)| (game.ranks - 1 - rank, game.files - 1 - file);

/// What "out of play" may mean for the cells that are their own images.
#[derive(Clone, Copy)]
enum Condition {
    Taken,
    TakenDeadAside,
    TakenOrDead,
    NotNext,
}

fn holds(condition: Condition, game: &Game, image: Image) -> bool {
    let [Some(first), Some(second)] = game.knights else { panic!("both knights are placed") };
    let free: BTreeSet<At> = game.cells().into_iter().filter(|&cell| game.is_free(cell)).collect();
    let live: BTreeSet<At> = game.region(first).into_iter().chain(game.region(second)).collect();
    let next: BTreeSet<At> = game.moves_from(first).into_iter().chain(game.moves_from(second)).collect();
    let fixed = |cell: &At| image(game, *cell) == *cell;
    let symmetric = |cells: &BTreeSet<At>| cells.iter().all(|&cell| cells.contains(&image(game, cell)));
    let apart = image(game, first) == second && !game.moves().is_empty();
    apart
        && match condition {
            Condition::Taken => symmetric(&free) && !free.iter().any(fixed),
            Condition::TakenDeadAside => symmetric(&live) && !free.iter().any(fixed),
            Condition::TakenOrDead => symmetric(&live) && !live.iter().any(fixed),
            Condition::NotNext => symmetric(&live) && !next.iter().any(fixed),
        }
}

/// Counts the positions that meet a condition, those in which the player who has just moved wins,
/// and those in which that player is the one whom the claim names.
fn counts(positions: &[(Game, bool)], condition: Condition, images: &[Image], named: usize) -> [u64; 3] {
    let such = positions.iter().filter(|(game, _)| images.iter().any(|&image| holds(condition, game, image)));
    such.fold([0; 3], |[all, wins, is_named], (game, mover_wins)| {
        [all + 1, wins + u64::from(!mover_wins), is_named + u64::from(1 - game.turn == named)]
    })
}

fn compare(
    id: &str,
    boards: &[(usize, usize)],
    conditions: &[Condition],
    images: fn(usize, usize) -> Vec<Image>,
    named: fn(usize) -> usize,
) {
    let tables = tables(id);
    assert_eq!(tables.len(), 2 * conditions.len());
    let mut some = 0;
    for &(files, ranks) in boards {
        let positions = positions(files, ranks);
        for (number, &condition) in conditions.iter().enumerate() {
            let [all, wins, is_named] = counts(&positions, condition, &images(files, ranks), named(ranks));
            for (table, so) in [(2 * number, wins), (2 * number + 1, is_named)] {
                let row = &tables[table][&format!("{files}x{ranks}")];
                assert_eq!((&row[2], &row[3]), (&all.into(), &so.into()), "{id} {files}x{ranks}, reading {}", table + 1);
            }
            some += all;
        }
    }
    assert!(some > 20, "{id}: only {some} positions were compared");
}

#[test]
fn symmetric_positions() {
    let first = |_| 0;
    compare("odd-centre-mirror", &[(3, 3), (3, 5)], &[Condition::Taken, Condition::TakenDeadAside], |_, _| vec![CENTER], first);
    let line = [Condition::Taken, Condition::TakenOrDead, Condition::NotNext];
    let axes = |files: usize, ranks: usize| {
        let odd = [(files, VERTICAL), (ranks, HORIZONTAL)].into_iter().filter(|(side, _)| side % 2 == 1);
        odd.map(|(_, image)| image).collect()
    };
    compare("axis-mirror-odd", &[(3, 3), (3, 4), (3, 5)], &line, axes, first);
    compare("diagonal-mirror", &[(3, 3), (4, 4)], &line, |_, _| vec![DIAGONAL, ANTIDIAGONAL], |ranks| (ranks + 1) % 2);
}

fn longest_walk(game: &Game, from: At) -> usize {
    let mut alone = game.clone();
    alone.turn = 0;
    alone.knights[0] = Some(from);
    alone.moves().into_iter().map(|to| 1 + longest_walk(&alone.after(to), to)).max().unwrap_or(0)
}

#[test]
fn islands() {
    let tables = tables("biggest-island");
    for (files, ranks) in [(3, 3), (3, 4), (3, 5), (4, 4)] {
        let mut counts = [[0_u64; 2]; 2];
        for (game, mover_wins) in positions(files, ranks) {
            let knights = [game.knights[game.turn].unwrap(), game.knights[1 - game.turn].unwrap()];
            let regions = knights.map(|knight| game.region(knight));
            if regions.iter().any(Vec::is_empty) || regions[0].iter().any(|cell| regions[1].contains(cell)) {
                continue;
            }
            let walks = knights.map(|knight| longest_walk(&game, knight));
            for (count, [own, others]) in counts.iter_mut().zip([[regions[0].len(), regions[1].len()], walks]) {
                count[0] += u64::from(own != others);
                count[1] += u64::from(own != others && mover_wins == (own > others));
            }
        }
        for (table, [all, larger_wins]) in tables.iter().zip(counts) {
            let row = &table[&format!("{files}x{ranks}")];
            assert_eq!((&row[1], &row[2]), (&all.into(), &larger_wins.into()), "{files}x{ranks}");
        }
    }
}
