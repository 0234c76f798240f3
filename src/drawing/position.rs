//! A position as SVG.

use std::fmt::Write;

use super::parts::{FIRST, INK, SECOND, Scale, labels, open};
use crate::game::board::{Colour, Size};
use crate::game::cells::Cell;
use crate::game::position::{Player, Position};

pub(super) const SCALE: Scale = Scale { cell: 48, label: 22, letters: 14 };
/// The space to the right of the board and above it.
pub(super) const MARGIN: usize = 12;

/// The colours of light, dark and blocked cells, and of the cross on a blocked cell.
pub(super) const LIGHT: &str = "#f4f1ea";
pub(super) const DARK: &str = "#d8d0c0";
pub(super) const BLOCKED: &str = "#8a857b";
const CROSS: &str = "#5e5a52";

/// The outline of a knight and its eye, in a square of 48 units. It looks to the left.
const KNIGHT: &str = "M12 42H38V38C38 24 35 13 25 9L24 5L19 10C14 13 12 18 8 25C6 28 8 31 11 31L14 30L16 28C19 28 22 27 23 25\
                      C23 30 14 32 13 38H12Z";
const EYE: [f64; 3] = [18.5, 17.0, 1.8];

/// Draws a position.
///
/// The first player's knight is orange and looks to the right, the second player's is blue and
/// looks to the left. The cell of the player to move has a frame. Blocked cells are grey and
/// crossed out.
///
/// ```
/// let position: isolde::Position = "7x7: d4 b3 f5".parse()?;
/// let svg = isolde::drawing::svg(&position);
/// assert!(svg.starts_with("<svg ") && svg.contains("<title>7x7: second to move</title>"));
/// # Ok::<(), isolde::notation::Error>(())
/// ```
#[must_use]
pub fn svg(position: &Position) -> String {
    let (size, setup) = (position.size(), position.setup());
    let (left, top) = (SCALE.label, MARGIN);
    let (width, height) = (left + size.files() * SCALE.cell + MARGIN, top + size.ranks() * SCALE.cell + SCALE.label);
    let mut svg = String::new();
    open(&mut svg, width, height, &title(position));
    labels(&mut svg, size, SCALE, left, top);
    for cell in position.board().cells() {
        let (x, y) = corner(size, cell);
        let is_blocked = setup.blocked.contains(cell);
        let fill = match position.board().colour(cell) {
            _ if is_blocked => BLOCKED,
            Colour::Light => LIGHT,
            Colour::Dark => DARK,
        };
        let side = SCALE.cell;
        let _ = writeln!(svg, r#"<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{fill}"/>"#);
        if is_blocked {
            cross(&mut svg, x, y);
        }
    }
    outline(&mut svg, (left, top), (size.files() * SCALE.cell, size.ranks() * SCALE.cell), 1);
    if let Some(mover) = position.knight(position.turn()) {
        let (x, y) = corner(size, mover);
        outline(&mut svg, (x + 2, y + 2), (SCALE.cell - 4, SCALE.cell - 4), 3);
    }
    for player in Player::BOTH {
        if let Some(cell) = position.knight(player) {
            knight(&mut svg, corner(size, cell), player);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The board and whose turn it is, or who has won.
fn title(position: &Position) -> String {
    let turn = position.turn();
    let placing = position.knight(turn).is_none();
    match position.winner() {
        Some(winner) => format!("{}: {winner} has won", position.size()),
        None => format!("{}: {turn} to {}", position.size(), if placing { "place" } else { "move" }),
    }
}

/// The upper left corner of a cell.
pub(super) fn corner(size: Size, cell: Cell) -> (usize, usize) {
    let Scale { cell: side, label, .. } = SCALE;
    (label + size.file(cell) * side, MARGIN + (size.ranks() - 1 - size.rank(cell)) * side)
}

pub(super) fn cross(svg: &mut String, x: usize, y: usize) {
    let (near, far) = (SCALE.cell / 3, SCALE.cell - SCALE.cell / 3);
    let _ = writeln!(
        svg,
        r#"<path d="M{} {}L{} {}M{} {}L{} {}" stroke="{CROSS}" stroke-width="3"/>"#,
        x + near,
        y + near,
        x + far,
        y + far,
        x + near,
        y + far,
        x + far,
        y + near
    );
}

pub(super) fn outline(svg: &mut String, (x, y): (usize, usize), (width, height): (usize, usize), thickness: usize) {
    let _ = writeln!(
        svg,
        r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="none" stroke="{INK}" stroke-width="{thickness}"/>"#
    );
}

pub(super) fn knight(svg: &mut String, (x, y): (usize, usize), player: Player) {
    let (fill, direction) = match player {
        Player::First => (FIRST, format!("translate({} {y}) scale(-1 1)", x + SCALE.cell)),
        Player::Second => (SECOND, format!("translate({x} {y})")),
    };
    let [eye_x, eye_y, radius] = EYE;
    let _ = writeln!(svg, r#"<g transform="{direction}"><title>{player}</title>"#);
    let _ = writeln!(svg, r#"<path d="{KNIGHT}" fill="{fill}" stroke="{INK}" stroke-width="2" stroke-linejoin="round"/>"#);
    let _ = writeln!(svg, r##"<circle cx="{eye_x}" cy="{eye_y}" r="{radius}" fill="#ffffff"/></g>"##);
}
