//! One strategy played against everything: how that went, as data and as text.

use std::io::{self, Write};
use std::sync::Arc;

use serde::Serialize;

use super::Common;
use crate::analysis::{Analysis, Analyst};
use crate::cells::{Cell, Word};
use crate::cli::output::{fact, grouped, plural};
use crate::cli::progress::watched;
use crate::notation::{Line, cell_name};
use crate::position::{Player, Position};
use crate::solve::Control;
use crate::verify::{End, Exhaustion, Rule, exhaust};

/// Where a check begins, and how to write lines that go on from there.
pub(super) struct Start<W> {
    pub(super) position: Position<W>,
    text: String,
}

impl<W: Word> Start<W> {
    /// A position as it was typed: a board or a line goes on as a line.
    pub(super) fn new(typed: &str, position: Position<W>) -> Self {
        let line = typed
            .parse::<Line>()
            .map(|line| if line.moves().is_empty() { format!("{line}:").replace("::", ":") } else { line.to_string() });
        let text = line.unwrap_or_else(|_| format!("{}, then", position.setup()));
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
    pub(super) common: &'a Common,
    pub(super) analyst: &'a Analyst<W>,
    pub(super) most_positions: u64,
    pub(super) control: &'a Arc<Control>,
}

/// A check of a rule.
#[derive(Serialize)]
pub(super) struct Check {
    /// Who follows the rule.
    pub(super) player: &'static str,
    /// The cell that this player places on before it follows the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) placing: Option<String>,
    /// `wins`, `breaks` or `unknown`.
    pub(super) verdict: &'static str,
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
    pub(super) line: String,
    /// The reply that the rule wants.
    pub(super) reply: Option<String>,
    pub(super) fault: String,
    /// The true outcome of the position at the end of the line.
    pub(super) outcome: Truth,
    #[serde(skip)]
    pub(super) plies: usize,
}

/// Who wins a position, as far as that is known.
#[derive(Serialize)]
pub(super) struct Truth {
    pub(super) winner: &'static str,
    pub(super) plies: Option<usize>,
}

impl Truth {
    pub(super) fn of(analysis: &Analysis) -> Self {
        Self { winner: analysis.winner().map_or("unknown", Player::name), plies: analysis.plies() }
    }

    pub(super) fn words(&self) -> String {
        match (self.winner, self.plies) {
            ("unknown", _) => "the true outcome was not found within the limits".to_string(),
            (winner, Some(0)) => format!("{winner} has won"),
            (winner, Some(plies)) => format!("{winner} wins in {plies} {}", plural(plies, "ply")),
            (winner, None) => format!("{winner} wins"),
        }
    }
}

impl Check {
    /// Plays a rule against everything.
    pub(super) fn run<W: Word>(checker: &Checker<'_, W>, rule: &Rule, start: &Start<W>) -> Self {
        let Checker { common, analyst, most_positions, control } = *checker;
        let work = || exhaust(rule, &start.position, most_positions, control, |_| Ok(false));
        let solver = analyst.solver();
        let Exhaustion { player, positions, end } =
            watched((1, "strategy"), control, || solver.filling(), |_| solver.install(work));
        let check = |verdict| Self { player: player.name(), placing: None, verdict, positions, broken: None, limit: None };
        match end {
            End::Wins => check("wins"),
            End::Unknown(limit) => Self { limit: Some(limit.to_string()), ..check("unknown") },
            End::Breaks(broken) => {
                let there = broken.moves.iter().fold(start.position.clone(), |position, &to| position.play_unchecked(to));
                let outcome = Truth::of(&common.truth(analyst, &there, control));
                let broken = Broken {
                    line: start.line(&broken.moves),
                    reply: broken.reply.map(|reply| cell_name(there.size(), reply)),
                    fault: broken.fault.to_string(),
                    outcome,
                    plies: broken.moves.len(),
                };
                Self { broken: Some(broken), ..check("breaks") }
            }
        }
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let opponent = if self.player == "first" { "second" } else { "first" };
        let placing = self.placing.as_ref().map(|cell| format!("placing on {cell}: ")).unwrap_or_default();
        let positions = format!("{} {}", grouped(self.positions), plural(self.positions as usize, "position"));
        match (&self.broken, &self.limit) {
            (Some(Broken { line, reply, fault, outcome, .. }), _) => {
                let wanted = reply.as_ref().map(|reply| format!("the reply would be {reply}, but ")).unwrap_or_default();
                fact(out, self.player, &format!("{placing}breaks after {line}"))?;
                fact(out, "", &format!("{wanted}{fault}; there {}", outcome.words()))?;
                fact(out, "", &format!("{positions} checked until then"))
            }
            (None, Some(limit)) => fact(
                out,
                self.player,
                &format!(
                    "{placing}not gone through to the end: {limit} ({positions} checked without a break; --memory, --positions and --time are the limits)"
                ),
            ),
            (None, None) => fact(
                out,
                self.player,
                &format!("{placing}wins: checked against every play of the {opponent} player, {positions}"),
            ),
        }
    }
}

/// Sentences of an argument, one a line.
pub(super) fn write_argument(out: &mut impl Write, sentences: &[String]) -> io::Result<()> {
    for (number, sentence) in sentences.iter().enumerate() {
        fact(out, if number == 0 { "argument" } else { "" }, sentence)?;
    }
    Ok(())
}
