//! An analysis that is shown while it improves.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use super::analysis_text::{self, State};
use super::output;
use super::progress::{changing, watched};
use crate::analysis::{Analysis, Analyst, Answer, Request};
use crate::game::notation::Written;
use crate::solve::Control;

/// What a person sees while an analysis is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// The answer as it stands, drawn again whenever it gets better.
    Answer,
    /// Only that work is going on.
    Progress,
}

impl Shown {
    /// The answer can be drawn in place where both standard output and standard error are
    /// terminals.
    pub(super) fn fitting(json: bool) -> Self {
        let in_place = !json && io::stdout().is_terminal() && io::stderr().is_terminal();
        if in_place { Self::Answer } else { Self::Progress }
    }
}

/// Analyses a position and shows how it goes.
pub(super) fn analyse(analyst: &Analyst, asked: &Written, request: Request, control: &Arc<Control>, shown: Shown) -> Analysis {
    let position = asked.position();
    match shown {
        Shown::Progress => {
            let analyse = |_: &_| analyst.analyse(position, request, control, |_| {});
            watched((1, "position"), control, || analyst.filling(), analyse)
        }
        Shown::Answer => changing(|show| {
            analyst.analyse(position, request, control, |so_far| {
                let mut text = Vec::new();
                // Writing to memory does not fail.
                let _ = analysis_text::write(&mut text, asked, so_far, request, State::SoFar);
                show(String::from_utf8_lossy(&text).into_owned());
            })
        }),
    }
}

/// Writes the final answer, as text or as data.
pub(super) fn write(asked: &Written, analysis: &Analysis, request: Request, json: bool) -> io::Result<()> {
    if json {
        return write_data(asked, analysis);
    }
    let mut out = output::answer();
    analysis_text::write(&mut out, asked, analysis, request, State::Final)?;
    out.flush()
}

/// Writes the answer as data, with the question as it was asked.
pub(super) fn write_data(asked: &Written, analysis: &Analysis) -> io::Result<()> {
    output::json(&Answer::new(asked, analysis))
}
