//! The analysts of the boards that are asked about.

use std::collections::HashSet;
use std::sync::Arc;

use super::Args;
use crate::analysis::{Analysis, Analyst, Request};
use crate::cli::{Failure, live, output};
use crate::game::board::Size;
use crate::game::notation::Written;
use crate::solve::{Control, Settings};
use crate::table::{Location, Tables};

/// How many questions are expected.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Questions {
    One,
    Many,
}

/// Analysts for several boards, which share `--memory`.
///
/// To make an analyst takes a few milliseconds, longer than most answers. So each board keeps its
/// own. One board has half of the memory: the first that is asked about, or the last that was asked
/// about many times in a row. The others have a small part each.
pub(super) struct Session<'a> {
    args: &'a Args,
    folders: Vec<Location>,
    questions: Questions,
    large: Option<Analyst>,
    /// Whether the large analyst has all the memory, because half of it would not suffice.
    alone: bool,
    /// The board that was asked about last is the last.
    small: Vec<Analyst>,
    /// The board that was asked about last, and how many times in a row.
    streak: Option<(Size, u32)>,
    /// Warnings that have been given: once is enough.
    warned: HashSet<String>,
}

/// The most small analysts, which together have the other half of the memory.
const MOST_SMALL: usize = 32;

/// After this many questions in a row a board gets the large analyst.
const MANY_IN_A_ROW: u32 = 8;

impl<'a> Session<'a> {
    pub(super) fn new(args: &'a Args, folders: Vec<Location>, questions: Questions) -> Self {
        let (large, alone, small, streak, warned) = (None, false, Vec::new(), None, HashSet::new());
        Self { args, folders, questions, large, alone, small, streak, warned }
    }

    /// The answer about a position, shown while it improves if that is wanted. Warnings about
    /// tables go to standard error.
    pub(super) fn analyse(
        &mut self,
        asked: &Written,
        request: Request,
        control: &Arc<Control>,
        shown: live::Shown,
    ) -> Result<Analysis, Failure> {
        let analyst = self.analyst(asked.position().size())?;
        let analysis = live::analyse(analyst, asked, request, control, shown);
        let tables = analyst.tables().clone();
        for fault in tables.take_faults() {
            self.say_once(output::warning, fault.to_string());
        }
        if let Some(sentence) = self.args.folders.hint(&tables, analysis.seconds) {
            self.say_once(output::hint, sentence);
        }
        Ok(analysis)
    }

    fn say_once(&mut self, say: fn(&str), sentence: String) {
        if !self.warned.contains(&sentence) {
            say(&sentence);
            self.warned.insert(sentence);
        }
    }

    fn analyst(&mut self, size: Size) -> Result<&Analyst, Failure> {
        let whole = self.args.limits.settings(size)?;
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

    fn make(&self, size: Size, settings: Settings) -> Result<Analyst, Failure> {
        Ok(Analyst::new(settings, &Tables::open(size, &self.folders))?)
    }
}

/// One of so many equal parts of the memory.
fn part(whole: Settings, parts: u64) -> Settings {
    Settings { memory: whole.memory / parts, ..whole }
}
