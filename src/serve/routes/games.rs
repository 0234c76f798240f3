//! Games: what was played, and how well.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;

use crate::arena::{Games, Record, Review};
use crate::serve::answer;
use crate::serve::app::App;
use crate::serve::body;
use crate::serve::client::Client;
use crate::serve::fault::Fault;
use crate::serve::parameters::Parameters;

/// How long a review may take, unless the question says otherwise.
const TIME: Duration = Duration::from_secs(10);

/// The most bytes of a file of games, and of the description of one game.
const MOST_FOR_GAMES: usize = 8 << 20;
const MOST_FOR_RECORD: usize = 64 << 10;

/// `GET /api/v1/review`: the true value after every ply of a line.
pub(super) async fn review(State(app): State<Arc<App>>, client: Client, RawQuery(query): RawQuery) -> Result<Response, Fault> {
    let parameters = Parameters::read(query.as_deref(), &["p", "time"])?;
    let asked = parameters.position()?;
    let time = parameters.time("time", TIME, app.settings.most_time)?;
    let review = app.lanes.once(client.0, time, move |lane, control| {
        let analyst = lane.analyst(asked.position().size())?;
        Ok(answer::bytes(&Review::new(&asked, analyst, control)))
    });
    Ok(answer::ready(review.await?))
}

/// `POST /api/v1/games`: the games of a file.
pub(super) async fn games(
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Fault> {
    Parameters::read(query.as_deref(), &[])?;
    let busy = |_| Fault::busy("too many files are being read: send this one again later");
    let place = Arc::clone(&app.files).try_acquire_owned().map_err(busy)?;
    let text = body::text(&headers, body, MOST_FOR_GAMES, app.settings.patience).await?;
    let read = move || {
        // The text is in memory until it has been read, whether the client waits for that or not.
        let _place = place;
        Games::parse(&text).map(|games| answer::bytes(&games)).map_err(|fault| Fault::input(fault.to_string()))
    };
    Ok(answer::ready(app.parsing.run(read).await??))
}

/// `POST /api/v1/record`: a game that was described, as it is saved.
pub(super) async fn record(
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Fault> {
    Parameters::read(query.as_deref(), &[])?;
    let text = body::text(&headers, body, MOST_FOR_RECORD, app.settings.patience).await?;
    let record = Record::from_description(&text).map_err(|fault| Fault::input(fault.to_string()))?;
    Ok(answer::ready(record.to_json()))
}
