//! Answers about positions, compared with the naive oracle: winners, plies, every move, the order, the line, and where it comes from.

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use common::folder;
use common::naive::{EveryDuel, Recursion};
use common::tables::{opening_table, outcome, strong_table};
use isolde::table::Shelf;
use isolde::{
    Analysis, Analyst, Cell, Control, Origin, Outcome, Player, Position, Question, Settings, Setup, Size, Symmetries, Symmetry,
    Value, notation,
};
use proptest::prelude::*;

type Place = Position<u64>;

fn size(files: usize, ranks: usize) -> Size {
    Size::new(files, ranks).unwrap()
}

fn analyst(size: Size, threads: usize, folders: &[&Path]) -> Analyst<u64> {
    let folders: Vec<_> = folders.iter().map(|folder| folder.to_path_buf()).collect();
    let settings = Settings { threads: threads.try_into().unwrap(), memory: Settings::LEAST_MEMORY };
    let shelf = Shelf::open(size, &folders);
    assert!(shelf.take_faults().is_empty());
    Analyst::new(size, settings, shelf).unwrap()
}

fn analyse(analyst: &Analyst<u64>, position: &Place, question: Question) -> Analysis {
    analyst.analyse(position, question, &Arc::new(Control::unlimited()))
}

fn without_time(analyst: &Analyst<u64>, position: &Place) -> Analysis {
    analyst.analyse(position, Question::Distance, &Arc::new(Control::with_time(Some(Duration::ZERO))))
}

/// What the oracle says, of placements too.
fn expected(every: &EveryDuel, position: &Place) -> Outcome {
    match position.duel() {
        Some(duel) => outcome(every, duel),
        None => {
            let after = |to| expected(every, &position.play_unchecked(to)).one_ply_before();
            position.legal_moves().into_iter().map(after).max().unwrap_or(Outcome::OVER)
        }
    }
}

/// Everything that an answer with plies says.
fn check(analysis: &Analysis, position: &Place, every: &EveryDuel) {
    let truth = expected(every, position);
    let shown = position.setup().to_string();
    let finding = analysis.finding.as_ref().unwrap();
    assert_eq!((finding.value, finding.plies()), (truth.value(), Some(truth.plies())), "{shown}");
    assert_eq!(analysis.winner(), Some(if truth.value() == Value::Win { position.turn() } else { !position.turn() }), "{shown}");
    let moves: Vec<Outcome> =
        analysis.moves.iter().map(|judged| Outcome::after(judged.finding.as_ref().unwrap().plies().unwrap())).collect();
    assert!(moves.is_sorted_by(|a, b| a >= b), "{shown}: {moves:?}");
    let mut cells: Vec<Cell> = analysis.moves.iter().map(|judged| judged.to).collect();
    for (judged, outcome) in analysis.moves.iter().zip(&moves) {
        assert_eq!(*outcome, expected(every, &position.play(judged.to).unwrap()).one_ply_before(), "{shown}");
        assert_eq!(judged.finding.as_ref().unwrap().value, outcome.value(), "{shown}");
    }
    cells.sort();
    assert_eq!(cells, position.legal_moves().into_iter().collect::<Vec<_>>(), "{shown}");
    assert_eq!((analysis.line.len(), analysis.line_complete), (truth.plies(), true), "{shown}");
    assert_eq!(analysis.best().map(|best| best.to), analysis.line.first().copied(), "{shown}");
    let mut at = position.clone();
    for &to in &analysis.line {
        let next = at.play(to).unwrap();
        assert_eq!(expected(every, &next).one_ply_before(), expected(every, &at), "{shown}: a step of the line is not the best");
        at = next;
    }
    assert!(at.winner().is_some());
}

/// The positions of random games: from the given start to the end.
fn positions(start: &Place, games: usize, seed: u64) -> Vec<Place> {
    let mut random = seed;
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut at = start.clone();
        while at.winner().is_none() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let moves: Vec<Cell> = at.legal_moves().into_iter().collect();
            at = at.play(moves[(random >> 33) as usize % moves.len()]).unwrap();
            positions.push(at.clone());
        }
    }
    positions
}

#[test]
fn answers_are_those_of_the_oracle() {
    for (files, ranks, games) in [(1, 1, 1), (1, 4, 3), (3, 3, 20), (3, 4, 30), (3, 5, 10), (4, 4, 15)] {
        let size = size(files, ranks);
        let every = EveryDuel::new(files, ranks);
        let analyst = analyst(size, 1, &[]);
        let empty = Position::empty(size);
        check(&analyse(&analyst, &empty, Question::Distance), &empty, &every);
        for position in positions(&empty, games, 7) {
            let analysis = analyse(&analyst, &position, Question::Distance);
            check(&analysis, &position, &every);
            assert!(analysis.tables.is_empty());
        }
    }
}

#[test]
fn winners_alone_are_right_too_and_so_is_their_line() {
    let size = size(4, 5);
    let analyst = analyst(size, 2, &[]);
    let mut naive = Recursion::new(4, 5);
    let mut wins = |position: &Place| {
        let duel = position.duel().unwrap();
        naive.mover_wins(duel.free.word(), duel.mover.index(), duel.other.index())
    };
    for position in positions(&Position::empty(size), 12, 3).iter().filter(|position| position.duel().is_some()) {
        let analysis = analyse(&analyst, position, Question::Winner);
        assert_eq!(analysis.finding.as_ref().unwrap().value, Value::win_if(wins(position)));
        for judged in &analysis.moves {
            let value = judged.finding.as_ref().unwrap().value;
            assert_eq!(value, Value::win_if(!wins(&position.play(judged.to).unwrap())));
        }
        let mut at = position.clone();
        for &to in &analysis.line {
            let next = at.play(to).unwrap();
            assert_eq!(wins(&at), !wins(&next), "the winner keeps the win");
            at = next;
        }
        assert_eq!((analysis.line_complete, at.winner()), (true, analysis.winner()));
    }
}

#[test]
fn a_strong_table_gives_the_same_answers_without_a_search() {
    let folder = folder();
    let (size, every) = (size(3, 4), EveryDuel::new(3, 4));
    let path = strong_table(size, &every, folder.path());
    let (with, without) = (analyst(size, 1, &[folder.path()]), analyst(size, 1, &[]));
    let empty = Position::empty(size);
    for position in positions(&empty, 25, 1).iter().chain([&empty]) {
        let analysis = without_time(&with, position);
        check(&analysis, position, &every);
        assert_eq!(analysis.nodes, 0);
        let solved = analyse(&without, position, Question::Distance);
        assert_eq!(analysis.line, solved.line, "a table changes no answer");
        let order = |analysis: &Analysis| analysis.moves.iter().map(|judged| judged.to).collect::<Vec<_>>();
        assert_eq!(order(&analysis), order(&solved));
        let origin = analysis.finding.unwrap().origin;
        match (position.winner(), position.duel()) {
            (Some(_), _) => assert_eq!(origin, Origin::Over),
            (None, Some(_)) => assert_eq!((origin, &analysis.tables), (Origin::Table(path.clone()), &vec![path.clone()])),
            (None, None) => assert_eq!(origin, Origin::Moves),
        }
    }
}

#[test]
fn an_opening_table_tells_winners_where_either_side_is_to_move() {
    let folder = folder();
    let (size, every) = (size(4, 4), EveryDuel::new(4, 4));
    let path = opening_table(size, &every, 4, folder.path());
    let (with, without) = (analyst(size, 1, &[folder.path()]), analyst(size, 1, &[]));
    let table = Origin::Table(path);
    let empty = Position::empty(size);
    let start = without_time(&with, &empty);
    assert_eq!(start.winner(), without.analyse(&empty, Question::Winner, &Arc::new(Control::unlimited())).winner());
    assert_eq!((start.finding.as_ref().unwrap().origin.clone(), start.moves.len()), (Origin::Moves, 16));
    assert!(start.moves.iter().all(|judged| judged.finding.is_some()));
    for opening in positions(&empty, 60, 5).iter().filter(|position| position.free().len() == 14) {
        let analysis = without_time(&with, opening);
        let truth = expected(&every, opening);
        let finding = analysis.finding.as_ref().unwrap();
        assert_eq!((finding.value, &finding.origin), (truth.value(), &table));
        // Somebody without time knows at least what the table knows: the winner, and the winning move, which comes first.
        let best = analysis.best().unwrap();
        let next = opening.play(best.to).unwrap();
        assert_eq!(expected(&every, &next).one_ply_before().value(), truth.value());
        assert_eq!(best.finding.as_ref().unwrap().value, truth.value());
        if truth.value() == Value::Win {
            assert_eq!(best.finding.as_ref().unwrap().origin, table);
            // The loser is to move: the position is not in the table, but whatever follows is.
            let lost = without_time(&with, &next);
            assert_eq!(
                lost.finding.as_ref().map(|finding| (finding.value, finding.origin.clone())),
                Some((Value::Loss, Origin::Moves))
            );
            assert!(lost.line.len() > 3);
        }
        assert_eq!(analysis.nodes, 0);
        let analysis = analyse(&with, opening, Question::Distance);
        check(&analysis, opening, &every);
        let finding = analysis.finding.unwrap();
        assert_eq!((finding.origin, finding.count.unwrap().origin), (table.clone(), Origin::Solved));
        check(&analyse(&without, opening, Question::Distance), opening, &every);
    }
}

#[test]
fn a_shelf_has_the_tables_of_one_board_and_asks_the_strong_ones_first() {
    let folder = folder();
    let (size, every) = (size(3, 4), EveryDuel::new(3, 4));
    let paths = [strong_table(size, &every, folder.path()), opening_table(size, &every, 4, folder.path())];
    let shelf = Shelf::<u64>::open(size, &[folder.path().to_path_buf(), folder.path().join("missing")]);
    assert_eq!(shelf.tables().map(|table| table.path().to_path_buf()).collect::<Vec<_>>(), paths);
    assert_eq!(shelf.take_faults().len(), 1, "the folder that is not there");
    assert!(shelf.take_faults().is_empty(), "everything is told once");
    let duel = Place::new(notation::parse("3x4: a1 b3").unwrap()).unwrap().duel().unwrap();
    let (proven, table) = shelf.look_up(duel).unwrap();
    assert_eq!((proven.plies(), table.path()), (Some(outcome(&every, duel).plies()), paths[0].as_path()));
    assert_eq!(Shelf::<u64>::open(Size::new(4, 4).unwrap(), &[folder.path().to_path_buf()]).tables().count(), 0);
    // Files and ranks exchanged, the same tables serve.
    let turned = Shelf::<u64>::open(Size::new(4, 3).unwrap(), &[folder.path().to_path_buf()]);
    let duel = Place::new(notation::parse("4x3: a1 c2").unwrap()).unwrap().duel().unwrap();
    assert_eq!(turned.look_up(duel).map(|(proven, table)| (proven, table.path())), Some((proven, paths[0].as_path())));
}

#[test]
fn mirrors_and_separated_regions_are_named() {
    let origin = |position: &str| {
        let position = Place::new(notation::parse(position).unwrap()).unwrap();
        analyse(&analyst(position.size(), 1, &[]), &position, Question::Winner).finding.unwrap().origin
    };
    assert_eq!(origin("8x8: a1 h8"), Origin::Mirror(Symmetry::Center));
    assert_eq!(origin("8x8: a1 h1"), Origin::Mirror(Symmetry::Vertical));
    assert_eq!(origin("8x8: a1 a8"), Origin::Mirror(Symmetry::Horizontal));
    assert_eq!(origin("8x8: a1 h8 b3"), Origin::Moves, "whoever can answer with the image wins");
    let mirrored = Place::new(notation::parse("4x4: a1 d4").unwrap()).unwrap();
    let analysis = analyse(&analyst(mirrored.size(), 1, &[]), &mirrored, Question::Distance);
    for finding in analysis.moves.iter().map(|judged| judged.finding.as_ref().unwrap()) {
        assert_eq!(
            (&finding.origin, &finding.count.as_ref().unwrap().origin),
            (&Origin::Moves, &Origin::Solved),
            "counting changes no origin"
        );
    }
    assert_eq!(origin("3**3/3**3/N2**1n1/3**3 w"), Origin::Separated);
    assert_eq!(origin("5x5: a1 c3"), Origin::Solved);
}

#[test]
fn nothing_is_guessed_when_there_is_no_time() {
    let position = Place::new(notation::parse("7x7: b2 d5").unwrap()).unwrap();
    let analysis = without_time(&analyst(position.size(), 1, &[]), &position);
    assert_eq!((&analysis.finding, analysis.plies(), analysis.winner(), analysis.best()), (&None, None, None, None));
    assert!(analysis.moves.iter().all(|judged| judged.finding.is_none()));
    assert_eq!((analysis.moves.len(), analysis.line.len(), analysis.line_complete), (4, 0, false));
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let size = size(5, 5);
    let (one, two) = (analyst(size, 1, &[]), analyst(size, 2, &[]));
    for position in positions(&Position::empty(size), 2, 11).iter().filter(|position| position.duel().is_some()) {
        let same = |analysis: Analysis| (analysis.finding, analysis.moves, analysis.line);
        assert_eq!(same(analyse(&one, position, Question::Distance)), same(analyse(&two, position, Question::Distance)));
    }
}

fn image(symmetries: &Symmetries<u64>, symmetry: Symmetry, position: &Place) -> Place {
    let setup = position.setup();
    let cell = |cell| symmetries.cell(symmetry, cell);
    let blocked = symmetries.set(symmetry, setup.blocked.convert()).convert();
    Place::new(Setup { blocked, knights: setup.knights.map(|knight| knight.map(cell)), ..setup }).unwrap()
}

/// The moves of an answer, whatever their order.
fn by_cell<T: Copy>(moves: &[(Cell, T)]) -> BTreeMap<Cell, T> {
    moves.iter().copied().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// The image of the answer is the answer about the image: every move with its outcome; and where the position itself has no symmetry, the order
    /// and the line to the letter.
    #[test]
    fn images_have_images_of_one_answer(
        (files, ranks) in prop::sample::select(vec![(4, 4), (3, 5), (5, 5), (4, 5)]),
        seed: u64,
        plies in 2..9_usize,
        question in prop::sample::select(vec![Question::Winner, Question::Distance]),
    ) {
        let size = size(files, ranks);
        let game = positions(&Position::empty(size), 1, seed);
        let position = &game[plies.min(game.len() - 1)];
        let analyst = analyst(size, 1, &[]);
        let symmetries = Symmetries::new(position.board());
        let own = analyse(&analyst, position, question);
        let live = position.duel().unwrap().without_dead_cells(position.board());
        let asymmetric = symmetries.iter().filter(|&symmetry| symmetries.duel(symmetry, live) == live).count() == 1;
        for symmetry in symmetries.iter() {
            let other = analyse(&analyst, &image(&symmetries, symmetry, position), question);
            let outcome = |finding: &Option<isolde::Finding>| finding.as_ref().map(|finding| (finding.value, finding.plies()));
            prop_assert_eq!(outcome(&other.finding), outcome(&own.finding));
            let mapped: Vec<_> = own.moves.iter().map(|judged| (symmetries.cell(symmetry, judged.to), outcome(&judged.finding))).collect();
            let found: Vec<_> = other.moves.iter().map(|judged| (judged.to, outcome(&judged.finding))).collect();
            prop_assert_eq!(by_cell(&mapped), by_cell(&found));
            prop_assert_eq!(own.line.len(), other.line.len());
            if asymmetric {
                prop_assert_eq!(mapped, found);
                let line: Vec<Cell> = own.line.iter().map(|&to| symmetries.cell(symmetry, to)).collect();
                prop_assert_eq!(line, other.line);
            }
        }
    }
}

#[test]
fn the_shape_is_written_as_data() {
    let position = Place::new(notation::parse("3x4: a1 b3").unwrap()).unwrap();
    let analysis = analyse(&analyst(position.size(), 1, &[]), &position, Question::Distance);
    let data = serde_json::to_value(&analysis).unwrap();
    assert_eq!((&data["board"], &data["position"], &data["turn"]), (&"3x4".into(), &"3/1n1/3/N2 w".into(), &"first".into()));
    assert_eq!(data["winner"], analysis.winner().map(Player::name).unwrap());
    assert_eq!((&data["move"], &data["plies"]), (&data["line"][0], &analysis.line.len().into()));
    assert_eq!(data["moves"][0]["move"], data["move"]);
}
