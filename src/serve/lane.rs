//! A lane: the part of the machine on which one search at a time runs.

use std::num::NonZero;
use std::sync::Arc;

use super::voice::Warnings;
use crate::analysis::{Analyst, Analysts, Questions};
use crate::game::board::Size;
use crate::game::cells::MAX_CELLS;
use crate::solve::{Settings, SolverError};
use crate::table::{Location, Tables};

/// The analysts of one lane.
///
/// They have three quarters of its memory. The rest is for players, which come and go.
pub(super) struct Lane {
    analysts: Analysts,
    places: Vec<Location>,
    whole: Settings,
    warnings: Arc<Warnings>,
}

impl Lane {
    /// The least memory with which a lane of this many threads can search on every board.
    pub(super) fn least_memory(threads: NonZero<usize>) -> u64 {
        let largest = Size::new(Size::MAX_SIDE, MAX_CELLS / Size::MAX_SIDE);
        largest.map_or(0, |size| Settings::least_memory(size, threads)).div_ceil(3) * 4
    }

    pub(super) fn new(places: Vec<Location>, whole: Settings, warnings: Arc<Warnings>) -> Self {
        Self { analysts: Analysts::new(places.clone(), Questions::Many), places, whole, warnings }
    }

    /// Forgets everything, after a panic in its analysts.
    pub(super) fn forget(&mut self) {
        self.analysts = Analysts::new(self.places.clone(), Questions::Many);
    }

    /// What a player may use.
    pub(super) fn for_players(&self) -> Settings {
        Settings { memory: self.whole.memory / 4, ..self.whole }
    }

    /// The tables of a board.
    pub(super) fn tables(&self, size: Size) -> Tables {
        let tables = Tables::open(size, &self.places);
        self.warnings.about(&tables);
        tables
    }

    /// The analyst for boards of this size.
    pub(super) fn analyst(&mut self, size: Size) -> Result<&Analyst, SolverError> {
        let settings = Settings { memory: self.whole.memory / 4 * 3, ..self.whole };
        let analyst = self.analysts.for_size(size, settings)?;
        self.warnings.about(analyst.tables());
        Ok(analyst)
    }
}
