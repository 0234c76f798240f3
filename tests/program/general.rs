//! The program as a whole, and its small verbs, run as its users run them.

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

fn isolde(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(cargo_bin!("isolde")).args(arguments).assert()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let answered = isolde(arguments).success().stderr(is_empty());
    serde_json::from_slice(&answered.get_output().stdout).unwrap()
}

#[test]
fn show_draws_a_line_of_play() {
    let expected = "\
7x7, second to move

   7  . . . . . . .
   6  . . . . . . .
   5  + . + . . N .
   4  . . . * . . .
   3  . n . . . . .
   2  . . . + . . .
   1  + . + . . . .
      a b c d e f g

      N first   n second   + legal move   . free   * blocked

first      N on f5: prey, 5 liberties, region of 46
second     n on b3: hunter, 5 liberties, region of 46
moves      a1 c1 d2 a5 c5 (5)
free       24 dark and 22 light cells
position   7/7/5N1/3*3/1n5/7/7 b
canonical  7/4n2/7/3*3/7/2N4/7 w  (by diagonal)
hash       0x9fc4430b96f6edbc
";
    isolde(&["show", "7x7: d4 b3 f5"]).success().stdout(expected).stderr(is_empty());
}

#[test]
fn show_draws_dead_cells_and_the_end() {
    let over = isolde(&["show", "3x3: b2 a1"]).success();
    over.stdout(contains("3x3, second has won: first cannot move").and(contains("moves      none")));
    let dead = isolde(&["show", "N**/***/n*1 w"]).success();
    dead.stdout(contains("   1  n * -\n").and(contains("1 dark and 0 light cells, 1 dead")));
    isolde(&["show", "1x1: a1"]).success().stdout(contains("first has won: second cannot place"));
    isolde(&["show", "1x1"]).success().stdout(contains("only a1 is free"));
}

#[test]
fn show_works_on_boards_of_either_word() {
    for board in ["1x1", "1x16", "8x8", "13x5", "11x9", "16x8"] {
        isolde(&["show", board]).success().stdout(contains(format!("{board}, first to place")));
    }
}

#[test]
fn show_gives_the_same_as_data() {
    let data = json(&["show", "8/8/2N5/4n3/3*4/8/8/8 b", "--json"]);
    assert_eq!(data["board"], "8x8");
    assert_eq!(data["position"], "8/8/2N5/4n3/3*4/8/8/8 b");
    assert_eq!(data["turn"], "second");
    assert_eq!(data["winner"], serde_json::Value::Null);
    assert_eq!(data["first"]["cell"], "c6");
    assert_eq!(data["first"]["part"], "hunter");
    assert_eq!(data["second"]["part"], "prey");
    assert_eq!(data["second"]["region"], 61);
    assert_eq!(data["legal_moves"], serde_json::json!(["d3", "f3", "c4", "g4", "g6", "d7", "f7"]));
    assert_eq!(data["blocked"], serde_json::json!(["d4"]));
    assert_eq!(data["free"].as_array().unwrap().len(), 61);
    assert_eq!(data["canonical"]["symmetry"], "center");
    assert_eq!((&data["start"], &data["moves"]), (&data["position"], &serde_json::json!([])));
    assert_eq!((&data["asked"], &data["line"]), (&data["position"], &serde_json::Value::Null));
    assert_eq!(data["uci"], "position fen 8/8/2N5/4n3/3*4/8/8/8 b - - 0 1");
    let moved = json(&["show", "position fen 7/7/7/3N3/1n5/7/7 w - - 0 1 moves d4f5,f5d4", "--json"]);
    assert_eq!(moved["asked"], "7/7/7/3N3/1n5/7/7 w moves f5");
    assert_eq!((&moved["start"], &moved["moves"]), (&"7/7/7/3N3/1n5/7/7 w".into(), &serde_json::json!(["f5"])));
    let empty = json(&["show", "7x7", "--json"]);
    assert_eq!((&empty["first"], &empty["canonical"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert_eq!(empty["legal_moves"].as_array().unwrap().len(), 49);
}

#[test]
fn show_draws_a_picture() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("position.svg");
    let path = file.to_str().unwrap();
    let said = format!("7x7: d4 b3 drawn in {path}\n");
    isolde(&["show", "7x7", "d4", "b3", "--svg", path]).success().stdout(said).stderr(is_empty());
    let drawn = std::fs::read_to_string(&file).unwrap();
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
    isolde(&["show", "7x7: d4 b3", "--svg", "-"]).success().stdout(drawn).stderr(is_empty());
    // A game is drawn as it stood after a ply.
    let game = folder.path().join("game.json");
    let record =
        r#"{"board":"3x3","first":"a","second":"b","limit":"1s","given":0,"moves":"b2 a1","winner":"second","end":"stuck"}"#;
    std::fs::write(&game, record).unwrap();
    let shown = isolde(&["show", game.to_str().unwrap(), "--ply", "1", "--svg", "-"]).success();
    shown.stdout(contains("<title>3x3: second to place</title>"));
    isolde(&["show", "7x7", "--svg", "/no/such/folder/a.svg"]).code(2).stderr(contains("there is no folder /no/such/folder"));
    isolde(&["show", "7x7", "--svg", "-", "--json"]).code(2).stdout(is_empty());
}

#[test]
fn perft_counts_lines() {
    let data = json(&["perft", "5x5: a1 e5", "8", "--json"]);
    assert_eq!(data["counts"], serde_json::json!([2, 4, 20, 92, 208, 428, 1034, 2124]));
    assert_eq!(data["position"], "4n/5/5/5/N4 w");
    isolde(&["perft", "7x7: d4 e4", "8"]).success().stdout(contains("\n    8  205,498\n"));
    isolde(&["perft", "3x3", "3"]).success().stdout(contains("\n    2     72\n"));
    assert_eq!(json(&["perft", "2x2", "5", "--json"])["counts"], serde_json::json!([4, 12, 0, 0, 0]));
}

#[test]
fn bad_input_is_one_sentence_and_exit_code_2() {
    let cases: &[(&[&str], &str)] = &[
        (&["show", "7y7"], "error: `7y7` is not a position"),
        (&["show", "20x20"], "error: a board of 20x20 is too long: at most 16 files and 16 ranks"),
        (&["show", "7x7: d4 d4"], "error: move 2 of the line: `d4` cannot be played: the cell is occupied"),
        (&["perft", "3/4/3 w", "2"], "error: rank 2 has 4 cells, but the top rank has 3"),
    ];
    for (arguments, sentence) in cases {
        let refused = isolde(arguments).code(2).stdout(is_empty());
        let stderr = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
        assert!(stderr.starts_with(sentence), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

#[test]
fn a_wrong_command_line_exits_with_2_too() {
    for arguments in
        [&["perft", "5x5", "0"][..], &["perft", "5x5", "129"], &["perft", "5x5"], &["shwo", "7x7"], &["show", "7x7", "x"]]
    {
        isolde(arguments).code(2).stdout(is_empty()).stderr(is_empty().not());
    }
}

#[test]
fn every_help_text_shows_examples() {
    isolde(&["--help"]).success().stdout(contains("Examples:").and(contains("Exit codes:")));
    for verb in ["show", "perft", "completions"] {
        isolde(&[verb, "--help"]).success().stdout(contains("Examples:").and(contains(format!("isolde {verb} "))));
    }
    isolde(&["--version"]).success().stdout(format!("isolde {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_know_the_verbs() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        isolde(&["completions", shell]).success().stdout(contains("perft").and(contains("show")));
    }
    isolde(&["completions", "sh"]).code(2).stderr(contains("bash"));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    use std::process::{Command, Stdio};
    let program = cargo_bin!("isolde");
    let mut child =
        Command::new(program).args(["completions", "bash"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let end = child.wait_with_output().unwrap();
    assert_eq!((end.status.code(), end.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn colours_stay_away_from_pipes() {
    let shown = isolde(&["show", "7x7: d4 b3"]).success();
    assert!(!shown.get_output().stdout.contains(&0x1b));
    let forced = Command::new(cargo_bin!("isolde")).args(["show", "7x7: d4 b3"]).env("CLICOLOR_FORCE", "1").assert().success();
    assert!(forced.get_output().stdout.contains(&0x1b));
}

#[test]
fn alone_it_shows_three_commands_and_help_explains_each() {
    let greeting = isolde(&[]).success().stderr(is_empty());
    let greeting = String::from_utf8(greeting.get_output().stdout.clone()).unwrap();
    assert_eq!(greeting.lines().filter(|line| line.starts_with("  isolde ")).count(), 3, "{greeting}");
    isolde(&["help"]).success().stdout(contains("Commands:"));
    isolde(&["help", "solve"]).success().stdout(contains("isolde solve 5x5"));
    isolde(&["help", "table", "build"]).success().stdout(contains("isolde table build 5x5 --strong"));
}

#[test]
fn one_command_writes_man_pages_and_completions() {
    let folder = crate::support::folder();
    let target = folder.path().join("usr");
    isolde(&["manual", target.to_str().unwrap()]).success().stdout(contains("5 completion scripts"));
    let read = |path: &str| std::fs::read_to_string(target.join("share").join(path)).unwrap();
    assert!(read("man/man1/isolde.1").contains("isolde\\-solve(1)"));
    assert!(read("man/man1/isolde-table-build.1").contains("isolde table build 5x5 \\-\\-strong"));
    assert!(read("bash-completion/completions/isolde").contains("--checkpoint"));
    assert!(read("fish/vendor_completions.d/isolde.fish").contains("checkpoint"));
    assert!(read("zsh/site-functions/_isolde").starts_with("#compdef isolde"));
    std::fs::write(folder.path().join("file"), "").unwrap();
    let through_a_file = folder.path().join("file/below");
    isolde(&["manual", through_a_file.to_str().unwrap()]).code(1).stderr(contains("cannot write"));
}

#[test]
#[cfg(unix)]
fn a_closed_standard_output_is_an_error() {
    for command in ["show 3x3", "--help", "help solve", "--version"] {
        let with_output = |redirection: &str| {
            let script = format!("exec {} {command} {redirection}", cargo_bin!("isolde").display());
            Command::new("sh").args(["-c", &script]).assert()
        };
        with_output(">&-").code(1).stderr(contains("standard output is closed"));
        with_output(">/dev/null").success().stderr(is_empty());
        if cfg!(target_os = "linux") {
            with_output(">/dev/full").code(1).stderr(contains("cannot write the answer"));
        }
    }
}

/// A path that cannot be right is bad input; what the system refuses is a failure. Nothing is left
/// behind in either case.
#[test]
fn files_that_cannot_be_written_end_every_verb_alike() {
    let folder = crate::support::folder();
    let here = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    // No file system takes a name of 300 letters.
    let (missing, refused) = (here("missing/file"), here(&"x".repeat(300)));
    let verbs: [&[&str]; 5] = [
        &["map", "3x3", "--svg"],
        &["claims", "colour-law", "--markdown"],
        &["play", "3x3", "--watch", "Random,Random", "--save"],
        &["tournament", "--board", "3x3", "--agents", "Random,Random", "--matches", "1", "--games"],
        &["table", "build", "3x3", "--strong", "--output"],
    ];
    for verb in verbs {
        for (path, code) in [(&missing, 2), (&refused, 1)] {
            let (option, before) = verb.split_last().unwrap();
            let ended = isolde(&[before, &[&format!("{option}={path}")]].concat()).code(code);
            let output = ended.get_output();
            assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{verb:?} {path}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A link stays a link, and what is no file is not replaced by one.
#[test]
#[cfg(unix)]
fn a_link_and_a_pipe_are_written_through() {
    use std::os::unix::fs::FileTypeExt;
    let folder = crate::support::folder();
    let here = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    std::fs::write(here("file"), "old").unwrap();
    std::os::unix::fs::symlink(here("file"), here("link")).unwrap();
    isolde(&["map", "3x3", "--svg", &here("link")]).success();
    assert!(std::fs::symlink_metadata(here("link")).unwrap().is_symlink());
    assert!(std::fs::read_to_string(here("file")).unwrap().starts_with("<svg"));
    assert!(std::process::Command::new("mkfifo").arg(here("pipe")).status().unwrap().success());
    let reader = std::process::Command::new("cat").arg(here("pipe")).stdout(std::process::Stdio::piped()).spawn().unwrap();
    isolde(&["map", "3x3", "--svg", &here("pipe")]).success();
    assert!(reader.wait_with_output().unwrap().stdout.starts_with(b"<svg"));
    assert!(std::fs::metadata(here("pipe")).unwrap().file_type().is_fifo());
}
