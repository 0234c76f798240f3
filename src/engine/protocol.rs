//! What a line of the protocol means.

use std::fmt;
use std::time::Duration;

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
    Stop,
    /// Draw the board.
    Draw,
    Quit,
    /// Nothing to do: an empty line, or a command that this engine does not need.
    Nothing,
}

/// Where a position begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// At the start of the variant.
    Variant,
    /// At this position.
    Fen(String),
}

/// The limits of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Go {
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
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand { text } => write!(f, "unknown command `{}`", shortened(text)),
            Self::SetOption => f.write_str("write setoption name <name> value <value>"),
            Self::Position => f.write_str("write position startpos or position fen <fen>, then moves <moves> if there are any"),
            Self::MissingNumber { word } => write!(f, "go {word}: a number is missing"),
            Self::NotANumber { word, text } => write!(f, "go {word}: `{}` is not a number", shortened(text)),
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
        "debug" | "ponderhit" | "register" => Ok(Command::Nothing),
        "setoption" => set_option(&rest),
        "position" => position(&rest),
        "go" => go(&rest).map(Command::Go),
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
    let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let start = match &words[..end] {
        ["startpos"] => Start::Variant,
        ["fen", fen @ ..] if !fen.is_empty() => Start::Fen(fen.join(" ")),
        _ => return Err(ProtocolError::Position),
    };
    let moves = words.get(end + 1..).unwrap_or_default().iter().map(ToString::to_string).collect();
    Ok(Command::Position { start, moves })
}

/// Skips unknown words, as the protocol demands. A missing number is an error.
fn go(words: &[&str]) -> Result<Go, ProtocolError> {
    let mut go = Go::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut number = || {
            let text = words.next().ok_or_else(|| ProtocolError::MissingNumber { word: word.to_string() })?;
            let wrong = |_| ProtocolError::NotANumber { word: word.to_string(), text: text.to_string() };
            // A clock that has run out may be below zero.
            let number: i64 = text.parse().map_err(wrong)?;
            Ok::<u64, ProtocolError>(number.max(0) as u64)
        };
        match word {
            "movetime" => go.movetime = Some(Duration::from_millis(number()?)),
            "wtime" => go.left[0] = Some(Duration::from_millis(number()?)),
            "btime" => go.left[1] = Some(Duration::from_millis(number()?)),
            "winc" => go.increment[0] = Duration::from_millis(number()?),
            "binc" => go.increment[1] = Duration::from_millis(number()?),
            "movestogo" => go.moves_to_go = Some(number()?.min(1000) as u32),
            "depth" => go.depth = Some(number()?.min(128) as u32),
            "nodes" => go.nodes = Some(number()?),
            "mate" => go.mate = Some(number()?.min(64) as u32),
            "perft" => go.perft = Some(number()?.min(128) as usize),
            "infinite" => go.infinite = true,
            _ => {}
        }
    }
    Ok(go)
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
        assert_eq!(parse("go wtime -20 btime 2000 winc 0 binc 5 ponder"), Ok(Command::Go(clock)));
        for wrong in [
            "go depth",
            "go nodes many",
            "position",
            "position fen",
            "position here",
            "setoption",
            "setoption value 3",
            "Uci",
            "bestmove",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert!(parse(&"x".repeat(1000)).unwrap_err().to_string().len() < 100);
    }
}
