//! An analysis with its JSON, written once for everybody who asks.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;

use super::answer;
use crate::analysis::Analysis;

/// An analysis and its JSON.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) analysis: Analysis,
    json: Bytes,
}

impl Found {
    pub(super) fn new(analysis: Analysis) -> Arc<Self> {
        let json = answer::bytes(&analysis);
        Arc::new(Self { analysis, json })
    }

    /// The answer to a question that was asked in these words: the same JSON as that of
    /// [`Answer`](crate::analysis::Answer). The analysis is already written, so only the words are
    /// put before it.
    pub(super) fn to(&self, asked: &str) -> Bytes {
        let asked = serde_json::to_string(asked).unwrap_or_default();
        [b"{\"asked\":", asked.as_bytes(), b",", &self.json[1..]].concat().into()
    }

    /// Whether somebody who saw `before` learns something new: more than how long it took.
    pub(super) fn is_news(analysis: &Analysis, before: &Analysis) -> bool {
        analysis.known != before.known
            || analysis.moves != before.moves
            || analysis.line != before.line
            || (analysis.line_complete, analysis.line_optimal) != (before.line_complete, before.line_optimal)
    }
}

/// The most answers that are kept, and the most bytes of their JSON.
const MOST_KEPT: usize = 4096;
const MOST_BYTES: usize = 16 << 20;

/// Complete answers, the latest ones.
pub(super) struct Kept {
    /// An answer is complete if a search of this time would add nothing.
    time: Duration,
    store: Mutex<Store>,
}

#[derive(Default)]
struct Store {
    answers: HashMap<String, Arc<Found>>,
    /// The oldest first.
    order: VecDeque<String>,
    bytes: usize,
}

impl Kept {
    pub(super) fn new(time: Duration) -> Self {
        Self { time, store: Mutex::default() }
    }

    /// The answer about a position, given as a diagram.
    pub(super) fn get(&self, position: &str) -> Option<Arc<Found>> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner).answers.get(position).cloned()
    }

    /// Keeps an answer about a position, if it is complete.
    pub(super) fn offer(&self, position: &str, found: &Arc<Found>) {
        if !found.analysis.is_complete_within(self.time) {
            return;
        }
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if store.answers.contains_key(position) {
            return;
        }
        store.answers.insert(position.to_string(), Arc::clone(found));
        store.order.push_back(position.to_string());
        store.bytes += found.json.len();
        while store.order.len() > MOST_KEPT || store.bytes > MOST_BYTES {
            let Some(oldest) = store.order.pop_front() else { break };
            if let Some(found) = store.answers.remove(&oldest) {
                store.bytes -= found.json.len();
            }
        }
    }
}
