//! The report as text. The rows of its tables are agents: first the games against each opponent,
//! then what all games of an agent say about it.

use std::io::{self, Write};

use super::report::{AgentReport, Comparison, Direct, Figures, Opponent, PublishedReport, Report, Share};
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

/// How many opponents are shown side by side.
const COLUMNS: usize = 5;

/// The width of the column with the agents' names.
fn width_of_names(agents: &[AgentReport]) -> usize {
    agents.iter().map(|agent| agent.agent.len()).max().unwrap_or(0).max(9)
}

fn write_matches(out: &mut impl Write, agents: &[AgentReport]) -> io::Result<()> {
    let width = width_of_names(agents);
    let opponents = agents.first().map_or(0, |agent| agent.against.len());
    for from in (0..opponents).step_by(COLUMNS) {
        let shown = |agent: &'_ AgentReport| from..agent.against.len().min(from + COLUMNS);
        let row = |agent: &AgentReport, cell: fn(&Opponent) -> String| -> String {
            let cells = agent.against[shown(agent)].iter();
            cells.map(|against| format!("  {:>width$}", cell(against), width = against.opponent.len().max(11))).collect()
        };
        let names = row(&agents[0], |against| against.opponent.clone());
        let heads = row(&agents[0], |_| "won  lost".to_string());
        writeln!(out, "{}", styled(output::QUIET, format!("{:<width$}{names}", "against")))?;
        writeln!(out, "{}", styled(output::QUIET, format!("{:<width$}{heads}", "agent")))?;
        for agent in agents {
            let figures = row(agent, |against| match &against.figures {
                Some(figures) => format!("{:>5} {:>5}", figures.won, figures.lost),
                None => "-".to_string(),
            });
            writeln!(out, "{:<width$}{figures}", agent.agent)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_agents(out: &mut impl Write, agents: &[AgentReport]) -> io::Result<()> {
    let width = width_of_names(agents);
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
                  necessary. A difference that is not significant comes with the number of games, in all, that would \
                  show one of its size: with that many games, it is significant in four of five tournaments.";
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

/// Writes what a test says, and how many games would say more.
fn write_test(out: &mut impl Write, subject: &str, z: f64, p: f64, games_needed: Option<String>) -> io::Result<()> {
    let verdict = match games_needed {
        _ if p < SIGNIFICANT => "a significant difference",
        Some(_) => "no significant difference",
        None => "no difference",
    };
    fact(out, "z-test", &format!("{subject}: z = {z:+.2}, p = {p:.4}, {verdict}"))?;
    games_needed.map_or(Ok(()), |games| fact(out, "", &format!("{games} would show a difference of this size")))
}

fn write_comparisons(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for Direct { agent, other, percent, z, p, games_needed } in &report.direct {
        let games = games_needed.map(|games| format!("{} games", grouped(games)));
        write_test(out, &format!("{agent} {percent:.1} % against {other}"), *z, *p, games)?;
    }
    for Comparison { agent, other, percent, others_percent, z, p, games_needed } in &report.comparisons {
        let games = games_needed.map(|games| format!("{} games each", grouped(games)));
        let subject = format!("{agent} {percent:.1} %, {other} {others_percent:.1} % against the same opponents");
        write_test(out, &subject, *z, *p, games)?;
    }
    Ok(())
}
