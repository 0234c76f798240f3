//! Statistics of matches: pure functions of counts and samples.

use std::fmt;

/// An estimate with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The estimate itself.
    pub estimate: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The same interval in another unit.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { estimate: self.estimate * factor, low: self.low * factor, high: self.high * factor }
    }
}

/// `53.2 (50.1 to 56.3)`, with the number of decimals given by the format's precision.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(1);
        write!(f, "{:.decimals$} ({:.decimals$} to {:.decimals$})", self.estimate, self.low, self.high)
    }
}

/// The two-sided 95 % quantile of the normal distribution.
const Z: f64 = 1.959_964;

/// The share of successes among trials, with Wilson's score interval.
#[must_use]
pub fn share(successes: u64, trials: u64) -> Interval {
    if trials == 0 {
        return Interval { estimate: f64::NAN, low: 0.0, high: 1.0 };
    }
    let (n, p) = (trials as f64, successes as f64 / trials as f64);
    let spread = 1.0 + Z * Z / n;
    let middle = (p + Z * Z / (2.0 * n)) / spread;
    let half = Z / spread * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    // Rounding must not push the ends outside the range from 0 to 1.
    Interval { estimate: p, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
}

/// The mean of the distribution that the samples come from. It uses the normal approximation, so
/// take at least thirty samples.
#[must_use]
pub fn mean(samples: &[f64]) -> Interval {
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let variance = samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = Z * (variance / n).sqrt();
    Interval { estimate: mean, low: mean - half, high: mean + half }
}

/// The probability that a standard normal variable is
/// farther from zero than `z`, in either direction.
///
/// This is the complementary error function, computed by a series near zero and by a continued
/// fraction farther out (Abramowitz and Stegun, 7.1.6 and 7.1.14). It is good to ten digits.
#[must_use]
pub fn two_tailed(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let density = (-x * x).exp() / std::f64::consts::PI.sqrt();
    if x < 2.5 {
        let (mut term, mut sum) = (x, x);
        for n in 1..200 {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
        }
        1.0 - 2.0 * density * sum
    } else {
        let fraction = (1..80).rev().fold(0.0, |below, n| f64::from(n) / 2.0 / (x + below));
        density / (x + fraction)
    }
}

/// The two-proportion z-test, pooled and two-tailed. Returns z and the p-value: the probability of
/// a difference at least this large if there is none in truth. `None` if one side has no trials, or
/// if all trials of both sides have the same result.
#[must_use]
pub fn z_test((successes, trials): (u64, u64), (others_successes, others_trials): (u64, u64)) -> Option<(f64, f64)> {
    let (n, m) = (trials as f64, others_trials as f64);
    let pooled = (successes + others_successes) as f64 / (n + m);
    let error = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
    let z = (successes as f64 / n - others_successes as f64 / m) / error;
    z.is_finite().then(|| (z, two_tailed(z)))
}

/// The two-tailed z-test of one share against one half. Returns z and the p-value: the probability
/// of a difference at least this large if there is none in truth. `None` without trials.
#[must_use]
pub fn z_test_of_half(successes: u64, trials: u64) -> Option<(f64, f64)> {
    let n = trials as f64;
    let z = (successes as f64 - n / 2.0) / (n.sqrt() / 2.0);
    z.is_finite().then(|| (z, two_tailed(z)))
}

/// A difference with a p-value below this is called significant.
pub const SIGNIFICANT: f64 = 0.05;

/// The probability with which [`trials_to_tell`] lets a true difference be seen.
pub const POWER: f64 = 0.8;

/// The quantile of the normal distribution for [`POWER`].
const Z_POWER: f64 = 0.841_621;

/// How many trials each of two shares needs until [`z_test`] calls the difference between them
/// significant with the probability [`POWER`], if the true shares are these. `None` if they are
/// equal.
#[must_use]
pub fn trials_to_tell(share: f64, other: f64) -> Option<u64> {
    let pooled = (share + other) / 2.0;
    let if_equal = (2.0 * pooled * (1.0 - pooled)).sqrt();
    let in_truth = (share * (1.0 - share) + other * (1.0 - other)).sqrt();
    trials(share - other, if_equal, in_truth, Z_POWER)
}

/// The same for one share, until [`z_test_of_half`] tells it from one half.
#[must_use]
pub fn trials_to_tell_from_half(share: f64) -> Option<u64> {
    trials(share - 0.5, 0.5, (share * (1.0 - share)).sqrt(), Z_POWER)
}

/// The usual size of a sample for a two-sided test (Fleiss, *Statistical Methods for Rates and
/// Proportions*, 3.2).
///
/// After n trials the difference that is seen is normal around the true one. Its standard deviation
/// is `in_truth` / √n, and the test takes it to be `if_equal` / √n. It is significant beyond
/// Z · `if_equal` / √n. That happens with the wanted probability once the true difference lies
/// `z_power` · `in_truth` / √n further out: √n = (Z · `if_equal` + `z_power` · `in_truth`) /
/// difference. The other tail adds next to nothing.
fn trials(difference: f64, if_equal: f64, in_truth: f64, z_power: f64) -> Option<u64> {
    let trials = ((Z * if_equal + z_power * in_truth) / difference).powi(2).ceil();
    trials.is_finite().then_some(trials as u64)
}

/// The difference in Elo that a share of wins stands for. It is infinite for a share of 0 or 1.
#[must_use]
pub fn elo(share: Interval) -> Interval {
    let elo = |share: f64| 400.0 * (share / (1.0 - share)).log10();
    Interval { estimate: elo(share.estimate), low: elo(share.low), high: elo(share.high) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles of the normal distribution from the
    /// tables in Abramowitz and Stegun, 26.1 and 26.2.
    #[test]
    fn tails_match_the_published_tables() {
        for (z, tail) in [(0.0, 1.0), (0.674_489_750, 0.5), (1.959_963_985, 0.05), (2.575_829_304, 0.01), (3.290_526_731, 0.001)]
        {
            assert!((two_tailed(z) - tail).abs() < 1e-8, "{z}: {}", two_tailed(z));
            assert_eq!(two_tailed(z), two_tailed(-z));
        }
        // The two methods agree where they meet.
        assert!(
            (two_tailed(2.5 * std::f64::consts::SQRT_2 - 1e-9) / two_tailed(2.5 * std::f64::consts::SQRT_2 + 1e-9) - 1.0).abs()
                < 1e-6
        );
        assert!((two_tailed(6.0) / 1.973_175e-9 - 1.0).abs() < 1e-5);
    }

    #[test]
    fn z_tests_give_the_expected_values() {
        let (z, p) = z_test((60, 100), (50, 100)).unwrap();
        assert!((z - 1.421_338).abs() < 1e-5 && (p - 0.155_218).abs() < 1e-4, "{z} {p}");
        assert_eq!(z_test((0, 10), (0, 10)), None);
        assert_eq!(z_test((0, 0), (5, 10)), None);
        let (z, p) = z_test_of_half(60, 100).unwrap();
        assert!((z - 2.0).abs() < 1e-12 && (p - 0.045_500).abs() < 1e-6, "{z} {p}");
        assert_eq!(z_test_of_half(0, 0), None);
    }

    /// The example of `power.prop.test` in the documentation of R, and values computed elsewhere
    /// with exact quantiles (387.34 and 193.85). The last values follow from the test itself: the
    /// normal approximation of its power is at least 80 % with this many trials, and less with one
    /// fewer.
    #[test]
    fn sizes_of_samples_match_the_published_values() {
        let [p, q] = [0.5_f64, 0.75];
        let [if_equal, in_truth] = [(2.0 * 0.625 * 0.375_f64).sqrt(), (p * (1.0 - p) + q * (1.0 - q)).sqrt()];
        assert_eq!(trials(p - q, if_equal, in_truth, 1.281_552), Some(77), "R: n = 76.7 for a power of 90 %");
        assert_eq!((trials_to_tell(0.5, 0.6), trials_to_tell(0.6, 0.5)), (Some(388), Some(388)));
        assert_eq!((trials_to_tell_from_half(0.6), trials_to_tell_from_half(0.4)), (Some(194), Some(194)));
        assert_eq!((trials_to_tell(0.3, 0.3), trials_to_tell_from_half(0.5)), (None, None));
        assert_eq!(trials_to_tell_from_half(f64::NAN), None);
        for share in [0.51, 0.55, 0.6, 0.7, 0.9, 0.02] {
            let wanted = trials_to_tell_from_half(share).unwrap();
            let power = |n: u64| {
                let (n, error) = (n as f64, (share * (1.0 - share)).sqrt());
                let beyond = (((share - 0.5).abs() * n.sqrt() - Z * 0.5) / error).min(8.0);
                if beyond < 0.0 { two_tailed(beyond) / 2.0 } else { 1.0 - two_tailed(beyond) / 2.0 }
            };
            assert!(power(wanted) >= POWER - 1e-6 && power(wanted - 1) < POWER + 1e-6, "{share}: {wanted}");
            // A true difference is just significant in only half of the tournaments, so the number
            // that is named is larger than the number that can be enough.
            let just = (1..).find(|&n| z_test_of_half((share * n as f64).round() as u64, n).unwrap().1 < SIGNIFICANT);
            assert!(just.unwrap() < wanted, "{share}: {just:?} {wanted}");
        }
    }

    #[test]
    fn elo_of_three_quarters_is_191() {
        let interval = elo(share(75, 100));
        assert!((interval.estimate - 190.848).abs() < 1e-3 && interval.low < 120.0 && interval.high > 260.0, "{interval:?}");
        assert_eq!((elo(share(10, 10)).estimate, elo(share(0, 10)).low), (f64::INFINITY, f64::NEG_INFINITY));
    }

    /// Examples from Newcombe, *Two-sided confidence intervals for the single proportion* (1998),
    /// table I, method 3.
    #[test]
    fn wilson_intervals_match_the_published_examples() {
        let published = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)];
        for (successes, trials, low, high) in published {
            let interval = share(successes, trials);
            assert!(
                (interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5,
                "{successes}/{trials}: {interval:?}"
            );
        }
        assert_eq!((share(20, 20).high, share(0, 20).low), (1.0, 0.0));
    }

    #[test]
    fn the_interval_of_a_mean_follows_the_spread_of_the_samples() {
        let samples: Vec<f64> = (0..100).map(|n| f64::from(n % 2)).collect();
        let interval = mean(&samples);
        assert_eq!(interval.estimate, 0.5);
        assert!((interval.high - 0.5 - Z * (0.25 / 99.0_f64).sqrt()).abs() < 1e-12);
        assert_eq!(format!("{:.2}", interval.times(100.0)), "50.00 (40.15 to 59.85)");
    }
}
