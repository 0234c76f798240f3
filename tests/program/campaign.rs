//! `isolde campaign` with real processes: several at once, killed, started again, limited, refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};
use serde_json::Value;

use crate::support::folder;

const BOARDS: [(&str, &str); 2] = [("6x6", "2k"), ("5x7", "20k")];

fn isolde(folder: &Path) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(cargo_bin!("isolde"));
    command.current_dir(folder);
    command
}

/// Begins the campaign `c` in this folder.
fn plan(folder: &Path, arguments: &[&str]) {
    isolde(folder).args(["campaign", "plan"]).args(arguments).args(["--memory", "8MiB", "--output", "c"]).assert().success();
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = isolde(folder).arg("campaign").args(arguments).arg("--json").output().unwrap().stdout;
    serde_json::from_slice(&output).unwrap()
}

fn merged(folder: &Path) -> Vec<u8> {
    let merge = ["campaign", "merge", "c", "--output", "merged.isolde", "--force", "--recheck", "all"];
    isolde(folder).args(merge).assert().success().stdout(contains("solved again"));
    fs::read(folder.join("merged.isolde")).unwrap()
}

/// The table of one machine.
fn built(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    isolde(folder).args(["table", "build"]).args(arguments).args(["--output", "built.isolde"]).assert().success();
    fs::read(folder.join("built.isolde")).unwrap()
}

fn results(folder: &Path) -> Vec<PathBuf> {
    let shards = fs::read_dir(folder.join("c/results")).into_iter().flatten().flatten();
    let files = shards.flat_map(|shard| fs::read_dir(shard.path()).into_iter().flatten().flatten().map(|file| file.path()));
    files.filter(|file| file.extension().is_some_and(|extension| extension == "json")).collect()
}

/// Waits until there are this many results, or the process has ended.
fn after_results(folder: &Path, count: usize, process: &mut Child) {
    while results(folder).len() < count && process.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(2));
    }
}

/// Two processes work on one campaign. Both are killed again and again, and some results are cut
/// off. In the end the table is that of one machine, and hardly anything was done twice.
#[test]
fn processes_that_are_killed_leave_their_results() {
    for (board, nodes) in BOARDS {
        let folder = folder();
        plan(folder.path(), &[board, "--nodes", nodes]);
        let start = || {
            let mut command = Command::new(cargo_bin!("isolde"));
            command.args(["campaign", "run", "c", "--threads", "2"]).current_dir(folder.path());
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let (mut before, mut done_again) = (0, 0);
        for round in 0..5 {
            let [mut one, mut other] = [start(), start()];
            after_results(folder.path(), before + 15, &mut one);
            // kill -9 on Unix.
            one.kill().unwrap();
            other.kill().unwrap();
            one.wait().unwrap();
            other.wait().unwrap();
            let files = results(folder.path());
            assert!(files.len() > before, "{board}: every round gets further");
            // The results of earlier rounds are as they were.
            let cut = &files[round * 3];
            fs::write(cut, &fs::read(cut).unwrap()[..40]).unwrap();
            done_again += 1;
            before = files.len() - 1;
        }
        let whole = isolde(folder.path()).args(["campaign", "run", "c"]).assert().success();
        whole.stdout(contains("the campaign is complete")).stderr(contains("set aside as"));
        assert!(merged(folder.path()) == built(folder.path(), &[board]), "{board}");
        let status = json(folder.path(), &["status", "c"]);
        assert_eq!((status["jobs"]["damaged"].as_u64(), status["jobs"]["running"].as_u64()), (Some(done_again), Some(0)));
        // Of the folder for jobs that are being done nothing is left.
        assert_eq!(fs::read_dir(folder.path().join("c/running")).unwrap().count(), 0);
    }
}

/// The same plan by `xargs`, by array jobs that count in the list, by `--next`, and by one process.
#[test]
fn any_scheduler_gives_the_same_table() {
    for (board, nodes) in [("6x6", "20k"), ("5x7", "15k")] {
        let mut tables = Vec::new();
        let by_xargs = r#"while [ "$("$ISOLDE" campaign jobs c --wave --count)" -gt 0 ]; do
            "$ISOLDE" campaign jobs c --names | xargs -P 3 -n 4 "$ISOLDE" campaign work c || exit 1; done"#;
        let by_index = r#"while n=$("$ISOLDE" campaign jobs c --wave --count) && [ "$n" -gt 0 ]; do
            seq "$n" | xargs -P 2 -I N "$ISOLDE" campaign work c --index N || exit 1; done"#;
        // Three loops. They end when no job is open, and not before.
        let by_next = r#"for worker in 1 2 3; do
            (code=0; while [ $code = 0 ]; do "$ISOLDE" campaign work c --next; code=$?; done; [ $code = 3 ]) &
            loops="$loops $!"; done
            for loop in $loops; do wait $loop || exit 1; done"#;
        for script in [by_xargs, by_index, by_next, r#""$ISOLDE" campaign run c --threads 1"#] {
            let folder = folder();
            plan(folder.path(), &[board, "--nodes", nodes]);
            let mut shell = Command::new("sh");
            shell.args(["-c", script]).current_dir(folder.path()).env("ISOLDE", cargo_bin!("isolde"));
            let output = shell.output().unwrap();
            assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
            let status = json(folder.path(), &["status", "c"]);
            assert!(status["complete"] == true && status["jobs"]["split"].as_u64() > Some(0), "{script}: {status}");
            tables.push(merged(folder.path()));
        }
        let folder = folder();
        let expected = built(folder.path(), &[board]);
        assert!(tables.iter().all(|table| *table == expected), "{board}");
    }
}

/// With `--stop-on-eof`, a job stops when the process that has started it closes the job's input.
#[test]
fn a_job_can_end_with_its_input() {
    let folder = folder();
    isolde(folder.path()).args(["campaign", "plan", "9x9", "--weak", "--nodes", "1T", "--output", "c"]).assert().success();
    let mut job = Command::new(cargo_bin!("isolde"))
        .args(["campaign", "work", "c", "--next", "--stop-on-eof"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    sleep(Duration::from_millis(300));
    assert!(job.try_wait().unwrap().is_none());
    drop(job.stdin.take());
    let ended = job.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), ended.stdout.as_slice()), (Some(130), &b"stopped: no result was written\n"[..]));
}

/// The table of a weak campaign names the command that makes it on one machine.
#[test]
fn who_wins_a_board_and_the_command_that_says_so() {
    let folder = folder();
    plan(folder.path(), &["7x7", "--weak", "--nodes", "50k"]);
    let report = json(folder.path(), &["run", "c", "--threads", "2"]);
    assert_eq!(report["complete"], true);
    let status = json(folder.path(), &["status", "c"]);
    assert_eq!((status["winner"].as_str(), status["openings"]["decided"].as_u64()), (Some("second"), Some(10)));
    assert!(status["jobs"]["split"].as_u64().unwrap() > 0, "{status}");
    let text = isolde(folder.path()).args(["campaign", "status", "c"]).assert().success();
    text.stdout(starts_with("7x7: the second player wins").and(contains("  7 ● ● ● ● ● ● ●")));
    let merged = merged(folder.path());
    let info = isolde(folder.path()).args(["table", "info", "merged.isolde", "--json"]).assert().success();
    let info: Value = serde_json::from_slice(&info.get_output().stdout).unwrap();
    let command = info["command"].as_str().unwrap();
    let openings = command.strip_prefix("isolde table build 7x7 --depth 47 --openings \"").unwrap().strip_suffix('"').unwrap();
    assert!(built(folder.path(), &["7x7", "--depth", "47", "--openings", openings]) == merged);
    isolde(folder.path()).args(["table", "verify", "merged.isolde"]).assert().success();
}

/// A stopped run says so, and the same command goes on.
#[test]
fn a_run_can_be_limited() {
    let folder = folder();
    isolde(folder.path()).args(["campaign", "plan", "8x8", "--nodes", "100M", "--output", "c"]).assert().success();
    let started = Instant::now();
    let stopped = isolde(folder.path()).args(["campaign", "run", "c", "--time", "300ms", "--threads", "2"]).assert().code(3);
    stopped.stdout(contains("not complete: the same command continues")).stderr(is_empty());
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    let limited = isolde(folder.path()).args(["campaign", "work", "c", "--next", "--time", "100ms"]).assert().success();
    limited.stdout(contains("out of time, split into its moves"));
    let status = json(folder.path(), &["status", "c"]);
    assert_eq!((status["complete"].as_bool(), status["jobs"]["split"].as_u64()), (Some(false), Some(1)));
    isolde(folder.path()).args(["campaign", "status", "c"]).assert().code(3).stdout(contains("518 openings decided"));
    isolde(folder.path()).args(["campaign", "merge", "c"]).assert().code(1).stderr(contains("jobs can be done now"));
    assert!(!folder.path().join("8x8-opening.isolde").exists());
}

#[test]
fn bad_input_says_what_would_be_right() {
    let folder = folder();
    plan(folder.path(), &["5x5", "--nodes", "1k"]);
    let refused = |arguments: &[&str], sentence: &str| {
        let run = isolde(folder.path()).arg("campaign").args(arguments).assert().code(2);
        run.stdout(is_empty()).stderr(contains(sentence));
    };
    refused(&["plan", "8x8", "--weak", "--output", "d"], "wins 8x8 by mirroring every move");
    refused(&["plan", "5x5", "--nodes", "2k", "--output", "c"], "c holds a campaign with another plan: choose another folder");
    refused(&["plan", "5x5", "--nodes", "many", "--output", "d"], "write a number such as 500000, 500M or 2G");
    refused(&["plan", "5x5", "--openings", "a1", "--output", "d"], "--openings: an opening has two cells");
    refused(&["plan", "9x9", "--memory", "1kB", "--output", "d"], "--memory is too small: a job on 9x9 needs at least");
    refused(&["plan", "5x5", "--depth", "24", "--output", "d"], "--depth 24 is too large");
    refused(&["run", "nowhere"], "there is no campaign in nowhere: `isolde campaign plan` begins one");
    refused(&["work", "c"], "required");
    refused(&["work", "c", "zz"], "`zz` is not the name of a job");
    refused(&["work", "c", "--index", "1000"], "there is no job 1000");
    refused(&["work", "c", "w-0123456789abcdef", "--again"], "there is no result of job w-0123456789abcdef");
    refused(&["merge", "c", "--recheck", "some"], "write a number, or all");
    assert!(!folder.path().join("d").exists());
    // A folder that cannot be written to is an error of the files.
    fs::write(folder.path().join("file"), "").unwrap();
    isolde(folder.path()).args(["campaign", "plan", "5x5", "--output", "file"]).assert().code(1).stderr(contains("file"));
}
