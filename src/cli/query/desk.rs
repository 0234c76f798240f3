//! Where questions are answered: the analyst for the board that was last asked about, and what has been told of its tables.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::Args;
use crate::analysis::{Analysis, Analyst};
use crate::board::Size;
use crate::cells::Word;
use crate::cli::progress::watched;
use crate::cli::{Failure, output};
use crate::notation;
use crate::position::{Position, Setup};
use crate::solve::Control;
use crate::table::Shelf;

/// One analyst at a time: `--memory` is a promise for the whole program, whatever boards are asked about.
pub(super) struct Desk<'a> {
    args: &'a Args,
    folders: Vec<PathBuf>,
    analyst: Option<(Size, Analysts)>,
    /// Nobody wants to be warned of the same thing twice.
    warned: HashSet<String>,
}

/// An analyst, with the word that its board needs.
enum Analysts {
    Small(Box<Analyst<u64>>),
    Large(Box<Analyst<u128>>),
}

impl<'a> Desk<'a> {
    pub(super) fn new(args: &'a Args, folders: Vec<PathBuf>) -> Self {
        Self { args, folders, analyst: None, warned: HashSet::new() }
    }

    /// The answer about a position; warnings about its tables go to standard error.
    pub(super) fn analyse(&mut self, setup: Setup, control: &Arc<Control>) -> Result<Analysis, Failure> {
        let size = setup.size;
        let analyst = match self.analyst.take().filter(|(known, _)| *known == size) {
            Some((_, analyst)) => analyst,
            None if size.fits::<u64>() => Analysts::Small(Box::new(self.hire(size)?)),
            None => Analysts::Large(Box::new(self.hire(size)?)),
        };
        let analysis = match &analyst {
            Analysts::Small(analyst) => self.ask(analyst, setup, control),
            Analysts::Large(analyst) => self.ask(analyst, setup, control),
        };
        self.analyst = Some((size, analyst));
        analysis
    }

    fn hire<W: Word>(&self, size: Size) -> Result<Analyst<W>, Failure> {
        let settings = self.args.limits.settings::<W>(size)?;
        Ok(Analyst::new(size, settings, Shelf::open(size, &self.folders))?)
    }

    fn ask<W: Word>(&mut self, analyst: &Analyst<W>, setup: Setup, control: &Arc<Control>) -> Result<Analysis, Failure> {
        let position = Position::<W>::new(setup).map_err(notation::Error::from)?;
        let filling = || analyst.solver().filling();
        let analysis = watched((1, "position"), control, filling, |_| analyst.analyse(&position, self.args.question(), control));
        for fault in analyst.shelf().take_faults() {
            let sentence = fault.to_string();
            if self.warned.insert(sentence.clone()) {
                output::warning(&sentence);
            }
        }
        Ok(analysis)
    }
}
