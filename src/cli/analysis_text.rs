//! An analysis as a person reads it.

use std::io::{self, Write};

use super::output::{self, fact, plural, styled};
use crate::analysis::{Analysis, Judged, Request};
use crate::game::notation::{Written, cell_name};
use crate::game::outcome::Value;
use crate::solve::{Known, Origin};

/// Whether an analysis is still being made: then what is missing is not known yet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    SoFar,
    Final,
}

/// Writes an answer to this request.
pub(super) fn write(
    out: &mut impl Write,
    asked: &Written,
    analysis: &Analysis,
    request: Request,
    state: State,
) -> io::Result<()> {
    let unknown = if state == State::SoFar { "not known yet" } else { "not proven within the limits" };
    output::write_headline(out, &asked.to_string(), &verdict(analysis, unknown))?;
    if let Some(known) = &analysis.known {
        fact(out, "from", &origins(known))?;
        if known.count.is_none() && request.plies.is_some() {
            let why = match state {
                State::SoFar => "not counted yet",
                State::Final => "not counted: that takes longer than the limits allow; --distance or a longer --time counts on",
            };
            fact(out, "plies", why)?;
        }
    }
    if !analysis.moves.is_empty() {
        write_moves(out, analysis)?;
        fact(out, "line", &line(analysis, state))?;
        if let Some(kind) = kind_of_line(analysis) {
            fact(out, "", kind)?;
        }
    }
    for table in &analysis.tables {
        fact(out, "table", &table.display().to_string())?;
    }
    output::cost(out, analysis.nodes, analysis.seconds)
}

/// Who wins, in a sentence.
fn verdict(analysis: &Analysis, unknown: &str) -> String {
    let (turn, does) = (analysis.position.turn, if analysis.is_placing() { "place" } else { "move" });
    let Some(winner) = analysis.winner() else {
        return format!("{turn} to {does}; {unknown}");
    };
    if analysis.moves.is_empty() {
        return format!("the {winner} player has won: {turn} cannot {does}");
    }
    if is_last_cell(analysis) {
        return format!("{turn} to {does}, and the {winner} player wins: {} cannot place", !turn);
    }
    let plies = analysis.plies().map(|plies| format!(" {}", in_plies(plies, analysis.is_placing()))).unwrap_or_default();
    format!("{turn} to {does}, and the {winner} player wins{plies}")
}

/// Whether there is room for one knight only: then there are no plies to count.
fn is_last_cell(analysis: &Analysis) -> bool {
    analysis.position.knights == [None; 2] && analysis.moves.len() == 1
}

/// When the game ends, in words that say what the plies are counted from.
pub(super) fn in_plies(plies: usize, placing: bool) -> String {
    format!("in {plies} {}{}", plural(plies, "ply"), if placing { " after both placements" } else { "" })
}

/// Where the winner and the plies come from, in words.
fn origins(known: &Known) -> String {
    let own = in_words(&known.origin);
    match &known.count {
        Some(count) if count.origin != known.origin => format!("{own}, plies {}", in_words(&count.origin)),
        _ => own,
    }
}

fn in_words(origin: &Origin) -> String {
    match origin {
        Origin::Over => "the rules".to_string(),
        Origin::Moves => "its moves".to_string(),
        Origin::Separated => "separated regions".to_string(),
        Origin::Undisturbed => "a walk that cannot be disturbed".to_string(),
        Origin::Solved => "solved now".to_string(),
        table_or_mirror => table_or_mirror.to_string(),
    }
}

/// What a move leads to. A column of moves has no room for more than the number of plies.
fn outcome(known: &Known, placing: bool) -> String {
    let does = if known.value == Value::Win { "wins" } else { "loses" };
    match known.plies() {
        Some(plies) if placing => format!("{does} {}", in_plies(plies, placing)),
        Some(plies) => format!("{does} in {plies}"),
        None => does.to_string(),
    }
}

/// The most cells in a row of placements, or of moves of which nothing is known.
const CELLS_IN_ROW: usize = 16;

/// The moves, best first, with their outcomes. Placements, which are many, are grouped by outcome,
/// and so are moves of which nothing is known.
pub(super) fn write_moves(out: &mut impl Write, analysis: &Analysis) -> io::Result<()> {
    let name = |judged: &Judged| cell_name(analysis.position.size, judged.to);
    let (known, unknown): (Vec<&Judged>, Vec<&Judged>) = analysis.moves.iter().partition(|judged| judged.known.is_some());
    let known: Vec<(&Judged, &Known)> = known.into_iter().filter_map(|judged| Some((judged, judged.known.as_ref()?))).collect();
    writeln!(out)?;
    if analysis.is_placing() {
        let outcome = |known: &Known| if is_last_cell(analysis) { "wins".to_string() } else { outcome(known, true) };
        for alike in known.chunk_by(|a, b| outcome(a.1) == outcome(b.1)) {
            let mut from: Vec<String> = alike.iter().map(|(_, known)| origins(known)).collect();
            from.sort();
            from.dedup();
            let mut alike = alike.to_vec();
            alike.sort_by_key(|(judged, _)| judged.to);
            let names: Vec<String> = alike.iter().map(|(judged, _)| name(judged)).collect();
            write_group(out, &outcome(alike[0].1), &from, &names)?;
        }
    } else {
        for (judged, known) in known {
            let (cell, from) = (styled(output::STRONG, format!("{:<4}", name(judged))), styled(output::QUIET, origins(known)));
            writeln!(out, "{cell} {:<14} {from}", outcome(known, false))?;
        }
    }
    if !unknown.is_empty() {
        let names: Vec<String> = unknown.into_iter().map(name).collect();
        write_group(out, "unknown", &[], &names)?;
    }
    writeln!(out)
}

/// Cells that have something in common, and how many there are.
fn write_group(out: &mut impl Write, what: &str, from: &[String], names: &[String]) -> io::Result<()> {
    let quiet: Vec<String> = [names.len().to_string()].into_iter().chain(from.iter().cloned()).collect();
    let quiet = styled(output::QUIET, format!("({})", quiet.join(", ")));
    writeln!(out, "{} {quiet}", styled(output::STRONG, what))?;
    names.chunks(CELLS_IN_ROW).try_for_each(|row| writeln!(out, "  {}", row.join(" ")))
}

fn line(analysis: &Analysis, state: State) -> String {
    let cells: Vec<String> = analysis.line.iter().map(|&to| cell_name(analysis.position.size, to)).collect();
    match (cells.as_slice(), analysis.line_complete) {
        (cells, true) => cells.join(" "),
        (_, false) if state == State::SoFar => "not known yet".to_string(),
        ([], false) => "not found within the limits".to_string(),
        (cells, false) => format!("{} ... (cut: the rest was not found within the limits)", cells.join(" ")),
    }
}

/// What the line is.
fn kind_of_line(analysis: &Analysis) -> Option<&'static str> {
    match (analysis.line.as_slice(), analysis.line_optimal) {
        ([] | [_], _) => None,
        (_, true) => Some("best play: the winner hurries, the loser delays"),
        (_, false) => Some("the winner's moves are proven; the loser's are the most stubborn found"),
    }
}
