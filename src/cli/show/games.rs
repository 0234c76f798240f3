//! Saved games, shown and replayed.

use std::io::Write;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Args, write_svg, write_text};
use crate::analysis::Description;
use crate::arena::Record;
use crate::cli::output::{self, STRONG, fact, styled};
use crate::cli::picture::draw;
use crate::cli::saved_game::saved_game;
use crate::cli::{Failure, Status};
use crate::game::notation::{Written, spaced_names};

pub(super) fn run(args: &Args, file: &str) -> Result<Status, Failure> {
    let record = &saved_game(file, args.game)?;
    let plies = record.line.moves().len();
    let ply = args.ply.unwrap_or(plies);
    if ply > plies {
        return Err(Failure::Input(format!("{file}: the game has only {plies} plies")));
    }
    if args.replay {
        replay(record)?;
    } else {
        show(args, record, ply)?;
    }
    Ok(Status::Answered)
}

fn show(args: &Args, record: &Record, ply: usize) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Shown<'a> {
        record: &'a RawValue,
        ply: usize,
        shown: &'a Description,
    }
    let asked = Written::Line(record.line.beginning(ply));
    if let Some(file) = &args.svg {
        return write_svg(file, &asked);
    }
    let described = Description::of(&asked);
    if args.json {
        let record = RawValue::from_string(record.to_json()).map_err(|fault| Failure::Input(fault.to_string()))?;
        output::json(&Shown { record: &record, ply, shown: &described })?;
    } else {
        write_head(record)?;
        write_text(&described, asked.position())?;
    }
    Ok(())
}

/// Writes who played, the moves, and who won.
fn write_head(record: &Record) -> std::io::Result<()> {
    let mut out = output::answer();
    let [first, second] = &record.names;
    let line = &record.line;
    let head = format!("{first} against {second} on {}: {}", line.size(), record.result());
    writeln!(out, "{}\n", styled(STRONG, head))?;
    fact(&mut out, "limit", &record.limit)?;
    output::paragraph(&mut out, "moves", &spaced_names(line.size(), line.moves()))?;
    if let Some(judgement) = &record.judgement {
        let blunders: Vec<String> = judgement
            .blunders
            .iter()
            .map(|ply| format!("ply {ply} ({})", spaced_names(line.size(), &line.moves()[ply - 1..*ply])))
            .collect();
        let text = if blunders.is_empty() { "none".to_string() } else { blunders.join(", ") };
        fact(&mut out, "blunders", &format!("{text}; known from ply {} on", judgement.known_from))?;
    }
    writeln!(out)?;
    out.flush()
}

fn replay(record: &Record) -> std::io::Result<()> {
    write_head(record)?;
    let mut out = output::answer();
    for (number, &to) in record.line.moves().iter().enumerate() {
        // Counted from 0, the first player's plies are even.
        let mover = &record.names[number % 2];
        let head = format!("{}. {mover}: {}", number + 1, spaced_names(record.line.size(), &[to]));
        writeln!(out, "{}\n", styled(STRONG, head))?;
        draw(&mut out, &record.line.position(number + 1))?;
        writeln!(out)?;
    }
    out.flush()
}
