//! The program `isolde-check`, as its users run it, on the certificates of the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn check(args: &[&str], files: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isolde-check")).args(args).args(files).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn certificate(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("certificates").join(name)
}

/// A file for one test, beside the other files of the tests.
fn scratch(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// All certificates of the repository are sound, and state what their names say.
#[test]
fn the_certificates_of_the_repository_are_sound() {
    for (name, begin) in [
        ("5x5.proof", "5x5: the second player wins. 6 placements, "),
        ("6x6.proof", "6x6: the second player wins, by a mirror. 0 lemmas, "),
        ("6x6-lemmas.proof", "6x6: the second player wins. 6 placements, "),
        (
            "6x6-openings.proof",
            "6x6: the first player wins 576 of 1,260 openings, the second player 684. 165 proven one by one, ",
        ),
        ("7x7.proof", "7x7: the second player wins. 10 placements, "),
    ] {
        let output = check(&[], &[&certificate(name)]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output.stderr));
        let said = text(&output.stdout);
        assert!(said.starts_with(begin) && said.contains(" lemmas, all checked in "), "{said}");
    }
}

#[test]
fn several_files_are_checked_and_the_worst_counts() {
    let sound = certificate("5x5.proof");
    let bytes = fs::read(&sound).unwrap();
    let damaged = scratch("damaged.proof", &bytes[..bytes.len() / 2]);
    let short = scratch("short.proof", &bytes[..12]);
    let output = check(&[], &[&short]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).ends_with("a certificate has at least 16 bytes, and this file has 12\n"));
    let missing = Path::new("missing.proof");
    let output = check(&[], &[&sound, &damaged, missing, &sound]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stdout);
    assert_eq!(said.lines().count(), 2);
    assert!(said.lines().all(|line| line.contains("5x5.proof: 5x5: the second player wins")), "{said}");
    let errors = text(&output.stderr);
    assert!(errors.contains("damaged.proof: the file is damaged: its checksum is wrong\n"), "{errors}");
    assert!(errors.contains("missing.proof: cannot be read: "), "{errors}");
}

/// The checksum of a certificate, as docs/certificate.md has it.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc: u32, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| step(crc)))
}

#[test]
fn a_fault_says_which_lemma_which_rule_and_which_cell() {
    // On 3x3 the first player stands on a1 and is to move, the second on c3. The lemma says that
    // the hunter wins by c2, because the prey's replies to b1 and a2 are stopped. But they are
    // free.
    let mut bytes = b"IsoProof\x01\x03\x03p\x01\0\0\0".to_vec();
    let free: u16 = 0b1_0111_1110;
    bytes.extend([0, 8, b'1']);
    bytes.extend((free & !(1 << 8)).to_le_bytes());
    bytes.extend([b'1', b'l', 5, 0]);
    bytes.extend(crc32(&bytes).to_le_bytes());
    let output = check(&["--json"], &[&scratch("fault.proof", &bytes)]);
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    assert!(errors.contains("breaks the rule of lemmas that cover a position: it stops b1, which is free"), "{errors}");
    assert!(
        text(&output.stdout).contains("\"rule\":\"lemmas that cover a position\",\"lemma\":1,\"byte\":"),
        "{}",
        text(&output.stdout)
    );
    // The same with a move that a knight cannot make.
    let at = bytes.len() - 6;
    bytes[at] = 4;
    bytes.truncate(bytes.len() - 4);
    bytes.extend(crc32(&bytes).to_le_bytes());
    let output = check(&[], &[&scratch("move.proof", &bytes)]);
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    let expected =
        "lemma 1 (byte 23) breaks the rule of the hunter's win: hunter a1, prey c3: b2 is not a knight's move of the hunter";
    assert!(errors.contains(expected), "{errors}");
}

#[test]
fn answers_are_also_data() {
    let output = check(&["--json"], &[&certificate("5x5.proof")]);
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stdout);
    let expected =
        "\"board\":\"5x5\",\"statement\":\"board\",\"winner\":\"second\",\"mirror\":false,\"placements\":6,\"lemmas\":";
    assert!(said.contains(expected) && said.ends_with("}\n"), "{said}");
    let said = text(&check(&["--json"], &[&certificate("6x6-openings.proof")]).stdout);
    assert!(said.contains("\"statement\":\"openings\",\"first_wins\":[\"a1 c1\",") && said.contains("\"proven\":165"), "{said}");
}

/// Such as `isolde-check 7x7.proof | true`.
#[test]
fn a_reader_that_is_gone_is_not_missed() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isolde-check"));
    let mut child = command.arg("--json").arg(certificate("7x7.proof")).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A position is shown as a diagram.
#[test]
fn a_position_is_shown() {
    let mut bytes = b"IsoProof\x01\x03\x03p\x01\0\0\0".to_vec();
    // The first player on a1 and the second on b2, only c1 is free, and the second player is to
    // move: it has no move.
    bytes.extend([0, 4, b'2', 0b100, 0, b'1', b'a']);
    bytes.extend(crc32(&bytes).to_le_bytes());
    let file = scratch("shown.proof", &bytes);
    assert!(text(&check(&[], &[&file]).stdout).starts_with("3x3: the first player wins ***/*n*/N*1 b. 0 lemmas, "));
    let data = text(&check(&["--json"], &[&file]).stdout);
    assert!(data.contains("\"positions\":[{\"position\":\"***/*n*/N*1 b\",\"winner\":\"first\"}]"), "{data}");
}

#[test]
fn help_version_and_wrong_options() {
    let said = |args: &[&str]| check(args, &[]);
    assert!(text(&said(&["--help"]).stdout).contains("Exit codes: 0 everything is proven, 1 a rule is broken"));
    assert!(text(&said(&["--version"]).stdout).starts_with("isolde-check 0."));
    for args in [&["--quick"][..], &[]] {
        let output = said(args);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).starts_with("error: "));
    }
}
