//! What the server counts, as the text that Prometheus reads.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A number that only grows.
#[derive(Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) fn add_one(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How many of something there are now.
#[derive(Default)]
pub(super) struct Gauge(AtomicU64);

impl Gauge {
    /// One more, until the guard is dropped.
    pub(super) fn enter(self: &std::sync::Arc<Self>) -> Inside {
        self.0.fetch_add(1, Ordering::Relaxed);
        Inside(std::sync::Arc::clone(self))
    }

    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counts in a [`Gauge`] as long as it lives.
pub(super) struct Inside(std::sync::Arc<Gauge>);

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The bounds of the times that are counted apart, in seconds.
const BOUNDS: [f64; 8] = [0.001, 0.005, 0.025, 0.1, 0.5, 2.0, 10.0, 60.0];

/// What the server counts.
#[derive(Default)]
pub(super) struct Metrics {
    /// Answers by the first digit of their status.
    statuses: [Counter; 6],
    /// Answers by how long they took to begin: within each bound, and in all.
    within: [Counter; BOUNDS.len()],
    microseconds: AtomicU64,
    /// Questions answered from what was at hand.
    pub(super) at_hand: Counter,
    /// Questions answered from what was kept.
    pub(super) kept: Counter,
    /// Questions that joined a search for the same position.
    pub(super) joined: Counter,
    /// Questions refused because the queue was full.
    pub(super) refused: Counter,
    /// Searches begun.
    pub(super) begun: Counter,
    /// Searches that came to their end, whether by an answer or by their time.
    pub(super) ended: Counter,
    /// Searches that nobody waited for any more.
    pub(super) left: Counter,
    /// Turns given to searches.
    pub(super) turns: Counter,
    pub(super) connections: std::sync::Arc<Gauge>,
    pub(super) streams: std::sync::Arc<Gauge>,
}

impl Metrics {
    /// Counts an answer.
    pub(super) fn answered(&self, status: u16, took: Duration) {
        if let Some(counter) = self.statuses.get(usize::from(status / 100)) {
            counter.add_one();
        }
        self.microseconds.fetch_add(took.as_micros().min(u64::MAX.into()) as u64, Ordering::Relaxed);
        let seconds = took.as_secs_f64();
        for (counter, _) in self.within.iter().zip(BOUNDS).filter(|(_, bound)| seconds <= *bound) {
            counter.add_one();
        }
    }

    /// The text, in the format 0.0.4 of Prometheus.
    pub(super) fn text(&self, running: usize, waiting: usize) -> String {
        let mut text = String::new();
        let mut family = |name: &str, kind: &str, help: &str, values: &[(String, String)]| {
            let _ = write!(text, "# HELP isolde_{name} {help}\n# TYPE isolde_{name} {kind}\n");
            for (labels, value) in values {
                let _ = writeln!(text, "isolde_{name}{labels} {value}");
            }
        };
        let one = |value: u64| vec![(String::new(), value.to_string())];
        let labelled = |label: &str, values: &[(&str, &Counter)]| -> Vec<(String, String)> {
            values.iter().map(|(name, counter)| (format!("{{{label}=\"{name}\"}}"), counter.get().to_string())).collect()
        };
        let classes = ["", "1xx", "2xx", "3xx", "4xx", "5xx"];
        let statuses: Vec<(&str, &Counter)> = classes.into_iter().zip(&self.statuses).skip(2).collect();
        family("requests_total", "counter", "Requests answered, by status.", &labelled("status", &statuses));
        let all: u64 = self.statuses.iter().map(Counter::get).sum();
        let mut times: Vec<(String, String)> = Vec::new();
        for (bound, counter) in BOUNDS.iter().zip(&self.within) {
            times.push((format!("_bucket{{le=\"{bound}\"}}"), counter.get().to_string()));
        }
        times.push(("_bucket{le=\"+Inf\"}".to_string(), all.to_string()));
        let seconds = self.microseconds.load(Ordering::Relaxed) as f64 / 1e6;
        times.push(("_sum".to_string(), seconds.to_string()));
        times.push(("_count".to_string(), all.to_string()));
        family("request_seconds", "histogram", "Time until an answer began.", &times);
        let origins = [("at_hand", &self.at_hand), ("kept", &self.kept), ("joined", &self.joined), ("search", &self.begun)];
        family("questions_total", "counter", "Questions about positions, by what answers them.", &labelled("by", &origins));
        let ends = [("ended", &self.ended), ("left", &self.left), ("refused", &self.refused)];
        family("searches_total", "counter", "Searches that are over, by how they ended.", &labelled("end", &ends));
        family("turns_total", "counter", "Turns given to searches.", &one(self.turns.get()));
        family("searches_running", "gauge", "Searches that run.", &one(running as u64));
        family("searches_waiting", "gauge", "Searches that wait for a turn.", &one(waiting as u64));
        family("connections", "gauge", "Open connections.", &one(self.connections.get()));
        family("event_streams", "gauge", "Open streams of events.", &one(self.streams.get()));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_within_every_bound_that_they_keep() {
        let metrics = Metrics::default();
        metrics.answered(200, Duration::from_millis(3));
        metrics.answered(404, Duration::from_secs(3));
        let text = metrics.text(1, 2);
        for line in [
            "isolde_requests_total{status=\"2xx\"} 1",
            "isolde_requests_total{status=\"4xx\"} 1",
            "isolde_request_seconds_bucket{le=\"0.001\"} 0",
            "isolde_request_seconds_bucket{le=\"0.005\"} 1",
            "isolde_request_seconds_bucket{le=\"10\"} 2",
            "isolde_request_seconds_count 2",
            "isolde_request_seconds_sum 3.003",
            "isolde_searches_waiting 2",
        ] {
            assert!(text.lines().any(|found| found == line), "no line `{line}` in\n{text}");
        }
    }
}
