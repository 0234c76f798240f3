//! The Python package, and a client library written by others, both with the real program.
//! `scripts/python-for-tests` provides what these tests need.
//!
//! Only those tests of the package run here that do not depend on the clock. `.ci/run` runs all of
//! them with the wheel installed.

use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;

use crate::support::skipped;

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs Python with the package from the source and the program that Cargo has built.
fn succeeds(python: &Path, arguments: &[&str]) {
    let mut command = Command::new(python);
    command.args(arguments).current_dir(project()).env("PYTHONPATH", project().join("python"));
    command.env("ISOLDE", cargo_bin!("isolde")).env("PYTHONDONTWRITEBYTECODE", "1");
    let output = command.output().expect("this Python ran a moment ago");
    let [said, faults] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{said}\n{faults}");
}

#[test]
fn the_python_package_asks_this_build() {
    if let Some(python) = skipped::python("the_python_package_asks_this_build", Some("pytest")) {
        let files = ["python/tests/test_position.py", "python/tests/test_questions.py", "python/tests/test_tables.py"];
        succeeds(&python, &[&["-m", "pytest", "--quiet"][..], &files[..]].concat());
    }
}

#[test]
fn a_client_library_of_others_drives_the_engine() {
    if let Some(python) = skipped::python("a_client_library_of_others_drives_the_engine", Some("chess.engine")) {
        let program = cargo_bin!("isolde");
        succeeds(&python, &["tests/program/chess_engine.py", program.to_str().expect("the path is UTF-8")]);
    }
}
