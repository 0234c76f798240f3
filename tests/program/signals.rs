//! SIGTERM and SIGHUP interrupt long work as Ctrl-C does: what is proven is printed or kept.

use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;

use crate::support::{folder, signals};

/// Questions that take long, each with a word of what it prints when it is interrupted.
const LONG: [(&[&str], &str); 7] = [
    (&["solve", "9x8"], "unknown"),
    (&["solve", "9x8: a1 d4"], "unknown"),
    (&["query", "9x9: a1 e5"], "unknown"),
    (&["map", "9x8"], "unknown"),
    (&["verify", "parity", "10x8"], "as far as is known"),
    (&["claims", "--all"], "not decided"),
    (&["table", "build", "8x8", "--output", "8x8.isolde"], "the same command continues"),
];

#[test]
fn every_long_command_can_be_interrupted() {
    let folder = folder();
    for (arguments, word) in LONG {
        for signal in signals::signals() {
            let mut child = Command::new(cargo_bin("isolde"))
                .current_dir(folder.path())
                .args(arguments)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            signals::wait_until_interruptible(&mut child);
            signals::send(signal, &child);
            let ended = child.wait_with_output().unwrap();
            let printed = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
            assert_eq!(ended.status.code(), Some(130), "{arguments:?} after SIG{signal}: {printed}");
            assert!(printed.contains(word), "{arguments:?} after SIG{signal}: {printed}");
        }
    }
}
