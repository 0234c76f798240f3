//! What happens around every request: it is checked before, and headers, log and counters follow.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::app::App;
use super::client::Client;
use super::fault::Fault;
use super::headers;
use super::voice::Said;

/// The longest address, and the most bytes of headers. The longest line of play takes 500 bytes.
const MOST_URI: usize = 8 << 10;
const MOST_HEADERS: usize = 16 << 10;

pub(super) async fn around(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let line = app.settings.log.then(|| said_of(&request));
    let mut response = match check(&app, request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(fault) => fault.into_response(),
    };
    headers::complete(response.headers_mut());
    let (status, took) = (response.status().as_u16(), began.elapsed());
    app.metrics.answered(status, took);
    if let Some(line) = line {
        (app.voice)(Said::Request(&format!("{line} {status} {:.1}ms", took.as_secs_f64() * 1e3)));
    }
    response
}

fn check(app: &App, uri: &Uri, headers: &HeaderMap) -> Result<(), Fault> {
    app.hosts.check(uri, headers)?;
    let length = uri.path().len() + uri.query().map_or(0, str::len);
    if length > MOST_URI {
        let sentence = format!("the address has {length} bytes: write at most {MOST_URI}");
        return Err(Fault::new(StatusCode::URI_TOO_LONG, sentence));
    }
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if bytes > MOST_HEADERS {
        let sentence = format!("the headers have {bytes} bytes: send at most {MOST_HEADERS}");
        return Err(Fault::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, sentence));
    }
    Ok(())
}

/// Who asks for what, for the log. An address has no spaces and no control characters.
fn said_of(request: &Request) -> String {
    let client = request.extensions().get::<Client>().map_or_else(|| "-".to_string(), |client| client.0.to_string());
    format!("{client} {} {}", request.method(), request.uri())
}
