//! Opening tables: who wins the openings, and the winners' strategies.

use std::sync::Arc;

use super::BuildError;
use super::progress::{Completion, Progress, Stage};
use super::publish::publish;
use super::request::BuildRequest;
use super::work_folder::WorkFolder;
use crate::game::board::Board;
use crate::game::cells::Word;
use crate::solve::{Control, Opening, ProofCheckpoint, Settings, Solver, StrategyError, StrategyLimits, StrategyLog};

/// The strategy log's file in the work folder. Its name is older than its module's.
const STRATEGY_LOG: &str = "journal";
/// The proof checkpoint's file in the work folder.
const PROOF_CHECKPOINT: &str = "notes";

/// Builds an opening table, or continues with it.
pub(super) fn run<W: Word>(
    request: &BuildRequest,
    openings: &[Opening],
    work: WorkFolder,
    start_clock: &dyn Fn() -> Control,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Completion, BuildError> {
    let (size, settings) = (request.size, request.settings);
    let board = Board::<W>::fitting(size);
    let openings: Vec<_> = openings.iter().map(|opening| opening.duel(board.cells())).collect();
    // The solver gets three quarters of the memory, the positions of the strategy the rest.
    let for_strategy = settings.memory / 4;
    let solver = Solver::<W>::new(size, Settings { memory: settings.memory - for_strategy, ..settings })?;
    let log = StrategyLog::open(&work.file(STRATEGY_LOG), &board)?;
    let checkpoint = ProofCheckpoint::open(&work.file(PROOF_CHECKPOINT), &board)?;
    let solver = solver.with_source(Arc::new(checkpoint)).with_first_tries(request.first_tries());
    // What was unfinished has been read back.
    let control = &start_clock();
    let limits = StrategyLimits { depth: request.depth(), memory: for_strategy };
    let strategy = solver.strategy(&openings, limits, Some(log), control, |now| {
        let stage = Stage::Proving { live: now.live, nodes: control.nodes() };
        progress(Progress { stage, done: (now.above + now.decided) as u64, total: (now.above + now.of) as u64 });
    });
    let folder = || work.folder().to_path_buf();
    let strategy = match strategy {
        Err(StrategyError::Stopped) => return Ok(Completion::Stopped { folder: folder() }),
        strategy => strategy.map_err(|source| BuildError::Strategy { folder: folder(), source })?,
    };
    let plan = request.plan(&board, &openings);
    let entries = || strategy.iter().map(|&(duel, choice)| (duel, choice.into()));
    publish(work, &plan, strategy.len() as u64, entries, control, progress)
}
