//! `isolde agents --score`: what every heuristic says of a position, beside the truth.

use std::io::{self, Write};
use std::time::Duration;

use super::Args;
use crate::analysis::{Analyst, Request};
use crate::cli::interruption::interruptible;
use crate::cli::limits::status;
use crate::cli::live::{Shown, analyse};
use crate::cli::output::{self, plural, styled, write_headline};
use crate::cli::{Failure, Status};
use crate::game::notation::Written;
use crate::game::position::{Player, Position};
use crate::play::heuristics::{Opinion, Opinions};
use crate::solve::Control;

/// How long the truth is searched, unless --time says otherwise.
const TIME: Duration = Duration::from_secs(10);

/// No line is expected, and no plies are counted: those of tables are at hand.
const REQUEST: Request = Request { line: Duration::ZERO, ..Request::winners() };

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let asked: Written = args.score.join(" ").parse()?;
    let position = asked.position();
    check(position)?;
    let size = position.size();
    let tables = args.folders.tables(size)?;
    let analyst = Analyst::new(args.limits.settings(size)?, &tables)?;
    let control = interruptible(Control::with_time(Some(args.limits.time_or(TIME))));
    let analysis = analyse(&analyst, &asked, REQUEST, &control, Shown::Progress);
    let opinions = Opinions::new(&asked, &analysis);
    (if args.json { output::json(&opinions) } else { write_text(&opinions, position) })?;
    args.folders.tell_about(&tables, analysis.seconds);
    let is_known = |opinion: &Opinion| opinion.choice_winners.values().all(Option::is_some);
    Ok(status(opinions.winner.is_some() && opinions.heuristics.iter().all(is_known)))
}

/// No formula scores a board with a single knight, and after the end there is nothing to choose.
fn check(position: &Position) -> Result<(), Failure> {
    if let Some(winner) = position.winner() {
        return Err(Failure::Input(format!("there is no move to choose: the {winner} player has won")));
    }
    if position.knight(Player::First).is_none() {
        return Err(Failure::Input(format!(
            "no heuristic scores a board with fewer than two knights, so none can choose the first placement: \
             name a position after it, such as {}: a1",
            position.size()
        )));
    }
    Ok(())
}

/// How right the choice of a heuristic is. The order is that of the answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Truth {
    Keeps,
    Partly,
    GivesAway,
    LosesAnyway,
    Unknown,
}

impl Truth {
    fn of(opinion: &Opinion, opinions: &Opinions) -> Self {
        let winners = || opinion.choice_winners.values();
        if opinions.winner == Some(!opinions.turn) {
            return Self::LosesAnyway;
        }
        if opinions.winner.is_none() || winners().any(Option::is_none) {
            return Self::Unknown;
        }
        match (winners().any(|&winner| winner == Some(opinions.turn)), opinion.keeps_win) {
            (_, Some(true)) => Self::Keeps,
            (true, _) => Self::Partly,
            (false, _) => Self::GivesAway,
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::Keeps => "keeps the win",
            Self::Partly => "keeps the win with some of the moves that tie, and gives it away with others",
            Self::GivesAway => "gives the win away",
            Self::LosesAnyway => "loses, as every move does",
            Self::Unknown => "unknown: not proven within the limits",
        }
    }
}

fn write_text(opinions: &Opinions, position: &Position) -> io::Result<()> {
    let mut out = output::answer();
    let does = if position.is_duel() { "move" } else { "place" };
    let turn = opinions.turn;
    let verdict = match opinions.winner {
        Some(winner) => format!("{turn} to {does}, and the {winner} player wins"),
        None => format!("{turn} to {does}; not proven within the limits"),
    };
    write_headline(&mut out, &opinions.asked, &verdict)?;
    let mut rows: Vec<(Truth, &Opinion)> =
        opinions.heuristics.iter().map(|opinion| (Truth::of(opinion, opinions), opinion)).collect();
    // The sort keeps the order of the list where all else is equal.
    rows.sort_by(|a, b| (a.0, &a.1.choices).cmp(&(b.0, &b.1.choices)));
    let head = format!("{:<24} {:>9}  {:<24} {:>9}", "heuristic", "score", "choice", "its score");
    writeln!(out, "{}", styled(output::QUIET, head))?;
    for group in rows.chunk_by(|a, b| a.0 == b.0) {
        let truth = group[0].0;
        let count = format!("{} {}", group.len(), plural(group.len(), "heuristic"));
        writeln!(out, "\n{} {}", styled(output::STRONG, truth.in_words()), styled(output::QUIET, format!("({count})")))?;
        for (_, opinion) in group {
            writeln!(out, "{}", row(truth, opinion, turn).trim_end())?;
        }
    }
    writeln!(out)?;
    let legend = format!(
        "Scores are for {turn}, who is to {does}; higher is better. `score` is that of the position as it stands, `choice` the \
         move that leads to the highest score, and `its score` that score. Moves that tie are all listed: an agent would draw \
         one of them."
    );
    output::paragraph(&mut out, "", &styled(output::QUIET, legend))?;
    out.flush()
}

fn row(truth: Truth, opinion: &Opinion, turn: Player) -> String {
    let chosen =
        opinion.choices.first().map_or("-".to_string(), |choice| opinion.scores[choice].map_or("the end".to_string(), in_short));
    let score = opinion.score.map_or("-".to_string(), in_short);
    let notes = match truth {
        Truth::Partly => right_ones(opinion, turn),
        Truth::Unknown => found_so_far(opinion, turn),
        _ => plies(opinion),
    };
    format!("  {:<22} {score:>9}  {:<24} {chosen:>9}  {notes}", opinion.heuristic, listed(&opinion.choices))
}

/// Which of the moves that tie keep the win.
fn right_ones(opinion: &Opinion, turn: Player) -> String {
    let right = opinion.choices.iter().filter(|choice| opinion.choice_winners[*choice] == Some(turn));
    let right: Vec<String> = right.cloned().collect();
    let verb = if right.len() == 1 { "keeps" } else { "keep" };
    format!("{} of {} {verb} it: {}", right.len(), opinion.choices.len(), listed(&right))
}

/// What is proven of the moves, though not of all of them.
fn found_so_far(opinion: &Opinion, turn: Player) -> String {
    let count = |winner: Option<Player>| opinion.choice_winners.values().filter(|&&found| found == winner).count();
    match (count(Some(turn)), count(Some(!turn)), opinion.choices.len()) {
        (0, 0, _) => String::new(),
        (0, _, 1) => "loses".to_string(),
        (_, 0, 1) => "wins".to_string(),
        (win, lose, all) => format!("of {all}, {win} win and {lose} lose"),
    }
}

/// When the game ends, if all choices agree about that.
fn plies(opinion: &Opinion) -> String {
    let mut counts = opinion.choice_plies.values();
    match counts.next() {
        Some(Some(plies)) if counts.all(|other| *other == Some(*plies)) => format!("in {plies}"),
        _ => String::new(),
    }
}

/// How many moves that tie are named.
const MOST_LISTED: usize = 6;

fn listed(cells: &[String]) -> String {
    match cells.len() {
        0..=MOST_LISTED => cells.join(" "),
        all => format!("{} and {} more", cells[..MOST_LISTED - 2].join(" "), all - (MOST_LISTED - 2)),
    }
}

/// A score with at most two decimals, and its sign.
fn in_short(score: f64) -> String {
    let text = format!("{score:+.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if matches!(short, "+0" | "-0") { "0".to_string() } else { short.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_short() {
        for (score, text) in
            [(0.0, "0"), (-0.0, "0"), (-0.001, "0"), (3.0, "+3"), (-2.5, "-2.5"), (10.0, "+10"), (1.0 / 3.0, "+0.33")]
        {
            assert_eq!(in_short(score), text, "{score}");
        }
    }
}
