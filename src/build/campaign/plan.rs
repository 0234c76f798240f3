//! The plan of a campaign: what is to be proven, and how large its jobs may get.

use std::num::NonZero;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::CampaignError;
use crate::build::request::{BuildRequest, Contents, Scope, opening_names};
use crate::game::board::{Board, Size, with_word_for};
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::Duel;
use crate::game::notation::{Line, quoted, spaced_names};
use crate::game::symmetry::Symmetries;
use crate::game::zobrist::split_mix;
use crate::solve::{Opening, Settings, board_mirror, default_depth, ordered, promising_replies};
use crate::table;

/// The version of the files in a campaign's folder.
const FORMAT: u32 = 1;

/// Every job has one thread, so that it searches the same nodes wherever it runs.
pub(super) const ONE_THREAD: NonZero<usize> = NonZero::<usize>::MIN;

/// What a campaign is to prove.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Who wins every opening, and the winners' strategies.
    All,
    /// The same for these openings.
    Openings(Vec<Opening>),
    /// Only who wins the board: one winning reply to each first placement.
    Weak,
}

/// What a campaign is to prove, and how large its jobs may get. It never changes, so a job is the
/// same wherever it is done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CampaignPlan {
    /// The board.
    pub size: Size,
    /// What is to be proven.
    pub goal: Goal,
    /// The strategies contain positions with more live cells than this.
    pub depth: usize,
    /// Lines whose last moves the winner tries first: see [`BuildRequest::tries`].
    pub tries: Vec<Line>,
    /// A job that has searched this many nodes is split.
    pub nodes: u64,
    /// The memory of a job, in bytes. What a search forgets depends on it, so all workers take the
    /// same.
    pub memory: u64,
}

/// The plan as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: u32,
    board: String,
    /// `all`, `weak`, or a list of openings.
    goal: String,
    depth: usize,
    tries: Vec<String>,
    nodes: u64,
    memory: u64,
    /// What [`order_of_moves`] says.
    order: String,
}

const ALL: &str = "all";
const WEAK: &str = "weak";

impl CampaignPlan {
    /// The depth of a campaign that is not given one: that of `isolde table build`; or, where one
    /// winning reply is enough, one that leaves only the openings in the table.
    #[must_use]
    pub fn default_depth(size: Size, goal: &Goal) -> usize {
        match goal {
            Goal::Weak => size.cells().saturating_sub(2),
            _ => default_depth(size),
        }
    }

    /// Checks everything that can be checked before a campaign begins.
    pub(super) fn check(&self) -> Result<(), CampaignError> {
        let size = self.size;
        self.request(self.scope()).check().map_err(CampaignError::Request)?;
        let board = Board::<u128>::fitting(size);
        if self.goal == Goal::Weak && board_mirror(&Symmetries::new(&board), board.cells()).is_some() {
            return Err(CampaignError::Mirror { size });
        }
        if self.openings().is_empty() {
            return Err(CampaignError::NoOpenings { size });
        }
        let least = Settings::least_memory(size, ONE_THREAD);
        if self.memory < least {
            return Err(CampaignError::Memory { size, least });
        }
        Ok(())
    }

    fn scope(&self) -> Scope {
        match &self.goal {
            Goal::All | Goal::Weak => Scope::All,
            Goal::Openings(openings) => Scope::Openings(openings.clone()),
        }
    }

    /// What `isolde table build` would be asked for.
    fn request(&self, scope: Scope) -> BuildRequest {
        BuildRequest {
            size: self.size,
            contents: Contents::Opening { depth: Some(self.depth) },
            scope,
            tries: self.tries.clone(),
            target: PathBuf::new(),
            replace: false,
            settings: self.settings(),
        }
    }

    /// The settings of the solver that does a job.
    pub(super) fn settings(&self) -> Settings {
        Settings { threads: ONE_THREAD, memory: self.memory }
    }

    /// One opening of each class that may have to be proven.
    pub(super) fn openings(&self) -> Vec<Opening> {
        self.request(self.scope()).openings()
    }

    /// The moves to be tried first.
    pub(super) fn first_tries<W: Word>(&self) -> Vec<(Duel<W>, Cell)> {
        self.request(Scope::All).first_tries().collect()
    }

    /// The table that holds what was proven about these openings, apart from its entries. It is the
    /// one that `isolde table build` makes.
    pub(super) fn table<W: Word>(&self, board: &Board<W>, openings: &[Opening]) -> table::Plan {
        let scope = match self.goal {
            Goal::Weak => Scope::Openings(openings.to_vec()),
            _ => self.scope(),
        };
        let duels: Vec<_> = openings.iter().map(|opening| opening.duel(board.cells())).collect();
        self.request(scope).plan(board, &duels)
    }

    /// The plan as text.
    pub(super) fn to_text(&self) -> String {
        let written = Written {
            format: FORMAT,
            board: self.size.to_string(),
            goal: match &self.goal {
                Goal::All => ALL.to_string(),
                Goal::Openings(openings) => opening_names(self.size, openings),
                Goal::Weak => WEAK.to_string(),
            },
            depth: self.depth,
            tries: self.tries.iter().map(|line| spaced_names(self.size, line.moves())).collect(),
            nodes: self.nodes,
            memory: self.memory,
            order: with_word_for!(self.size, order_of_moves(self.size)),
        };
        serde_json::to_string_pretty(&written).expect("texts and numbers can always be written") + "\n"
    }

    /// Reads a plan. The error says what is wrong with it.
    pub(super) fn from_text(text: &str) -> Result<Self, String> {
        let written: Written = serde_json::from_str(text).map_err(|fault| fault.to_string())?;
        if written.format != FORMAT {
            return Err(format!("it has format {}, and this program reads format {FORMAT}", written.format));
        }
        let size: Size = written.board.parse().map_err(|fault: crate::game::notation::Error| fault.to_string())?;
        if written.order != with_word_for!(size, order_of_moves(size)) {
            let version = env!("CARGO_PKG_VERSION");
            return Err(format!("isolde {version} looks at moves in another order: go on with the version that began it"));
        }
        let goal = match written.goal.as_str() {
            ALL => Goal::All,
            WEAK => Goal::Weak,
            openings => Goal::Openings(parse_openings(size, openings)?),
        };
        let line = |cells: &String| format!("{size}: {cells}").parse::<Line>().map_err(|fault| fault.to_string());
        let tries = written.tries.iter().map(line).collect::<Result<_, _>>()?;
        let plan = Self { size, goal, depth: written.depth, tries, nodes: written.nodes, memory: written.memory };
        plan.check().map_err(|fault| fault.to_string())?;
        Ok(plan)
    }

    /// Eight digits that stand for the plan. Every result carries them, so that a result of another
    /// campaign is noticed.
    pub(super) fn id(&self) -> String {
        format!("{:08x}", crc32fast::hash(self.to_text().as_bytes()))
    }
}

/// Eight digits that stand for the order in which this program looks at moves.
///
/// The winner's move is the first winning one in order, and so is the reply that is to be proven.
/// So programs with different orders, such as other versions, cannot share a campaign.
fn order_of_moves<W: Word>(size: Size) -> String {
    const POSITIONS: u64 = 256;
    let board = Board::<W>::fitting(size);
    let cells: Vec<_> = board.cells().into_iter().collect();
    let mut seen = crc32fast::Hasher::new();
    let mut see = |moves: Vec<Cell>| moves.iter().for_each(|to| seen.update(&[to.index() as u8]));
    for number in 0..POSITIONS {
        // Random knights and random free cells: few in the first positions, nearly all in the last.
        let random = |place: usize| split_mix(number, place as u64);
        let [mover, other] = [0, 1].map(|knight| cells[random(knight) as usize % cells.len()]);
        let is_free = |&place: &usize| random(2 + place) % POSITIONS <= number;
        let free: Cells<W> = (0..cells.len()).filter(is_free).map(|place| cells[place]).collect();
        if mover != other {
            see(ordered(&board, Duel { mover, other, free: free.without(mover).without(other) }));
        }
    }
    for &first in &cells {
        see(promising_replies(&board, board.cells().without(first), first));
    }
    format!("{:08x}", seen.finalize())
}

/// Reads a list of openings, such as `d4 b3, a1 c2`.
///
/// # Errors
/// With a sentence that says what is wrong and what would be right.
pub fn parse_openings(size: Size, text: &str) -> Result<Vec<Opening>, String> {
    let opening = |cells: &str| {
        let line: Line = format!("{size}: {cells}").parse().map_err(|fault: crate::game::notation::Error| fault.to_string())?;
        match *line.moves() {
            [first, second] => Ok(Opening { first, second }),
            _ => Err(format!("an opening has two cells, such as \"d4 b3\", and not {}", quoted(cells.trim()))),
        }
    };
    text.split(',').map(opening).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(goal: Goal) -> CampaignPlan {
        let size = Size::new(7, 7).unwrap();
        let tries = vec!["7x7: d4 b3 f5".parse().unwrap()];
        CampaignPlan { size, depth: CampaignPlan::default_depth(size, &goal), goal, tries, nodes: 1 << 31, memory: 256 << 20 }
    }

    #[test]
    fn plans_survive_being_written_and_have_different_ids() {
        let openings = Goal::Openings(parse_openings(Size::new(7, 7).unwrap(), "d4 b3, a1  c2").unwrap());
        let plans = [plan(Goal::All), plan(openings), plan(Goal::Weak), CampaignPlan { nodes: 1, ..plan(Goal::Weak) }];
        for (number, plan) in plans.iter().enumerate() {
            assert_eq!(CampaignPlan::from_text(&plan.to_text()).as_ref(), Ok(plan));
            assert!(plans[..number].iter().all(|other| other.id() != plan.id()));
        }
        assert_eq!([plans[0].depth, plans[2].depth], [42, 47]);
    }

    /// Another order of moves is noticed, on every board.
    #[test]
    fn the_order_of_moves_is_part_of_a_plan() {
        let orders = [(5, 5), (5, 6), (6, 6), (7, 7), (9, 9)].map(|(files, ranks)| {
            with_word_for!(Size::new(files, ranks).unwrap(), order_of_moves(Size::new(files, ranks).unwrap()))
        });
        assert!((1..orders.len()).all(|number| !orders[..number].contains(&orders[number])), "{orders:?}");
        let text = plan(Goal::All).to_text();
        let fault = CampaignPlan::from_text(&text.replace(&orders[3], "01234567")).unwrap_err();
        assert!(fault.contains("in another order"), "{fault}");
    }

    #[test]
    fn what_is_no_plan_is_refused() {
        let size = Size::new(8, 8).unwrap();
        assert!(matches!(
            CampaignPlan { size, tries: Vec::new(), ..plan(Goal::Weak) }.check(),
            Err(CampaignError::Mirror { .. })
        ));
        assert!(matches!(CampaignPlan { memory: 1, ..plan(Goal::Weak) }.check(), Err(CampaignError::Memory { .. })));
        assert!(matches!(CampaignPlan { depth: 48, ..plan(Goal::All) }.check(), Err(CampaignError::Request(_))));
        let text = plan(Goal::All).to_text();
        for (from, to) in [
            ("7x7", "7y7"),
            ("all", "d4"),
            ("\"format\": 1", "\"format\": 2"),
            ("nodes", "knots"),
            ("}", ""),
            ("\"order\": \"", "\"order\": \"0"),
        ] {
            assert!(text.contains(from) && CampaignPlan::from_text(&text.replace(from, to)).is_err(), "{from}");
        }
        assert!(parse_openings(size, "d4").unwrap_err().contains("two cells"));
    }
}
