//! Pictures as SVG: a position, a lemma, and the parts that all pictures share.
//!
//! A picture has its own light ground, so that it can be read on any page. It names no font but the
//! usual ones, and everything apart from the labels is drawn with shapes.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
pub(crate) mod parts;

mod position;

mod lemma;

pub(crate) use lemma::{LemmaPicture, lemma_svg};
pub use position::svg;
