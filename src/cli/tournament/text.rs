//! The report as text: a row for each opponent, as in the published reports, and then what they
//! lack.

use std::io::{self, Write};

use super::report::{AgentReport, Direct, Figures, PublishedReport, Report, Share};
use crate::arena::statistics::SIGNIFICANT;
use crate::cli::output::{self, fact, grouped, styled};

pub(super) fn write(report: &Report) -> io::Result<()> {
    let mut out = output::answer();
    let open = if report.open > 0 { format!(", {} not played yet", grouped(report.open as u64)) } else { String::new() };
    let headline = format!("{} games of {}, {} a move{open}", grouped(report.games as u64), report.board, report.limit);
    writeln!(out, "{}\n", styled(output::STRONG, headline))?;
    write_matches(&mut out, &report.agents)?;
    write_agents(&mut out, &report.agents)?;
    write_comparisons(&mut out, report)?;
    let decided = &report.decided_by_opening;
    if decided.of > 0 {
        fact(&mut out, "openings", &format!("the same side won both games in {} of the matches", in_percent(decided)))?;
    }
    if report.as_proven.of > 0 {
        fact(
            &mut out,
            "",
            &format!("the side that is proven to win the opening won {} of the games", in_percent(&report.as_proven)),
        )?;
    }
    for forfeited in &report.forfeits {
        let game = forfeited.game;
        fact(&mut out, "forfeit", &format!("game {game}: {} {} in {}", forfeited.loser, forfeited.why, forfeited.position))?;
    }
    if let Some(published) = &report.published {
        write_published(&mut out, published)?;
    }
    out.flush()
}

fn write_published(out: &mut impl Write, published: &PublishedReport) -> io::Result<()> {
    let width = published.rows.iter().map(|row| row.agent.len()).max().unwrap_or(0).max(9);
    let head = format!("{:<width$}  {:>36}  {:>22}  agree?", published.report, "published", "here, 95 %");
    writeln!(out, "\n{}", styled(output::QUIET, head))?;
    for row in &published.rows {
        let agrees = row.agrees.map_or("-", |agrees| if agrees { "yes" } else { "no" });
        writeln!(out, "{:<width$}  {:>36}  {:>22}  {agrees}", row.agent, row.published, rate(&row.ours))?;
    }
    writeln!(out)?;
    output::paragraph(
        out,
        "published",
        &format!("7x7, 150 ms a move, random openings with both sides, {}", published.conditions),
    )?;
    output::paragraph(out, "here", &published.played)?;
    output::paragraph(out, "verdict", &styled(output::STRONG, &published.verdict))
}

/// A share with its confidence interval.
fn rate(share: &Share) -> String {
    share.percent.map_or("-".to_string(), |percent| format!("{percent:.1} % ({:.1} to {:.1})", share.low, share.high))
}

fn in_percent(share: &Share) -> String {
    match share.percent {
        Some(percent) => {
            format!("{percent:.1} % ({:.1} to {:.1}; {} of {})", share.low, share.high, grouped(share.count), grouped(share.of))
        }
        None => "none played".to_string(),
    }
}

/// How many agents are shown side by side.
const COLUMNS: usize = 5;

fn write_matches(out: &mut impl Write, agents: &[AgentReport]) -> io::Result<()> {
    let width = agents.iter().flat_map(|agent| &agent.against).map(|opponent| opponent.opponent.len()).max().unwrap_or(0).max(9);
    for agents in agents.chunks(COLUMNS) {
        let widths: Vec<usize> = agents.iter().map(|agent| agent.agent.len().max(11)).collect();
        let row = |cells: Vec<String>| -> String {
            cells.iter().zip(&widths).map(|(cell, &width)| format!("  {cell:>width$}")).collect()
        };
        let names = row(agents.iter().map(|agent| agent.agent.clone()).collect());
        let heads = row(agents.iter().map(|_| "won  lost".to_string()).collect());
        writeln!(out, "{}", styled(output::QUIET, format!("{:<width$}{names}", "opponent")))?;
        writeln!(out, "{}", styled(output::QUIET, format!("{:<width$}{heads}", "")))?;
        for (number, opponent) in agents[0].against.iter().enumerate() {
            let figures = |agent: &AgentReport| match &agent.against[number].figures {
                Some(figures) => format!("{:>5} {:>5}", figures.won, figures.lost),
                None => "-".to_string(),
            };
            writeln!(out, "{:<width$}{}", opponent.opponent, row(agents.iter().map(figures).collect()))?;
        }
        let rate = |agent: &AgentReport| agent.total.rate.percent.map_or("-".to_string(), |percent| format!("{percent:.1} %"));
        writeln!(
            out,
            "{}\n",
            styled(output::STRONG, format!("{:<width$}{}", "win rate", row(agents.iter().map(rate).collect())))
        )?;
    }
    Ok(())
}

fn write_agents(out: &mut impl Write, agents: &[AgentReport]) -> io::Result<()> {
    let width = agents.iter().map(|agent| agent.agent.len()).max().unwrap_or(0).max(9);
    let head = format!(
        "{:<width$}  {:>22}  {:>20}  {:>14}  {:>14}  {:>18}  {:>8}",
        "agent", "win rate, 95 %", "Elo, 95 %", "from won", "from lost", "blunders", "forfeits"
    );
    writeln!(out, "{}", styled(output::QUIET, head))?;
    for AgentReport { agent, total, .. } in agents {
        let rate = rate(&total.rate);
        let judged = |share: &Share| if share.of == 0 { "-".to_string() } else { format!("{} of {}", share.count, share.of) };
        let blunders = if total.judged_moves == 0 {
            "-".to_string()
        } else {
            format!("{} of {}", total.blunders, grouped(total.judged_moves))
        };
        writeln!(
            out,
            "{agent:<width$}  {rate:>22}  {:>20}  {:>14}  {:>14}  {blunders:>18}  {:>8}",
            elo(total),
            judged(&total.from_won),
            judged(&total.from_lost),
            total.forfeits
        )?;
    }
    let legend = "Elo is relative to the opponents met. `from won` counts the games won from openings that the agent is \
                  proven to win, `from lost` those won from openings that it is proven to lose. A blunder is a move that \
                  gave away a proven win, counted among the moves for which that is known. The intervals treat games as \
                  independent. If the opening decides, the two games of a match are not, and the intervals are wider than \
                  necessary.";
    writeln!(out)?;
    output::paragraph(out, "", &styled(output::QUIET, legend))?;
    writeln!(out)
}

fn elo(figures: &Figures) -> String {
    match (figures.elo, figures.elo_low, figures.elo_high) {
        (Some(elo), Some(low), Some(high)) => format!("{elo:+.0} ({low:+.0} to {high:+.0})"),
        (_, Some(low), None) => format!("above {low:+.0}"),
        (_, None, Some(high)) => format!("below {high:+.0}"),
        _ => "-".to_string(),
    }
}

fn write_comparisons(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let verdict = |p: f64| if p < SIGNIFICANT { "a significant difference" } else { "no significant difference" };
    for direct in &report.direct {
        let Direct { agent, other, percent, z, p } = direct;
        let text = format!("{agent} {percent:.1} % against {other}: z = {z:+.2}, p = {p:.4}, {}", verdict(*p));
        fact(out, "z-test", &text)?;
    }
    for comparison in &report.comparisons {
        let verdict = verdict(comparison.p);
        let text = format!(
            "{} {:.1} %, {} {:.1} % against the same opponents: z = {:+.2}, p = {:.4}, {verdict}",
            comparison.agent, comparison.percent, comparison.other, comparison.others_percent, comparison.z, comparison.p
        );
        fact(out, "z-test", &text)?;
    }
    Ok(())
}
