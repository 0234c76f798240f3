//! The command that starts an outside agent.

use std::fmt;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::process::Command;

/// A program and its arguments, as they were written: `fairy-stockfish load variants.ini`.
///
/// No shell reads the text. It is the path of a file, blanks included, if there is such a file.
/// Otherwise its words are a program, or the name of one on `PATH`, and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    text: String,
}

impl Program {
    /// The program of a text. `None` if the text is blank.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self { text: text.to_string() })
    }

    /// The program that is to be started, without its arguments.
    pub(super) fn name(&self) -> PathBuf {
        self.split().0
    }

    pub(super) fn command(&self) -> Command {
        let (program, arguments) = self.split();
        let mut command = Command::new(program);
        command.args(arguments);
        command
    }

    fn split(&self) -> (PathBuf, Vec<&str>) {
        if Path::new(&self.text).is_file() {
            // A bare name would be looked for on `PATH`.
            let is_bare = !self.text.contains(['/', MAIN_SEPARATOR]);
            return (if is_bare { Path::new(".").join(&self.text) } else { PathBuf::from(&self.text) }, Vec::new());
        }
        let mut words = self.text.split_whitespace();
        (words.next().unwrap_or_default().into(), words.collect())
    }
}

/// The text as it was written.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_arguments_unless_they_name_a_file() {
        let split = |text: &str| {
            let program = Program::new(text).unwrap();
            let (name, arguments) = program.split();
            (name.display().to_string(), arguments.join("|"))
        };
        assert_eq!(split(" engine  load variants.ini "), ("engine".to_string(), "load|variants.ini".to_string()));
        assert_eq!(split("no/such/file"), ("no/such/file".to_string(), String::new()));
        // The tests run in the folder of the project.
        assert_eq!(split("Cargo.toml"), (Path::new(".").join("Cargo.toml").display().to_string(), String::new()));
        assert_eq!(split("src/lib.rs"), ("src/lib.rs".to_string(), String::new()));
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("an engine");
        std::fs::write(&file, "").unwrap();
        assert_eq!(split(file.to_str().unwrap()), (file.display().to_string(), String::new()));
        assert_eq!((Program::new(""), Program::new(" \t")), (None, None));
    }
}
