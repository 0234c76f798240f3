//! Where tables are looked for, and in which order.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use assert_cmd::cargo::cargo_bin;
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

use crate::support::folder;

/// The program in a folder of its own, with a home that has nothing in it.
fn isolde(folder: &TempDir) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(cargo_bin("isolde"));
    command.current_dir(folder.path()).env("HOME", folder.path()).env_remove("XDG_DATA_HOME").env_remove("ISOLDE_TABLES");
    command
}

/// A table of the project, copied to a place below this folder.
fn copy(name: &str, folder: &TempDir, to: &str) {
    let to = folder.path().join(to);
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tables").join(name), to).unwrap();
}

/// The table that an answer about 3x5 names. The built-in one is `3x5-strong.isolde (built in)`.
fn origin(mut command: assert_cmd::Command, args: &[&str]) -> String {
    let output = command.args(["query", "3x5: a1 c4", "--json"]).args(args).assert().success().get_output().stdout.clone();
    let answer: serde_json::Value = serde_json::from_slice(&output).unwrap();
    answer["tables"][0].as_str().unwrap_or("no table").to_string()
}

const BUILT_IN: &str = "3x5-strong.isolde (built in)";

#[test]
fn the_program_alone_has_its_tables() {
    let folder = folder();
    let answer = isolde(&folder).args(["query", "5x5: a1 c3"]).assert().success().stderr("");
    answer.stdout(contains("from       table 5x5-strong.isolde (built in)").and(contains("searched   0 nodes")));
    isolde(&folder).args(["query", "5x3: a1 c2"]).assert().success().stdout(contains(format!("table      {BUILT_IN}")));
    assert_eq!(origin(isolde(&folder), &[]), BUILT_IN);
    assert_eq!(origin(isolde(&folder), &["--no-tables"]), "no table");
}

/// A person's own table comes before the built-in one, wherever it is found.
#[test]
fn own_tables_come_first() {
    let folder = folder();
    let variable = |value: &str| {
        let mut command = isolde(&folder);
        command.env("ISOLDE_TABLES", value);
        command
    };
    copy("3x5-strong.isolde", &folder, ".local/share/isolde/tables/x.isolde");
    let in_home = folder.path().join(".local/share/isolde/tables/x.isolde").display().to_string();
    if cfg!(target_os = "linux") {
        assert_eq!(origin(isolde(&folder), &[]), in_home);
    }
    copy("3x5-strong.isolde", &folder, "tables/y.isolde");
    assert_eq!(origin(isolde(&folder), &[]), "tables/y.isolde");
    // The variable stands for the default folders. The built-in tables remain.
    copy("3x5-strong.isolde", &folder, "mine/z.isolde");
    copy("3x4-strong.isolde", &folder, "other/w.isolde");
    let list = std::env::join_paths(["other", "mine"]).unwrap();
    assert_eq!(origin(variable(list.to_str().unwrap()), &[]), "mine/z.isolde");
    assert_eq!(origin(variable("mine/z.isolde"), &[]), "mine/z.isolde");
    assert_eq!(origin(variable("other"), &[]), BUILT_IN);
    assert_eq!(origin(variable(""), &[]), "tables/y.isolde");
    assert_eq!(origin(variable("mine"), &["--no-tables"]), "no table");
    // If places are named on the command line, only their tables are used.
    assert_eq!(origin(variable("mine"), &["--tables", "tables"]), "tables/y.isolde");
    assert_eq!(origin(isolde(&folder), &["--tables", "other", "--tables", "mine/z.isolde"]), "mine/z.isolde");
    assert_eq!(origin(isolde(&folder), &["--tables", "other"]), "no table");
}

#[test]
fn a_place_that_is_not_there_is_named() {
    let folder = folder();
    let mut command = isolde(&folder);
    command.env("ISOLDE_TABLES", "nowhere").args(["query", "3x5: a1 c4"]);
    let warning = "warning: cannot open nowhere";
    command.assert().success().stderr(contains(warning)).stdout(contains(BUILT_IN));
    let refused = isolde(&folder).args(["query", "3x5: a1 c4", "--tables", "nowhere"]).assert().code(2);
    refused.stderr(contains("--tables nowhere: there is no such file"));
}

/// The engine's option means what `--tables` means.
#[test]
fn the_engine_looks_in_the_same_places() {
    let folder = folder();
    copy("3x4-strong.isolde", &folder, "other/w.isolde");
    // The input stays open until the engine has answered, because its end stops the search.
    let said = |option: &str| {
        let mut engine = std::process::Command::new(cargo_bin("isolde"))
            .current_dir(folder.path())
            .envs([("HOME", "/nowhere"), ("XDG_DATA_HOME", "/nowhere")])
            .env_remove("ISOLDE_TABLES")
            .arg("engine")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = engine.stdin.take().unwrap();
        write!(input, "{option}setoption name UCI_Variant value joust3x5\nposition startpos moves a1 c4\ngo nodes 2\n").unwrap();
        let lines = BufReader::new(engine.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut lines: Vec<String> = lines.take_while(|line| !line.starts_with("bestmove")).collect();
        drop(input);
        assert!(engine.wait().unwrap().success());
        lines.push(String::new());
        lines.join("\n")
    };
    // What a table says costs no nodes.
    assert!(said("").contains("score mate -6 nodes 0 "), "{}", said(""));
    assert!(!said("setoption name Tables value other\n").contains("nodes 0 "));
    assert!(said("setoption name Tables value nowhere\n").contains("info string Tables: there is no folder or file nowhere"));
}
