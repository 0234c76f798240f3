//! What all pictures share: the colours, the opening tag, and the labels of ranks and files.
//!
//! Results of `writeln!` are ignored here and in all pictures, because writing to a string cannot
//! fail.

use std::fmt::Write;

use crate::game::board::Size;

/// Orange and blue from the palette of Okabe and Ito. They can be told apart with any kind of
/// colour vision, and by their lightness alone.
pub(crate) const FIRST: &str = "#e69f00";
pub(crate) const SECOND: &str = "#0072b2";
/// The colour of lines and letters.
pub(crate) const INK: &str = "#222222";
/// The colour of what a reader may skip.
pub(crate) const QUIET: &str = "#666666";
/// The colour behind everything.
pub(crate) const GROUND: &str = "#ffffff";

/// How large a board is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    /// The side of a cell.
    pub(crate) cell: usize,
    /// The space for the labels of the ranks, and for those of the files.
    pub(crate) label: usize,
    /// The height of the labels.
    pub(crate) letters: usize,
}

/// Writes the opening tag of a picture, its title and its ground.
pub(crate) fn open(svg: &mut String, width: usize, height: usize, title: &str) {
    let _ = writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {} fill="{INK}">"#,
        format_args!(r#"width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif""#)
    );
    let _ = writeln!(svg, "<title>{title}</title>");
    let _ = writeln!(svg, r#"<rect width="{width}" height="{height}" fill="{GROUND}"/>"#);
}

/// Writes the ranks to the left of a board and the files below it. `left` and `top` are the corner
/// of the board.
pub(crate) fn labels(svg: &mut String, size: Size, scale: Scale, left: usize, top: usize) {
    let Scale { cell, label, letters } = scale;
    let (files, ranks) = (size.files(), size.ranks());
    let _ = writeln!(svg, r#"<g font-size="{letters}" fill="{QUIET}" text-anchor="middle">"#);
    for rank in 0..ranks {
        let (x, y) = (left - label / 2, top + (ranks - 1 - rank) * cell + cell / 2 + letters / 3);
        let _ = writeln!(svg, r#"<text x="{x}" y="{y}">{}</text>"#, rank + 1);
    }
    for file in 0..files {
        let (x, y) = (left + file * cell + cell / 2, top + ranks * cell + letters);
        let _ = writeln!(svg, r#"<text x="{x}" y="{y}">{}</text>"#, char::from(b'a' + file as u8));
    }
    let _ = writeln!(svg, "</g>");
}
