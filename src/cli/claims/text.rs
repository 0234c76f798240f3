//! Claims as text for the terminal.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::capitalized;
use crate::claims::{Evidence, Examined, PlayedLine, Verdict};
use crate::cli::output::{self, fact, paragraph, styled};

fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Proved => AnsiColor::Green.on_default().bold(),
        Verdict::Refuted => AnsiColor::Red.on_default().bold(),
        Verdict::Exceptions | Verdict::DependsOnReading => AnsiColor::Yellow.on_default().bold(),
        Verdict::Measured => AnsiColor::Cyan.on_default().bold(),
        Verdict::NotDecided => output::QUIET,
    }
}

/// All claims: for each its name, verdict and source, and below them what it says and the summary.
pub(super) fn write_all(examined: &[Examined]) -> io::Result<()> {
    let mut out = output::answer();
    for Examined { id, source, says, judgement, .. } in examined {
        let verdict = styled(style(judgement.verdict), judgement.verdict);
        writeln!(
            out,
            "{} {verdict} {}",
            styled(output::STRONG, format!("{id:<21}")),
            styled(output::QUIET, format!("({source})"))
        )?;
        paragraph(&mut out, "claim", says)?;
        paragraph(&mut out, "found", &judgement.summary)?;
    }
    writeln!(out, "\n{}", styled(output::QUIET, "`isolde claims CLAIM` shows one of them in full."))?;
    out.flush()
}

/// One claim in full.
pub(super) fn write_one(examined: &Examined) -> io::Result<()> {
    let mut out = output::answer();
    let judgement = &examined.judgement;
    writeln!(out, "{}: {}\n", styled(output::STRONG, examined.id), styled(style(judgement.verdict), judgement.verdict))?;
    paragraph(&mut out, "published", &format!("{} ({})", examined.published, examined.source))?;
    paragraph(&mut out, "read as", examined.reading)?;
    paragraph(&mut out, "found", &judgement.summary)?;
    write_evidence(&mut out, &judgement.evidence)?;
    for (number, reading) in judgement.readings.iter().enumerate() {
        writeln!(out)?;
        paragraph(&mut out, &format!("reading {}", number + 1), &reading.statement)?;
        let verdict = styled(style(reading.verdict), capitalized(reading.verdict.name()));
        paragraph(&mut out, "", &format!("{verdict}. {}", reading.summary))?;
        write_evidence(&mut out, &reading.evidence)?;
    }
    writeln!(out)?;
    for (number, command) in [&examined.command].into_iter().chain(&judgement.commands).enumerate() {
        fact(&mut out, if number == 0 { "again" } else { "" }, command)?;
    }
    out.flush()
}

fn write_evidence(out: &mut impl Write, evidence: &[Evidence]) -> io::Result<()> {
    let mut below_table = false;
    for piece in evidence {
        let is_table = matches!(piece, Evidence::Table { .. });
        if below_table && !is_table {
            writeln!(out)?;
        }
        below_table = is_table;
        match piece {
            Evidence::Sentence(sentence) => paragraph(out, "", sentence)?,
            Evidence::Table { head, rows } => write_table(out, head, rows)?,
            Evidence::Line(line) => write_line(out, line)?,
            Evidence::Figure { what, ours, published } => {
                paragraph(out, "", &format!("{what}: {}; published: {published}", styled(output::STRONG, ours)))?;
            }
        }
    }
    Ok(())
}

/// Each column is as wide as its widest entry. Numbers are aligned to the right.
fn write_table(out: &mut impl Write, head: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).chain([head[column].len()]).max().unwrap_or(0);
    let is_number = |column: usize| {
        rows.iter()
            .all(|row| row[column].starts_with(|digit: char| digit.is_ascii_digit()) && !row[column].contains([' ', 'x', ':']))
    };
    let line = |cells: &[&str]| {
        let cell = |(column, cell): (usize, &&str)| {
            let width = width(column);
            if is_number(column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        };
        cells.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    writeln!(out, "\n{}", styled(output::QUIET, line(head)))?;
    for row in rows {
        writeln!(out, "{}", line(&row.iter().map(String::as_str).collect::<Vec<_>>()))?;
    }
    Ok(())
}

fn write_line(out: &mut impl Write, line: &PlayedLine) -> io::Result<()> {
    paragraph(out, "line", &line.notation())?;
    paragraph(out, "", &line.shows)?;
    for (to, outcome) in line.outcomes() {
        fact(out, "", &format!("{to:<4} {outcome}"))?;
    }
    Ok(())
}
