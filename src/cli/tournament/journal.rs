//! The games of a tournament in a file: a line that says what is played, then one for each game as it ends.
//!
//! A tournament that is interrupted, even by `kill -9`, goes on where it stopped: a line that was not written to its end does not count.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::arena::{Fixture, Plan, Record};
use crate::cli::Failure;
use crate::notation::cell_name;

pub(super) struct Journal {
    path: PathBuf,
    file: File,
    played: Vec<(Fixture, Record)>,
}

/// The first line: what is played. Two tournaments are the same exactly when their first lines are.
#[derive(Serialize)]
struct Head {
    tournament: String,
    agents: Vec<String>,
    against: Vec<String>,
    limit: String,
    seed: u64,
    openings: String,
}

/// Every other line.
#[derive(Serialize, Deserialize)]
struct Entry<'a> {
    game: usize,
    #[serde(borrow)]
    record: &'a RawValue,
}

fn head(plan: &Plan) -> Head {
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
        seed: plan.seed,
        openings: plan.openings.iter().map(opening).collect::<Vec<_>>().join(" "),
    }
}

impl Journal {
    /// A file for the games of this tournament: a new one, or one to go on with.
    pub(super) fn open(path: &Path, plan: &Plan, resume: bool) -> Result<Self, Failure> {
        let refused = |why: String| Failure::Input(format!("cannot use {}: {why}", path.display()));
        let head = serde_json::to_string(&head(plan)).map_err(|fault| refused(fault.to_string()))?;
        let io = |fault: std::io::Error| refused(fault.to_string());
        if !resume {
            let file = File::create_new(path).map_err(|fault| match fault.kind() {
                std::io::ErrorKind::AlreadyExists => {
                    refused("it is there already; go on with it by --resume, or name another".to_string())
                }
                _ => refused(fault.to_string()),
            })?;
            let mut journal = Self { path: path.to_path_buf(), file, played: Vec::new() };
            journal.write_line(&head)?;
            return Ok(journal);
        }
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(io)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        if lines.next() != Some(&head) {
            return Err(refused("its games are of another tournament; name the file that this one was begun with".to_string()));
        }
        let fixtures = plan.fixtures();
        let read = |(number, line): (usize, &str)| {
            let bad = |why: String| refused(format!("line {}: {why}", number + 2));
            let entry: Entry<'_> = serde_json::from_str(line).map_err(|fault| bad(fault.to_string()))?;
            let fixture = fixtures.get(entry.game).ok_or_else(|| bad(format!("there is no game {}", entry.game)))?;
            Ok((*fixture, Record::from_json(entry.record.get()).map_err(bad)?))
        };
        let played = lines.enumerate().map(read).collect::<Result<Vec<_>, Failure>>()?;
        file.set_len(whole as u64).and_then(|()| file.seek(std::io::SeekFrom::End(0))).map_err(io)?;
        Ok(Self { path: path.to_path_buf(), file, played })
    }

    /// The games that were played before.
    pub(super) fn take_played(&mut self) -> Vec<(Fixture, Record)> {
        std::mem::take(&mut self.played)
    }

    /// Writes down a game.
    pub(super) fn write(&mut self, fixture: &Fixture, record: &Record) -> Result<(), Failure> {
        self.write_line(&format!("{{\"game\":{},\"record\":{}}}", fixture.number, record.to_json()))
    }

    fn write_line(&mut self, line: &str) -> Result<(), Failure> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|fault| Failure::Files(format!("cannot write {}: {fault}", self.path.display())))
    }
}
