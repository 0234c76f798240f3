//! `isolde move`, `play`, `agents`, `show` and `tournament`, run as their users run them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::folder;
use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin;
use isolde::{Position, notation};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty, starts_with};
use serde_json::Value;

/// The program in an empty folder, without the user's own tables.
fn program() -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(cargo_bin!("isolde"));
    command.current_dir(env!("CARGO_TARGET_TMPDIR")).env("XDG_DATA_HOME", "/nowhere").env("HOME", "/nowhere");
    command
}

fn isolde(arguments: &[&str]) -> Assert {
    program().args(arguments).assert()
}

fn json(arguments: &[&str]) -> Value {
    let answered = isolde(&[arguments, &["--json"]].concat()).success().stderr(is_empty());
    serde_json::from_slice(&answered.get_output().stdout).unwrap()
}

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");

#[test]
fn a_move_says_what_it_rests_on() {
    let expected = "\
7/7/7/3N3/1n5/7/7 w: f5

proven     yes: the first player wins
by         mirror center
line       f5";
    isolde(&["move", "7x7: d4 b3", "--nodes", "100"]).success().stderr(is_empty()).stdout(starts_with(expected));
    let origins = [
        ("5x5: c3 c2", &["--tables", TABLES][..], "table 5x5-strong.isolde", Some("second")),
        ("8x8: d4", &[], "mirror vertical", Some("second")),
        ("*1n/*1*/N2 w", &[], "separated regions", Some("first")),
        ("4x5: b2 d4", &[], "exact search", Some("second")),
        ("8x8: d4 f5", &["--agent", "AB_Improved", "--depth", "4"], "heuristic search to depth 4", None),
        ("8x8: d4 f5", &["--agent", "Random"], "chance", None),
    ];
    for (position, options, by, winner) in origins {
        let limit: &[&str] = if options.contains(&"--depth") { &[] } else { &["--nodes", "50000"] };
        let answer = json(&[&["move", position][..], options, limit].concat());
        let words = answer["by"].as_str().unwrap();
        assert_eq!(words, by, "{position}: {answer}");
        assert_eq!(
            (answer["winner"].as_str(), answer["proven"].as_bool()),
            (winner, Some(winner.is_some())),
            "{position}: {answer}"
        );
        assert_eq!(answer["line"][0], answer["move"]);
    }
    let unproven = isolde(&["move", "8x8: d4 f5", "--agent", "perfect", "--nodes", "5000"]).code(3);
    unproven.stdout(contains("nothing: no proof was found within the limit"));
    // Three million nodes are enough to count the plies. The first position is lost: there a trap
    // is preferred to a long game.
    for (position, plies) in [("5x5: c1 d3", None), ("5x5: b4 e5", Some(15)), ("4x5: a1 d4", Some(15))] {
        let counted = json(&["move", position, "--nodes", "3000000"]);
        let line = counted["line"].as_array().unwrap().len() as u64;
        assert_eq!((counted["plies"].as_u64(), plies.is_none_or(|plies| plies == line)), (plies, true), "{counted}");
    }
    isolde(&["move", "8x8: d4", "--time", "1000000000000000s"]).success();
    isolde(&["move", "3x3: b2 a1"])
        .code(2)
        .stdout(is_empty())
        .stderr(contains("there is no move to choose: the second player has won"));
    isolde(&["move", "7x7", "--agent", "AB_nothing"])
        .code(2)
        .stderr(contains("unknown agent `AB_nothing`").and(contains("`isolde agents`")));
    isolde(&["move", "7x7", "--time", "soon"]).code(2).stderr(contains("write a time such as 500ms"));
    isolde(&["move", "7x7", "--time", "1s", "--nodes", "5"]).code(2).stderr(contains("cannot be used with"));
}

/// Even within a millisecond there is a legal move, and most tries keep the limit. Another process
/// may make a try late, so a round that falls short is repeated.
#[test]
fn moves_keep_the_time_limit() {
    const TRIES: usize = 10;
    const ROUNDS: usize = 4;
    for (text, milliseconds) in
        [("7x7", 1), ("7x7: d4 b2", 1), ("8x8: d4 f5", 1), ("11x9: d4 f5", 1), ("11x9: d4 f5", 60), ("8x8: d4 f5", 60)]
    {
        let position: Position = text.parse().unwrap();
        let limit = f64::from(milliseconds) / 1000.0;
        let seconds_taken = || {
            let started = Instant::now();
            let answer = json(&["move", text, "--time", &format!("{milliseconds}ms"), "--tables", TABLES]);
            let taken = started.elapsed();
            notation::parse_move(&position, answer["move"].as_str().unwrap()).expect("the move is legal");
            // The program does not count the time that the system needs to start it.
            let seconds = answer["seconds"].as_f64().unwrap();
            assert!(seconds <= taken.as_secs_f64());
            seconds
        };
        // Undisturbed, a move is at most 5 ms late; disturbed, most moves are at most 10 ms late.
        let is_kept = |_| {
            let all: Vec<f64> = (0..TRIES).map(|_| seconds_taken()).collect();
            let within = |late: f64| all.iter().filter(|&&seconds| seconds < limit + late).count();
            within(0.005) > 0 && 10 * within(0.010) >= 7 * TRIES
        };
        assert!((0..ROUNDS).any(is_kept), "{text} is late too often at {milliseconds} ms");
    }
}

#[test]
fn a_game_is_played_saved_and_shown() {
    let folder = folder();
    let file = folder.path().join("game.json");
    let typed = "c3\nhint\nvalues\nz9\nundo\nundo\nb2\nnonsense\nquit\n";
    let played =
        program().args(["play", "5x5", "--nodes", "20000", "--tables", TABLES, "--save"]).arg(&file).write_stdin(typed).assert();
    let text = String::from_utf8(played.success().stderr(is_empty()).get_output().stdout.clone()).unwrap();
    for expected in [
        "your turn to place, as first",
        "best (second) places on",
        "proven that second wins, by table 5x5-strong.isolde",
        "loses in 14    table 5x5-strong.isolde",
        "`z9` is not a cell",
        "there is no move of yours to take back",
        "`nonsense` is not a cell",
        "   2  . N . . .",
        &format!("the record is in {}", file.display()),
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
    let shown = isolde(&["show", file.to_str().unwrap()]).success();
    shown.stdout(starts_with("you against best on 5x5: best won, you resigned\n").and(contains("moves      b2 ")));

    // Two agents play to the end. The record agrees with the screen.
    let watched = folder.path().join("watched.json");
    let screen =
        program().args(["play", "4x4", "--watch", "best,AB_Improved", "--nodes", "2000", "--save"]).arg(&watched).assert();
    let screen = String::from_utf8(screen.success().get_output().stdout.clone()).unwrap();
    let record: Value = serde_json::from_str(&fs::read_to_string(&watched).unwrap()).unwrap();
    assert_eq!((record["end"].as_str(), record["first"].as_str()), (Some("stuck"), Some("best")));
    assert!(screen.contains(&format!("(4x4: {})", record["moves"].as_str().unwrap())), "{screen}");
    let plies = record["moves"].as_str().unwrap().split(' ').count();
    let replay = isolde(&["show", watched.to_str().unwrap(), "--replay"]).success();
    let replay = String::from_utf8(replay.get_output().stdout.clone()).unwrap();
    assert_eq!(replay.matches("      a b c d\n").count(), plies);
    let shown = json(&["show", watched.to_str().unwrap(), "--ply", "2"]);
    assert_eq!((&shown["ply"], &shown["record"]), (&2.into(), &record));
    assert_eq!(shown["shown"]["turn"], "first");
    isolde(&["show", watched.to_str().unwrap(), "--ply", "99"])
        .code(2)
        .stderr(contains(format!("the game has only {plies} plies")));
    isolde(&["show", watched.to_str().unwrap(), "--game", "2"]).code(2).stderr(contains("the file holds no game 2"));
    isolde(&["show", "7x7", "--replay"]).code(2).stderr(contains("go with a file of records"));
    isolde(&["play", "5x5", "--as", "third"]).code(2).stderr(contains("write first or second"));
    isolde(&["play", "5x5", "--watch", "best"]).code(2).stderr(contains("--watch takes two agents"));
    fs::write(&file, "{\"board\":\"5x5\"}\n").unwrap();
    isolde(&["show", file.to_str().unwrap()])
        .code(2)
        .stdout(is_empty())
        .stderr(contains("line 1: not the record of a game: missing field"));
    // You win against the agent that moves at random.
    let won = program().args(["play", "3x3", "--against", "Random", "--seed", "3"]).write_stdin("a1\nb3\nc1\n").assert();
    won.success().stdout(contains("you win: Random cannot move (3x3: a1 a3 b3 c2 c1)"));
}

#[test]
fn agents_are_listed_and_heuristics_measured() {
    let list = json(&["agents"]);
    assert_eq!((list["agents"].as_array().unwrap().len(), list["heuristics"].as_array().unwrap().len()), (7, 35));
    isolde(&["agents"])
        .success()
        .stdout(contains("  next_moves               improved, and the same for the cells one move further on (corners-report)"));
    let measure = |threads: &str| json(&["agents", "--measure", "4x5", "--positions", "200", "--threads", threads]);
    let measured = measure("1");
    assert_eq!(measured, measure("2"));
    let share = |name: &str| {
        let rows = measured["heuristics"].as_array().unwrap();
        rows.iter().find(|row| row["heuristic"] == name).unwrap()["keeps_win"]["of_all"]["percent"].as_f64().unwrap()
    };
    // `null` is as good as chance, and counting moves is better.
    let chance = measured["measured"]["random_move_keeps_win"]["of_all"]["percent"].as_f64().unwrap();
    assert!((share("null") - chance).abs() < 5.0 && share("improved") > chance + 5.0, "{chance} {measured}");
    isolde(&["agents", "--measure", "2x2"]).code(2).stderr(contains("too small to measure"));
}

const SMALL: [&str; 9] =
    ["tournament", "--board", "4x5", "--agents", "AB_Improved,Random,best", "--matches", "4", "--nodes", "3000"];

#[test]
fn a_tournament_has_the_same_report_with_any_number_of_threads() {
    let text = isolde(&SMALL).success().stderr(is_empty());
    let text = String::from_utf8(text.get_output().stdout.clone()).unwrap();
    for expected in
        ["24 games of 4x5, 3,000 nodes a move", "won  lost", "win rate, 95 %", "Elo, 95 %", "z-test     AB_Improved", "forfeits"]
    {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
    let report = |threads: &str| json(&[&SMALL[..], &["--threads", threads]].concat());
    let one = report("1");
    assert_eq!(one, report("3"));
    let best = &one["agents"][2]["total"];
    assert_eq!((&best["from_won"]["of"], &best["from_won"]["count"], &best["blunders"]), (&8.into(), &8.into(), &0.into()));
    let total = |field: &str| (0..3).map(|agent| one["agents"][agent]["total"][field].as_u64().unwrap()).sum::<u64>();
    assert_eq!((total("won"), total("lost"), one["games"].as_u64()), (24, 24, Some(24)));
    assert_ne!(one, json(&[&SMALL[..], &["--seed", "1"]].concat()));
}

#[test]
fn a_killed_tournament_is_resumed() {
    let folder = folder();
    let file = folder.path().join("games.jsonl");
    let path = file.to_str().unwrap();
    let arguments = [&SMALL[..8], &["20000", "--no-judge", "--threads", "1", "--games", path]].concat();
    // Killed as soon as some games are written. Then the last line is cut.
    let mut child = Command::new(cargo_bin!("isolde"))
        .args(&arguments)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let lines = |file: &Path| fs::read_to_string(file).unwrap_or_default().lines().count();
    let started = Instant::now();
    while lines(&file) < 4 && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = fs::read(&file).unwrap();
    fs::write(&file, &kept[..kept.len() - 10]).unwrap();
    let before = lines(&file);
    assert!(before >= 3);
    let resumed = json(&[&arguments[..], &["--resume"]].concat());
    assert_eq!((resumed["games"].as_u64(), resumed["open"].as_u64()), (Some(24), Some(0)));
    assert_eq!(lines(&file), 25);
    // No game is played twice, and the result is that of an uninterrupted run.
    let again = json(&[&arguments[..], &["--resume"]].concat());
    let other = folder.path().join("other.jsonl");
    let unbroken = json(&[&arguments[..13], &[other.to_str().unwrap()]].concat());
    assert_eq!((&resumed, &resumed), (&again, &unbroken));
    isolde(&["show", path, "--game", "24"]).success().stdout(contains(" against "));
    isolde(&["show", path]).code(2).stderr(contains("the file holds 24 games: choose one with --game"));

    // A file that exists, a file of another tournament, damaged files.
    isolde(&arguments).code(2).stderr(contains("games.jsonl exists already: resume that tournament, or name another file"));
    let mut changed = arguments.clone();
    changed[6] = "5";
    isolde(&[&changed[..], &["--resume"]].concat()).code(2).stderr(contains("it holds the games of another tournament"));
    let text = fs::read_to_string(&file).unwrap();
    let last = text.lines().last().unwrap();
    fs::write(&file, format!("{text}{last}\n")).unwrap();
    isolde(&[&arguments[..], &["--resume"]].concat()).code(2).stderr(contains("line 26: the file holds this game twice"));
    fs::write(&file, text.replacen("\"first\":\"Random\"", "\"first\":\"MM_Open\"", 1)).unwrap();
    isolde(&[&arguments[..], &["--resume"]].concat()).code(2).stderr(contains("the record is of another game"));
    fs::write(&file, text.replacen("\"winner\":\"first\"", "\"winner\":\"nobody\"", 1)).unwrap();
    isolde(&[&arguments[..], &["--resume"]].concat()).code(2).stderr(contains("`nobody` is not a player: write first or second"));
}

#[test]
fn published_experiments_are_repeated() {
    for (report, agents) in
        [("corners-report", 5), ("reach-report", 19), ("symmetry-report", 4), ("attack-report", 4), ("decay-report", 4)]
    {
        let again = json(&["tournament", "--reproduce", report, "--matches", "1", "--depth", "1", "--no-judge"]);
        let published = &again["published"];
        assert_eq!((published["report"].as_str(), published["rows"].as_array().unwrap().len()), (Some(report), agents));
        assert_eq!(again["games"].as_u64(), Some(agents as u64 * 7 * 2));
        assert!(published["verdict"].as_str().unwrap().ends_with('.'));
    }
    let text = isolde(&["tournament", "--reproduce", "attack-report", "--matches", "1", "--depth", "1", "--no-judge"]).success();
    text.stdout(contains("attack-report ").and(contains("65.7 %")).and(contains("verdict    ")));
    isolde(&["tournament", "--reproduce", "my-report"]).code(2).stderr(contains("the reports are corners-report, reach-report"));
    isolde(&["tournament", "--agents", "best"]).code(2).stderr(contains("a tournament needs two agents"));
    isolde(&["tournament", "--board", "1x1", "--agents", "best,Random"]).code(2).stderr(contains("1x1 has no openings"));
    isolde(&["tournament", "--agents", "best,Random", "--openings", "all", "--matches", "3"])
        .code(2)
        .stderr(contains("leave out --matches"));
    isolde(&["tournament", "--agents", "best,Random", "--openings", "some"])
        .code(2)
        .stderr(contains("write random, all, classes, balanced or free"));
}
