//! The fit of the network to examples.
//!
//! The network has two answers for a move. The first is the *cost* of the proof below it, in
//! doublings of nodes; it is fitted by least squares. The second is the *order* of the moves: a
//! softmax over it picks a move, and the expected cost of that move, relative to the cheapest one,
//! is made small. Both share the hidden layer. The fit works with floating point, the search with
//! the rounded weights.

use std::collections::BTreeMap;

use serde::Serialize;

use super::example::Example;
use super::sample::Random;
use crate::solve::Searched;
use crate::solve::cost::{DOUBLING, FIRST_ONE, HIDDEN, INPUTS, Network, SECOND_ONE, inputs_of_moves};

/// Examples for a step of the fit.
const BATCH: usize = 32;
/// Of this many blocks of examples, one is held out. Examples of one search are much alike, so one
/// of ten examples would show nothing.
const HELD_OUT: usize = 10;
/// The most examples of a block.
const BLOCK: usize = 100;
/// A move that costs more than this many times the cheapest one is no worse than that.
const MOST_RATIO: f32 = 16.0;
/// A losing move costs its own nodes, and then another move has to be searched.
const AFTER_A_LOSS: f64 = 1.3;
/// How much the cost counts beside the order.
const COST_SHARE: f32 = 0.15;
/// The step at the beginning. It shrinks to nothing.
const STEP: f32 = 3e-3;

/// The report puts this many numbers of free cells into a row.
const LEVELS: usize = 4;

/// A move of an example.
struct Row {
    inputs: [f32; INPUTS],
    /// The cost in doublings. If the search was given up, what it would be if the move lost there.
    cost: f32,
    given_up: bool,
    /// The cost as a multiple of the cheapest move's.
    ratio: f32,
}

/// An example as the fit sees it.
struct Case {
    size: String,
    free: usize,
    rows: Vec<Row>,
}

impl Case {
    fn new(example: &Example) -> Option<Self> {
        let cheapest = example.cheapest()? as f64;
        let moves: Vec<_> = example.moves.iter().map(|found| found.to).collect();
        let inputs = inputs_of_moves(example.size, example.duel, &moves);
        let rows = example.moves.iter().zip(inputs).map(|(found, inputs)| {
            let lost = if found.searched == Searched::Wins { 0.0 } else { AFTER_A_LOSS * cheapest };
            let cost = found.nodes as f64 + lost;
            Row {
                inputs: inputs.map(|input| input as f32),
                cost: cost.log2() as f32,
                given_up: found.searched == Searched::Unknown,
                ratio: ((cost / cheapest) as f32).min(MOST_RATIO),
            }
        });
        Some(Self { size: example.size.to_string(), free: example.duel.free.len(), rows: rows.collect() })
    }
}

/// All numbers of the network, as one list: first layer, its bias, order, cost, bias of the cost.
struct Numbers(Vec<f32>);

const BIAS: usize = INPUTS * HIDDEN;
const ORDER: usize = BIAS + HIDDEN;
const COST: usize = ORDER + HIDDEN;
const COST_BIAS: usize = COST + HIDDEN;
const NUMBERS: usize = COST_BIAS + 1;

impl Numbers {
    fn hidden(&self, inputs: &[f32; INPUTS]) -> [f32; HIDDEN] {
        let mut hidden = [0.0; HIDDEN];
        hidden.copy_from_slice(&self.0[BIAS..ORDER]);
        for (input, weights) in inputs.iter().zip(self.0.chunks_exact(HIDDEN)) {
            for (unit, weight) in hidden.iter_mut().zip(weights) {
                *unit += input * weight;
            }
        }
        hidden.map(|unit| unit.max(0.0))
    }

    fn answers(&self, hidden: &[f32; HIDDEN]) -> (f32, f32) {
        let sum = |from: usize| hidden.iter().zip(&self.0[from..from + HIDDEN]).map(|(unit, weight)| unit * weight).sum::<f32>();
        (sum(ORDER), sum(COST) + self.0[COST_BIAS])
    }

    /// Adds the gradient of a case, and returns its loss.
    fn learn(&self, case: &Case, gradient: &mut [f32]) -> f32 {
        let hidden: Vec<_> = case.rows.iter().map(|row| self.hidden(&row.inputs)).collect();
        let answers: Vec<_> = hidden.iter().map(|hidden| self.answers(hidden)).collect();
        let best = answers.iter().map(|answer| answer.0).fold(f32::INFINITY, f32::min);
        let odds: Vec<f32> = answers.iter().map(|answer| (best - answer.0).exp()).collect();
        let total: f32 = odds.iter().sum();
        let expected: f32 = odds.iter().zip(&case.rows).map(|(odds, row)| odds / total * row.ratio).sum();
        let mut loss = expected - 1.0;
        for (((row, hidden), answer), odds) in case.rows.iter().zip(&hidden).zip(&answers).zip(&odds) {
            // Less order, more odds.
            let by_order = odds / total * (expected - row.ratio);
            let error = answer.1 - row.cost;
            let error = if row.given_up { error.min(0.0) } else { error };
            // What costs little is chosen, so it has to be known best.
            let weight = COST_SHARE / row.ratio;
            loss += weight * error * error;
            let by_cost = 2.0 * weight * error;
            gradient[COST_BIAS] += by_cost;
            let mut by_unit = [0.0; HIDDEN];
            for unit in 0..HIDDEN {
                gradient[ORDER + unit] += by_order * hidden[unit];
                gradient[COST + unit] += by_cost * hidden[unit];
                let by = by_order * self.0[ORDER + unit] + by_cost * self.0[COST + unit];
                by_unit[unit] = if hidden[unit] > 0.0 { by } else { 0.0 };
                gradient[BIAS + unit] += by_unit[unit];
            }
            for (input, gradient) in row.inputs.iter().zip(gradient.chunks_exact_mut(HIDDEN)) {
                for (gradient, by) in gradient.iter_mut().zip(&by_unit) {
                    *gradient += input * by;
                }
            }
        }
        loss
    }
}

/// How well an order does on examples that were held out.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The board.
    pub size: String,
    /// The least and the greatest number of free cells.
    pub free: [usize; 2],
    /// The number of examples.
    pub examples: usize,
    /// The cost of the chosen move, as a multiple of the cheapest one's (at most 16), in the
    /// geometric mean: by the order of counts, by the network's order, and by its cost.
    pub chosen: [f64; 3],
    /// The error of the cost of the cheapest move, in doublings.
    pub error: f64,
}

/// A fit.
pub struct Fit {
    learnt: usize,
    held_out: Vec<Case>,
    mean: [f32; INPUTS],
    deviation: [f32; INPUTS],
    numbers: Numbers,
}

impl Fit {
    /// Fits a network to examples and goes through them this many times. `progress` receives the
    /// mean loss of each round. `None` if fewer than ten of the examples are won.
    #[must_use]
    pub fn new(examples: &[Example], rounds: usize, seed: u64, mut progress: impl FnMut(f32)) -> Option<Self> {
        let (mut cases, mut held_out) = (Vec::new(), Vec::new());
        let block = (examples.len() / HELD_OUT).clamp(1, BLOCK);
        for (number, case) in examples.iter().filter_map(Case::new).enumerate() {
            if number / block % HELD_OUT == HELD_OUT - 1 { held_out.push(case) } else { cases.push(case) }
        }
        if cases.len() + held_out.len() < HELD_OUT {
            return None;
        }
        let mut random = Random::new(seed, 0);
        let mut numbers = Numbers(vec![0.0; NUMBERS]);
        let mut uniform = |scale: f32| (random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0) * scale;
        for (index, number) in numbers.0.iter_mut().enumerate() {
            *number = match index {
                ..BIAS => uniform((3.0 / INPUTS as f32).sqrt()),
                ORDER..COST_BIAS => uniform((1.0 / HIDDEN as f32).sqrt()),
                COST_BIAS => 10.0,
                _ => 0.0,
            };
        }
        let (mean, deviation) = normalize(&mut cases);
        for row in held_out.iter_mut().flat_map(|case| &mut case.rows) {
            for (input, (mean, deviation)) in row.inputs.iter_mut().zip(mean.iter().zip(&deviation)) {
                *input = (*input - mean) / deviation;
            }
        }
        let (mut first, mut second) = (vec![0.0_f32; NUMBERS], vec![0.0_f32; NUMBERS]);
        let mut order: Vec<usize> = (0..cases.len()).collect();
        let steps = rounds * order.len().div_ceil(BATCH);
        let mut step = 0;
        for _ in 0..rounds {
            for last in (1..order.len()).rev() {
                order.swap(last, random.below(last + 1));
            }
            let mut loss = 0.0;
            for batch in order.chunks(BATCH) {
                let mut gradient = vec![0.0; NUMBERS];
                loss += batch.iter().map(|&case| numbers.learn(&cases[case], &mut gradient)).sum::<f32>();
                step += 1;
                let left = 1.0 - step as f32 / steps as f32;
                let rate = STEP * left.max(0.003);
                // Adam: steps in the direction of the mean gradient, in units of its deviation.
                let correction = [1.0 - 0.9_f32.powi(step.min(1000)), 1.0 - 0.999_f32.powi(step)];
                for (((number, gradient), first), second) in numbers.0.iter_mut().zip(&gradient).zip(&mut first).zip(&mut second)
                {
                    let gradient = gradient / batch.len() as f32;
                    *first += 0.1 * (gradient - *first);
                    *second += 0.001 * (gradient * gradient - *second);
                    *number -= rate * (*first / correction[0]) / ((*second / correction[1]).sqrt() + 1e-8);
                }
            }
            progress(loss / cases.len() as f32);
        }
        Some(Self { learnt: cases.len(), held_out, mean, deviation, numbers })
    }

    /// How many examples the fit learnt from, and how many were held out.
    #[must_use]
    pub fn examples(&self) -> [usize; 2] {
        [self.learnt, self.held_out.len()]
    }

    /// The network, with rounded weights.
    pub(crate) fn network(&self) -> Network {
        let numbers = &self.numbers.0;
        let rounded = |number: f32, one: i32| (number * one as f32).round().clamp(-32767.0, 32767.0) as i16;
        let mut bias: [f32; HIDDEN] = std::array::from_fn(|unit| numbers[BIAS + unit]);
        let first = std::array::from_fn(|input| {
            std::array::from_fn(|unit| {
                let weight = numbers[input * HIDDEN + unit] / self.deviation[input];
                bias[unit] -= weight * self.mean[input];
                rounded(weight, FIRST_ONE)
            })
        });
        Network {
            first,
            bias: bias.map(|bias| (bias * FIRST_ONE as f32).round() as i32),
            order: std::array::from_fn(|unit| rounded(numbers[ORDER + unit], SECOND_ONE)),
            cost: std::array::from_fn(|unit| rounded(numbers[COST + unit], SECOND_ONE)),
            cost_bias: (numbers[COST_BIAS] * DOUBLING as f32).round() as i32,
        }
    }

    /// How well the fit does on the examples that were held out.
    #[must_use]
    pub fn report(&self) -> Vec<Report> {
        let mut groups: BTreeMap<(String, usize), Vec<&Case>> = BTreeMap::new();
        for case in &self.held_out {
            groups.entry((case.size.clone(), case.free / LEVELS * LEVELS)).or_default().push(case);
        }
        let rows = groups.into_iter().map(|((size, from), cases)| {
            let (mut chosen, mut error) = ([0.0; 3], 0.0);
            for case in &cases {
                let answers: Vec<_> =
                    case.rows.iter().map(|row| self.numbers.answers(&self.numbers.hidden(&row.inputs))).collect();
                let least = |by: &dyn Fn(usize) -> f32| (0..answers.len()).min_by(|&a, &b| by(a).total_cmp(&by(b))).unwrap_or(0);
                let picked = [0, least(&|row| answers[row].0), least(&|row| answers[row].1)];
                for (chosen, row) in chosen.iter_mut().zip(picked) {
                    *chosen += f64::from(case.rows[row].ratio.ln());
                }
                let best = least(&|row| case.rows[row].cost);
                error += f64::from(answers[best].1 - case.rows[best].cost).powi(2);
            }
            let count = cases.len() as f64;
            Report {
                size,
                free: [from, from + LEVELS - 1],
                examples: cases.len(),
                chosen: chosen.map(|sum: f64| (sum / count).exp()),
                error: (error / count).sqrt(),
            }
        });
        rows.collect()
    }
}

/// Brings all inputs to mean 0 and deviation 1.
fn normalize(cases: &mut [Case]) -> ([f32; INPUTS], [f32; INPUTS]) {
    let (mut sums, mut squares, mut count) = ([0.0_f64; INPUTS], [0.0_f64; INPUTS], 0.0);
    for row in cases.iter().flat_map(|case| &case.rows) {
        count += 1.0;
        for (index, &input) in row.inputs.iter().enumerate() {
            sums[index] += f64::from(input);
            squares[index] += f64::from(input) * f64::from(input);
        }
    }
    let mean = sums.map(|sum| sum / f64::max(count, 1.0));
    let deviation: [f64; INPUTS] =
        std::array::from_fn(|index| (squares[index] / f64::max(count, 1.0) - mean[index] * mean[index]).max(0.01).sqrt());
    for row in cases.iter_mut().flat_map(|case| &mut case.rows) {
        for (index, input) in row.inputs.iter_mut().enumerate() {
            *input = (*input - mean[index] as f32) / deviation[index] as f32;
        }
    }
    (mean.map(|mean| mean as f32), deviation.map(|deviation| deviation as f32))
}

/// The weights as source code: the module `solve::cost::weights`.
#[must_use]
pub fn source(fit: &Fit) -> String {
    let network = fit.network();
    let first: String = network.first.iter().map(|weights| format!("        [{}        ],\n", lines(weights, 12))).collect();
    format!(
        "//! The weights of the network, written by `isolde tune fit` (scripts/tune).

use super::network::Network;

#[rustfmt::skip]
pub(super) static WEIGHTS: Network = Network {{
    first: [
{first}    ],
    bias: [{}    ],
    order: [{}    ],
    cost: [{}    ],
    cost_bias: {},
}};
",
        lines(&network.bias, 8),
        lines(&network.order, 8),
        lines(&network.cost, 8),
        network.cost_bias,
    )
}

/// Numbers in lines that are short enough to read.
fn lines(numbers: &[impl ToString], indent: usize) -> String {
    let line = |numbers: &[_]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let lines = numbers.chunks(12).map(|numbers| format!("\n{}{},", " ".repeat(indent), line(numbers)));
    lines.collect::<String>() + "\n"
}
