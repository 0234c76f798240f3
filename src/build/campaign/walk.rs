//! What follows from the results, and what is still to be done.
//!
//! The walk goes from the goal of the campaign down to the jobs. At the loser's turns it needs the
//! values of all moves, at the winner's turns that of one: the most promising first, the others
//! only if it fails. What it needs is in the results, or follows from them, or is an open job.
//!
//! The positions of a strategy and the winner's moves in them are those of `isolde table build`:
//! the walk asks for as few values as that does, in the same order.

use std::collections::BTreeSet;

use ahash::RandomState;
use hashbrown::{HashMap, HashSet};

use super::job::{Job, Question};
use super::plan::{CampaignPlan, Goal};
use super::result::after;
use super::results::{Number, Results};
use crate::game::cells::{Cell, Word};
use crate::game::duel::{Duel, Part};
use crate::game::outcome::{Choice, Value};
use crate::solve::{
    Control, MORE_PATIENCE, NODES_AT_HAND, Opening, PATIENCE, Solver, StrategyError, StrategyLimits, expected_nodes,
    placement_classes,
};

/// What a campaign knows by now.
pub(super) struct Outlook<W> {
    /// The first placements, by class, with what is known of each.
    pub(super) placements: Vec<Placement>,
    /// The openings of the table, each with the winner's strategy below it.
    pub(super) openings: Vec<Opening>,
    /// The choices that are known, in ascending order.
    pub(super) choices: Vec<(Duel<W>, Choice)>,
    /// The jobs to be done next, in order. The campaign is complete when there is none.
    pub(super) open: Vec<Job<W>>,
    /// The results that were used, each with a position that it has decided.
    pub(super) rests_on: HashSet<(Number, Duel<W>), RandomState>,
}

/// What is known of a first placement and its images.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The placements that are images of each other.
    pub cells: Vec<Cell>,
    /// How many openings have to be decided: one of each class, or, where one winning reply is
    /// enough, that reply.
    pub openings: usize,
    /// How many of them are decided.
    pub decided: usize,
    /// Where one winning reply is enough: the reply that is being proven, or has been.
    pub reply: Option<Cell>,
    /// The nodes that were searched for the openings after this placement.
    pub nodes: u64,
}

/// An unknown value, and the position that has to be decided first.
struct Unknown<W>(Duel<W>);

pub(super) struct Walk<'a, W> {
    plan: &'a CampaignPlan,
    results: &'a Results<W>,
    solver: &'a Solver<W>,
    values: HashMap<Duel<W>, Option<Value>, RandomState>,
    spent: HashMap<Duel<W>, u64, RandomState>,
    listed: HashSet<Duel<W>, RandomState>,
    open: Vec<Job<W>>,
    rests_on: HashSet<(Number, Duel<W>), RandomState>,
}

const HASHER: RandomState = RandomState::with_seeds(1, 2, 3, 4);

impl<'a, W: Word> Walk<'a, W> {
    /// Finds out what follows from these results. The solver needs hardly any memory: it does not
    /// search.
    ///
    /// # Errors
    /// If the strategy does not fit into the memory.
    pub(super) fn run(
        plan: &'a CampaignPlan,
        results: &'a Results<W>,
        solver: &'a Solver<W>,
        memory: u64,
    ) -> Result<Outlook<W>, StrategyError> {
        let mut walk = Self {
            plan,
            results,
            solver,
            values: HashMap::with_hasher(HASHER),
            spent: HashMap::with_hasher(HASHER),
            listed: HashSet::with_hasher(HASHER),
            open: Vec::new(),
            rests_on: HashSet::with_hasher(HASHER),
        };
        let (placements, openings) = walk.placements();
        let board = solver.board();
        let duels: Vec<_> = openings.iter().map(|opening| opening.duel(board.cells())).collect();
        let limits = StrategyLimits { depth: plan.depth, memory };
        let choices = solver.strategy_by(&duels, limits, |level| {
            let mut known = Vec::new();
            for &position in level.positions {
                match walk.choice(position) {
                    Ok(choice) => known.push((position, choice)),
                    Err(unknown) => walk.list_choice(position, &unknown),
                }
            }
            Ok(known)
        })?;
        let Self { open, rests_on, .. } = walk;
        Ok(Outlook { placements, openings, choices, open, rests_on })
    }

    /// The first placements, and the openings that have to be decided.
    fn placements(&mut self) -> (Vec<Placement>, Vec<Opening>) {
        let board = self.solver.board();
        let free = board.cells();
        let (mut placements, mut needed) = (Vec::new(), Vec::new());
        let openings = self.plan.openings();
        for cells in placement_classes(board, free, free) {
            let mut placement = Placement { openings: 0, decided: 0, reply: None, nodes: 0, cells };
            let replies: Vec<Opening> = match self.plan.goal {
                Goal::Weak => {
                    let first = placement.cells[0];
                    self.solver.replies_in_order(free, first).into_iter().map(|second| Opening { first, second }).collect()
                }
                _ => openings.iter().copied().filter(|opening| placement.cells.contains(&opening.first)).collect(),
            };
            let mut lost = Vec::new();
            for opening in replies {
                let duel = self.solver.symmetries().canonical(board, opening.duel(free)).duel;
                placement.nodes += self.spent(duel);
                if self.plan.goal == Goal::Weak && self.value(duel) == Some(Value::Win) {
                    lost.push((opening, duel));
                    continue;
                }
                placement.openings += 1;
                placement.decided += usize::from(self.choice(duel).is_ok());
                needed.push(opening);
                if self.plan.goal == Goal::Weak {
                    // One winning reply is enough. Until it is proven, this is the one to prove.
                    placement.reply = Some(opening.second);
                    break;
                }
            }
            if self.plan.goal == Goal::Weak && placement.reply.is_none() {
                // No reply wins, so the first player wins the board. Nothing else has to be proven.
                placement.openings = lost.len();
                placement.decided = lost.iter().filter(|&&(_, duel)| self.choice(duel).is_ok()).count();
                return (vec![placement], lost.into_iter().map(|(opening, _)| opening).collect());
            }
            placements.push(placement);
        }
        (placements.into_iter().filter(|placement| placement.openings > 0).collect(), needed)
    }

    /// The choice in a canonical duel, as `isolde table build` finds it.
    fn choice(&mut self, duel: Duel<W>) -> Result<Choice, Unknown<W>> {
        if let Some((choice, number)) = self.results.choice(duel) {
            self.rests_on.insert((number, duel));
            return Ok(choice);
        }
        let value = self.value(duel);
        if value == Some(Value::Loss) {
            return Ok(Choice::Loss);
        }
        // The prey usually loses, and then all its moves have to be looked at anyway.
        if value.is_none() && duel.part_of_mover(self.solver.board()) == Part::Prey {
            return Err(Unknown(duel));
        }
        let (solver, results) = (self.solver, self.results);
        solver.choice_by(duel, |next| {
            let next = results.symmetries().canonical(results.board(), next).duel;
            self.value(next).ok_or(Unknown(next))
        })
    }

    /// Whether the mover wins a canonical duel, if that is known or follows.
    fn value(&mut self, duel: Duel<W>) -> Option<Value> {
        if let Some(&value) = self.values.get(&duel) {
            return value;
        }
        let value = self.recalled(duel).or_else(|| self.by_moves(duel));
        self.values.insert(duel, value);
        value
    }

    /// What a result or a rule says about the very position.
    fn recalled(&mut self, duel: Duel<W>) -> Option<Value> {
        if let Some((value, number)) = self.results.value(duel) {
            self.rests_on.insert((number, duel));
            return Some(value);
        }
        // The walks of separated knights can take long to compare. Such a position becomes a job.
        let control = Control::with_nodes(NODES_AT_HAND);
        self.solver.at_hand_of_canonical(duel, &control).ok().flatten().map(|known| known.value)
    }

    /// What follows from the moves.
    fn by_moves(&mut self, duel: Duel<W>) -> Option<Value> {
        let moves = duel.moves(self.solver.board());
        let is_split = self.results.split(duel).is_some();
        let mut all_lose = true;
        for to in moves {
            let next = self.after(duel, to);
            // Below a position that was not split there is hardly anything to be found.
            match if is_split { self.value(next) } else { self.recalled(next) } {
                Some(Value::Loss) => return Some(Value::Win),
                Some(Value::Win) => {}
                None => all_lose = false,
            }
        }
        all_lose.then_some(Value::Loss)
    }

    fn after(&self, duel: Duel<W>, to: Cell) -> Duel<W> {
        after(self.results.board(), self.results.symmetries(), duel, to)
    }

    /// Lists the jobs that the choice in this duel needs.
    fn list_choice(&mut self, duel: Duel<W>, unknown: &Unknown<W>) {
        if self.results.split(duel).is_some() {
            self.list_value(unknown.0, Question::Strategy);
        } else {
            self.list(Job { question: Question::Strategy, duel });
        }
    }

    /// Lists the jobs that the value of this duel needs, which is unknown. If the loser moves to
    /// positions of the strategy, their own strategies will be needed, too: so they are asked for
    /// at once.
    fn list_value(&mut self, duel: Duel<W>, replies: Question) {
        let results = self.results;
        let Some(moves) = results.split(duel) else {
            return self.list(Job { question: Question::Winner, duel });
        };
        let mut undecided: Vec<_> = moves.iter().map(|&to| self.after(duel, to)).collect();
        undecided.retain(|&next| self.value(next).is_none());
        match duel.part_of_mover(self.solver.board()) {
            Part::Prey => {
                for next in undecided {
                    let is_split = results.split(next).is_some();
                    match replies {
                        Question::Strategy if next.free.len() > self.plan.depth && !is_split => {
                            self.list(Job { question: Question::Strategy, duel: next });
                        }
                        _ => self.list_value(next, Question::Winner),
                    }
                }
            }
            Part::Hunter => {
                if let Some(next) = self.hunters_turn(duel, &undecided) {
                    self.list_value(next, Question::Winner);
                }
            }
        }
    }

    /// The move of the hunter that is worked on: the first that has not taken far more nodes than
    /// its position is expected to take. Then the others have their turn, as in a search.
    fn hunters_turn(&mut self, duel: Duel<W>, undecided: &[Duel<W>]) -> Option<Duel<W>> {
        let spent: Vec<(Duel<W>, u64)> = undecided.iter().map(|&next| (next, self.spent(next))).collect();
        let mut most = expected_nodes(self.solver.board(), duel).max(self.plan.nodes).saturating_mul(PATIENCE);
        loop {
            if let Some(&(next, _)) = spent.iter().find(|&&(_, nodes)| nodes < most) {
                return Some(next);
            }
            if most == u64::MAX || spent.is_empty() {
                return spent.first().map(|&(next, _)| next);
            }
            most = most.saturating_mul(MORE_PATIENCE);
        }
    }

    /// The nodes of all jobs about this position and those below it.
    fn spent(&mut self, duel: Duel<W>) -> u64 {
        if let Some(&nodes) = self.spent.get(&duel) {
            return nodes;
        }
        let results = self.results;
        let below: BTreeSet<_> = results.split(duel).into_iter().flatten().map(|&to| self.after(duel, to)).collect();
        let nodes = below.into_iter().fold(results.nodes_of(duel), |nodes, next| nodes.saturating_add(self.spent(next)));
        self.spent.insert(duel, nodes);
        nodes
    }

    /// A position is listed once, whatever is asked about it: the strategy says who wins.
    fn list(&mut self, job: Job<W>) {
        if self.listed.insert(job.duel) {
            self.open.push(job);
        }
    }
}
