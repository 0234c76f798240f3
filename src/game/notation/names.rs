//! How boards, cells and numbers are written, and how a text from outside is quoted.

use std::fmt;

use crate::game::board::Size;
use crate::game::cells::{Cell, Cells, Word};

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.files(), self.ranks())
    }
}

/// The name of a cell on a board of this size.
#[must_use]
pub fn cell_name(size: Size, cell: Cell) -> String {
    format!("{}{}", char::from(b'a' + size.file(cell) as u8), size.rank(cell) + 1)
}

/// The names of the cells of a set, in the order of the cells.
#[must_use]
pub fn cell_names<W: Word>(size: Size, cells: Cells<W>) -> Vec<String> {
    cells.into_iter().map(|cell| cell_name(size, cell)).collect()
}

/// The names of cells in this order, with spaces between.
#[must_use]
pub fn spaced_names(size: Size, cells: &[Cell]) -> String {
    cells.iter().map(|&cell| cell_name(size, cell)).collect::<Vec<_>>().join(" ")
}

/// A text without the space around it, and without the byte order mark that some editors put in
/// front.
#[must_use]
pub fn trimmed(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text).trim()
}

/// The most characters of a text from outside that a message shows.
const MOST_QUOTED: usize = 80;

/// A text from outside as a message quotes it: in backticks, cut if it is long, and with nothing
/// in it that a terminal would obey or hide.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut shown = String::from("`");
    for (index, letter) in text.chars().enumerate() {
        if index == MOST_QUOTED {
            shown.push('…');
            break;
        }
        match letter {
            '\'' | '"' | '\\' => shown.push(letter),
            _ => shown.extend(letter.escape_debug()),
        }
    }
    shown + "`"
}

/// A number in plain digits: no sign, no more digits than any number here can have.
pub(super) fn number(digits: &str) -> Option<usize> {
    let plain = (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

/// A number with its thousands set apart: `2,516,658`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Reads what [`grouped`] writes. `None` if the text is anything else.
#[must_use]
pub fn parse_grouped(text: &str) -> Option<u64> {
    let number = text.replace(',', "").parse().ok()?;
    (grouped(number) == text).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (2_516_658, "2,516,658"), (u64::MAX, "18,446,744,073,709,551,615")];
        for text in ["", ",", "1000", "1,00", "01", "+1", "-1", "1.5", "3x3"] {
            assert_eq!(parse_grouped(text), None, "{text}");
        }
        for (number, text) in cases {
            assert_eq!((grouped(number).as_str(), parse_grouped(text)), (text, Some(number)));
        }
    }

    #[test]
    fn a_quoted_text_is_short_and_harmless() {
        let cases = [
            ("d4", "`d4`"),
            ("it's \\ \"so\"", "`it's \\ \"so\"`"),
            ("\u{1b}[31mred\u{7}\r\n", "`\\u{1b}[31mred\\u{7}\\r\\n`"),
            ("\u{feff}7x7\u{202e}", "`\\u{feff}7x7\\u{202e}`"),
            ("größe", "`größe`"),
        ];
        for (text, shown) in cases {
            assert_eq!(quoted(text), shown);
        }
        assert_eq!(quoted(&"x".repeat(1_000_000)), format!("`{}…`", "x".repeat(80)));
        assert_eq!(quoted(&"x".repeat(80)), format!("`{}`", "x".repeat(80)));
    }
}
