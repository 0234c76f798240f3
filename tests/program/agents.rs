//! `isolde agents --measure` that is stopped before the end, and `isolde agents --score`.

use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};
use serde_json::Value;

#[cfg(target_os = "linux")]
use crate::support::signals;

/// More positions than can be measured in the time of a test.
const ENDLESS: [&str; 6] = ["agents", "--measure", "5x6", "--positions", "1000000", "--no-tables"];

fn isolde(arguments: &[&str]) -> assert_cmd::assert::Assert {
    assert_cmd::Command::new(cargo_bin!("isolde")).args(ENDLESS).args(arguments).assert()
}

#[test]
fn what_was_measured_when_the_time_is_over_is_printed() {
    let text = isolde(&["--time", "300ms"]).code(3).stderr(is_empty());
    text.stdout(
        contains(" of 1,000,000 random positions of 5x6 with a winning move")
            .and(contains("a random move").and(contains("stopped    The work was stopped before the end"))),
    );
    let data = isolde(&["--time", "300ms", "--json"]).code(3).stderr(is_empty());
    let data: Value = serde_json::from_slice(&data.get_output().stdout).unwrap();
    let measured = &data["measured"];
    assert_eq!(measured["positions_wanted"], 1_000_000);
    assert!(measured["positions"].as_u64().unwrap() < 1_000_000);
    assert!(measured["positions_with_choice"].as_u64() <= measured["positions"].as_u64());
    // If there was no time at all, it says that, too.
    isolde(&["--time", "0ms"])
        .code(3)
        .stdout(contains("0 of 1,000,000 random positions of 5x6").and(contains("none")).and(contains("NaN").not()));
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_measured_before_ctrl_c_is_printed() {
    let mut command = Command::new(cargo_bin!("isolde"));
    let mut child = command.args(ENDLESS).arg("--json").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    signals::wait_until_interruptible(&mut child);
    signals::send("INT", &child);
    let end = child.wait_with_output().unwrap();
    assert_eq!(end.status.code(), Some(130));
    let data: Value = serde_json::from_slice(&end.stdout).unwrap();
    assert!(data["measured"]["positions"].as_u64().unwrap() < 1_000_000);
}

/// A position that the program scores, in the folder of the test and with the built-in tables.
fn scored(arguments: &[&str]) -> assert_cmd::assert::Assert {
    crate::play::isolde(&[&["agents", "--score"], arguments].concat())
}

#[test]
fn heuristics_stand_beside_the_truth() {
    // f5 is the image of b3, and the only move that keeps the win.
    let text = scored(&["7x7:", "d4", "b3"]).success().stderr(is_empty());
    let text = String::from_utf8(text.get_output().stdout.clone()).unwrap();
    assert!(text.starts_with("7x7: d4 b3: first to move, and the first player wins\n"), "{text}");
    let places = ["keeps the win with some", "improved ", "gives the win away", "  room "].map(|words| text.find(words));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} in\n{text}");
    let row = text.lines().find(|line| line.trim_start().starts_with("far_from_opponent ")).unwrap();
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(words.join(" "), "far_from_opponent +3 f5 e6 +6 1 of 2 keeps it: f5");
    assert!(text.contains("reach(10)") && text.contains("mobility(10)"), "{text}");

    let data = scored(&["5x5: a1 c3", "--json"]).success();
    let data: Value = serde_json::from_slice(&data.get_output().stdout).unwrap();
    let improved = data["heuristics"].as_array().unwrap().iter().find(|entry| entry["heuristic"] == "improved").unwrap();
    assert_eq!((&data["winner"], &data["turn"], &improved["keeps_win"]), (&"first".into(), &"first".into(), &true.into()));
    assert_eq!((&improved["score"], &improved["choices"]), (&(-6.0).into(), &serde_json::json!(["c2", "b3"])));
    assert_eq!(improved["choice_plies"], serde_json::json!({"c2": 15, "b3": 15}));
    scored(&["5x5: a1 c3"]).success().stdout(contains("keeps the win (35 heuristics)").and(contains("  in 15\n")));

    // The other groups: a lost position, a last move, the second placement.
    scored(&["5x5: c3 c2"]).success().stdout(contains("loses, as every move does (35 heuristics)"));
    scored(&["3/1n1/N2 w"]).success().stdout(contains("the first player wins").and(contains("the end")));
    scored(&["5x5: c3"]).success().stdout(contains("second to place, and the second player wins").and(contains(" more ")));
}

#[test]
fn a_score_is_unknown_if_the_time_does_not_suffice() {
    let open = ["8x8: c2 b6", "--no-tables", "--time", "20ms"];
    scored(&open).code(3).stdout(
        contains("8x8: c2 b6: first to move; not proven within the limits")
            .and(contains("unknown: not proven within the limits")),
    );
    let data = scored(&[&open[..], &["--json"]].concat()).code(3);
    let data: Value = serde_json::from_slice(&data.get_output().stdout).unwrap();
    assert_eq!((&data["winner"], &data["heuristics"][0]["keeps_win"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_position_without_a_choice_is_not_scored() {
    for (position, sentence) in [
        (
            "7x7",
            "no heuristic scores a board with fewer than two knights, so none can choose the first placement: name a position \
                 after it, such as 7x7: a1",
        ),
        ("3x3: b2 a1", "there is no move to choose: the second player has won"),
        ("7x7: d4 d4", "move 2 of the line: `d4` cannot be played"),
    ] {
        scored(&[position]).code(2).stdout(is_empty()).stderr(contains(sentence));
    }
    scored(&["7x7: d4", "--measure", "7x7"]).code(2).stderr(contains("cannot be used with"));
}
