//! An outside agent in a tournament, and its processes that wait for a game.

use std::sync::{Arc, Mutex, PoisonError};

use super::Terms;
use super::fault::OutsideError;
use super::handshake;
use super::process::Process;
use super::program::Program;
use crate::solve::Control;

/// A program, and its processes that wait for a game. There are as many processes as games that it
/// plays at a time: two games never share one.
pub struct Pool {
    program: Program,
    terms: Terms,
    idle: Mutex<Vec<Process>>,
}

impl Pool {
    /// A pool without a process.
    #[must_use]
    pub fn new(program: Program, terms: Terms) -> Arc<Self> {
        Arc::new(Self { program, terms, idle: Mutex::default() })
    }

    /// Starts a process if there is none, so that what is wrong with the program is known before
    /// the first game.
    ///
    /// # Errors
    /// If the program cannot be started, does not speak UCI, or does not play on this board.
    pub fn check(&self, control: &Control) -> Result<(), OutsideError> {
        let process = self.take_idle().map_or_else(|| handshake::start(&self.program, &self.terms, control), Ok)?;
        self.put_back(process);
        Ok(())
    }

    /// A process that is ready for a new game.
    pub(super) fn take(&self, control: &Control) -> Result<Process, OutsideError> {
        // A process that does not get ready for another game gives way to a new one.
        let idle = self.take_idle().and_then(|process| self.ready(process, control).ok());
        idle.map_or_else(|| self.ready(handshake::start(&self.program, &self.terms, control)?, control), Ok)
    }

    /// The process once it is ready for a new game.
    fn ready(&self, mut process: Process, control: &Control) -> Result<Process, OutsideError> {
        let patience = self.terms.patience;
        let told = process.say("ucinewgame").and_then(|()| process.wait_until_ready(patience, control));
        told.map_err(|silence| OutsideError::without(&self.program, "readyok", patience, silence))?;
        Ok(process)
    }

    pub(super) fn terms(&self) -> &Terms {
        &self.terms
    }

    fn take_idle(&self) -> Option<Process> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Takes back a process that waits for what it is told.
    pub(super) fn put_back(&self, process: Process) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
    }
}

impl Drop for Pool {
    /// All of them end at the same time, and not one after the other.
    fn drop(&mut self) {
        self.idle.get_mut().unwrap_or_else(PoisonError::into_inner).iter_mut().for_each(Process::quit);
    }
}
