//! The symmetries that can serve as a mirror, and which of them a board has.

use std::fmt;

use crate::game::board::{Board, Size};
use crate::game::notation::quoted;
use crate::game::symmetry::{Symmetries, Symmetry};

/// The symmetries that can serve as a mirror: all that are their own inverse, except the identity.
pub const MIRRORS: [Symmetry; 5] =
    [Symmetry::Center, Symmetry::Vertical, Symmetry::Horizontal, Symmetry::Diagonal, Symmetry::Antidiagonal];

/// The mirrors of a board that differ in how they map its cells. On a single cell all are alike,
/// and the half turn stands for them.
#[must_use]
pub fn mirrors_of(size: Size) -> Vec<Symmetry> {
    let distinct: Vec<Symmetry> =
        Symmetries::new(&Board::<u128>::fitting(size)).iter().filter(|symmetry| MIRRORS.contains(symmetry)).collect();
    if distinct.is_empty() { vec![Symmetry::Center] } else { distinct }
}

/// The error for a mirror that is not one of the [mirrors of a board](mirrors_of).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct NoMirror {
    pub size: Size,
    pub mirror: Symmetry,
}

impl fmt::Display for NoMirror {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, mirror } = *self;
        let why = if mirror.fits(size) {
            "on a board one cell wide it moves no cell, or does the same as center"
        } else {
            "reflection in a diagonal exchanges files and ranks, so the board must be square"
        };
        let has: Vec<&str> = mirrors_of(size).into_iter().map(Symmetry::name).collect();
        write!(f, "{size} has no {mirror} mirror: {why}; it has {}", has.join(", "))
    }
}

impl std::error::Error for NoMirror {}

/// The error for a text that does not name a mirror.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownMirror {
    text: String,
}

impl fmt::Display for UnknownMirror {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [names @ .., last] = MIRRORS.map(Symmetry::name);
        write!(f, "{} is not a mirror: write {} or {last}", quoted(&self.text), names.join(", "))
    }
}

impl std::error::Error for UnknownMirror {}

/// Reads the name of a mirror, such as `center`.
///
/// # Errors
/// If no mirror has that name.
pub fn mirror_named(text: &str) -> Result<Symmetry, UnknownMirror> {
    MIRRORS.into_iter().find(|mirror| mirror.name() == text).ok_or_else(|| UnknownMirror { text: text.to_string() })
}

/// A symmetry in words, within a sentence.
pub(super) fn in_words(symmetry: Symmetry) -> &'static str {
    match symmetry {
        Symmetry::Identity => "the identity",
        Symmetry::Center => "the half turn",
        Symmetry::Vertical => "reflection in the vertical axis",
        Symmetry::Horizontal => "reflection in the horizontal axis",
        Symmetry::Diagonal => "reflection in the diagonal from a1",
        Symmetry::Antidiagonal => "reflection in the other diagonal",
        Symmetry::Quarter => "the quarter turn",
        Symmetry::ThreeQuarter => "the three-quarter turn",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrors_are_read_by_their_names() {
        assert_eq!(MIRRORS.map(|mirror| mirror_named(mirror.name())), MIRRORS.map(Ok));
        let message = "`quarter` is not a mirror: write center, vertical, horizontal, diagonal or antidiagonal";
        assert_eq!(mirror_named("quarter").map_err(|fault| fault.to_string()), Err(message.to_string()));
        assert!(mirror_named("").is_err() && mirror_named("Center").is_err());
    }
}
