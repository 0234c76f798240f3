//! The record of a game: who played, what was played, and how it ended. One line of JSON in a file.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::notation::{self, Line, spaced_names};
use crate::position::Player;

/// A game that was played to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The players' names, the first player's first.
    pub names: [String; 2],
    /// What each move was limited to, in words.
    pub limit: String,
    /// How many plies were given before the players began to choose.
    pub given: usize,
    /// What was played.
    pub line: Line,
    /// Who won.
    pub winner: Player,
    /// How it ended.
    pub end: End,
    /// What was proven of it afterwards, if anybody looked.
    pub judgement: Option<Judgement>,
}

/// How a game ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The loser could not move.
    Stuck,
    /// The loser gave up.
    Resigned,
    /// The loser's player broke the rules, the clock, or itself.
    Forfeit(Forfeit),
}

/// Why a game was forfeited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Forfeit {
    /// It wanted to move to a cell where it could not.
    Illegal(String),
    /// It took longer than was allowed.
    Late(String),
    /// It crashed.
    Crashed(String),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stuck => f.write_str("cannot move"),
            Self::Resigned => f.write_str("resigned"),
            Self::Forfeit(Forfeit::Illegal(what)) => write!(f, "played an illegal move ({what})"),
            Self::Forfeit(Forfeit::Late(what)) => write!(f, "was late ({what})"),
            Self::Forfeit(Forfeit::Crashed(what)) => write!(f, "crashed ({what})"),
        }
    }
}

/// What is proven of the positions of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Judgement {
    /// From this ply on the winner of every position is known.
    pub known_from: usize,
    /// Who wins the position after the two placements, if that is known.
    pub opening_winner: Option<Player>,
    /// The plies, counted from 1, by which a proven win was given away.
    pub blunders: Vec<usize>,
}

/// The same as it stands in a file.
#[derive(Serialize, Deserialize)]
struct Written {
    board: String,
    first: String,
    second: String,
    limit: String,
    given: usize,
    moves: String,
    winner: String,
    end: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    /// Where it was forfeited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    known_from: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opening_winner: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    blunders: Option<Vec<usize>>,
}

impl Record {
    /// The name of the player who won.
    #[must_use]
    pub fn winners_name(&self) -> &str {
        &self.names[self.winner as usize]
    }

    /// The record as one line of JSON.
    ///
    /// # Panics
    /// Never: text and numbers can always be written.
    #[must_use]
    pub fn to_json(&self) -> String {
        let (end, detail) = match &self.end {
            End::Stuck => ("stuck", None),
            End::Resigned => ("resigned", None),
            End::Forfeit(Forfeit::Illegal(what)) => ("illegal", Some(what)),
            End::Forfeit(Forfeit::Late(what)) => ("late", Some(what)),
            End::Forfeit(Forfeit::Crashed(what)) => ("crashed", Some(what)),
        };
        let size = self.line.size();
        let judgement = self.judgement.as_ref();
        let written = Written {
            board: size.to_string(),
            first: self.names[0].clone(),
            second: self.names[1].clone(),
            limit: self.limit.clone(),
            given: self.given,
            moves: spaced_names(size, self.line.moves()),
            winner: self.winner.to_string(),
            end: end.to_string(),
            detail: detail.cloned(),
            position: detail.map(|_| self.line.end().setup().to_string()),
            known_from: judgement.map(|judgement| judgement.known_from),
            opening_winner: judgement.and_then(|judgement| judgement.opening_winner).map(|winner| winner.to_string()),
            blunders: judgement.map(|judgement| judgement.blunders.clone()),
        };
        serde_json::to_string(&written).expect("text and numbers can be written")
    }

    /// The record as a line of a tournament's file: with the number of the game, counted from 1.
    #[must_use]
    pub fn to_line(&self, game: usize) -> String {
        format!("{{\"game\":{game},\"record\":{}}}", self.to_json())
    }

    /// Reads a line of a file: a record, or one with the number of its game.
    ///
    /// # Errors
    /// If the text is neither.
    pub fn from_line(text: &str) -> Result<(Option<usize>, Self), String> {
        #[derive(Deserialize)]
        struct Numbered<'a> {
            game: usize,
            #[serde(borrow)]
            record: &'a RawValue,
        }
        match serde_json::from_str::<Numbered<'_>>(text) {
            Ok(numbered) => Ok((Some(numbered.game), Self::from_json(numbered.record.get())?)),
            Err(_) => Ok((None, Self::from_json(text)?)),
        }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// If the text is not one, with what is wrong: also if what it says cannot have been played.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let written: Written = serde_json::from_str(text).map_err(|fault| format!("no record of a game: {fault}"))?;
        let line: Line =
            format!("{}: {}", written.board, written.moves).parse().map_err(|fault: notation::Error| fault.to_string())?;
        let detail = written.detail.unwrap_or_default();
        let end = match written.end.as_str() {
            "stuck" => End::Stuck,
            "resigned" => End::Resigned,
            "illegal" => End::Forfeit(Forfeit::Illegal(detail)),
            "late" => End::Forfeit(Forfeit::Late(detail)),
            "crashed" => End::Forfeit(Forfeit::Crashed(detail)),
            other => return Err(format!("`{other}` is no way to end a game")),
        };
        let winner = written.winner.parse::<Player>()?;
        let is_over = line.end().winner();
        if (end == End::Stuck) != is_over.is_some() || is_over.is_some_and(|by_rules| by_rules != winner) {
            return Err(format!("the {winner} player cannot have won so: {line}"));
        }
        if written.given > line.moves().len() {
            return Err(format!("{} plies cannot have been given: {line}", written.given));
        }
        let judgement = match (written.known_from, written.blunders) {
            (Some(known_from), Some(blunders)) => {
                let opening_winner = written.opening_winner.as_deref().map(str::parse).transpose()?;
                if known_from > line.moves().len() + 1 || blunders.iter().any(|ply| !(1..=line.moves().len()).contains(ply)) {
                    return Err(format!("it is judged at plies that it does not have: {line}"));
                }
                Some(Judgement { known_from, opening_winner, blunders })
            }
            _ => None,
        };
        let names = [written.first, written.second];
        Ok(Self { names, limit: written.limit, given: written.given, line, winner, end, judgement })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_and_lies_are_noticed() {
        let line: Line = "3x3: b2 a1 ".parse().unwrap();
        let stuck = Record {
            names: ["best".to_string(), "Random".to_string()],
            limit: "150ms".to_string(),
            given: 2,
            line: line.clone(),
            winner: Player::Second,
            end: End::Stuck,
            judgement: Some(Judgement { known_from: 2, opening_winner: Some(Player::Second), blunders: vec![] }),
        };
        assert_eq!(Record::from_json(&stuck.to_json()), Ok(stuck.clone()));
        let line: Line = "3x3: a1 b1".parse().unwrap();
        let late = Record { line, end: End::Forfeit(Forfeit::Late("180 ms".to_string())), judgement: None, ..stuck.clone() };
        assert!(late.to_json().contains("\"position\":\"3/3/Nn1 w"), "{}", late.to_json());
        assert_eq!(Record::from_json(&late.to_json()), Ok(late.clone()));
        let (stuck, late) = (stuck.to_json(), late.to_json());
        for lie in [
            stuck.replace("\"winner\":\"second\"", "\"winner\":\"first\""),
            stuck.replace("b2 a1", "b2 b2"),
            late.replace("late", "stuck"),
            stuck.replace("\"stuck\"", "\"late\""),
            stuck.replace("3x3", "0x3"),
            stuck.replace("\"blunders\":[]", "\"blunders\":[3]"),
            stuck.replace("\"blunders\":[]", "\"blunders\":[0]"),
            stuck.replace("\"known_from\":2", "\"known_from\":4"),
            late.replace("\"given\":2", "\"given\":3"),
            stuck[..40].to_string(),
        ] {
            assert!(Record::from_json(&lie).is_err(), "{lie}");
        }
    }
}
