//! Several tables written as one.

use std::path::{Path, PathBuf};

use super::BuildError;
use super::progress::{Completion, Progress};
use super::publish::publish;
use super::work_folder::WorkFolder;
use crate::game::board::with_word_for;
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::solve::Control;
use crate::table::{Error, Kind, MergeError, Merged, Plan, Table, size_of_table};

/// Writes tables of one board and kind as one table.
///
/// All entries are compared before anything is written. Where two tables have the same position,
/// they must agree about it.
///
/// # Errors
/// If the tables cannot be read, do not belong together or disagree, or if the new table cannot be
/// written.
pub fn merge(
    files: &[PathBuf],
    target: &Path,
    replace: bool,
    control: &Control,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Completion, BuildError> {
    let first = files.first().ok_or(MergeError::NoTables)?;
    let size = size_of_table(first)?;
    for file in &files[1..] {
        let other = size_of_table(file)?;
        if other != size {
            return Err(MergeError::Boards { first: (first.clone(), size), other: (file.clone(), other) }.into());
        }
    }
    with_word_for!(size, merge_in(files, target, replace, control, progress))
}

fn merge_in<W: Word>(
    files: &[PathBuf],
    target: &Path,
    replace: bool,
    control: &Control,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Completion, BuildError> {
    let tables = files.iter().map(|file| Table::<W>::open(file)).collect::<Result<Vec<_>, _>>()?;
    let (coverage, depth) = Merged::coverage(&tables)?;
    // Below the depth of the merged table, only some of the strategies go on: that is left out.
    let (openings, kind) = (coverage.duels(tables[0].board()), tables[0].kind());
    let is_kept =
        |duel: &Duel<W>| kind == Kind::Strong || duel.free.len() > usize::from(depth) || openings.binary_search(duel).is_ok();
    let count = check(&tables, &is_kept, control)?;
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let work = WorkFolder::begin(target, replace, &format!("isolde table merge {}", names.join(" ")))?;
    let Some(count) = count else {
        return Ok(Completion::Stopped { folder: work.folder().to_path_buf() });
    };
    let command = |table: &Table<W>| match table.metadata() {
        Ok(metadata) => Ok(metadata.command),
        Err(fault) => Err(Error::Fault { path: table.path().to_path_buf(), fault }),
    };
    let commands = tables.iter().map(command).collect::<Result<Vec<_>, _>>()?;
    let plan = Plan {
        size: tables[0].board().size(),
        kind,
        depth,
        command: format!("{}; isolde table merge", commands.join("; ")),
        coverage,
    };
    // All entries have been read once without a fault, so none is skipped here.
    let entries = || {
        let mut merged = Merged::new(&tables).ok();
        std::iter::from_fn(move || merged.as_mut()?.next_entry().ok()?).filter(|(duel, _)| is_kept(duel))
    };
    publish(work, &plan, count, entries, control, progress)
}

/// Reads all entries once, so that nothing is written if the tables disagree or one is damaged.
/// Returns how many entries the merged table will have, or `None` if the work was stopped.
fn check<W: Word>(
    tables: &[Table<W>],
    is_kept: &impl Fn(&Duel<W>) -> bool,
    control: &Control,
) -> Result<Option<u64>, MergeError> {
    let mut merged = Merged::new(tables)?;
    let (mut read, mut count) = (0_u64, 0);
    while let Some((duel, _)) = merged.next_entry()? {
        count += u64::from(is_kept(&duel));
        read += 1;
        if read.is_multiple_of(BETWEEN_CHECKS) && control.is_stopped() {
            return Ok(None);
        }
    }
    Ok((!control.is_stopped()).then_some(count))
}

/// How many entries are read between two looks at the control.
const BETWEEN_CHECKS: u64 = 1 << 14;
