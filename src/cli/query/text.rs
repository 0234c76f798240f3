//! The answer as a person reads it.

use std::io::{self, Write};

use crate::analysis::{Analysis, Finding, Judged, Origin};
use crate::cli::output::{self, fact, plural, styled};
use crate::notation::cell_name;
use crate::outcome::Value;
use crate::solve::Question;

pub(super) fn write(analysis: &Analysis, question: Question) -> io::Result<()> {
    let mut out = output::answer();
    output::write_headline(&mut out, &analysis.position.to_string(), &verdict(analysis))?;
    if let Some(finding) = &analysis.finding {
        fact(&mut out, "from", &origins(finding))?;
        if finding.count.is_none() && question == Question::Distance {
            let unknown =
                if is_placing(analysis) { "not known before both knights are placed" } else { "not proven within the limits" };
            fact(&mut out, "plies", unknown)?;
        }
    }
    if !analysis.moves.is_empty() {
        write_moves(&mut out, analysis)?;
        fact(&mut out, "line", &line(analysis))?;
    }
    for table in &analysis.tables {
        fact(&mut out, "table", &table.display().to_string())?;
    }
    output::cost(&mut out, analysis.nodes, analysis.seconds)?;
    out.flush()
}

fn is_placing(analysis: &Analysis) -> bool {
    analysis.position.knights[analysis.position.turn as usize].is_none()
}

/// Who wins, in a sentence.
fn verdict(analysis: &Analysis) -> String {
    let (turn, does) = (analysis.position.turn, if is_placing(analysis) { "place" } else { "move" });
    let Some(winner) = analysis.winner() else {
        return format!("{turn} to {does}; not proven within the limits");
    };
    if analysis.moves.is_empty() {
        return format!("the {winner} player has won: {turn} cannot {does}");
    }
    let plies = analysis.plies().map(|plies| format!(" in {plies} {}", plural(plies, "ply"))).unwrap_or_default();
    format!("{turn} to {does}, and the {winner} player wins{plies}")
}

/// Where the winner and the plies come from, in words.
fn origins(finding: &Finding) -> String {
    let own = in_words(&finding.origin);
    match &finding.count {
        Some(count) if count.origin != finding.origin => format!("{own}, plies {}", in_words(&count.origin)),
        _ => own,
    }
}

fn in_words(origin: &Origin) -> String {
    match origin {
        Origin::Over => "the rules".to_string(),
        Origin::Moves => "its moves".to_string(),
        Origin::Separated => "separated regions".to_string(),
        Origin::Solved => "solved now".to_string(),
        table_or_mirror => table_or_mirror.to_string(),
    }
}

fn outcome(judged: &Judged) -> String {
    let Some(finding) = &judged.finding else {
        return "unknown".to_string();
    };
    let does = if finding.value == Value::Win { "wins" } else { "loses" };
    finding.plies().map_or_else(|| does.to_string(), |plies| format!("{does} in {plies}"))
}

/// Placements with the same outcome share a row of at most so many.
const PLACEMENTS_IN_ROW: usize = 16;

/// The moves, best first, with their outcomes; of placements, which are many, those together that are alike.
pub(in crate::cli) fn write_moves(out: &mut impl Write, analysis: &Analysis) -> io::Result<()> {
    let from = |judged: &Judged| judged.finding.as_ref().map(origins).unwrap_or_default();
    let name = |judged: &Judged| cell_name(analysis.position.size, judged.to);
    writeln!(out)?;
    if is_placing(analysis) {
        for alike in analysis.moves.chunk_by(|a, b| outcome(a) == outcome(b)) {
            let mut origins: Vec<String> = alike.iter().map(from).filter(|from| !from.is_empty()).collect();
            origins.sort();
            origins.dedup();
            let quiet: Vec<String> = [alike.len().to_string()].into_iter().chain(origins).collect();
            let quiet = styled(output::QUIET, format!("({})", quiet.join(", ")));
            writeln!(out, "{} {quiet}", styled(output::STRONG, outcome(&alike[0])))?;
            for row in alike.chunks(PLACEMENTS_IN_ROW) {
                writeln!(out, "  {}", row.iter().map(name).collect::<Vec<_>>().join(" "))?;
            }
        }
    } else {
        for judged in &analysis.moves {
            let quiet = styled(output::QUIET, from(judged));
            writeln!(
                out,
                "{}",
                format!("{} {:<14} {quiet}", styled(output::STRONG, format!("{:<4}", name(judged))), outcome(judged)).trim_end()
            )?;
        }
    }
    writeln!(out)
}

fn line(analysis: &Analysis) -> String {
    let cells: Vec<String> = analysis.line.iter().map(|&to| cell_name(analysis.position.size, to)).collect();
    match (cells.as_slice(), analysis.line_complete) {
        (cells, true) => cells.join(" "),
        ([], false) => "not found within the limits".to_string(),
        (cells, false) => format!("{} ... (the rest was not found within the limits)", cells.join(" ")),
    }
}
