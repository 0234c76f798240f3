//! `isolde agents --measure` that is stopped before the end.

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
