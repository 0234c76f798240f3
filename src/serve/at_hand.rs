//! First answers: what is known of a position without a search.
//!
//! They are computed beside the lanes, so that no search delays them. A table answers in some ten
//! microseconds. On a large board with a knight to be placed it takes up to a tenth of a second to
//! go through all openings; that is done on other threads than those which serve the connections.

use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::elsewhere::Elsewhere;
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

/// The most answers of a kind that other threads compute at a time, and how long one may wait.
const MOST_ELSEWHERE: usize = 2;
const MOST_WAIT: Duration = Duration::from_secs(10);

/// The analysts that never search.
pub(super) struct AtHand {
    places: Vec<Location>,
    /// The board that was asked about last is the last.
    analysts: Mutex<Vec<Arc<Analyst>>>,
    /// For positions with both knights on the board, which take milliseconds at most.
    duels: Elsewhere,
    /// For whole boards, which take longer.
    pub(super) boards: Elsewhere,
    warnings: Arc<Warnings>,
}

impl AtHand {
    pub(super) fn new(places: Vec<Location>, warnings: Arc<Warnings>) -> Self {
        let elsewhere = || Elsewhere::new(MOST_ELSEWHERE, MOST_WAIT);
        Self { places, analysts: Mutex::default(), duels: elsewhere(), boards: elsewhere(), warnings }
    }

    /// What is known of a position without a search.
    pub(super) async fn look(self: &Arc<Self>, position: &Position) -> Result<Analysis, Fault> {
        let size = position.size();
        if size.cells() <= MOST_CELLS_AT_ONCE
            && let Some(analyst) = self.kept(size)
        {
            return Ok(self.look_with(&analyst, position));
        }
        let elsewhere = if position.is_duel() { &self.duels } else { &self.boards };
        let (this, position) = (Arc::clone(self), position.clone());
        elsewhere.run(move || Ok(this.look_with(&*this.analyst(size)?, &position))).await?
    }

    fn look_with(&self, analyst: &Analyst, position: &Position) -> Analysis {
        let stopped = Arc::new(Control::unlimited());
        stopped.stop();
        let analysis = analyst.analyse(position, Request::everything(), &stopped, |_| {});
        self.warnings.about(analyst.tables());
        analysis
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Analyst>>> {
        self.analysts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The analyst of a board, if it is kept.
    fn kept(&self, size: Size) -> Option<Arc<Analyst>> {
        let mut analysts = self.lock();
        let place = analysts.iter().position(|analyst| analyst.size() == size)?;
        analysts[place..].rotate_left(1);
        analysts.last().cloned()
    }

    fn analyst(&self, size: Size) -> Result<Arc<Analyst>, Fault> {
        if let Some(kept) = self.kept(size) {
            return Ok(kept);
        }
        // It is made without the lock, because that can take some milliseconds.
        let settings = Settings { threads: NonZero::<usize>::MIN, memory: 0 };
        let analyst = Arc::new(Analyst::new(settings, &Tables::open(size, &self.places))?);
        let mut analysts = self.lock();
        if analysts.len() >= MOST_BOARDS {
            analysts.remove(0);
        }
        analysts.push(Arc::clone(&analyst));
        Ok(analyst)
    }
}
