//! `isolde table` as a user runs it.

use std::fs;
use std::path::Path;

use assert_cmd::cargo::cargo_bin;
use isolde::table::Table;
use isolde::{Position, notation};
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

/// A folder with a folder for tables.
pub(crate) fn folder() -> TempDir {
    let folder = crate::support::folder();
    fs::create_dir(folder.path().join("tables")).unwrap();
    folder
}

pub(crate) fn isolde(folder: &Path) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(cargo_bin("isolde"));
    command.current_dir(folder).arg("table");
    command
}

pub(crate) fn build(folder: &Path, args: &[&str]) {
    isolde(folder).arg("build").args(args).assert().success();
}

pub(crate) fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join("tables").join(name)).unwrap()
}

#[test]
fn a_table_is_built_described_and_verified() {
    let folder = folder();
    isolde(folder.path())
        .args(["build", "3x4", "--strong"])
        .assert()
        .success()
        .stdout(contains("tables/3x4-strong.isolde: strong table of 3x4"))
        .stdout(contains("all openings, in 36 classes"));
    assert!(!folder.path().join("tables/3x4-strong.isolde.part").exists());
    isolde(folder.path())
        .args(["info", "tables/3x4-strong.isolde", "--json"])
        .assert()
        .success()
        .stdout(contains(r#""positions":993,"#).and(contains(r#""command":"isolde table build 3x4 --strong""#)));
    isolde(folder.path())
        .args(["verify", "tables/3x4-strong.isolde"])
        .assert()
        .success()
        .stdout(contains("every byte and every entry is right").and(contains("993 of 993")));
    build(folder.path(), &["5x5", "--depth", "19"]);
    isolde(folder.path())
        .args(["verify", "tables/5x5-opening.isolde", "--json"])
        .assert()
        .success()
        .stdout(contains(r#""verdict":"true""#));
    isolde(folder.path())
        .args(["verify", "tables/5x5-opening.isolde", "--sample", "50"])
        .assert()
        .success()
        .stdout(contains("50 of"));
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let folder = folder();
    for (board, name) in [(&["4x5", "--strong"][..], "4x5-strong.isolde"), (&["6x6", "--depth", "30"], "6x6-opening.isolde")] {
        let made = ["1", "2", "3"].map(|threads| {
            build(folder.path(), &[board, &["--threads", threads, "--force"]].concat());
            read(folder.path(), name)
        });
        assert!(made[0] == made[1] && made[1] == made[2], "{name}");
    }
}

#[test]
fn a_damaged_table_is_named_with_its_damage() {
    let folder = folder();
    build(folder.path(), &["3x4", "--strong"]);
    let path = folder.path().join("tables/3x4-strong.isolde");
    let sound = fs::read(&path).unwrap();
    let says = |bytes: &[u8], sentence: &str| {
        fs::write(&path, bytes).unwrap();
        let run = isolde(folder.path()).args(["verify", "tables/3x4-strong.isolde"]).assert().code(1);
        let output = run.get_output();
        let all = [&output.stdout[..], &output.stderr].concat();
        let all = String::from_utf8(all).unwrap();
        assert!(all.contains(sentence), "{all}");
    };
    let flipped = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    says(&sound[..sound.len() - 5], "it is cut off");
    says(&flipped(9), "it is a table of version 4097, and this program reads version 1");
    says(&flipped(40), "its header is damaged");
    says(&flipped(140), "its metadata is damaged");
    says(&flipped(sound.len() / 2), "its blocks are damaged");
    says(&flipped(sound.len() - 20), "its directory is damaged");
    says(&flipped(sound.len() - 1), "its padding is damaged");
}

/// One line for each table, and the exit code of the worst.
#[test]
fn several_tables_and_folders_are_described_and_verified() {
    let folder = folder();
    build(folder.path(), &["3x3", "--strong"]);
    build(folder.path(), &["4x4", "--opening", "a1 b2"]);
    let sound = read(folder.path(), "3x3-strong.isolde");
    fs::write(folder.path().join("cut.isolde"), &sound[..500]).unwrap();
    let run = |args: &[&str], code| {
        let output = isolde(folder.path()).args(args).assert().code(code).get_output().stdout.clone();
        String::from_utf8(output).unwrap()
    };
    let info = run(&["info", "tables"], 0);
    let lines: Vec<&str> = info.lines().collect();
    assert!(lines[0].starts_with("tables/3x3-strong.isolde") && lines[0].contains(" 66 positions"), "{info}");
    assert!(lines[1].contains("4x4    opening  1 opening "), "{info}");
    assert!(lines[3].starts_with("total      2 tables, "), "{info}");
    let damage = "it is cut off (500 bytes instead of 727)";
    assert!(run(&["info", "cut.isolde", "tables"], 1).contains(damage));
    assert!(run(&["info", "cut.isolde", "tables", "none.isolde"], 2).contains("cannot open it: "));
    let json: serde_json::Value = serde_json::from_str(&run(&["info", "tables", "cut.isolde", "--json"], 1)).unwrap();
    assert_eq!((&json["usable"], &json["unusable"]), (&2.into(), &1.into()));
    assert!(json["tables"][2]["fault"].as_str().unwrap().starts_with(damage));
    let verified = run(&["verify", "tables", "cut.isolde"], 1);
    assert!(verified.contains("tables/3x3-strong.isolde: every byte and every entry is right\n"), "{verified}");
    assert!(verified.contains(damage) && verified.ends_with("total      3 tables: 2 right, 1 damaged or false\n"), "{verified}");
    let json: serde_json::Value = serde_json::from_str(&run(&["verify", "tables", "--json"], 0)).unwrap();
    assert_eq!((&json["right"], &json["tables"][0]["entries"]), (&2.into(), &66.into()));
    assert!(run(&["verify", "tables", "--time", "0s"], 3).contains("total      2 tables: 2 not finished"));
    fs::create_dir(folder.path().join("empty")).unwrap();
    isolde(folder.path()).args(["verify", "empty"]).assert().code(2).stderr(contains("the folder empty has no tables"));
}

/// Every place in which tables are looked for, what is there, and what is wrong.
#[test]
fn tables_are_listed_where_they_are_found() {
    let folder = folder();
    let list = |args: &[&str], code| {
        let mut command = isolde(folder.path());
        command.env("HOME", folder.path()).env_remove("XDG_DATA_HOME").env_remove("ISOLDE_TABLES");
        let output = command.arg("list").args(args).assert().code(code).get_output().stdout.clone();
        String::from_utf8(output).unwrap()
    };
    let empty = list(&[], 0);
    assert!(empty.starts_with("tables: no tables\n") && empty.contains("isolde/tables: there is no such folder\n"), "{empty}");
    assert!(empty.contains("\nbuilt in\n  3x3-strong.isolde   3x3 "), "{empty}");
    assert!(
        empty.contains("\n  7x7-opening.isolde  7x7    opening  all openings         7,274 positions   37.8 KiB\n"),
        "{empty}"
    );
    build(folder.path(), &["3x3", "--strong"]);
    fs::write(folder.path().join("tables/text.isolde"), "this is no table").unwrap();
    let found = list(&[], 1);
    assert!(found.starts_with("tables\n  3x3-strong.isolde  3x3    strong "), "{found}");
    assert!(
        found.contains("\n  text.isolde        it is not a table of Isolde\n") && found.contains("; 1 cannot be used"),
        "{found}"
    );
    let json: serde_json::Value = serde_json::from_str(&list(&["tables", "--json"], 1)).unwrap();
    assert_eq!((&json["places"][0]["place"], &json["places"][0]["tables"][0]["positions"]), (&"tables".into(), &66.into()));
    assert_eq!((json["places"].as_array().unwrap().len(), &json["usable"]), (1, &1.into()));
    isolde(folder.path()).args(["list", "nowhere"]).assert().code(2).stderr(contains("nowhere: there is no such folder or file"));
}

/// Every line of an export, read back, is what the table says.
#[test]
fn exports_come_back() {
    let folder = folder();
    build(folder.path(), &["3x5", "--strong"]);
    build(folder.path(), &["5x5", "--depth", "17"]);
    for (name, lines) in [("3x5-strong.isolde", 4947), ("5x5-opening.isolde", 1770)] {
        let path = folder.path().join("tables").join(name);
        let table = Table::<u64>::open(&path).unwrap();
        let output = isolde(folder.path()).arg("export").arg(&path).assert().success().get_output().stdout.clone();
        let csv = String::from_utf8(output).unwrap();
        let output =
            isolde(folder.path()).args(["export", "--format", "jsonl"]).arg(&path).assert().success().get_output().stdout.clone();
        let json = String::from_utf8(output).unwrap();
        assert_eq!(csv.lines().next(), Some("position,value,plies,move"));
        assert_eq!((csv.lines().count() - 1, json.lines().count()), (lines, lines));
        for ((csv, json), entry) in csv.lines().skip(1).zip(json.lines()).zip(table.entries()) {
            let (duel, proven) = entry.unwrap();
            let json: serde_json::Value = serde_json::from_str(json).unwrap();
            let columns: Vec<&str> = csv.split(',').collect();
            let text = |name: &str| {
                json.get(name).map(|value| value.as_str().map_or(value.to_string(), str::to_string)).unwrap_or_default()
            };
            assert_eq!(columns, [text("position"), text("value"), text("plies"), text("move")]);
            let position = Position::new(notation::parse(columns[0]).unwrap()).unwrap();
            assert_eq!(position.duel(), Some(duel));
            assert_eq!(columns[1] == "win", proven.value() == isolde::Value::Win);
            assert_eq!(columns[2].parse().ok(), proven.plies());
        }
    }
}

#[test]
fn tables_of_single_openings_are_merged() {
    let folder = folder();
    for (opening, name) in [("a1 e5", "a"), ("c3 b1", "b")] {
        build(folder.path(), &["5x5", "--opening", opening, "-o", &format!("{name}.isolde")]);
    }
    build(folder.path(), &["4x4", "-o", "small.isolde"]);
    isolde(folder.path())
        .args(["merge", "a.isolde", "b.isolde", "-o", "both.isolde"])
        .assert()
        .success()
        .stdout(contains("covers     the openings a1 e5, c3 b1, and all images"));
    isolde(folder.path()).args(["verify", "both.isolde"]).assert().success();
    // Of strategies of different depths, what all of them have.
    build(folder.path(), &["5x5", "--opening", "b2 c1", "--depth", "15", "-o", "deeper.isolde"]);
    isolde(folder.path()).args(["merge", "a.isolde", "deeper.isolde", "-o", "uneven.isolde"]).assert().success();
    isolde(folder.path()).args(["verify", "uneven.isolde"]).assert().success();
    let refused = isolde(folder.path()).args(["merge", "a.isolde", "small.isolde", "-o", "x.isolde"]).assert().code(2);
    refused.stderr(contains("only tables of one board can be merged: a.isolde is of 5x5, but small.isolde of 4x4"));
    let strong = ["5x5", "--strong", "--opening", "a1 e5", "-o", "strong.isolde"];
    build(folder.path(), &strong);
    let refused = isolde(folder.path()).args(["merge", "a.isolde", "strong.isolde", "-o", "x.isolde"]).assert().code(2);
    refused.stderr(contains("only tables of one board and kind can be merged"));
    assert!(!folder.path().join("x.isolde").exists());
}

#[test]
fn solving_uses_the_tables_that_are_named() {
    let folder = folder();
    build(folder.path(), &["5x5", "--depth", "21"]);
    let mut solve = assert_cmd::Command::new(cargo_bin("isolde"));
    let solve = solve.current_dir(folder.path()).args(["solve", "5x5", "--json", "--tables", "tables"]).assert().success();
    solve.stdout(contains(r#""nodes":0,"#).and(contains(r#""winner":"second","#)));
}
