//! Why: mirrors, heuristics beside the truth, and published claims.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;

use crate::analysis::Request;
use crate::claims::{FINDINGS, finding};
use crate::game::notation::quoted;
use crate::play::heuristics::Opinions;
use crate::serve::answer;
use crate::serve::app::App;
use crate::serve::client::Client;
use crate::serve::fault::Fault;
use crate::serve::found::Found;
use crate::serve::parameters::Parameters;
use crate::serve::questions::Answered;
use crate::strategies::{Bounds, Mirroring, mirror_named};

/// How long a mirror is played against all defences, and how long the truth about the moves is
/// searched, unless the question says otherwise.
const TIME: Duration = Duration::from_secs(2);

/// The most positions in which a mirror is checked. They take up to 20 MB.
const MOST_POSITIONS: u64 = 200_000;

/// `GET /api/v1/mirror`: what a mirror does in a position.
pub(super) async fn mirror(State(app): State<Arc<App>>, client: Client, RawQuery(query): RawQuery) -> Result<Response, Fault> {
    let parameters = Parameters::read(query.as_deref(), &["p", "by", "time"])?;
    let asked = parameters.position()?;
    let by = parameters.get("by").unwrap_or("center");
    let mirror = mirror_named(by).map_err(|fault| Fault::input(format!("by={by}: {fault}")))?;
    let time = parameters.time("time", TIME, app.settings.most_time)?;
    let mirroring = app.lanes.once(client.0, time, move |lane, control| {
        let analyst = lane.analyst(asked.position().size())?;
        let check = || {
            let bounds = Bounds { most_positions: MOST_POSITIONS, control, tell: &|_| {} };
            answer::bytes(&Mirroring::new(&asked, mirror, bounds))
        };
        Ok(analyst.install(check))
    });
    Ok(answer::ready(mirroring.await?))
}

/// `GET /api/v1/heuristics`: what each heuristic says, and whether it is right.
pub(super) async fn heuristics(
    State(app): State<Arc<App>>,
    client: Client,
    RawQuery(query): RawQuery,
) -> Result<Response, Fault> {
    let parameters = Parameters::read(query.as_deref(), &["p", "time"])?;
    let asked = parameters.position()?;
    let time = parameters.time("time", TIME, app.settings.most_time)?;
    // The same request as that of the events, so that a page which shows both shares a search. More
    // than who wins by each move is not needed here.
    let suffices = |found: &Found| found.analysis.moves.iter().all(|judged| judged.known.is_some());
    let found = match app.questions.ask(asked.position(), Request::everything(), time, client.0).await? {
        Answered::AtOnce(found) => found,
        Answered::SoFar(mut subscription) => subscription.until(suffices).await?,
    };
    Ok(answer::json(&Opinions::new(&asked, &found.analysis)))
}

/// `GET /api/v1/claims`: published claims, and what was found about them.
pub(super) async fn claims(RawQuery(query): RawQuery) -> Result<Response, Fault> {
    Parameters::read(query.as_deref(), &[])?;
    Ok(answer::ready(FINDINGS))
}

/// `GET /api/v1/claims/{id}`: one claim.
pub(super) async fn claim(Path(id): Path<String>, RawQuery(query): RawQuery) -> Result<Response, Fault> {
    Parameters::read(query.as_deref(), &[])?;
    let sentence = || format!("there is no claim {}: /api/v1/claims lists them", quoted(&id));
    Ok(answer::ready(finding(&id).ok_or_else(|| Fault::new(StatusCode::NOT_FOUND, sentence()))?))
}
