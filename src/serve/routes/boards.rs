//! Boards, their openings, and tables.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::response::Response;

use crate::analysis::{Atlas, OpeningMap, Openings};
use crate::game::board::Size;
use crate::game::position::Position;
use crate::serve::answer;
use crate::serve::app::App;
use crate::serve::client::Client;
use crate::serve::fault::Fault;
use crate::serve::lane::Lane;
use crate::serve::parameters::Parameters;
use crate::solve::Question;
use crate::table::{Listing, Tables};

/// How long the openings of a board may take, unless the question says otherwise.
const TIME: Duration = Duration::from_secs(10);

/// `GET /api/v1/boards`: the boards all of whose openings are in tables.
pub(super) async fn boards(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Fault> {
    Parameters::read(query.as_deref(), &[])?;
    let places = app.settings.tables.clone();
    let find = || app.at_hand.boards.run(move || answer::bytes(&Atlas::of(&places)));
    Ok(answer::ready(app.prepared.boards.get_or_try_init(find).await?.clone()))
}

/// `GET /api/v1/tables`: the tables of this server.
pub(super) async fn tables(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Fault> {
    Parameters::read(query.as_deref(), &[])?;
    let places = app.settings.tables.clone();
    let find = || async {
        let listing = app.at_hand.boards.run(move || Listing::of(&places)).await?;
        listing.map(|listing| answer::bytes(&listing)).map_err(|fault| Fault::busy(fault.to_string()))
    };
    Ok(answer::ready(app.prepared.tables.get_or_try_init(find).await?.clone()))
}

/// `GET /api/v1/openings`: who wins each opening of a board.
pub(super) async fn openings(State(app): State<Arc<App>>, client: Client, RawQuery(query): RawQuery) -> Result<Response, Fault> {
    let parameters = Parameters::read(query.as_deref(), &["board", "time"])?;
    let Some(board) = parameters.get("board") else {
        return Err(Fault::input("the parameter board is missing: write a board, such as board=7x7"));
    };
    let size: Size = board.parse()?;
    let time = parameters.time("time", TIME, app.settings.most_time)?;
    if let Some(kept) = app.prepared.openings(size) {
        return Ok(answer::ready(kept));
    }
    let places = app.settings.tables.clone();
    let in_tables = move || {
        let openings = Openings::in_tables(&Tables::open(size, &places));
        openings.is_complete().then(|| written(&openings))
    };
    let (answer, complete) = match app.at_hand.boards.run(in_tables).await? {
        Some(found) => found,
        None => {
            let solve = move |lane: &mut Lane, control: &Arc<_>| {
                let start = Position::empty(size);
                Ok(written(&lane.analyst(size)?.openings(&start, Question::Winner, control, || {})))
            };
            app.lanes.once(client.0, time, solve).await?
        }
    };
    if complete {
        app.prepared.keep_openings(size, &answer);
    }
    Ok(answer::ready(answer))
}

/// The answer, and whether it is complete.
fn written(openings: &Openings) -> (Bytes, bool) {
    (answer::bytes(&OpeningMap::new(openings)), openings.is_complete())
}
