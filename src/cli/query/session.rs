//! The analyst for the board that was asked about last.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::Args;
use crate::analysis::{Analysis, Analyst, Request};
use crate::cli::{Failure, live, output};
use crate::game::position::Position;
use crate::solve::Control;
use crate::table::Tables;

/// There is one analyst at a time: `--memory` holds for the whole program, whatever boards are
/// asked about.
pub(super) struct Session<'a> {
    args: &'a Args,
    folders: Vec<PathBuf>,
    analyst: Option<Analyst>,
    /// Warnings that have been given: once is enough.
    warned: HashSet<String>,
}

impl<'a> Session<'a> {
    pub(super) fn new(args: &'a Args, folders: Vec<PathBuf>) -> Self {
        Self { args, folders, analyst: None, warned: HashSet::new() }
    }

    /// The answer about a position, shown while it improves if that is wanted. Warnings about
    /// tables go to standard error.
    pub(super) fn analyse(
        &mut self,
        position: &Position,
        request: Request,
        control: &Arc<Control>,
        shown: live::Shown,
    ) -> Result<Analysis, Failure> {
        let size = position.size();
        let analyst = match self.analyst.take().filter(|analyst| analyst.size() == size) {
            Some(analyst) => self.analyst.insert(analyst),
            None => {
                let (settings, tables) = (self.args.limits.settings(size)?, Tables::open(size, &self.folders));
                self.analyst.insert(Analyst::new(settings, &tables)?)
            }
        };
        let analysis = live::analyse(analyst, position, request, control, shown);
        for fault in analyst.tables().take_faults() {
            let sentence = fault.to_string();
            if self.warned.insert(sentence.clone()) {
                output::warning(&sentence);
            }
        }
        Ok(analysis)
    }
}
