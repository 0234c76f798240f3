//! The network: one hidden layer and two answers about each move, with integer weights.

use crate::solve::order::MOST_MOVES;

/// The number of inputs.
pub(crate) const INPUTS: usize = 54;
/// The number of hidden units.
pub(crate) const HIDDEN: usize = 32;

/// The integers that stand for 1 in the weights of the first layer, and of the second.
pub(crate) const FIRST_ONE: i32 = 1 << 10;
pub(crate) const SECOND_ONE: i32 = 1 << 10;
/// The hidden units are shifted right by this many bits, so that answers have room for a factor.
const HIDDEN_SHIFT: u32 = 4;
/// The integer that stands for one doubling in an answer.
pub(crate) const DOUBLING: i32 = 1 << 10;

/// The inputs of all moves of a position: for each input, its values for the moves.
pub(super) type Inputs = [[i32; MOST_MOVES]; INPUTS];

/// The weights, as they are written down.
pub(crate) struct Network {
    /// From each input to the hidden units.
    pub(crate) first: [[i16; HIDDEN]; INPUTS],
    /// What is added to each hidden unit.
    pub(crate) bias: [i32; HIDDEN],
    /// From the hidden units to the two answers.
    pub(crate) order: [i16; HIDDEN],
    pub(crate) cost: [i16; HIDDEN],
    /// What is added to the cost.
    pub(crate) cost_bias: i32,
}

/// What the network says about the moves of a position.
#[derive(Clone, Copy)]
pub(in crate::solve) struct Answers {
    /// The move with the least number is to be tried first.
    pub(in crate::solve) order: [i32; MOST_MOVES],
    /// The expected cost of the proof after each move, in [doublings](DOUBLING).
    pub(in crate::solve) cost: [i32; MOST_MOVES],
}

/// The same network, ready for vector units. They multiply floating-point numbers faster than
/// integers. All numbers are still integers of less than 24 bits, so every sum is exact, on every
/// machine.
#[repr(align(64))]
pub(super) struct Ready {
    first: [[f32; HIDDEN]; INPUTS],
    bias: [f32; HIDDEN],
    order: [i64; HIDDEN],
    cost: [i64; HIDDEN],
    cost_bias: i32,
}

impl From<&Network> for Ready {
    fn from(network: &Network) -> Self {
        Self {
            first: network.first.map(|weights| weights.map(f32::from)),
            bias: network.bias.map(|bias| bias as f32),
            order: network.order.map(i64::from),
            cost: network.cost.map(i64::from),
            cost_bias: network.cost_bias,
        }
    }
}

impl Ready {
    /// The answers about the first `len` moves.
    #[inline]
    pub(super) fn answers(&self, inputs: &Inputs, len: usize) -> Answers {
        let mut answers = Answers { order: [0; MOST_MOVES], cost: [0; MOST_MOVES] };
        // Two moves at a time keep the units for multiplication busy. The last pair begins at 6.
        for first in (0..len.min(MOST_MOVES - 1)).step_by(2) {
            let mut hidden = [self.bias; 2];
            for (input, weights) in inputs.iter().zip(&self.first) {
                for (units, input) in hidden.iter_mut().zip([input[first] as f32, input[first + 1] as f32]) {
                    for (unit, &weight) in units.iter_mut().zip(weights) {
                        *unit = multiply_add(input, weight, *unit);
                    }
                }
            }
            for (number, hidden) in hidden.iter().enumerate() {
                let (mut order, mut cost) = (0, 0);
                for (unit, (&to_order, &to_cost)) in hidden.iter().zip(self.order.iter().zip(&self.cost)) {
                    let unit = i64::from((*unit as i32).max(0) >> HIDDEN_SHIFT);
                    order += unit * to_order;
                    cost += unit * to_cost;
                }
                let scale = i64::from((FIRST_ONE >> HIDDEN_SHIFT) * SECOND_ONE / DOUBLING);
                answers.order[first + number] = (order / scale) as i32;
                answers.cost[first + number] = (cost / scale) as i32 + self.cost_bias;
            }
        }
        answers
    }
}

/// `a × b + c`. All three are integers, and so are the product and the sum, so nothing is rounded
/// in one step or in two.
#[inline(always)]
fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}

#[cfg(test)]
mod tests {
    use super::super::weights::WEIGHTS;
    use super::*;

    /// The most that any input is: the sum of neighbours, at most four for each cell of one colour.
    const MOST_INPUT: i64 = 256;
    /// All other inputs are at most the number of cells of one colour or of the board.
    const USUAL: i64 = 64;

    /// On every board, the sums of the first layer are integers that are exact in floating point,
    /// and an answer fits into a number with room for the factor `MOST_MOVES`.
    #[test]
    fn all_sums_are_exact() {
        let mut second = [0_i64; 2];
        for unit in 0..HIDDEN {
            let weights: i64 = WEIGHTS.first.iter().map(|weights| i64::from(weights[unit]).abs()).sum();
            let bias = i64::from(WEIGHTS.bias[unit]).abs();
            assert!(weights * MOST_INPUT + bias < 1 << 24, "unit {unit}");
            let most = (weights * USUAL + bias) >> HIDDEN_SHIFT;
            second[0] += most * i64::from(WEIGHTS.order[unit]).abs();
            second[1] += most * i64::from(WEIGHTS.cost[unit]).abs();
        }
        let scale = i64::from((FIRST_ONE >> HIDDEN_SHIFT) * SECOND_ONE / DOUBLING);
        let factor = MOST_MOVES as i64;
        assert!(second.into_iter().all(|most| most / scale * factor < 1 << 30), "{second:?}");
    }

    /// The vector units find the same answers as plain integers do.
    #[test]
    fn answers_are_those_of_integers() {
        let ready = Ready::from(&WEIGHTS);
        let mut state = 1_u32;
        let mut inputs = [[0; MOST_MOVES]; INPUTS];
        for input in inputs.iter_mut().flatten() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *input = (state >> 27) as i32;
        }
        let answers = ready.answers(&inputs, MOST_MOVES);
        for number in 0..MOST_MOVES {
            let (mut order, mut cost) = (0_i64, 0_i64);
            for unit in 0..HIDDEN {
                let sum = inputs
                    .iter()
                    .zip(&WEIGHTS.first)
                    .map(|(input, weights)| input[number] * i32::from(weights[unit]))
                    .sum::<i32>();
                let unit_is = i64::from((sum + WEIGHTS.bias[unit]).max(0) >> HIDDEN_SHIFT);
                order += unit_is * i64::from(WEIGHTS.order[unit]);
                cost += unit_is * i64::from(WEIGHTS.cost[unit]);
            }
            let scale = i64::from((FIRST_ONE >> HIDDEN_SHIFT) * SECOND_ONE / DOUBLING);
            assert_eq!(i64::from(answers.order[number]), order / scale);
            assert_eq!(i64::from(answers.cost[number]), cost / scale + i64::from(WEIGHTS.cost_bias));
        }
    }
}
