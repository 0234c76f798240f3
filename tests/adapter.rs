//! The adapter for the Python course, and a client library that others wrote, both with the real engine. Where Python is absent, that is said, and nothing is tested.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;

/// The release that the test was written with.
const CHESS: &str = "chess==1.11.2";

fn run(program: &Path, arguments: &[&str]) -> Option<Output> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters").join("python");
    Command::new(program).args(arguments).current_dir(folder).env("PYTHONDONTWRITEBYTECODE", "1").output().ok()
}

fn python() -> Option<PathBuf> {
    let python = PathBuf::from("python3");
    run(&python, &["--version"]).filter(|tried| tried.status.success()).map(|_| python)
}

fn succeeds(output: &Output) {
    let [said, faults] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{said}\n{faults}");
}

#[test]
fn the_adapter_plays_both_frameworks() {
    let Some(python) = python() else {
        eprintln!("skipped: there is no python3 on this machine");
        return;
    };
    let isolde = cargo_bin!("isolde");
    succeeds(&run(&python, &["test_isolde_player.py", isolde.to_str().unwrap()]).unwrap());
}

#[test]
fn a_client_library_of_others_drives_the_engine() {
    let Some(python) = python() else {
        eprintln!("skipped: there is no python3 on this machine");
        return;
    };
    let has_chess = |python: &Path| run(python, &["-c", "import chess.engine"]).is_some_and(|tried| tried.status.success());
    let python = if has_chess(&python) {
        python
    } else {
        // In a place of its own, below the folder of the tests' other files.
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
        let own = place.join("bin").join("python");
        if !has_chess(&own) {
            run(&python, &["-m", "venv", place.to_str().unwrap()]);
            run(&own, &["-m", "pip", "install", "--quiet", CHESS]);
        }
        own
    };
    if !has_chess(&python) {
        eprintln!("skipped: the package chess is not here and cannot be fetched");
        return;
    }
    let isolde = cargo_bin!("isolde");
    succeeds(&run(&python, &["test_chess_engine.py", isolde.to_str().unwrap()]).unwrap());
}
