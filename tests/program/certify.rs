//! `isolde certify`, and what it writes, checked by both checkers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use isolde::table::AnyTable;
use isolde_check::{Fault, Player, Statement, check};
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};

use crate::build::after_changes;
use crate::support::{folder, skipped};

fn isolde(folder: &Path) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(cargo_bin!("isolde"));
    command.current_dir(folder);
    command
}

/// Writes a certificate in a folder, and returns its path.
fn certify(folder: &Path, args: &[&str], name: &str) -> PathBuf {
    isolde(folder).arg("certify").args(args).assert().success();
    folder.join(name)
}

#[test]
fn a_board_is_certified_and_checked() {
    let folder = folder();
    let assert = isolde(folder.path()).args(["certify", "5x5"]).assert().success().stderr(is_empty());
    assert
        .stdout(starts_with("5x5: the second player wins; 6 placements are proven, all others are images of them\n"))
        .stdout(contains("written    5x5.proof"))
        .stdout(contains("check      isolde-check 5x5.proof"));
    let proven = check(&fs::read(folder.path().join("5x5.proof")).unwrap()).unwrap();
    assert_eq!(proven.statement, Statement::Board { winner: Player::Second, mirror: false, placements: Some(6) });
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no work folder is left");
}

#[test]
fn openings_positions_and_tables_are_certified() {
    let folder = folder();
    let statement = |args: &[&str], name: &str| {
        let bytes = fs::read(certify(folder.path(), args, name)).unwrap();
        check(&bytes).unwrap().statement
    };
    let openings = statement(&["4x5", "--openings"], "4x5-openings.proof");
    assert!(matches!(openings, Statement::Openings { .. }), "{openings:?}");
    let one = |args: &[&str], name: &str, winner| match statement(args, name) {
        Statement::Positions(positions) => assert_eq!(positions.iter().map(|(_, winner)| *winner).collect::<Vec<_>>(), [winner]),
        other => panic!("{other:?}"),
    };
    one(&["7x7:", "d4", "b3"], "7x7-d4b3.proof", Player::First);
    one(&["5x5: c3"], "5x5-c3.proof", Player::Second);
    one(&["5/5/2N2/2n2/5 w"], "5x5-position.proof", Player::Second);
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables").join("5x6-opening.isolde");
    let proven = statement(&["--from-table", table.to_str().unwrap()], "5x6-opening.proof");
    let Statement::Positions(positions) = proven else { panic!("{proven:?}") };
    assert_eq!(positions.len() as u64, AnyTable::open(&table).unwrap().len());
}

#[test]
fn answers_are_also_data() {
    let folder = folder();
    let output = isolde(folder.path()).args(["certify", "5x5", "--json"]).output().unwrap();
    let written: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&written["file"], &written["board"]), (&"5x5.proof".into(), &"5x5".into()));
    assert_eq!((&written["statement"], &written["winner"]), (&"board".into(), &"second".into()));
    let output = isolde(folder.path()).args(["certify", "--stats", "5x5.proof", "--json"]).output().unwrap();
    let stats: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(stats["lemmas"], written["lemmas"]);
    let uses = stats["uses"]["doubling"].as_array().unwrap();
    assert_eq!(uses.iter().map(|lemmas| lemmas.as_u64().unwrap()).sum::<u64>(), stats["lemmas"].as_u64().unwrap());
    let output = isolde(folder.path()).args(["certify", "--stats", "5x5.proof", "--lemma", "7", "--json"]).output().unwrap();
    let lemma: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&lemma["lemma"], &lemma["winner"]), (&7.into(), &"hunter".into()));
    assert!(!lemma["need"].as_array().unwrap().is_empty());
}

#[test]
fn a_certificate_is_described_and_its_lemmas_are_drawn() {
    let folder = folder();
    certify(folder.path(), &["5x5"], "5x5.proof");
    let stats = isolde(folder.path()).args(["certify", "--stats", "5x5.proof"]).assert().success();
    stats.stdout(contains("lemmas by the free cells")).stdout(contains("used most  lemma "));
    let lemma = isolde(folder.path()).args(["certify", "--stats", "5x5.proof", "--lemma", "1"]).assert().success();
    lemma.stdout(starts_with("5x5, lemma 1: the hunter wins\n")).stdout(contains("(this stops the loser)"));
    let args = ["certify", "--stats", "5x5.proof", "--lemma", "1", "--svg", "one.svg"];
    isolde(folder.path()).args(args).assert().success().stdout("drawn to one.svg\n");
    let svg = fs::read_to_string(folder.path().join("one.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("<title>5x5, lemma 1: the hunter wins</title>"), "{svg}");
}

#[test]
fn bad_input_gets_one_sentence() {
    let folder = folder();
    fs::write(folder.path().join("noise"), "noise").unwrap();
    certify(folder.path(), &["3x3"], "3x3.proof");
    for (args, code, sentence) in [
        (vec!["5x5: c3", "--openings"], 2, "--openings proves all openings of a board: write 5x5 --openings"),
        (vec!["3x3"], 2, "3x3.proof exists already: --force replaces it, --output writes elsewhere"),
        (vec!["3x3", "-o", "nowhere/a.proof"], 2, "the folder nowhere does not exist"),
        (vec!["7x"], 2, "7x"),
        (vec!["--stats", "missing"], 2, "there is no file missing"),
        (vec!["--stats", "noise"], 1, "cannot read noise: it is not a certificate"),
        (vec!["--stats", "3x3.proof", "--lemma", "1"], 2, "3x3.proof has no lemma 1"),
        (vec!["--from-table", "noise"], 1, "noise"),
        (vec!["--from-table", "missing"], 2, "missing"),
        (vec!["5x5", "--checkpoint", "5m"], 2, "write a time of at most 30s"),
        (vec!["5x5", "--lemma", "3", "--svg", "l.svg"], 2, "cannot be used with"),
        (vec!["5x5", "--output", "-"], 2, "cannot write -: name a file"),
        (vec!["5x5", "--output", "a.proof/"], 2, "a.proof/ is not the name of a file: name a file with --output"),
    ] {
        let assert = isolde(folder.path()).arg("certify").args(&args).assert().code(code);
        assert.stdout(is_empty()).stderr(contains(sentence));
    }
    #[cfg(unix)]
    {
        // What is not a regular file is not replaced.
        assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
        let assert = isolde(folder.path()).args(["certify", "3x3", "-o", "pipe", "--force"]).assert().code(2);
        assert.stderr(contains("pipe is not a regular file"));
    }
    let strong = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables").join("3x3-strong.isolde");
    let assert = isolde(folder.path()).args(["certify", "--from-table"]).arg(strong).assert().code(2);
    assert.stderr(contains("is a strong table: it counts plies, which no certificate proves"));
}

#[test]
fn work_goes_on_after_a_time_limit_and_after_kills() {
    let undisturbed = folder();
    let expected = fs::read(certify(undisturbed.path(), &["5x7", "--openings"], "5x7-openings.proof")).unwrap();
    let limited = folder();
    let args = ["certify", "5x7", "--openings", "--time", "0s"];
    let assert = isolde(limited.path()).args(args).assert().code(3);
    assert
        .stdout(is_empty())
        .stderr(contains("not finished: the same command continues from ").and(contains("5x7-openings.proof.part")));
    let part = limited.path().join("5x7-openings.proof.part");
    for kill in 0..4 {
        let mut child = Command::new(cargo_bin!("isolde"))
            .args(["certify", "5x7", "--openings", "--checkpoint", "1ms"])
            .current_dir(limited.path())
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        after_changes(&part, 3, &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(part.join("chapter-0000").exists() || kill > 0, "nothing was saved before kill {kill}");
    }
    // Another task does not continue this work.
    if part.exists() {
        let other = isolde(limited.path()).args(["certify", "5x5", "-o", "5x7-openings.proof"]).assert().code(2);
        other.stderr(contains("holds the unfinished work of `isolde certify 5x7 --openings`"));
        certify(limited.path(), &["5x7", "--openings", "--threads", "2"], "");
    }
    assert!(fs::read(limited.path().join("5x7-openings.proof")).unwrap() == expected);
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// Runs the checker in Python. Returns its exit code.
fn python_checks(python: &Path, files: &[PathBuf]) -> i32 {
    let output = Command::new(python).arg("-B").arg(docs().join("certificate_checker.py")).args(files).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("Traceback"), "{errors}");
    output.status.code().unwrap()
}

/// Checks many files with one Python, because Python starts slowly. It prints the exit code for
/// each.
const DRIVER: &str = "
import sys; sys.path.insert(0, sys.argv[1])
from certificate_checker import check, Unsound, Malformed
for path in sys.argv[2:]:
    try:
        check(open(path, 'rb').read())
        print(0)
    except Unsound: print(1)
    except (Malformed, StopIteration): print(2)
";

/// The exit code of `isolde-check` for these bytes.
fn rust_checks(bytes: &[u8]) -> i32 {
    match check(bytes) {
        Ok(_) => 0,
        Err(Fault::Broken { .. }) => 1,
        Err(Fault::Unreadable(_)) => 2,
    }
}

#[test]
fn both_checkers_agree_about_sound_and_damaged_files() {
    let Some(python) = skipped::python("both_checkers_agree_about_sound_and_damaged_files", None) else { return };
    let folder = folder();
    let sound = [
        certify(folder.path(), &["5x5"], "5x5.proof"),
        certify(folder.path(), &["4x4"], "4x4.proof"),
        certify(folder.path(), &["4x5", "--openings", "--no-mirrors"], "4x5-openings.proof"),
        certify(folder.path(), &["4x5: b2 d4"], "4x5-b2d4.proof"),
    ];
    for file in &sound {
        assert_eq!(rust_checks(&fs::read(file).unwrap()), 0);
    }
    assert_eq!(python_checks(&python, &sound), 0);
    // These are long enough for lists that get too long.
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates");
    assert_eq!(python_checks(&python, &["6x6-openings.proof", "7x7.proof"].map(|name| kept.join(name))), 0);
    // Damaged in some of the ways that the tests of the library know.
    let (mut files, mut expected) = (Vec::new(), Vec::new());
    for file in &sound {
        let mut bytes = fs::read(file).unwrap();
        bytes.truncate(bytes.len() - 4);
        for step in 0..200 {
            let mut changed = bytes.clone();
            let at = 8 + (step * 7_919) % (bytes.len() - 8);
            match step % 5 {
                0 => changed[at] ^= 1,
                1 => changed[at] ^= 128,
                2 => changed.truncate(at),
                3 => changed.insert(at, 128),
                _ => drop(changed.drain(at..(at + 2).min(bytes.len()))),
            }
            let checksum = crc32fast::hash(&changed) ^ u32::from(step == 199);
            changed.extend(checksum.to_le_bytes());
            expected.push(rust_checks(&changed));
            files.push(folder.path().join(format!("damaged-{}.proof", files.len())));
            fs::write(files.last().unwrap(), changed).unwrap();
        }
    }
    // Files with two faults. The second one is that they end too early, and the first one counts.
    for (knights, proof) in [([0, 24], &[b'1', b'l', 5][..]), ([0, 24], &[b'2', b'l', 1]), ([0, 14], &[b'1', b'l', 7, 3])] {
        let free: u32 = ((1 << 25) - 1) & !(1 << knights[0]) & !(1 << knights[1]);
        let mut bytes = b"IsoProof\x01\x05\x05p\x01\0\0\0".to_vec();
        bytes.extend([knights[0], knights[1], b'1']);
        bytes.extend(free.to_le_bytes());
        bytes.extend(proof);
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        expected.push(rust_checks(&bytes));
        files.push(folder.path().join(format!("damaged-{}.proof", files.len())));
        fs::write(files.last().unwrap(), bytes).unwrap();
    }
    assert_eq!(expected[expected.len() - 3..], [1; 3]);
    let output = Command::new(&python).args(["-B", "-c", DRIVER]).arg(docs()).args(&files).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let codes = String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect::<Vec<i32>>();
    assert_eq!(codes, expected);
    let with_code = |code| expected.iter().position(|&expected| expected == code).map(|number| files[number].clone());
    let (broken, unreadable) = (with_code(1).unwrap(), with_code(2).unwrap());
    assert_eq!(python_checks(&python, std::slice::from_ref(&broken)), 1);
    assert_eq!(python_checks(&python, &[unreadable, broken]), 2);
}

/// The checker in Python stays short enough to be read.
#[test]
fn the_checker_in_python_is_short() {
    let script = include_str!("../../docs/certificate_checker.py");
    assert!(script.lines().count() <= 120);
    let imports = script.lines().filter(|line| line.starts_with("import ") || line.starts_with("from "));
    assert_eq!(imports.collect::<Vec<_>>(), ["import itertools, sys, zlib", "from collections import defaultdict"]);
}

/// The bytes of the example on the page about the format are those that the program writes.
#[test]
fn the_example_of_the_format_is_what_is_written() {
    let page = include_str!("../../docs/certificate.md");
    let (_, block) = page.split_once("```hex\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let documented: Vec<u8> = block.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
    let folder = folder();
    assert_eq!(fs::read(certify(folder.path(), &["3x3: b1 a2"], "3x3-b1a2.proof")).unwrap(), documented);
    assert_eq!(check(&documented).unwrap().lemmas, 4);
}

/// The certificates of the repository are what their commands write. Two of them take longer.
#[test]
fn the_certificates_of_the_repository_are_written_again() {
    written_again(|name| !["6x6-openings.proof", "7x7.proof"].contains(&name));
}

#[test]
#[ignore = "takes a minute"]
fn all_certificates_of_the_repository_are_written_again() {
    written_again(|_| true);
}

fn written_again(wanted: impl Fn(&str) -> bool) {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates");
    let page = fs::read_to_string(kept.join("README.md")).unwrap();
    let mut written = 0;
    for row in page.lines().filter(|line| line.contains(".proof |")) {
        let columns: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, name, command, _, lemmas, bytes, _] = columns[..] else { panic!("{row}") };
        let number = |text: &str| text.replace(',', "").parse::<u64>().unwrap();
        let expected = fs::read(kept.join(name)).unwrap();
        assert_eq!((expected.len() as u64, check(&expected).unwrap().lemmas), (number(bytes), number(lemmas)), "{name}");
        if wanted(name) {
            let folder = folder();
            let args = command.trim_matches('`').strip_prefix("isolde certify ").unwrap();
            let args: Vec<&str> = args.split(' ').chain(["--output", name]).collect();
            assert!(fs::read(certify(folder.path(), &args, name)).unwrap() == expected, "{name}");
            written += 1;
        }
    }
    let files =
        fs::read_dir(kept).unwrap().filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|end| end == "proof"));
    assert_eq!(page.lines().filter(|line| line.contains(".proof |")).count(), files.count());
    assert!(written >= 3);
}

#[test]
fn the_picture_of_a_lemma_is_what_is_drawn() {
    let folder = folder();
    let certificate = Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates").join("7x7.proof");
    let args = ["certify", "--lemma", "20000", "--svg", "lemma.svg", "--stats"];
    isolde(folder.path()).args(args).arg(certificate).assert().success();
    assert_eq!(fs::read_to_string(folder.path().join("lemma.svg")).unwrap(), include_str!("../../docs/lemma.svg"));
}

/// Every certificate that a claim names as evidence can be written, and is sound. All openings of
/// 7x7 would take a minute, so 6x6 stands for them.
#[test]
fn claims_name_certificates_that_exist() {
    let claims: serde_json::Value = serde_json::from_str(isolde::claims::FINDINGS).unwrap();
    let commands = claims.as_array().unwrap().iter().flat_map(|claim| claim["commands"].as_array().unwrap());
    let mut certified: Vec<&str> = commands.filter_map(|command| command.as_str()?.strip_prefix("isolde certify ")).collect();
    certified.sort_unstable();
    certified.dedup();
    assert!(certified.len() >= 8, "{certified:?}");
    let folder = folder();
    for (number, arguments) in certified.into_iter().enumerate() {
        let arguments = arguments.replace("7x7 --openings", "6x6 --openings");
        let (subject, options) =
            arguments.split_once(" --").map_or((arguments.as_str(), None), |(a, b)| (a, Some(format!("--{b}"))));
        let name = format!("{number}.proof");
        let mut command = isolde(folder.path());
        command.args(["certify", subject.trim_matches('"'), "--output", &name]).args(options).assert().success();
        check(&fs::read(folder.path().join(name)).unwrap()).unwrap();
    }
}
