//! `isolde table build` that is killed, damaged, limited or refused.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use predicates::prelude::*;
use predicates::str::contains;

use crate::table::{build, folder, isolde, read};

/// The table that a build writes if nothing disturbs it.
fn uninterrupted(args: &[&str], name: &str) -> Vec<u8> {
    let folder = folder();
    build(folder.path(), args);
    read(folder.path(), name)
}

/// Kills a build again and again, each time after a few changes of its unfinished work, until one
/// gets through.
///
/// The moment of a kill depends on what the build has written, not on a clock: a slow machine, or
/// one that is busy with other tests, is killed just as often.
fn killed_and_resumed(args: &[&str], name: &str) {
    const KILLS: usize = 5;
    let expected = uninterrupted(args, name);
    let mut kills = 0;
    for round in 0..20 {
        let disturbed = folder();
        let part = disturbed.path().join("tables").join(format!("{name}.part"));
        loop {
            let mut process = start(disturbed.path(), args);
            if kills < KILLS {
                after_changes(&part, 1 + kills % 3, &mut process);
                // kill -9 on Unix; a process that has ended before does not mind.
                process.kill().unwrap();
            }
            // It may also be killed just after the table has got its name.
            if process.wait().unwrap().success() || disturbed.path().join("tables").join(name).exists() {
                break;
            }
            kills += 1;
        }
        assert!(read(disturbed.path(), name) == expected, "{name} differs in round {round} after {kills} kills");
        if kills >= KILLS {
            return;
        }
    }
    panic!("only {kills} kills in 20 builds");
}

/// Waits until the files in a folder have changed this many times, or the process has ended.
pub(crate) fn after_changes(folder: &Path, changes: usize, process: &mut Child) {
    let seen = || {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries.map(|entry| (entry.file_name(), entry.metadata().ok().map(|data| data.len()))).collect();
        files.sort();
        files
    };
    let mut last = seen();
    let mut left = changes;
    while left > 0 && process.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
        let now = seen();
        if now != last {
            (last, left) = (now, left - 1);
        }
    }
}

#[test]
fn a_strong_build_that_is_killed_goes_on_and_ends_with_the_same_bytes() {
    killed_and_resumed(&["4x6", "--strong", "--checkpoint", "20ms"], "4x6-strong.isolde");
}

#[test]
fn an_opening_build_that_is_killed_goes_on_and_ends_with_the_same_bytes() {
    killed_and_resumed(&["6x7", "--depth", "39"], "6x7-opening.isolde");
}

/// Unfinished work that is no longer what was written is not believed: the work begins anew, and
/// the table is the same.
#[test]
fn damaged_unfinished_work_makes_no_false_table() {
    let name = "4x6-strong.isolde";
    let expected = uninterrupted(&["4x6", "--strong"], name);
    for (number, file) in ["values", "keys", "manifest.json", "run-"].into_iter().enumerate() {
        let folder = folder();
        let part = folder.path().join("tables/4x6-strong.isolde.part");
        let damaged = |part: &Path| {
            let files = fs::read_dir(part).into_iter().flatten().map(|entry| entry.unwrap().path());
            let mut files = files.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(file));
            files.find(|path| fs::metadata(path).unwrap().len() > 100)
        };
        // Longer and longer, until there is something to be damaged.
        let mut time = 100;
        while damaged(&part).is_none() {
            let limits = ["--threads", "1", "--checkpoint", "20ms", "--time", &format!("{time}ms")];
            isolde(folder.path()).args(["build", "4x6", "--strong"]).args(limits).assert().code(3);
            time += 20;
        }
        let damaged = damaged(&part).unwrap();
        let mut bytes = fs::read(&damaged).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= [1, 0x80, 1, 4][number];
        fs::write(&damaged, bytes).unwrap();
        build(folder.path(), &["4x6", "--strong"]);
        assert!(read(folder.path(), name) == expected, "a false table from damaged {file}");
    }
}

/// The program that builds in this folder, without output.
fn start(folder: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(cargo_bin("isolde"));
    command.current_dir(folder).args(["table", "build"]).args(args).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Bytes that something has appended to a file of the unfinished work are not read: the build ends,
/// and with the right bytes. Every build is killed when the file is there.
#[test]
fn unfinished_work_that_has_grown_makes_no_false_table() {
    let cases: [(&[&str], &str, &[&str]); 2] = [
        (&["4x5", "--strong"], "4x5-strong.isolde", &["run-", "keys", "values", "manifest.json"]),
        (&["5x6", "--depth", "26"], "5x6-opening.isolde", &["journal", "notes"]),
    ];
    let mut tried = 0;
    for (args, name, files) in cases {
        let expected = uninterrupted(args, name);
        for (number, file) in files.iter().enumerate() {
            let folder = folder();
            let part = folder.path().join("tables").join(format!("{name}.part"));
            let grown = || {
                let files = fs::read_dir(&part).into_iter().flatten().flatten().map(|entry| entry.path());
                let mut files: Vec<_> =
                    files.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(file)).collect();
                files.sort();
                files.pop().filter(|path| fs::metadata(path).is_ok_and(|data| data.len() > 0))
            };
            let is_saved = || !name.contains("strong") || part.join("manifest.json").exists();
            let mut process = start(folder.path(), &[args, &["--checkpoint", "1ms", "--threads", "1"]].concat());
            while process.try_wait().unwrap().is_none() && !(is_saved() && grown().is_some()) {
                sleep(Duration::from_millis(1));
            }
            process.kill().unwrap();
            process.wait().unwrap();
            // A build that was faster than the kill has nothing left to grow.
            if let Some(grown) = grown() {
                tried += 1;
                let tail = [&[0xff; 8][..], &[0xff; 3], &[0; 16], &[7; 23]][number];
                let bytes = fs::read(&grown).unwrap();
                fs::write(&grown, [&bytes[..], tail].concat()).unwrap();
            }
            let mut again = isolde(folder.path());
            again.arg("build").args(args).arg("--force").timeout(Duration::from_secs(300)).assert().success();
            assert!(read(folder.path(), name) == expected, "a false table from {file} that has grown");
        }
    }
    assert!(tried > 0, "no build was killed in time");
}

/// What fits into the memory also fits when it goes on after an interruption.
#[test]
fn going_on_takes_no_more_memory() {
    let folder = folder();
    let args = ["build", "6x6", "--depth", "20", "--memory", "64MiB"];
    let mut interruptions = 0;
    // Longer each time: a slow machine gets through, too.
    let time = |interruptions: u64| format!("{}ms", 1 + 200 * interruptions);
    while isolde(folder.path()).args(args).args(["--time", &time(interruptions)]).assert().get_output().status.code() == Some(3) {
        interruptions += 1;
    }
    assert!(interruptions > 0 && folder.path().join("tables/6x6-opening.isolde").exists());
}

/// A single position that takes longer than the time given is proven all the same: what was found
/// on the way is not lost.
#[test]
fn even_one_long_proof_goes_on() {
    let folder = folder();
    let args = ["build", "8x8", "--opening", "d4 f5", "--depth", "61", "--time"];
    let notes = folder.path().join("tables/8x8-d4f5-opening.isolde.part/notes");
    let (mut seconds, mut saved) = (4, 0);
    while isolde(folder.path()).args(args).arg(format!("{seconds}s")).assert().get_output().status.code() == Some(3) {
        let before = std::mem::replace(&mut saved, fs::metadata(&notes).unwrap().len());
        // A slow machine may find nothing worth saving in this time, but not in much more.
        if saved == before {
            seconds *= 2;
        }
        assert!(seconds < 100, "it does not go on");
    }
    assert!(folder.path().join("tables/8x8-d4f5-opening.isolde").exists());
}

/// The unfinished work of one command is not taken, and not deleted, by another.
#[test]
fn unfinished_work_belongs_to_its_command() {
    let folder = folder();
    isolde(folder.path()).args(["build", "4x6", "--strong", "--time", "50ms", "-o", "x.isolde"]).assert().code(3);
    let sentence =
        "x.isolde.part holds the unfinished work of `isolde table build 4x6 --strong`: finish that or delete the folder";
    isolde(folder.path()).args(["build", "4x6", "-o", "x.isolde"]).assert().code(2).stderr(contains(sentence));
    isolde(folder.path())
        .args(["build", "4x6", "--strong", "--opening", "a1 b1", "-o", "x.isolde"])
        .assert()
        .code(2)
        .stderr(contains(sentence));
    assert!(folder.path().join("x.isolde.part/manifest.json").exists());
    // And by default their tables have different names.
    build(folder.path(), &["4x4", "--opening", " a1   b2"]);
    build(folder.path(), &["4x4", "--first", "a1"]);
    build(folder.path(), &["4x4"]);
    for name in ["4x4-a1b2-opening.isolde", "4x4-a1-opening.isolde", "4x4-opening.isolde"] {
        assert!(folder.path().join("tables").join(name).exists(), "{name}");
    }
}

#[test]
fn a_file_that_appears_during_a_build_is_not_replaced() {
    let folder = folder();
    let mut process = start(folder.path(), &["4x6", "--strong"]);
    let part = folder.path().join("tables/4x6-strong.isolde.part");
    while !part.exists() {
        sleep(Duration::from_millis(1));
    }
    fs::write(folder.path().join("tables/4x6-strong.isolde"), "precious").unwrap();
    assert_eq!(process.wait().unwrap().code(), Some(2));
    assert_eq!(read(folder.path(), "4x6-strong.isolde"), b"precious");
    // The work is not lost either.
    isolde(folder.path())
        .args(["build", "4x6", "--strong"])
        .assert()
        .code(2)
        .stderr(contains("tables/4x6-strong.isolde.part holds unfinished work"));
}

/// Nothing below a mirror is written down, and nothing there has to be proven by a search: on a
/// board of 99 cells there would be no end of it.
#[test]
fn mirrors_are_believed_without_a_search() {
    let folder = folder();
    build(folder.path(), &["11x9", "--opening", "f5 e3", "--depth", "96"]);
    let verify = isolde(folder.path()).args(["verify", "tables/11x9-f5e3-opening.isolde", "--time", "20s"]).assert().success();
    verify.stdout(contains("every byte and every entry is right"));
}

#[test]
fn a_build_out_of_time_says_how_to_go_on() {
    let folder = folder();
    let first = isolde(folder.path()).args(["build", "7x7", "--time", "200ms"]).assert().code(3);
    first.stderr(contains("the same command continues from tables/7x7-opening.isolde.part"));
    assert!(!folder.path().join("tables/7x7-opening.isolde").exists());
    assert!(folder.path().join("tables/7x7-opening.isolde.part/journal").exists());
}

/// Each mishap has its sentence, and no earlier file is harmed.
#[test]
fn what_cannot_be_built_is_refused_in_one_sentence() {
    let folder = folder();
    build(folder.path(), &["3x3", "--strong"]);
    let before = read(folder.path(), "3x3-strong.isolde");
    let refused = |args: &[&str], code, sentence: &str| {
        let run = isolde(folder.path()).args(args).assert().code(code).stdout("");
        run.stderr(contains(sentence).and(predicate::function(|text: &str| text.lines().count() == 1)));
    };
    refused(&["build", "3x3", "--strong"], 2, "tables/3x3-strong.isolde exists already: --force replaces it");
    refused(&["build", "3x3", "--strong", "-o", "nowhere/x.isolde"], 2, "the folder nowhere does not exist");
    refused(&["build", "3x3", "--strong", "-o", "tables", "--force"], 2, "tables is not the name of a file");
    refused(&["build", "9x9", "--strong"], 2, "strong tables are for boards of up to 50");
    refused(&["build", "4x4", "--depth", "15"], 2, "--depth 15 is too large: after the placements 4x4 has 14 free cells");
    refused(&["build", "4x4", "--opening", "a1"], 2, "--opening takes two cells");
    refused(&["build", "4x4", "--first", "e9"], 2, "--first");
    refused(&["info", "tables/none.isolde"], 2, "cannot open tables/none.isolde");
    fs::write(folder.path().join("tables/text.isolde"), "this is no table").unwrap();
    refused(&["verify", "tables/text.isolde"], 1, "it is not a table of Isolde");
    assert_eq!(read(folder.path(), "3x3-strong.isolde"), before);
    build(folder.path(), &["3x3", "--strong", "--force"]);
    assert_eq!(read(folder.path(), "3x3-strong.isolde"), before);
}

#[cfg(unix)]
#[test]
fn a_full_disk_and_a_closed_folder_are_told_and_the_work_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    // A limit on the size of files does what a full disk does; without the trap the system would
    // end the program.
    let script = format!("trap '' XFSZ; ulimit -f 64; exec {} table build 4x5 --strong", cargo_bin("isolde").display());
    let full = assert_cmd::Command::new("sh").current_dir(folder.path()).args(["-c", &script]).assert().code(1);
    full.stderr(contains("cannot write").and(contains("the same command continues")));
    assert!(!folder.path().join("tables/4x5-strong.isolde").exists());
    build(folder.path(), &["4x5", "--strong"]);
    isolde(folder.path()).args(["verify", "tables/4x5-strong.isolde"]).assert().success();

    let tables = folder.path().join("tables");
    fs::set_permissions(&tables, fs::Permissions::from_mode(0o555)).unwrap();
    // Nothing is closed to the administrator.
    if fs::write(tables.join("probe"), "").is_err() {
        isolde(folder.path())
            .args(["build", "3x3", "--strong"])
            .assert()
            .code(1)
            .stderr(contains("cannot create the folder tables/3x3-strong.isolde.part"));
    }
    fs::set_permissions(&tables, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn two_builders_of_one_table_do_not_meet() {
    let folder = folder();
    let mut first = start(folder.path(), &["7x7", "--threads", "1"]);
    let lock = folder.path().join("tables/7x7-opening.isolde.part/journal");
    while !lock.exists() {
        sleep(Duration::from_millis(5));
    }
    isolde(folder.path())
        .args(["build", "7x7"])
        .assert()
        .code(1)
        .stderr(contains("another process is at work in tables/7x7-opening.isolde.part"));
    first.kill().unwrap();
    first.wait().unwrap();
}
