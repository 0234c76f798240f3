//! Questions about the server itself.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::serve::answer;
use crate::serve::app::App;
use crate::serve::fault::Fault;
use crate::serve::parameters::Parameters;

#[derive(Serialize)]
struct Health {
    status: &'static str,
    program: &'static str,
    searches: Searches,
}

#[derive(Serialize)]
struct Searches {
    running: usize,
    waiting: usize,
}

/// `GET /api/v1/health`: whether the server answers, and how much it has to do.
pub(super) async fn health(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Fault> {
    Parameters::read(query.as_deref(), &[])?;
    let (running, waiting) = app.lanes.load();
    let program = concat!("isolde ", env!("CARGO_PKG_VERSION"));
    Ok(answer::json(&Health { status: "ok", program, searches: Searches { running, waiting } }))
}

/// `GET /metrics`: what the server counts, for Prometheus.
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Result<Response, Fault> {
    if !app.settings.metrics {
        return Err(Fault::new(StatusCode::NOT_FOUND, "this server does not tell what it counts: start it with metrics"));
    }
    let (running, waiting) = app.lanes.load();
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, kind)], app.metrics.text(running, waiting)).into_response())
}
