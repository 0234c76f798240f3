//! Many positions, one a line, each answered before the next is read: programs can talk to it.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use serde::Serialize;

use super::Args;
use super::session::Session;
use crate::analysis::Analysis;
use crate::cli::limits::stopped_by_ctrl_c;
use crate::cli::live::Shown;
use crate::cli::{Failure, Status, output};
use crate::game::notation::cell_name;
use crate::game::position::{Player, Position};
use crate::solve::Control;

pub(super) fn run(args: &Args, folders: Vec<PathBuf>) -> Result<Status, Failure> {
    let whole = stopped_by_ctrl_c(Control::unlimited());
    let mut session = Session::new(args, folders);
    let request = args.request(Shown::Progress);
    let (mut bad, mut unknown) = (false, false);
    let lines = lines();
    while let Some(line) = next(&lines, &whole) {
        let line = line.map_err(|fault| Failure::Files(format!("cannot read standard input: {fault}")))?;
        let question = line.trim();
        if question.is_empty() || question.starts_with('#') {
            continue;
        }
        let control = Arc::new(whole.part(args.time()));
        let position = question.parse::<Position>().map_err(Failure::from);
        let answer = position.and_then(|position| session.analyse(&position, request, &control, Shown::Progress));
        match answer {
            Ok(analysis) => {
                unknown |= !args.is_answered(&analysis);
                write_answer(args, &analysis)?;
            }
            Err(Failure::Input(sentence)) => {
                bad = true;
                write_fault(args, &sentence)?;
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(match (whole.is_stopped(), bad, unknown) {
        (true, _, _) => Status::Interrupted,
        (_, true, _) => Status::BadInput,
        (_, _, true) => Status::Unknown,
        _ => Status::Answered,
    })
}

/// The lines of standard input. A thread of its own reads them, so that the wait for a line can be
/// interrupted.
fn lines() -> Receiver<io::Result<String>> {
    let (line, lines) = sync_channel(0);
    // A line that is not UTF-8 is a bad line like any other. Its answer shows what can be shown of
    // it.
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    std::thread::spawn(move || io::stdin().lock().split(b'\n').try_for_each(|read| line.send(read.map(text))));
    lines
}

/// How often the wait for a line looks for an interruption.
const LOOK: Duration = Duration::from_millis(50);

/// The next line; `None` at the end, or when interrupted.
fn next(lines: &Receiver<io::Result<String>>, whole: &Control) -> Option<io::Result<String>> {
    while !whole.is_stopped() {
        match lines.recv_timeout(LOOK) {
            Ok(line) => return Some(line),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
    None
}

fn write_answer(args: &Args, analysis: &Analysis) -> io::Result<()> {
    if args.json {
        return output::json(analysis);
    }
    let known = |text: Option<String>| text.unwrap_or_else(|| "-".to_string());
    let winner = analysis.winner().map_or("unknown", Player::name);
    let plies = known(analysis.plies().map(|plies| plies.to_string()));
    let best = known(analysis.best().map(|best| cell_name(analysis.position.size, best.to)));
    let mut out = output::answer();
    writeln!(out, "{}\t{winner}\t{plies}\t{best}", analysis.position)?;
    out.flush()
}

fn write_fault(args: &Args, sentence: &str) -> io::Result<()> {
    #[derive(Serialize)]
    struct BadLine<'a> {
        error: &'a str,
    }
    if args.json {
        return output::json(&BadLine { error: sentence });
    }
    let mut out = output::answer();
    writeln!(out, "error: {sentence}")?;
    out.flush()
}
