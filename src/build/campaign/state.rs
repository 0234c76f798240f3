//! Everything that is known of a campaign at one moment: its results, and what follows from them.

use super::CampaignError;
use super::plan::{CampaignPlan, ONE_THREAD};
use super::result::BadFile;
use super::results::Results;
use super::store::Store;
use super::walk::{Outlook, Walk};
use crate::game::board::Board;
use crate::game::cells::Word;
use crate::solve::{Settings, Solver};

/// The results of a campaign, and a solver that knows what needs no search.
pub(super) struct State<W> {
    pub(super) results: Results<W>,
    pub(super) solver: Solver<W>,
}

impl<W: Word> State<W> {
    /// Without results. [`State::refresh`] reads them.
    pub(super) fn new(plan: &CampaignPlan) -> Result<Self, CampaignError> {
        let memory = Settings::least_memory(plan.size, ONE_THREAD);
        let solver = Solver::new(plan.size, Settings { threads: ONE_THREAD, memory })?;
        let results = Results::new(&Board::fitting(plan.size), plan.id());
        Ok(Self { results, solver: solver.with_first_tries(plan.first_tries()) })
    }

    /// Reads the results that have appeared, and sets files aside that are not results. Says where
    /// these are now.
    pub(super) fn refresh(&mut self, store: &Store) -> Result<Vec<BadFile>, CampaignError> {
        let mut set_aside = Vec::new();
        for bad in self.results.refresh(store)? {
            set_aside.extend(store.set_bad_aside(&bad)?);
        }
        Ok(set_aside)
    }

    /// What follows from the results.
    pub(super) fn outlook(&self, plan: &CampaignPlan, memory: u64) -> Result<Outlook<W>, CampaignError> {
        Walk::run(plan, &self.results, &self.solver, memory).map_err(CampaignError::Strategy)
    }
}
