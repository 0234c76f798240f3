//! Text, JSON, colours and numbers: how all verbs print.

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

pub(super) use crate::game::notation::grouped;

/// For what a reader should see first.
pub(super) const STRONG: Style = Style::new().bold();
/// For what a reader may skip.
pub(super) const QUIET: Style = Style::new().dimmed();
/// The first player's colour.
pub(super) const FIRST: Style = AnsiColor::Yellow.on_default().bold();
/// The second player's colour.
pub(super) const SECOND: Style = AnsiColor::Cyan.on_default().bold();
/// A legal move.
pub(super) const MOVE: Style = AnsiColor::Green.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default();
const FAULT: Style = AnsiColor::Red.on_default().bold();

/// The text in a style. The writer drops the style where colours are not wanted.
pub(super) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Standard output: colours only on a terminal, and none with `NO_COLOR`.
pub(super) fn answer() -> impl Write {
    io::BufWriter::new(anstream::stdout().lock())
}

/// Prints data as one line of JSON.
pub(super) fn json(data: &impl Serialize) -> io::Result<()> {
    let mut out = answer();
    serde_json::to_writer(&mut out, data)?;
    writeln!(out)?;
    out.flush()
}

/// Prints an error. If that fails, the exit code still reports it.
pub(super) fn fault(sentence: &str) {
    let _ = writeln!(anstream::stderr(), "{} {sentence}", styled(FAULT, "error:"));
}

/// Prints a warning.
pub(super) fn warning(sentence: &str) {
    let _ = writeln!(anstream::stderr(), "{} {sentence}", styled(WARNING, "warning:"));
}

/// Prints something that a person may want to know.
pub(super) fn hint(sentence: &str) {
    let _ = writeln!(anstream::stderr(), "{} {sentence}", styled(QUIET, "hint:"));
}

/// Writes the subject of an answer, and the answer in a sentence.
pub(super) fn write_headline(out: &mut impl Write, subject: &str, verdict: &str) -> io::Result<()> {
    writeln!(out, "{subject}: {}\n", styled(STRONG, verdict))
}

/// Writes one line of a description: a name and the facts.
pub(super) fn fact(out: &mut impl Write, name: &str, facts: &str) -> io::Result<()> {
    writeln!(out, "{} {facts}", styled(QUIET, format!("{name:<10}")))
}

/// The width at which long texts are wrapped where the terminal is not narrower.
const WIDTH: usize = 110;

/// The columns of the terminal that shows the answer. `None` if the answer goes elsewhere.
pub(super) fn columns() -> Option<usize> {
    io::stdout().is_terminal().then(terminal_width)
}

/// The columns of the terminal, or the usual number if they cannot be told.
pub(super) fn terminal_width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| width.0.into())
}

/// The columns that a text takes on the screen. Colour codes take none.
fn shown(text: &str) -> usize {
    anstream::adapter::strip_str(text).to_string().chars().count()
}

/// Writes one entry of a description, wrapped to several lines if needed.
pub(super) fn paragraph(out: &mut impl Write, name: &str, text: &str) -> io::Result<()> {
    let width = columns().unwrap_or(WIDTH).clamp(40, WIDTH);
    let mut line = String::new();
    let mut name = name;
    for word in text.split_whitespace() {
        if !line.is_empty() && shown(&line) + 1 + shown(word) > width - 11 {
            fact(out, std::mem::take(&mut name), &std::mem::take(&mut line))?;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    fact(out, name, &line)
}

/// Writes the nodes and the time that an answer took.
pub(super) fn cost(out: &mut impl Write, nodes: u64, seconds: f64) -> io::Result<()> {
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    fact(out, "searched", &format!("{} nodes in {seconds:.2} s ({rate:.1} M/s)", grouped(nodes)))
}

/// A rough time, in the unit that a person would use.
pub(super) fn roughly(seconds: f64) -> String {
    match seconds / 3600.0 {
        _ if seconds < 120.0 => format!("{seconds:.0} seconds"),
        hours if hours < 2.0 => format!("{:.0} minutes", hours * 60.0),
        hours if hours < 72.0 => format!("{hours:.0} hours"),
        hours if hours < 24.0 * 700.0 => format!("{:.0} days", hours / 24.0),
        hours => match (hours / (24.0 * 365.25)).round() {
            years if years < 1e6 => format!("{} years", grouped(years as u64)),
            _ => "millions of years".to_string(),
        },
    }
}

/// The noun in the singular or the plural, depending on the count.
pub(super) fn plural(count: usize, one: &str) -> String {
    match (count, one.strip_suffix('y')) {
        (1, _) => one.to_string(),
        _ if one.ends_with('s') => format!("{one}es"),
        (_, Some(stem)) => format!("{stem}ies"),
        _ => format!("{one}s"),
    }
}
