//! The order in which searches get their turns.
//!
//! The search that has run least comes first, so a newcomer does not wait for long searches. Among
//! those served alike, the clients take turns, so a client with many questions does not push the
//! others back. Every fourth turn goes to the search that has waited longest, so that a stream of
//! newcomers cannot hold up a long search for ever.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

/// Searches whose times are in the same step have been served alike.
const STEP: Duration = Duration::from_millis(100);

/// One of this many turns goes to the search that has waited longest.
const TURNS_BY_AGE: u64 = 4;

/// The most clients whose last turns are remembered although they wait for nothing.
const MOST_IDLE_CLIENTS: usize = 1024;

/// There is no room for another search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Full;

/// A search that waits.
#[derive(Debug)]
pub(super) struct Waiting<T> {
    pub(super) id: u64,
    pub(super) client: IpAddr,
    /// How long it has run so far.
    pub(super) served: Duration,
    pub(super) item: T,
    /// When it was put here, as a number that grows.
    put: u64,
}

/// The searches that wait.
pub(super) struct Queue<T> {
    waiting: Vec<Waiting<T>>,
    most: usize,
    /// Turns given so far.
    turns: u64,
    /// Entries put so far.
    puts: u64,
    last_turns: HashMap<IpAddr, u64>,
}

impl<T> Queue<T> {
    /// A queue that takes in at most this many newcomers at a time.
    pub(super) fn new(most: usize) -> Self {
        Self { waiting: Vec::new(), most, turns: 0, puts: 0, last_turns: HashMap::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Takes in a newcomer.
    pub(super) fn push(&mut self, id: u64, client: IpAddr, item: T) -> Result<(), Full> {
        if self.waiting.len() >= self.most {
            return Err(Full);
        }
        self.put_back(id, client, Duration::ZERO, item);
        Ok(())
    }

    /// Takes back a search that has had a turn. There is always room for it: it was here before.
    pub(super) fn put_back(&mut self, id: u64, client: IpAddr, served: Duration, item: T) {
        self.puts += 1;
        self.waiting.push(Waiting { id, client, served, item, put: self.puts });
    }

    /// The search whose turn it is. It leaves the queue.
    pub(super) fn take(&mut self) -> Option<Waiting<T>> {
        let by_age = (self.turns + 1).is_multiple_of(TURNS_BY_AGE);
        let places = 0..self.waiting.len();
        let next = if by_age {
            places.min_by_key(|&place| self.waiting[place].put)
        } else {
            places.min_by_key(|&place| self.rank(&self.waiting[place]))
        };
        let next = self.waiting.swap_remove(next?);
        self.turns += 1;
        self.last_turns.insert(next.client, self.turns);
        if self.last_turns.len() > self.waiting.len() + MOST_IDLE_CLIENTS {
            self.last_turns.retain(|client, _| self.waiting.iter().any(|waiting| waiting.client == *client));
        }
        Some(next)
    }

    /// Removes a search. `None` if it does not wait here.
    pub(super) fn remove(&mut self, id: u64) -> Option<Waiting<T>> {
        let place = self.waiting.iter().position(|waiting| waiting.id == id)?;
        Some(self.waiting.swap_remove(place))
    }

    /// Removes all searches.
    pub(super) fn drain(&mut self) -> Vec<Waiting<T>> {
        std::mem::take(&mut self.waiting)
    }

    /// How many searches come before this one. `None` if it does not wait here.
    pub(super) fn ahead(&self, id: u64) -> Option<usize> {
        let own = self.rank(self.waiting.iter().find(|waiting| waiting.id == id)?);
        Some(self.waiting.iter().filter(|waiting| self.rank(waiting) < own).count())
    }

    /// How long the search that was served least has run. `None` if none waits.
    pub(super) fn least_served(&self) -> Option<Duration> {
        self.waiting.iter().map(|waiting| waiting.served).min()
    }

    fn rank(&self, waiting: &Waiting<T>) -> (u128, u64, u64) {
        let last_turn = self.last_turns.get(&waiting.client).copied().unwrap_or(0);
        (waiting.served.as_millis() / STEP.as_millis(), last_turn, waiting.put)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u8) -> IpAddr {
        [10, 0, 0, number].into()
    }

    fn order(mut queue: Queue<()>) -> Vec<u64> {
        std::iter::from_fn(|| queue.take().map(|next| next.id)).collect()
    }

    #[test]
    fn newcomers_come_before_long_searches() {
        let mut queue = Queue::new(10);
        queue.put_back(1, client(1), Duration::from_secs(3), ());
        queue.put_back(2, client(2), Duration::from_millis(350), ());
        queue.push(3, client(1), ()).expect("there is room");
        assert_eq!((queue.ahead(1), queue.ahead(2), queue.ahead(3), queue.ahead(4)), (Some(2), Some(1), Some(0), None));
        assert_eq!(queue.least_served(), Some(Duration::ZERO));
        assert_eq!(order(queue), [3, 2, 1]);
    }

    #[test]
    fn clients_take_turns() {
        let mut queue = Queue::new(100);
        for id in 1..=3 {
            queue.push(id, client(1), ()).expect("there is room");
        }
        queue.push(11, client(2), ()).expect("there is room");
        assert_eq!(order(queue), [1, 11, 2, 3]);
    }

    #[test]
    fn newcomers_cannot_hold_up_a_long_search_for_ever() {
        let mut queue = Queue::new(100);
        queue.put_back(1, client(1), Duration::from_secs(60), ());
        let mut turns = 0;
        loop {
            queue.push(100 + turns, client(2), ()).expect("there is room");
            turns += 1;
            if queue.take().expect("somebody waits").id == 1 {
                break;
            }
        }
        assert_eq!(turns, TURNS_BY_AGE);
    }

    #[test]
    fn a_full_queue_refuses_newcomers_only() {
        let mut queue = Queue::new(1);
        assert_eq!(queue.push(1, client(1), ()), Ok(()));
        assert_eq!(queue.push(2, client(2), ()), Err(Full));
        queue.put_back(3, client(3), Duration::from_secs(1), ());
        assert_eq!(queue.len(), 2);
        assert!(queue.remove(1).is_some() && queue.remove(1).is_none());
        assert_eq!(order(queue), [3]);
    }

    #[test]
    fn clients_who_left_are_forgotten() {
        let mut queue = Queue::new(10);
        for number in 0..3000_u16 {
            let [high, low] = number.to_be_bytes();
            queue.push(number.into(), [10, 0, high, low].into(), ()).expect("there is room");
            queue.take();
        }
        assert!(queue.last_turns.len() <= MOST_IDLE_CLIENTS + 1);
    }
}
