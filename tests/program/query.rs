//! `isolde query`, run as its users run it.

use std::collections::HashSet;
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
5x5: a1 c3: first to move, and the first player wins in 15 plies

from       solved now

c2   wins in 15     solved now
b3   wins in 15     solved now

line       c2 a4 d4 b2 b3 c4 c5 d2 d3 b1 b4 a3 a2 b5 c1
           best play: the winner hurries, the loser delays
";
    query(&["5x5: a1 c3", "--no-tables"]).success().stderr(is_empty()).stdout(predicates::str::starts_with(expected));
    query(&["3x3: b2 a1"]).success().stdout(contains("3x3: b2 a1: the second player has won: first cannot move\n"));
    query(&["1x1: a1"]).success().stdout(contains("1x1: a1: the first player has won: second cannot place\n"));
    let placements = query(&["4x4", "--winner", "--no-tables"]).success();
    placements.stdout(
        contains("4x4: first to place, and the second player wins\n").and(contains("\nloses (16, its moves)\n  a1 b1 c1")),
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
    assert_eq!((&solved["origin"], &solved["tables"]), (&"undisturbed walk".into(), &Value::Array(vec![])));
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
    missing.stderr("error: --tables /nowhere/at/all: there is no such file; name a folder with *.isolde files, or a table\n");
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

/// Plies mean the same in every verb, and the text says what they are counted from.
#[test]
fn plies_are_labelled_and_the_same_in_every_verb() {
    let says = |arguments: &[&str], said: &str| {
        program().args(arguments).assert().success().stdout(contains(said.to_string()));
    };
    says(&["query", "5x5: c3"], "5x5: c3: second to place, and the second player wins in 14 plies after both placements\n");
    says(
        &["query", "5x5: c3"],
        "\nwins in 14 plies after both placements (4, table 5x5-strong.isolde (built in))\n  c2 b3 d3 c4\n",
    );
    says(&["query", "5x5: c3 c2"], "the second player wins in 14 plies\n");
    says(&["query", "5x5: c3", "--json"], "\"plies\":14,\"plies_from\":\"both placements\"");
    says(&["solve", "5x5: c3 c2", "--distance", "--json"], "\"plies\":14,\"plies_from\":\"the position\"");
    says(&["move", "5x5: c3", "--time", "10s"], "the second player wins in 14 plies after both placements\n");
    says(&["move", "5x5: c3", "--time", "10s", "--json"], "\"plies\":14,\"plies_from\":\"both placements\"");
    says(&["query", "1x1"], "1x1: first to place, and the first player wins: second cannot place\n");
    let batch = program().args(["query", "--batch"]).write_stdin("5x5: c3\n5x5: c3 c2\n").assert().success();
    batch.stdout("5x5: c3\tsecond\t14\tc2\n5x5: c3 c2\tsecond\t14\ta4\n");
}

/// A line says what it is, and where plies are not counted the loser does not give up.
#[test]
fn a_line_says_what_it_is() {
    let kinds = ["best play: the winner hurries", "the winner's moves are proven; the loser's are the most stubborn found\n"];
    query(&["5x5: c3 c2"]).success().stdout(contains(kinds[0]));
    query(&["7x7: d4", "--winner"]).success().stdout(contains(kinds[1]));
    let data = json(&query(&["7x7: d4", "--winner", "--json"]).success());
    assert_eq!((&data["line_complete"], &data["line_optimal"]), (&true.into(), &false.into()));
    assert!(data["line"].as_array().unwrap().len() > 20, "{data}");
    // Enough plies are known to show, and the line has them all.
    let data = json(&query(&["6x6: b2 d5 d1 f4", "--distance", "--json"]).success());
    assert_eq!((&data["line_complete"], &data["line_optimal"]), (&true.into(), &true.into()));
}

/// Many placements do not make a short time long. The machine may be busy, so one try of several
/// is enough.
#[test]
fn a_short_time_is_kept_on_a_large_board() {
    let in_time = |_| json(&query(&["15x8", "--time", "0.1s", "--json"]).success())["seconds"].as_f64().unwrap() < 0.25;
    assert!((0..20).any(in_time));
}

#[test]
fn who_wins_an_opening_of_7x7_is_found_within_the_time() {
    let answer = json(&query(&["7x7: b2 d5", "--winner", "--json", "--no-tables"]).success());
    assert_eq!((&answer["winner"], &answer["plies"], &answer["line_complete"]), (&"second".into(), &Value::Null, &true.into()));
    assert!(answer["moves"].as_array().unwrap().iter().all(|judged| judged["winner"] == "second"));
    let short = query(&["7x7: d4 b3", "--time", "500ms", "--no-tables"]).success();
    short.stdout(
        contains("plies      not counted: that takes longer than the limits allow; --distance").and(contains("mirror center")),
    );
}

/// Where nobody watches, plies get one second unless more is asked for; who wins is known long
/// before.
#[test]
fn a_program_does_not_wait_for_plies_that_nobody_asked_for() {
    let answer = json(&query(&["7x7: d4 b3", "--json", "--no-tables"]).success());
    assert!(answer["seconds"].as_f64().unwrap() < 4.0, "{answer}");
    assert_eq!((&answer["winner"], &answer["move"]), (&"first".into(), &"f5".into()));
    let counted = json(&query(&["6x6: b2 d5 d1 f4", "--distance", "--json", "--no-tables"]).success());
    assert_eq!(counted["plies"].as_u64(), Some(counted["line"].as_array().unwrap().len() as u64));
    query(&["5x5", "--winner", "--distance"]).code(2).stderr(contains("cannot be used with"));
}

/// On a terminal the answer appears at once, gets better in place, and stands there once at the
/// end. `script` gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_the_answer_at_once_and_refines_it() {
    for position in ["10x8: a1 j8", "10x8: d4"] {
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
    // A line for every line, so that they can be paired: an empty one for a comment and for a blank
    // line.
    assert_eq!(answers[..4], ["", "5x5: a1 c3\tfirst\t15\tc2", "", "3x3: b2 a1\tsecond\t0\t-"]);
    assert!(answers[4].starts_with("error: line 5: `nonsense` is not a position"), "{}", answers[4]);
    assert_eq!(answers[5..], ["11x9: f5 e4\tunknown\t-\t-"]);
    let data = program().args(["query", "--batch", "--json"]).write_stdin("nonsense\n# why\n3X4 a1,b3\n").assert().code(2);
    let data = String::from_utf8(data.get_output().stdout.clone()).unwrap();
    let data: Vec<Value> = data.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(data[0]["error"].as_str().unwrap().contains("nonsense"));
    assert_eq!((&data[0]["line"], &data[1]), (&1.into(), &Value::Null));
    assert_eq!((data.len(), &data[2]["asked"], &data[2]["position"]), (3, &"3x4: a1 b3".into(), &"3/1n1/3/N2 w".into()));
    let codes = |lines: &str| program().args(["query", "--batch", "--time", "50ms"]).write_stdin(lines).assert();
    codes("3x4: a1 b3\n").success();
    codes("3x4: a1 b3\n11x9: f5 e4\n").code(3);
    codes("").success().stdout(is_empty());
}

/// Positions are understood as people type them, and no command needs quotes.
#[test]
fn a_position_can_be_typed_in_many_ways_and_without_quotes() {
    for typed in [&["5x5: a1 c3"][..], &["5X5:", "A1", "c3"], &["5x5", "a1,c3"], &["5x5 a1 c3", "--no-tables"]] {
        query(typed).success().stdout(predicates::str::starts_with("5x5: a1 c3: first to move, and the first player wins"));
    }
    query(&["5/5/2n2/5/N4", "w", "-", "-", "0", "1"]).success().stdout(predicates::str::starts_with("5/5/2n2/5/N4 w: first"));
    let data = json(&query(&["5x5", "a1", "c3", "--winner", "--json"]).success());
    assert_eq!((&data["asked"], &data["position"]), (&"5x5: a1 c3".into(), &"5/5/2n2/5/N4 w".into()));
    let says = |arguments: &[&str], begins: &str| {
        program().args(arguments).assert().success().stdout(predicates::str::starts_with(begins.to_string()));
    };
    says(&["solve", "5x5:", "a1", "c3"], "5x5: a1 c3: first to move, and the first player wins");
    says(&["solve", "5x5", "--opening", "A1,c3"], "5x5: a1 c3: first to move, and the first player wins");
    says(&["move", "5x5", "a1", "c3"], "5x5: a1 c3: ");
    says(&["show", "7X7:", "d4", "b3", "f5"], "7x7, second to move");
    says(&["verify", "mirror", "4x4", "a1", "d4"], "4x4: a1 d4: the second player wins by a mirror");
    says(&["perft", "5x5", "a1", "e5", "2"], "5x5: a1 e5\n");
    says(&["perft", "5x5", "2"], "5x5\n");
    program().args(["perft", "5x5", "a1", "e5"]).assert().code(2).stderr(contains("'e5' for '<DEPTH>'"));
    let play = program().args(["play", "3x3", "A1,b1"]).write_stdin("quit\n").assert().success();
    play.stdout(contains("your turn to move, as first"));
}

/// What a message repeats cannot move the cursor, and is never long.
#[test]
fn messages_show_bad_input_harmlessly() {
    let shown = query(&["7x7: \u{1b}[2Jd4"]).code(2);
    shown.stderr(contains("move 1 of the line: `\\u{1b}[2Jd4` is not a cell"));
    let lines = format!("\u{feff}# first\n{}\n\u{1b}]0;title\u{7}\n\u{feff}5x5: a1 c3\n", "x".repeat(1 << 20));
    let answered = program().args(["query", "--batch"]).write_stdin(lines).assert().code(2);
    let output = String::from_utf8(answered.get_output().stdout.clone()).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[3]), (4, "", "5x5: a1 c3\tfirst\t15\tc2"));
    assert!(lines[1].len() < 300 && lines[1].starts_with("error: line 2: `xxx"), "{}", lines[1]);
    assert!(lines[2].starts_with("error: line 3: `\\u{1b}]0;title\\u{7}`"), "{}", lines[2]);
}

/// Boards that are asked about in turn, one after the other and many times in a row, keep their
/// answers, also with little memory.
#[test]
fn boards_can_be_mixed() {
    let boards = ["3x3: a1 b1", "3x4: a1 b3", "4x4: a1 b3", "4x3: a1 c2", "12x10: a1 l10", "5x5: a1 c3"];
    let mut lines = String::new();
    for round in 0..12 {
        boards.iter().for_each(|board| lines += &format!("{board}\n").repeat(if round == 5 { 10 } else { 1 }));
    }
    let answers = |memory: &str| {
        let batch = program().args(["query", "--batch", "--winner", "--memory", memory]).write_stdin(lines.clone()).assert();
        String::from_utf8(batch.get_output().stdout.clone()).unwrap()
    };
    let (little, much) = (answers("64MiB"), answers("512MiB"));
    assert_eq!(little, much);
    let asked: Vec<&str> = little.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(asked, lines.lines().collect::<Vec<_>>());
    assert_eq!(little.lines().collect::<HashSet<_>>().len(), boards.len(), "each board has one answer");
}

#[cfg(unix)]
#[test]
fn a_program_can_talk_to_it_and_interrupt_it() {
    let mut child = Command::new(cargo_bin!("isolde"));
    let child = child.args(["query", "--batch", "--no-tables"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    let (mut ask, mut answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()).lines());
    for (position, answer) in [("5x5: a1 c3", "5x5: a1 c3\tfirst\t15\tc2"), ("5/5/2N2/2n2/5 w", "5/5/2N2/2n2/5 w\tsecond\t14\t")]
    {
        writeln!(ask, "{position}").unwrap();
        assert!(answers.next().unwrap().unwrap().starts_with(answer));
    }
    // It waits for a line that never comes.
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
