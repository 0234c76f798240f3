//! A second, naive telling of the rules, and generators of random positions.
//!
//! The oracle knows no bits, no masks and nothing of `src`: cells are coordinates, boards are grids
//! of yes and no, and everything is looked up the slow way. What it says is compared with the
//! program; it is never called by it.
#![allow(dead_code, unreachable_pub)]

pub mod generators;
pub mod naive;
pub mod oracle;
#[cfg(target_os = "linux")]
pub mod signals;
pub mod skipped;
pub mod tables;

/// A folder that is gone when the test is.
pub fn folder() -> tempfile::TempDir {
    tempfile::TempDir::new().expect("a folder for a test")
}
