//! Limits on long work, and its progress while it runs.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The work was stopped before it found an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stopped before an answer was found")
    }
}

impl std::error::Error for Stopped {}

/// The limits and the node count of some work. Shared between the threads that search, which obey
/// it, and any thread that watches or stops them.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    deadline: Option<Instant>,
    most_nodes: Option<u64>,
    nodes: AtomicU64,
    /// Steps of work that are not nodes but count towards a node limit.
    steps: AtomicU64,
    /// The control of the larger work of which this is a part.
    whole: Option<Arc<Control>>,
}

impl Control {
    /// A control without a limit.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// A control that stops the work once this time has passed.
    #[must_use]
    pub fn with_time(time: Option<Duration>) -> Self {
        Self { deadline: time.and_then(|time| Instant::now().checked_add(time)), ..Self::default() }
    }

    /// A control that stops the work once this many nodes have been searched, or a few more:
    /// searches report their nodes about a thousand at a time. With one thread, the work always
    /// stops at the same node.
    #[must_use]
    pub fn with_nodes(nodes: u64) -> Self {
        Self { most_nodes: Some(nodes), ..Self::default() }
    }

    /// The control for a part of this work. The part stops once this time has passed, or when the
    /// whole stops. Its nodes count for both.
    #[must_use]
    pub fn part(self: &Arc<Self>, time: Option<Duration>) -> Self {
        let own = Self::with_time(time);
        let deadline = own.deadline.into_iter().chain(self.deadline).min();
        Self { deadline, whole: Some(Arc::clone(self)), ..own }
    }

    /// The control for a part that gets this percentage of the remaining time and nodes.
    #[must_use]
    pub fn share(self: &Arc<Self>, percent: u32) -> Self {
        let nodes = self.nodes_left().map(|nodes| (u128::from(nodes) * u128::from(percent) / 100) as u64);
        let time = self.time_left().map(|time| time.checked_mul(percent).map_or(time, |times| times / 100));
        Self { most_nodes: nodes, ..self.part(time) }
    }

    /// The control for a part that stops once it has searched this many nodes.
    #[must_use]
    pub fn part_of_nodes(self: &Arc<Self>, nodes: u64) -> Self {
        Self { most_nodes: Some(nodes), ..self.part(None) }
    }

    /// The time left until the deadline. `None` if there is no deadline.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The number of nodes left until the node limit. `None` if there is no limit.
    #[must_use]
    pub fn nodes_left(&self) -> Option<u64> {
        self.most_nodes.map(|most| most.saturating_sub(self.nodes() + self.steps.load(Ordering::Relaxed)))
    }

    /// Asks all searches to stop.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the work should stop, because it was asked to or because a limit has been reached.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.nodes_left() == Some(0)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.whole.as_ref().is_some_and(|whole| whole.is_stopped())
    }

    /// The number of positions searched so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds to the number of nodes. Searches call this now and then, not at every node.
    pub fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        if let Some(whole) = &self.whole {
            whole.add_nodes(nodes);
        }
    }

    fn add_steps(&self, steps: u64) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
        if let Some(whole) = &self.whole {
            whole.add_steps(steps);
        }
    }
}

/// How many steps or nodes pass between two checks of the limits.
pub(super) const STEPS_BETWEEN_CHECKS: u64 = 1 << 10;

/// Counts steps of work that are not nodes, and checks
/// now and then whether the work is still wanted.
pub(super) struct Steps<'a> {
    wanted: &'a Wanted<'a>,
    steps: u64,
}

impl<'a> Steps<'a> {
    pub(super) fn new(wanted: &'a Wanted<'a>) -> Self {
        Self { wanted, steps: 0 }
    }

    pub(super) fn step(&mut self) -> Result<(), Stopped> {
        self.steps += 1;
        if !self.steps.is_multiple_of(STEPS_BETWEEN_CHECKS) {
            return Ok(());
        }
        self.wanted.add_steps(STEPS_BETWEEN_CHECKS);
        self.wanted.check()
    }
}

/// The nodes and other steps that a move may take before others get a chance. All threads that
/// search the move share it.
pub(super) struct Allowance {
    spent: AtomicU64,
    most: u64,
}

impl Allowance {
    pub(super) fn new(most: u64) -> Self {
        Self { spent: AtomicU64::new(0), most }
    }

    fn is_spent(&self) -> bool {
        self.spent.load(Ordering::Relaxed) >= self.most
    }
}

/// What ends a part of the search before its answer is found.
#[derive(Clone, Copy)]
enum End<'a> {
    /// A sibling has settled the question.
    Decided(&'a AtomicBool),
    /// The part has had its nodes, and it is a sibling's turn.
    Spent(&'a Allowance),
}

/// Whether a part of the search is still wanted. It is a chain with links for the splits and the
/// allowances above, up to the control.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    control: &'a Control,
    link: Option<(End<'a>, &'a Wanted<'a>)>,
}

impl<'a> Wanted<'a> {
    pub(super) fn by(control: &'a Control) -> Self {
        Self { control, link: None }
    }

    /// A link that also ends the work when `decided` is
    /// set: a sibling has then settled the question.
    pub(super) fn until(&'a self, decided: &'a AtomicBool) -> Self {
        Self { control: self.control, link: Some((End::Decided(decided), self)) }
    }

    /// A link that also ends the work when the allowance is spent.
    pub(super) fn within(&'a self, allowance: &'a Allowance) -> Self {
        Self { control: self.control, link: Some((End::Spent(allowance), self)) }
    }

    pub(super) fn control(&self) -> &'a Control {
        self.control
    }

    /// The links, from this part of the search upwards.
    fn links(&self) -> impl Iterator<Item = End<'a>> {
        let mut next = self.link;
        std::iter::from_fn(move || {
            let (end, above) = next?;
            next = above.link;
            Some(end)
        })
    }

    /// Adds to the nodes of the control, and to what is spent of all allowances above.
    pub(super) fn add_nodes(&self, nodes: u64) {
        self.control.add_nodes(nodes);
        self.spend(nodes);
    }

    /// The same for steps that are not nodes.
    fn add_steps(&self, steps: u64) {
        self.control.add_steps(steps);
        self.spend(steps);
    }

    fn spend(&self, amount: u64) {
        for end in self.links() {
            if let End::Spent(allowance) = end {
                allowance.spent.fetch_add(amount, Ordering::Relaxed);
            }
        }
    }

    /// An error once the answer is no longer wanted.
    pub(super) fn check(&self) -> Result<(), Stopped> {
        let over = |end| match end {
            End::Decided(decided) => decided.load(Ordering::Relaxed),
            End::Spent(allowance) => allowance.is_spent(),
        };
        if self.links().any(over) || self.control.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_stops_with_the_whole_or_before_it() {
        let whole = Arc::new(Control::unlimited());
        let (long, over) = (whole.part(None), whole.part(Some(Duration::ZERO)));
        long.add_nodes(7);
        assert_eq!((whole.nodes(), long.nodes(), over.nodes()), (7, 7, 0));
        assert_eq!([whole.is_stopped(), long.is_stopped(), over.is_stopped()], [false, false, true]);
        whole.stop();
        assert!(long.is_stopped());
        let short = Arc::new(Control::with_time(Some(Duration::ZERO)));
        assert!(short.part(Some(Duration::MAX)).is_stopped() && short.part(None).time_left() == Some(Duration::ZERO));
    }

    #[test]
    fn a_node_limit_stops_the_work_and_can_be_shared() {
        let whole = Arc::new(Control::with_nodes(10_000));
        let part = whole.share(30);
        part.add_nodes(2_999);
        assert_eq!((part.nodes_left(), whole.nodes_left(), part.is_stopped()), (Some(1), Some(7_001), false));
        part.add_nodes(1);
        assert!(part.is_stopped() && !whole.is_stopped());
        whole.add_nodes(8_000);
        assert!(whole.is_stopped() && whole.share(50).is_stopped() && whole.part(None).is_stopped());
    }
}
