//! Numbers about matches: pure functions of counts and samples.

use std::fmt;

/// Where a quantity lies, with 95 % confidence.
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
    /// The same in another unit.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { estimate: self.estimate * factor, low: self.low * factor, high: self.high * factor }
    }
}

/// `53.2 (50.1 to 56.3)`, with as many decimals as are asked for.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(1);
        write!(f, "{:.decimals$} ({:.decimals$} to {:.decimals$})", self.estimate, self.low, self.high)
    }
}

/// The normal distribution's quantile for 95 %, two-sided.
const Z: f64 = 1.959_964;

/// The share of so many successes among so many trials: Wilson's score interval.
#[must_use]
pub fn share(successes: u64, trials: u64) -> Interval {
    if trials == 0 {
        return Interval { estimate: f64::NAN, low: 0.0, high: 1.0 };
    }
    let (n, p) = (trials as f64, successes as f64 / trials as f64);
    let spread = 1.0 + Z * Z / n;
    let middle = (p + Z * Z / (2.0 * n)) / spread;
    let half = Z / spread * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    // At the ends rounding must not leave the range of shares.
    Interval { estimate: p, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
}

/// The mean of what these samples are drawn from, for thirty samples or more: the normal approximation.
#[must_use]
pub fn mean(samples: &[f64]) -> Interval {
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let variance = samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = Z * (variance / n).sqrt();
    Interval { estimate: mean, low: mean - half, high: mean + half }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of Newcombe, *Two-sided confidence intervals for the single proportion* (1998), table I, method 3.
    #[test]
    fn shares_are_those_that_were_published() {
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
    fn a_mean_has_the_spread_of_its_samples() {
        let samples: Vec<f64> = (0..100).map(|n| f64::from(n % 2)).collect();
        let interval = mean(&samples);
        assert_eq!(interval.estimate, 0.5);
        assert!((interval.high - 0.5 - Z * (0.25 / 99.0_f64).sqrt()).abs() < 1e-12);
        assert_eq!(format!("{:.2}", interval.times(100.0)), "50.00 (40.15 to 59.85)");
    }
}
