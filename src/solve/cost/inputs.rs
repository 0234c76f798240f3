//! What the [network](super) sees of a move of the hunter.
//!
//! The free cells are counted by three numbers: in how many moves the prey can be there, in how
//! many the hunter can, and how many free neighbours the cell has. Walks do not mind the other
//! knight. So one network serves boards of all sizes, however they are turned.
//!
//! A knight changes colour with every move. So it is an even number of moves from one knight and
//! an odd number from the other, and of all pairs of distances only half occur.

use crate::game::board::Board;
use crate::game::cells::{Cell, Cells, Word};
use crate::solve::ground::{Ground, Halves, Whole};
use crate::solve::order::MOST_MOVES;

/// The classes of free neighbours: any number, at least two, at least three, at least four.
const DEGREES: usize = 4;
/// The classes of distances that a knight can be from the cells of one colour: one, three and more
/// moves, or two, four and more.
const DISTANCES: usize = 3;
/// The number of inputs: one for each class of the prey's and of the hunter's distance, and of free
/// neighbours, on each of the two colours.
pub(crate) const INPUTS: usize = 2 * DISTANCES * DISTANCES * DEGREES;

/// The inputs of all moves of a position: for each input, its values for the moves.
pub(super) type Inputs = [[i32; MOST_MOVES]; INPUTS];

/// The inputs of the hunter's moves. Cells that are no moves have inputs that mean nothing.
#[inline]
pub(super) fn inputs<W: Word>(board: &Board<W>, free: Cells<W>, prey: Cell, moves: &[Cell; MOST_MOVES]) -> Inputs {
    match Halves::new(board, free, prey) {
        Some(ground) => Scene::new(ground, board, prey).inputs(moves),
        None => Scene::new(Whole { board, free }, board, prey).inputs(moves),
    }
}

/// A position at the hunter's turn. The moves and the prey's targets are near cells.
struct Scene<G: Ground> {
    ground: G,
    /// The free cells, near and far.
    free: [Cells<G::Word>; 2],
    /// The near cells with at least two, three and four free neighbours.
    near: [Cells<G::Word>; DEGREES - 1],
    /// The far cells with at least two to five.
    far: [Cells<G::Word>; DEGREES],
    prey: Cell,
}

impl<G: Ground> Scene<G> {
    #[inline]
    fn new<W: Word>(ground: G, board: &Board<W>, prey: Cell) -> Self {
        let [[_, near @ .., _], [_, far @ ..]] = ground.counted::<{ DEGREES + 1 }>();
        Self { ground, free: ground.by_colour(board.colour(prey)), near, far, prey }
    }

    #[inline]
    fn inputs(&self, moves: &[Cell; MOST_MOVES]) -> Inputs {
        let mut inputs = [[0; MOST_MOVES]; INPUTS];
        for (number, &to) in moves.iter().enumerate() {
            self.of_move(to, &mut inputs, number);
        }
        inputs
    }

    /// A long series of the same operations on words, without a branch: vector units do it for all
    /// moves at once.
    #[inline(always)]
    fn of_move(&self, to: Cell, inputs: &mut Inputs, number: usize) {
        let ground = self.ground.without(to);
        let (near, far) = (self.free[0].except(ground.only(to)), self.free[1]);
        let around = ground.knight_moves(to);
        // The neighbours of `to` lose one free neighbour. They are far cells.
        let degrees_far: [_; DEGREES - 1] =
            std::array::from_fn(|times| self.far[times].except(around) | (self.far[times + 1] & around));

        let prey_1 = ground.knight_moves(self.prey) & near;
        let prey_2 = ground.onto_far(prey_1);
        let prey_3 = ground.onto_near(prey_2).except(prey_1);
        let prey_4 = ground.onto_far(prey_3).except(prey_2);
        let hunter_1 = around & far;
        let hunter_2 = ground.onto_near(hunter_1);
        let hunter_3 = ground.onto_far(hunter_2).except(hunter_1);
        let hunter_4 = ground.onto_near(hunter_3).except(hunter_2);

        let all = |free: Cells<G::Word>, first, second| [first, second, free.except(first).except(second)];
        let near = (all(near, prey_1, prey_3), all(near, hunter_2, hunter_4), self.near);
        let far = (all(far, prey_2, prey_4), all(far, hunter_1, hunter_3), degrees_far);
        let mut input = 0;
        for (preys, hunters, degrees) in [near, far] {
            for preys in preys {
                for cells in hunters.map(|hunters| preys & hunters) {
                    inputs[input][number] = cells.len() as i32;
                    for (count, degree) in inputs[input + 1..].iter_mut().zip(degrees) {
                        count[number] = (cells & degree).len() as i32;
                    }
                    input += DEGREES;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Size;
    use proptest::prelude::*;

    proptest! {
        /// The network sees the same, whether the board is split by colour or not.
        #[test]
        fn inputs_are_the_same_split_or_whole(
            size in (3..=8_usize, 3..=8_usize).prop_map(|(files, ranks)| Size::new(files, ranks).unwrap()),
            word in any::<u64>(),
            knights in any::<(usize, usize)>(),
        ) {
            let (narrow, wide, cells) = (Board::<u64>::fitting(size), Board::<u128>::fitting(size), size.cells());
            let (hunter, prey) = (Cell::new(knights.0 % cells), Cell::new(knights.1 % cells));
            prop_assume!(hunter != prey && narrow.colour(hunter) == narrow.colour(prey));
            let free = (Cells::from_word(word) & narrow.cells()).without(hunter).without(prey);
            let mut moves = [prey; MOST_MOVES];
            let legal = narrow.knight_moves(hunter) & free;
            moves.iter_mut().zip(legal).for_each(|(place, to)| *place = to);
            let whole = inputs(&narrow, free, prey, &moves);
            let split = inputs(&wide, free.convert(), prey, &moves);
            for number in 0..legal.len() {
                prop_assert_eq!(whole.map(|input| input[number]), split.map(|input| input[number]));
            }
        }

        /// What the network sees does not depend on how the board is turned.
        #[test]
        fn inputs_are_the_same_for_images(
            (files, ranks) in (3..=8_usize, 3..=8_usize),
            word in any::<u64>(),
            knights in any::<(usize, usize)>(),
        ) {
            let size = Size::new(files, ranks).unwrap();
            let (board, cells) = (Board::<u64>::fitting(size), size.cells());
            let (hunter, prey) = (Cell::new(knights.0 % cells), Cell::new(knights.1 % cells));
            prop_assume!(hunter != prey && board.colour(hunter) == board.colour(prey));
            let free = (Cells::from_word(word) & board.cells()).without(hunter).without(prey);
            let symmetries = crate::game::symmetry::Symmetries::new(&board);
            for symmetry in symmetries.iter() {
                let image = |cell: Cell| symmetries.cell(symmetry, cell);
                let free_image = free.into_iter().map(image).collect::<Cells<u64>>();
                for to in board.knight_moves(hunter) & free {
                    let here = inputs(&board, free, prey, &[to; MOST_MOVES]);
                    let there = inputs(&board, free_image, image(prey), &[image(to); MOST_MOVES]);
                    prop_assert_eq!(here, there, "{:?}", symmetry);
                }
            }
        }
    }
}
