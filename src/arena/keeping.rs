//! How often a formula's choice keeps a win: no games, only positions of which every move's value is known.

use rayon::prelude::*;

use super::game::{game, random_opening};
use super::statistics::{Interval, mean};
use crate::board::Board;
use crate::cells::Word;
use crate::duel::Duel;
use crate::outcome::Value;
use crate::play::Random;
use crate::play::heuristics::{Heuristic, Side};
use crate::solve::{Control, Solver, Stopped};

/// What was measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Keeping {
    /// In how many of the positions some move loses: only there is there anything to choose.
    pub with_choice: u64,
    /// How often a random move keeps the win.
    pub by_chance: Kept,
    /// The same for each formula's choice.
    pub by_formula: Vec<(Heuristic, Kept)>,
}

/// In what share of positions a win was kept.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Kept {
    /// Of all.
    pub of_all: Interval,
    /// Of those in which some move loses; none if they are too few to tell.
    pub with_choice: Option<Interval>,
}

/// With fewer samples nothing is said of their mean.
const FEWEST: usize = 30;

/// Measures on so many random positions with a winning move: of a random opening, some random plies later. Each formula chooses the move after which it likes the position best; between equals
/// it chooses by lot, which counts as a fraction. `done` is told of each position.
///
/// # Errors
/// If the control stopped the work.
pub fn measure<W: Word>(
    solver: &Solver<W>,
    heuristics: &[Heuristic],
    positions: u64,
    seed: u64,
    control: &Control,
    done: impl Fn() + Sync,
) -> Result<Keeping, Stopped> {
    let one = |number: u64| {
        let sample = sample(solver, heuristics, Random::new(seed.wrapping_mul(positions).wrapping_add(number)), control);
        done();
        sample
    };
    let samples: Vec<Vec<f64>> = solver.install(|| (0..positions).into_par_iter().map(one).collect::<Result<_, Stopped>>())?;
    // Where a random move always keeps the win, every move does.
    let has_choice = |sample: &&Vec<f64>| sample[0] < 1.0;
    // The normal approximation does not know that shares end at 0 and 1.
    let share = |samples: Vec<f64>| {
        let interval = mean(&samples);
        Interval { low: interval.low.max(0.0), high: interval.high.min(1.0), ..interval }
    };
    let column = |number: usize| {
        let with_choice: Vec<f64> = samples.iter().filter(has_choice).map(|sample| sample[number]).collect();
        Kept {
            of_all: share(samples.iter().map(|sample| sample[number]).collect()),
            with_choice: (with_choice.len() >= FEWEST).then(|| share(with_choice)),
        }
    };
    let by_formula = heuristics.iter().enumerate().map(|(number, &heuristic)| (heuristic, column(number + 1))).collect();
    Ok(Keeping { with_choice: samples.iter().filter(has_choice).count() as u64, by_chance: column(0), by_formula })
}

/// The chances that a random move, and then each formula's choice, keeps the win in one random position.
fn sample<W: Word>(
    solver: &Solver<W>,
    heuristics: &[Heuristic],
    mut random: Random,
    control: &Control,
) -> Result<Vec<f64>, Stopped> {
    let board = solver.board();
    loop {
        let Some(duel) = random_duel(board, &mut random) else { continue };
        let mut moves: Vec<(Duel<W>, bool)> = Vec::new();
        for to in duel.moves(board) {
            let after = duel.play_unchecked(to);
            moves.push((after, solver.value(after, control)? == Value::Loss));
        }
        if moves.iter().all(|(_, wins)| !wins) {
            continue;
        }
        let chosen = |heuristic: &Heuristic| share_of_best(&moves, |after| score(board, *heuristic, after));
        return Ok([share_of_best(&moves, |_| 0.0)].into_iter().chain(heuristics.iter().map(chosen)).collect());
    }
}

/// What a formula gives a position to the player who has just moved there. That the opponent cannot move is seen by everybody.
fn score<W: Word>(board: &Board<W>, heuristic: Heuristic, after: Duel<W>) -> f64 {
    if after.moves(board).is_empty() { f64::INFINITY } else { heuristic.score(&Side::others(board, after)) }
}

/// The share of winning moves among those with the highest score.
fn share_of_best<W: Word>(moves: &[(Duel<W>, bool)], score: impl Fn(Duel<W>) -> f64) -> f64 {
    let scores: Vec<f64> = moves.iter().map(|&(after, _)| score(after)).collect();
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let best = || moves.iter().zip(&scores).filter(|(_, score)| **score == highest);
    best().filter(|((_, wins), _)| *wins).count() as f64 / best().count() as f64
}

/// A position with a move, a random number of random plies after a random opening: none if the game was over before.
fn random_duel<W: Word>(board: &Board<W>, random: &mut Random) -> Option<Duel<W>> {
    let opening = random_opening(board, random);
    let wanted = random.below(board.size().cells() / 2);
    let mut reached = None;
    game(board, opening, random, |plies, duel, moves| {
        reached = (plies == wanted && !moves.is_empty()).then_some(duel);
        moves.first().copied().filter(|_| plies < wanted)
    });
    reached
}
