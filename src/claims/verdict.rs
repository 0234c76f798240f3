//! What the program says of a claim, and why.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::board::Size;
use crate::cells::Cell;
use crate::notation::{cell_name, parse_grouped};
use crate::position::Player;

/// The answer to a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is true, for the boards that are named.
    Proved,
    /// It is false: a line of play shows it.
    Refuted,
    /// It is true but for exceptions, all of which are listed.
    Exceptions,
    /// It can be read in several ways, and they have different verdicts.
    DependsOnReading,
    /// It is about speed or frequency: here is the figure.
    Measured,
    /// A limit ran out first.
    NotDecided,
}

impl Verdict {
    /// The name that people read.
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

    /// The verdict on a sentence about several things, each of which has one of these: it is true of all or refuted by one.
    #[must_use]
    pub fn of_all(verdicts: &[Self]) -> Self {
        let worst_first = [Self::Refuted, Self::NotDecided, Self::Exceptions];
        worst_first.into_iter().find(|verdict| verdicts.contains(verdict)).unwrap_or(Self::Proved)
    }

    /// The verdict on a claim whose readings have these: theirs if they agree.
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
    /// The answer.
    pub verdict: Verdict,
    /// The evidence in one line.
    pub summary: String,
    /// The ways to read the claim, each with its own verdict; none if there is only one.
    pub readings: Vec<Reading>,
    /// The evidence in full.
    pub evidence: Vec<Evidence>,
    /// Commands that compute parts of the evidence again; the claim's own command computes all of it.
    pub commands: Vec<String>,
}

impl Judgement {
    /// A judgement without readings.
    #[must_use]
    pub fn new(verdict: Verdict, summary: impl Into<String>, evidence: Vec<Evidence>) -> Self {
        Self { verdict, summary: summary.into(), readings: Vec::new(), evidence, commands: Vec::new() }
    }

    /// A judgement that follows from those of its readings.
    #[must_use]
    pub fn of_readings(summary: impl Into<String>, readings: Vec<Reading>) -> Self {
        let verdict = Verdict::of_readings(&readings);
        Self { readings, ..Self::new(verdict, summary, Vec::new()) }
    }

    /// The same, with commands that compute parts of it again.
    #[must_use]
    pub fn by(mut self, commands: impl IntoIterator<Item = String>) -> Self {
        self.commands.extend(commands);
        self
    }
}

/// One way to understand a claim.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reading {
    /// What it then says.
    pub statement: String,
    /// Whether that is true.
    pub verdict: Verdict,
    /// The evidence in one line.
    pub summary: String,
    /// The evidence in full.
    pub evidence: Vec<Evidence>,
}

/// A piece of evidence.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// A sentence.
    Sentence(String),
    /// Rows of figures.
    Table {
        /// What the columns are.
        head: Vec<&'static str>,
        /// The rows, each as long as the head.
        #[serde(serialize_with = "as_numbers_where_they_are")]
        rows: Vec<Vec<String>>,
    },
    /// A line of play.
    Line(PlayedLine),
    /// A figure beside the published one.
    Figure {
        /// What was measured.
        what: String,
        /// What it was here, with its interval.
        ours: String,
        /// What was published.
        published: String,
    },
}

/// Programs get numbers as numbers, and not with their thousands set apart.
fn as_numbers_where_they_are<S: Serializer>(rows: &[Vec<String>], serializer: S) -> Result<S::Ok, S::Error> {
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
    /// What the line shows.
    pub shows: String,
    /// The cells played to, placements first.
    pub moves: Vec<Cell>,
    /// Who wins after each of them.
    pub outcomes: Vec<TrueOutcome>,
}

/// Who wins a position, and in how many plies if that was counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TrueOutcome {
    /// Who wins.
    pub winner: Player,
    /// In how many plies the game ends.
    pub plies: Option<usize>,
}

impl TrueOutcome {
    /// With this many live cells or fewer the plies of a position are counted, too: that takes no time that anybody would notice.
    pub const MOST_LIVE_TO_COUNT: usize = 22;
}

impl fmt::Display for TrueOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies {
            Some(0) => write!(f, "{} has won", self.winner),
            Some(plies) => write!(f, "{} wins in {plies}", self.winner),
            None => write!(f, "{} wins", self.winner),
        }
    }
}

impl PlayedLine {
    /// The line in notation: `7x7: d4 b3 f5`.
    #[must_use]
    pub fn notation(&self) -> String {
        let cells: String = self.moves.iter().map(|&cell| format!(" {}", cell_name(self.size, cell))).collect();
        format!("{}:{cells}", self.size)
    }

    /// Each ply: its cell, and the true outcome after it.
    pub fn plies(&self) -> impl Iterator<Item = (String, TrueOutcome)> + '_ {
        self.moves.iter().zip(&self.outcomes).map(|(&cell, &outcome)| (cell_name(self.size, cell), outcome))
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
            #[serde(flatten)]
            outcome: TrueOutcome,
        }
        let ply = |(to, outcome)| PlyData { to, outcome };
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
