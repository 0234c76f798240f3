//! Browsers that one test hands on to the next: starting one takes longer than most tests.
//!
//! A browser waits here as long as another test is running. The last test ends all of them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::webdriver::Browser;

struct State {
    /// Tests that are running.
    running: usize,
    idle: Vec<Browser>,
}

static STATE: Mutex<State> = Mutex::new(State { running: 0, idle: Vec::new() });

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A test that is running.
pub(super) struct Guest(());

impl Guest {
    pub(super) fn enter() -> Guest {
        state().running += 1;
        Guest(())
    }

    /// A browser with one empty window.
    pub(super) fn browser(&self) -> Browser {
        let idle = state().idle.pop();
        idle.unwrap_or_else(Browser::start)
    }

    /// Returns a browser that is in order: the next test gets it with a window of its own.
    pub(super) fn give_back(&self, browser: Browser) {
        browser.replace_window();
        state().idle.push(browser);
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut state = state();
        state.running -= 1;
        let unused = if state.running == 0 { std::mem::take(&mut state.idle) } else { Vec::new() };
        drop(state);
        drop(unused);
    }
}
