//! Many positions, one a line, each answered before the next is read: programs can talk to it.
//!
//! Every line gets one line of answer, so that answers and questions can be paired by counting.

use std::io::{self, Write};
use std::sync::Arc;

use serde::Serialize;

use super::Args;
use super::session::Session;
use crate::analysis::{Analysis, Questions};
use crate::cli::interruption::interruptible;
use crate::cli::lines::Lines;
use crate::cli::live::{self, Shown};
use crate::cli::{Failure, Status, output};
use crate::game::notation::{Written, cell_name};
use crate::game::position::Player;
use crate::solve::Control;
use crate::table::Location;

pub(super) fn run(args: &Args, folders: Vec<Location>) -> Result<Status, Failure> {
    let whole = interruptible(Control::unlimited());
    let mut session = Session::new(args, folders, Questions::Many);
    let request = args.request(Shown::Progress);
    let (mut bad, mut unknown, mut number) = (false, false, 0);
    let mut lines = Lines::of_standard_input();
    while let Some(line) = lines.next(&whole)? {
        number += 1;
        let question = line.trim();
        if question.is_empty() || question.starts_with('#') {
            write_nothing(args)?;
            continue;
        }
        let control = Arc::new(whole.part(args.time()));
        let answer = question.parse::<Written>().map_err(Failure::from).and_then(|asked| {
            let analysis = session.analyse(&asked, request, &control, Shown::Progress)?;
            Ok((asked, analysis))
        });
        match answer {
            Ok((asked, analysis)) => {
                unknown |= !args.is_answered(&analysis);
                write_answer(args, &asked, &analysis)?;
            }
            Err(Failure::Input(sentence)) => {
                bad = true;
                write_fault(args, number, &sentence)?;
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

fn write_answer(args: &Args, asked: &Written, analysis: &Analysis) -> io::Result<()> {
    if args.json {
        return live::write_data(asked, analysis);
    }
    let known = |text: Option<String>| text.unwrap_or_else(|| "-".to_string());
    let winner = analysis.winner().map_or("unknown", Player::name);
    let plies = known(analysis.plies().map(|plies| plies.to_string()));
    let best = known(analysis.best().map(|best| cell_name(analysis.position.size, best.to)));
    write_line(&format!("{asked}\t{winner}\t{plies}\t{best}"))
}

/// The answer to a line that asks nothing: a blank line, or a comment.
fn write_nothing(args: &Args) -> io::Result<()> {
    write_line(if args.json { "null" } else { "" })
}

fn write_fault(args: &Args, line: usize, sentence: &str) -> io::Result<()> {
    #[derive(Serialize)]
    struct BadLine<'a> {
        line: usize,
        error: &'a str,
    }
    if args.json {
        return output::json(&BadLine { line, error: sentence });
    }
    write_line(&format!("error: line {line}: {sentence}"))
}

fn write_line(text: &str) -> io::Result<()> {
    let mut out = output::answer();
    writeln!(out, "{text}")?;
    out.flush()
}
