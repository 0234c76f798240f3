//! What a server says while it runs. Somebody else prints it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::table::Tables;

/// What a server says while it runs.
#[derive(Clone, Copy, Debug)]
pub enum Said<'a> {
    /// A request was answered: one line for a log.
    Request(&'a str),
    /// Something is wrong that does not stop the server, such as a damaged table.
    Warning(&'a str),
}

/// Receives what a server says.
pub type Voice = Arc<dyn Fn(Said<'_>) + Send + Sync>;

/// Warnings, each given once.
pub(super) struct Warnings {
    voice: Voice,
    given: Mutex<HashSet<String>>,
}

impl Warnings {
    pub(super) fn new(voice: Voice) -> Self {
        Self { voice, given: Mutex::default() }
    }

    /// Says which tables cannot be used.
    pub(super) fn about(&self, tables: &Tables) {
        for fault in tables.take_faults() {
            let sentence = fault.to_string();
            if self.given.lock().unwrap_or_else(PoisonError::into_inner).insert(sentence.clone()) {
                (self.voice)(Said::Warning(&sentence));
            }
        }
    }
}
