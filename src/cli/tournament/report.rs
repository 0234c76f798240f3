//! The report of a tournament, as data.

use serde::Serialize;

use crate::arena::published::{Experiment, Published};
use crate::arena::statistics::{
    Interval, SIGNIFICANT, elo, share, trials_to_tell, trials_to_tell_from_half, z_test, z_test_of_half,
};
use crate::arena::{Fixture, Plan, Record, Score, Standings, Tally};
use crate::play::Agent;

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) board: String,
    pub(super) limit: String,
    pub(super) seed: u64,
    pub(super) matches: usize,
    pub(super) games: usize,
    /// The number of games not played yet.
    pub(super) open: usize,
    /// One entry for each agent, but none for the field.
    pub(super) agents: Vec<AgentReport>,
    /// Each pair of agents, by their games against each other.
    pub(super) direct: Vec<Direct>,
    /// Each pair of agents, by their games against common opponents.
    pub(super) comparisons: Vec<Comparison>,
    /// The share of matches in which the same side won both games.
    pub(super) decided_by_opening: Share,
    /// The share of games won by the side that is proven to win the opening.
    pub(super) as_proven: Share,
    pub(super) forfeits: Vec<Forfeited>,
    /// The comparison with a published report, if one was repeated.
    pub(super) published: Option<PublishedReport>,
}

#[derive(Serialize)]
pub(super) struct PublishedReport {
    pub(super) report: &'static str,
    pub(super) conditions: &'static str,
    /// What was played here.
    pub(super) played: String,
    pub(super) rows: Vec<PublishedRow>,
    /// A sentence that says whether the two agree.
    pub(super) verdict: String,
}

#[derive(Serialize)]
pub(super) struct PublishedRow {
    pub(super) agent: String,
    pub(super) published: String,
    pub(super) ours: Share,
    /// `None` if there is nothing to compare.
    pub(super) agrees: Option<bool>,
}

impl PublishedReport {
    fn new(experiment: &Experiment, plan: &Plan, standings: &Standings<'_>) -> Self {
        let scores: Vec<Score> = (0..experiment.agents().len()).map(|agent| standings.tally(agent, None).score).collect();
        let row = |(number, agent): (usize, Agent)| PublishedRow {
            agent: agent.to_string(),
            published: match experiment.published()[number] {
                Published::Rate(percent) => format!("{percent} %"),
                Published::Better => "better than the first".to_string(),
                Published::Best => "better than the first, and the best".to_string(),
                Published::Nothing => "-".to_string(),
            },
            ours: scores[number].into(),
            agrees: experiment.agrees(number, &scores),
        };
        Self {
            report: experiment.report,
            conditions: experiment.conditions,
            played: format!("{} matches against each opponent, {} a move", plan.openings.len(), plan.rules.limit),
            rows: experiment.agents().into_iter().enumerate().map(row).collect(),
            verdict: experiment.verdict(&scores),
        }
    }
}

#[derive(Serialize)]
pub(super) struct AgentReport {
    pub(super) agent: String,
    pub(super) against: Vec<Opponent>,
    pub(super) total: Figures,
}

#[derive(Serialize)]
pub(super) struct Opponent {
    pub(super) opponent: String,
    /// `None` if the two do not meet.
    pub(super) figures: Option<Figures>,
}

#[derive(Serialize)]
pub(super) struct Figures {
    pub(super) won: u64,
    pub(super) lost: u64,
    pub(super) rate: Share,
    /// The Elo difference to the opponents. `None` if all or no games were won.
    pub(super) elo: Option<f64>,
    pub(super) elo_low: Option<f64>,
    pub(super) elo_high: Option<f64>,
    /// The share won of the games from openings that the agent is proven to win.
    pub(super) from_won: Share,
    /// The share won of the games from openings that the agent is proven to lose.
    pub(super) from_lost: Share,
    pub(super) blunders: u64,
    pub(super) judged_moves: u64,
    pub(super) forfeits: u64,
}

/// A share in percent, with its 95 % confidence interval (Wilson).
#[derive(Serialize, Clone, Copy)]
pub(super) struct Share {
    pub(super) of: u64,
    pub(super) count: u64,
    pub(super) percent: Option<f64>,
    pub(super) low: f64,
    pub(super) high: f64,
}

#[derive(Serialize)]
pub(super) struct Comparison {
    pub(super) agent: String,
    pub(super) other: String,
    pub(super) percent: f64,
    pub(super) others_percent: f64,
    pub(super) z: f64,
    /// The probability of such a difference, or a greater one, between equally strong players.
    pub(super) p: f64,
    /// If the difference is not significant: how many games each agent needs, in all, to show one
    /// of this size. `None` if there is no difference at all.
    pub(super) games_needed: Option<u64>,
}

#[derive(Serialize)]
pub(super) struct Direct {
    pub(super) agent: String,
    pub(super) other: String,
    pub(super) percent: f64,
    pub(super) z: f64,
    pub(super) p: f64,
    /// If the difference is not significant: how many games, in all, show one of this size. `None`
    /// if each has won half of the games.
    pub(super) games_needed: Option<u64>,
}

#[derive(Serialize)]
pub(super) struct Forfeited {
    /// Counted from 1.
    pub(super) game: usize,
    pub(super) loser: String,
    pub(super) why: String,
    pub(super) position: String,
}

impl From<Score> for Share {
    fn from(score: Score) -> Self {
        let Interval { estimate, low, high } = share(score.won, score.games).times(100.0);
        Self { of: score.games, count: score.won, percent: Some(estimate).filter(|share| share.is_finite()), low, high }
    }
}

impl From<Tally> for Figures {
    fn from(tally: Tally) -> Self {
        let finite = |elo: f64| Some(elo).filter(|elo| elo.is_finite());
        let Interval { estimate, low, high } = elo(share(tally.score.won, tally.score.games));
        Self {
            won: tally.score.won,
            lost: tally.score.lost(),
            rate: tally.score.into(),
            elo: finite(estimate),
            elo_low: finite(low),
            elo_high: finite(high),
            from_won: tally.from_won.into(),
            from_lost: tally.from_lost.into(),
            blunders: tally.blunders,
            judged_moves: tally.judged_moves,
            forfeits: tally.forfeits,
        }
    }
}

impl Report {
    pub(super) fn new(plan: &Plan, games: &[(Fixture, Record)], experiment: Option<&Experiment>) -> Self {
        let standings = Standings::new(plan, games);
        let entrants = plan.entrants();
        let agents = 0..plan.agents.len();
        let opponents = if plan.field.is_empty() { agents.clone() } else { agents.end..entrants.len() };
        let agent = |agent: usize| AgentReport {
            agent: entrants[agent].to_string(),
            against: opponents
                .clone()
                .map(|opponent| Opponent {
                    opponent: entrants[opponent].to_string(),
                    figures: (opponent != agent).then(|| standings.tally(agent, Some(opponent)).into()),
                })
                .collect(),
            total: standings.tally(agent, None).into(),
        };
        let compare = |(one, other): (usize, usize)| {
            let [score, others] = standings.in_common(one, other);
            let (z, p) = z_test((score.won, score.games), (others.won, others.games))?;
            let needed = || trials_to_tell(score.rate(), others.rate());
            Some(Comparison {
                agent: entrants[one].to_string(),
                other: entrants[other].to_string(),
                percent: 100.0 * score.rate(),
                others_percent: 100.0 * others.rate(),
                z,
                p,
                games_needed: if p < SIGNIFICANT { None } else { needed() },
            })
        };
        let meet = |(one, other): (usize, usize)| {
            let score = standings.tally(one, Some(other)).score;
            let (z, p) = z_test_of_half(score.won, score.games)?;
            let needed = || trials_to_tell_from_half(score.rate());
            Some(Direct {
                agent: entrants[one].to_string(),
                other: entrants[other].to_string(),
                percent: 100.0 * score.rate(),
                z,
                p,
                games_needed: if p < SIGNIFICANT { None } else { needed() },
            })
        };
        let two = agents.clone().flat_map(|one| (one + 1..agents.end).map(move |other| (one, other)));
        let forfeited = |(fixture, record): &(Fixture, Record)| Forfeited {
            game: fixture.number + 1,
            loser: record.winner_and_loser().map(|[_, loser]| loser.to_string()).unwrap_or_default(),
            why: record.end.to_string(),
            position: record.line.end().setup().to_string(),
        };
        Self {
            board: plan.size.to_string(),
            limit: plan.rules.limit.to_string(),
            seed: plan.seed,
            matches: plan.openings.len(),
            games: games.len(),
            open: plan.fixtures().len() - games.len(),
            agents: agents.clone().map(agent).collect(),
            direct: two.clone().filter_map(meet).collect(),
            comparisons: two.filter_map(compare).collect(),
            decided_by_opening: standings.decided_by_opening().into(),
            as_proven: standings.as_proven().into(),
            forfeits: standings.forfeits().map(forfeited).collect(),
            published: experiment.map(|experiment| PublishedReport::new(experiment, plan, &standings)),
        }
    }
}
