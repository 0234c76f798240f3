//! The games of a tournament in a file: a line that says what is played, then one for each game as it ends.
//!
//! A tournament that is interrupted, even by `kill -9`, goes on where it stopped: a line that was not written to its end does not count. Games are written in their order, whichever ends first,
//! so that the file does not depend on the number of threads.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::arena::{Fixture, Plan, Record};
use crate::cli::Failure;
use crate::notation::cell_name;

pub(super) struct Journal {
    path: PathBuf,
    file: File,
    played: Vec<(Fixture, Record)>,
    /// The games that are still to be written, in their order, and those of them that have been played.
    open: VecDeque<usize>,
    waiting: BTreeMap<usize, String>,
}

/// Whether games are solved afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Judged {
    Yes,
    No,
}

/// The first line: what is played. Two tournaments are the same exactly when their first lines are.
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

fn head(plan: &Plan, judged: Judged) -> Head {
    let names = |agents: &[crate::play::Agent]| agents.iter().map(ToString::to_string).collect();
    let opening = |opening: &Option<crate::solve::Opening>| match opening {
        Some(opening) => format!("{}{}", cell_name(plan.size, opening.first), cell_name(plan.size, opening.second)),
        None => "free".to_string(),
    };
    Head {
        tournament: plan.size.to_string(),
        agents: names(&plan.agents),
        against: names(&plan.field),
        limit: plan.rules.limit.to_string(),
        grace: humantime::format_duration(plan.rules.grace).to_string(),
        judged: judged == Judged::Yes,
        seed: plan.seed,
        openings: plan.openings.iter().map(opening).collect::<Vec<_>>().join(" "),
    }
}

impl Journal {
    /// A file for the games of this tournament: a new one, or one to go on with.
    pub(super) fn open(path: &Path, plan: &Plan, judged: Judged, resume: bool) -> Result<Self, Failure> {
        let refused = |why: String| Failure::Input(format!("cannot use {}: {why}", path.display()));
        let io = |fault: std::io::Error| refused(fault.to_string());
        let head = serde_json::to_string(&head(plan, judged)).map_err(|fault| refused(fault.to_string()))?;
        let file = if resume {
            OpenOptions::new().read(true).write(true).open(path).map_err(io)?
        } else {
            File::create_new(path).map_err(|fault| match fault.kind() {
                ErrorKind::AlreadyExists => {
                    refused("it is there already; go on with it by --resume, or name another".to_string())
                }
                _ => refused(fault.to_string()),
            })?
        };
        file.try_lock().map_err(|_| refused("another tournament is writing it".to_string()))?;
        let open = plan.fixtures().iter().map(|fixture| fixture.number).collect();
        let mut journal = Self { path: path.to_path_buf(), file, played: Vec::new(), open, waiting: BTreeMap::new() };
        if resume {
            journal.read(plan, &head)?;
        } else {
            journal.write_line(&head)?;
        }
        Ok(journal)
    }

    /// Reads what was played before, and drops what was not written to its end.
    fn read(&mut self, plan: &Plan, head: &str) -> Result<(), Failure> {
        let refused = |why: String| Failure::Input(format!("cannot use {}: {why}", self.path.display()));
        let io = |fault: std::io::Error| refused(fault.to_string());
        let mut text = String::new();
        self.file.read_to_string(&mut text).map_err(io)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        if lines.next() != Some(head) {
            return Err(refused("its games are of another tournament; name the file that this one was begun with".to_string()));
        }
        let fixtures = plan.fixtures();
        let mut played = BTreeMap::new();
        for (number, line) in lines.enumerate() {
            let bad = |why: &str| refused(format!("line {}: {why}", number + 2));
            let (game, record) = Record::from_line(line).map_err(|why| bad(&why))?;
            let fixture = game.and_then(|game| fixtures.get(game.checked_sub(1)?)).ok_or_else(|| bad("there is no such game"))?;
            if !plan.is_of(fixture, &record) {
                return Err(bad("the record is of another game"));
            }
            if played.insert(fixture.number, (*fixture, record)).is_some() {
                return Err(bad("this game stands there twice"));
            }
        }
        self.open.retain(|number| !played.contains_key(number));
        self.played = played.into_values().collect();
        self.file.set_len(whole as u64).and_then(|()| self.file.seek(SeekFrom::End(0))).map_err(io)?;
        Ok(())
    }

    /// The games that were played before.
    pub(super) fn take_played(&mut self) -> Vec<(Fixture, Record)> {
        std::mem::take(&mut self.played)
    }

    /// Writes down a game, as soon as all before it are written.
    pub(super) fn write(&mut self, fixture: &Fixture, record: &Record) -> Result<(), Failure> {
        self.waiting.insert(fixture.number, record.to_line(fixture.number + 1));
        while let Some(line) = self.open.front().and_then(|next| self.waiting.remove(next)) {
            self.open.pop_front();
            self.write_line(&line)?;
        }
        Ok(())
    }

    /// Writes down the games that still wait.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let waiting = std::mem::take(&mut self.waiting);
        waiting.into_values().try_for_each(|line| self.write_line(&line))
    }

    fn write_line(&mut self, line: &str) -> Result<(), Failure> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|fault| Failure::Files(format!("cannot write {}: {fault}", self.path.display())))
    }
}
