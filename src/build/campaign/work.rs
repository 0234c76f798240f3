//! A job done by one thread, within the nodes of the plan.

use std::sync::Arc;

use super::CampaignError;
use super::job::{Job, Question};
use super::knowledge::Notebook;
use super::plan::CampaignPlan;
use super::result::{End, Found, RanOut};
use super::store::Store;
use crate::game::cells::Word;
use crate::game::duel::{Duel, Part};
use crate::game::outcome::{Choice, Value};
use crate::solve::{Control, Settings, Solver, Stopped, StrategyError, StrategyLimits, ordered};

/// A job that was split keeps the lost positions whose proofs took this share of its nodes: its
/// parts begin where it ended. A tenth of a second of work can be lost between two of them if a job
/// takes three minutes.
const KEPT_OF_A_SPLIT: u64 = 2048;

/// A job that was answered keeps those that took this share. Only other openings that lead to the
/// same position need them.
const KEPT_OF_AN_ANSWER: u64 = 64;

/// Does a job. `None` if the control stopped it from outside, and nothing can be said.
///
/// What is found depends only on the plan, the job and the knowledge, unless the time of the
/// `limit` runs out first.
pub(super) fn work<W: Word>(
    plan: &CampaignPlan,
    store: &Store,
    job: Job<W>,
    whole: &Control,
    limit: &Arc<Control>,
) -> Result<Option<Found<W>>, CampaignError> {
    let control = Arc::new(limit.part_of_nodes(plan.nodes));
    let notebook = Arc::new(Notebook::open(plan.size, store, &control, plan.nodes / KEPT_OF_A_SPLIT));
    // As in a build: three quarters for the solver, the rest for the positions of a strategy.
    let for_strategy = plan.memory / 4;
    let solver = Solver::<W>::new(plan.size, Settings { memory: plan.memory - for_strategy, ..plan.settings() })?;
    let solver = solver.with_source(Arc::clone(&notebook) as _).with_first_tries(plan.first_tries());
    let worker = Worker { solver: &solver, control: &control };
    let mut choices = Vec::new();
    let answer = match job.question {
        Question::Winner => worker.winner(job.duel).map_err(StrategyError::from),
        Question::Strategy => {
            let limits = StrategyLimits { depth: plan.depth, memory: for_strategy };
            worker.strategy(job.duel, limits, &mut choices)
        }
    };
    let is_full = matches!(answer, Err(StrategyError::Memory { .. }));
    let answer = match answer {
        Ok(value) => Some(value),
        // The strategies of its parts are smaller.
        Err(StrategyError::Stopped | StrategyError::Memory { .. }) => None,
        Err(fault) => return Err(CampaignError::Strategy(fault)),
    };
    if answer.is_none() && whole.is_stopped() {
        return Ok(None);
    }
    let (end, kept) = match answer {
        Some(value) => (End::Answered(value), KEPT_OF_AN_ANSWER),
        None => {
            let why = match control.nodes_left() {
                _ if is_full => RanOut::Memory,
                Some(0) => RanOut::Nodes,
                _ => RanOut::Time,
            };
            (End::Split { why, moves: solver.moves_in_order(job.duel) }, KEPT_OF_A_SPLIT)
        }
    };
    let least = |share: u64| (plan.nodes / share).max(1);
    let mut lost = notebook.lost(least(kept), least(KEPT_OF_AN_ANSWER));
    let mut won = Vec::new();
    if answer.is_none() {
        won = notebook.answers(Value::Win);
        lost.extend(notebook.answers(Value::Loss));
        lost.sort_unstable();
        lost.dedup();
    }
    choices.sort_unstable();
    Ok(Some(Found { job, nodes: control.nodes(), end, choices, won, lost, used: notebook.used() }))
}

struct Worker<'a, W> {
    solver: &'a Solver<W>,
    control: &'a Control,
}

impl<W: Word> Worker<'_, W> {
    /// Whether the mover wins. The prey's moves are asked about one by one, so that the answers are
    /// kept if not all of them are found.
    fn winner(&self, duel: Duel<W>) -> Result<Value, Stopped> {
        let (solver, control) = (self.solver, self.control);
        if duel.part_of_mover(solver.board()) == Part::Hunter {
            return solver.value(duel, control);
        }
        for to in ordered(solver.board(), duel) {
            if solver.value(duel.play_unchecked(to), control)? == Value::Loss {
                return Ok(Value::Win);
            }
        }
        Ok(Value::Loss)
    }

    /// The same, with the strategy below. `choices` receives each choice as soon as it is known.
    fn strategy(
        &self,
        duel: Duel<W>,
        limits: StrategyLimits,
        choices: &mut Vec<(Duel<W>, Choice)>,
    ) -> Result<Value, StrategyError> {
        self.solver.strategy_by(&[duel], limits, |level| {
            let mut decided = Vec::new();
            for &position in level.positions {
                let choice = self.solver.choice_of_canonical(position, self.control)?;
                decided.push((position, choice));
                choices.push((position, choice));
            }
            Ok(decided)
        })?;
        let own = choices.iter().find(|&&(position, _)| position == duel);
        own.map(|(_, choice)| choice.value()).ok_or(StrategyError::Stopped)
    }
}
