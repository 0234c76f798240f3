//! What a person can type.

use crate::cells::{Cell, Word};
use crate::notation;
use crate::position::Position;

/// Something that was typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Move(Cell),
    Hint,
    Values,
    Undo,
    Quit,
}

/// What can be typed, in a sentence.
pub(super) const HELP: &str = "type a cell such as d4, or hint, values, undo, quit";

/// What was typed in a position, or what would have been right.
pub(super) fn parse<W: Word>(position: &Position<W>, text: &str) -> Result<Command, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "hint" => Ok(Command::Hint),
        "values" => Ok(Command::Values),
        "undo" => Ok(Command::Undo),
        "quit" | "exit" => Ok(Command::Quit),
        "" | "help" | "?" => Err(HELP.to_string()),
        cell => notation::parse_move(position, cell).map(Command::Move).map_err(|fault| format!("{fault}; {HELP}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_understood_or_explained() {
        let position = Position::<u64>::new(notation::parse("5x5: c3 a1").unwrap()).unwrap();
        for (text, command) in
            [("hint", Command::Hint), (" Values ", Command::Values), ("UNDO", Command::Undo), ("quit", Command::Quit)]
        {
            assert_eq!(parse(&position, text), Ok(command));
        }
        assert!(matches!(parse(&position, "d5"), Ok(Command::Move(_))));
        for wrong in ["", "help", "c4", "z9", "a1", "moves"] {
            let fault = parse(&position, wrong).unwrap_err();
            assert!(fault.ends_with(HELP), "{wrong}: {fault}");
        }
    }
}
