//! The list of all agents and heuristics, with their sources.

use serde::Serialize;

use super::agents::Agent;
use super::heuristics::Heuristic;

/// The kinds of agents: name, source and description. `<heuristic>` stands for the name of a
/// heuristic.
const AGENTS: [(&str, &str, &str); 7] = [
    ("best", "Isolde", "plays a proven move if there is one, and otherwise looks ahead with the help of proofs"),
    ("perfect", "Isolde", "plays proven moves only, and says so if it finds none within the limit"),
    ("Random", "all", "plays a random move"),
    ("MM_<heuristic>", "all", "minimax, computed by alpha-beta, three plies ahead, however much time there is"),
    ("AB_<heuristic>", "all", "alpha-beta with iterative deepening, as deep as the time allows, the last best move first"),
    ("ID_<heuristic>", "reach-report, decay-report", "the same as AB_<heuristic>, under another name"),
    (
        "AB_<heuristic>@<order>",
        "symmetry-report",
        "the same with another move order: as-they-come, or by-scores, by the scores of the last iteration",
    ),
];

/// The agents and the heuristics.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Catalogue {
    /// The kinds of agents.
    pub agents: Vec<AgentEntry>,
    /// The heuristics.
    pub heuristics: Vec<HeuristicEntry>,
    /// The name of every agent with the usual move order.
    pub all: Vec<String>,
}

/// A kind of agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct AgentEntry {
    /// The name, in which `<heuristic>` stands for the name of a heuristic.
    pub agent: &'static str,
    /// The report that it comes from.
    pub source: &'static str,
    /// How it plays.
    pub what: &'static str,
}

/// A heuristic.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HeuristicEntry {
    /// The name.
    pub heuristic: String,
    /// The report that it comes from.
    pub source: &'static str,
    /// What it counts.
    pub what: &'static str,
}

impl From<Heuristic> for HeuristicEntry {
    fn from(heuristic: Heuristic) -> Self {
        Self { heuristic: heuristic.to_string(), source: heuristic.source(), what: heuristic.what() }
    }
}

impl Catalogue {
    /// All of them.
    #[must_use]
    pub fn new() -> Self {
        Self {
            agents: AGENTS.into_iter().map(|(agent, source, what)| AgentEntry { agent, source, what }).collect(),
            heuristics: Heuristic::all().map(HeuristicEntry::from).collect(),
            all: Agent::all().map(|agent| agent.to_string()).collect(),
        }
    }
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_in_the_list_can_be_named_and_belongs_to_a_kind() {
        let catalogue = Catalogue::new();
        for name in &catalogue.all {
            let agent: Agent = name.parse().unwrap();
            assert_eq!(agent.to_string(), *name);
            let of_kind = |kind: &AgentEntry| match kind.agent.split_once('<') {
                Some((beginning, _)) => name.starts_with(beginning),
                None => kind.agent == name,
            };
            assert!(catalogue.agents.iter().any(of_kind), "{name} belongs to no kind");
        }
        for entry in &catalogue.heuristics {
            assert!(catalogue.all.iter().any(|name| name.eq_ignore_ascii_case(&format!("AB_{}", entry.heuristic))), "{entry:?}");
        }
    }
}
