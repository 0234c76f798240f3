//! One search, for everybody who asks about the position.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::fault::Fault;
use super::found::{Found, Kept};
use super::lane::Lane;
use super::lanes::{Job, Turn};
use crate::analysis::{Analysis, Request};
use crate::game::position::Position;
use crate::solve::Control;

/// What the search has found so far, and whether it is over.
#[derive(Clone)]
pub(super) struct Latest {
    pub(super) found: Arc<Found>,
    pub(super) end: Option<End>,
}

/// How a search ended.
#[derive(Clone)]
pub(super) enum End {
    /// Everything that was asked for is found, or the time is over.
    Over,
    Failed(Fault),
}

/// A search whose answer improves.
pub(super) struct Search {
    position: Position,
    request: Request,
    latest: watch::Sender<Latest>,
    /// When the last of those who wait stops waiting. `None` once nobody may join.
    deadline: Mutex<Option<Instant>>,
    kept: Arc<Kept>,
}

impl Search {
    /// A search that begins with what is at hand.
    pub(super) fn new(position: Position, request: Request, first: Arc<Found>, deadline: Instant, kept: Arc<Kept>) -> Self {
        let (latest, _) = watch::channel(Latest { found: first, end: None });
        Self { position, request, latest, deadline: Mutex::new(Some(deadline)), kept }
    }

    /// Lets somebody wait for the answer until a deadline. `None` if the search is over.
    pub(super) fn subscribe(&self, deadline: Instant) -> Option<watch::Receiver<Latest>> {
        let mut latest = self.lock();
        *latest = Some(deadline.max((*latest)?));
        Some(self.latest.subscribe())
    }

    /// Whether the search is over: it is complete, or nobody has time left. Then nobody can join.
    fn close(&self, complete: bool) -> bool {
        let mut latest = self.lock();
        let over = complete || latest.is_none_or(|deadline| deadline <= Instant::now());
        if over {
            *latest = None;
        }
        over
    }

    fn time_left(&self) -> Duration {
        self.lock().map_or(Duration::ZERO, |deadline| deadline.saturating_duration_since(Instant::now()))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn found(&self) -> Arc<Found> {
        Arc::clone(&self.latest.borrow().found)
    }

    /// Tells everybody, if there is news.
    fn publish(&self, analysis: &Analysis) {
        if Found::is_news(analysis, &self.found().analysis) {
            let found = Found::new(analysis.clone());
            self.latest.send_modify(|latest| latest.found = found);
        }
    }

    /// Tells everybody how it ended, unless they know already.
    fn end(&self, end: End) {
        self.close(true);
        self.latest.send_modify(|latest| {
            latest.end.get_or_insert(end);
        });
    }
}

impl Job for Search {
    fn can_pause(&self) -> bool {
        true
    }

    fn control(&self) -> Control {
        Control::with_time(Some(self.time_left()))
    }

    fn run(&self, lane: &mut Lane, control: &Arc<Control>) -> Turn {
        let analyst = match lane.analyst(self.position.size()) {
            Ok(analyst) => analyst,
            Err(fault) => {
                self.end(End::Failed(fault.into()));
                return Turn::Done;
            }
        };
        let before = self.found();
        let report = |so_far: &Analysis| self.publish(so_far);
        let analysis = analyst.resume(&before.analysis, &self.position, self.request, control, report);
        self.publish(&analysis);
        if !self.close(!control.is_stopped()) {
            return Turn::More;
        }
        self.kept.offer(&self.position.setup().to_string(), &self.found());
        Turn::Done
    }

    fn tell(&self) {
        self.end(End::Over);
    }

    fn fail(&self, fault: Fault) {
        self.end(End::Failed(fault));
    }
}
