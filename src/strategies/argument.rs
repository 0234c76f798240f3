//! Why a mirror wins, or where it cannot. Every step of the argument is computed.
//!
//! A player who answers every move with its image always has a reply, provided that
//!
//! 1. the symmetry maps knight's moves to knight's moves, so that the image of a move is a move;
//! 2. the symmetry is its own inverse, so that after the reply the position is symmetric again,
//!    with the knights exchanged;
//! 3. no cell that can be moved to is its own image. Then a move and its reply go to two different
//!    cells, and the reply is free because the move was.
//!
//! The first two hold for the half turn and the four reflections, on every board that has them. The
//! third depends on the board's shape, that is, on whether its sides are even or odd.
//! [`Argument::new`] checks all three on one board. It also counts the cells that are their own
//! images on every board of that shape.

use super::mirrors::in_words;
use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Cells, MAX_CELLS};
use crate::game::notation::{cell_name, cell_names};
use crate::game::symmetry::Symmetry;
use crate::solve::Opening;

/// What was checked about a mirror on a board, and on all boards of the same shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// The board.
    pub size: Size,
    /// The mirror.
    pub symmetry: Symmetry,
    /// Whether it maps knight's moves to knight's moves.
    pub keeps_moves: bool,
    /// Whether it is its own inverse.
    pub own_inverse: bool,
    /// The cells that are their own images.
    pub fixed: Cells<u128>,
    /// How many [of all boards](Size::every) have this shape.
    pub boards: usize,
    /// Whether on all of them the symmetry maps moves to moves, and as many cells are their own
    /// images as the shape predicts.
    pub holds_for_shape: bool,
}

impl Argument {
    /// Checks the argument for a board that has the symmetry.
    ///
    /// # Panics
    /// If the board lacks the symmetry: see [`Symmetry::fits`].
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

    /// Whether the argument proves that the second player wins the empty board by this mirror.
    #[must_use]
    pub fn second_wins(&self) -> bool {
        self.keeps_moves && self.own_inverse && self.fixed.is_empty() && self.size.cells() > 0
    }

    /// The argument in sentences: two about its steps, and one about what follows for every board
    /// of the shape.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let (what, shape) = (what(self.symmetry), Shape::of(self.size, self.symmetry));
        let is_mirror = self.keeps_moves && self.own_inverse;
        let moves = match (self.keeps_moves, self.own_inverse) {
            (true, true) => format!("{what} maps every knight's move to a knight's move, and is its own inverse."),
            (false, _) => format!("{what} does not map every knight's move to a knight's move."),
            (_, false) => format!("{what} is not its own inverse."),
        };
        let names = cell_names(self.size, self.fixed).join(" ");
        let fixed = match self.fixed.len() {
            0 => "No cell is its own image: a move and its reply go to two different cells, and the reply is free because the \
                move was."
                .to_string(),
            1 => format!("One cell is its own image, {names}: a move there cannot be answered."),
            many => format!("{many} cells are their own images, {names}: a move to one of them cannot be answered."),
        };
        let (boards, reason) = (shape.boards(), shape.reason());
        let checked = format!(
            "This was checked on all {} such boards with up to {MAX_CELLS} cells and sides up to {}.",
            self.boards,
            Size::MAX_SIDE
        );
        let follows = match (is_mirror && self.holds_for_shape, self.fixed.is_empty()) {
            (false, _) if !is_mirror => "So this symmetry does not serve as a mirror.".to_string(),
            (false, _) => format!("The same does not hold on every {boards}."),
            (true, true) => format!("So the second player wins every {boards} by this mirror: {reason}. {checked}"),
            (true, false) => format!(
                "Every {boards} has such cells: {reason}. {checked} There the mirror helps the player who reaches symmetry once \
                these cells are taken or dead."
            ),
        };
        vec![moves, fixed, follows]
    }
}

/// What was checked about following one move behind, after an opening.
///
/// The follower placed second. It always moves to the image of the cell that its opponent has just
/// left. It always has a reply, provided that the symmetry maps moves to moves and is its own
/// inverse, and that
///
/// 1. the image of the first placement is a knight's move away from the follower's placement. Then
///    the first reply is a move, and so are all others, as images of moves;
/// 2. the follower's placement is the only cell that is its own image. Then no reply is the cell
///    that the opponent has just left, and none is the follower's placement;
/// 3. no cell is a knight's move away from its own image. Then the opponent cannot step onto the
///    next reply. It cannot have been there earlier either: the images of its older cells are the
///    follower's cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaggedArgument {
    /// What was checked about the symmetry itself.
    pub mirror: Argument,
    /// Whether the first reply is a knight's move.
    pub first_reply: bool,
    /// Whether the follower's placement is the only cell that is its own image.
    pub only_fixed: bool,
    /// The first cell that is a knight's move away from its own image, if there is one.
    pub near_image: Option<Cell>,
}

impl LaggedArgument {
    /// Checks the argument for an opening.
    ///
    /// # Panics
    /// If the board lacks the symmetry: see [`Symmetry::fits`].
    #[must_use]
    pub fn new(size: Size, symmetry: Symmetry, opening: Opening) -> Self {
        let board = Board::<u128>::fitting(size);
        let image = |cell| symmetry.image_on(size, cell);
        let mirror = Argument::new(size, symmetry);
        Self {
            first_reply: board.knight_moves(opening.second).contains(image(opening.first)),
            only_fixed: mirror.fixed == Cells::only(opening.second),
            near_image: board.cells().into_iter().find(|&cell| board.knight_moves(cell).contains(image(cell))),
            mirror,
        }
    }

    /// Whether the argument proves that the second player wins by following.
    #[must_use]
    pub fn second_wins(&self) -> bool {
        let mirror = &self.mirror;
        mirror.keeps_moves && mirror.own_inverse && self.first_reply && self.only_fixed && self.near_image.is_none()
    }

    /// The argument in sentences: one for each step, and the conclusion.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let size = self.mirror.size;
        let either = |holds: bool, yes: &str, no: &str| (if holds { yes } else { no }).to_string();
        let first_reply = either(
            self.first_reply,
            "The image of the first placement is a knight's move away from the second placement: the first reply is a move, \
            and all others are images of moves.",
            "The image of the first placement is not a knight's move away from the second placement: the first reply cannot be \
            played.",
        );
        let only_fixed = either(
            self.only_fixed,
            "The second placement is the only cell that is its own image: no reply goes to a cell that the opponent has just \
            left.",
            "It is not the case that the second placement, and no other cell, is its own image: a reply may go to a cell where \
            a knight has been.",
        );
        let apart = match self.near_image {
            None => "No cell is a knight's move away from its own image: the first player cannot step onto the next reply."
                .to_string(),
            Some(cell) => {
                let cell = cell_name(size, cell);
                format!(
                    "The cell {cell} is a knight's move away from its own image: the first player may step onto the next reply."
                )
            }
        };
        let follows =
            if self.second_wins() { "So the second player wins by following." } else { "So the argument does not apply." };
        vec![self.mirror.sentences().swap_remove(0), first_reply, only_fixed, apart, follows.to_string()]
    }
}

/// A symmetry in words, to begin a sentence.
fn what(symmetry: Symmetry) -> String {
    let words = in_words(symmetry);
    words[..1].to_uppercase() + &words[1..]
}

/// What the number of cells that are their own images depends on.
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

    /// The boards of this shape, to follow the word "every".
    fn boards(self) -> &'static str {
        match self {
            Self::EvenSide => "board with an even side",
            Self::OddSides => "board with two odd sides",
            Self::Files { even: true } => "board with an even number of files",
            Self::Files { even: false } => "board with an odd number of files",
            Self::Ranks { even: true } => "board with an even number of ranks",
            Self::Ranks { even: false } => "board with an odd number of ranks",
            Self::Square => "square board",
            Self::Unfit => "board without the symmetry",
        }
    }

    /// Why these cells are their own images, also on boards that are too large to check.
    fn reason(self) -> &'static str {
        match self {
            Self::EvenSide => "an even side has no middle, so that the centre lies between cells",
            Self::OddSides => "both sides have a middle, and the centre is a cell",
            Self::Files { even: true } | Self::Ranks { even: true } => "the axis runs between the two middle ones",
            Self::Files { even: false } | Self::Ranks { even: false } => "the axis runs through the middle one",
            Self::Square => "the diagonal is made of cells",
            Self::Unfit => "the symmetry does not fit",
        }
    }
}

/// How many cells the shape predicts to be their own images: [`Shape::reason`] as a number.
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
    let board = Board::<u128>::fitting(size);
    let image = |cell| symmetry.image_on(size, cell);
    board.cells().into_iter().all(|cell| {
        let moved: Cells<u128> = board.knight_moves(cell).into_iter().map(image).collect();
        moved == board.knight_moves(image(cell))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategies::MIRRORS;

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
    fn every_board_of_a_shape_has_the_predicted_fixed_cells() {
        for size in [Size::new(6, 6).unwrap(), Size::new(7, 7).unwrap(), Size::new(5, 6).unwrap(), Size::new(1, 1).unwrap()] {
            for symmetry in MIRRORS.into_iter().filter(|symmetry| symmetry.fits(size)) {
                let argument = Argument::new(size, symmetry);
                assert!(argument.holds_for_shape && argument.keeps_moves && argument.own_inverse, "{argument:?}");
                assert!(argument.boards >= 11, "there are eleven squares, and more of every other shape");
            }
        }
        let quarter = Argument::new(Size::new(6, 6).unwrap(), Symmetry::Quarter);
        assert!(quarter.fixed.is_empty() && !quarter.own_inverse && !quarter.second_wins());
        assert_eq!(quarter.sentences()[2], "So this symmetry does not serve as a mirror.");
    }
}
