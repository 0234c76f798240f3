//! First answers: what is known of a position without a search.
//!
//! They are computed beside the lanes, so that no search delays them. A table answers in some ten
//! microseconds. On a large board with a knight to be placed it takes up to a tenth of a second to
//! go through all openings; that is done on other threads than those which serve the connections.

use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;

use super::fault::Fault;
use super::voice::Warnings;
use crate::analysis::{Analysis, Analyst, Request};
use crate::game::board::Size;
use crate::game::position::Position;
use crate::solve::{Control, Settings};
use crate::table::{Location, Tables};

/// Up to this many cells an answer takes less than a millisecond, and most take far less: handing
/// it to another thread would take longer.
const MOST_CELLS_AT_ONCE: usize = 30;

/// The most boards whose analysts are kept. Each has a thread, which sleeps, and up to 1 MiB.
const MOST_BOARDS: usize = 32;

/// The most answers that other threads compute at a time.
const MOST_ELSEWHERE: usize = 2;

/// The analysts that never search.
pub(super) struct AtHand {
    places: Vec<Location>,
    /// The board that was asked about last is the last.
    analysts: Mutex<Vec<Arc<Analyst>>>,
    elsewhere: Semaphore,
    warnings: Arc<Warnings>,
}

impl AtHand {
    pub(super) fn new(places: Vec<Location>, warnings: Arc<Warnings>) -> Self {
        Self { places, analysts: Mutex::default(), elsewhere: Semaphore::new(MOST_ELSEWHERE), warnings }
    }

    /// What is known of a position without a search.
    pub(super) async fn look(self: &Arc<Self>, position: &Position) -> Result<Analysis, Fault> {
        if position.size().cells() <= MOST_CELLS_AT_ONCE {
            return self.look_now(position);
        }
        let _turn = self.elsewhere.acquire().await.map_err(|_| Fault::stopping())?;
        let (this, position) = (Arc::clone(self), position.clone());
        tokio::task::spawn_blocking(move || this.look_now(&position)).await.map_err(|_| Fault::internal())?
    }

    fn look_now(&self, position: &Position) -> Result<Analysis, Fault> {
        let analyst = self.analyst(position.size())?;
        let stopped = Arc::new(Control::unlimited());
        stopped.stop();
        let analysis = analyst.analyse(position, Request::everything(), &stopped, |_| {});
        self.warnings.about(analyst.tables());
        Ok(analysis)
    }

    fn analyst(&self, size: Size) -> Result<Arc<Analyst>, Fault> {
        let lock = || self.analysts.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut analysts = lock();
            if let Some(place) = analysts.iter().position(|analyst| analyst.size() == size) {
                analysts[place..].rotate_left(1);
                return Ok(Arc::clone(&analysts[analysts.len() - 1]));
            }
        }
        // It is made without the lock, because that can take some milliseconds.
        let settings = Settings { threads: NonZero::<usize>::MIN, memory: 0 };
        let analyst = Arc::new(Analyst::new(settings, &Tables::open(size, &self.places))?);
        let mut analysts = lock();
        if analysts.len() >= MOST_BOARDS {
            analysts.remove(0);
        }
        analysts.push(Arc::clone(&analyst));
        Ok(analyst)
    }
}
