//! A lemma of a certificate as SVG: the knights, and the cells that matter.

use std::fmt::Write;

use super::parts::{INK, labels, open};
use super::position::{BLOCKED, DARK, LIGHT, MARGIN, SCALE, corner, cross, knight, outline};
use crate::game::board::{Board, Colour, Size};
use crate::game::cells::{Cell, Cells};
use crate::game::position::Player;

/// The colour of the ring on a cell that must be free.
const NEEDED: &str = "#009e73";

/// What the picture shows.
pub(crate) struct LemmaPicture<'a> {
    pub(crate) size: Size,
    pub(crate) hunter: Cell,
    pub(crate) prey: Cell,
    /// The cells that must be free.
    pub(crate) need: Cells<u128>,
    /// The cells that must not be free.
    pub(crate) stop: Cells<u128>,
    pub(crate) title: &'a str,
}

/// Draws a lemma.
///
/// The hunter is drawn as the first player's knight, with a frame because it is to move; the prey
/// as the second player's. Cells that must be free have a ring, cells that must not be free are
/// grey and crossed out. All other cells do not matter.
pub(crate) fn lemma_svg(picture: &LemmaPicture<'_>) -> String {
    let &LemmaPicture { size, hunter, prey, need, stop, title } = picture;
    let board = Board::<u128>::fitting(size);
    let (left, top, side) = (SCALE.label, MARGIN, SCALE.cell);
    let (width, height) = (left + size.files() * side + MARGIN, top + size.ranks() * side + SCALE.label);
    let mut svg = String::new();
    open(&mut svg, width, height, title);
    labels(&mut svg, size, SCALE, left, top);
    for cell in board.cells() {
        let (x, y) = corner(size, cell);
        let fill = match board.colour(cell) {
            _ if stop.contains(cell) => BLOCKED,
            Colour::Light => LIGHT,
            Colour::Dark => DARK,
        };
        let _ = writeln!(svg, r#"<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{fill}"/>"#);
        if stop.contains(cell) {
            cross(&mut svg, x, y);
        }
        if need.contains(cell) {
            let (x, y, radius) = (x + side / 2, y + side / 2, side / 4);
            let ring = format_args!(r#"fill="none" stroke="{NEEDED}" stroke-width="4""#);
            let _ = writeln!(svg, r#"<circle cx="{x}" cy="{y}" r="{radius}" {ring}/>"#);
        }
    }
    outline(&mut svg, (left, top), (size.files() * side, size.ranks() * side), 1);
    let (x, y) = corner(size, hunter);
    outline(&mut svg, (x + 2, y + 2), (side - 4, side - 4), 3);
    for (cell, player, name) in [(hunter, Player::First, "hunter"), (prey, Player::Second, "prey")] {
        let _ = writeln!(svg, r#"<g fill="{INK}"><title>{name}</title>"#);
        knight(&mut svg, corner(size, cell), player);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}
