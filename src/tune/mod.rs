//! Where the numbers of the search's [network](crate::solve) come from: positions with the true
//! cost of every move, and the fit.
//!
//! The same seed gives the same examples, and the same examples give the same weights.

mod example;

mod sample;

mod fit;

pub use example::{Example, ExampleError};
pub use fit::{Fit, Report, source};
pub use sample::Sampling;
