//! What a line of the protocol means.

use std::fmt;
use std::num::{IntErrorKind, ParseIntError};
use std::time::Duration;

use crate::game::notation::Start;

/// A command to the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    Position {
        start: Start,
        moves: Vec<String>,
    },
    Go(Go),
    /// The opponent has played the move that the engine ponders on.
    PonderHit,
    Stop,
    /// Draw the board.
    Draw,
    Quit,
    /// Nothing to do: an empty line, or a command that this engine does not need.
    Nothing,
}

/// What to search, and how long. A word that is wrong is left out and kept among the faults: a
/// program that says `go` waits for a move, whatever it has said.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Go {
    /// The moves to choose from, as they were written. If there are none, all legal moves.
    pub search_moves: Vec<String>,
    /// Whether to think in the opponent's time: the answer waits for `ponderhit`.
    pub ponder: bool,
    pub movetime: Option<Duration>,
    /// The time left on the clocks of the first and the second player.
    pub left: [Option<Duration>; 2],
    /// The time that each player gains with every move.
    pub increment: [Duration; 2],
    pub moves_to_go: Option<u32>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// In moves, not plies.
    pub mate: Option<u32>,
    /// Count lines of play of this length instead of searching.
    pub perft: Option<usize>,
    pub infinite: bool,
    pub faults: Vec<ProtocolError>,
}

/// Why a line is not a command.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ProtocolError {
    /// The first word is not a command.
    UnknownCommand { text: String },
    /// `setoption` without a name.
    SetOption,
    /// `position` without a start.
    Position,
    /// A word of `go` that needs a number has none.
    MissingNumber { word: String },
    /// A word of `go` is followed by something other than a number.
    NotANumber { word: String, text: String },
    /// `go searchmoves` without a move.
    MissingMoves,
    /// Something in `go` means nothing where it stands.
    Meaningless { text: String },
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand { text } => write!(f, "unknown command `{}`", shortened(text)),
            Self::SetOption => f.write_str("write setoption name <name> value <value>"),
            Self::Position => f.write_str("write position startpos or position fen <fen>, then moves <moves> if there are any"),
            Self::MissingNumber { word } => write!(f, "go {word}: a number is missing"),
            Self::NotANumber { word, text } => write!(f, "go {word}: `{}` is not a number", shortened(text)),
            Self::MissingMoves => f.write_str("go searchmoves: the moves are missing"),
            Self::Meaningless { text } => write!(f, "go: `{}` means nothing here and is skipped", shortened(text)),
        }
    }
}

impl std::error::Error for ProtocolError {}

/// Reads a line of the protocol.
///
/// # Errors
/// If the line is not a command.
pub fn parse(line: &str) -> Result<Command, ProtocolError> {
    let mut words = line.split_whitespace();
    let Some(first) = words.next() else {
        return Ok(Command::Nothing);
    };
    let rest: Vec<&str> = words.collect();
    match first {
        "uci" => Ok(Command::Uci),
        "isready" => Ok(Command::IsReady),
        "ucinewgame" => Ok(Command::NewGame),
        "stop" => Ok(Command::Stop),
        "d" => Ok(Command::Draw),
        "quit" => Ok(Command::Quit),
        "ponderhit" => Ok(Command::PonderHit),
        "debug" | "register" => Ok(Command::Nothing),
        "setoption" => set_option(&rest),
        "position" => position(&rest),
        "go" => Ok(Command::Go(go(&rest))),
        unknown => Err(ProtocolError::UnknownCommand { text: unknown.to_string() }),
    }
}

/// The beginning of a text, short enough to quote in an answer.
pub(super) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().filter(|letter| !letter.is_control()).take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// `name Move Overhead value 10`: names and values may have spaces.
fn set_option(words: &[&str]) -> Result<Command, ProtocolError> {
    let [name_word, rest @ ..] = words else { return Err(ProtocolError::SetOption) };
    let end = rest.iter().position(|word| *word == "value").unwrap_or(rest.len());
    if *name_word != "name" || end == 0 {
        return Err(ProtocolError::SetOption);
    }
    let value = rest.get(end + 1..).unwrap_or_default().join(" ");
    Ok(Command::SetOption { name: rest[..end].join(" "), value })
}

fn position(words: &[&str]) -> Result<Command, ProtocolError> {
    let (start, moves) = Start::split(words).ok_or(ProtocolError::Position)?;
    Ok(Command::Position { start, moves: moves.iter().map(ToString::to_string).collect() })
}

/// The words that `go` knows. What stands between two of them belongs to the first.
const WORDS_OF_GO: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// Never fails: what is wrong is skipped, as the protocol demands, and kept as a fault.
fn go(words: &[&str]) -> Go {
    let mut go = Go::default();
    let part = |words: &[&str]| words.iter().position(|word| WORDS_OF_GO.contains(word)).unwrap_or(words.len());
    let (meaningless, mut rest) = words.split_at(part(words));
    go.skip(meaningless);
    while let [word, behind @ ..] = rest {
        let (said, next) = behind.split_at(part(behind));
        rest = next;
        let understood = go.understand(word, said);
        understood.unwrap_or_else(|fault| go.faults.push(fault));
    }
    go
}

impl Go {
    /// Whether something is said about clocks.
    pub(super) fn is_timed(&self) -> bool {
        self.left.iter().any(Option::is_some) || self.increment != [Duration::ZERO; 2] || self.moves_to_go.is_some()
    }

    /// One of the [`WORDS_OF_GO`], with what stands behind it.
    fn understand(&mut self, word: &str, said: &[&str]) -> Result<(), ProtocolError> {
        match word {
            "searchmoves" if said.is_empty() => return Err(ProtocolError::MissingMoves),
            "searchmoves" => self.search_moves.extend(said.iter().map(ToString::to_string)),
            "ponder" | "infinite" => {
                *(if word == "ponder" { &mut self.ponder } else { &mut self.infinite }) = true;
                self.skip(said);
            }
            _ => {
                self.limit(word, number(word, said)?);
                self.skip(&said[1..]);
            }
        }
        Ok(())
    }

    fn limit(&mut self, word: &str, number: u64) {
        let time = Duration::from_millis(number);
        match word {
            "wtime" => self.left[0] = Some(time),
            "btime" => self.left[1] = Some(time),
            "winc" => self.increment[0] = time,
            "binc" => self.increment[1] = time,
            "movestogo" => self.moves_to_go = Some(number.min(1000) as u32),
            "depth" => self.depth = Some(number.min(128) as u32),
            "nodes" => self.nodes = Some(number),
            "mate" => self.mate = Some(number.min(64) as u32),
            "perft" => self.perft = Some(number.min(128) as usize),
            _ => self.movetime = Some(time),
        }
    }

    fn skip(&mut self, meaningless: &[&str]) {
        if !meaningless.is_empty() {
            self.faults.push(ProtocolError::Meaningless { text: meaningless.join(" ") });
        }
    }
}

/// The number behind a word. A clock that has run out may be below zero.
fn number(word: &str, said: &[&str]) -> Result<u64, ProtocolError> {
    let text = said.first().ok_or_else(|| ProtocolError::MissingNumber { word: word.to_string() })?;
    let nearest = |fault: ParseIntError| match fault.kind() {
        IntErrorKind::PosOverflow => Ok(i64::MAX),
        IntErrorKind::NegOverflow => Ok(0),
        _ => Err(ProtocolError::NotANumber { word: word.to_string(), text: text.to_string() }),
    };
    Ok(text.parse::<i64>().or_else(nearest)?.max(0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_the_protocol_says() {
        assert_eq!(parse("  isready \t"), Ok(Command::IsReady));
        assert_eq!(parse(""), Ok(Command::Nothing));
        let option = |name: &str, value: &str| Ok(Command::SetOption { name: name.to_string(), value: value.to_string() });
        assert_eq!(parse("setoption name Move Overhead value 30"), option("Move Overhead", "30"));
        assert_eq!(parse("setoption name Tables value my tables/here"), option("Tables", "my tables/here"));
        assert_eq!(parse("setoption name Clear"), option("Clear", ""));
        let position =
            |start, moves: &[&str]| Ok(Command::Position { start, moves: moves.iter().map(ToString::to_string).collect() });
        assert_eq!(parse("position startpos"), position(Start::Variant, &[]));
        assert_eq!(parse("position startpos moves d4 e5"), position(Start::Variant, &["d4", "e5"]));
        assert_eq!(
            parse("position fen 5/5/5/5/5 w - - 0 1 moves a1"),
            position(Start::Fen("5/5/5/5/5 w - - 0 1".to_string()), &["a1"])
        );
        let clock = Go {
            left: [Some(Duration::ZERO), Some(Duration::from_secs(2))],
            increment: [Duration::ZERO, Duration::from_millis(5)],
            ..Go::default()
        };
        assert_eq!(parse("go wtime -20 btime 2000 winc 0 binc 5"), Ok(Command::Go(clock)));
        for wrong in ["position", "position fen", "position here", "setoption", "setoption value 3", "Uci", "bestmove"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert!(parse(&"x".repeat(1000)).unwrap_err().to_string().len() < 100);
    }

    #[test]
    fn what_is_right_in_go_counts_and_what_is_wrong_is_told() {
        let go = |line: &str| match parse(line) {
            Ok(Command::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        };
        let moves = |moves: &[&str]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
        let restricted = go("go searchmoves a1 b1c3,c3b1 movetime 50 ponder");
        assert_eq!((restricted.search_moves, restricted.ponder), (moves(&["a1", "b1c3,c3b1"]), true));
        assert_eq!((restricted.movetime, restricted.faults.len()), (Some(Duration::from_millis(50)), 0));
        assert_eq!(go("go infinite searchmoves d4").search_moves, moves(&["d4"]));
        // Too large is as much as there can be.
        assert_eq!(go("go nodes 99999999999999999999").nodes, Some(i64::MAX as u64));
        assert_eq!(go("go movetime -99999999999999999999").movetime, Some(Duration::ZERO));
        for (line, why) in [
            ("go movetime abc", "go movetime: `abc` is not a number"),
            ("go movetime", "go movetime: a number is missing"),
            ("go movetime depth 3", "go movetime: a number is missing"),
            ("go depth 3 4 infinite", "go: `4` means nothing here and is skipped"),
            ("go nodes 1.5", "go nodes: `1.5` is not a number"),
            ("go banana split", "go: `banana split` means nothing here and is skipped"),
            ("go infinite now", "go: `now` means nothing here and is skipped"),
            ("go searchmoves depth 3", "go searchmoves: the moves are missing"),
        ] {
            let faults = go(line).faults;
            assert_eq!(faults.iter().map(ToString::to_string).collect::<Vec<_>>(), [why], "{line}");
        }
        assert_eq!((go("go movetime depth 3").depth, go("go depth 3 4 infinite").infinite), (Some(3), true));
    }
}
