//! Who takes part in a tournament.

use std::fmt;
use std::str::FromStr;

use super::outside::Program;
use crate::play::{Agent, UnknownAgent};

/// Who takes part in a tournament: one of our agents, or another program.
///
/// Only a person who may start programs on this machine should be asked for entrants. All others
/// name an [`Agent`].
#[derive(Clone, PartialEq, Debug)]
pub enum Entrant {
    /// One of our agents: `AB_Improved`.
    Ours(Agent),
    /// A program that speaks UCI: `uci:fairy-stockfish`.
    Outside(Program),
}

/// What the names of outside agents begin with.
const OUTSIDE: &str = "uci:";

impl From<Agent> for Entrant {
    fn from(agent: Agent) -> Self {
        Self::Ours(agent)
    }
}

/// The name that people type and read.
impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ours(agent) => agent.fmt(f),
            Self::Outside(program) => f.pad(&format!("{OUTSIDE}{program}")),
        }
    }
}

/// The error for a text that does not name an entrant.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UnknownEntrant {
    /// It names no agent.
    Agent(UnknownAgent),
    /// It names no program.
    Program,
}

impl fmt::Display for UnknownEntrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(fault) => write!(f, "{fault}; or {OUTSIDE} and a program that speaks UCI"),
            Self::Program => write!(f, "`{OUTSIDE}` names no program: write one behind it, such as {OUTSIDE}fairy-stockfish"),
        }
    }
}

impl std::error::Error for UnknownEntrant {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let Self::Agent(fault) = self { Some(fault) } else { None }
    }
}

impl FromStr for Entrant {
    type Err = UnknownEntrant;

    fn from_str(text: &str) -> Result<Self, UnknownEntrant> {
        match text.split_at_checked(OUTSIDE.len()) {
            Some((start, program)) if start.eq_ignore_ascii_case(OUTSIDE) => {
                Program::new(program).map(Self::Outside).ok_or(UnknownEntrant::Program)
            }
            _ => text.parse().map(Self::Ours).map_err(UnknownEntrant::Agent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entrants_are_read_back_by_name() {
        for name in ["best", "AB_Improved@by-scores", "uci:fairy-stockfish load variants.ini", "uci:/opt/an engine"] {
            assert_eq!(name.parse::<Entrant>().unwrap().to_string(), name);
        }
        assert_eq!("UCI: engine ".parse::<Entrant>().unwrap().to_string(), "uci:engine");
        assert_eq!("uci: ".parse::<Entrant>(), Err(UnknownEntrant::Program));
        assert!(matches!("engine".parse::<Entrant>(), Err(UnknownEntrant::Agent(_))));
        assert!("uci:best".parse::<Agent>().is_err(), "an outside agent is none of ours");
    }
}
