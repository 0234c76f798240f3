//! A program that ends with the test that started it, together with everything that it started.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// The shell stands between the test and the program. When its standard input is closed, it ends
/// its process group. So nothing is left running, however the test ends. A line of input asks the
/// program to end by itself.
const GUARD: &str = r#""$@" </dev/null & read -r _ && kill -s TERM $! && wait $!; kill -s KILL 0"#;

/// A running program.
pub(super) struct Process {
    guard: Child,
    output: BufReader<ChildStdout>,
    log: tempfile::NamedTempFile,
}

impl Process {
    /// Starts a program in a folder.
    pub(super) fn start(program: &Path, arguments: &[&str], folder: &Path) -> Process {
        let log = tempfile::NamedTempFile::new().expect("a file for messages");
        let mut command = Command::new("sh");
        command.args(["-c", GUARD, "guard"]).arg(program).args(arguments).current_dir(folder);
        command
            .env("XDG_DATA_HOME", "/nowhere")
            .env("HOME", folder)
            .env("TMPDIR", folder)
            .env_remove("ISOLDE_TABLES")
            .process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log.reopen().expect("the file for messages"));
        let mut guard = command.spawn().expect("a shell");
        let output = BufReader::new(guard.stdout.take().expect("standard output is piped"));
        Process { guard, output, log }
    }

    /// The first line of standard output in which something is found. Waits for it.
    pub(super) fn line_with<T>(&mut self, find: impl Fn(&str) -> Option<T>) -> T {
        let mut seen = String::new();
        loop {
            let start = seen.len();
            let count = self.output.read_line(&mut seen).expect("standard output is text");
            if let Some(found) = find(seen[start..].trim_end()) {
                return found;
            }
            assert_ne!(count, 0, "the program ended; it wrote {seen:?} and {:?}", self.log());
        }
    }

    /// Asks the program to end, and waits until it has.
    pub(super) fn terminate(mut self) {
        self.guard.stdin.as_mut().expect("standard input is piped").write_all(b"\n").expect("the shell reads");
        self.guard.wait().expect("the program ends");
    }

    /// What the program wrote to standard error.
    pub(super) fn log(&self) -> String {
        let mut bytes = Vec::new();
        let _ = File::open(self.log.path()).and_then(|mut file| file.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        let _ = self.guard.wait();
    }
}
