//! Tests that cannot run on this machine, and the Python that some of them need.
//!
//! A test harness says nothing about a test that returns early: it counts as passed. So a skipped
//! test writes a line to a file, and `.ci/run` fails if that file is not empty.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Reports that a test was skipped: on the screen, and in `skipped-tests.txt` in the folder for
/// temporary files of the tests (`target/tmp`).
pub fn skip(test: &str, why: &str) {
    let line = format!("skipped: {test}: {why}\n");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped-tests.txt");
    let mut file = OpenOptions::new().append(true).create(true).open(file).expect("the list of skipped tests can be written");
    // In one write, because other tests append to the same file.
    file.write_all(line.as_bytes()).expect("the list of skipped tests can be written");
    // The harness captures what `eprint!` writes, but not this.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// The Python that the tests use: `ISOLDE_TEST_PYTHON`, or what `scripts/python-for-tests` has
/// made, or `python3`. If it does not run, or lacks a module, the test is reported as skipped.
pub fn python(test: &str, module: Option<&str>) -> Option<PathBuf> {
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("python").join("bin").join("python");
    let python = match std::env::var_os("ISOLDE_TEST_PYTHON") {
        Some(python) => PathBuf::from(python),
        None if made.exists() => made,
        None => PathBuf::from("python3"),
    };
    let runs = |code: &str| Command::new(&python).args(["-c", code]).output().is_ok_and(|output| output.status.success());
    let missing = match module {
        _ if !runs("") => "it does not run".to_string(),
        Some(module) if !runs(&format!("import {module}")) => format!("it has no module {module}"),
        _ => return Some(python),
    };
    skip(test, &format!("{}: {missing}; run scripts/python-for-tests", python.display()));
    None
}
