//! `isolde tournament`, run as its users run it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::play::{isolde, json};
use crate::support::folder;
use assert_cmd::cargo::cargo_bin;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};
use serde_json::Value;

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
    // The first table has a row for each agent: its games against each of the others.
    let figures = |number: usize| {
        let [won, lost] = ["won", "lost"].map(|field| one["agents"][0]["against"][number]["figures"][field].as_u64().unwrap());
        format!("  {won:>5} {lost:>5}")
    };
    let row = format!("AB_Improved  {:>11}{}{}", "-", figures(1), figures(2));
    assert!(text.lines().any(|line| line == row), "{row} is not in\n{text}");
    // A difference that is not significant comes with the number of games that would show it.
    for test in one["direct"].as_array().unwrap().iter().chain(one["comparisons"].as_array().unwrap()) {
        let is_open = test["p"].as_f64().unwrap() >= 0.05 && test["z"].as_f64() != Some(0.0);
        let needed = test["games_needed"].as_u64();
        assert_eq!((needed.is_some(), needed.is_none_or(|games| games > 8)), (is_open, true), "{test}");
    }
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

/// Each round has twice the time of the last, until the tournament is over.
#[test]
fn a_tournament_within_a_time_is_resumed_to_the_same_end() {
    let folder = folder();
    let [file, other] = ["games.jsonl", "other.jsonl"].map(|name| folder.path().join(name).to_str().unwrap().to_string());
    let none = isolde(&[&SMALL[..], &["--total-time", "0s", "--games", &file]].concat()).code(3).stderr(is_empty());
    none.stdout(contains("0 games of 4x5, 3,000 nodes a move, 24 not played yet"));
    let unbroken = json(&[&SMALL[..], &["--games", &other]].concat());
    let mut played = 0;
    for time in (0..).map(|round| format!("{}ms", 20 << round)) {
        let round = isolde(&[&SMALL[..], &["--total-time", &time, "--games", &file, "--resume", "--json"]].concat());
        let report: Value = serde_json::from_slice(&round.get_output().stdout).unwrap();
        let games = report["games"].as_u64().unwrap();
        assert!(games >= played && games + report["open"].as_u64().unwrap() == 24, "{report}");
        played = games;
        if round.get_output().status.code() == Some(0) {
            assert_eq!(report, unbroken);
            break;
        }
        round.code(3);
    }
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 25);
    let balanced = [
        "tournament",
        "--board",
        "6x6",
        "--agents",
        "best,Random",
        "--openings",
        "balanced",
        "--total-time",
        "0s",
        "--no-tables",
    ];
    isolde(&balanced).code(3).stdout(is_empty()).stderr(contains("openings of 6x6 cannot be balanced"));
}

/// A tournament that would take hours.
#[cfg(target_os = "linux")]
const LONG: [&str; 9] =
    ["tournament", "--board", "5x5", "--agents", "AB_Improved,Random", "--matches", "50000", "--nodes", "1000"];

#[cfg(target_os = "linux")]
fn started(arguments: &[&str]) -> std::process::Child {
    let mut command = Command::new(cargo_bin!("isolde"));
    command.args(arguments).current_dir(env!("CARGO_TARGET_TMPDIR")).stdout(Stdio::piped()).spawn().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_tournament_reports_the_games_played() {
    use crate::support::signals::{send, signals};
    let folder = folder();
    for signal in signals() {
        let file = folder.path().join(signal);
        let mut child = started(&[&LONG[..], &["--json", "--games", file.to_str().unwrap()]].concat());
        let lines = || fs::read_to_string(&file).unwrap_or_default().lines().count();
        while lines() < 4 {
            assert!(child.try_wait().unwrap().is_none(), "the tournament has ended");
            std::thread::sleep(Duration::from_millis(1));
        }
        send(signal, &child);
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(130), "{signal}");
        let report: Value = serde_json::from_slice(&ended.stdout).unwrap();
        let games = report["games"].as_u64().unwrap() as usize;
        assert!(games >= 3 && games == lines() - 1, "{report}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_tournament_without_a_file_reports_the_games_played() {
    use crate::support::signals::{send, signals, wait_until_interruptible};
    for signal in signals() {
        let mut child = started(&LONG);
        wait_until_interruptible(&mut child);
        send(signal, &child);
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(130), "{signal}");
        let text = String::from_utf8(ended.stdout).unwrap();
        assert!(text.contains(" games of 5x5, 1,000 nodes a move, ") && text.contains(" not played yet\n"), "{text}");
    }
}

/// The stacks of a thousand threads do not fit the address space that the shell allows.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_started_are_reported() {
    let tournament = "--board 4x4 --agents Random,MM_Open --matches 1000 --time 10ms --threads 1000 --memory 512MiB";
    let script = format!("ulimit -v 1000000; MALLOC_ARENA_MAX=1 exec {} tournament {tournament}", cargo_bin!("isolde").display());
    let ended = Command::new("sh").args(["-c", &script]).current_dir(env!("CARGO_TARGET_TMPDIR")).output().unwrap();
    let words = String::from_utf8(ended.stderr).unwrap();
    assert!(words.starts_with("error: cannot start 1000 threads: ") && words.lines().count() == 1, "{words}");
    assert_eq!((ended.status.code(), ended.stdout.as_slice()), (Some(1), &b""[..]));
}

/// The shell allows files of a few kilobytes. A line that does not fit whole is not kept.
#[cfg(target_os = "linux")]
#[test]
fn a_tournament_whose_file_cannot_grow_reports_its_games_and_is_resumed() {
    let folder = folder();
    let [file, other] = ["games.jsonl", "other.jsonl"].map(|name| folder.path().join(name).to_str().unwrap().to_string());
    let program = cargo_bin!("isolde").display().to_string();
    let script = format!("trap '' XFSZ; ulimit -f 4; exec {program} {} --json --games {file}", SMALL.join(" "));
    let ended = Command::new("sh").args(["-c", &script]).current_dir(env!("CARGO_TARGET_TMPDIR")).output().unwrap();
    let words = String::from_utf8(ended.stderr).unwrap();
    assert!(words.starts_with(&format!("error: cannot write {file}: ")) && words.lines().count() == 1, "{words}");
    assert_eq!(ended.status.code(), Some(1));
    let kept = fs::read_to_string(&file).unwrap();
    let report: Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert!(kept.ends_with('\n') && report["games"].as_u64().unwrap() >= kept.lines().count() as u64, "{report}");
    let resumed = json(&[&SMALL[..], &["--games", &file, "--resume"]].concat());
    assert_eq!(resumed, json(&[&SMALL[..], &["--games", &other]].concat()));
}
