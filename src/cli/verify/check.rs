//! One strategy played against every defence: the result as JSON and as text.

use std::cell::Cell as Mutable;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::analysis::Analyst;
use crate::cli::output::{grouped, paragraph, plural};
use crate::cli::progress::told;
use crate::game::cells::Cell;
use crate::game::notation::{Written, cell_name};
use crate::game::position::{Player, Position};
use crate::solve::{Control, Known};
use crate::strategies::{Bounds, CheckEnd, CheckLimit, Exhaustion, Rule, exhaust};

/// Where a check begins, and the text to which further moves are added.
pub(super) struct Start {
    pub(super) position: Position,
    text: String,
}

impl Start {
    /// A position as it was written. A board or a line is continued as a line.
    pub(super) fn new(asked: &Written) -> Self {
        let text = match asked {
            Written::Line(line) => line.to_string(),
            Written::Diagram(played) if played.moves().is_empty() => format!("{played}, then"),
            Written::Diagram(played) => played.to_string(),
        };
        Self { position: asked.position().clone(), text }
    }

    /// The start after one more move.
    pub(super) fn after(&self, to: Cell) -> Self {
        Self { position: self.position.play_unchecked(to), text: self.line(&[to]) }
    }

    /// The start continued with these moves, as text.
    pub(super) fn line(&self, moves: &[Cell]) -> String {
        let cells: String = moves.iter().map(|&cell| format!(" {}", cell_name(self.position.size(), cell))).collect();
        format!("{}{cells}", self.text)
    }
}

/// What a check needs.
pub(super) struct Checker<'a> {
    pub(super) analyst: &'a Analyst,
    pub(super) most_positions: u64,
    pub(super) control: &'a Arc<Control>,
    /// The time left for all true outcomes together.
    pub(super) time_for_outcomes: Mutable<Duration>,
}

impl Checker<'_> {
    /// Plays a rule against every defence.
    pub(super) fn exhaust(&self, rule: &Rule, start: &Start) -> Exhaustion {
        let (control, most_positions) = (self.control, self.most_positions);
        told("positions", control, |tell| {
            let bounds = Bounds { most_positions, control, tell: &|positions| tell(positions, most_positions, "at most") };
            self.analyst.install(|| exhaust(rule, &start.position, bounds, |_| Ok(false)))
        })
    }

    /// The true outcome of a position; `None` if there was no time to find it.
    pub(super) fn outcome(&self, position: &Position) -> Option<OutcomeRow> {
        let (started, left) = (Instant::now(), self.time_for_outcomes.get());
        let known = self.analyst.quick_answer(position, &Arc::new(self.control.part(Some(left))));
        self.time_for_outcomes.set(left.saturating_sub(started.elapsed()));
        known.ok().map(|known| OutcomeRow::new(position, &known))
    }

    /// The result of a check, ready to be written.
    pub(super) fn report(&self, start: &Start, found: Exhaustion) -> Check {
        let Exhaustion { player, positions, end } = found;
        let check = |verdict| Check { player, placing: None, verdict, positions, broken: None, limit: None };
        match end {
            CheckEnd::Wins => check(RuleVerdict::Wins),
            CheckEnd::Unknown(limit) => Check { limit: Some(in_options(limit)), ..check(RuleVerdict::Unknown) },
            CheckEnd::Breaks(broken) => {
                let there = broken.moves.iter().fold(start.position.clone(), |position, &to| position.play_unchecked(to));
                let broken = Broken {
                    why: broken.why(there.size()),
                    line: start.line(&broken.moves),
                    reply: broken.reply.map(|reply| cell_name(there.size(), reply)),
                    fault: broken.fault.to_string(),
                    outcome: self.outcome(&there),
                };
                Check { broken: Some(broken), ..check(RuleVerdict::Breaks) }
            }
        }
    }
}

/// The limit that ran out, with the options that set it: the library knows no options.
fn in_options(limit: CheckLimit) -> String {
    match limit {
        CheckLimit::Positions(most) => {
            format!("there are more positions than the {} that --positions or --memory allow", grouped(most))
        }
        CheckLimit::Stopped => "stopped before the end, by --time or an interruption".to_string(),
    }
}

/// Whether a rule wins.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RuleVerdict {
    Wins,
    Breaks,
    Unknown,
}

/// The result of a check.
#[derive(Serialize)]
pub(super) struct Check {
    /// Who follows the rule.
    pub(super) player: Player,
    /// The cell on which this player places before it follows the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) placing: Option<String>,
    pub(super) verdict: RuleVerdict,
    /// The number of positions in which all moves of the opponent were tried.
    pub(super) positions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) broken: Option<Broken>,
    /// The limit that ran out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limit: Option<String>,
}

/// Where a rule breaks.
#[derive(Serialize)]
pub(super) struct Broken {
    /// A shortest line whose last move has no reply.
    line: String,
    /// The reply that the rule asks for.
    reply: Option<String>,
    fault: String,
    /// Both in words.
    #[serde(skip)]
    why: String,
    /// The true outcome at the end of the line. `None` if it was not found within the limits.
    outcome: Option<OutcomeRow>,
}

/// The true outcome of a position, ready to be written.
#[derive(Serialize)]
pub(super) struct OutcomeRow {
    winner: Player,
    plies: Option<usize>,
    #[serde(skip)]
    words: String,
}

impl OutcomeRow {
    fn new(position: &Position, known: &Known) -> Self {
        let turn = position.turn();
        let words = known.in_words(turn, position.is_duel());
        Self { winner: known.winner_at_turn_of(turn), plies: known.plies(), words }
    }
}

/// A true outcome in words.
pub(super) fn in_words(outcome: Option<&OutcomeRow>) -> &str {
    outcome.map_or("the true outcome was not found within the limits", |outcome| &outcome.words)
}

impl Check {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (player, opponent) = (self.player.name(), !self.player);
        let placing = self.placing.as_ref().map(|cell| format!("placing on {cell}: ")).unwrap_or_default();
        let positions = format!("{} {}", grouped(self.positions), plural(self.positions as usize, "position"));
        match (&self.broken, &self.limit) {
            (Some(Broken { line, why, outcome, .. }), _) => {
                paragraph(out, player, &format!("{placing}breaks after {line}"))?;
                paragraph(out, "", &format!("{why}; there {}", in_words(outcome.as_ref())))?;
                paragraph(out, "", &format!("{positions} checked until then"))
            }
            (None, Some(limit)) => {
                paragraph(out, player, &format!("{placing}{limit}; {positions} in the rounds before had no break"))
            }
            (None, None) => paragraph(
                out,
                player,
                &format!("{placing}wins: checked against every defence of the {opponent} player, {positions}"),
            ),
        }
    }
}

/// Writes the sentences of an argument, each as a paragraph.
pub(super) fn write_argument(out: &mut impl Write, sentences: &[String]) -> io::Result<()> {
    for (number, sentence) in sentences.iter().enumerate() {
        paragraph(out, if number == 0 { "argument" } else { "" }, sentence)?;
    }
    Ok(())
}
