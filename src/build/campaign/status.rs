//! How far a campaign is.

use super::CampaignError;
use super::job::Job;
use super::plan::CampaignPlan;
use super::result::End;
use super::results::Results;
use super::state::State;
use super::store::Store;
use super::walk::Placement;
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::solve::expected_nodes;

/// How far a campaign is.
#[derive(Clone, PartialEq, Debug)]
pub struct CampaignStatus {
    /// Jobs that were answered.
    pub done: usize,
    /// Jobs that ran out of nodes, or of time, and were split.
    pub split: usize,
    /// Jobs that can be done now. Others may follow from them.
    pub open: usize,
    /// Jobs that processes of this machine are doing.
    pub running: usize,
    /// Files that were set aside, or will be, because they are not results.
    pub damaged: usize,
    /// The nodes of all jobs.
    pub nodes: u64,
    /// A rough number of nodes for the open jobs, if jobs were done from which it can be told.
    pub left: Option<f64>,
    /// The positions whose choices are known: the entries of the table, so far.
    pub entries: usize,
    /// The first placements, with what is known of each.
    pub placements: Vec<Placement>,
}

impl CampaignStatus {
    /// Whether all is proven.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.open == 0
    }

    /// How many openings are decided, and how many have to be.
    #[must_use]
    pub fn openings(&self) -> (usize, usize) {
        let sum = |count: fn(&Placement) -> usize| self.placements.iter().map(count).sum();
        (sum(|placement| placement.decided), sum(|placement| placement.openings))
    }
}

/// Looks at everything, and changes nothing but what killed workers have left.
pub(super) fn status<W: Word>(plan: &CampaignPlan, store: &Store) -> Result<CampaignStatus, CampaignError> {
    let mut state = State::<W>::new(plan)?;
    let bad = state.results.refresh(store)?;
    let outlook = state.outlook(plan, u64::MAX)?;
    let results = &state.results;
    let split = results.all().iter().filter(|found| matches!(found.end, End::Split { .. })).count();
    Ok(CampaignStatus {
        done: results.all().len() - split,
        split,
        open: outlook.open.len(),
        running: store.running()?.len(),
        damaged: bad.len() + store.set_aside_so_far()?,
        nodes: results.all().iter().fold(0, |nodes, found| nodes.saturating_add(found.nodes)),
        left: left(results, &outlook.open),
        entries: outlook.choices.len(),
        placements: outlook.placements,
    })
}

/// The jobs that were answered show how wrong the usual guess is on this board.
fn left<W: Word>(results: &Results<W>, open: &[Job<W>]) -> Option<f64> {
    let guess = |duel: Duel<W>| expected_nodes(results.board(), duel) as f64;
    let answered = || results.all().iter().filter(|found| matches!(found.end, End::Answered(_)));
    let taken: f64 = answered().map(|found| found.nodes as f64).sum();
    let guessed: f64 = answered().map(|found| guess(found.job.duel)).sum();
    let open: f64 = open.iter().map(|job| guess(job.duel)).sum();
    match answered().next() {
        _ if open == 0.0 => Some(0.0),
        Some(_) => Some(open * taken / guessed),
        None => None,
    }
}
