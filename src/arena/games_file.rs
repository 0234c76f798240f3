//! The games of a tournament in a file: a head line that describes the tournament, then one line
//! for each game.
//!
//! A tournament that is interrupted, even by `kill -9`, can be resumed: a line without its end does
//! not count. Games are written in the order of the plan, whichever ends first, so the file does
//! not depend on the number of threads.
//!
//! A file with a single record, as `Record::to_json` writes it, is a games file without a head.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::entrant::Entrant;
use super::record::{Record, RecordError};
use super::tournament::{Fixture, Plan};
use crate::game::notation::cell_name;
use crate::play::format_duration;
use crate::solve::Opening;

/// The games file of a running tournament.
#[derive(Debug)]
pub struct GamesFile {
    path: PathBuf,
    file: File,
    played: Vec<(Fixture, Record)>,
    /// The numbers of the games that are not written yet, in the order of the plan.
    open: VecDeque<usize>,
    /// The lines of finished games that wait for an earlier game.
    waiting: BTreeMap<usize, String>,
}

/// Why the games of a tournament cannot be read or written.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum GamesFileError {
    /// The file cannot be opened or read.
    Read { path: PathBuf, source: io::Error },
    /// The file cannot be written.
    Write { path: PathBuf, source: io::Error },
    /// A new tournament was to be written to a file that exists.
    Exists { path: PathBuf },
    /// Another process is writing the file.
    Busy { path: PathBuf },
    /// The file holds the games of another tournament.
    OtherTournament { path: PathBuf },
    /// A line of the file is wrong.
    Line { path: PathBuf, source: Box<LineError> },
}

impl fmt::Display for GamesFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, source } => write!(f, "cannot open {}: {source}", path.display()),
            Self::Write { path, source } => write!(f, "cannot write {}: {source}", path.display()),
            Self::Exists { path } => {
                write!(f, "{} exists already: resume that tournament, or name another file", path.display())
            }
            Self::Busy { path } => write!(f, "cannot use {}: another tournament is writing it", path.display()),
            Self::OtherTournament { path } => {
                let path = path.display();
                write!(f, "cannot resume {path}: it holds the games of another tournament")
            }
            Self::Line { path, source } => write!(f, "cannot use {}: {source}", path.display()),
        }
    }
}

impl std::error::Error for GamesFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } | Self::Write { source, .. } => Some(source),
            Self::Line { source, .. } => Some(source.as_ref()),
            Self::Exists { .. } | Self::Busy { .. } | Self::OtherTournament { .. } => None,
        }
    }
}

/// A wrong line of a games file.
#[derive(Debug)]
pub struct LineError {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: LineFault,
}

/// What is wrong with a line of a games file.
#[derive(Debug)]
#[non_exhaustive]
pub enum LineFault {
    /// The line is not a record.
    Record(RecordError),
    /// The tournament has no game of this number.
    NoSuchGame,
    /// The record does not belong to the game of this number.
    OtherGame,
    /// The file holds this game twice.
    Repeated,
    /// The game is unfinished. A tournament saves only finished games.
    Unfinished,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.fault {
            LineFault::Record(fault) => fault.fmt(f),
            LineFault::NoSuchGame => f.write_str("the tournament has no game of this number"),
            LineFault::OtherGame => f.write_str("the record is of another game"),
            LineFault::Repeated => f.write_str("the file holds this game twice"),
            LineFault::Unfinished => f.write_str("the game is unfinished, and a tournament saves only finished games"),
        }
    }
}

impl std::error::Error for LineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            LineFault::Record(fault) => Some(fault),
            LineFault::NoSuchGame | LineFault::OtherGame | LineFault::Repeated | LineFault::Unfinished => None,
        }
    }
}

/// The records in the text of a games file, with the numbers of their games. A record without a
/// number is counted from 1.
///
/// # Errors
/// If a line is not a record.
pub fn parse_games(text: &str) -> Result<Vec<(usize, Record)>, LineError> {
    games_in(text).collect()
}

/// The games in the text of a games file, one at a time.
pub(super) fn games_in(text: &str) -> impl Iterator<Item = Result<(usize, Record), LineError>> {
    let (head, lines) = split_head(text);
    let lines = lines.lines().zip(if head.is_some() { 2.. } else { 1.. }).filter(|(line, _)| !line.trim().is_empty());
    let read = |(index, (text, line)): (usize, (&str, usize))| match Record::from_line(text) {
        Ok((number, record)) => Ok((number.unwrap_or(index + 1), record)),
        Err(fault) => Err(LineError { line, fault: LineFault::Record(fault) }),
    };
    lines.enumerate().map(read)
}

/// Reads a games file: see [`parse_games`].
///
/// # Errors
/// If the file cannot be read, or a line is not a record.
pub fn read_games(path: &Path) -> Result<Vec<(usize, Record)>, GamesFileError> {
    let text = fs::read_to_string(path).map_err(|source| GamesFileError::Read { path: path.to_path_buf(), source })?;
    parse_games(&text).map_err(|source| GamesFileError::Line { path: path.to_path_buf(), source: source.into() })
}

/// The head line of a games file, if there is one, and the lines that follow. After a head, a last
/// line without its end is left out: an interruption has cut it off.
fn split_head(text: &str) -> (Option<&str>, &str) {
    /// What makes a line a head.
    #[derive(Deserialize)]
    struct AnyHead {
        #[serde(rename = "tournament")]
        _tournament: String,
    }
    match text.split_once('\n') {
        Some((head, lines)) if serde_json::from_str::<AnyHead>(head).is_ok() => {
            (Some(head), &lines[..lines.rfind('\n').map_or(0, |end| end + 1)])
        }
        _ => (None, text),
    }
}

/// Whether games are judged after they end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Judging {
    Yes,
    No,
}

/// The head line: a description of the tournament. Two tournaments are the same exactly when their
/// head lines are equal.
#[derive(Serialize)]
struct Head {
    tournament: String,
    agents: Vec<String>,
    against: Vec<String>,
    limit: String,
    grace: String,
    judged: bool,
    seed: u64,
    openings: String,
}

fn head(plan: &Plan, judged: Judging) -> Head {
    let names = |agents: &[Entrant]| agents.iter().map(ToString::to_string).collect();
    let opening = |opening: &Option<Opening>| match opening {
        Some(opening) => format!("{}{}", cell_name(plan.size, opening.first), cell_name(plan.size, opening.second)),
        None => "free".to_string(),
    };
    Head {
        tournament: plan.size.to_string(),
        agents: names(&plan.agents),
        against: names(&plan.field),
        limit: plan.rules.limit.to_string(),
        grace: format_duration(plan.rules.grace),
        judged: judged == Judging::Yes,
        seed: plan.seed,
        openings: plan.openings.iter().map(opening).collect::<Vec<_>>().join(" "),
    }
}

impl GamesFile {
    /// Creates the games file of a tournament, or opens it to resume the tournament.
    ///
    /// # Errors
    /// If the file cannot be created or read, or holds something else.
    ///
    /// # Panics
    /// Never: the head is made of text and numbers, which JSON can always hold.
    pub fn open(path: &Path, plan: &Plan, judged: Judging, resume: bool) -> Result<Self, GamesFileError> {
        let refused = |source| GamesFileError::Read { path: path.to_path_buf(), source };
        let head = serde_json::to_string(&head(plan, judged)).expect("text and numbers can be written as JSON");
        let file = if resume {
            OpenOptions::new().read(true).write(true).open(path).map_err(refused)?
        } else {
            File::create_new(path).map_err(|fault| match fault.kind() {
                ErrorKind::AlreadyExists => GamesFileError::Exists { path: path.to_path_buf() },
                _ => refused(fault),
            })?
        };
        file.try_lock().map_err(|_| GamesFileError::Busy { path: path.to_path_buf() })?;
        let open = plan.fixtures().iter().map(|fixture| fixture.number).collect();
        let mut games_file = Self { path: path.to_path_buf(), file, played: Vec::new(), open, waiting: BTreeMap::new() };
        if resume {
            games_file.read(plan, &head)?;
        } else {
            games_file.write_line(&head)?;
        }
        Ok(games_file)
    }

    /// Reads the games that were played before, and cuts off a line without its end.
    fn read(&mut self, plan: &Plan, head: &str) -> Result<(), GamesFileError> {
        let path = &self.path;
        let refused = |source| GamesFileError::Read { path: path.clone(), source };
        let mut text = String::new();
        self.file.read_to_string(&mut text).map_err(refused)?;
        let (found, lines) = split_head(&text);
        if found != Some(head) {
            return Err(GamesFileError::OtherTournament { path: path.clone() });
        }
        let whole = head.len() + 1 + lines.len();
        let fixtures = plan.fixtures();
        let mut played = BTreeMap::new();
        for (number, line) in (2..).zip(lines.lines()) {
            let wrong = |fault| GamesFileError::Line { path: path.clone(), source: LineError { line: number, fault }.into() };
            let (game, record) = Record::from_line(line).map_err(|fault| wrong(LineFault::Record(fault)))?;
            let fixture = game.and_then(|game| fixtures.get(game.checked_sub(1)?));
            let fixture = fixture.ok_or_else(|| wrong(LineFault::NoSuchGame))?;
            if !plan.is_of(fixture, &record) {
                return Err(wrong(LineFault::OtherGame));
            }
            if record.winner.is_none() {
                return Err(wrong(LineFault::Unfinished));
            }
            if played.insert(fixture.number, (*fixture, record)).is_some() {
                return Err(wrong(LineFault::Repeated));
            }
        }
        self.open.retain(|number| !played.contains_key(number));
        self.played = played.into_values().collect();
        self.file.set_len(whole as u64).and_then(|()| self.file.seek(SeekFrom::End(0))).map_err(refused)?;
        Ok(())
    }

    /// The games that were in the file when it was opened.
    pub fn take_played(&mut self) -> Vec<(Fixture, Record)> {
        std::mem::take(&mut self.played)
    }

    /// Writes a finished game as soon as all earlier games are written.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, fixture: &Fixture, record: &Record) -> Result<(), GamesFileError> {
        self.waiting.insert(fixture.number, record.to_line(fixture.number + 1));
        while let Some(line) = self.open.front().and_then(|next| self.waiting.remove(next)) {
            self.open.pop_front();
            self.write_line(&line)?;
        }
        Ok(())
    }

    /// Writes the finished games that still wait for an earlier one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<(), GamesFileError> {
        let waiting = std::mem::take(&mut self.waiting);
        waiting.into_values().try_for_each(|line| self.write_line(&line))
    }

    /// Writes a whole line or none: other games may be written after one that could not be.
    fn write_line(&mut self, line: &str) -> Result<(), GamesFileError> {
        let failed = |source| GamesFileError::Write { path: self.path.clone(), source };
        let before = self.file.stream_position().map_err(failed)?;
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(|fault| {
            let _ = self.file.set_len(before).and_then(|()| self.file.seek(SeekFrom::Start(before)));
            failed(fault)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = r#"{"tournament":"3x3","seed":0}"#;
    const RECORD: &str =
        r#"{"board":"3x3","first":"a","second":"b","limit":"1s","given":2,"moves":"b2 a1","winner":"second","end":"stuck"}"#;

    #[test]
    fn games_are_read_with_their_numbers() {
        let numbers = |text: &str| parse_games(text).map(|games| games.iter().map(|(number, _)| *number).collect::<Vec<_>>());
        let numbered = |number: usize| format!("{{\"game\":{number},\"record\":{RECORD}}}");
        assert!(numbers("").unwrap().is_empty());
        assert_eq!(numbers(RECORD).unwrap(), [1]);
        assert_eq!(numbers(&format!("{RECORD}\n\n{RECORD}\n")).unwrap(), [1, 2]);
        assert!(numbers(&format!("{HEAD}\n")).unwrap().is_empty());
        assert_eq!(numbers(&format!("{HEAD}\n{}\n{}\n", numbered(7), numbered(9))).unwrap(), [7, 9]);
        // An interruption has cut off the last line.
        let cut = &numbered(9)[..50];
        assert_eq!(numbers(&format!("{HEAD}\n{}\n{cut}", numbered(7))).unwrap(), [7]);
        for (text, line) in [
            (format!("{HEAD}\n{cut}\n"), 2),
            (format!("{RECORD}\n\n{cut}"), 3),
            (format!("{RECORD}\n{HEAD}\n"), 2),
            (HEAD.to_string(), 1),
        ] {
            let fault = numbers(&text).unwrap_err();
            assert_eq!(fault.line, line, "{text}");
            assert!(matches!(fault.fault, LineFault::Record(_)), "{fault}");
        }
    }
}
