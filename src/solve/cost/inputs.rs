//! What the [network](super::network) sees of a move of the hunter.
//!
//! All of it is counted: cells that the knights reach, cells with few neighbours, the territories
//! of both knights, and where the knights stand. So one network serves boards of all sizes.

use super::network::{INPUTS, Inputs};
use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Cells, MAX_CELLS, Word};
use crate::solve::ground::{Ground, Halves, Whole};
use crate::solve::order::{HunterScores, MOST_MOVES, hunters_weights};
use crate::solve::weights::FEATURES;

/// Where the cells of a board are.
#[derive(Clone, Copy)]
pub(super) struct Place {
    file: i32,
    rank: i32,
    /// The distances from the nearest edge and from the nearest edge of the other direction.
    edges: [i32; 2],
}

/// The places of all cells of a board.
pub(super) fn places(size: Size) -> [Place; MAX_CELLS] {
    std::array::from_fn(|index| {
        let cell = Cell::new(index.min(size.cells() - 1));
        let (file, rank) = (size.file(cell), size.rank(cell));
        let (across, along) = (file.min(size.files() - 1 - file) as i32, rank.min(size.ranks() - 1 - rank) as i32);
        Place { file: file as i32, rank: rank as i32, edges: [across.min(along), across.max(along)] }
    })
}

/// The inputs of the hunter's moves. Cells that are no moves have inputs that mean nothing.
#[inline]
pub(super) fn inputs<W: Word>(
    board: &Board<W>,
    places: &[Place; MAX_CELLS],
    free: Cells<W>,
    prey: Cell,
    moves: &[Cell; MOST_MOVES],
) -> Inputs {
    match Halves::new(board, free, prey) {
        Some(ground) => Scene::new(ground, board, places, free, prey).inputs(moves),
        None => Scene::new(Whole { board, free }, board, places, free, prey).inputs(moves),
    }
}

/// A position at the hunter's turn. The moves and the prey's targets are near cells.
struct Scene<'a, G: Ground> {
    ground: G,
    order: HunterScores<G>,
    near_free: Cells<G::Word>,
    far_free: Cells<G::Word>,
    /// The near cells with at least one, two, three and four free neighbours, and the far ones.
    near: [Cells<G::Word>; 4],
    far: [Cells<G::Word>; 4],
    places: &'a [Place; MAX_CELLS],
    prey: Cell,
    /// What all moves share.
    share: i32,
    cells: i32,
    sides: [i32; 2],
}

impl<'a, G: Ground> Scene<'a, G> {
    #[inline]
    fn new<W: Word>(ground: G, board: &Board<W>, places: &'a [Place; MAX_CELLS], free: Cells<W>, prey: Cell) -> Self {
        let order = HunterScores::new(ground, hunters_weights(board, free), prey);
        let [near_free, far_free] = ground.by_colour(board.colour(prey));
        let [near, far] = ground.counted::<4>();
        let size = board.size();
        Self {
            ground,
            order,
            near_free,
            far_free,
            near,
            far,
            places,
            prey,
            share: (free.len() * 64 / size.cells()) as i32,
            cells: size.cells() as i32,
            sides: [size.files().min(size.ranks()) as i32, size.files().max(size.ranks()) as i32],
        }
    }

    #[inline]
    fn inputs(&self, moves: &[Cell; MOST_MOVES]) -> Inputs {
        let mut inputs = [[0; MOST_MOVES]; INPUTS];
        for (number, &to) in moves.iter().enumerate() {
            self.of_move(to, &mut inputs, number);
        }
        inputs
    }

    #[inline(always)]
    fn of_move(&self, to: Cell, inputs: &mut Inputs, number: usize) {
        let order = self.order.features(to);
        let ground = self.ground.without(to);
        let prey = ground.only(self.prey);
        let (near_free, far_free) = (self.near_free.except(ground.only(to)), self.far_free);
        let around = ground.knight_moves(to);
        let near = self.near;
        // The neighbours of `to` lose one free neighbour. They are far cells.
        let far = [0, 1, 2].map(|times| self.far[times].except(around) | (self.far[times + 1] & around));
        // The cells that one knight reaches before the other. The prey moves first.
        let (mut near_left, mut far_left) = (near_free, far_free);
        let (mut preys_near, mut preys_far) = (Cells::EMPTY, Cells::EMPTY);
        let (mut hunters_near, mut hunters_far) = (Cells::EMPTY, Cells::EMPTY);
        let (mut prey_front, mut hunter_front) = (prey, ground.only(to));
        let mut early = [0; 2];
        for round in 0..3 {
            prey_front = ground.onto_near(prey_front) & near_left;
            near_left = near_left.except(prey_front);
            preys_near |= prey_front;
            hunter_front = ground.onto_far(hunter_front) & far_left;
            far_left = far_left.except(hunter_front);
            hunters_far |= hunter_front;
            prey_front = ground.onto_far(prey_front) & far_left;
            far_left = far_left.except(prey_front);
            preys_far |= prey_front;
            hunter_front = ground.onto_near(hunter_front) & near_left;
            near_left = near_left.except(hunter_front);
            hunters_near |= hunter_front;
            if round == 0 {
                early = [preys_near.len() + preys_far.len(), hunters_near.len() + hunters_far.len()];
            }
        }
        let targets = ground.knight_moves(self.prey) & near_free;
        let moves = around & far_free;
        let out_of_reach = far_free.except(moves);
        // How many cells of a territory have exactly this many free neighbours.
        let with = |of_near: Cells<G::Word>, of_far: Cells<G::Word>, times: usize| {
            let exactly = |at_least: &[Cells<G::Word>]| at_least[times - 1].except(at_least[times]);
            (of_near & exactly(&near)).len() + (of_far & exactly(&far)).len()
        };
        let count = |set: Cells<G::Word>| set.len() as i32;
        for (input, feature) in inputs.iter_mut().zip(order) {
            input[number] = feature as i32;
        }
        let (place, preys_place) = (self.places[to.index()], self.places[self.prey.index()]);
        let offset = [(place.file - preys_place.file).abs(), (place.rank - preys_place.rank).abs()];
        let more = [
            count(near_free),
            count(far_free),
            count(near_free.except(near[0])),
            count((near_free & near[0]).except(near[1])),
            count((near_free & near[1]).except(near[2])),
            count(far_free.except(far[0])),
            count((far_free & far[0]).except(far[1])),
            count((far_free & far[1]).except(far[2])),
            early[0] as i32,
            early[1] as i32,
            count(preys_near),
            count(preys_far),
            count(hunters_near),
            count(hunters_far),
            count(near_left) + count(far_left),
            place.edges[0],
            place.edges[1],
            preys_place.edges[0],
            preys_place.edges[1],
            offset[0].min(offset[1]),
            offset[0].max(offset[1]),
            count(targets),
            count(ground.onto_far(targets) & out_of_reach),
            count(targets & ground.onto_near(out_of_reach) & near[2]),
            with(preys_near, preys_far, 2) as i32,
            with(hunters_near, hunters_far, 2) as i32,
            with(preys_near, preys_far, 1) as i32,
            with(hunters_near, hunters_far, 1) as i32,
            self.share,
            self.cells,
            self.sides[0],
            self.sides[1],
            near.map(|times| count(near_free & times)).into_iter().sum(),
            count(far_free & far[2]),
        ];
        for (input, value) in inputs[FEATURES..].iter_mut().zip(more) {
            input[number] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            let places = places(size);
            let whole = inputs(&narrow, &places, free, prey, &moves);
            let split = inputs(&wide, &places, free.convert(), prey, &moves);
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
            let places = places(size);
            for symmetry in symmetries.iter() {
                let image = |cell: Cell| symmetries.cell(symmetry, cell);
                let free_image = free.into_iter().map(image).collect::<Cells<u64>>();
                for to in board.knight_moves(hunter) & free {
                    let here = inputs(&board, &places, free, prey, &[to; MOST_MOVES]);
                    let there = inputs(&board, &places, free_image, image(prey), &[image(to); MOST_MOVES]);
                    prop_assert_eq!(here, there, "{:?}", symmetry);
                }
            }
        }
    }
}
