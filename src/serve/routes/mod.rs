//! The addresses that the server answers.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod position;

mod play;

mod boards;

mod games;

mod reasons;

mod server;

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};

use super::app::App;
use super::assets;
use super::fault::Fault;

/// The addresses of the page.
const PAGES: [&str; 7] = ["/", "/explore", "/setup", "/atlas", "/play", "/games", "/claims"];

/// Answers from this many bytes on are compressed.
const LEAST_TO_COMPRESS: u64 = 2048;

/// All addresses.
pub(super) fn router(app: &Arc<App>) -> Router {
    let api = Router::new()
        .route("/position", get(position::position))
        .route("/position/events", get(position::events))
        .route("/show", get(position::show))
        .route("/svg", get(position::svg))
        .route("/move", get(play::choose))
        .route("/agents", get(play::agents))
        .route("/boards", get(boards::boards))
        .route("/openings", get(boards::openings))
        .route("/tables", get(boards::tables))
        .route("/review", get(games::review))
        .route("/games", post(games::games))
        .route("/record", post(games::record))
        .route("/mirror", get(reasons::mirror))
        .route("/heuristics", get(reasons::heuristics))
        .route("/claims", get(reasons::claims))
        .route("/claims/{id}", get(reasons::claim))
        .route("/health", get(server::health));
    let pages = PAGES.iter().fold(Router::new(), |router, path| router.route(path, get(assets::index)));
    let worth_it = SizeAbove::new(LEAST_TO_COMPRESS).and(NotForContentType::SSE);
    pages
        .route("/assets/{version}/{*name}", get(assets::asset))
        .route("/metrics", get(server::metrics))
        .nest("/api/v1", api)
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method)
        .layer(CompressionLayer::new().gzip(true).compress_when(worth_it))
        .layer(CatchPanicLayer::custom(|_| Fault::internal().into_response()))
        .with_state(Arc::clone(app))
}

async fn nothing() -> Response {
    Fault::new(StatusCode::NOT_FOUND, "there is nothing at this address: docs/http-api.md lists the addresses").into_response()
}

async fn wrong_method() -> Response {
    let sentence = "this address does not take this method: see the header Allow";
    Fault::new(StatusCode::METHOD_NOT_ALLOWED, sentence).into_response()
}
