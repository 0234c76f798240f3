//! `isolde query`, run as its users run it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::folder;
use crate::support::naive::EveryDuel;
use crate::support::skipped::skip;
use crate::support::tables::strong_table;
use assert_cmd::cargo::cargo_bin;
use isolde::Size;
use isolde::table::{Section, Table};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};
use serde_json::Value;

/// The program in an empty folder, without anybody's own tables.
fn program() -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(cargo_bin!("isolde"));
    command.current_dir(env!("CARGO_TARGET_TMPDIR")).env("XDG_DATA_HOME", "/nowhere").env("HOME", "/nowhere");
    command
}

fn query(arguments: &[&str]) -> assert_cmd::assert::Assert {
    program().arg("query").args(arguments).assert()
}

fn json(answered: &assert_cmd::assert::Assert) -> Value {
    serde_json::from_slice(&answered.get_output().stdout).unwrap()
}

/// The strong table of 3x4 in this folder, which is made.
fn table_of_3x4(folder: &Path) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    strong_table(Size::new(3, 4).unwrap(), &EveryDuel::new(3, 4), folder)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn an_answer_has_a_verdict_every_move_and_the_line() {
    let expected = "\
5/5/2n2/5/N4 w: first to move, and the first player wins in 15 plies

from       solved now

c2   wins in 15     solved now
b3   wins in 15     solved now

line       c2 a4 d4 b2 b3 d1 d2 e3 c4 d5 e5 b4 d3 a2 c1
";
    query(&["5x5: a1 c3"]).success().stderr(is_empty()).stdout(predicates::str::starts_with(expected));
    query(&["3x3: b2 a1"]).success().stdout(contains("3/1N1/n2 w: the second player has won: first cannot move\n"));
    query(&["1x1: a1"]).success().stdout(contains("N b: the first player has won: second cannot place\n"));
    let placements = query(&["4x4", "--winner"]).success();
    placements.stdout(
        contains("4/4/4/4 w: first to place, and the second player wins\n").and(contains("\nloses (16, its moves)\n  a1 b1 c1")),
    );
}

#[test]
fn tables_are_named_and_say_the_same() {
    let folder = folder();
    let path = table_of_3x4(folder.path());
    let solved = json(&query(&["3x4: a1 b3", "--json", "--no-tables"]).success());
    let found = json(&query(&["3x4: a1 b3", "--json", "--tables", text(folder.path())]).success().stderr(is_empty()));
    for field in ["board", "position", "turn", "winner", "plies", "move", "line", "line_complete"] {
        assert_eq!(solved[field], found[field], "{field}");
    }
    assert_eq!((&solved["origin"], &solved["tables"]), (&"solved".into(), &Value::Array(vec![])));
    assert_eq!(
        (&found["origin"], &found["plies_origin"]),
        (&"table 3x4-strong.isolde".into(), &"table 3x4-strong.isolde".into())
    );
    assert_eq!((&found["tables"][0], &found["nodes"]), (&text(&path).into(), &0.into()));
    assert!(found["moves"].as_array().unwrap().iter().all(|judged| judged["origin"] == "table 3x4-strong.isolde"));
    // By default: `tables` here, and the user's own.
    let here = crate::support::folder();
    table_of_3x4(&here.path().join("tables"));
    let found = program().current_dir(here.path()).args(["query", "3x4: a1 b3"]).assert().success();
    found.stdout(contains("from       table 3x4-strong.isolde\n").and(contains("table      tables/3x4-strong.isolde\n")));
    #[cfg(target_os = "linux")]
    {
        let data = crate::support::folder();
        table_of_3x4(&data.path().join("isolde/tables"));
        let found = program().env("XDG_DATA_HOME", data.path()).args(["query", "3x4: a1 b3"]).assert().success();
        found.stdout(contains("from       table 3x4-strong.isolde\n"));
    }
}

/// Bytes that are no text are a bad line like any other.
#[test]
fn a_line_that_is_no_text_does_not_end_a_batch() {
    let answered =
        program().args(["query", "--batch"]).write_stdin(b"3x3: a1 b1\nbad\xff\n3x3: a1 b2\n".to_vec()).assert().code(2);
    let output = String::from_utf8(answered.get_output().stdout.clone()).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), 3, "{output}");
    assert!(lines[1].starts_with("error: ") && !lines[0].starts_with("error") && !lines[2].starts_with("error"), "{output}");
}

#[test]
fn a_bad_table_is_a_warning_and_no_wrong_answer() {
    let right = json(&query(&["3x4: a1 b3", "--json"]).success());
    let folder = folder();
    let path = table_of_3x4(folder.path());
    fs::write(folder.path().join("notes.isolde"), "no table").unwrap();
    fs::write(folder.path().join("readme.txt"), "not even called one").unwrap();
    let mut bytes = fs::read(&path).unwrap();
    // Every block, but nothing before: the damage shows only when the table is read.
    let table = Table::<u64>::open(&path).unwrap();
    let end = (table.file_length() - table.section_length(Section::Directory) - 16) as usize;
    let begin = end - table.section_length(Section::Blocks) as usize;
    bytes[begin..end].iter_mut().step_by(32).for_each(|byte| *byte ^= 0x40);
    drop(table);
    fs::write(&path, bytes).unwrap();
    let answered = query(&["3x4: a1 b3", "--json", "--tables", text(folder.path())]).success();
    let warnings = String::from_utf8(answered.get_output().stderr.clone()).unwrap();
    assert_eq!(warnings.lines().filter(|line| line.contains("notes.isolde cannot be used: it is not a table")).count(), 1);
    assert_eq!(
        warnings.lines().filter(|line| line.contains("3x4-strong.isolde cannot be used: its blocks are damaged")).count(),
        1
    );
    assert_eq!(warnings.lines().count(), 2, "{warnings}");
    let answer = json(&answered);
    for field in ["winner", "plies", "move", "line"] {
        assert_eq!(answer[field], right[field], "{field}");
    }
}

#[test]
fn bad_input_is_one_sentence_and_exit_code_2() {
    let missing = query(&["3x4", "--tables", "/nowhere/at/all"]).code(2).stdout(is_empty());
    missing.stderr("error: --tables /nowhere/at/all: there is no such folder; name one that holds *.isolde files\n");
    query(&["3x4: a1 z9"]).code(2).stdout(is_empty()).stderr(contains("error: move 2 of the line: `z9`"));
    query(&[]).code(2).stderr(contains("required"));
    query(&["3x4", "--batch"]).code(2).stderr(contains("cannot be used with"));
    query(&["3x4", "--tables", ".", "--no-tables"]).code(2).stderr(contains("cannot be used with"));
}

#[test]
fn what_the_time_does_not_suffice_for_is_unknown() {
    let started = Instant::now();
    let unknown = query(&["9x9: b2 d5", "--time", "200ms"]).code(3);
    unknown
        .stdout(contains("first to move; not proven within the limits\n").and(contains("unknown")))
        .stdout(contains("line       not found within the limits\n"));
    assert!(started.elapsed() < Duration::from_secs(5));
    let answer = json(&query(&["9x9: b2 d5", "--time", "0s", "--json"]).code(3));
    assert_eq!((&answer["winner"], &answer["plies"], &answer["origin"]), (&"unknown".into(), &Value::Null, &Value::Null));
    assert_eq!((&answer["move"], &answer["line_complete"]), (&Value::Null, &false.into()));
}

#[test]
fn who_wins_an_opening_of_7x7_is_found_within_the_time() {
    let answer = json(&query(&["7x7: b2 d5", "--winner", "--json"]).success());
    assert_eq!((&answer["winner"], &answer["plies"], &answer["line_complete"]), (&"second".into(), &Value::Null, &true.into()));
    assert!(answer["moves"].as_array().unwrap().iter().all(|judged| judged["winner"] == "second"));
    let short = query(&["7x7: d4 b3", "--time", "500ms"]).success();
    short.stdout(contains("plies      not counted within the limits; --distance").and(contains("mirror center")));
}

/// Where nobody watches, plies get one second unless more is asked for; who wins is known long
/// before.
#[test]
fn a_program_does_not_wait_for_plies_that_nobody_asked_for() {
    let answer = json(&query(&["7x7: d4 b3", "--json"]).success());
    assert!(answer["seconds"].as_f64().unwrap() < 4.0, "{answer}");
    assert_eq!((&answer["winner"], &answer["move"]), (&"first".into(), &"f5".into()));
    let counted = json(&query(&["6x6: b2 d5 d1 f4", "--distance", "--json"]).success());
    assert_eq!(counted["plies"].as_u64(), Some(counted["line"].as_array().unwrap().len() as u64));
    query(&["5x5", "--winner", "--distance"]).code(2).stderr(contains("cannot be used with"));
}

/// On a terminal the answer appears at once, gets better in place, and stands there once at the
/// end. `script` gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_the_answer_at_once_and_refines_it() {
    for position in ["8x8: a1 h8", "8x8: d4"] {
        shows_at_once_and_refines(position);
    }
}

#[cfg(target_os = "linux")]
fn shows_at_once_and_refines(position: &str) {
    let command = format!("{} query '{position}' --time 2s", cargo_bin!("isolde").display());
    let mut child = Command::new("script");
    child.args(["-qec", &command, "/dev/null"]).env("TERM", "xterm").current_dir(env!("CARGO_TARGET_TMPDIR"));
    let Ok(mut child) = child.stdin(Stdio::null()).stdout(Stdio::piped()).spawn() else {
        return skip("a_terminal_shows_the_answer_at_once_and_refines_it", "there is no `script` on this machine");
    };
    let (started, mut output) = (Instant::now(), child.stdout.take().unwrap());
    let (mut shown, mut first, mut piece) = (Vec::new(), None, [0; 4096]);
    while let Ok(read @ 1..) = output.read(&mut piece) {
        shown.extend(&piece[..read]);
        if first.is_none() && String::from_utf8_lossy(&shown).contains("the second player wins") {
            first = Some(started.elapsed());
        }
    }
    assert!(child.wait().unwrap().success());
    let (first, whole) = (first.expect("the answer was shown"), started.elapsed());
    assert!(first < Duration::from_millis(800) && first * 2 < whole, "shown after {first:?} of {whole:?}");
    let shown = String::from_utf8_lossy(&shown);
    let drafts = shown.matches("not known yet").count();
    assert!(drafts > 1, "{drafts} drafts");
    let last = shown.rfind("\u{1b}[2K").expect("the drafts were cleared");
    assert_eq!(shown[last..].matches("the second player wins").count(), 1, "{shown}");
}

#[test]
fn a_batch_is_answered_line_by_line() {
    let lines = "# positions\n5x5: a1 c3\n\n  3x3: b2 a1  \nnonsense\n11x9: f5 e4\n";
    let batch = || program().args(["query", "--batch", "--time", "1s"]).write_stdin(lines).assert().code(2).stderr(is_empty());
    let answers = String::from_utf8(batch().get_output().stdout.clone()).unwrap();
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers[..2], ["5/5/2n2/5/N4 w\tfirst\t15\tc2", "3/1N1/n2 w\tsecond\t0\t-"]);
    assert!(answers[2].starts_with("error: ") && answers[2].contains("nonsense"), "{}", answers[2]);
    assert!(answers[3].ends_with(" w\tunknown\t-\t-"), "{}", answers[3]);
    assert_eq!(answers.len(), 4);
    let data = program().args(["query", "--batch", "--json"]).write_stdin("nonsense\n3x4: a1 b3\n").assert().code(2);
    let data = String::from_utf8(data.get_output().stdout.clone()).unwrap();
    let data: Vec<Value> = data.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(data[0]["error"].as_str().unwrap().contains("nonsense"));
    assert_eq!((data.len(), &data[1]["board"]), (2, &"3x4".into()));
    let codes = |lines: &str| program().args(["query", "--batch", "--time", "50ms"]).write_stdin(lines).assert();
    codes("3x4: a1 b3\n").success();
    codes("3x4: a1 b3\n11x9: f5 e4\n").code(3);
    codes("").success().stdout(is_empty());
}

#[cfg(unix)]
#[test]
fn a_program_can_talk_to_it_and_interrupt_it() {
    let mut child = Command::new(cargo_bin!("isolde"));
    let child = child.args(["query", "--batch", "--no-tables"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    let (mut ask, mut answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()).lines());
    for (position, answer) in [("5x5: a1 c3", "5/5/2n2/5/N4 w\tfirst\t15\tc2"), ("5x5: c3 c2", "5/5/2N2/2n2/5 w\tsecond\t14\t")] {
        writeln!(ask, "{position}").unwrap();
        assert!(answers.next().unwrap().unwrap().starts_with(answer));
    }
    // It waits for a line that never comes.
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
