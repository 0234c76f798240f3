//! Analysts for several boards, which share a fixed amount of memory.

use super::analyst::Analyst;
use crate::game::board::Size;
use crate::solve::{Settings, SolverError};
use crate::table::{Location, Tables};

/// How many questions are expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Questions {
    One,
    Many,
}

/// Analysts for several boards, which share the memory.
///
/// To make an analyst takes a few milliseconds, longer than most answers. So each board keeps its
/// own. One board has half of the memory: the first that is asked about, or the last that was asked
/// about many times in a row. The others have a small part each.
pub struct Analysts {
    places: Vec<Location>,
    questions: Questions,
    large: Option<Analyst>,
    /// Whether the large analyst has all the memory, because half of it would not suffice.
    alone: bool,
    /// The board that was asked about last is the last.
    small: Vec<Analyst>,
    /// The board that was asked about last, and how many times in a row.
    streak: Option<(Size, u32)>,
}

/// The most small analysts, which together have the other half of the memory.
const MOST_SMALL: usize = 32;

/// After this many questions in a row a board gets the large analyst.
const MANY_IN_A_ROW: u32 = 8;

impl Analysts {
    /// Analysts that look for tables in these places.
    #[must_use]
    pub fn new(places: Vec<Location>, questions: Questions) -> Self {
        Self { places, questions, large: None, alone: false, small: Vec::new(), streak: None }
    }

    /// The analyst for boards of this size. `whole` is what all analysts together may use.
    ///
    /// # Errors
    /// If the system refuses the threads or the memory.
    ///
    /// # Panics
    /// Never: the analyst that is returned was just made or found.
    pub fn for_size(&mut self, size: Size, whole: Settings) -> Result<&Analyst, SolverError> {
        let (half, small) = (part(whole, 2), part(whole, 2 * MOST_SMALL as u64));
        let in_a_row = self.streak.filter(|(last, _)| *last == size).map_or(1, |(_, times)| times + 1);
        self.streak = Some((size, in_a_row));
        let has_large = self.large.as_ref().is_some_and(|analyst| analyst.size() == size);
        let needs_large = self.large.is_none() || self.alone || in_a_row >= MANY_IN_A_ROW || !small.suffices_for(size);
        if has_large || needs_large {
            if !has_large {
                // First the memory is given back, then it is taken again.
                self.large = None;
                self.small.retain(|analyst| analyst.size() != size);
                self.alone = self.questions == Questions::One || !half.suffices_for(size);
                if self.alone {
                    self.small.clear();
                }
                self.large = Some(self.make(size, if self.alone { whole } else { half })?);
            }
            return Ok(self.large.as_ref().expect("it was made"));
        }
        let analyst = match self.small.iter().position(|analyst| analyst.size() == size) {
            Some(index) => self.small.remove(index),
            None => {
                if self.small.len() == MOST_SMALL {
                    self.small.remove(0);
                }
                self.make(size, small)?
            }
        };
        self.small.push(analyst);
        Ok(&self.small[self.small.len() - 1])
    }

    fn make(&self, size: Size, settings: Settings) -> Result<Analyst, SolverError> {
        Analyst::new(settings, &Tables::open(size, &self.places))
    }
}

/// A fraction of the memory: one of this many equal parts.
fn part(whole: Settings, parts: u64) -> Settings {
    Settings { memory: whole.memory / parts, ..whole }
}
