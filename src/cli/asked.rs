//! The position that a command is about, as it stands on the command line.

use super::Failure;
use crate::game::notation::Written;

/// A position in one word or in several: quotes are not needed.
#[derive(clap::Args)]
pub(super) struct Asked {
    /// A board, a line of play or a position; needs no quotes
    #[arg(value_name = "POSITION", required = true, num_args = 1..)]
    position: Vec<String>,
}

impl Asked {
    /// Whether there is one. Only where the argument may be left out there need not be.
    pub(super) fn is_given(&self) -> bool {
        !self.position.is_empty()
    }

    /// The words with spaces between.
    pub(super) fn text(&self) -> String {
        self.position.join(" ")
    }

    /// The position, in the form in which it was written.
    pub(super) fn written(&self) -> Result<Written, Failure> {
        Ok(self.text().parse()?)
    }
}
