//! `isolde solve --resume`, killed, resumed, damaged and refused.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};
use serde_json::Value;

use crate::build::after_changes;
use crate::support::folder;

/// The bytes of the file before its records, and of each record.
const HEADER: usize = 21;
const RECORD: usize = 23;

fn isolde(arguments: &[&str], file: &Path) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(cargo_bin!("isolde"));
    command.args(["solve", "--no-tables", "--threads", "1"]).args(arguments).arg("--resume").arg(file);
    command
}

/// The answer as data, without what differs from run to run, and the nodes it took.
fn answer(arguments: &[&str], file: &Path) -> (Value, u64) {
    let output = isolde(arguments, file).arg("--json").assert().success().get_output().stdout.clone();
    let mut answer: Value = serde_json::from_slice(&output).unwrap();
    let nodes = answer["nodes"].as_u64().unwrap();
    for of_the_run in ["nodes", "seconds", "resumed"] {
        answer.as_object_mut().unwrap().remove(of_the_run).unwrap();
    }
    (answer, nodes)
}

/// Runs the command, and kills it after the file has changed a few times.
fn killed(arguments: &[&str], file: &Path, changes: usize) {
    let mut command = Command::new(cargo_bin!("isolde"));
    command.args(["solve", "--no-tables", "--threads", "1"]).args(arguments).arg("--resume").arg(file);
    let mut process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    after_changes(file.parent().unwrap(), changes, &mut process);
    process.kill().unwrap();
    process.wait().unwrap();
}

fn killed_and_resumed(arguments: &[&str]) {
    let undisturbed = folder();
    let (expected, nodes) = answer(arguments, &undisturbed.path().join("proven"));
    assert!(nodes > 0);
    let disturbed = folder();
    let file = disturbed.path().join("proven");
    let mut length = 0;
    for changes in [2, 5, 3] {
        killed(arguments, &file, changes);
        let now = fs::metadata(&file).unwrap().len();
        assert!(now > length, "every run gets further");
        length = now;
    }
    let (resumed, fewer) = answer(arguments, &file);
    assert_eq!(resumed, expected);
    assert!(0 < fewer && fewer < nodes, "{fewer} nodes after kills, {nodes} without");
    // The finished file answers at once.
    assert_eq!(answer(arguments, &file), (expected, 0));
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    killed_and_resumed(&["6x7"]);
}

#[test]
fn a_killed_run_for_one_placement_goes_on_where_it_was() {
    killed_and_resumed(&["7x7", "--first", "c2"]);
}

#[test]
fn a_killed_run_that_counts_plies_goes_on_where_it_was() {
    killed_and_resumed(&["5x6", "--distance"]);
}

#[test]
fn only_who_wins_the_board_is_resumed_too() {
    let folder = folder();
    let file = folder.path().join("proven");
    let (expected, nodes) = answer(&["7x7", "--weak"], &file);
    assert!(nodes > 0);
    assert_eq!(answer(&["7x7", "--weak"], &file), (expected, 0));
}

/// One file serves every question about its board: plies answer who wins, but not the reverse.
#[test]
fn a_file_serves_other_questions_about_its_board() {
    let folder = folder();
    let file = folder.path().join("proven");
    let (winners, nodes) = answer(&["5x5"], &file);
    let (plies, more) = answer(&["5x5", "--distance"], &file);
    assert!(nodes > 0 && more > 0);
    let name =
        |answer: &Value| answer["openings"].as_array().unwrap().iter().map(|row| row["winner"].clone()).collect::<Vec<_>>();
    assert_eq!(name(&winners), name(&plies));
    assert_eq!(answer(&["5x5", "--distance"], &file), (plies, 0));
    assert_eq!(answer(&["5x5", "--first", "c3"], &file).1, 0);
    isolde(&["5x5"], &file).assert().success().stdout(contains("results of earlier runs").and(contains("searched   0 nodes")));
    let estimate = isolde(&["5x5", "--estimate"], &file).assert().success();
    estimate.stdout(contains("answered at once; all openings are known without a search"));
}

#[test]
fn a_file_that_does_not_fit_is_refused_and_left_alone() {
    let folder = folder();
    let file = folder.path().join("proven");
    answer(&["4x5"], &file);
    let bytes = fs::read(&file).unwrap();
    let refused = |arguments: &[&str], file: &Path, why: &str| {
        isolde(arguments, file).assert().code(2).stdout(is_empty()).stderr(contains(why));
    };
    refused(&["5x5"], &file, "this file is about 4x5, not 5x5; name another one, or a new one");
    refused(&["5x4"], &file, "this file is about 4x5, not 5x4");
    assert_eq!(fs::read(&file).unwrap(), bytes);
    let letter = folder.path().join("letter");
    fs::write(&letter, "Dear Sir,\nyour game is decided.\n").unwrap();
    refused(&["5x5"], &letter, "this is not a file that --resume has written; name another one, or a new one");
    assert_eq!(fs::read_to_string(&letter).unwrap(), "Dear Sir,\nyour game is decided.\n");
    isolde(&["5x5"], &folder.path().join("no/such/file")).assert().failure().stderr(contains("cannot open the checkpoint"));
}

/// Whatever is cut off or garbled is proven again, and the answer is the same.
#[test]
fn a_damaged_file_never_changes_an_answer() {
    let folder = folder();
    let file = folder.path().join("proven");
    let (expected, nodes) = answer(&["4x5"], &file);
    let whole = fs::read(&file).unwrap();
    assert_eq!((whole.len() - HEADER) % RECORD, 0);
    let mut bytes = Vec::new();
    for cut in [0, 7, HEADER, HEADER + 1, HEADER + RECORD - 1, whole.len() / 2, whole.len() - 1] {
        bytes.push(whole[..cut].to_vec());
    }
    for garbled in 0..RECORD {
        let mut changed = whole.clone();
        for record in changed[HEADER..].chunks_mut(RECORD).step_by(2) {
            record[garbled] ^= 0x81;
        }
        bytes.push(changed);
    }
    for bytes in bytes {
        fs::write(&file, bytes).unwrap();
        let (resumed, again) = answer(&["4x5"], &file);
        assert_eq!(resumed, expected);
        assert!(0 < again && again <= nodes, "{again} of {nodes}");
    }
}

#[test]
fn two_processes_do_not_write_the_same_file() {
    let folder = folder();
    let file = folder.path().join("proven");
    let mut command = Command::new(cargo_bin!("isolde"));
    command.args(["solve", "8x8", "--no-tables", "--threads", "1", "--resume"]).arg(&file);
    let mut process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    after_changes(folder.path(), 1, &mut process);
    let refused = isolde(&["8x8", "--first", "a1"], &file).assert().failure();
    process.kill().unwrap();
    process.wait().unwrap();
    refused.stdout(is_empty()).stderr(contains("another process is using this file; wait for it, or name another"));
}
