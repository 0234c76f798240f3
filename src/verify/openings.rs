//! Who wins every opening of a board, what the colour law says of them, and which of its exceptions a mirror explains.
//!
//! The colour law: the player to move wins exactly when both knights stand on one colour, that is when it is the hunter.

use crate::board::{Board, Size};
use crate::cells::{Cell, Cells, Word};
use crate::duel::{Duel, Part};
use crate::notation::cell_name;
use crate::outcome::Value;
use crate::position::Player;
use crate::solve::{Control, Opening, OpeningClass, Question, Solver, mirror, opening_classes, winner_by_choice};
use crate::symmetry::{Symmetries, Symmetry};

/// Every opening of a board with its winner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Openings {
    /// The board.
    pub size: Size,
    /// The openings by class.
    pub classes: Vec<JudgedClass>,
}

/// The openings of one class: they are won by the same player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgedClass {
    /// The openings.
    pub class: OpeningClass,
    /// Whether the first player, who is to move, is the hunter.
    pub first_hunts: bool,
    /// Who wins; none if that is unknown.
    pub winner: Option<Player>,
    /// The mirror that decides it, if there is one.
    pub mirror: Option<ByMirror>,
}

/// How a mirror decides an opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByMirror {
    /// The opening is symmetric: the second player, who has just placed, mirrors from now on.
    AtOnce(Symmetry),
    /// The first player moves to this cell (said of the class's representative), and mirrors from then on.
    After(Cell, Symmetry),
}

impl ByMirror {
    /// How a mirror decides a duel, if it does: for the other at once, or for the mover after one move.
    #[must_use]
    pub fn find<W: Word>(board: &Board<W>, symmetries: &Symmetries<W>, duel: Duel<W>) -> Option<Self> {
        let decided = |duel: Duel<W>| mirror(symmetries, duel.without_dead_cells(board));
        let after = |to| decided(duel.play_unchecked(to)).map(|symmetry| Self::After(to, symmetry));
        decided(duel).map(Self::AtOnce).or_else(|| duel.moves(board).into_iter().find_map(after))
    }

    /// The same in words.
    #[must_use]
    pub fn on(self, size: Size) -> String {
        match self {
            Self::AtOnce(symmetry) => format!("mirror {symmetry}"),
            Self::After(to, symmetry) => format!("mirror {symmetry} after {}", cell_name(size, to)),
        }
    }
}

impl JudgedClass {
    /// Whether the winner is known, and is not the one that the colour law names.
    #[must_use]
    pub fn breaks_colour_law(&self) -> bool {
        let lawful = if self.first_hunts { Player::First } else { Player::Second };
        self.winner.is_some_and(|winner| winner != lawful)
    }
}

impl Openings {
    /// Solves every opening, one of each class; `done` is told as each is known. What the limits leave open is unknown.
    pub fn solve<W: Word>(solver: &Solver<W>, control: &Control, done: impl Fn() + Sync) -> Self {
        let board = solver.board();
        let symmetries = Symmetries::new(board);
        let classes = opening_classes(board, board.cells(), board.cells());
        let duels: Vec<Duel<W>> = classes.iter().map(|class| class.representative().duel(board.cells())).collect();
        let answers = solver.answers(Question::Winner, &duels, control, |_, _| done());
        let judge = |((class, duel), answer): ((OpeningClass, Duel<W>), Result<crate::solve::Answer, _>)| JudgedClass {
            class,
            first_hunts: duel.part_of_mover(board) == Part::Hunter,
            winner: answer.ok().map(|answer| if answer.value == Value::Win { Player::First } else { Player::Second }),
            mirror: ByMirror::find(board, &symmetries, duel),
        };
        Self { size: board.size(), classes: classes.into_iter().zip(duels).zip(answers).map(judge).collect() }
    }

    /// How many classes of openings a board has: how often [`Openings::solve`] tells that one is done.
    #[must_use]
    pub fn classes_of<W: Word>(board: &Board<W>) -> usize {
        opening_classes(board, board.cells(), board.cells()).len()
    }

    /// The winner of one opening.
    #[must_use]
    pub fn winner_of(&self, opening: Opening) -> Option<Player> {
        self.class_of(opening).and_then(|judged| judged.winner)
    }

    /// The class of one opening.
    #[must_use]
    pub fn class_of(&self, opening: Opening) -> Option<&JudgedClass> {
        self.classes.iter().find(|judged| judged.class.members.contains(&opening))
    }

    /// Who wins the board when both place as they like.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        let cells = || Cells::<u128>::first_cells(self.size.cells()).into_iter();
        let after = |first: Cell| {
            let replies = cells().filter(move |&second| second != first).map(move |second| Opening { first, second });
            winner_by_choice(Player::Second, replies.map(|opening| self.winner_of(opening)))
        };
        winner_by_choice(Player::First, cells().map(after))
    }

    /// How many openings there are with this colouring and winner.
    #[must_use]
    pub fn count(&self, first_hunts: bool, winner: Option<Player>) -> u64 {
        let alike = self.classes.iter().filter(|judged| judged.first_hunts == first_hunts && judged.winner == winner);
        alike.map(|judged| judged.class.members.len() as u64).sum()
    }

    /// The classes that break the colour law.
    pub fn exceptions(&self) -> impl Iterator<Item = &JudgedClass> {
        self.classes.iter().filter(|judged| judged.breaks_colour_law())
    }

    /// Whether the winner of every opening is known.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.classes.iter().all(|judged| judged.winner.is_some())
    }
}
