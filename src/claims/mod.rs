//! Published sentences about the game, and whether they are true.
//!
//! Each family of claims has its own file with a list of [`Claim`]s. A claim names its source, says
//! in our own words what was published and what exactly is examined, and holds a function that
//! examines it. Verdicts are computed, never written down.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod verdict;

mod examined;

mod context;

mod mirrors;

mod symmetric;

mod seven;

mod parity;

mod islands;

mod published;

mod measured;

pub use context::{Context, Unfinished};
pub use examined::{Examined, FINDINGS, finding};
pub use verdict::{Evidence, Judgement, PlayedLine, Reading, Verdict};

/// A published sentence about the game.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Its name on the command line.
    pub id: &'static str,
    /// The report that it comes from.
    pub source: &'static str,
    /// What it says, in one sentence that a reader understands without the others.
    pub says: &'static str,
    /// What the report says, in our words.
    pub published: &'static str,
    /// What is examined: the same, made precise, and for which boards.
    pub reading: &'static str,
    /// Whether it takes half a minute or more.
    pub long: bool,
    examine: fn(&Context<'_>) -> Result<Judgement, Unfinished>,
}

impl Claim {
    /// Finds out whether the claim is true.
    ///
    /// # Errors
    /// If the control stopped the work, or the system refuses threads or memory.
    pub fn examine(&self, context: &Context<'_>) -> Result<Judgement, Unfinished> {
        (self.examine)(context)
    }
}

/// All claims.
pub fn claims() -> impl Iterator<Item = &'static Claim> {
    let families =
        [mirrors::CLAIMS, symmetric::CLAIMS, seven::CLAIMS, parity::CLAIMS, islands::CLAIMS, published::CLAIMS, measured::CLAIMS];
    families.into_iter().flatten()
}

/// The claim with this name.
#[must_use]
pub fn claim(id: &str) -> Option<&'static Claim> {
    claims().find(|claim| claim.id == id)
}
