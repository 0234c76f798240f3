//! What the program finds about a claim, with the evidence.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::game::board::Size;
use crate::game::cells::Cell;
use crate::game::notation::{cell_name, parse_grouped};
use crate::game::position::Player;
use crate::solve::Known;

/// Whether a claim is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is true for the boards that it names.
    Proved,
    /// It is false. A line of play or a number shows it.
    Refuted,
    /// It is true except in some cases, all of which are listed.
    Exceptions,
    /// It has several readings, and their verdicts differ.
    DependsOnReading,
    /// It is about speed or frequency. The figure was measured.
    Measured,
    /// A limit ran out before an answer was found.
    NotDecided,
}

impl Verdict {
    /// The verdict's name in text and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Refuted => "refuted",
            Self::Exceptions => "holds with exceptions",
            Self::DependsOnReading => "depends on reading",
            Self::Measured => "measured",
            Self::NotDecided => "not decided",
        }
    }

    /// The verdict on a sentence about several things, from the verdict on each: one that refutes
    /// it is enough.
    #[must_use]
    pub fn of_all(verdicts: &[Self]) -> Self {
        let worst_first = [Self::Refuted, Self::NotDecided, Self::Exceptions];
        worst_first.into_iter().find(|verdict| verdicts.contains(verdict)).unwrap_or(Self::Proved)
    }

    /// The verdict on a claim with these readings: their common verdict, if they agree.
    #[must_use]
    pub fn of_readings(readings: &[Reading]) -> Self {
        let mut verdicts = readings.iter().map(|reading| reading.verdict);
        match verdicts.next() {
            _ if readings.iter().any(|reading| reading.verdict == Self::NotDecided) => Self::NotDecided,
            Some(first) if verdicts.all(|verdict| verdict == first) => first,
            _ => Self::DependsOnReading,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What was found about a claim.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Judgement {
    /// Whether the claim is true.
    pub verdict: Verdict,
    /// The finding in one or two sentences that can be understood on their own.
    pub summary: String,
    /// The readings of the claim, each with its own verdict. Empty if there is only one.
    pub readings: Vec<Reading>,
    /// The evidence in full.
    pub evidence: Vec<Evidence>,
    /// Commands that compute parts of the evidence again. The claim's own command, which computes
    /// all of it, is not listed.
    pub commands: Vec<String>,
}

impl Judgement {
    /// A judgement without readings.
    #[must_use]
    pub fn new(verdict: Verdict, summary: impl Into<String>, evidence: Vec<Evidence>) -> Self {
        Self { verdict, summary: summary.into(), readings: Vec::new(), evidence, commands: Vec::new() }
    }

    /// A judgement whose verdict follows from its readings.
    #[must_use]
    pub fn of_readings(summary: impl Into<String>, readings: Vec<Reading>) -> Self {
        let verdict = Verdict::of_readings(&readings);
        Self { readings, ..Self::new(verdict, summary, Vec::new()) }
    }

    /// Adds commands that compute parts of the evidence again.
    #[must_use]
    pub fn by(mut self, commands: impl IntoIterator<Item = String>) -> Self {
        self.commands.extend(commands);
        self
    }
}

/// A precise sentence that a claim may stand for.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reading {
    /// The sentence.
    pub statement: String,
    /// Whether it is true.
    pub verdict: Verdict,
    /// The finding in one or two sentences that can be understood on their own.
    pub summary: String,
    /// The evidence in full.
    pub evidence: Vec<Evidence>,
}

/// A piece of evidence.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// A complete sentence.
    Sentence(String),
    /// Rows of figures.
    Table {
        /// The names of the columns.
        head: Vec<&'static str>,
        /// The rows, each as long as the head.
        #[serde(serialize_with = "numbers_as_numbers")]
        rows: Vec<Vec<String>>,
    },
    /// A line of play.
    Line(PlayedLine),
    /// A figure beside the published one.
    Figure {
        /// What was measured.
        what: String,
        /// The figure found here, with its interval.
        ours: String,
        /// The published figure.
        published: String,
    },
}

/// Writes entries that are numbers as numbers: `1,234` in text is `1234` in JSON.
fn numbers_as_numbers<S: Serializer>(rows: &[Vec<String>], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Entry<'a> {
        Number(u64),
        Text(&'a str),
    }
    serializer.collect_seq(rows.iter().map(|row| {
        let entry = |text| parse_grouped(text).map_or(Entry::Text(text), Entry::Number);
        row.iter().map(String::as_str).map(entry).collect::<Vec<_>>()
    }))
}

/// A line of play from the empty board, with the true outcome after every ply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedLine {
    /// The board.
    pub size: Size,
    /// What the line shows, in a complete sentence.
    pub shows: String,
    /// The cells played to, placements first.
    pub moves: Vec<Cell>,
    /// What is known after each ply, from the view of the player to move.
    pub known: Vec<Known>,
}

impl PlayedLine {
    /// The line in notation, such as `7x7: d4 b3 f5`.
    #[must_use]
    pub fn notation(&self) -> String {
        let cells: String = self.moves.iter().map(|&cell| format!(" {}", cell_name(self.size, cell))).collect();
        format!("{}:{cells}", self.size)
    }

    /// For each ply: its cell, the player to move after it, and what is known then.
    pub fn plies(&self) -> impl Iterator<Item = (String, Player, &Known)> + '_ {
        let turns = Player::BOTH.into_iter().cycle().skip(1);
        self.moves.iter().zip(turns).zip(&self.known).map(|((&cell, turn), known)| (cell_name(self.size, cell), turn, known))
    }

    /// For each ply: its cell, and the true outcome after it in words, such as `first wins in 5`.
    pub fn outcomes(&self) -> impl Iterator<Item = (String, String)> + '_ {
        self.plies().enumerate().map(|(number, (cell, turn, known))| (cell, known.in_words(turn, number > 0)))
    }

    /// The true outcome at the end of the line.
    #[must_use]
    pub fn end(&self) -> String {
        self.outcomes().last().map(|(_, outcome)| outcome).unwrap_or_default()
    }
}

impl Serialize for PlayedLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Data<'a> {
            line: String,
            shows: &'a str,
            plies: Vec<PlyData>,
        }
        #[derive(Serialize)]
        struct PlyData {
            #[serde(rename = "move")]
            to: String,
            winner: Player,
            plies: Option<usize>,
        }
        let ply = |(to, turn, known): (String, Player, &Known)| PlyData {
            to,
            winner: known.winner_at_turn_of(turn),
            plies: known.plies(),
        };
        Data { line: self.notation(), shows: &self.shows, plies: self.plies().map(ply).collect() }.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_that_agree_decide_a_claim() {
        use Verdict::{DependsOnReading, NotDecided, Proved, Refuted};
        let readings = |verdicts: &[Verdict]| {
            let reading = |&verdict| Reading { statement: String::new(), verdict, summary: String::new(), evidence: Vec::new() };
            Verdict::of_readings(&verdicts.iter().map(reading).collect::<Vec<_>>())
        };
        assert_eq!(readings(&[Proved, Proved]), Proved);
        assert_eq!(readings(&[Proved, Refuted]), DependsOnReading);
        assert_eq!(readings(&[Refuted, NotDecided, Refuted]), NotDecided);
        assert_eq!(Verdict::of_all(&[Proved, NotDecided, Refuted]), Refuted);
        assert_eq!((Verdict::of_all(&[Proved, NotDecided]), Verdict::of_all(&[Proved, Proved])), (NotDecided, Proved));
    }
}
