//! Why an outside agent cannot play.

use std::fmt;
use std::io::{self, ErrorKind};
use std::time::Duration;

use super::process::Silence;
use super::program::Program;
use crate::game::notation::quoted;
use crate::play::format_duration;

/// Why an outside agent cannot play.
#[derive(Debug)]
pub struct OutsideError {
    program: Program,
    why: Why,
}

#[derive(Debug)]
pub(super) enum Why {
    /// It cannot be started.
    Start(io::Error),
    /// It did not say this within the time.
    Missing { word: &'static str, patience: Duration },
    /// It has ended, or cannot be talked to.
    Gone(String),
    /// It lists variants, and not the one that is to be played.
    Variant { wanted: Vec<String>, what: String, known: Vec<String> },
    /// The tournament was stopped.
    Stopped,
}

impl OutsideError {
    pub(super) fn new(program: &Program, why: Why) -> Self {
        Self { program: program.clone(), why }
    }

    /// The fault of an agent that does not say a word that it has to say.
    pub(super) fn without(program: &Program, word: &'static str, patience: Duration, silence: Silence) -> Self {
        let why = match silence {
            Silence::Stopped => Why::Stopped,
            Silence::TooLong => Why::Missing { word, patience },
            Silence::Gone(how) => Why::Gone(how),
        };
        Self::new(program, why)
    }

    /// Whether only the tournament was stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        matches!(self.why, Why::Stopped)
    }

    /// Whether the system could not start it.
    pub(super) fn is_start(&self) -> bool {
        matches!(self.why, Why::Start(_))
    }

    /// What is wrong, without the name of the program.
    pub(super) fn in_short(&self) -> String {
        match &self.why {
            Why::Start(fault) if fault.kind() == ErrorKind::NotFound => {
                let name = self.program.name();
                format!("there is no program {}: write the path of a file, or a name on PATH", quoted(&name.to_string_lossy()))
            }
            Why::Start(fault) => format!("it cannot be started: {fault}"),
            Why::Missing { word, patience } => {
                let patience = format_duration(*patience);
                format!("it did not say {word} within {patience}: expected a program that speaks UCI, or more patience")
            }
            Why::Gone(how) => format!("{how} before it was ready: expected a program that speaks UCI"),
            Why::Variant { wanted, what, known } => {
                let knows = match known.as_slice() {
                    [] => "no variant of joust".to_string(),
                    known => format!("only {} of the joust family", known.join(", ")),
                };
                format!("it knows {knows}, and {what} needs {}", wanted.join(" or "))
            }
            Why::Stopped => "the tournament was stopped".to_string(),
        }
    }
}

impl fmt::Display for OutsideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "uci:{} cannot play: {}", self.program, self.in_short())
    }
}

impl std::error::Error for OutsideError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let Why::Start(fault) = &self.why { Some(fault) } else { None }
    }
}
