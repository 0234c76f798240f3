//! Limits on long work, and what can be seen of it while it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The work was stopped before it had an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Shared by whoever searches and whoever watches.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    deadline: Option<Instant>,
    most_nodes: Option<u64>,
    nodes: AtomicU64,
    /// Steps of work that are no nodes, but count towards a limit of nodes.
    steps: AtomicU64,
    /// The control of the whole that this is a part of.
    whole: Option<Arc<Control>>,
}

impl Control {
    /// No limit.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Stops by itself once this time has passed.
    #[must_use]
    pub fn with_time(time: Option<Duration>) -> Self {
        Self { deadline: time.and_then(|time| Instant::now().checked_add(time)), ..Self::default() }
    }

    /// Stops by itself once so many nodes have been searched, or a few more: they are reported by the thousand. With one thread that is always at the same node.
    #[must_use]
    pub fn with_nodes(nodes: u64) -> Self {
        Self { most_nodes: Some(nodes), ..Self::default() }
    }

    /// A part of the work under this control: it stops once this time has passed, and whenever the whole does. Its nodes count for both.
    #[must_use]
    pub fn part(self: &Arc<Self>, time: Option<Duration>) -> Self {
        let own = Self::with_time(time);
        let deadline = own.deadline.into_iter().chain(self.deadline).min();
        Self { deadline, whole: Some(Arc::clone(self)), ..own }
    }

    /// A part that has this share, in percent, of the time and of the nodes that are left.
    #[must_use]
    pub fn share(self: &Arc<Self>, percent: u32) -> Self {
        let nodes = self.nodes_left().map(|nodes| (u128::from(nodes) * u128::from(percent) / 100) as u64);
        let time = self.time_left().map(|time| time.checked_mul(percent).map_or(time, |times| times / 100));
        Self { most_nodes: nodes, ..self.part(time) }
    }

    /// A part that stops once it has searched so many nodes.
    #[must_use]
    pub fn part_of_nodes(self: &Arc<Self>, nodes: u64) -> Self {
        Self { most_nodes: Some(nodes), ..self.part(None) }
    }

    /// The time until it stops by itself; none if it never does.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The nodes until it stops by itself; none if it never does.
    #[must_use]
    pub fn nodes_left(&self) -> Option<u64> {
        self.most_nodes.map(|most| most.saturating_sub(self.nodes() + self.steps.load(Ordering::Relaxed)))
    }

    /// Asks all searches to stop.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the work should stop, or has been stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.nodes_left() == Some(0)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.whole.as_ref().is_some_and(|whole| whole.is_stopped())
    }

    /// The positions searched so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Counts nodes; whoever searches tells of them now and then.
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

/// How many steps, or nodes, pass between two looks at the clock.
pub(super) const STEPS_BETWEEN_CHECKS: u64 = 1 << 10;

/// Counts the steps of work that nobody else counts, and looks now and then whether it is still wanted.
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
        self.wanted.control().add_steps(STEPS_BETWEEN_CHECKS);
        self.wanted.check()
    }
}

/// Whether a part of the search is still wanted: one link for each split above it, up to the control.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    control: &'a Control,
    decided: Option<(&'a AtomicBool, &'a Wanted<'a>)>,
}

impl<'a> Wanted<'a> {
    pub(super) fn by(control: &'a Control) -> Self {
        Self { control, decided: None }
    }

    /// The same until `decided` is set: then a sibling has settled what was asked.
    pub(super) fn until(&'a self, decided: &'a AtomicBool) -> Self {
        Self { control: self.control, decided: Some((decided, self)) }
    }

    pub(super) fn control(&self) -> &'a Control {
        self.control
    }

    /// An error once nobody wants the answer any more.
    pub(super) fn check(&self) -> Result<(), Stopped> {
        let mut link = self.decided;
        while let Some((decided, above)) = link {
            if decided.load(Ordering::Relaxed) {
                return Err(Stopped);
            }
            link = above.decided;
        }
        if self.control.is_stopped() { Err(Stopped) } else { Ok(()) }
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
    fn nodes_are_a_limit_and_can_be_shared() {
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
