//! A bar for long work, on a terminal only.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::output::grouped;
use crate::solve::Control;

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);

/// Does the work while a bar on standard error shows how it goes: parts done (and what they are), nodes, nodes a second, memo filling,
/// estimate.
pub(super) fn watched<R>(
    (parts, noun): (usize, &str),
    control: &Control,
    filling: impl Fn() -> u32 + Send,
    work: impl FnOnce(&ProgressBar) -> R,
) -> R {
    let bar = ProgressBar::new(parts as u64);
    // Nobody can tell how long a single part takes.
    let style = match parts {
        1 => "{elapsed:>4} {spinner} {msg}".to_string(),
        _ => format!("{{elapsed:>4}} [{{bar:30}}] {{pos}}/{{len}} {noun}, {{msg}}, {{eta}} left"),
    };
    bar.set_style(styled(&style));
    let started = Instant::now();
    let result = std::thread::scope(|scope| {
        let (end, ended) = channel::<()>();
        let shown = &bar;
        scope.spawn(move || {
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let nodes = control.nodes();
                let rate = nodes as f64 / started.elapsed().as_secs_f64() / 1e6;
                shown.set_message(format!("{} nodes, {rate:.1} M/s, memo {}%", grouped(nodes), filling() / 10));
                shown.tick();
            }
        });
        let result = work(&bar);
        drop(end);
        result
    });
    // Only now, when nobody draws any more.
    bar.finish_and_clear();
    result
}

/// Does work that tells of itself: how much is done, of how much as far as is known, and what it is at.
pub(super) fn told<R>(noun: &str, work: impl FnOnce(&(dyn Fn(u64, u64, &str) + Sync)) -> R) -> R {
    let bar = ProgressBar::new(0);
    let style = format!("{{elapsed:>4}} [{{bar:30}}] {{human_pos}} of {{human_len}} {noun}, {{eta}} left, {{msg}}");
    bar.set_style(styled(&style));
    let result = work(&|done, all, doing| {
        bar.set_length(all);
        bar.set_message(doing.to_string());
        bar.set_position(done);
    });
    bar.finish_and_clear();
    result
}

fn styled(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ")
}
