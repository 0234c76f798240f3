//! `isolde verify`, run as users run it.

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::{Value, json};

fn isolde(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(cargo_bin!("isolde")).arg("verify").args(arguments).assert()
}

fn json(code: i32, arguments: &[&str]) -> Value {
    let answered = isolde(&[arguments, &["--json"]].concat()).code(code).stderr(is_empty());
    serde_json::from_slice(&answered.get_output().stdout).unwrap()
}

#[test]
fn a_mirror_that_wins() {
    let expected = "\
6x6: the second player wins by a mirror: center

center: second wins
argument   The half turn maps every knight's move to a knight's move, and is its own inverse.
           No cell is its own image: a move and its reply go to two different cells, and the reply is free
           because the move was.
           So the second player wins every board with an even side by this mirror: an even side has no middle,
           so that the centre lies between cells. This was checked on all 155 such boards with up to 128 cells
           and sides up to 16.
second     wins: checked against every defence of the first player, 206,781 positions

";
    isolde(&["mirror", "6x6", "--by", "center"]).code(0).stdout(expected).stderr(is_empty());
    let all = json(0, &["mirror", "6x6"]);
    let wins = |mirror: &Value| json!([mirror["mirror"], mirror["verdict"], mirror["winner"]]);
    assert_eq!(
        all["mirrors"].as_array().unwrap().iter().map(wins).collect::<Vec<_>>(),
        [
            json!(["center", "wins", "second"]),
            json!(["vertical", "wins", "second"]),
            json!(["horizontal", "wins", "second"]),
            json!(["diagonal", "breaks", null]),
            json!(["antidiagonal", "breaks", null]),
        ]
    );
}

#[test]
fn a_mirror_that_breaks_shows_where_and_who_wins_there() {
    let expected = "\
5x5: no mirror wins, for either player: center

center: breaks
argument   The half turn maps every knight's move to a knight's move, and is its own inverse.
           One cell is its own image, c3: a move there cannot be answered.
           Every board with two odd sides has such cells: both sides have a middle, and the centre is a cell.
           This was checked on all 54 such boards with up to 128 cells and sides up to 16. There the mirror
           helps the player who reaches symmetry once these cells are taken or dead.
second     breaks after 5x5: c3
           the reply would be c3, but that is the cell just played to; there second wins
           1 position checked until then
first      placing on c3: breaks after 5x5: c3 a1
           the reply would be e5, but that is not a knight's move; there first wins
           1 position checked until then

";
    isolde(&["mirror", "5x5", "--by", "center", "--no-tables"]).code(1).stdout(expected).stderr(is_empty());
}

#[test]
fn the_argument_is_a_proof_even_without_room_to_visit_all_positions() {
    let report = json(0, &["mirror", "8x8", "--by", "vertical", "--positions", "1000"]);
    assert_eq!((&report["winner"], &report["mirrors"][0]["checks"][0]["verdict"]), (&json!("second"), &json!("unknown")));
    assert_eq!(
        report["mirrors"][0]["checks"][0]["limit"],
        "there are more positions than the 1,000 that --positions or --memory allow"
    );
    // Without an argument, the limit leaves the question open.
    isolde(&["mirror", "7x7: a1 d4 b3 f5", "--by", "center", "--positions", "3"])
        .code(3)
        .stdout(contains("not decided within the limits"));
    // Symmetric holes do no harm.
    isolde(&["mirror", "11/11/11/11/5*5/11/11/11/11 w", "--by", "center", "--positions", "1000"]).code(0);
    isolde(&["mirror", "11x9", "--by", "center", "--time", "1s"]).code(1).stdout(contains("breaks after 11x9: f5"));
}

#[test]
fn positions_are_decided_by_a_mirror_or_say_where_the_symmetry_breaks() {
    let decided = json(0, &["mirror", "7x7: d4 b3 f5"]);
    assert_eq!((&decided["winner"], &decided["position"]), (&json!("first"), &json!("7/7/5N1/3*3/1n5/7/7 b")));
    assert_eq!(decided["mirrors"][0]["checks"][0], json!({"player": "first", "verdict": "wins", "positions": 824_274}));
    let one_move_before = isolde(&["mirror", "7x7: d4 b3"]).code(1);
    one_move_before.stdout(contains("but        it is first's turn: f5 makes the position symmetric (center), and first wins"));
    let broken = isolde(&["mirror", "7x7: a1 d4 b3 f5", "--by", "center"]).code(1);
    broken.stdout(
        contains("broken: g7 can still be reached, but its image a1 cannot")
            .and(contains("second     breaks after 7x7: a1 d4 b3 f5 c5 e3 e6 c2 g7"))
            .and(contains("the reply would be a1, but that cell is gone; there second wins in 1")),
    );
    let holes = isolde(&["mirror", "5/5/2*2/5/5 w", "--by", "center"]).code(0);
    holes.stdout(contains("5/5/2*2/5/5 w: the second player wins by a mirror: center"));
    let from_holes = isolde(&["mirror", "5/5/5/5/*4 w", "--by", "center"]).code(1);
    from_holes.stdout(
        contains("broken: e5 can still be reached, but its image a1 cannot").and(contains("breaks after 5/5/5/5/*4 w, then c3")),
    );
    // A placement can make the position symmetric, too, but only by a mirror that was asked about.
    let placing = isolde(&["mirror", "4x4: b2", "--by", "center"]).code(1);
    placing.stdout(contains("but        it is second's turn: c3 makes the position symmetric (center), and second wins"));
    assert!(json(1, &["mirror", "5x5: c3 b1", "--by", "vertical"])["reaches"].is_null());
    let apart = isolde(&["mirror", "7x7: a1 g6", "--by", "center"]).code(1);
    apart.stdout(contains("broken: the mover stands on a1, whose image is g7, but the other stands on g6"));
}

#[test]
fn following_one_move_behind() {
    let wins = isolde(&["lagged", "7x7", "--first", "c2", "--second", "d4"]).code(0).stderr(is_empty());
    wins.stdout(
        contains("7x7: c2 d4: the second player wins by following one move behind (center)")
            .and(contains("So the second player wins by following."))
            .and(contains("1,857,310 positions"))
            .and(contains("solver     7x7: c2 d4, second wins")),
    );
    let breaks = json(1, &["lagged", "6x6", "--first", "c2", "--second", "e3", "--no-tables"]);
    assert_eq!((&breaks["verdict"], &breaks["check"]["broken"]["line"]), (&json!("breaks"), &json!("6x6: c2 e3 b4 d5 a2")));
}

/// The program's peak memory in bytes, as Linux reports it while the program runs.
#[cfg(target_os = "linux")]
fn peak_memory(arguments: &[&str]) -> u64 {
    use std::process::{Command, Stdio};
    let mut child = Command::new(cargo_bin!("isolde")).args(arguments).stdout(Stdio::null()).spawn().unwrap();
    let (status, mut peak) = (format!("/proc/{}/status", child.id()), 0);
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        peak = line.and_then(|kibibytes| kibibytes.parse().ok()).unwrap_or(peak);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    peak * 1024
}

#[test]
#[cfg(target_os = "linux")]
fn the_memory_limit_is_kept() {
    let large = peak_memory(&["verify", "mirror", "12x10", "--by", "center", "--threads", "2"]);
    assert!(large < 256 << 20, "{large} bytes");
    let small = peak_memory(&["verify", "mirror", "8x8", "--by", "center", "--threads", "2", "--memory", "64MiB"]);
    assert!(small < 72 << 20, "{small} bytes");
}

#[test]
fn odd_boards_take_less_than_half_a_minute() {
    let started = std::time::Instant::now();
    isolde(&["mirror", "9x9", "--no-tables", "--time", "1s"]).code(1);
    assert!(started.elapsed().as_secs() < 30, "all five mirrors share the time for true outcomes");
}

#[test]
fn the_colour_law_with_every_exception() {
    let expected = "\
5x5: the colour law holds with 8 exceptions among 600 openings, all explained by a mirror

The law: the player to move (the first) wins exactly when both knights stand on one colour.

openings                              first wins second wins
on one colour (first is the hunter)          288           0
on two colours (first is the prey)             8         304

exception  openings  winner       why
c3 b1             8  first        mirror center after d5

proven     600 of 600 in 85 classes of openings
";
    isolde(&["parity", "5x5", "--no-tables"]).code(0).stdout(predicates::str::starts_with(expected)).stderr(is_empty());
    let report = json(0, &["parity", "4x4", "--no-tables"]);
    assert_eq!(report["verdict"], "exceptions");
    assert_eq!(report["one_colour"], json!({"first_wins": 56, "second_wins": 56, "unknown": 0}));
    let openings = |mirror: bool| {
        let exceptions = report["exceptions"].as_array().unwrap().iter().filter(|e| e["mirror"].is_string() == mirror);
        exceptions.map(|exception| exception["openings"].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((openings(true), openings(false)), (16, 48));
    assert_eq!(json(0, &["parity", "4x7", "--no-tables"])["verdict"], "holds");
    isolde(&["parity", "8x9", "--time", "10ms"])
        .code(3)
        .stdout(contains("not decided within the limits").or(contains("as far as is known")));
}

#[test]
fn bad_input_is_one_sentence_that_says_what_would_be_right() {
    let cases: [(&[&str], &str); 10] = [
        (&["mirror", "4x4: b2 c3 a4 d1"], "the game is over, second has won: give a position in which the mover can move"),
        (&["lagged", "1x3", "--first", "a1", "--second", "a2"], "the game is over, second has won"),
        (
            &["mirror", "6x4", "--by", "diagonal"],
            "6x4 has no diagonal mirror: reflection in a diagonal exchanges files and ranks, so the board must be square",
        ),
        (&["mirror", "6x6", "--by", "centre"], "a similar value exists: 'center'"),
        (&["mirror", "6x6", "--by", "quarter"], "[possible values: center, vertical, horizontal, diagonal, antidiagonal]"),
        (
            &["mirror", "1x5", "--by", "vertical"],
            "1x5 has no vertical mirror: on a board one cell wide it moves no cell, or does the same as center; it has center",
        ),
        (&["mirror", "0x5"], "both sides must be at least 1"),
        (&["lagged", "7x7", "--first", "c2", "--second", "c2"], "--second: `c2` cannot be played: the cell is occupied"),
        (&["lagged", "7x7", "--first", "z9", "--second", "c2"], "--first: `z9` is not a cell"),
        (&["parity", "7x7: d4"], "`7x7: d4` is not a board"),
    ];
    for (arguments, sentence) in cases {
        isolde(arguments).code(2).stdout(is_empty()).stderr(contains(sentence));
    }
}

/// A table that holds all openings is read, and the answer says so.
#[test]
fn the_colour_law_of_a_board_with_a_table_is_read_from_it() {
    let report = json(0, &["parity", "7x7"]);
    assert_eq!((&report["from_tables"], &report["nodes"]), (&2_352.into(), &0.into()));
    assert_eq!(report["verdict"], "exceptions");
    let said = predicates::str::contains("from       the table: nothing was solved again");
    isolde(&["parity", "7x7"]).code(0).stdout(said);
    assert_eq!(json(0, &["parity", "5x5", "--no-tables"])["from_tables"], 0);
}
