//! The map in the terminal.

use std::io::{self, Write};

use anstyle::Style;

use super::{Map, Placement};
use crate::cli::output::{self, cost, styled, write_headline};
use crate::game::cells::Cell;
use crate::game::position::Player;

/// The width of most terminals, for files and pipes.
const WIDTH: usize = 80;

/// The width of the longest title, `   d10 (8 cells)`.
const TITLE: usize = 16;

/// Openings that break the colour law are inverted.
const FIRST_EXCEPTION: Style = output::FIRST.invert();
const SECOND_EXCEPTION: Style = output::SECOND.invert();

/// Prints the map, with as many boards in a row as the terminal has room for.
pub(super) fn print(map: &Map) -> io::Result<()> {
    let mut out = output::answer();
    write(&mut out, map, output::columns().unwrap_or(WIDTH))?;
    out.flush()
}

fn write(out: &mut impl Write, map: &Map, width: usize) -> io::Result<()> {
    write_headline(out, &map.board, &map.verdict)?;
    // Two columns for each cell and three for the rank, or the width of the title; two between
    // boards.
    let board = (2 * map.size.files() + 3).max(TITLE) + 2;
    for row in map.placements.chunks(((width + 2) / board).max(1)) {
        write_row(out, map, row, board)?;
    }
    write_legend(out, map, width)?;
    cost(out, map.nodes, map.seconds)
}

/// Explains the letters, in as many lines as this width needs.
fn write_legend(out: &mut impl Write, map: &Map, width: usize) -> io::Result<()> {
    let mut entries = vec![
        (output::STRONG, "N", "first placement"),
        (output::FIRST, "1", "first wins by this reply"),
        (output::SECOND, "2", "second wins by this reply"),
    ];
    let marked = |by| map.replies().any(|reply| reply.exception && reply.winner.0 == Some(by));
    if marked(Player::First) {
        entries.push((FIRST_EXCEPTION, "*1", "first wins against the colour law"));
    }
    if marked(Player::Second) {
        entries.push((SECOND_EXCEPTION, "*2", "second wins against the colour law"));
    }
    if map.replies().any(|reply| reply.winner.0.is_none()) {
        entries.push((output::QUIET, ".", "unknown"));
    }
    let mut used = 0;
    for (style, letter, meaning) in entries {
        let own = letter.len() + 1 + meaning.len();
        let between = match used {
            0 => "",
            used if used + 3 + own > width => "\n",
            _ => "   ",
        };
        used = if between == "   " { used + 3 + own } else { own };
        write!(out, "{between}{} {meaning}", styled(style, letter))?;
    }
    writeln!(out, "\n")
}

/// Writes some small boards side by side.
fn write_row(out: &mut impl Write, map: &Map, row: &[Placement], width: usize) -> io::Result<()> {
    let files: String = (0..map.size.files()).map(|file| format!(" {}", char::from(b'a' + file as u8))).collect();
    let title = |placement: &Placement| format!("   {}", placement.name);
    write_beside(out, width, row.iter().map(|placement| (title(placement).len(), styled(output::STRONG, title(placement)))))?;
    for rank in (0..map.size.ranks()).rev() {
        let cells = |placement: &Placement| {
            let cells: String =
                (0..map.size.files()).filter_map(|file| map.size.cell(file, rank)).map(|cell| letter(placement, cell)).collect();
            (3 + 2 * map.size.files(), format!("{}{cells}", styled(output::QUIET, format!("{:>3}", rank + 1))))
        };
        write_beside(out, width, row.iter().map(cells))?;
    }
    write_beside(out, width, row.iter().map(|_| (3 + files.len(), styled(output::QUIET, format!("   {files}")))))?;
    writeln!(out)
}

/// Writes texts in columns of this width. Each text comes with its width on the screen, without its
/// colour codes.
fn write_beside(out: &mut impl Write, width: usize, texts: impl Iterator<Item = (usize, String)>) -> io::Result<()> {
    let mut room = 0;
    for (own, text) in texts {
        write!(out, "{:room$}{text}", "")?;
        room = width - own;
    }
    writeln!(out)
}

/// The winner of a reply, in two columns.
fn letter(placement: &Placement, cell: Cell) -> String {
    let Some(reply) = placement.replies.iter().find(|reply| reply.cell == cell) else {
        return format!(" {}", styled(output::STRONG, "N"));
    };
    match (reply.winner.0, reply.exception) {
        (Some(Player::First), false) => format!(" {}", styled(output::FIRST, "1")),
        (Some(Player::Second), false) => format!(" {}", styled(output::SECOND, "2")),
        (Some(Player::First), true) => styled(FIRST_EXCEPTION, "*1"),
        (Some(Player::Second), true) => styled(SECOND_EXCEPTION, "*2"),
        (None, _) => format!(" {}", styled(output::QUIET, ".")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Analyst;
    use crate::game::position::Position;
    use crate::solve::{Control, Question, Settings};
    use crate::table::Tables;

    #[test]
    fn a_narrow_terminal_gets_fewer_boards_in_a_row() {
        let start: Position = "4x4".parse().unwrap();
        let analyst = Analyst::new(Settings::default(), &Tables::none(start.size())).unwrap();
        let map = Map::new(&analyst.openings(&start, Question::Winner, &Control::unlimited(), || {}), 0, 0.0);
        for (width, in_first_row) in [(20, 1), (33, 1), (34, 2), (51, 2), (52, 3), (200, 3)] {
            let mut text = Vec::new();
            write(&mut text, &map, width).unwrap();
            let text = anstream::adapter::strip_str(std::str::from_utf8(&text).unwrap()).to_string();
            let boards: Vec<&str> = text.lines().filter(|line| line.contains(" cells)")).collect();
            assert_eq!(boards[0].matches(" cells)").count(), in_first_row, "{width}");
            assert!(boards.iter().all(|line| line.len() <= width), "{width}: {boards:?}");
        }
    }
}
