//! The games of a file as an answer: who played, the moves, how they ended.

use serde::Serialize;

use super::games_file::{LineError, games_in};
use super::record::Record;
use crate::game::notation::{Written, cell_name};
use crate::game::position::Player;

/// The games of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Games {
    /// The games, in the order of the file.
    pub games: Vec<GameEntry>,
}

impl Games {
    /// The games in the text of a file in which games were saved, as
    /// [`parse_games`](super::parse_games) reads it.
    ///
    /// # Errors
    /// If a line is not a record.
    pub fn parse(text: &str) -> Result<Self, LineError> {
        // One by one, because a record takes much more memory than its entry.
        let entry = |(number, record): (usize, Record)| GameEntry::of(number, &record);
        Ok(Self { games: games_in(text).map(|game| game.map(entry)).collect::<Result<_, _>>()? })
    }
}

/// A game of a file, in the words of the notation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameEntry {
    /// The number of the game.
    pub game: usize,
    /// The name of the first player.
    pub first: String,
    /// The name of the second player.
    pub second: String,
    /// The limit for each move.
    pub limit: String,
    /// How many plies were set before the players began to choose.
    pub given: usize,
    /// The game as a line of play.
    pub line: String,
    /// The board.
    pub board: String,
    /// The cells played to, the placements first.
    pub moves: Vec<String>,
    /// The winner. `None` if the game is unfinished.
    pub winner: Option<Player>,
    /// What became of the loser, such as `cannot move`; or `unfinished`.
    pub end: String,
    /// The same in a whole sentence, such as `best won, Random cannot move`.
    pub result: String,
    /// The winner is known for every position from this ply on. `None` if the game was not judged.
    pub known_from: Option<usize>,
    /// Who wins the position after the two placements, if that is known.
    pub opening_winner: Option<Player>,
    /// The plies, counted from 1, that gave away a proven win. `None` if the game was not judged.
    pub blunders: Option<Vec<usize>>,
}

impl GameEntry {
    /// The game of this number.
    #[must_use]
    pub fn of(number: usize, record: &Record) -> Self {
        let Record { names: [first, second], limit, given, line, winner, end, judgement } = record;
        Self {
            game: number,
            first: first.clone(),
            second: second.clone(),
            limit: limit.clone(),
            given: *given,
            line: Written::Line(line.clone()).to_string(),
            board: line.size().to_string(),
            moves: line.moves().iter().map(|&to| cell_name(line.size(), to)).collect(),
            winner: *winner,
            end: end.to_string(),
            result: record.result(),
            known_from: judgement.as_ref().map(|judgement| judgement.known_from),
            opening_winner: judgement.as_ref().and_then(|judgement| judgement.opening_winner),
            blunders: judgement.as_ref().map(|judgement| judgement.blunders.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_games_is_listed() {
        let record = concat!(
            r#"{"board":"3x3","first":"a","second":"b","limit":"1s","given":2,"moves":"b2 a1","winner":"second","end":"stuck","#,
            r#""known_from":2,"opening_winner":"second","blunders":[]}"#
        );
        let open =
            r#"{"board":"3x3","first":"a","second":"b","limit":"1s","given":0,"moves":"","winner":null,"end":"unfinished"}"#;
        let text = format!("{{\"tournament\":\"3x3\"}}\n{{\"game\":7,\"record\":{record}}}\n{open}\n");
        let games = serde_json::to_value(Games::parse(&text).unwrap()).unwrap();
        let expected = serde_json::json!({"games": [
            {
                "game": 7, "first": "a", "second": "b", "limit": "1s", "given": 2, "line": "3x3: b2 a1", "board": "3x3",
                "moves": ["b2", "a1"], "winner": "second", "end": "cannot move", "result": "b won, a cannot move",
                "known_from": 2, "opening_winner": "second", "blunders": [],
            },
            {
                "game": 2, "first": "a", "second": "b", "limit": "1s", "given": 0, "line": "3x3", "board": "3x3",
                "moves": [], "winner": null, "end": "unfinished", "result": "unfinished",
                "known_from": null, "opening_winner": null, "blunders": null,
            },
        ]});
        assert_eq!(games, expected);
        let fault = Games::parse(&format!("{record}\nrubbish\n")).unwrap_err().to_string();
        assert!(fault.starts_with("line 2: not the record of a game"), "{fault}");
    }
}
