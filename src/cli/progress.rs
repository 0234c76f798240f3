//! Progress bars, on a terminal only, and only for work that a person has to wait for.

use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anstream::adapter::strip_str;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output::{self, grouped};
use crate::solve::Control;

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);

/// Work that ends sooner shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Runs the work behind a bar on standard error. The bar shows the parts done, an estimate of the
/// time left, the nodes, the nodes per second, and how full the memory is.
pub(super) fn watched<R>(
    (parts, noun): (usize, &str),
    control: &Control,
    filling: impl Fn() -> u32 + Send,
    work: impl FnOnce(&ProgressBar) -> R,
) -> R {
    let line = Line::new(parts as u64, noun, control);
    let result = std::thread::scope(|scope| {
        let (end, ended) = channel::<()>();
        let line = &line;
        let draw = move || {
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let nodes = control.nodes();
                let rate = nodes as f64 / line.started.elapsed().as_secs_f64() / 1e6;
                let memory = format!("memory {}% full", filling() / 10);
                line.draw(&[format!("{} nodes", grouped(nodes)), format!("{rate:.1} M/s"), memory]);
            }
        };
        // If the system refuses the thread, there is no bar, and the work is done all the same.
        let _ = std::thread::Builder::new().spawn_scoped(scope, draw);
        let result = work(&line.bar);
        drop(end);
        result
    });
    // Cleared only now: the drawing thread has ended.
    line.bar.finish_and_clear();
    result
}

/// Runs work that reports its progress itself: the parts done, the parts in all as far as known,
/// and what it is doing.
pub(super) fn told<R>(noun: &str, control: &Control, work: impl FnOnce(&(dyn Fn(u64, u64, &str) + Sync)) -> R) -> R {
    let line = Line::new(0, noun, control);
    let result = work(&|done, all, doing| {
        line.bar.set_length(all);
        line.bar.set_position(done);
        line.draw(&[doing.to_string()]);
    });
    line.bar.finish_and_clear();
    result
}

/// Runs work that shows a text, and now and then replaces it by another.
pub(super) fn changing<R>(work: impl FnOnce(&dyn Fn(String)) -> R) -> R {
    let bar = ProgressBar::new_spinner();
    bar.set_style(styled("{msg}{elapsed:>4} {spinner}"));
    bar.enable_steady_tick(TICK);
    let coloured = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
    let show = |text: String| bar.set_message(if coloured { text } else { strip_str(&text).to_string() });
    let result = work(&show);
    bar.finish_and_clear();
    result
}

/// A line with a bar: hidden at first, and never wider than the terminal.
struct Line<'a> {
    bar: ProgressBar,
    noun: &'a str,
    control: &'a Control,
    started: Instant,
    shown: Once,
    /// When it was last drawn, in milliseconds after the start.
    drawn: AtomicU64,
}

impl<'a> Line<'a> {
    fn new(parts: u64, noun: &'a str, control: &'a Control) -> Self {
        let bar = ProgressBar::with_draw_target(Some(parts), ProgressDrawTarget::hidden());
        Self { bar, noun, control, started: Instant::now(), shown: Once::new(), drawn: AtomicU64::new(0) }
    }

    /// Draws the bar with these facts, unless it is too early or was drawn just now.
    fn draw(&self, facts: &[String]) {
        let now = self.started.elapsed();
        let since_last = now.saturating_sub(Duration::from_millis(self.drawn.load(Ordering::Relaxed)));
        if now < PATIENCE || since_last < TICK / 2 {
            return;
        }
        self.drawn.store(now.as_millis() as u64, Ordering::Relaxed);
        let columns = output::terminal_width();
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
        // A single part has no bar: it is either done or not.
        let (bar, counted) = match all {
            0 | 1 => ("{elapsed:>4} {spinner} {msg}".to_string(), None),
            _ => {
                let width = bar_width(columns);
                let counted = format!("{}/{} {}", grouped(done), grouped(all), self.noun);
                (format!("{{elapsed:>4}} [{{bar:{width}}}] {{msg}}"), Some(counted))
            }
        };
        // The elapsed time, brackets and spaces take eight columns, the bar its own.
        let room = columns.saturating_sub(8 + if counted.is_some() { bar_width(columns) } else { 0 });
        let parts = counted.into_iter().chain(self.time_left()).chain(facts.iter().filter(|fact| !fact.is_empty()).cloned());
        self.bar.set_style(styled(&bar));
        self.bar.set_message(as_many_as_fit(parts, room));
        self.shown.call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        self.bar.tick();
    }

    /// The time left: an estimate, or the rest of the time limit if that ends first.
    fn time_left(&self) -> Option<String> {
        let begun = self.bar.position() > 0 && self.bar.length().is_some_and(|all| all > 1);
        let expected = begun.then(|| self.bar.eta());
        match (expected, self.control.time_left()) {
            (Some(expected), limit) if limit.is_none_or(|limit| expected <= limit) => {
                Some(format!("{:#} left", HumanDuration(expected)))
            }
            (_, Some(limit)) => Some(format!("stops in {:#}", HumanDuration(limit))),
            (_, None) => None,
        }
    }
}

/// The width of the bar itself. On a narrow terminal the numbers matter more.
fn bar_width(columns: usize) -> usize {
    (columns.saturating_sub(30) / 2).clamp(5, 30)
}

/// The parts with commas between them. Those that do not fit are left out, the last ones first.
fn as_many_as_fit(parts: impl Iterator<Item = String>, room: usize) -> String {
    let mut line = String::new();
    for part in parts {
        let separator = if line.is_empty() { "" } else { ", " };
        if line.chars().count() + separator.len() + part.chars().count() > room {
            break;
        }
        line.push_str(separator);
        line.push_str(&part);
    }
    line
}

fn styled(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_never_wider_than_its_room() {
        let parts = ["3/33 openings", "12s left", "1,234 nodes", "12.3 M/s"].map(String::from);
        let fitted = |room| as_many_as_fit(parts.iter().cloned(), room);
        assert_eq!(fitted(80), "3/33 openings, 12s left, 1,234 nodes, 12.3 M/s");
        assert_eq!(fitted(24), "3/33 openings, 12s left");
        assert_eq!(fitted(13), "3/33 openings");
        assert_eq!(fitted(12), "");
        for columns in 0..200 {
            assert!(columns < 30 || 8 + bar_width(columns) + fitted(columns - 8 - bar_width(columns)).len() <= columns);
        }
    }
}
