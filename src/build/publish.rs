//! The last step of every build: proven entries become a table in its final place.

use std::sync::atomic::{AtomicU64, Ordering};

use super::BuildError;
use super::progress::{Completion, Progress, Stage};
use super::work_folder::WorkFolder;
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::solve::Control;
use crate::table::{Entry, Plan, Table, Unverified, WriteError, check_form, write};

/// Progress is reported once for this many entries.
const BETWEEN_REPORTS: u64 = 1 << 16;

/// Writes the entries, `count` of them, to a table, checks its form, and moves it to its final
/// place.
pub(super) fn publish<W: Word, I: Iterator<Item = (Duel<W>, Entry)>>(
    work: WorkFolder,
    plan: &Plan,
    count: u64,
    entries: impl Fn() -> I,
    control: &Control,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Completion, BuildError> {
    let (finished, beside) = (work.file("table"), work.file("directory"));
    let passed = AtomicU64::new(0);
    let report = |_: &_| {
        let passed = passed.fetch_add(1, Ordering::Relaxed);
        if passed.is_multiple_of(BETWEEN_REPORTS) {
            // Writing reads every entry twice.
            progress(Progress { stage: Stage::Writing, done: passed / 2, total: count });
        }
    };
    match write(plan, || entries().inspect(report), &finished, &beside, &|| !control.is_stopped()) {
        Err(WriteError::Stopped) => return Ok(Completion::Stopped { folder: work.folder().to_path_buf() }),
        written => written?,
    }
    let kept = || work.folder().to_path_buf();
    match check_form(&Table::<W>::open(&finished)?, &|| !control.is_stopped()) {
        Ok(_) => {}
        Err(Unverified::Flawed(flaw)) => return Err(BuildError::Unsound { folder: kept(), flaw }),
        Err(_) => return Ok(Completion::Stopped { folder: kept() }),
    }
    let table = work.target().to_path_buf();
    work.publish(&finished)?;
    Ok(Completion::Finished { table })
}
