//! Players.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{RawQuery, State};
use axum::response::Response;

use crate::play::{Agent, Catalogue, ChosenMove, Limit, Means, UnknownAgent, settings_for};
use crate::serve::answer;
use crate::serve::app::App;
use crate::serve::client::Client;
use crate::serve::fault::Fault;
use crate::serve::parameters::Parameters;

/// How long an agent may think, unless the question says otherwise.
const TIME: Duration = Duration::from_secs(1);

/// `GET /api/v1/agents`: the agents and the heuristics.
pub(super) async fn agents(RawQuery(query): RawQuery) -> Result<Response, Fault> {
    Parameters::read(query.as_deref(), &[])?;
    Ok(answer::json(&Catalogue::new()))
}

/// `GET /api/v1/move`: the move that an agent chooses.
pub(super) async fn choose(State(app): State<Arc<App>>, client: Client, RawQuery(query): RawQuery) -> Result<Response, Fault> {
    let parameters = Parameters::read(query.as_deref(), &["p", "agent", "time", "nodes", "depth", "seed"])?;
    let asked = parameters.position()?;
    let unknown = |fault: UnknownAgent| Fault::input(format!("{fault} (/api/v1/agents lists them)"));
    let agent: Agent = parameters.get("agent").unwrap_or("best").parse().map_err(unknown)?;
    let limit = limit(&parameters, app.settings.most_time)?;
    let seed = parameters.number("seed", 0..=u64::MAX)?.unwrap_or(0);
    if let Some(winner) = asked.position().winner() {
        return Err(Fault::input(format!("there is no move to choose: the {winner} player has won")));
    }
    let time = if let Limit::Time(time) = limit { time } else { app.settings.most_time };
    let chosen = app.lanes.once(client.0, time, move |lane, control| {
        let (started, clock) = (Instant::now(), limit.start_within(control));
        let size = asked.position().size();
        let settings = settings_for(limit, size, lane.for_players());
        let means = Means { settings, tables: lane.tables(size), wants_line: true };
        let decision = agent.chooser(&means, seed)?.choose(asked.position(), &clock, &mut |_| {});
        Ok(answer::bytes(&ChosenMove::new(&asked, agent, &decision, started.elapsed().as_secs_f64())))
    });
    Ok(answer::ready(chosen.await?))
}

/// The limit for one move: a time, a number of nodes or a depth.
fn limit(parameters: &Parameters, most_time: Duration) -> Result<Limit, Fault> {
    let nodes = parameters.number("nodes", 1..=u64::MAX)?;
    let depth = parameters.number("depth", 1..=128)?;
    match (parameters.get("time").is_some(), nodes, depth) {
        (_, None, None) => Ok(Limit::Time(parameters.time("time", TIME, most_time)?)),
        (false, Some(nodes), None) => Ok(Limit::Nodes(nodes)),
        (false, None, Some(depth)) => Ok(Limit::Depth(depth as u32)),
        _ => Err(Fault::input("time, nodes and depth exclude each other: write one of them")),
    }
}
