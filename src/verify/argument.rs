//! Why a mirror wins, or where it cannot: the argument, every step of which is checked.
//!
//! A player who answers every move with its image never runs out of replies, provided that
//!
//! 1. the symmetry takes knight moves to knight moves, so that the image of a move is a move;
//! 2. it is its own inverse, so that after the reply the position is laid onto itself again, with the knights exchanged;
//! 3. no cell that can be moved to is its own image. A move and its reply are then two cells, and the reply is free because the move was.
//!
//! The first two hold for the half turn and the four reflections on any board that they fit. The third depends on the board's shape, that is on whether its
//! sides are even or odd. [`Argument::new`] checks all three on one board, and how many cells are their own images on every board of that shape.

use crate::board::{Board, Size};
use crate::cells::{Cell, Cells, MAX_CELLS};
use crate::notation::{cell_name, cell_names};
use crate::solve::Opening;
use crate::symmetry::Symmetry;

/// The symmetries that can serve as a mirror: each takes itself back, and moves something.
pub const MIRRORS: [Symmetry; 5] =
    [Symmetry::Center, Symmetry::Vertical, Symmetry::Horizontal, Symmetry::Diagonal, Symmetry::Antidiagonal];

/// What was checked about a mirror on a board, and on all boards of the same shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// The board.
    pub size: Size,
    /// The mirror.
    pub symmetry: Symmetry,
    /// Whether it takes knight moves to knight moves.
    pub keeps_moves: bool,
    /// Whether it takes itself back.
    pub own_inverse: bool,
    /// The cells that are their own images.
    pub fixed: Cells<u128>,
    /// The boards of this shape [that there are](Size::every).
    pub boards: usize,
    /// Whether on all of them moves are kept, and as many cells fixed as the shape says.
    pub holds_for_shape: bool,
}

impl Argument {
    /// Checks the argument for a board that has the symmetry.
    ///
    /// # Panics
    /// If the board lacks it: see [`Symmetry::fits`].
    #[must_use]
    pub fn new(size: Size, symmetry: Symmetry) -> Self {
        let alike: Vec<Size> = Size::every().filter(|&other| Shape::of(other, symmetry) == Shape::of(size, symmetry)).collect();
        let as_expected = |&size: &Size| {
            let fixed = fixed_cells(size, symmetry).len();
            keeps_moves(size, symmetry) && fixed == expected_fixed(size, symmetry)
        };
        Self {
            size,
            symmetry,
            keeps_moves: keeps_moves(size, symmetry),
            own_inverse: symmetry == symmetry.inverse(),
            fixed: fixed_cells(size, symmetry),
            boards: alike.len(),
            holds_for_shape: alike.iter().all(as_expected),
        }
    }

    /// Whether it follows that the second player wins the empty board by this mirror.
    #[must_use]
    pub fn second_wins(&self) -> bool {
        self.keeps_moves && self.own_inverse && self.fixed.is_empty() && self.size.cells() > 0
    }

    /// The same in sentences: the three steps, then what follows for every board of the shape.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let (what, shape) = (what(self.symmetry), Shape::of(self.size, self.symmetry));
        let boards = format!("all {} with up to {MAX_CELLS} cells and sides up to {}", self.boards, Size::MAX_SIDE);
        let moves = match (self.keeps_moves, self.own_inverse) {
            (true, true) => format!("{what} takes every knight's move to a knight's move, and takes itself back"),
            (false, _) => format!("{what} does not keep the knight's moves of this board"),
            (_, false) => format!("{what} does not take itself back"),
        };
        let fixed = match self.fixed.len() {
            0 => "no cell is its own image: a move and its reply are two cells, and the reply is free because the move was"
                .to_string(),
            1 => format!(
                "one cell is its own image, {}: a move there cannot be answered",
                cell_names(self.size, self.fixed).join(" ")
            ),
            many => format!(
                "{many} cells are their own images, {}: a move to one of them cannot be answered",
                cell_names(self.size, self.fixed).join(" ")
            ),
        };
        let follows = match (self.holds_for_shape, self.fixed.is_empty()) {
            (false, _) => format!("it does not carry over to {}", shape.boards()),
            (true, true) => {
                format!("so the second player wins {} by it ({}; checked on {boards})", shape.boards(), shape.reason())
            }
            (true, false) => format!(
                "such cells are there on {} ({}; checked on {boards}): the mirror serves whoever reaches symmetry when they are taken or dead",
                shape.boards(),
                shape.reason()
            ),
        };
        vec![moves, fixed, follows]
    }
}

/// What was checked about following one move behind, from an opening on.
///
/// The follower, who placed second, moves to the image of the cell that its opponent has just left. It never runs out of replies, provided that the symmetry keeps moves, that
///
/// 1. the image of the first placement is a knight's move away from the follower's placement, so that the first reply is a move, and so are all others, as images of moves;
/// 2. the follower's placement is the only cell that is its own image. Then the opponent never needs to be followed to a cell where it stands, and its cells are never the
///    image of the follower's placement;
/// 3. no cell is a knight's move away from its own image: so the opponent cannot step onto the next reply. On the replies after that it cannot stand either: its older cells
///    are the images of the follower's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaggedArgument {
    /// What holds of the symmetry itself.
    pub mirror: Argument,
    /// Whether the first reply is a knight's move.
    pub first_reply: bool,
    /// Whether the follower's placement is the only cell that is its own image.
    pub only_fixed: bool,
    /// A cell that is a knight's move away from its own image, if there is one.
    pub near_image: Option<Cell>,
}

impl LaggedArgument {
    /// Checks the argument for an opening.
    ///
    /// # Panics
    /// If the board lacks the symmetry: see [`Symmetry::fits`].
    #[must_use]
    pub fn new(size: Size, symmetry: Symmetry, opening: Opening) -> Self {
        let board = Board::<u128>::new(size);
        let image = |cell| symmetry.image_on(size, cell);
        let mirror = Argument::new(size, symmetry);
        Self {
            first_reply: board.knight_moves(opening.second).contains(image(opening.first)),
            only_fixed: mirror.fixed == Cells::only(opening.second),
            near_image: board.cells().into_iter().find(|&cell| board.knight_moves(cell).contains(image(cell))),
            mirror,
        }
    }

    /// Whether it follows that the second player wins by following.
    #[must_use]
    pub fn second_wins(&self) -> bool {
        let mirror = &self.mirror;
        mirror.keeps_moves && mirror.own_inverse && self.first_reply && self.only_fixed && self.near_image.is_none()
    }

    /// The same in sentences.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let size = self.mirror.size;
        let either = |holds: bool, yes: &str, no: &str| (if holds { yes } else { no }).to_string();
        let first_reply = either(
            self.first_reply,
            "the image of the first placement is a knight's move away from the second: the first reply is a move, and all others are images of moves",
            "the image of the first placement is not a knight's move away from the second: there is no first reply",
        );
        let only_fixed = either(
            self.only_fixed,
            "the second placement, and no other cell, is its own image: no reply is wanted where a knight has been",
            "it is not so that the second placement, and no other cell, is its own image: a reply may be wanted where a knight has been",
        );
        let apart = match self.near_image {
            None => {
                "no cell is a knight's move away from its own image: the first player cannot step onto the next reply".to_string()
            }
            Some(cell) => {
                let cell = cell_name(size, cell);
                format!("{cell} is a knight's move away from its own image: the first player may step onto the next reply")
            }
        };
        let follows =
            if self.second_wins() { "so the second player wins by following" } else { "so the argument does not apply" };
        vec![self.mirror.sentences().swap_remove(0), first_reply, only_fixed, apart, follows.to_string()]
    }
}

/// A mirror in words.
fn what(symmetry: Symmetry) -> &'static str {
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

/// What the fixed cells of a symmetry depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    EvenSide,
    OddSides,
    Files {
        even: bool,
    },
    Ranks {
        even: bool,
    },
    Square,
    /// The board lacks the symmetry.
    Unfit,
}

impl Shape {
    fn of(size: Size, symmetry: Symmetry) -> Self {
        let (files, ranks) = (size.files().is_multiple_of(2), size.ranks().is_multiple_of(2));
        match symmetry {
            _ if !symmetry.fits(size) => Self::Unfit,
            Symmetry::Vertical => Self::Files { even: files },
            Symmetry::Horizontal => Self::Ranks { even: ranks },
            Symmetry::Diagonal | Symmetry::Antidiagonal => Self::Square,
            _ if files || ranks => Self::EvenSide,
            _ => Self::OddSides,
        }
    }

    fn boards(self) -> &'static str {
        match self {
            Self::EvenSide => "every board with an even side",
            Self::OddSides => "every board with two odd sides",
            Self::Files { even: true } => "every board with an even number of files",
            Self::Files { even: false } => "every board with an odd number of files",
            Self::Ranks { even: true } => "every board with an even number of ranks",
            Self::Ranks { even: false } => "every board with an odd number of ranks",
            Self::Square => "every square board",
            Self::Unfit => "no board",
        }
    }

    /// Why the fixed cells are what they are, also on boards too large to be checked.
    fn reason(self) -> &'static str {
        match self {
            Self::EvenSide => "an even side has no middle, so that the centre lies between cells",
            Self::OddSides => "both sides have a middle, and the centre is a cell",
            Self::Files { even: true } | Self::Ranks { even: true } => "the axis runs between two of them",
            Self::Files { even: false } | Self::Ranks { even: false } => "the axis runs through the middle one",
            Self::Square => "the diagonal is made of cells",
            Self::Unfit => "it does not fit",
        }
    }
}

/// How many cells a shape fixes: what [`Shape::reason`] says, as a number.
fn expected_fixed(size: Size, symmetry: Symmetry) -> usize {
    match Shape::of(size, symmetry) {
        Shape::OddSides => 1,
        Shape::Files { even: false } => size.ranks(),
        Shape::Ranks { even: false } | Shape::Square => size.files(),
        _ => 0,
    }
}

fn fixed_cells(size: Size, symmetry: Symmetry) -> Cells<u128> {
    Cells::<u128>::first_cells(size.cells()).into_iter().filter(|&cell| symmetry.image_on(size, cell) == cell).collect()
}

fn keeps_moves(size: Size, symmetry: Symmetry) -> bool {
    let board = Board::<u128>::new(size);
    let image = |cell| symmetry.image_on(size, cell);
    board.cells().into_iter().all(|cell| {
        let moved: Cells<u128> = board.knight_moves(cell).into_iter().map(image).collect();
        moved == board.knight_moves(image(cell))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirror_without_fixed_cells_needs_an_even_side() {
        let wins = |files, ranks, symmetry| Argument::new(Size::new(files, ranks).unwrap(), symmetry).second_wins();
        assert!(wins(6, 6, Symmetry::Center) && wins(5, 6, Symmetry::Center) && wins(2, 1, Symmetry::Center));
        assert!(!wins(7, 7, Symmetry::Center) && !wins(5, 7, Symmetry::Center) && !wins(1, 1, Symmetry::Center));
        assert!(wins(6, 5, Symmetry::Vertical) && !wins(5, 6, Symmetry::Vertical));
        assert!(wins(5, 6, Symmetry::Horizontal) && !wins(6, 5, Symmetry::Horizontal));
        assert!(!wins(6, 6, Symmetry::Diagonal) && !wins(6, 6, Symmetry::Antidiagonal));
    }

    #[test]
    fn every_shape_is_as_it_says() {
        for size in [Size::new(6, 6).unwrap(), Size::new(7, 7).unwrap(), Size::new(5, 6).unwrap(), Size::new(1, 1).unwrap()] {
            for symmetry in MIRRORS.into_iter().filter(|symmetry| symmetry.fits(size)) {
                let argument = Argument::new(size, symmetry);
                assert!(argument.holds_for_shape && argument.keeps_moves && argument.own_inverse, "{argument:?}");
                assert!(argument.boards >= 11, "there are eleven squares, and more of every other shape");
            }
        }
        let quarter = Argument::new(Size::new(6, 6).unwrap(), Symmetry::Quarter);
        assert!(quarter.fixed.is_empty() && !quarter.own_inverse && !quarter.second_wins());
    }
}
