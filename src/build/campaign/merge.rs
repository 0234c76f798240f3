//! The results of a campaign as a table, once everything is checked.
//!
//! Nobody has to trust a worker. Whatever follows from other results is derived again, and every
//! entry of the table must agree with those that follow it. What a job says without such a reason
//! is a *leaf*: a sample of the leaves is solved again, or all of them. A result that turns out to
//! be false is named, and nothing is written.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::job::diagram;
use super::plan::CampaignPlan;
use super::results::{Number, Results};
use super::state::State;
use super::store::Store;
use super::walk::Outlook;
use super::{CampaignError, Lie};
use crate::build::progress::{Completion, Progress, Stage};
use crate::build::publish::publish;
use crate::build::work_folder::WorkFolder;
use crate::game::board::Board;
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::game::outcome::{Choice, Value};
use crate::game::zobrist::split_mix;
use crate::solve::{Control, Settings, Solver, Stopped, in_turns};

/// Which leaves are solved again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recheck {
    /// This many of them, chosen by the seed.
    Sample {
        /// How many.
        leaves: usize,
        /// Another seed chooses others.
        seed: u64,
    },
    /// All of them. This takes about as long as the campaign.
    All,
}

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// The entries of the table. Each agrees with those that follow it.
    pub entries: usize,
    /// What the table rests on: statements of jobs that do not follow from other results.
    pub leaves: usize,
    /// How many of these were solved again.
    pub solved: usize,
}

/// What one result says about one position.
type Claim<W> = (Duel<W>, Number);

pub(super) fn merge<W: Word>(
    plan: &CampaignPlan,
    store: &Store,
    (target, replace): (&Path, bool),
    recheck: Recheck,
    settings: Settings,
    control: &Control,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(Completion, Checked), CampaignError> {
    let folder = WorkFolder::begin(target, replace, &format!("isolde campaign merge, plan {}", plan.id()))?;
    match check::<W>(plan, store, recheck, settings, control, progress) {
        Ok(Some((outlook, checked))) => {
            let board = Board::<W>::fitting(plan.size);
            let table = plan.table(&board, &outlook.openings);
            let entries = || outlook.choices.iter().map(|&(duel, choice)| (duel, choice.into()));
            let completion = publish(folder, &table, outlook.choices.len() as u64, entries, control, progress)?;
            Ok((completion, checked))
        }
        // All of it is done again, so nothing has to be kept.
        Ok(None) => {
            let target = folder.target().to_path_buf();
            folder.abandon()?;
            Ok((Completion::Stopped { folder: target }, Checked::default()))
        }
        Err(fault) => {
            folder.abandon()?;
            Err(fault)
        }
    }
}

/// What the table will hold. `None` if the control stopped the work.
fn check<W: Word>(
    plan: &CampaignPlan,
    store: &Store,
    recheck: Recheck,
    settings: Settings,
    control: &Control,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Option<(Outlook<W>, Checked)>, CampaignError> {
    let mut state = State::<W>::new(plan)?;
    let bad = state.refresh(store)?;
    if !bad.is_empty() {
        return Err(CampaignError::BadResults(bad));
    }
    let outlook = state.outlook(plan, settings.memory / 4)?;
    let solver = Solver::<W>::new(plan.size, Settings { memory: settings.memory / 4 * 3, ..settings })?;
    let judge =
        Judge { results: &state.results, solver: solver.with_first_tries(plan.first_tries()), control, done: AtomicU64::new(0) };
    let contradictions = state.results.conflicts().iter().flat_map(|&(duel, numbers)| numbers.map(|number| (duel, number)));
    match judge.all(&contradictions.chain(disagreements(plan, &state, &outlook)).collect::<Vec<_>>(), progress) {
        Ok(Ok(())) => {}
        Ok(Err(lie)) => return Err(CampaignError::Lied(lie)),
        Err(Stopped) => return Ok(None),
    }
    // Only now: a lie can hide what is open, or open what is not needed.
    if !outlook.open.is_empty() {
        return Err(CampaignError::Open { jobs: outlook.open.len() });
    }
    let leaves = leaves(&state.results, &outlook);
    let chosen = chosen(&leaves, recheck);
    let orphans = orphans(&state.results, &leaves);
    match judge.all(&chosen, progress).and_then(|judged| Ok(judged.and(judge.used(&orphans)?))) {
        Ok(Ok(())) => {}
        Ok(Err(lie)) => return Err(CampaignError::Lied(lie)),
        Err(Stopped) => return Ok(None),
    }
    let checked = Checked { entries: outlook.choices.len(), leaves: leaves.len(), solved: chosen.len() + orphans.len() };
    Ok(Some((outlook, checked)))
}

/// Entries that do not agree with an entry that follows them: each of the two may be the false one.
///
/// Everything that can follow from other results does so in the walk, which asks nothing else. Only
/// the choices that a job has made in the positions of a strategy are taken as they are.
fn disagreements<W: Word>(plan: &CampaignPlan, state: &State<W>, outlook: &Outlook<W>) -> Vec<Claim<W>> {
    let State { results, solver } = state;
    let mut claims = Vec::new();
    for &(duel, choice) in &outlook.choices {
        for next in solver.winners_turns(duel, choice).filter(|next| next.free.len() > plan.depth) {
            let entry = outlook.choices.binary_search_by_key(&next, |&(duel, _)| duel).map(|place| outlook.choices[place].1);
            if entry == Ok(Choice::Loss) {
                let said =
                    |duel| results.choice(duel).map(|(_, number)| number).or(results.value(duel).map(|(_, number)| number));
                claims.extend([duel, next].into_iter().filter_map(|duel| Some((duel, said(duel)?))));
            }
        }
    }
    claims
}

/// What the table rests on, directly and through the knowledge of jobs, in a fixed order.
fn leaves<W: Word>(results: &Results<W>, outlook: &Outlook<W>) -> Vec<Claim<W>> {
    let mut leaves: BTreeSet<Claim<W>> = outlook.rests_on.iter().map(|&(number, duel)| (duel, number)).collect();
    let mut waiting: BTreeSet<Number> = leaves.iter().map(|&(_, number)| number).collect();
    let mut seen = waiting.clone();
    while let Some(number) = waiting.pop_first() {
        for &duel in &results.all()[number].used {
            if let Some((_, owner)) = results.value(duel) {
                leaves.insert((duel, owner));
                if seen.insert(owner) {
                    waiting.insert(owner);
                }
            }
        }
    }
    leaves.into_iter().collect()
}

/// Positions that a job took for lost, although no result says so any longer: the result that did
/// was damaged, and another one has taken its place.
fn orphans<W: Word>(results: &Results<W>, leaves: &[Claim<W>]) -> Vec<Claim<W>> {
    let numbers: BTreeSet<Number> = leaves.iter().map(|&(_, number)| number).collect();
    let used = numbers.into_iter().flat_map(|number| results.all()[number].used.iter().map(move |&duel| (duel, number)));
    used.filter(|&(duel, _)| results.value(duel).is_none_or(|(value, _)| value == Value::Win)).collect()
}

fn chosen<W: Word>(leaves: &[Claim<W>], recheck: Recheck) -> Vec<Claim<W>> {
    match recheck {
        Recheck::Sample { leaves: wanted, seed } if wanted < leaves.len() => {
            let mut numbers = (0..).map(|number| split_mix(seed, number) as usize % leaves.len());
            let mut places = BTreeSet::new();
            while places.len() < wanted {
                places.extend(numbers.next());
            }
            places.into_iter().map(|place| leaves[place]).collect()
        }
        _ => leaves.to_vec(),
    }
}

/// Solves positions again, without any knowledge of the campaign.
struct Judge<'a, W> {
    results: &'a Results<W>,
    solver: Solver<W>,
    control: &'a Control,
    done: AtomicU64,
}

impl<W: Word> Judge<'_, W> {
    /// The first claim that is false, if there is one.
    fn all(&self, claims: &[Claim<W>], progress: &(dyn Fn(Progress) + Sync)) -> Result<Result<(), Lie>, Stopped> {
        let judge = |place: usize| {
            let (duel, number) = claims[place];
            let judged = self.claim(duel, number)?;
            let done = 1 + self.done.fetch_add(1, Ordering::Relaxed);
            progress(Progress { stage: Stage::Verifying, done, total: claims.len() as u64 });
            Ok(judged)
        };
        let judged = self.solver.install(|| in_turns(claims.len(), judge));
        let lie = judged.into_iter().find(|judged| *judged != Ok(Ok(())));
        lie.unwrap_or(Ok(Ok(())))
    }

    /// Everything that a result says about a position.
    fn claim(&self, duel: Duel<W>, number: Number) -> Result<Result<(), Lie>, Stopped> {
        let found = &self.results.all()[number];
        let lie = |said: &'static str| Lie {
            job: found.job.name(),
            position: diagram(self.results.board(), duel).to_string(),
            said: said.to_string(),
        };
        if let Some(choice) = found.choice(duel) {
            let true_choice = self.solver.choice_of_canonical(duel, self.control)?;
            return Ok(if choice == true_choice { Ok(()) } else { Err(lie("the winner, or the winner's first winning move")) });
        }
        let value = self.solver.value(duel, self.control)?;
        Ok(if self.results.said(number, duel) == Some(value) { Ok(()) } else { Err(lie("the winner")) })
    }

    /// Whether positions that results took for lost are lost.
    fn used(&self, orphans: &[Claim<W>]) -> Result<Result<(), Lie>, Stopped> {
        for &(duel, number) in orphans {
            if self.solver.value(duel, self.control)? == Value::Win {
                let position = diagram(self.results.board(), duel).to_string();
                let job = self.results.all()[number].job.name();
                return Ok(Err(Lie { job, position, said: "a loss that it has used".to_string() }));
            }
        }
        Ok(Ok(()))
    }
}
