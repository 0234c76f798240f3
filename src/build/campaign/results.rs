//! All results of a campaign, and what they say together.

use std::collections::BTreeSet;

use ahash::RandomState;
use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

use super::CampaignError;
use super::job::Question;
use super::result::{BadFile, End, Found, after};
use super::store::Store;
use crate::game::board::Board;
use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;
use crate::game::outcome::{Choice, Value};
use crate::game::symmetry::Symmetries;

/// The number of a result, in the order in which results were added.
pub(super) type Number = usize;

/// All results, and what they say together.
pub(super) struct Results<W> {
    board: Board<W>,
    symmetries: Symmetries<W>,
    campaign: String,
    all: Vec<Found<W>>,
    names: HashSet<String, RandomState>,
    values: HashMap<Duel<W>, (Value, Number), RandomState>,
    choices: HashMap<Duel<W>, (Choice, Number), RandomState>,
    splits: HashMap<Duel<W>, Number, RandomState>,
    /// Pairs of results that contradict each other about a position.
    conflicts: Vec<(Duel<W>, [Number; 2])>,
}

impl<W: Word> Results<W> {
    pub(super) fn new(board: &Board<W>, campaign: String) -> Self {
        // The order in which these maps are gone through is never used.
        let hasher = RandomState::with_seeds(1, 2, 3, 4);
        Self {
            board: board.clone(),
            symmetries: Symmetries::new(board),
            campaign,
            all: Vec::new(),
            names: HashSet::with_hasher(hasher.clone()),
            values: HashMap::with_hasher(hasher.clone()),
            choices: HashMap::with_hasher(hasher.clone()),
            splits: HashMap::with_hasher(hasher),
            conflicts: Vec::new(),
        }
    }

    pub(super) fn board(&self) -> &Board<W> {
        &self.board
    }

    pub(super) fn symmetries(&self) -> &Symmetries<W> {
        &self.symmetries
    }

    /// Adds the results that have appeared in the folder. If one has disappeared, all are read
    /// again: it may have been false. Returns the files that are not results.
    pub(super) fn refresh(&mut self, store: &Store) -> Result<Vec<BadFile>, CampaignError> {
        let listed = store.list_results()?;
        let names: BTreeSet<&str> = listed.iter().filter_map(|listed| listed.name.as_deref()).collect();
        if self.names.iter().any(|name| !names.contains(name.as_str())) {
            *self = Self::new(&self.board, std::mem::take(&mut self.campaign));
        }
        let new: Vec<_> =
            listed.into_iter().filter(|listed| listed.name.as_ref().is_none_or(|name| !self.names.contains(name))).collect();
        let read: Vec<_> = new
            .into_par_iter()
            .map(|listed| match &listed.name {
                Some(name) => self.read(store, name),
                None => Ok(Some(Err(BadFile { path: listed.path, reason: "it is not named like a result" }))),
            })
            .collect();
        let mut bad = Vec::new();
        for read in read {
            match read? {
                Some(Ok(found)) => self.add(found),
                Some(Err(file)) => bad.push(file),
                // It was set aside meanwhile.
                None => {}
            }
        }
        Ok(bad)
    }

    /// The result of one job, if there is a file for it.
    pub(super) fn read(&self, store: &Store, name: &str) -> Result<Option<Result<Found<W>, BadFile>>, CampaignError> {
        let Some(bytes) = store.read_result(name)? else { return Ok(None) };
        let read = |bytes: Vec<u8>| Found::from_bytes(&self.board, &self.symmetries, &self.campaign, name, &bytes);
        Ok(Some(bytes.and_then(read).map_err(|reason| BadFile { path: store.result_path(name), reason })))
    }

    /// Adds a result, unless it is there already.
    pub(super) fn add(&mut self, found: Found<W>) {
        if !self.names.insert(found.job.name()) {
            return;
        }
        let number = self.all.len();
        for &(duel, choice) in &found.choices {
            // Every winner's move is the first winning one in order, so two results agree about it.
            let known = *self.choices.entry(duel).or_insert((choice, number));
            if known.0 != choice {
                self.conflicts.push((duel, [known.1, number]));
            }
        }
        if matches!(found.end, End::Split { .. }) {
            self.splits.entry(found.job.duel).or_insert(number);
        }
        for (duel, value) in found.statements(&self.board, &self.symmetries) {
            let known = *self.values.entry(duel).or_insert((value, number));
            if known.0 != value {
                self.conflicts.push((duel, [known.1, number]));
            }
        }
        self.all.push(found);
    }

    /// All results.
    pub(super) fn all(&self) -> &[Found<W>] {
        &self.all
    }

    /// Whether the mover wins this canonical duel, and the result that says so.
    pub(super) fn value(&self, duel: Duel<W>) -> Option<(Value, Number)> {
        self.values.get(&duel).copied()
    }

    /// What one result says about a canonical duel. No result says two things about one.
    pub(super) fn said(&self, number: Number, duel: Duel<W>) -> Option<Value> {
        let found = &self.all[number];
        let answer = match found.end {
            End::Answered(value) if found.job.duel == duel => Some(value),
            _ => found.choice(duel).map(Choice::value),
        };
        let by_choice = || {
            let follows = |&(position, choice): &(Duel<W>, Choice)| match choice {
                Choice::Win(to) => after(&self.board, &self.symmetries, position, to) == duel,
                Choice::Loss => false,
            };
            found.choices.iter().any(follows)
        };
        match answer {
            Some(value) => Some(value),
            None if found.won.contains(&duel) => Some(Value::Win),
            None => (found.lost.contains(&duel) || by_choice()).then_some(Value::Loss),
        }
    }

    /// The choice in this canonical duel, and the result that says so.
    pub(super) fn choice(&self, duel: Duel<W>) -> Option<(Choice, Number)> {
        self.choices.get(&duel).copied()
    }

    /// The moves into which the question about this duel was split.
    pub(super) fn split(&self, duel: Duel<W>) -> Option<&[Cell]> {
        match &self.all[*self.splits.get(&duel)?].end {
            End::Split { moves, .. } => Some(moves),
            End::Answered(_) => None,
        }
    }

    /// The nodes of the jobs about this very position.
    pub(super) fn nodes_of(&self, duel: Duel<W>) -> u64 {
        let numbers = self.splits.get(&duel).into_iter().chain(self.values.get(&duel).map(|(_, number)| number));
        let mut numbers: Vec<_> = numbers.copied().filter(|&number| self.all[number].job.duel == duel).collect();
        numbers.dedup();
        numbers.into_iter().fold(0, |nodes, number| nodes.saturating_add(self.all[number].nodes))
    }

    /// Pairs of results that contradict each other about a position.
    pub(super) fn conflicts(&self) -> &[(Duel<W>, [Number; 2])] {
        &self.conflicts
    }

    /// The lost positions that are worth knowing, each once, in ascending order: those that took a
    /// job many nodes, and the answers to jobs.
    pub(super) fn expensive(&self) -> Vec<Duel<W>> {
        let lost = self.all.iter().flat_map(|found| {
            let answer = match (found.job.question, &found.end) {
                (_, End::Answered(Value::Loss)) => Some(found.job.duel),
                (Question::Strategy, End::Answered(Value::Win)) => match self.choice(found.job.duel) {
                    Some((Choice::Win(to), _)) => Some(after(&self.board, &self.symmetries, found.job.duel, to)),
                    _ => None,
                },
                _ => None,
            };
            found.lost.iter().copied().chain(answer)
        });
        let mut lost: Vec<_> = lost.collect();
        lost.sort_unstable();
        lost.dedup();
        lost
    }
}
