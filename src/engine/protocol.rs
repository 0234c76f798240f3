//! What a line of the protocol means.

use std::time::Duration;

/// A command from whoever drives the engine.
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
    /// Nothing to be done: an empty line, or something that this engine has no use for.
    Nothing,
}

/// Where a position begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// At the variant's start.
    Variant,
    /// At this position.
    Fen(String),
}

/// How long to think.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Go {
    pub movetime: Option<Duration>,
    /// The time that is left to the first and the second player, and what each gets for every move.
    pub left: [Option<Duration>; 2],
    pub increment: [Duration; 2],
    pub moves_to_go: Option<u32>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Moves, not plies.
    pub mate: Option<u32>,
    /// Count lines of play of this length instead.
    pub perft: Option<usize>,
    pub infinite: bool,
}

/// What a line means.
///
/// # Errors
/// If it means nothing, with what is wrong.
pub fn parse(line: &str) -> Result<Command, String> {
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
        unknown => Err(format!("unknown command `{}`", shortened(unknown))),
    }
}

/// As much of a text as belongs into an answer.
pub(super) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().filter(|letter| !letter.is_control()).take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// `name Move Overhead value 10`: names and values may have spaces.
fn set_option(words: &[&str]) -> Result<Command, String> {
    let usage = || "write setoption name <name> value <value>".to_string();
    let [name_word, rest @ ..] = words else { return Err(usage()) };
    let end = rest.iter().position(|word| *word == "value").unwrap_or(rest.len());
    if *name_word != "name" || end == 0 {
        return Err(usage());
    }
    let value = rest.get(end + 1..).unwrap_or_default().join(" ");
    Ok(Command::SetOption { name: rest[..end].join(" "), value })
}

fn position(words: &[&str]) -> Result<Command, String> {
    let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let start = match &words[..end] {
        ["startpos"] => Start::Variant,
        ["fen", fen @ ..] if !fen.is_empty() => Start::Fen(fen.join(" ")),
        _ => return Err("write position startpos, or position fen <fen>, and then moves <moves> if there are any".to_string()),
    };
    let moves = words.get(end + 1..).unwrap_or_default().iter().map(ToString::to_string).collect();
    Ok(Command::Position { start, moves })
}

/// Words that are unknown here are passed over, as the protocol wants it; a number that is missing is a fault.
fn go(words: &[&str]) -> Result<Go, String> {
    let mut go = Go::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut number = || {
            let text = words.next().ok_or_else(|| format!("go {word}: a number is missing"))?;
            // A clock that has run out may stand below zero.
            let number = text.parse::<i64>().map_err(|_| format!("go {word}: `{}` is no number", shortened(text)))?;
            Ok::<u64, String>(number.max(0) as u64)
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
    fn lines_mean_what_the_protocol_says() {
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
        assert!(parse(&"x".repeat(1000)).unwrap_err().len() < 100);
    }
}
