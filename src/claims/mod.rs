//! Sentences about the game that people have published or tell each other, and whether they are true.
//!
//! A [`Claim`] is a value in the list of its family, with a function that examines it. Verdicts are computed, never written down. What a claim says is told in this
//! project's own words; `source` names the report that it comes from.

// In the order of their layers: each uses only those above it. The empty lines keep them so.
mod verdict;

mod examiner;

mod mirrors;

mod symmetric;

mod seven;

mod parity;

mod islands;

mod published;

mod measured;

pub use examiner::{Examiner, Unfinished};
pub use verdict::{Evidence, Judgement, PlayedLine, Reading, TrueOutcome, Verdict};

/// A sentence about the game.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The name by which it is asked for.
    pub id: &'static str,
    /// The report that it comes from.
    pub source: &'static str,
    /// What it says there, in our words.
    pub published: &'static str,
    /// What is examined: the same, precisely, and for which boards.
    pub reading: &'static str,
    /// Whether it takes more than some seconds.
    pub long: bool,
    examine: fn(&Examiner<'_>) -> Result<Judgement, Unfinished>,
}

impl Claim {
    /// Finds out whether it is true.
    ///
    /// # Errors
    /// If a limit ran out, or the machine does not give what the work needs.
    pub fn examine(&self, examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
        (self.examine)(examiner)
    }
}

/// All claims.
pub fn claims() -> impl Iterator<Item = &'static Claim> {
    let families =
        [mirrors::CLAIMS, symmetric::CLAIMS, seven::CLAIMS, parity::CLAIMS, islands::CLAIMS, published::CLAIMS, measured::CLAIMS];
    families.into_iter().flatten()
}

/// The claim of this name.
#[must_use]
pub fn claim(id: &str) -> Option<&'static Claim> {
    claims().find(|claim| claim.id == id)
}
