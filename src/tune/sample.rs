//! Positions that the search visits, with the cost of their moves.
//!
//! Each game leads to a position for a search: the hunter mostly plays its first move in order, and
//! the prey moves at random. The examples are positions of that search.

use std::ops::{Range, RangeInclusive};

use rayon::prelude::*;

use super::example::Example;
use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::{Duel, Part};
use crate::game::zobrist::split_mix;
use crate::solve::{Control, Stopped, move_costs, ordered, visited};

/// What to sample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sampling {
    /// The board.
    pub size: Size,
    /// The numbers of free cells.
    pub free: RangeInclusive<usize>,
    /// The numbers of the games. Each is independent of all others.
    pub games: Range<u64>,
    /// The same seed gives the same positions.
    pub seed: u64,
    /// The search is given up after this many nodes, and so is that of a move.
    pub nodes: u64,
}

/// Of this many moves, the hunter plays one at random.
const STRAYS: u64 = 6;
/// A position whose cheapest win takes no more nodes than this says little.
const TRIVIAL: u64 = 50;
/// The most attempts at one game.
const ATTEMPTS: u64 = 200;
/// The search begins with this many more free cells than the positions have.
const AHEAD: usize = 8;
/// How many positions a game gives for each number of free cells.
const EACH: usize = 16;

impl Sampling {
    /// The examples, in an order that depends on nothing but the sampling. Positions that are
    /// decided almost at once, or are not won within the nodes, are left out.
    ///
    /// # Errors
    /// If the control stopped the work. Its limits are only looked at between games.
    pub fn run(&self, control: &Control) -> Result<Vec<Example>, Stopped> {
        match self.size.fits::<u64>() {
            true => self.with_word::<u64>(control),
            false => self.with_word::<u128>(control),
        }
    }

    fn with_word<W: Word>(&self, control: &Control) -> Result<Vec<Example>, Stopped> {
        let board = Board::<W>::fitting(self.size);
        let examples = self.games.clone().into_par_iter().map(|number| match control.is_stopped() {
            true => Err(Stopped),
            false => Ok(self.examples(&board, number)),
        });
        Ok(examples.collect::<Result<Vec<_>, Stopped>>()?.into_iter().flatten().collect())
    }

    fn examples<W: Word>(&self, board: &Board<W>, number: u64) -> Vec<Example> {
        let stream = (self.size.files() * 16 + self.size.ranks()) as u64;
        let mut random = Random::new(self.seed, stream << 32 | number);
        let Some(game) = (0..ATTEMPTS).find_map(|_| self.game(board, &mut random)) else { return Vec::new() };
        let positions = visited(board, game, self.free.clone(), EACH, self.nodes, random.seed);
        let examples = positions.into_iter().map(|duel| {
            let moves = move_costs(board, duel, self.nodes);
            let duel = Duel { free: duel.free.convert(), mover: duel.mover, other: duel.other };
            Example { size: self.size, duel, moves }
        });
        examples.filter(|example| example.cheapest().is_some_and(|nodes| nodes > TRIVIAL)).collect()
    }

    /// A position at the hunter's turn, with as many free cells as the search begins with.
    fn game<W: Word>(&self, board: &Board<W>, random: &mut Random) -> Option<Duel<W>> {
        let cells = self.size.cells();
        let (mover, other) = (Cell::new(random.below(cells)), Cell::new(random.below(cells)));
        if mover == other {
            return None;
        }
        let mut duel = Duel { free: board.cells().without(mover).without(other), mover, other };
        loop {
            let hunters_turn = duel.part_of_mover(board) == Part::Hunter;
            if hunters_turn && duel.free.len() <= self.free.end().saturating_add(AHEAD) {
                return Some(duel);
            }
            let moves = if hunters_turn { ordered(board, duel) } else { self.open(board, duel).into_iter().collect() };
            let stray = !hunters_turn || random.below(STRAYS as usize) == 0;
            let to = moves.get(if stray { random.below(moves.len()) } else { 0 })?;
            duel = duel.play_unchecked(*to);
        }
    }

    /// The prey's moves that do not lose at once.
    fn open<W: Word>(&self, board: &Board<W>, duel: Duel<W>) -> Cells<W> {
        let hunters = duel.moves_of_other(board);
        let open = |to: &Cell| (board.knight_moves(*to) & duel.free).len() > 1;
        let loses = |to: &Cell| (board.knight_moves(*to) & duel.free).is_subset(hunters);
        duel.moves(board).into_iter().filter(|to| open(to) || !loses(to)).collect()
    }
}

/// Pseudorandom numbers, a stream of its own for each example.
pub(super) struct Random {
    seed: u64,
    drawn: u64,
}

impl Random {
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        Self { seed: split_mix(seed, 0) ^ stream.wrapping_mul(0xd134_2543_de82_ef95), drawn: 0 }
    }

    /// A number less than `end`, or 0 if there is none.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.drawn += 1;
        ((u128::from(split_mix(self.seed, self.drawn - 1)) * end as u128) >> 64) as usize
    }
}
