//! `isolde solve` and `isolde bench`, run as their users run them.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::naive::{EveryDuel, Recursion};
use assert_cmd::cargo::cargo_bin;
use isolde::{Size, notation};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty, starts_with};
use serde_json::Value;

fn isolde(arguments: &[&str]) -> assert_cmd::assert::Assert {
    assert_cmd::Command::new(cargo_bin!("isolde")).args(arguments).assert()
}

fn json(arguments: &[&str]) -> Value {
    let answered = isolde(arguments).success();
    serde_json::from_slice(&answered.get_output().stdout).unwrap()
}

/// The openings of an answer: the cells' numbers, the winner, the plies.
fn openings(answer: &Value, size: Size) -> Vec<(usize, usize, String, Option<u64>)> {
    let cell = |name: &Value| notation::parse_cell(size, name.as_str().unwrap()).unwrap().index();
    let row = |row: &Value| {
        (cell(&row["first"]), cell(&row["second"]), row["winner"].as_str().unwrap().to_string(), row["plies"].as_u64())
    };
    answer["openings"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn solve_lists_every_opening_of_a_board_with_its_winner() {
    let answer = json(&["solve", "5x5", "--no-tables", "--json"]);
    assert_eq!((&answer["board"], &answer["winner"]), (&"5x5".into(), &"second".into()));
    assert!(answer["nodes"].as_u64().unwrap() > 0 && answer["seconds"].as_f64().unwrap() > 0.0);
    let mut naive = Recursion::new(5, 5);
    let openings = openings(&answer, Size::new(5, 5).unwrap());
    assert_eq!(openings.len(), 600);
    for (first, second, winner, plies) in openings {
        let wins = naive.mover_wins(((1 << 25) - 1) & !(1 << first) & !(1 << second), first, second);
        assert_eq!((winner.as_str(), plies), (if wins { "first" } else { "second" }, None), "{first} {second}");
    }
}

#[test]
fn solve_tells_distances_when_asked() {
    let every = EveryDuel::new(4, 4);
    let answer = json(&["solve", "4x4", "--distance", "--no-tables", "--json"]);
    let openings = openings(&answer, Size::new(4, 4).unwrap());
    assert_eq!(openings.len(), 240);
    for (first, second, winner, plies) in openings {
        let expected = every.plies(((1 << 16) - 1) & !(1 << first) & !(1 << second), first, second);
        assert_eq!((winner.as_str(), plies), (if expected % 2 == 1 { "first" } else { "second" }, Some(expected as u64)));
    }
}

#[test]
fn solve_says_the_verdict_in_a_sentence() {
    let shown = isolde(&["solve", "5x5"]).success().stderr(is_empty());
    shown
        .stdout(contains("5x5: the second player wins; every first placement has a winning reply\n"))
        .stdout(contains("c3 (1 cell)    4 of 24 replies win: c2 b3 d3 c4\n"))
        .stdout(contains("on one colour (first is the hunter)          288           0\n"))
        .stdout(contains("on two colours (first is the prey)             8         304\n"))
        .stdout(contains("600 of 600 openings in 85 classes\n"));
    isolde(&["solve", "5x5", "--first", "c3", "--distance"])
        .success()
        .stdout(contains("5x5, c3 placed: the second player wins in 14 plies after both placements; it has a winning reply\n"))
        .stdout(contains(
            "c3     4 of 24 replies win: c2(14) b3(14) d3(14) c4(14)\n\nIn brackets: plies after both placements.\n",
        ));
    isolde(&["solve", "1x1"]).success().stdout(contains("the first player wins; the second cannot place"));
    isolde(&["solve", "2x2"]).success().stdout(contains("the second player wins"));
}

/// The lines about placements: their first word, and how many cells they stand for.
fn placement_lines(arguments: &[&str]) -> Vec<(String, usize)> {
    let shown = isolde(arguments).success();
    let text = String::from_utf8(shown.get_output().stdout.clone()).unwrap();
    let stands_for = |line: &str| {
        let cells = line.split_once('(').and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        (line.split(' ').next().unwrap().to_string(), cells.unwrap_or(1))
    };
    text.lines().filter(|line| line.contains(" replies win")).map(stands_for).collect()
}

#[test]
fn placements_that_are_images_of_each_other_share_a_line() {
    for (board, classes, cells) in [("6x7", 12, 42), ("7x7", 10, 49), ("3x4", 4, 12)] {
        let lines = placement_lines(&["solve", board]);
        assert_eq!((lines.len(), lines.iter().map(|(_, cells)| cells).sum::<usize>()), (classes, cells), "{board}");
        assert_eq!(placement_lines(&["solve", board, "--all"]).len(), cells, "{board}");
    }
    assert_eq!(placement_lines(&["solve", "3/1*1/3 w"]), [("a1".to_string(), 4), ("b1".to_string(), 4)]);
    // With a hole in a corner only one reflection is left.
    assert_eq!(placement_lines(&["solve", "3/3/*2 w"]).len(), 5);
}

#[test]
fn a_mirror_that_decides_the_board_is_mentioned_first() {
    let shown = isolde(&["solve", "6x7"]).success();
    let first = "6x7: the second player wins by a mirror (center)\n\nThe mirror keeps the board and fixes no cell";
    shown.stdout(starts_with(first)).stdout(contains("a1 (4 cells)  21 of 41 replies win: all on the other colour\n"));
    let even = isolde(&["solve", "6x6"]).success();
    even.stdout(contains("a1 (4 cells)  19 of 35 replies win: all on the other colour, and also f6\n"));
    let except = "d4 (1 cell)   16 of 48 replies win: all on the other colour except c2 e2 b3 f3 b5 f5 c6 e6\n";
    isolde(&["solve", "7x7"]).success().stdout(contains(except));
    // The mirror needs no search: it decides the board even if no opening is.
    let answer = isolde(&["solve", "10x8", "--json", "--time", "0s"]).code(3);
    let answer: Value = serde_json::from_slice(&answer.get_output().stdout).unwrap();
    assert_eq!((&answer["winner"], &answer["mirror"]), (&"second".into(), &"center".into()));
}

#[test]
fn solve_uses_the_tables_of_the_usual_folders_unless_told_otherwise() {
    let (from_tables, anew) = (json(&["solve", "5x5", "--json"]), json(&["solve", "5x5", "--no-tables", "--json"]));
    assert_eq!((&from_tables["nodes"], from_tables["tables"].as_array().unwrap().is_empty()), (&0.into(), false));
    assert!(anew["nodes"].as_u64().unwrap() > 0 && anew["tables"].as_array().unwrap().is_empty());
    let winners = |answer: &Value| -> Vec<Value> {
        answer["openings"].as_array().unwrap().iter().map(|row| row["winner"].clone()).collect()
    };
    assert_eq!(winners(&from_tables), winners(&anew));
    isolde(&["solve", "5x5", "--weak"]).success().stdout(contains("wins for second (table 5x5-strong.isolde)"));
    isolde(&["solve", "5x5", "--weak", "--no-tables"]).success().stdout(contains("wins for second (search)"));
    isolde(&["solve", "5x5: c3 c2", "--no-tables"]).success().stdout(contains("from       solved now"));
}

/// The rows of a CSV file without its heading.
fn csv(arguments: &[&str], code: i32) -> Vec<[String; 4]> {
    let answered = isolde(arguments).code(code);
    let text = String::from_utf8(answered.get_output().stdout.clone()).unwrap();
    assert!(text.ends_with('\n') && !text.contains('\r'));
    let mut rows = text.lines().map(|line| line.split(',').map(str::to_string).collect::<Vec<_>>().try_into().unwrap());
    assert_eq!(rows.next().unwrap(), ["first", "second", "winner", "plies"]);
    rows.collect()
}

#[test]
fn every_opening_can_be_written_as_csv() {
    let rows = csv(&["solve", "4x4", "--distance", "--csv", "--no-tables"], 0);
    let data = json(&["solve", "4x4", "--distance", "--json", "--no-tables"]);
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
    let row = |row: &Value| ["first", "second", "winner", "plies"].map(|key| text(&row[key]));
    assert_eq!(rows, data["openings"].as_array().unwrap().iter().map(row).collect::<Vec<_>>());
    assert_eq!(csv(&["map", "4x4", "--csv"], 0), csv(&["solve", "4x4", "--csv"], 0));
    assert!(csv(&["solve", "5x5", "--csv", "--no-tables"], 0).iter().all(|row| row[3].is_empty()));

    assert_eq!(csv(&["solve", "5x5", "--first", "c3", "--distance", "--csv"], 0).len(), 24);
    assert_eq!(csv(&["solve", "5x5", "--opening", "c3 c2", "--distance", "--csv"], 0), [["c3", "c2", "second", "14"]]);
    let unknown = csv(&["solve", "9x9", "--csv", "--time", "0s"], 3);
    assert_eq!((unknown.len(), &unknown[0]), (81 * 80, &["a1", "b1", "unknown", ""].map(String::from)));
    assert!(csv(&["solve", "1x1", "--csv"], 0).is_empty());

    let sentence = "--csv goes with a board on which the second player has not placed yet, or with --opening";
    isolde(&["solve", "5x5: c3 c2", "--csv"]).code(2).stdout(is_empty()).stderr(contains(sentence));
    isolde(&["solve", "5x5", "--csv", "--json"]).code(2).stdout(is_empty()).stderr(contains("cannot be used with"));
}

#[test]
fn how_long_a_board_takes_is_estimated_at_once_where_nothing_needs_a_search() {
    let estimate = |arguments: &[&str]| json(&[&["solve", "--estimate", "--json"], arguments].concat());
    for (arguments, classes) in [(&["7x7"][..], 315), (&["8x8", "--weak"], 10), (&["5x5", "--first", "c3"], 5)] {
        let answer = estimate(arguments);
        assert_eq!((&answer["classes"], &answer["at_hand"]), (&classes.into(), &classes.into()), "{arguments:?}");
        assert_eq!((&answer["based_on"], &answer["seconds"]["most"]), (&"at hand".into(), &0.0.into()), "{arguments:?}");
    }
    let at_once = "8x8: answered at once; all placements are known without a search";
    isolde(&["solve", "8x8", "--weak", "--estimate"]).success().stdout(contains(at_once));
    let solved = estimate(&["5x5", "--no-tables"]);
    assert_eq!((&solved["based_on"], solved["nodes"]["likely"].as_f64() > Some(0.0)), (&"measured".into(), true));
    let stopped = isolde(&["solve", "9x9", "--estimate", "--time", "0s"]).code(3).stdout(is_empty());
    stopped.stderr(contains("stopped before the speed of this machine was measured"));
    isolde(&["solve", "7x7: d4 e5", "--estimate"]).code(2).stdout(is_empty());
    isolde(&["solve", "7x7", "--estimate", "--distance"]).code(2).stdout(is_empty());
}

#[test]
fn solve_answers_for_one_placement_one_opening_and_one_position() {
    let first = json(&["solve", "5x5", "--first", "c3", "--json"]);
    assert_eq!((first["openings"].as_array().unwrap().len(), &first["winner"]), (24, &"second".into()));
    let opening = json(&["solve", "5x5", "--opening", "c3 c2", "--json"]);
    let line = json(&["solve", "5x5: c3 c2", "--json"]);
    let position = json(&["solve", "5/5/2N2/2n2/5 w", "--json"]);
    for answer in [&opening, &line, &position] {
        assert_eq!((&answer["winner"], &answer["turn"]), (&"second".into(), &"first".into()));
        assert_eq!(answer["line"], opening["line"]);
        assert_eq!(answer["move"], answer["line"][0]);
    }
    let won = isolde(&["solve", "5x5: a1 c3", "--distance"]).success();
    won.stdout(contains("first to move, and the first player wins in 15 plies")).stdout(contains("\nc2   wins in 15 "));
    isolde(&["solve", "5x5: c3 c2"])
        .success()
        .stdout(contains("first to move, and the second player wins").and(contains("\na4   loses ")));
    let over = isolde(&["solve", "3x3: b2 a1"]).success();
    over.stdout(contains("the second player has won: first cannot move"));
}

#[test]
fn solve_says_when_a_position_is_over_and_what_it_is_about() {
    for (position, verdict) in [
        ("***/***/*** w", "***/***/*** w: the second player has won: first cannot place"),
        ("***/***/N** b", "***/***/N** b: the first player has won: second cannot place"),
        ("3x3: b2 a1", "3x3: b2 a1: the second player has won: first cannot move"),
    ] {
        isolde(&["solve", position]).success().stdout(contains(verdict));
        isolde(&["solve", position, "--weak"]).success().stdout(contains(verdict));
        let answer = json(&["solve", position, "--json", "--distance"]);
        assert_eq!((&answer["plies"], &answer["line"], &answer["move"]), (&0.into(), &Value::Array(vec![]), &Value::Null));
    }
    isolde(&["solve", "3/1*1/3 w"]).success().stdout(contains("3/1*1/3 w: the second player wins"));
    isolde(&["solve", "5x5", "--first", "c3"])
        .success()
        .stdout(contains("5x5, c3 placed: the second player wins; it has a winning reply"));
    let weak = isolde(&["solve", "5x5", "--first", "c3", "--weak"]).success();
    weak.stdout(contains("5x5, c3 placed: the second player wins; it has a winning reply"));
    assert_eq!(json(&["solve", "5x5", "--first", "c3", "--weak", "--json"])["position"], "5/5/2N2/5/5 b");
}

/// A mirror decides the position, and its line needs no search either.
#[test]
fn solve_does_not_search_for_what_a_mirror_decides() {
    let answer = json(&["solve", "10x8: j8 a1", "--json"]);
    assert_eq!((&answer["winner"], &answer["origin"], &answer["nodes"]), (&"second".into(), &"mirror center".into(), &0.into()));
    assert_eq!((&answer["line_complete"], answer["line"].as_array().unwrap().len() % 2), (&true.into(), 0));
}

#[test]
fn solve_and_query_give_answers_of_one_shape() {
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    for position in ["5x5: a1 c3", "5x5: c3 c2", "3x3: b2 a1"] {
        let [solved, queried] = ["solve", "query"].map(|verb| json(&[verb, position, "--json"]));
        assert_eq!(keys(&solved), keys(&queried));
        for key in ["position", "winner", "turn"] {
            assert_eq!(solved[key], queried[key], "{position} {key}");
        }
        let best = &solved["moves"].as_array().unwrap().iter().find(|judged| judged["move"] == solved["move"]);
        assert_eq!(best.map(|best| &best["winner"]), (solved["move"] != Value::Null).then_some(&solved["winner"]));
    }
}

/// Each knight has half of a board of 128 cells, with holes: their walks are compared, and not the
/// lines of play.
#[test]
fn separated_knights_are_counted_in_time_on_the_largest_board() {
    let halves = "7***6/2***2**7/4*2**7/3N3**3n3/7**6*/7**7/7**3*3/6***7 w";
    let started = Instant::now();
    let answer = json(&["solve", halves, "--distance", "--time", "2s", "--json"]);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    assert_eq!((&answer["origin"], &answer["plies_origin"]), (&"separated".into(), &"separated".into()));
    assert_eq!((&answer["winner"], &answer["plies"]), (&"second".into(), &96.into()));
    assert_eq!(answer["line"].as_array().unwrap().len(), 96);
}

#[test]
fn solve_does_boards_with_holes_and_boards_over_64_cells() {
    let holes = json(&["solve", "3/1*1/3 w", "--json"]);
    assert_eq!((holes["openings"].as_array().unwrap().len(), &holes["position"]), (56, &"3/1*1/3 w".into()));
    let large = "11x9: a8 b3 c9 c1 b7 a2 a9 b4 c8 c2 e9 a3 g8 b1 e7 d2 f9 f1 d8 h2 b9 j1 a7 k3 c6 i2 a5 k1 c4 j3 b2 i1 d1 k2 e3 \
                 j4 g2 k6 i3 j8 h1 h9 j2 i7 k4 k8 j6 i9 i4 h7 k5 i5";
    assert_eq!(json(&["solve", large, "--json"])["winner"], "first");
}

#[test]
fn weak_proofs_name_a_mirror_or_a_reply() {
    isolde(&["solve", "8x8", "--weak"]).success().stdout(contains("8x8: the second player wins by a mirror (center)"));
    let mirror = json(&["solve", "8x8", "--weak", "--json"]);
    assert_eq!((&mirror["mirror"], mirror["placements"].as_array().unwrap().len()), (&"center".into(), 10));
    assert_eq!((&mirror["placements"][0]["first"], &mirror["placements"][0]["reply"]), (&"a1".into(), &"h8".into()));
    let answer = json(&["solve", "5x5", "--weak", "--json"]);
    assert_eq!((&answer["winner"], &answer["mirror"]), (&"second".into(), &Value::Null));
    let mut naive = Recursion::new(5, 5);
    let size = Size::new(5, 5).unwrap();
    let cell = |name: &Value| notation::parse_cell(size, name.as_str().unwrap()).unwrap().index();
    let placements = answer["placements"].as_array().unwrap();
    assert_eq!(placements.len(), 6, "one placement of each class");
    for placement in placements {
        let (first, reply) = (cell(&placement["first"]), cell(&placement["reply"]));
        assert!(!naive.mover_wins(((1 << 25) - 1) & !(1 << first) & !(1 << reply), first, reply));
    }
    isolde(&["solve", "1x1", "--weak"]).success().stdout(contains("the first player wins"));
}

#[test]
fn another_program_counts_the_same_openings() {
    let rows: Vec<&str> = include_str!("../data/opening_classes.txt").lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(rows.len(), 5);
    for row in rows {
        let [board, classes, first_wins] = row.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let size: Size = board.parse().unwrap();
        let board = isolde::Board::<u64>::new(size).unwrap();
        let solver =
            isolde::solve::Solver::new(size, isolde::Settings { threads: 2.try_into().unwrap(), ..Default::default() }).unwrap();
        let duels: Vec<_> = isolde::solve::opening_classes(&board, board.cells(), board.cells())
            .iter()
            .map(|class| class.representative().duel(board.cells()))
            .collect();
        let answers = solver.answers(isolde::Question::Winner, &duels, &isolde::Control::unlimited(), |_, _| {});
        let won = answers.iter().filter(|answer| answer.as_ref().unwrap().value == isolde::Value::Win).count();
        assert_eq!((duels.len().to_string(), won.to_string()), (classes.to_string(), first_wins.to_string()), "{size}");
    }
}

#[test]
fn what_is_not_proven_within_the_limits_is_unknown() {
    let stopped = isolde(&["solve", "8x8", "--no-tables", "--time", "300ms", "--threads", "2", "--json"])
        .code(3)
        .stderr(contains("warning: 8x8: 492 classes of openings may take"));
    let answer: Value = serde_json::from_slice(&stopped.get_output().stdout).unwrap();
    let openings = answer["openings"].as_array().unwrap();
    assert_eq!(openings.len(), 64 * 63);
    assert!(openings.iter().any(|row| row["winner"] == "unknown"));
    assert!(openings.iter().all(|row| ["first", "second", "unknown"].contains(&row["winner"].as_str().unwrap())));
    isolde(&["solve", "9x9: e5 d4", "--time", "50ms"]).code(3).stdout(contains("not proven within the limits"));
    isolde(&["solve", "9x9", "--weak", "--time", "50ms"]).code(3).stdout(contains("not proven within the limits"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_is_proven_and_exits_with_130() {
    let mut child = Command::new(cargo_bin!("isolde"));
    let child =
        child.args(["solve", "8x8", "--no-tables", "--json"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let interrupted = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let end = child.wait_with_output().unwrap();
    assert_eq!(end.status.code(), Some(130));
    assert!(interrupted.elapsed() < Duration::from_secs(5));
    let answer: Value = serde_json::from_slice(&end.stdout).unwrap();
    assert_eq!((&answer["board"], answer["openings"].as_array().unwrap().len()), (&"8x8".into(), 64 * 63));
}

#[test]
fn bad_input_is_one_sentence_and_exit_code_2() {
    let cases: &[(&[&str], &str)] = &[
        (&["solve", "7x7", "--first", "h8"], "error: --first: `h8` is not on a 7x7 board, which goes from a1 to g7"),
        (&["solve", "7x7", "--opening", "d4"], "error: --opening takes two cells, such as \"d4 b3\", and not `d4`"),
        (&["solve", "7x7", "--opening", "d4 d4"], "error: --opening: `d4` cannot be played: the cell is occupied"),
        (&["solve", "7x7: d4", "--first", "d4"], "error: --first goes with a board on which no knight is placed yet"),
        (&["solve", "7x7: d4 e5", "--weak"], "error: --weak goes with a board on which the second player has not placed yet"),
        (
            &["solve", "7x7", "--memory", "1MiB", "--threads", "2"],
            "error: --memory 1.0 MiB is too small: 7x7 with 2 threads needs at least 5.0 MiB",
        ),
        (
            &["solve", "16x8", "--memory", "1GiB", "--threads", "64"],
            "error: --memory 1.0 GiB is too small: 16x8 with 64 threads needs at least 2.0 GiB",
        ),
        (&["solve", "7x7", "--memory", "900TiB"], "error: --memory 900.0 TiB is too large: this machine has"),
    ];
    for (arguments, sentence) in cases {
        let refused = isolde(arguments).code(2).stdout(is_empty());
        let stderr = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
        assert!(stderr.starts_with(sentence), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
    for (option, value, right) in [
        ("--threads", "0", "write a number from 1 to 1024"),
        ("--threads", "5000", "write a number from 1 to 1024"),
        ("--time", "soon", "write a time such as 500ms, 90s, 10m or 1h30m"),
        ("--memory", "much", "write a size such as 512MiB or 2GiB"),
    ] {
        isolde(&["solve", "7x7", option, value]).code(2).stdout(is_empty()).stderr(contains(right));
    }
}

/// The number in the file is changed together with the search, and by nothing else.
#[test]
fn the_bench_has_the_signature_of_this_search() {
    let bench = json(&["bench", "--json"]);
    let signature = include_str!("../data/signature.txt").lines().find(|line| !line.starts_with('#'));
    assert_eq!(
        bench["nodes"].to_string(),
        signature.unwrap(),
        "if the search has changed, write this number into tests/data/signature.txt"
    );
    let won: Vec<String> =
        bench["questions"].as_array().unwrap().iter().map(|row| format!("{}/{}", row["won"], row["of"])).collect();
    assert_eq!(won, ["78/165", "0/1", "0/1", "1/1", "0/1", "0/1", "1/1", "1/1", "1/1", "1/1"]);
}
