//! The map as SVG.

use std::fmt::Write;

use super::{Map, Placement, Reply};
use crate::drawing::parts::{FIRST, INK, QUIET, SECOND, Scale, labels, open};
use crate::game::cells::Cell;
use crate::game::position::Player;

const UNKNOWN: &str = "#d9d9d9";

/// How large the boards are, the space around a board, and the height of the title and the legend.
const CELL: usize = 18;
const LABEL: usize = 14;
const SCALE: Scale = Scale { cell: CELL, label: LABEL, letters: 9 };
const GAP: usize = 34;
const TITLE: usize = 84;
const LEGEND: usize = 56;
/// The width of the title above a board.
const BOARD_TITLE: usize = 110;
/// The width of the subtitle and the legend.
const WIDTH: usize = 780;
/// The most boards side by side.
const BOARDS_IN_ROW: usize = 5;

/// The whole picture.
pub(super) fn picture(map: &Map) -> String {
    let (board_width, board_height) =
        ((LABEL + map.size.files() * CELL).max(BOARD_TITLE) + GAP, map.size.ranks() * CELL + LABEL + GAP + 14);
    let in_row = map.placements.len().clamp(1, BOARDS_IN_ROW);
    let width = (in_row * board_width + GAP).max(WIDTH);
    let height = TITLE + map.placements.len().div_ceil(in_row) * board_height + LEGEND;
    let mut svg = String::new();
    open(&mut svg, width, height, &format!("Who wins every opening of {}", map.board));
    let _ = writeln!(
        svg,
        r#"<text x="{GAP}" y="30" font-size="20" font-weight="bold">Who wins every opening of {}</text>"#,
        map.board
    );
    let subtitle = "one board for each first placement, up to symmetry; \
                    the colour of a cell says who wins when the second player places there";
    let _ = writeln!(svg, r#"<text x="{GAP}" y="50" font-size="13">{}</text>"#, map.verdict);
    let _ = writeln!(svg, r#"<text x="{GAP}" y="68" font-size="11" fill="{QUIET}">{subtitle}</text>"#);
    for (number, placement) in map.placements.iter().enumerate() {
        let (x, y) = (GAP + number % in_row * board_width, TITLE + 14 + number / in_row * board_height);
        board(&mut svg, map, placement, x, y);
    }
    legend(&mut svg, map, height - LEGEND + 22);
    svg.push_str("</svg>\n");
    svg
}

fn board(svg: &mut String, map: &Map, placement: &Placement, x: usize, y: usize) {
    let (first, images) = placement.name.split_once(' ').unwrap_or((&placement.name, ""));
    let left = x + LABEL;
    let _ = writeln!(svg, r#"<text x="{left}" y="{y}" font-size="12"><tspan font-weight="bold">{first}</tspan> {images}</text>"#);
    let place = |cell: Cell| (left + map.size.file(cell) * CELL, y + 6 + (map.size.ranks() - 1 - map.size.rank(cell)) * CELL);
    labels(svg, map.size, SCALE, left, y + 6);
    for Reply { second, winner, exception, cell } in &placement.replies {
        let (left, top) = place(*cell);
        let colour = match winner.0 {
            Some(Player::First) => FIRST,
            Some(Player::Second) => SECOND,
            None => UNKNOWN,
        };
        let side = CELL - 1;
        let wins = if winner.0.is_some() { format!("{winner} wins") } else { "unknown".to_string() };
        let _ = writeln!(
            svg,
            r#"<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="{colour}">{}</rect>"#,
            format_args!("<title>{first} {second}: {wins}</title>")
        );
        if *exception {
            ring(svg, left, top);
        }
    }
    let (left, top) = place(placement.cell);
    knight(svg, left, top);
}

/// Marks an opening that breaks the colour law.
fn ring(svg: &mut String, left: usize, top: usize) {
    let (x, y) = (left as f64 + (CELL - 1) as f64 / 2.0, top as f64 + (CELL - 1) as f64 / 2.0);
    let _ = writeln!(svg, r##"<circle cx="{x}" cy="{y}" r="4.5" fill="none" stroke="#ffffff" stroke-width="2.2"/>"##);
}

/// Draws the first player's knight.
fn knight(svg: &mut String, left: usize, top: usize) {
    let side = CELL - 1;
    let (x, y) = (left as f64 + side as f64 / 2.0, top as f64 + side as f64 / 2.0 + 4.5);
    let _ = writeln!(svg, r#"<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="{INK}"/>"#);
    let _ = writeln!(
        svg,
        r##"<text x="{x}" y="{y}" font-size="12" font-weight="bold" fill="#ffffff" text-anchor="middle">N</text>"##
    );
}

fn legend(svg: &mut String, map: &Map, y: usize) {
    let mut x = GAP;
    let side = CELL - 1;
    let mut entry = |svg: &mut String, mark: &dyn Fn(&mut String, usize, usize), words: &str| {
        mark(svg, x, y);
        let _ = writeln!(svg, r#"<text x="{}" y="{}" font-size="11">{words}</text>"#, x + CELL + 4, y + 13);
        x += CELL + 24 + words.chars().count() * 6;
    };
    let filled = |colour: &'static str| {
        move |svg: &mut String, x: usize, y: usize| {
            let _ = writeln!(svg, r#"<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{colour}"/>"#);
        }
    };
    let marked = |svg: &mut String, x: usize, y: usize| {
        filled(FIRST)(svg, x, y);
        ring(svg, x, y);
    };
    entry(svg, &knight, "first placement");
    entry(svg, &filled(FIRST), "first wins");
    entry(svg, &filled(SECOND), "second wins");
    if map.replies().any(|reply| reply.exception) {
        entry(svg, &marked, "against the colour law (marked on either colour)");
    }
    if map.replies().any(|reply| reply.winner.0.is_none()) {
        entry(svg, &filled(UNKNOWN), "unknown");
    }
}
