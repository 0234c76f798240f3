//! How often a heuristic's choice keeps a win. No games are played: the positions are random, and
//! every move is solved.

use super::game::{game, random_opening};
use super::statistics::{Interval, mean};
use crate::analysis::{Analyst, with_solver};
use crate::game::board::Board;
use crate::game::cells::Word;
use crate::game::duel::Duel;
use crate::game::outcome::Value;
use crate::play::Random;
use crate::play::heuristics::{Heuristic, highest};
use crate::solve::{Control, Solver, Stopped, in_turns};

/// The accuracy of several heuristics, measured on the same positions.
#[derive(Clone, PartialEq, Debug)]
pub struct Measurement {
    /// The number of positions. If the work was stopped, it is smaller than the number wanted.
    pub positions: u64,
    /// The number of positions in which some move loses. Only these test a choice.
    pub with_choice: u64,
    /// The accuracy of a random move.
    pub random_move: Accuracy,
    /// The accuracy of each heuristic's choice.
    pub heuristics: Vec<(Heuristic, Accuracy)>,
}

/// The share of positions in which a choice keeps the win.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Accuracy {
    /// The share of all positions. `None` if there are none.
    pub of_all: Option<Interval>,
    /// The share of the positions in which some move loses. `None` if there are none.
    pub with_choice: Option<Interval>,
}

/// The fewest samples for which the mean is about normally distributed.
const FEWEST_FOR_NORMAL: usize = 30;

/// The mean of samples between 0 and 1, with its 95 % interval. `None` if there are no samples.
///
/// For few samples the interval comes from Hoeffding's inequality, which holds for any number of
/// them. It is wide: 43 points to either side for ten.
fn share(samples: &[f64]) -> Option<Interval> {
    let Interval { estimate, low, high } = match samples.len() {
        0 => return None,
        few if few < FEWEST_FOR_NORMAL => {
            let estimate = samples.iter().sum::<f64>() / few as f64;
            let half = ((2.0_f64 / 0.05).ln() / (2.0 * few as f64)).sqrt();
            Interval { estimate, low: estimate - half, high: estimate + half }
        }
        _ => mean(samples),
    };
    // Both may go beyond 0 and 1.
    Some(Interval { estimate, low: low.max(0.0), high: high.min(1.0) })
}

/// Measures heuristics on random positions with a winning move: a random number of random plies
/// after a random opening. Each heuristic chooses the move that leads to the position with its
/// highest score. If several moves tie, the sample is the share of them that win. Calls `done`
/// after each position.
///
/// If the control stops the work, the measurement is about the positions solved until then. Those
/// that were being solved are left out. They are often hard, so a short run leans towards easy
/// positions.
#[must_use]
pub fn measure(
    analyst: &Analyst,
    heuristics: &[Heuristic],
    positions: u64,
    seed: u64,
    control: &Control,
    done: impl Fn() + Sync,
) -> Measurement {
    with_solver!(analyst, solver => measure_in(solver, heuristics, positions, seed, control, done))
}

fn measure_in<W: Word>(
    solver: &Solver<W>,
    heuristics: &[Heuristic],
    positions: u64,
    seed: u64,
    control: &Control,
    done: impl Fn() + Sync,
) -> Measurement {
    let one = |number: usize| {
        let random = Random::new(seed.wrapping_mul(positions).wrapping_add(number as u64));
        let sample = sample(solver, heuristics, random, control).ok()?;
        done();
        Some(sample)
    };
    let samples: Vec<Vec<f64>> = solver.install(|| in_turns(positions as usize, one)).into_iter().flatten().collect();
    // If a random move always keeps the win, no move loses.
    let has_choice = |sample: &&Vec<f64>| sample[0] < 1.0;
    let column = |number: usize| Accuracy {
        of_all: share(&samples.iter().map(|sample| sample[number]).collect::<Vec<f64>>()),
        with_choice: share(&samples.iter().filter(has_choice).map(|sample| sample[number]).collect::<Vec<f64>>()),
    };
    let heuristics = heuristics.iter().enumerate().map(|(number, &heuristic)| (heuristic, column(number + 1))).collect();
    Measurement {
        positions: samples.len() as u64,
        with_choice: samples.iter().filter(has_choice).count() as u64,
        random_move: column(0),
        heuristics,
    }
}

/// In one random position: the chance that a random move keeps the win, then the same for each
/// heuristic's choice.
fn sample<W: Word>(
    solver: &Solver<W>,
    heuristics: &[Heuristic],
    mut random: Random,
    control: &Control,
) -> Result<Vec<f64>, Stopped> {
    let board = solver.board();
    loop {
        // A table answers without a look at the clock.
        if control.is_stopped() {
            return Err(Stopped);
        }
        let Some(duel) = random_duel(board, &mut random) else { continue };
        let mut moves: Vec<(Duel<W>, bool)> = Vec::new();
        for to in duel.moves(board) {
            let after = duel.play_unchecked(to);
            moves.push((after, solver.value(after, control)? == Value::Loss));
        }
        if moves.iter().all(|(_, wins)| !wins) {
            continue;
        }
        let chosen = |heuristic: &Heuristic| share_of_best(&moves, |after| heuristic.score_after(board, after));
        return Ok([share_of_best(&moves, |_| 0.0)].into_iter().chain(heuristics.iter().map(chosen)).collect());
    }
}

/// The share of winning moves among the moves with the highest score.
fn share_of_best<W: Word>(moves: &[(Duel<W>, bool)], score: impl Fn(Duel<W>) -> f64) -> f64 {
    let scores: Vec<f64> = moves.iter().map(|&(after, _)| score(after)).collect();
    let best: Vec<usize> = highest(&scores).collect();
    best.iter().filter(|&&place| moves[place].1).count() as f64 / best.len() as f64
}

/// A position that has a move, a random number of random plies after a random opening. `None` if
/// the game ends earlier.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_few_samples_has_a_wide_interval() {
        assert_eq!(share(&[]), None);
        assert_eq!(share(&[1.0]), Some(Interval { estimate: 1.0, low: 0.0, high: 1.0 }));
        // Hoeffding's inequality for ten samples: 0.4295 to either side.
        let ten = share(&[1.0, 1.0, 1.0, 1.0, 1.0, 0.9, 0.0, 0.0, 0.0, 0.0]).unwrap();
        assert!((ten.estimate - 0.59).abs() < 1e-9 && (ten.low - 0.1605).abs() < 1e-4 && ten.high == 1.0, "{ten:?}");
        // From thirty samples on, the normal approximation.
        let thirty: Vec<f64> = (0..30).map(|number| f64::from(number % 2)).collect();
        let share = share(&thirty).unwrap();
        assert_eq!(share, mean(&thirty));
        assert!(share.high - share.low < 0.4, "{share:?}");
    }
}
