//! An analysis as server-sent events, while it improves.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::Serialize;
use tokio::time::{Interval, interval_at};

use super::answer;
use super::fault::Fault;
use super::found::Found;
use super::metrics::Inside;
use super::questions::{Answered, Subscription};
use super::search::{End, Latest};

/// A search that does not begin at once is said to be waiting after this time.
const BEFORE_WAITING: Duration = Duration::from_millis(20);

/// How often it is looked after that, whether a search still waits.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// After this many looks without an event something is sent, so that nobody on the way takes the
/// connection for dead.
const QUIET_LOOKS: u32 = 10;

#[derive(Serialize)]
struct Waiting {
    ahead: usize,
}

#[derive(Serialize)]
struct Done {
    complete: bool,
}

/// One event, as it is sent. JSON has no line breaks, so the data is one line.
fn event(name: &str, data: &[u8]) -> Bytes {
    [b"event: ", name.as_bytes(), b"\ndata: ", data, b"\n\n"].concat().into()
}

/// A stream of events about one search.
struct Events {
    asked: String,
    /// Events that are still to be sent.
    ready: VecDeque<Bytes>,
    /// The search; `None` once it is over.
    subscription: Option<Subscription>,
    /// What was sent last.
    sent: Option<Arc<Found>>,
    /// The number of searches ahead that was told last.
    ahead: Option<usize>,
    looks: Interval,
    quiet: u32,
    _open: Inside,
}

/// The answer: a stream that ends with the search, or when the server stops. If the client goes
/// away, the stream is dropped, and the search with it.
pub(super) fn answer(asked: String, answered: Answered, time: Duration, open: Inside) -> Response {
    let looks = interval_at(tokio::time::Instant::now() + BEFORE_WAITING, BETWEEN_LOOKS);
    let ready = VecDeque::new();
    let mut events = Events { asked, ready, subscription: None, sent: None, ahead: None, looks, quiet: 0, _open: open };
    match answered {
        Answered::AtOnce(found) => {
            events.tell(&found);
            events.done(found.analysis.is_complete_within(time));
        }
        Answered::SoFar(mut subscription) => {
            let latest = subscription.latest();
            events.subscription = Some(subscription);
            events.update(latest);
        }
    }
    let mut response = Response::new(Body::from_stream(events.stream()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    // A proxy must not hold events back.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

impl Events {
    fn stream(self) -> impl Stream<Item = Result<Bytes, Infallible>> {
        unfold(self, |mut events| async {
            let event = events.next().await?;
            Some((Ok(event), events))
        })
    }

    /// The next event. `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.quiet = 0;
                return Some(event);
            }
            let subscription = self.subscription.as_mut()?;
            tokio::select! {
                biased;
                latest = subscription.next() => self.update(latest),
                _ = self.looks.tick() => self.look(),
            }
        }
    }

    /// Tells what is new.
    fn update(&mut self, latest: Latest) {
        self.tell(&latest.found);
        match latest.end {
            None => {}
            Some(End::Over) => {
                let complete = self.subscription.as_ref().is_some_and(|subscription| subscription.is_complete(&latest.found));
                self.done(complete);
            }
            Some(End::Failed(fault)) => self.fail(&fault),
        }
    }

    fn tell(&mut self, found: &Arc<Found>) {
        if self.sent.as_ref().is_none_or(|sent| !Arc::ptr_eq(sent, found)) {
            self.ready.push_back(event("analysis", &found.to(&self.asked)));
            self.sent = Some(Arc::clone(found));
        }
    }

    fn done(&mut self, complete: bool) {
        self.ready.push_back(event("done", &answer::bytes(&Done { complete })));
        self.subscription = None;
    }

    fn fail(&mut self, fault: &Fault) {
        self.ready.push_back(event("error", &answer::bytes(&fault.sent())));
        self.subscription = None;
    }

    /// Tells how many searches are ahead, if that has changed.
    fn look(&mut self) {
        let ahead = self.subscription.as_ref().and_then(Subscription::ahead);
        if let Some(ahead) = ahead.filter(|_| ahead != self.ahead) {
            self.ready.push_back(event("waiting", &answer::bytes(&Waiting { ahead })));
        }
        self.ahead = ahead;
        self.quiet += 1;
        if self.quiet >= QUIET_LOOKS && self.ready.is_empty() {
            self.ready.push_back(Bytes::from_static(b":\n\n"));
        }
    }
}
