//! Answers about positions, compared with the naive oracle: winners, plies, every move, the order,
//! the line, and where it comes from.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::support::folder;
use crate::support::naive::{EveryDuel, Recursion};
use crate::support::tables::{opening_table, outcome, strong_table};
use isolde::{
    Analysis, Analyst, Board, Cell, Cells, Control, Duel, Origin, Player, Position, Request, Settings, Setup, Size, Symmetries,
    Symmetry, Tables, Value,
};
use proptest::prelude::*;

pub(crate) type Place = Position;

fn size(files: usize, ranks: usize) -> Size {
    Size::new(files, ranks).unwrap()
}

pub(crate) fn analyst(size: Size, threads: usize, folders: &[&Path]) -> Analyst {
    let folders: Vec<_> = folders.iter().map(|folder| folder.to_path_buf()).collect();
    let settings = Settings { threads: threads.try_into().unwrap(), memory: Settings::LEAST_MEMORY };
    let tables = Tables::open(size, &folders);
    assert!(tables.take_faults().is_empty());
    Analyst::new(settings, &tables).unwrap()
}

pub(crate) fn analyse(analyst: &Analyst, position: &Place, request: Request) -> Analysis {
    analyst.analyse(position, request, &Arc::new(Control::unlimited()), |_| {})
}

fn without_time(analyst: &Analyst, position: &Place) -> Analysis {
    analyst.analyse(position, Request::everything(), &Arc::new(Control::with_time(Some(Duration::ZERO))), |_| {})
}

/// A value and a number of plies. Greater is better for the mover: a win beats a loss, the winner
/// hurries, the loser delays.
type Truth = (Value, isize);

fn truth(value: Value, plies: usize) -> Truth {
    (value, if value == Value::Win { -(plies as isize) } else { plies as isize })
}

/// What a truth means to the player who moves there: a placement adds no ply.
fn before(position: &Place, (value, plies): Truth) -> Truth {
    truth(!value, plies.unsigned_abs() + usize::from(position.is_duel()))
}

/// What the oracle says, of placements too: plies count after both placements.
fn expected(every: &EveryDuel, position: &Place) -> Truth {
    match position.duel() {
        Some(duel) => {
            let outcome = outcome(every, duel);
            truth(outcome.value(), outcome.plies())
        }
        None => {
            let after = |to| before(position, expected(every, &position.play_unchecked(to)));
            position.legal_moves().into_iter().map(after).max().unwrap_or((Value::Loss, 0))
        }
    }
}

fn told(known: Option<&isolde::Known>) -> Truth {
    let known = known.expect("the outcome is known");
    truth(known.value, known.plies().expect("the plies are counted"))
}

/// Everything that an answer with plies says.
fn check(analysis: &Analysis, position: &Place, every: &EveryDuel) {
    let right = expected(every, position);
    let shown = position.setup().to_string();
    assert_eq!(told(analysis.known.as_ref()), right, "{shown}");
    assert_eq!(analysis.plies(), Some(right.1.unsigned_abs()), "{shown}");
    assert_eq!(analysis.winner(), Some(if right.0 == Value::Win { position.turn() } else { !position.turn() }), "{shown}");
    let moves: Vec<Truth> = analysis.moves.iter().map(|judged| told(judged.known.as_ref())).collect();
    assert!(moves.is_sorted_by(|a, b| a >= b), "{shown}: {moves:?}");
    let mut cells: Vec<Cell> = analysis.moves.iter().map(|judged| judged.to).collect();
    for (judged, outcome) in analysis.moves.iter().zip(&moves) {
        assert_eq!(*outcome, before(position, expected(every, &position.play(judged.to).unwrap())), "{shown}");
    }
    cells.sort();
    assert_eq!(cells, position.legal_moves().into_iter().collect::<Vec<_>>(), "{shown}");
    let missing = Player::BOTH.into_iter().filter(|&player| position.knight(player).is_none()).count();
    let placements = missing.min(position.free().len());
    assert_eq!((analysis.line.len(), analysis.line_complete), (right.1.unsigned_abs() + placements, true), "{shown}");
    assert!(analysis.line_optimal, "{shown}");
    assert_eq!(analysis.best().map(|best| best.to), analysis.line.first().copied(), "{shown}");
    let mut at = position.clone();
    for &to in &analysis.line {
        let next = at.play(to).unwrap();
        assert_eq!(before(&at, expected(every, &next)), expected(every, &at), "{shown}: a step of the line is not the best");
        at = next;
    }
    assert!(at.winner().is_some());
}

/// The positions of random games: from the given start to the end.
pub(crate) fn positions(start: &Place, games: usize, seed: u64) -> Vec<Place> {
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
        check(&analyse(&analyst, &empty, Request::everything()), &empty, &every);
        for position in positions(&empty, games, 7) {
            let analysis = analyse(&analyst, &position, Request::everything());
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
        let duel = position.duel::<u64>().unwrap();
        naive.mover_wins(duel.free.word(), duel.mover.index(), duel.other.index())
    };
    for position in positions(&Position::empty(size), 12, 3).iter().filter(|position| position.is_duel()) {
        let analysis = analyse(&analyst, position, Request::winners());
        assert_eq!(analysis.known.as_ref().unwrap().value, Value::win_if(wins(position)));
        for judged in &analysis.moves {
            let value = judged.known.as_ref().unwrap().value;
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
        let solved = analyse(&without, position, Request::everything());
        assert_eq!(analysis.line, solved.line, "a table changes no answer");
        let order = |analysis: &Analysis| analysis.moves.iter().map(|judged| judged.to).collect::<Vec<_>>();
        assert_eq!(order(&analysis), order(&solved));
        let origin = analysis.known.unwrap().origin;
        match (position.winner(), position.is_duel()) {
            (Some(_), _) => assert_eq!(origin, Origin::Over),
            (None, true) => assert_eq!((origin, &analysis.tables), (Origin::Table(path.as_path().into()), &vec![path.clone()])),
            (None, false) => assert_eq!(origin, Origin::Moves),
        }
    }
}

#[test]
fn an_opening_table_tells_winners_where_either_side_is_to_move() {
    let folder = folder();
    let (size, every) = (size(4, 4), EveryDuel::new(4, 4));
    let path = opening_table(size, &every, 4, folder.path());
    let (with, without) = (analyst(size, 1, &[folder.path()]), analyst(size, 1, &[]));
    let table = Origin::Table(path.into());
    let empty = Position::empty(size);
    let start = without_time(&with, &empty);
    assert_eq!(start.winner(), analyse(&without, &empty, Request::winners()).winner());
    assert_eq!((start.known.as_ref().unwrap().origin.clone(), start.moves.len()), (Origin::Moves, 16));
    assert!(start.moves.iter().all(|judged| judged.known.is_some()));
    for opening in positions(&empty, 60, 5).iter().filter(|position| position.free().len() == 14) {
        let analysis = without_time(&with, opening);
        let (value, _) = expected(&every, opening);
        let known = analysis.known.as_ref().unwrap();
        assert_eq!((known.value, &known.origin), (value, &table));
        // Somebody without time knows at least what the table knows: the winner, and the winning
        // move, which comes first.
        let best = analysis.best().unwrap();
        let next = opening.play(best.to).unwrap();
        assert_eq!(!expected(&every, &next).0, value);
        assert_eq!(best.known.as_ref().unwrap().value, value);
        if value == Value::Win {
            assert_eq!(best.known.as_ref().unwrap().origin, table);
            // The loser is to move: the position is not in the table, but whatever follows is.
            let lost = without_time(&with, &next);
            assert_eq!(lost.known.as_ref().map(|known| (known.value, known.origin.clone())), Some((Value::Loss, Origin::Moves)));
            assert!(lost.line.len() > 3);
        }
        assert_eq!(analysis.nodes, 0);
        let analysis = analyse(&with, opening, Request::everything());
        check(&analysis, opening, &every);
        let known = analysis.known.unwrap();
        assert_eq!((known.origin, known.count.unwrap().origin), (table.clone(), Origin::Solved));
        check(&analyse(&without, opening, Request::everything()), opening, &every);
    }
}

#[test]
fn a_tablebase_has_the_tables_of_one_board_and_asks_the_strong_ones_first() {
    let folder = folder();
    let (size, every) = (size(3, 4), EveryDuel::new(3, 4));
    let paths = [strong_table(size, &every, folder.path()), opening_table(size, &every, 4, folder.path())];
    let tables = Tables::open(size, &[folder.path().to_path_buf(), folder.path().join("missing")]);
    assert_eq!(tables.paths(), paths);
    assert_eq!(tables.take_faults().len(), 1, "the folder that is not there");
    assert!(tables.take_faults().is_empty(), "every fault is reported once");
    let position: Place = "3x4: a1 b3".parse().unwrap();
    let known = tables.look_up(&position).unwrap();
    let plies = outcome(&every, position.duel().unwrap()).plies();
    assert_eq!((known.plies(), &known.origin), (Some(plies), &Origin::Table(paths[0].as_path().into())));
    assert!(Tables::open(Size::new(4, 4).unwrap(), &[folder.path().to_path_buf()]).paths().is_empty());
    // Files and ranks exchanged, the same tables serve.
    let turned = Tables::open(Size::new(4, 3).unwrap(), &[folder.path().to_path_buf()]);
    assert_eq!(turned.look_up(&"4x3: a1 c2".parse().unwrap()), Some(known));
    assert_eq!(turned.look_up(&position), None, "a position of another board");
}

#[test]
fn mirrors_and_separated_regions_are_named() {
    let origin = |position: &str| {
        let position = position.parse::<Place>().unwrap();
        analyse(&analyst(position.size(), 1, &[]), &position, Request::winner()).known.unwrap().origin
    };
    assert_eq!(origin("8x8: a1 h8"), Origin::Mirror(Symmetry::Center));
    assert_eq!(origin("8x8: a1 h1"), Origin::Mirror(Symmetry::Vertical));
    assert_eq!(origin("8x8: a1 a8"), Origin::Mirror(Symmetry::Horizontal));
    assert_eq!(origin("8x8: a1 h8 b3"), Origin::Moves, "whoever can answer with the image wins");
    let mirrored = "4x4: a1 d4".parse::<Place>().unwrap();
    let analysis = analyse(&analyst(mirrored.size(), 1, &[]), &mirrored, Request::everything());
    for known in analysis.moves.iter().map(|judged| judged.known.as_ref().unwrap()) {
        assert_eq!(
            (&known.origin, &known.count.as_ref().unwrap().origin),
            (&Origin::Moves, &Origin::Solved),
            "counting changes no origin"
        );
    }
    assert_eq!(origin("3**3/3**3/N2**1n1/3**3 w"), Origin::Separated);
    assert_eq!(origin("5x5: a1 c3"), Origin::Solved);
}

/// What an answer knows: of the position, and of each move.
fn knowledge(analysis: &Analysis) -> BTreeMap<Option<Cell>, (Value, Option<usize>)> {
    let moves = analysis.moves.iter().map(|judged| (Some(judged.to), judged.known.as_ref()));
    let all = moves.chain([(None, analysis.known.as_ref())]);
    all.filter_map(|(to, known)| known.map(|known| (to, (known.value, known.plies())))).collect()
}

#[test]
fn answers_only_ever_get_better() {
    let size = size(5, 5);
    let analyst = analyst(size, 2, &[]);
    for position in positions(&Position::empty(size), 2, 21).iter().take(24) {
        let mut reports = Vec::new();
        let control = Arc::new(Control::unlimited());
        let last = analyst.analyse(position, Request::everything(), &control, |so_far| reports.push(so_far.clone()));
        assert_eq!(reports[0].nodes, 0, "the first report costs nothing");
        reports.push(last);
        for pair in reports.windows(2) {
            let (before, after) = (knowledge(&pair[0]), knowledge(&pair[1]));
            for (to, (value, plies)) in before {
                let (same, counted) = after[&to];
                assert_eq!((same, plies.is_none() || counted == plies), (value, true), "{}", position.setup());
            }
        }
        assert_eq!(knowledge(&reports[reports.len() - 1]).len(), position.legal_moves().len() + 1);
    }
}

/// The first report has what a table and a mirror know, whatever a search would cost.
#[test]
fn what_costs_nothing_comes_first() {
    let first = |analyst: &Analyst, text: &str| {
        let (mut first, control) = (None, Arc::new(Control::unlimited()));
        let _ = analyst.analyse(&text.parse().unwrap(), Request::everything(), &control, |so_far| {
            first.get_or_insert_with(|| so_far.clone());
            control.stop();
        });
        first.unwrap()
    };
    let mirrored = first(&analyst(size(8, 8), 1, &[]), "8x8: h8 a1");
    assert_eq!((mirrored.winner(), mirrored.nodes), (Some(Player::Second), 0));
    assert!(mirrored.moves.iter().all(|judged| judged.known.is_some()), "every move has its image as a reply");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
    let in_table = first(&analyst(size(7, 7), 1, &[&folder]), "7x7: d4 b2");
    assert_eq!((in_table.winner(), in_table.nodes), (Some(Player::First), 0));
    assert_eq!(in_table.best().and_then(|best| best.known.clone()).map(|known| known.value), Some(Value::Win));
}

/// The search tries the moves in an order of its own. The move that won is named, and no other one
/// is searched for.
#[test]
fn the_move_that_proved_the_win_is_the_best_move() {
    let mut won = 0;
    for text in ["7x7: a1 c3", "7x7: d4 b2", "7x7: b1 f5", "7x7: c3 g1", "7x7: e2 a2", "7x7: a4 d7"] {
        let position: Place = text.parse().unwrap();
        let control = Control::unlimited();
        let winner = analyst(position.size(), 1, &[]).winner(&position, &control).unwrap();
        let request = Request { line: Duration::ZERO, ..Request::winner() };
        let analysis = analyse(&analyst(position.size(), 1, &[]), &position, request);
        assert_eq!(analysis.winner(), Some(winner));
        let more = analysis.nodes - control.nodes();
        assert!(more < 10, "{text}: {more} nodes more than the {} of the proof", control.nodes());
        if winner == Player::First {
            let best = analysis.best().expect("a win has its move").to;
            let after = position.play(best).unwrap();
            assert_eq!(analyst(position.size(), 1, &[]).winner(&after, &Control::unlimited()), Ok(winner), "{text}");
            won += 1;
        }
    }
    assert!(won > 3, "{won}");
}

#[test]
fn an_analysis_can_be_cancelled_at_once() {
    let position: Place = "8x8: d4 f5".parse().unwrap();
    let analyst = analyst(position.size(), 2, &[]);
    let control = Arc::new(Control::unlimited());
    let analysis = std::thread::scope(|scope| {
        let analysing = scope.spawn(|| analyst.analyse(&position, Request::everything(), &control, |_| {}));
        std::thread::sleep(Duration::from_millis(100));
        control.stop();
        let stopped = std::time::Instant::now();
        let analysis = analysing.join().unwrap();
        assert!(stopped.elapsed() < Duration::from_millis(500), "{:?} after the cancellation", stopped.elapsed());
        analysis
    });
    assert_eq!((analysis.winner(), analysis.moves.len()), (None, 7));
    // What was not found can still be asked for.
    assert_eq!(analyst.winner(&position, &Control::with_nodes(1)), Err(isolde::Stopped));
}

/// Without every move: the winner, one best move and, if they are asked for, the exact plies and a
/// line that takes them.
#[test]
fn one_best_move_is_enough_for_the_winner() {
    let (size, every) = (size(4, 4), EveryDuel::new(4, 4));
    let analyst = analyst(size, 1, &[]);
    for position in positions(&Position::empty(size), 12, 9).iter().filter(|position| position.is_duel()) {
        let truth = outcome(&every, position.duel().unwrap());
        let winner = analyse(&analyst, position, Request::winner());
        assert_eq!(winner.known.as_ref().map(|known| known.value), Some(truth.value()));
        if let Some(best) = winner.best() {
            assert_eq!(!expected(&every, &position.play(best.to).unwrap()).0, truth.value());
        }
        assert_eq!(winner.best().is_some(), truth.plies() > 0);
        let counted = analyse(&analyst, position, Request { plies: Some(Duration::MAX), ..Request::winner() });
        assert_eq!((counted.plies(), counted.line.len()), (Some(truth.plies()), truth.plies()), "{}", position.setup());
    }
}

/// Placements, too: a mirror decides every board with an even side.
#[test]
fn mirrors_are_at_hand_before_the_knights_are_placed() {
    for (text, winner) in [("8x8", Some(Player::Second)), ("8x8: d4", Some(Player::Second)), ("7x7", None), ("7x7: a1", None)] {
        let position: Place = text.parse().unwrap();
        let known = analyst(position.size(), 1, &[]).at_hand(&position);
        assert_eq!(known.map(|known| known.winner_at_turn_of(position.turn())), winner, "{text}");
    }
}

/// Without a search, only what is true is said; and the rules, separated knights and mirrors are
/// seen.
#[test]
fn what_is_at_hand_is_what_the_oracle_says() {
    let (size, every) = (size(3, 4), EveryDuel::new(3, 4));
    let analyst = analyst(size, 1, &[]);
    let board = Board::<u64>::new(size).unwrap();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (free, mover, other) in every.duels() {
        let duel = Duel { mover: Cell::new(mover), other: Cell::new(other), free: Cells::from_word(free as u64) };
        let position = Position::new(Setup::of_duel(&board, duel)).unwrap();
        if let Some(known) = analyst.at_hand(&position) {
            assert_eq!(known.value, outcome(&every, duel).value(), "{}", position.setup());
            *seen.entry(known.origin.to_string()).or_default() += 1;
        }
    }
    for origin in ["over", "separated", "mirror center", "mirror vertical", "undisturbed walk"] {
        assert!(seen.get(origin).is_some_and(|&count| count > 10), "{origin}: {seen:?}");
    }
}

#[test]
fn nothing_is_guessed_when_there_is_no_time() {
    let position = "7x7: b2 d5".parse::<Place>().unwrap();
    let analysis = without_time(&analyst(position.size(), 1, &[]), &position);
    assert_eq!((&analysis.known, analysis.plies(), analysis.winner(), analysis.best()), (&None, None, None, None));
    assert!(analysis.moves.iter().all(|judged| judged.known.is_none()));
    assert_eq!((analysis.moves.len(), analysis.line.len(), analysis.line_complete), (4, 0, false));
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let size = size(5, 5);
    let (one, two) = (analyst(size, 1, &[]), analyst(size, 2, &[]));
    for position in positions(&Position::empty(size), 2, 11).iter().filter(|position| position.is_duel()) {
        let same = |analysis: Analysis| (analysis.known, analysis.moves, analysis.line);
        assert_eq!(same(analyse(&one, position, Request::everything())), same(analyse(&two, position, Request::everything())));
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

    /// The image of the answer is the answer about the image: every move with its outcome; and
    /// where the position itself has no symmetry, the order and the line to the letter.
    #[test]
    fn images_have_images_of_one_answer(
        (files, ranks) in prop::sample::select(vec![(4, 4), (3, 5), (5, 5), (4, 5)]),
        seed: u64,
        plies in 2..9_usize,
        request in prop::sample::select(vec![Request::winners(), Request::everything()]),
    ) {
        let size = size(files, ranks);
        let game = positions(&Position::empty(size), 1, seed);
        let position = &game[plies.min(game.len() - 1)];
        let analyst = analyst(size, 1, &[]);
        let board = Board::<u64>::new(size).unwrap();
        let symmetries = Symmetries::new(&board);
        let own = analyse(&analyst, position, request);
        let live = position.duel().unwrap().without_dead_cells(&board);
        let asymmetric = symmetries.iter().filter(|&symmetry| symmetries.duel(symmetry, live) == live).count() == 1;
        for symmetry in symmetries.iter() {
            let other = analyse(&analyst, &image(&symmetries, symmetry, position), request);
            let outcome = |known: &Option<isolde::Known>| known.as_ref().map(|known| (known.value, known.plies()));
            prop_assert_eq!(outcome(&other.known), outcome(&own.known));
            let image = |judged: &isolde::Judged| (symmetries.cell(symmetry, judged.to), outcome(&judged.known));
            let mapped: Vec<_> = own.moves.iter().map(image).collect();
            let found: Vec<_> = other.moves.iter().map(|judged| (judged.to, outcome(&judged.known))).collect();
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
    let position = "3x4: a1 b3".parse::<Place>().unwrap();
    let analysis = analyse(&analyst(position.size(), 1, &[]), &position, Request::everything());
    let data = serde_json::to_value(&analysis).unwrap();
    assert_eq!((&data["board"], &data["position"], &data["turn"]), (&"3x4".into(), &"3/1n1/3/N2 w".into(), &"first".into()));
    assert_eq!(data["winner"], analysis.winner().map(Player::name).unwrap());
    assert_eq!((&data["move"], &data["plies"]), (&data["line"][0], &analysis.line.len().into()));
    assert_eq!(data["moves"][0]["move"], data["move"]);
    assert_eq!((&data["plies_from"], &data["line_optimal"]), (&"the position".into(), &true.into()));
    let placing = "3x4: a1".parse::<Place>().unwrap();
    let data = serde_json::to_value(analyse(&analyst(placing.size(), 1, &[]), &placing, Request::everything())).unwrap();
    assert_eq!(data["plies_from"], "both placements");
    assert_eq!(data["line"].as_array().unwrap().len(), data["plies"].as_u64().unwrap() as usize + 1);
}
