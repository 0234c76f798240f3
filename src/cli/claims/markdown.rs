//! Claims as a page in Markdown.

use std::fmt::Write;

use super::capitalized;
use crate::claims::{Evidence, Examined, PlayedLine};

const INTRODUCTION: &str = "\
# Claims

What people say about knight's-move Isolation, and whether it is true. The claims come from reports by people who wrote
agents for the game, and from the folklore of the game *joust*. We state them in our own words. `COMMAND` computed
every verdict and every figure below, and its option `--markdown` wrote this page. `isolde claims CLAIM` computes one of
them again. Figures in seconds are those of one machine.

| verdict | meaning |
|---|---|
| proved | true for the boards that are named |
| refuted | false: a line of play or a number contradicts it |
| holds with exceptions | true except in some cases, all of which are listed |
| depends on reading | it can be read in several ways, and each reading has its own verdict |
| measured | a figure of speed or frequency, with its 95 % interval |
| not decided | a limit ran out, or it was not asked for |
";

/// The whole page, which names the command that computed it.
pub(super) fn document(examined: &[Examined], command: &str) -> String {
    let mut page = INTRODUCTION.replace("COMMAND", command);
    page.push_str("\n| claim | source | verdict | finding |\n|---|---|---|---|\n");
    for Examined { id, source, judgement, .. } in examined {
        page.push_str(&format!("| [`{id}`](#{id}) | {source} | {} | {} |\n", judgement.verdict, judgement.summary));
    }
    examined.iter().for_each(|claim| section(&mut page, claim));
    page
}

/// One claim. Writing to a `String` cannot fail, so that results are ignored.
fn section(page: &mut String, claim: &Examined) {
    let Examined { id, source, published, reading, judgement, command, .. } = claim;
    let _ = write!(page, "\n## {id}\n\n**{}.** {}\n\n", capitalized(judgement.verdict.name()), judgement.summary);
    let _ = write!(page, "- Published ({source}): {published}\n- Read as: {reading}\n");
    let commands: Vec<String> = [command].into_iter().chain(&judgement.commands).map(|command| format!("`{command}`")).collect();
    let _ = writeln!(page, "- Computed by: {}", commands.join(", "));
    evidence(page, &judgement.evidence);
    for (number, reading) in judgement.readings.iter().enumerate() {
        let _ = write!(page, "\n### {id}, reading {}\n\n{}\n\n", number + 1, reading.statement);
        let _ = writeln!(page, "**{}.** {}", capitalized(reading.verdict.name()), reading.summary);
        evidence(page, &reading.evidence);
    }
}

fn evidence(page: &mut String, evidence: &[Evidence]) {
    let is_figure = |piece: &Evidence| matches!(piece, Evidence::Figure { .. });
    for alike in evidence.chunk_by(|a, b| is_figure(a) && is_figure(b)) {
        page.push('\n');
        match &alike[0] {
            Evidence::Sentence(sentence) => page.push_str(&format!("{sentence}\n")),
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
    let _ = write!(page, "Line: `{}`. {} The true outcome after every ply:\n\n", line.notation(), line.shows);
    let rows: Vec<Vec<String>> = line.outcomes().map(|(to, outcome)| vec![format!("`{to}`"), outcome]).collect();
    table(page, &["ply", "true outcome"], &rows);
}
