//! What a person can type during a game.

use crate::game::cells::Cell;
use crate::game::notation;
use crate::game::position::Position;

/// A command that was typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Move(Cell),
    Hint,
    Values,
    Undo,
    Resign,
    Quit,
}

/// The commands, in a sentence.
pub(super) const HELP: &str = "type a cell such as d4, or hint, values, undo, resign, quit";

/// Whether this leaves the game.
pub(super) fn is_quit(text: &str) -> bool {
    ["quit", "exit"].iter().any(|quit| text.trim().eq_ignore_ascii_case(quit))
}

/// Reads what was typed. The error says what can be typed.
pub(super) fn parse(position: &Position, text: &str) -> Result<Command, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "hint" => Ok(Command::Hint),
        "values" => Ok(Command::Values),
        "undo" => Ok(Command::Undo),
        "resign" => Ok(Command::Resign),
        _ if is_quit(text) => Ok(Command::Quit),
        "" | "help" | "?" => Err(HELP.to_string()),
        cell => notation::parse_move(position, cell).map(Command::Move).map_err(|fault| format!("{fault}; {HELP}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_understood_and_wrong_ones_explained() {
        let position: Position = "5x5: c3 a1".parse().unwrap();
        for (text, command) in [
            ("hint", Command::Hint),
            (" Values ", Command::Values),
            ("UNDO", Command::Undo),
            ("Resign", Command::Resign),
            ("quit", Command::Quit),
        ] {
            assert_eq!(parse(&position, text), Ok(command));
        }
        assert!(matches!(parse(&position, "d5"), Ok(Command::Move(_))));
        for wrong in ["", "help", "c4", "z9", "a1", "moves"] {
            let fault = parse(&position, wrong).unwrap_err();
            assert!(fault.ends_with(HELP), "{wrong}: {fault}");
        }
    }
}
