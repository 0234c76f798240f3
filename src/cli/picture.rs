//! A position drawn in the terminal.

use std::io::{self, Write};

use anstyle::Style;

use super::output::{self, styled};
use crate::game::cells::Cell;
use crate::game::position::{Position, Setup};

/// The letters of the drawing and their meanings, in the order of the legend.
const LEGEND: [(char, &str, Style); 6] = [
    ('N', "first", output::FIRST),
    ('n', "second", output::SECOND),
    ('+', "legal move", output::MOVE),
    ('.', "free", output::QUIET),
    ('-', "dead", output::QUIET),
    ('*', "blocked", output::QUIET),
];

/// Draws the board with its coordinates, and a legend of the letters that occur.
pub(super) fn draw(out: &mut impl Write, position: &Position) -> io::Result<()> {
    let Setup { size, knights: [first, second], blocked, turn } = position.setup();
    let placing = position.knight(turn).is_none();
    let live = position.live();
    let legal = position.legal_moves();
    let letter = |cell: Cell| match Some(cell) {
        knight if knight == first => 'N',
        knight if knight == second => 'n',
        _ if blocked.contains(cell) => '*',
        _ if !placing && legal.contains(cell) => '+',
        _ if !live.contains(cell) => '-',
        _ => '.',
    };
    let mut used = String::new();
    for rank in (0..size.ranks()).rev() {
        write!(out, "{}", styled(output::QUIET, format!("{:>4} ", rank + 1)))?;
        for letter in (0..size.files()).filter_map(|file| size.cell(file, rank)).map(letter) {
            used.push(letter);
            let style = LEGEND.iter().find(|entry| entry.0 == letter).map_or(output::QUIET, |entry| entry.2);
            write!(out, " {}", styled(style, letter))?;
        }
        writeln!(out)?;
    }
    let files: String = (0..size.files()).map(|file| format!(" {}", char::from(b'a' + file as u8))).collect();
    writeln!(out, "{}", styled(output::QUIET, format!("     {files}")))?;
    let legend: Vec<String> = LEGEND.iter().filter(|entry| used.contains(entry.0)).map(|(l, m, _)| format!("{l} {m}")).collect();
    writeln!(out, "\n      {}", styled(output::QUIET, legend.join("   ")))
}
