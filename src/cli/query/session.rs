//! A series of questions: the analysts that answer them, and warnings, each given once.

use std::collections::HashSet;
use std::sync::Arc;

use super::Args;
use crate::analysis::{Analysis, Analysts, Questions, Request};
use crate::cli::{Failure, live, output};
use crate::game::notation::Written;
use crate::solve::Control;
use crate::table::Location;

pub(super) struct Session<'a> {
    args: &'a Args,
    analysts: Analysts,
    /// Warnings that have been given: once is enough.
    warned: HashSet<String>,
}

impl<'a> Session<'a> {
    pub(super) fn new(args: &'a Args, places: Vec<Location>, questions: Questions) -> Self {
        Self { args, analysts: Analysts::new(places, questions), warned: HashSet::new() }
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
        let size = asked.position().size();
        let analyst = self.analysts.for_size(size, self.args.limits.settings(size)?)?;
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
}
