//! The record of a game: who played, the moves, and how it ended. In a file it is one line of JSON.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::game::notation::{self, Line, quoted, spaced_names};
use crate::game::position::{Player, UnknownPlayer};
use crate::play::{Agent, Limit, LimitError, UnknownAgent};

/// The name of a person in a record. All other names are those of agents.
pub const YOU: &str = "you";

/// A game: finished, or as far as it was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The names of the first and the second player.
    pub names: [String; 2],
    /// The limit for each move, as text.
    pub limit: String,
    /// How many plies were set before the players began to choose.
    pub given: usize,
    /// The moves.
    pub line: Line,
    /// Who won. `None` exactly if the game is unfinished.
    pub winner: Option<Player>,
    /// How it ended.
    pub end: End,
    /// What was proven about the game afterwards. `None` if the game was not judged.
    pub judgement: Option<Judgement>,
}

/// How a game ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The loser could not move.
    Stuck,
    /// The loser resigned.
    Resigned,
    /// The loser made an illegal move, took too long, or crashed.
    Forfeit(Forfeit),
    /// The game was broken off. Nobody has won.
    Unfinished,
}

/// Why a game was forfeited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Forfeit {
    /// The player chose an illegal move.
    Illegal(String),
    /// The player took longer than the limit allows.
    Late(String),
    /// The player crashed.
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
            Self::Unfinished => f.write_str("unfinished"),
        }
    }
}

/// What is proven about the positions of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Judgement {
    /// The winner is known for every position from this ply on.
    pub known_from: usize,
    /// Who wins the position after the two placements, if that is known.
    pub opening_winner: Option<Player>,
    /// The plies, counted from 1, that gave away a proven win.
    pub blunders: Vec<usize>,
}

/// A record as it stands in a file.
#[derive(Serialize, Deserialize)]
struct Written {
    board: String,
    first: String,
    second: String,
    limit: String,
    given: usize,
    moves: String,
    /// `null` if the game is unfinished.
    winner: Option<String>,
    end: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    /// The position in which the game was forfeited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    known_from: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opening_winner: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    blunders: Option<Vec<usize>>,
}

/// A game as [`Record::from_description`] reads it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    first: String,
    second: String,
    limit: String,
    #[serde(default)]
    given: usize,
    line: String,
    #[serde(default)]
    winner: Option<String>,
    end: String,
}

/// Why a text is not a [`Record`].
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum RecordError {
    /// The text is not JSON, or a field is missing.
    Json(serde_json::Error),
    /// The text is not the JSON description of a game, or a field is missing.
    Description(serde_json::Error),
    /// A player is neither a person nor an agent.
    Player(UnknownAgent),
    /// The limit is not one that a player can have.
    Limit(LimitError),
    /// The moves cannot be read or played.
    Moves(notation::Error),
    /// The winner is not a player.
    Winner(UnknownPlayer),
    /// The end is none of the ways in which a game can end.
    End { text: String },
    /// The moves do not lead to this end, or to this winner.
    WrongWinner { winner: Player, line: Box<Line> },
    /// The game is unfinished but has a winner or is over, or it is finished but has no winner.
    NotUnfinished { line: Box<Line> },
    /// More plies were set than the game has.
    Given { plies: usize, line: Box<Line> },
    /// The judgement names plies that the game does not have.
    Judgement { line: Box<Line> },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(fault) => write!(f, "not the record of a game: {fault}"),
            Self::Description(fault) => {
                let fields = "first, second, limit, given, line, end and winner";
                write!(f, "not the description of a game: {fault}; it has the fields {fields}")
            }
            Self::Player(fault) => write!(f, "{fault}; a person is called `{YOU}`"),
            Self::Limit(fault) => fault.fmt(f),
            Self::Moves(fault) => fault.fmt(f),
            Self::Winner(fault) => fault.fmt(f),
            Self::End { text } => {
                let text = quoted(text);
                write!(f, "{text} is not how a game ends: expected stuck, resigned, illegal, late, crashed or unfinished")
            }
            Self::WrongWinner { winner, line } => {
                write!(f, "the {winner} player cannot have won this way: {line}; ")?;
                match line.end().winner() {
                    Some(winner) => write!(f, "the game is over, so its end is `stuck` and its winner is `{winner}`"),
                    None => f.write_str("the game is not over, so its end is not `stuck`"),
                }
            }
            Self::NotUnfinished { line } => {
                write!(f, "an unfinished game has no winner and can go on, and every other game has a winner: {line}")
            }
            Self::Given { plies, line } => write!(f, "{plies} plies cannot have been set before the game: {line}"),
            Self::Judgement { line } => write!(f, "the judgement names plies that the game does not have: {line}"),
        }
    }
}

impl std::error::Error for RecordError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Json(fault) | Self::Description(fault) => Some(fault),
            Self::Player(fault) => Some(fault),
            Self::Limit(fault) => Some(fault),
            Self::Moves(fault) => Some(fault),
            Self::Winner(fault) => Some(fault),
            Self::End { .. }
            | Self::WrongWinner { .. }
            | Self::NotUnfinished { .. }
            | Self::Given { .. }
            | Self::Judgement { .. } => None,
        }
    }
}

impl Record {
    /// The names of the winner and the loser. `None` if the game is unfinished.
    #[must_use]
    pub fn winner_and_loser(&self) -> Option<[&str; 2]> {
        self.winner.map(|winner| [winner, !winner].map(|player| self.names[player as usize].as_str()))
    }

    /// How the game ended, in words: who won, and why the other lost.
    #[must_use]
    pub fn result(&self) -> String {
        match self.winner_and_loser() {
            Some([winner, loser]) => format!("{winner} won, {loser} {}", self.end),
            None => self.end.to_string(),
        }
    }

    /// The record as one line of JSON.
    ///
    /// # Panics
    /// Never: a record is made of text and numbers, which JSON can always hold.
    #[must_use]
    pub fn to_json(&self) -> String {
        let (end, detail) = match &self.end {
            End::Stuck => ("stuck", None),
            End::Resigned => ("resigned", None),
            End::Forfeit(Forfeit::Illegal(what)) => ("illegal", Some(what)),
            End::Forfeit(Forfeit::Late(what)) => ("late", Some(what)),
            End::Forfeit(Forfeit::Crashed(what)) => ("crashed", Some(what)),
            End::Unfinished => ("unfinished", None),
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
            winner: self.winner.map(|winner| winner.to_string()),
            end: end.to_string(),
            detail: detail.cloned(),
            position: detail.map(|_| self.line.end().setup().to_string()),
            known_from: judgement.map(|judgement| judgement.known_from),
            opening_winner: judgement.and_then(|judgement| judgement.opening_winner).map(|winner| winner.to_string()),
            blunders: judgement.map(|judgement| judgement.blunders.clone()),
        };
        serde_json::to_string(&written).expect("text and numbers can be written as JSON")
    }

    /// The record as a line of a games file, with the number of the game, counted from 1.
    #[must_use]
    pub fn to_line(&self, game: usize) -> String {
        format!("{{\"game\":{game},\"record\":{}}}", self.to_json())
    }

    /// Reads a record, alone or with the number of its game.
    ///
    /// # Errors
    /// If the text is neither.
    pub fn from_line(text: &str) -> Result<(Option<usize>, Self), RecordError> {
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
    /// If the text is not a record, or if the game it describes cannot have been played.
    pub fn from_json(text: &str) -> Result<Self, RecordError> {
        let written: Written = serde_json::from_str(text).map_err(RecordError::Json)?;
        let line = format!("{}: {}", written.board, written.moves).parse().map_err(RecordError::Moves)?;
        written.record(line)
    }

    /// The record of a game that is described in JSON, with its moves as a line of play. Each
    /// player is an agent or [`YOU`], so that the game can be continued.
    ///
    /// ```
    /// use isolde::arena::Record;
    ///
    /// let record = Record::from_description(
    ///     r#"{"first": "you", "second": "best", "limit": "150ms", "given": 0,
    ///         "line": "3x3: b2 a1", "end": "stuck", "winner": "second"}"#,
    /// )?;
    /// assert_eq!(record.result(), "best won, you cannot move");
    /// # Ok::<(), isolde::arena::RecordError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not such a description, or if the game cannot have been played.
    pub fn from_description(text: &str) -> Result<Self, RecordError> {
        let described: Description = serde_json::from_str(text).map_err(RecordError::Description)?;
        let name = |name: String| match name.as_str() {
            YOU => Ok(name),
            agent => agent.parse().map(|agent: Agent| agent.to_string()).map_err(RecordError::Player),
        };
        let limit: Limit = described.limit.parse().map_err(RecordError::Limit)?;
        let line: Line = described.line.parse().map_err(RecordError::Moves)?;
        let written = Written {
            board: line.size().to_string(),
            first: name(described.first)?,
            second: name(described.second)?,
            limit: limit.to_string(),
            given: described.given,
            moves: spaced_names(line.size(), line.moves()),
            winner: described.winner,
            end: described.end,
            detail: None,
            position: None,
            known_from: None,
            opening_winner: None,
            blunders: None,
        };
        written.record(line)
    }
}

impl Written {
    /// The record of a game with these moves, if it can have been played.
    fn record(self, line: Line) -> Result<Record, RecordError> {
        let detail = self.detail.unwrap_or_default();
        let end = match self.end.as_str() {
            "stuck" => End::Stuck,
            "resigned" => End::Resigned,
            "illegal" => End::Forfeit(Forfeit::Illegal(detail)),
            "late" => End::Forfeit(Forfeit::Late(detail)),
            "crashed" => End::Forfeit(Forfeit::Crashed(detail)),
            "unfinished" => End::Unfinished,
            _ => return Err(RecordError::End { text: self.end }),
        };
        let winner: Option<Player> = self.winner.as_deref().map(str::parse).transpose().map_err(RecordError::Winner)?;
        let by_rules = line.end().winner();
        match winner {
            None if end == End::Unfinished && by_rules.is_none() => {}
            Some(winner) if end == End::Stuck && by_rules == Some(winner) => {}
            Some(_) if !matches!(end, End::Stuck | End::Unfinished) && by_rules.is_none() => {}
            Some(winner) if end != End::Unfinished => return Err(RecordError::WrongWinner { winner, line: line.into() }),
            _ => return Err(RecordError::NotUnfinished { line: line.into() }),
        }
        if self.given > line.moves().len() {
            return Err(RecordError::Given { plies: self.given, line: line.into() });
        }
        let judgement = match (self.known_from, self.blunders) {
            (Some(known_from), Some(blunders)) => {
                let opening_winner = self.opening_winner.as_deref().map(str::parse).transpose().map_err(RecordError::Winner)?;
                if known_from > line.moves().len() + 1 || blunders.iter().any(|ply| !(1..=line.moves().len()).contains(ply)) {
                    return Err(RecordError::Judgement { line: line.into() });
                }
                Some(Judgement { known_from, opening_winner, blunders })
            }
            _ => None,
        };
        let names = [self.first, self.second];
        Ok(Record { names, limit: self.limit, given: self.given, line, winner, end, judgement })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_back_and_impossible_ones_are_refused() {
        let line: Line = "3x3: b2 a1 ".parse().unwrap();
        let stuck = Record {
            names: ["best".to_string(), "Random".to_string()],
            limit: "150ms".to_string(),
            given: 2,
            line: line.clone(),
            winner: Some(Player::Second),
            end: End::Stuck,
            judgement: Some(Judgement { known_from: 2, opening_winner: Some(Player::Second), blunders: vec![] }),
        };
        assert_eq!(Record::from_json(&stuck.to_json()).unwrap(), stuck);
        let line: Line = "3x3: a1 b1".parse().unwrap();
        let late = Record { line, end: End::Forfeit(Forfeit::Late("180 ms".to_string())), judgement: None, ..stuck.clone() };
        assert!(late.to_json().contains("\"position\":\"3/3/Nn1 w"), "{}", late.to_json());
        assert_eq!(Record::from_json(&late.to_json()).unwrap(), late);
        let unfinished = Record { winner: None, end: End::Unfinished, ..late.clone() };
        assert!(unfinished.to_json().contains("\"winner\":null,\"end\":\"unfinished\""), "{}", unfinished.to_json());
        assert_eq!(Record::from_json(&unfinished.to_json()).unwrap(), unfinished);
        let (stuck, late, unfinished) = (stuck.to_json(), late.to_json(), unfinished.to_json());
        for impossible in [
            stuck.replace("\"winner\":\"second\"", "\"winner\":\"first\""),
            stuck.replace("b2 a1", "b2 b2"),
            late.replace("late", "stuck"),
            stuck.replace("\"stuck\"", "\"late\""),
            stuck.replace("3x3", "0x3"),
            stuck.replace("\"blunders\":[]", "\"blunders\":[3]"),
            stuck.replace("\"blunders\":[]", "\"blunders\":[0]"),
            stuck.replace("\"known_from\":2", "\"known_from\":4"),
            late.replace("\"given\":2", "\"given\":3"),
            late.replace("\"winner\":\"second\"", "\"winner\":null"),
            late.replace("\"late\"", "\"unfinished\""),
            stuck.replace("\"winner\":\"second\"", "\"winner\":null"),
            stuck.replace("\"winner\":\"second\",\"end\":\"stuck\"", "\"winner\":null,\"end\":\"unfinished\""),
            unfinished.replace("null", "\"first\""),
            stuck[..40].to_string(),
        ] {
            assert!(Record::from_json(&impossible).is_err(), "{impossible}");
        }
        // The record, the line, its second move, the rule that the move breaks.
        let fault = Record::from_json(&stuck.replace("b2 a1", "b2 b2")).unwrap_err();
        let causes = std::iter::successors(Some(&fault as &dyn std::error::Error), |fault| fault.source());
        assert_eq!(causes.last().unwrap().to_string(), "the cell is occupied");
    }

    #[test]
    fn a_described_game_becomes_a_record_or_says_what_would_be_right() {
        let described = |fields: &[(&str, serde_json::Value)]| {
            let mut all = serde_json::json!({
                "first": "you", "second": "ab_improved", "limit": "150ms", "given": 1,
                "line": "3x3: b2 a1", "end": "stuck", "winner": "second",
            });
            fields.iter().for_each(|(field, value)| all[*field] = value.clone());
            Record::from_description(&all.to_string())
        };
        let record = described(&[]).unwrap();
        assert_eq!(
            record.to_json(),
            concat!(
                r#"{"board":"3x3","first":"you","second":"AB_Improved","limit":"150ms","given":1,"#,
                r#""moves":"b2 a1","winner":"second","end":"stuck"}"#
            )
        );
        assert_eq!(Record::from_json(&record.to_json()).unwrap(), record);
        let open = [("line", "3x3: a1 b1".into()), ("end", "unfinished".into()), ("winner", serde_json::Value::Null)];
        assert_eq!(described(&open).unwrap().winner, None);
        let cases: [(&[(&str, serde_json::Value)], &str); 10] = [
            (
                &[("first", "me".into())],
                "unknown agent `me`: write best, perfect, Random, or MM_, AB_ or ID_ and a heuristic, such as AB_Improved; \
                 a person is called `you`",
            ),
            (&[("limit", "soon".into())], "`soon` is not a limit: write one such as `150ms`, `20,000 nodes` or `depth 7`"),
            (
                &[("line", "3x3: b2 b2".into())],
                "move 2 of the line: `b2` cannot be played: the cell is occupied; legal are a1 b1 c1 a2 c2 a3 b3 c3",
            ),
            (
                &[("end", "lost".into())],
                "`lost` is not how a game ends: expected stuck, resigned, illegal, late, crashed or unfinished",
            ),
            (&[("winner", "you".into())], "`you` is not a player: write first or second"),
            (
                &[("winner", "first".into())],
                "the first player cannot have won this way: 3x3: b2 a1; \
                 the game is over, so its end is `stuck` and its winner is `second`",
            ),
            (
                &[("line", "3x3: a1".into())],
                "the second player cannot have won this way: 3x3: a1; the game is not over, so its end is not `stuck`",
            ),
            (
                &[("winner", serde_json::Value::Null)],
                "an unfinished game has no winner and can go on, and every other game has a winner: 3x3: b2 a1",
            ),
            (&[("given", 3.into())], "3 plies cannot have been set before the game: 3x3: b2 a1"),
            (&[("moves", "b2 a1".into())], "not the description of a game: unknown field `moves`"),
        ];
        for (fields, sentence) in cases {
            let fault = described(fields).unwrap_err().to_string();
            assert!(fault.starts_with(sentence), "{fields:?}: {fault}");
        }
        assert!(Record::from_description("{}").unwrap_err().to_string().contains("missing field `first`"));
    }
}
