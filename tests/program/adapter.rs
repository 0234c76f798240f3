//! The adapter for the Python course, and a client library written by others, both with the real
//! engine. `scripts/python-for-tests` provides what these tests need.

use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;

use crate::support::skipped;

/// Runs a script of the adapter's folder with the path of the program.
fn succeeds(python: &Path, script: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters").join("python");
    let mut command = Command::new(python);
    command.arg(script).arg(cargo_bin!("isolde")).current_dir(folder).env("PYTHONDONTWRITEBYTECODE", "1");
    let output = command.output().expect("this Python ran a moment ago");
    let [said, faults] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{said}\n{faults}");
}

#[test]
fn the_adapter_plays_both_frameworks() {
    if let Some(python) = skipped::python("the_adapter_plays_both_frameworks", None) {
        succeeds(&python, "test_isolde_player.py");
    }
}

#[test]
fn a_client_library_of_others_drives_the_engine() {
    if let Some(python) = skipped::python("a_client_library_of_others_drives_the_engine", Some("chess.engine")) {
        succeeds(&python, "test_chess_engine.py");
    }
}
