//! The experiments of the five reports: who played whom, under which conditions, and with which
//! published results.

use super::standings::Score;
use super::statistics::{SIGNIFICANT, z_test};
use crate::play::heuristics::Heuristic::{self, *};
use crate::play::{Agent, Ordering};

/// One published experiment. All were played on 7x7 with 150 ms a move, from random openings, each
/// with both sides.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// The report.
    pub report: &'static str,
    /// The published conditions, and how we read them where the report is not clear.
    pub conditions: &'static str,
    /// Matches of two games against each opponent.
    pub matches: u32,
    agents: &'static [(Agent, Published)],
    field: &'static [Agent],
}

/// The published result of an agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Published {
    /// It won this share of its games against all opponents, in percent.
    Rate(f64),
    /// It was significantly better than the first agent.
    Better,
    /// It was significantly better than the first agent, and the best of all.
    Best,
    /// No result: the other agents are compared with this one.
    Nothing,
}

const fn ab(heuristic: Heuristic) -> Agent {
    Agent::AlphaBeta(heuristic, Ordering::LastBestFirst)
}

const fn id(heuristic: Heuristic) -> Agent {
    Agent::Deepening(heuristic, Ordering::LastBestFirst)
}

/// The opponents in the course's newer framework.
const NEWER_FIELD: &[Agent] =
    &[Agent::Random, Agent::Minimax(Open), Agent::Minimax(Center), Agent::Minimax(Improved), ab(Open), ab(Center), ab(Improved)];

/// The opponents in the course's older framework.
const OLDER_FIELD: &[Agent] =
    &[Agent::Random, Agent::Minimax(Null), Agent::Minimax(Open), Agent::Minimax(Improved), ab(Null), ab(Open), ab(Improved)];

/// The five experiments.
pub const EXPERIMENTS: [Experiment; 5] = [
    Experiment {
        report: "corners-report",
        conditions: "50 matches against each opponent",
        matches: 50,
        agents: &[
            (ab(Improved), Published::Rate(65.88)),
            (ab(AvoidCorners), Published::Rate(66.37)),
            (ab(Chase), Published::Rate(60.7)),
            (ab(WeightedChase), Published::Rate(62.9)),
            (ab(NextMoves), Published::Rate(71.2)),
        ],
        field: NEWER_FIELD,
    },
    Experiment {
        report: "reach-report",
        conditions: "25 matches of four games against each opponent, read as 50 matches of two; the report calls \
                     two combinations close_to_opponent, and the first is read as close_to_center",
        matches: 50,
        agents: &[
            (id(Improved), Published::Rate(67.14)),
            (id(CloseToCenter), Published::Rate(65.43)),
            (id(FarFromCenter), Published::Rate(62.86)),
            (id(CloseToOpponent), Published::Rate(63.86)),
            (id(FarFromOpponent), Published::Rate(64.86)),
            (id(Reach(2)), Published::Rate(70.00)),
            (id(Reach(3)), Published::Rate(73.86)),
            (id(Reach(4)), Published::Rate(70.57)),
            (id(Reach(5)), Published::Rate(70.14)),
            (id(Reach(6)), Published::Rate(72.86)),
            (id(Reach(7)), Published::Rate(73.14)),
            (id(Reach(8)), Published::Rate(71.57)),
            (id(Reach(9)), Published::Rate(71.29)),
            (id(Reach(10)), Published::Rate(76.29)),
            (id(Bfs), Published::Rate(74.57)),
            (id(BfsCloseToCenter), Published::Rate(72.57)),
            (id(BfsFarFromCenter), Published::Rate(70.00)),
            (id(BfsCloseToOpponent), Published::Rate(75.86)),
            (id(BfsFarFromOpponent), Published::Rate(69.29)),
        ],
        field: OLDER_FIELD,
    },
    Experiment {
        report: "symmetry-report",
        conditions: "the report names neither the opponents nor the number of games: read as 100 matches against \
                     each of the seven opponents of the newer framework; `5 to 10 % better` is read as \
                     significantly better",
        matches: 100,
        agents: &[
            (ab(Improved), Published::Nothing),
            (ab(LinearMobility), Published::Better),
            (ab(QuadraticMobility), Published::Better),
            (ab(MixedMobility), Published::Better),
        ],
        field: NEWER_FIELD,
    },
    Experiment {
        report: "attack-report",
        conditions: "5 matches against each opponent",
        matches: 5,
        agents: &[
            (ab(Improved), Published::Rate(60.0)),
            (ab(Offensive), Published::Rate(60.0)),
            (ab(Defensive), Published::Rate(62.9)),
            (ab(CornerAware), Published::Rate(65.7)),
        ],
        field: NEWER_FIELD,
    },
    Experiment {
        report: "decay-report",
        conditions: "100 matches against each of seven opponents, read as 100 games, as reach-report counts them; \
                     the report does not name the opponents: read as those of the older framework. The rates were \
                     published only as pictures",
        matches: 50,
        agents: &[
            (id(Improved), Published::Nothing),
            (id(Offensive), Published::Better),
            (id(CenterWeighted), Published::Better),
            (id(CenterDecay), Published::Best),
        ],
        field: OLDER_FIELD,
    },
];

impl Experiment {
    /// The agents, in the order of the report.
    #[must_use]
    pub fn agents(&self) -> Vec<Agent> {
        self.agents.iter().map(|(agent, _)| *agent).collect()
    }

    /// Their opponents.
    #[must_use]
    pub fn field(&self) -> Vec<Agent> {
        self.field.to_vec()
    }

    /// The published result of each agent.
    #[must_use]
    pub fn published(&self) -> Vec<Published> {
        self.agents.iter().map(|(_, published)| *published).collect()
    }

    /// The published wins and games of an agent that won this share.
    fn published_games(&self, percent: f64) -> (u64, u64) {
        let games = u64::from(2 * self.matches) * self.field.len() as u64;
        ((percent / 100.0 * games as f64).round() as u64, games)
    }

    /// Whether an agent's published result agrees with its games here. A rate agrees if the
    /// two-tailed z-test finds no difference, `better` agrees if it finds one. `None` if there is
    /// nothing to compare.
    #[must_use]
    pub fn agrees(&self, number: usize, again: &[Score]) -> Option<bool> {
        let counted = |number: usize| (again[number].won, again[number].games);
        match self.agents[number].1 {
            Published::Nothing => None,
            Published::Rate(percent) => {
                let (_, p) = z_test(counted(number), self.published_games(percent))?;
                Some(p >= SIGNIFICANT)
            }
            Published::Better | Published::Best => {
                let (z, p) = z_test(counted(number), counted(0))?;
                Some(z > 0.0 && p < SIGNIFICANT)
            }
        }
    }

    /// A sentence that says whether our repetition agrees with the experiment.
    #[must_use]
    pub fn verdict(&self, again: &[Score]) -> String {
        if again.iter().any(|score| score.games == 0) {
            return "No verdict: not every agent has played.".to_string();
        }
        let said: Vec<bool> = (0..self.agents.len()).filter_map(|number| self.agrees(number, again)).collect();
        let agreeing = said.iter().filter(|&&agrees| agrees).count();
        let what = match self.agents.iter().any(|(_, published)| matches!(published, Published::Rate(_))) {
            true => "published win rates lie within sampling error of ours",
            false => "agents published as significantly better than the first agent are so here, too",
        };
        let published_best = self.agents.iter().enumerate().max_by(|a, b| strength(a.1.1).total_cmp(&strength(b.1.1)));
        let our_best = (0..again.len()).max_by(|&a, &b| (again[a].won * again[b].games).cmp(&(again[b].won * again[a].games)));
        let best = match (published_best, our_best) {
            (Some((best, (agent, published))), Some(ours)) if *published != Published::Better => {
                let same = best == ours || again[best].won * again[ours].games == again[ours].won * again[best].games;
                let verb = if same { "as it is here" } else { "here it is" };
                let name = if same { String::new() } else { format!(" {}", self.agents[ours].0) };
                format!("; the best was {agent}, {verb}{name}")
            }
            _ => String::new(),
        };
        format!("{agreeing} of {} {what} (two-tailed z-test at 95 %){best}.", said.len())
    }
}

/// A number by which published results can be ordered.
fn strength(published: Published) -> f64 {
    match published {
        Published::Rate(percent) => percent,
        Published::Best => 2.0,
        Published::Better => 1.0,
        Published::Nothing => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_depends_on_the_games() {
        let corners = &EXPERIMENTS[0];
        let rates = |percents: [u64; 5]| percents.map(|percent| Score { won: percent * 7, games: 700 });
        let same = corners.verdict(&rates([66, 66, 61, 63, 71]));
        assert!(same.starts_with("5 of 5 published") && same.contains("AB_next_moves, as it is here"), "{same}");
        let other = corners.verdict(&rates([66, 90, 61, 63, 50]));
        assert!(other.starts_with("3 of 5 published") && other.contains("here it is AB_avoid_corners"), "{other}");
        let decay = EXPERIMENTS.iter().find(|experiment| experiment.report == "decay-report").unwrap();
        let games = [50, 60, 50, 40].map(|percent| Score { won: percent * 7, games: 700 });
        assert!(decay.verdict(&games).starts_with("1 of 3 agents"), "{}", decay.verdict(&games));
        let none = [Score::default(); 5];
        assert!(corners.verdict(&none).starts_with("No verdict"));
        assert_eq!(corners.agrees(1, &none), None);
    }

    #[test]
    fn every_experiment_has_seven_opponents_and_a_result_for_each_agent() {
        for experiment in &EXPERIMENTS {
            assert_eq!((experiment.field().len(), experiment.agents().len()), (7, experiment.published().len()));
        }
    }
}
