//! Many positions, one a line, each answered before the next is read: programs can talk to it.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use super::Args;
use super::session::Session;
use crate::analysis::Analysis;
use crate::cli::limits::interruptible;
use crate::cli::lines::Lines;
use crate::cli::live::Shown;
use crate::cli::{Failure, Status, output};
use crate::game::notation::cell_name;
use crate::game::position::{Player, Position};
use crate::solve::Control;

pub(super) fn run(args: &Args, folders: Vec<PathBuf>) -> Result<Status, Failure> {
    let whole = interruptible(Control::unlimited());
    let mut session = Session::new(args, folders);
    let request = args.request(Shown::Progress);
    let (mut bad, mut unknown) = (false, false);
    let mut lines = Lines::of_standard_input();
    while let Some(line) = lines.next(&whole)? {
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
