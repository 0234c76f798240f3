//! Questions about positions: answered from what is kept or at hand, or by a search that all who
//! ask the same share.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::at_hand::AtHand;
use super::fault::Fault;
use super::found::{Found, Kept};
use super::lanes::Lanes;
use super::metrics::Metrics;
use super::search::{End, Latest, Search};
use crate::analysis::Request;
use crate::game::position::Position;

/// A search that is over in time may tell so a little late.
const GRACE: Duration = Duration::from_millis(200);

/// What makes two questions the same: the position as a diagram, and how long plies are counted.
type Key = (String, Option<Duration>);

/// A search that somebody waits for.
struct Open {
    /// Its number in the queue.
    id: u64,
    search: Arc<Search>,
    subscribers: usize,
}

/// All questions.
pub(super) struct Questions {
    open: Mutex<HashMap<Key, Open>>,
    kept: Arc<Kept>,
    at_hand: Arc<AtHand>,
    lanes: Arc<Lanes>,
    metrics: Arc<Metrics>,
}

/// What becomes of a question.
pub(super) enum Answered {
    /// Nothing is left to find out within the time.
    AtOnce(Arc<Found>),
    /// A search goes on.
    SoFar(Subscription),
}

/// Somebody who waits for a search. Once the last one is dropped, the search stops.
pub(super) struct Subscription {
    questions: Arc<Questions>,
    key: Key,
    id: u64,
    latest: watch::Receiver<Latest>,
    time: Duration,
    deadline: Instant,
}

impl Questions {
    /// Questions of at most this time each.
    pub(super) fn new(most_time: Duration, at_hand: Arc<AtHand>, lanes: Arc<Lanes>, metrics: Arc<Metrics>) -> Self {
        Self { open: Mutex::default(), kept: Arc::new(Kept::new(most_time)), at_hand, lanes, metrics }
    }

    /// Asks about a position, for at most this time.
    pub(super) async fn ask(
        self: &Arc<Self>,
        position: &Position,
        request: Request,
        time: Duration,
        client: IpAddr,
    ) -> Result<Answered, Fault> {
        let deadline = Instant::now() + time;
        let key = (position.setup().to_string(), request.plies);
        if let Some(found) = self.kept.get(&key.0) {
            self.metrics.kept.add_one();
            return Ok(Answered::AtOnce(found));
        }
        if let Some(subscription) = self.join(&key, time, deadline) {
            return Ok(Answered::SoFar(subscription));
        }
        let found = Found::new(self.at_hand.look(position).await?);
        if time.is_zero() || found.analysis.is_complete_within(time) {
            self.metrics.at_hand.add_one();
            self.kept.offer(&key.0, &found);
            return Ok(Answered::AtOnce(found));
        }
        let search = || Search::new(position.clone(), request, found, deadline, Arc::clone(&self.kept));
        self.join_or_begin(key, search, client, time, deadline).map(Answered::SoFar)
    }

    /// Waits with others for a search that goes on.
    fn join(self: &Arc<Self>, key: &Key, time: Duration, deadline: Instant) -> Option<Subscription> {
        self.join_in(&mut self.lock(), key, time, deadline)
    }

    fn join_in(
        self: &Arc<Self>,
        open: &mut HashMap<Key, Open>,
        key: &Key,
        time: Duration,
        deadline: Instant,
    ) -> Option<Subscription> {
        let shared = open.get_mut(key)?;
        let subscription = self.subscription(key.clone(), shared, time, deadline)?;
        shared.subscribers += 1;
        self.metrics.joined.add_one();
        Some(subscription)
    }

    /// Begins a search, unless somebody else has begun the same meanwhile.
    fn join_or_begin(
        self: &Arc<Self>,
        key: Key,
        search: impl FnOnce() -> Search,
        client: IpAddr,
        time: Duration,
        deadline: Instant,
    ) -> Result<Subscription, Fault> {
        let mut open = self.lock();
        if let Some(subscription) = self.join_in(&mut open, &key, time, deadline) {
            return Ok(subscription);
        }
        let search = Arc::new(search());
        // It cannot be over before it begins, so there is a place for the first who waits.
        let latest = search.subscribe(deadline).ok_or_else(Fault::internal)?;
        let id = self.lanes.submit(client, Arc::<Search>::clone(&search))?;
        open.insert(key.clone(), Open { id, search, subscribers: 1 });
        Ok(Subscription { questions: Arc::clone(self), key, id, latest, time, deadline })
    }

    /// A further place to wait at a search. `None` if it is over.
    fn subscription(self: &Arc<Self>, key: Key, open: &Open, time: Duration, deadline: Instant) -> Option<Subscription> {
        let latest = open.search.subscribe(deadline)?;
        Some(Subscription { questions: Arc::clone(self), key, id: open.id, latest, time, deadline })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscription {
    /// What is known now.
    pub(super) fn latest(&mut self) -> Latest {
        self.latest.borrow_and_update().clone()
    }

    /// Waits until more is known. At the deadline the search is over, whatever it does.
    pub(super) async fn next(&mut self) -> Latest {
        let changed = tokio::time::timeout_at((self.deadline + GRACE).into(), self.latest.changed()).await;
        let mut latest = self.latest();
        if !matches!(changed, Ok(Ok(()))) {
            latest.end.get_or_insert(End::Over);
        }
        latest
    }

    /// Waits for the end.
    pub(super) async fn end(&mut self) -> Result<Arc<Found>, Fault> {
        self.until(|_| false).await
    }

    /// Waits until an answer suffices, or for the end.
    pub(super) async fn until(&mut self, suffices: impl Fn(&Found) -> bool) -> Result<Arc<Found>, Fault> {
        let mut latest = self.latest();
        loop {
            match latest.end {
                Some(End::Failed(fault)) => return Err(fault),
                Some(End::Over) => return Ok(latest.found),
                None if suffices(&latest.found) => return Ok(latest.found),
                None => latest = self.next().await,
            }
        }
    }

    /// How many searches come before this one, with those that run. `None` if it does not wait.
    pub(super) fn ahead(&self) -> Option<usize> {
        self.questions.lanes.ahead(self.id)
    }

    /// Whether an answer has all that can be found in the time that was asked for.
    pub(super) fn is_complete(&self, found: &Found) -> bool {
        found.analysis.is_complete_within(self.time)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut open = self.questions.lock();
        // The place may be taken by a later search for the same.
        let Some(shared) = open.get_mut(&self.key).filter(|shared| shared.id == self.id) else { return };
        shared.subscribers -= 1;
        if shared.subscribers == 0 {
            open.remove(&self.key);
            self.questions.lanes.withdraw(self.id);
        }
    }
}
