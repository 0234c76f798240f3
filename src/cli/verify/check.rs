//! One strategy played against everything: how that went, as data and as text.

use std::cell::Cell as Mutable;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::analysis::Analyst;
use crate::cells::{Cell, Word};
use crate::claims::TrueOutcome;
use crate::cli::output::{grouped, paragraph, plural};
use crate::cli::progress::told;
use crate::notation::{Line, cell_name};
use crate::position::{Player, Position};
use crate::solve::{Control, Question};
use crate::verify::{Bounds, End, Exhaustion, Rule, exhaust};

/// Where a check begins, and how to write lines that go on from there.
pub(super) struct Start<W> {
    pub(super) position: Position<W>,
    text: String,
}

impl<W: Word> Start<W> {
    /// A position as it was typed: a board or a line goes on as a line.
    pub(super) fn new(typed: &str, position: Position<W>) -> Self {
        let text = match typed.parse::<Line>() {
            Ok(line) => line.to_string(),
            Err(_) => format!("{}, then", position.setup()),
        };
        Self { position, text }
    }

    /// The same after one more move.
    pub(super) fn after(&self, to: Cell) -> Self {
        Self { position: self.position.play_unchecked(to), text: self.line(&[to]) }
    }

    /// The line that goes on with these moves.
    pub(super) fn line(&self, moves: &[Cell]) -> String {
        let cells: String = moves.iter().map(|&cell| format!(" {}", cell_name(self.position.size(), cell))).collect();
        format!("{}{cells}", self.text)
    }
}

/// What checks are made with.
pub(super) struct Checker<'a, W> {
    pub(super) analyst: &'a Analyst<W>,
    pub(super) most_positions: u64,
    pub(super) control: &'a Arc<Control>,
    /// The time that is left for true outcomes, all of them together.
    pub(super) time_for_outcomes: Mutable<Duration>,
}

impl<W: Word> Checker<'_, W> {
    /// Plays a rule against everything.
    pub(super) fn exhaust(&self, rule: &Rule, start: &Start<W>) -> Exhaustion {
        let (control, most_positions) = (self.control, self.most_positions);
        told("positions", |tell| {
            let bounds = Bounds { most_positions, control, tell: &|positions| tell(positions, most_positions, "at most") };
            self.analyst.solver().install(|| exhaust(rule, &start.position, bounds, |_| Ok(false)))
        })
    }

    /// The true outcome of a position; none if there was no time to find it.
    pub(super) fn outcome(&self, position: &Position<W>) -> Option<TrueOutcome> {
        let (started, left) = (Instant::now(), self.time_for_outcomes.get());
        let control = Arc::new(self.control.part(Some(left)));
        let live = position.duel().map(|duel| duel.live(position.board()).len());
        let few = live.is_some_and(|live| live <= TrueOutcome::MOST_LIVE_TO_COUNT);
        let analysis = self.analyst.analyse(position, if few { Question::Distance } else { Question::Winner }, &control);
        self.time_for_outcomes.set(left.saturating_sub(started.elapsed()));
        analysis.winner().map(|winner| TrueOutcome { winner, plies: analysis.plies() })
    }

    /// What is to be told of a check.
    pub(super) fn report(&self, start: &Start<W>, found: Exhaustion) -> Check {
        let Exhaustion { player, positions, end } = found;
        let check = |verdict| Check { player, placing: None, verdict, positions, broken: None, limit: None };
        match end {
            End::Wins => check(Verdict::Wins),
            End::Unknown(limit) => Check { limit: Some(limit.to_string()), ..check(Verdict::Unknown) },
            End::Breaks(broken) => {
                let there = broken.moves.iter().fold(start.position.clone(), |position, &to| position.play_unchecked(to));
                let broken = Broken {
                    line: start.line(&broken.moves),
                    reply: broken.reply.map(|reply| cell_name(there.size(), reply)),
                    fault: broken.fault.to_string(),
                    outcome: self.outcome(&there),
                };
                Check { broken: Some(broken), ..check(Verdict::Breaks) }
            }
        }
    }
}

/// What became of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    Wins,
    Breaks,
    Unknown,
}

/// A check of a rule.
#[derive(Serialize)]
pub(super) struct Check {
    /// Who follows the rule.
    pub(super) player: Player,
    /// The cell that this player places on before it follows the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) placing: Option<String>,
    pub(super) verdict: Verdict,
    /// The positions in which every move of the opponent was answered, or found to have no answer.
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
    /// A shortest line: its last move has no reply.
    line: String,
    /// The reply that the rule wants.
    reply: Option<String>,
    fault: String,
    /// The true outcome of the position at the end of the line; none if it was not found within the limits.
    outcome: Option<TrueOutcome>,
}

/// A true outcome in words.
pub(super) fn in_words(outcome: Option<TrueOutcome>) -> String {
    outcome.map_or_else(|| "the true outcome was not found within the limits".to_string(), |outcome| outcome.to_string())
}

impl Check {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (player, opponent) = (self.player.name(), !self.player);
        let placing = self.placing.as_ref().map(|cell| format!("placing on {cell}: ")).unwrap_or_default();
        let positions = format!("{} {}", grouped(self.positions), plural(self.positions as usize, "position"));
        match (&self.broken, &self.limit) {
            (Some(Broken { line, reply, fault, outcome }), _) => {
                let wanted = reply.as_ref().map(|reply| format!("the reply would be {reply}, but ")).unwrap_or_default();
                paragraph(out, player, &format!("{placing}breaks after {line}"))?;
                paragraph(out, "", &format!("{wanted}{fault}; there {}", in_words(*outcome)))?;
                paragraph(out, "", &format!("{positions} checked until then"))
            }
            (None, Some(limit)) => paragraph(
                out,
                player,
                &format!("{placing}{limit}; in the rounds before, {positions} were checked without a break"),
            ),
            (None, None) => paragraph(
                out,
                player,
                &format!("{placing}wins: checked against every play of the {opponent} player, {positions}"),
            ),
        }
    }
}

/// Sentences of an argument, one a paragraph.
pub(super) fn write_argument(out: &mut impl Write, sentences: &[String]) -> io::Result<()> {
    for (number, sentence) in sentences.iter().enumerate() {
        paragraph(out, if number == 0 { "argument" } else { "" }, sentence)?;
    }
    Ok(())
}
