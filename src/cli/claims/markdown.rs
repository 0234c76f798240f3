//! Claims as a document.

use std::fmt::Write;

use super::Examined;
use crate::claims::{Evidence, PlayedLine};

const INTRODUCTION: &str = "\
# Claims

What people say about knight's-move Isolation, and whether it is true. The claims come from reports by people who wrote agents for the game, and from the folklore of the game
*joust*; they are told here in other words. Every verdict and every figure below was computed by `COMMAND`, whose option `--markdown` wrote this page; `isolde claims CLAIM`
computes one of them again. Figures in seconds are those of one machine.

Verdicts: *proved* (for the boards that are named), *refuted* (the line or the numbers that are shown contradict it), *holds with exceptions* (all of them are listed), *depends on
reading* (each reading has its own verdict), *measured* (speed and frequency, with 95 % intervals), *not decided* (a limit ran out, or it was not asked for).
";

/// The whole page, with the command that computed it.
pub(super) fn document(examined: &[Examined], command: &str) -> String {
    let mut page = INTRODUCTION.replace("COMMAND", command);
    page.push_str("\n| claim | source | verdict | evidence |\n|---|---|---|---|\n");
    for Examined { id, source, judgement, .. } in examined {
        page.push_str(&format!("| [`{id}`](#{id}) | {source} | {} | {} |\n", judgement.verdict, judgement.summary));
    }
    examined.iter().for_each(|claim| section(&mut page, claim));
    page
}

/// One claim. Writing to a text cannot fail.
fn section(page: &mut String, claim: &Examined) {
    let Examined { id, source, published, reading, judgement, command, .. } = claim;
    let _ = write!(page, "\n## {id}\n\n**{}.** {}.\n\n", capitalized(judgement.verdict.name()), capitalized(&judgement.summary));
    let _ = write!(page, "- Published ({source}): {published}\n- Read as: {reading}\n");
    let commands: Vec<String> = [command].into_iter().chain(&judgement.commands).map(|command| format!("`{command}`")).collect();
    let _ = writeln!(page, "- Computed by: {}", commands.join(", "));
    evidence(page, &judgement.evidence);
    for (number, reading) in judgement.readings.iter().enumerate() {
        let _ = write!(page, "\n### {id}, reading {}\n\n{}.\n\n", number + 1, capitalized(&reading.statement));
        let _ = writeln!(page, "**{}**: {}.", capitalized(reading.verdict.name()), reading.summary);
        evidence(page, &reading.evidence);
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn evidence(page: &mut String, evidence: &[Evidence]) {
    let is_figure = |piece: &Evidence| matches!(piece, Evidence::Figure { .. });
    for alike in evidence.chunk_by(|a, b| is_figure(a) && is_figure(b)) {
        page.push('\n');
        match &alike[0] {
            Evidence::Sentence(sentence) => page.push_str(&format!("{}.\n", capitalized(sentence.trim_end_matches(':')))),
            Evidence::Table { head, rows } => table(page, head, rows),
            Evidence::Line(line) => played(page, line),
            Evidence::Figure { .. } => figures(page, alike),
        }
    }
}

fn table(page: &mut String, head: &[&str], rows: &[Vec<String>]) {
    let _ = writeln!(page, "| {} |\n|{}", head.join(" | "), "---|".repeat(head.len()));
    rows.iter().for_each(|row| page.push_str(&format!("| {} |\n", row.join(" | "))));
}

fn figures(page: &mut String, figures: &[Evidence]) {
    let row = |figure: &Evidence| match figure {
        Evidence::Figure { what, ours, published } => Some(vec![what.clone(), ours.clone(), published.clone()]),
        _ => None,
    };
    table(page, &["measured", "here", "published"], &figures.iter().filter_map(row).collect::<Vec<_>>());
}

/// A line with the true outcome after every ply.
fn played(page: &mut String, line: &PlayedLine) {
    let _ = write!(page, "`{}`: {}. True outcome after every ply:\n\n", line.notation(), line.shows);
    let rows: Vec<Vec<String>> = line.plies().map(|(to, outcome)| vec![format!("`{to}`"), outcome.to_string()]).collect();
    table(page, &["ply", "then"], &rows);
}
