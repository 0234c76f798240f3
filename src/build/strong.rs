//! Strong tables: every position with its outcome.

use super::BuildError;
use super::progress::{Completion, Progress, Stage};
use super::publish::publish;
use super::request::{BuildRequest, Contents, Scope};
use super::work_folder::WorkFolder;
use crate::game::board::Board;
use crate::solve::{Control, Enumeration, EnumerationError, EnumerationPhase, Opening, expected_positions};
use crate::table::Entry;

/// Builds a strong table, or continues with it. The board has been checked to be small enough.
pub(super) fn run(
    request: &BuildRequest,
    openings: &[Opening],
    work: WorkFolder,
    start_clock: &dyn Fn() -> Control,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Completion, BuildError> {
    let size = request.size;
    let board = Board::<u64>::fitting(size);
    let roots: Vec<_> = openings.iter().map(|opening| opening.duel(board.cells())).collect();
    let failed = |source| BuildError::Enumeration { folder: work.folder().to_path_buf(), source };
    let mut enumeration = Enumeration::new(size, &roots, request.settings, work.folder()).map_err(failed)?;
    if let Contents::Strong { checkpoint } = request.contents {
        enumeration = enumeration.with_checkpoints(checkpoint);
    }
    // What was unfinished has been read back.
    let control = &start_clock();
    // The estimate is for all openings.
    let expected = if request.scope == Scope::All { expected_positions(size) as u64 } else { 0 };
    let found = enumeration.run(control, &|now| {
        progress(match now.phase {
            EnumerationPhase::Finding => Progress { stage: Stage::Finding, done: now.expanded, total: now.found.max(expected) },
            EnumerationPhase::Deciding => Progress { stage: Stage::Deciding, done: now.decided, total: now.found },
        });
    });
    let found = match found {
        Err(EnumerationError::Stopped) => return Ok(Completion::Stopped { folder: work.folder().to_path_buf() }),
        found => found.map_err(failed)?,
    };
    let plan = request.plan(&board, &roots);
    let entries = || found.entries().map(|(duel, outcome)| (duel, Entry::Outcome(outcome)));
    publish(work, &plan, found.len() as u64, entries, control, progress)
}
