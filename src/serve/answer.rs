//! Answers as JSON.

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// An answer in JSON, as bytes that are ready to be sent.
pub(super) fn ready(bytes: impl Into<Body>) -> Response {
    let mut response = Response::new(bytes.into());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The bytes of an answer. Every answer can be written: none has keys that are not texts.
pub(super) fn bytes(data: &impl Serialize) -> Bytes {
    serde_json::to_vec(data).unwrap_or_default().into()
}

/// An answer.
pub(super) fn json(data: &impl Serialize) -> Response {
    ready(bytes(data))
}

/// An answer with a status.
pub(super) fn with_status(status: StatusCode, data: &impl Serialize) -> Response {
    (status, json(data)).into_response()
}
