//! Questions about a position.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{RawQuery, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::analysis::{Description, Request};
use crate::drawing;
use crate::serve::answer;
use crate::serve::app::App;
use crate::serve::client::Client;
use crate::serve::events;
use crate::serve::fault::Fault;
use crate::serve::parameters::Parameters;
use crate::serve::questions::Answered;

/// How long a position may take, and how long its plies may be counted, unless the question says
/// otherwise: as `isolde query` does.
const TIME: Duration = Duration::from_secs(10);
const TIME_FOR_PLIES: Duration = Duration::from_secs(1);

/// `GET /api/v1/position`: the analysis, once it is there.
pub(super) async fn position(State(app): State<Arc<App>>, client: Client, RawQuery(query): RawQuery) -> Result<Response, Fault> {
    let parameters = Parameters::read(query.as_deref(), &["p", "time", "winner", "distance"])?;
    let (asked, most) = (parameters.position()?, app.settings.most_time);
    let (winner, distance) = (parameters.switch("winner")?, parameters.switch("distance")?);
    if winner && distance {
        return Err(Fault::input("winner and distance exclude each other: write one of them"));
    }
    let time = parameters.time("time", if distance { most } else { TIME }, most)?;
    let plies = match (winner, distance || parameters.get("time").is_some()) {
        (true, _) => None,
        (false, true) => Some(Duration::MAX),
        (false, false) => Some(TIME_FOR_PLIES),
    };
    let request = Request { plies, ..Request::winners() };
    let found = match app.questions.ask(asked.position(), request, time, client.0).await? {
        Answered::AtOnce(found) => found,
        Answered::SoFar(mut subscription) => subscription.end().await?,
    };
    Ok(answer::ready(found.to(&asked.to_string())))
}

/// `GET /api/v1/position/events`: the analysis each time it is better.
pub(super) async fn events(State(app): State<Arc<App>>, client: Client, RawQuery(query): RawQuery) -> Result<Response, Fault> {
    let parameters = Parameters::read(query.as_deref(), &["p", "time"])?;
    let asked = parameters.position()?;
    let time = parameters.time("time", TIME, app.settings.most_time)?;
    let answered = app.questions.ask(asked.position(), Request::everything(), time, client.0).await?;
    Ok(events::answer(asked.to_string(), answered, time, app.metrics.streams.enter()))
}

/// `GET /api/v1/show`: a position described, without its outcome.
pub(super) async fn show(RawQuery(query): RawQuery) -> Result<Response, Fault> {
    let asked = Parameters::read(query.as_deref(), &["p"])?.position()?;
    Ok(answer::json(&Description::of(&asked)))
}

/// `GET /api/v1/svg`: a position drawn.
pub(super) async fn svg(RawQuery(query): RawQuery) -> Result<Response, Fault> {
    let asked = Parameters::read(query.as_deref(), &["p"])?.position()?;
    let kind = HeaderValue::from_static("image/svg+xml");
    Ok(([(header::CONTENT_TYPE, kind)], drawing::svg(asked.position())).into_response())
}
