//! Errors as answers: a status and one sentence, as JSON.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::answer;
use crate::game::notation;
use crate::solve::SolverError;

/// Why a request is not answered.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) status: StatusCode,
    /// Says what was wrong and what would be right.
    pub(super) sentence: String,
}

/// After this many seconds a client may ask a busy server again.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("5");

/// An error as it is sent, also within a stream of events.
#[derive(Serialize)]
pub(super) struct Sent<'a> {
    error: &'a str,
}

impl Fault {
    pub(super) fn new(status: StatusCode, sentence: impl Into<String>) -> Self {
        Self { status, sentence: sentence.into() }
    }

    /// The request asks for something that cannot be read.
    pub(super) fn input(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// The server has too much to do.
    pub(super) fn busy(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }

    /// The server is about to end.
    pub(super) fn stopping() -> Self {
        Self::busy("the server is stopping: ask again when it runs")
    }

    /// A fault of this program.
    pub(super) fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "the answer was lost by an error of the server: please report it")
    }

    pub(super) fn sent(&self) -> Sent<'_> {
        Sent { error: &self.sentence }
    }
}

impl From<notation::Error> for Fault {
    fn from(fault: notation::Error) -> Self {
        Self::input(fault.to_string())
    }
}

/// The machine has no more threads or memory for now.
impl From<SolverError> for Fault {
    fn from(fault: SolverError) -> Self {
        Self::busy(fault.to_string())
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let mut response = answer::with_status(self.status, &self.sent());
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        response
    }
}
