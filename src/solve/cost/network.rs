//! The network: one hidden layer and two answers about each move, with integer weights.

use super::inputs::{INPUTS, Inputs};
use crate::solve::order::MOST_MOVES;

/// The number of hidden units.
pub(crate) const HIDDEN: usize = 16;

/// The integers that stand for 1 in the weights of the first layer, and of the second.
pub(crate) const FIRST_ONE: i32 = 1 << 10;
pub(crate) const SECOND_ONE: i32 = 1 << 10;
/// The integer that stands for one doubling in an answer.
pub(crate) const DOUBLING: i32 = 1 << 10;
/// A sum of the second layer is this many times the answer.
const SCALE: i64 = FIRST_ONE as i64 * SECOND_ONE as i64 / DOUBLING as i64;

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
/// integers. All numbers are still integers, of less than 24 bits in the first layer and less than
/// 53 in the second, so every sum is exact, in any order and on every machine.
#[repr(align(64))]
pub(super) struct Ready {
    first: [[f32; HIDDEN]; INPUTS],
    bias: [f32; HIDDEN],
    order: [f64; HIDDEN],
    cost: [f64; HIDDEN],
    cost_bias: i32,
}

impl From<&Network> for Ready {
    fn from(network: &Network) -> Self {
        Self {
            first: network.first.map(|weights| weights.map(f32::from)),
            bias: network.bias.map(|bias| bias as f32),
            order: network.order.map(f64::from),
            cost: network.cost.map(f64::from),
            cost_bias: network.cost_bias,
        }
    }
}

/// How many moves the network looks at together.
const AT_A_TIME: usize = 4;

const _: () = assert!(INPUTS.is_multiple_of(2) && MOST_MOVES.is_multiple_of(AT_A_TIME));

impl Ready {
    /// The answers about the first `len` moves.
    #[inline]
    pub(super) fn answers(&self, inputs: &Inputs, len: usize) -> Answers {
        let mut answers = Answers { order: [0; MOST_MOVES], cost: [0; MOST_MOVES] };
        let inputs = inputs.map(|input| input.map(|count| count as f32));
        // Four moves at a time, and two sums for each, keep the units for multiplication busy.
        for first in (0..len).step_by(AT_A_TIME) {
            let mut sums = [[self.bias, [0.0; HIDDEN]]; AT_A_TIME];
            for (inputs, weights) in inputs.as_chunks::<2>().0.iter().zip(self.first.as_chunks::<2>().0) {
                for (number, sums) in sums.iter_mut().enumerate() {
                    for part in 0..2 {
                        for (sum, &weight) in sums[part].iter_mut().zip(&weights[part]) {
                            *sum = multiply_add(inputs[part][first + number], weight, *sum);
                        }
                    }
                }
            }
            let hidden = sums.map(|[some, others]| std::array::from_fn::<f32, HIDDEN, _>(|unit| some[unit] + others[unit]));
            for (number, hidden) in hidden.iter().enumerate() {
                let units = hidden.map(|unit| f64::from(unit.max(0.0)));
                let answer = |weights: &[f64; HIDDEN]| {
                    (units.iter().zip(weights).map(|(unit, weight)| unit * weight).sum::<f64>() as i64 / SCALE) as i32
                };
                answers.order[first + number] = answer(&self.order);
                answers.cost[first + number] = answer(&self.cost) + self.cost_bias;
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

    /// The most that any input is: the cells of one colour.
    const MOST_INPUT: i64 = 64;

    /// On every board, the sums of the first layer are integers that are exact in floating point,
    /// and an answer fits into a number with room for the factor `MOST_MOVES`.
    #[test]
    fn all_sums_are_exact() {
        let mut second = [0_i64; 2];
        for unit in 0..HIDDEN {
            let weights: i64 = WEIGHTS.first.iter().map(|weights| i64::from(weights[unit]).abs()).sum();
            let bias = i64::from(WEIGHTS.bias[unit]).abs();
            assert!(weights * MOST_INPUT + bias < 1 << 24, "unit {unit}");
            let most = weights * MOST_INPUT + bias;
            second[0] += most * i64::from(WEIGHTS.order[unit]).abs();
            second[1] += most * i64::from(WEIGHTS.cost[unit]).abs();
        }
        let factor = MOST_MOVES as i64;
        assert!(second.into_iter().all(|most| most < 1 << 53 && most / SCALE * factor < 1 << 30), "{second:?}");
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
                let unit_is = i64::from((sum + WEIGHTS.bias[unit]).max(0));
                order += unit_is * i64::from(WEIGHTS.order[unit]);
                cost += unit_is * i64::from(WEIGHTS.cost[unit]);
            }
            assert_eq!(i64::from(answers.order[number]), order / SCALE);
            assert_eq!(i64::from(answers.cost[number]), cost / SCALE + i64::from(WEIGHTS.cost_bias));
        }
    }
}
