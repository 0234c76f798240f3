//! The map in the terminal.

use std::io::{self, Write};

use anstyle::Style;

use super::{Map, Placement};
use crate::cli::output::{self, cost, plural, styled, write_headline};
use crate::game::cells::Cell;
use crate::game::position::Player;

/// The width of most terminals.
const WIDTH: usize = 80;

/// The width of the longest title, `   d10 (8 cells)`.
const TITLE: usize = 16;

/// Openings that break the colour law are inverted.
const FIRST_EXCEPTION: Style = output::FIRST.invert();
const SECOND_EXCEPTION: Style = output::SECOND.invert();

pub(super) fn write(map: &Map) -> io::Result<()> {
    let mut out = output::answer();
    let verdict = match map.winner {
        "unknown" => "not all openings are proven".to_string(),
        winner => format!("the {winner} player wins"),
    };
    write_headline(&mut out, &map.board, &verdict)?;
    // Two columns for each cell and three for the rank, or the width of the title; two between
    // boards.
    let width = (2 * map.size.files() + 3).max(TITLE) + 2;
    for row in map.placements.chunks((WIDTH / width).max(1)) {
        write_row(&mut out, map, row, width)?;
    }
    writeln!(
        out,
        "{} first placement   by this reply {} first wins   {} second wins   {} {} against the colour law{}",
        styled(output::STRONG, "N"),
        styled(output::FIRST, "1"),
        styled(output::SECOND, "2"),
        styled(FIRST_EXCEPTION, "*1"),
        styled(SECOND_EXCEPTION, "*2"),
        if map.replies().any(|reply| reply.by.is_none()) { "   . unknown" } else { "" },
    )?;
    writeln!(out)?;
    cost(&mut out, map.nodes, map.seconds)?;
    out.flush()
}

/// Writes some small boards side by side.
fn write_row(out: &mut impl Write, map: &Map, row: &[Placement], width: usize) -> io::Result<()> {
    let files: String = (0..map.size.files()).map(|file| format!(" {}", char::from(b'a' + file as u8))).collect();
    let title = |placement: &Placement| {
        format!("   {} ({} {})", placement.first, placement.stands_for, plural(placement.stands_for, "cell"))
    };
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
    match (reply.by, reply.exception) {
        (Some(Player::First), false) => format!(" {}", styled(output::FIRST, "1")),
        (Some(Player::Second), false) => format!(" {}", styled(output::SECOND, "2")),
        (Some(Player::First), true) => styled(FIRST_EXCEPTION, "*1"),
        (Some(Player::Second), true) => styled(SECOND_EXCEPTION, "*2"),
        (None, _) => format!(" {}", styled(output::QUIET, ".")),
    }
}
