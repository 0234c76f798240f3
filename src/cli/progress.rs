//! Progress bars, on a terminal only.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anstream::adapter::strip_str;
use indicatif::{ProgressBar, ProgressStyle};

use super::output::grouped;
use crate::solve::Control;

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);

/// Runs the work behind a bar on standard error. The bar shows the parts done, the nodes, the nodes
/// per second, how full the memory is, and an estimate of the time left.
pub(super) fn watched<R>(
    (parts, noun): (usize, &str),
    control: &Control,
    filling: impl Fn() -> u32 + Send,
    work: impl FnOnce(&ProgressBar) -> R,
) -> R {
    let bar = ProgressBar::new(parts as u64);
    // For a single part there is no estimate of the time left.
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
                shown.set_message(format!("{} nodes, {rate:.1} M/s, memory {}% full", grouped(nodes), filling() / 10));
                shown.tick();
            }
        });
        let result = work(&bar);
        drop(end);
        result
    });
    // Cleared only now: the drawing thread has ended.
    bar.finish_and_clear();
    result
}

/// Runs work that reports its progress itself: the parts done, the parts in all as far as known,
/// and what it is doing.
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

fn styled(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ")
}
