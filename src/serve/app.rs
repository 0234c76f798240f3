//! What all requests share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use tokio::sync::{OnceCell, Semaphore};

use super::at_hand::AtHand;
use super::elsewhere::Elsewhere;
use super::host::Hosts;
use super::lanes::Lanes;
use super::metrics::Metrics;
use super::questions::Questions;
use super::settings::Settings;
use super::voice::Voice;
use crate::game::board::Size;

/// What all requests share.
pub(super) struct App {
    pub(super) settings: Settings,
    pub(super) hosts: Hosts,
    pub(super) lanes: Arc<Lanes>,
    pub(super) questions: Arc<Questions>,
    pub(super) metrics: Arc<Metrics>,
    pub(super) voice: Voice,
    pub(super) prepared: Prepared,
    pub(super) at_hand: Arc<AtHand>,
    /// A place for each large body that may be received at a time.
    pub(super) files: Arc<Semaphore>,
    /// One file of games is read at a time: its games take several times as much memory as the
    /// file.
    pub(super) parsing: Elsewhere,
}

/// The most large bodies that are received at a time.
pub(super) const MOST_FILES: usize = 8;

/// The most boards whose openings are kept.
const MOST_BOARDS: usize = 64;

/// Answers that stay the same as long as the server runs: tables are opened once.
#[derive(Default)]
pub(super) struct Prepared {
    pub(super) boards: OnceCell<Bytes>,
    pub(super) tables: OnceCell<Bytes>,
    /// All openings of a board.
    openings: Mutex<HashMap<Size, Bytes>>,
}

impl Prepared {
    /// The openings of a board, if they have been found.
    pub(super) fn openings(&self, size: Size) -> Option<Bytes> {
        self.openings.lock().unwrap_or_else(PoisonError::into_inner).get(&size).cloned()
    }

    /// Keeps the openings of a board, if there is room.
    pub(super) fn keep_openings(&self, size: Size, answer: &Bytes) {
        let mut openings = self.openings.lock().unwrap_or_else(PoisonError::into_inner);
        if openings.len() < MOST_BOARDS {
            openings.insert(size, answer.clone());
        }
    }
}
