//! The command line: one file or folder for each verb, and what the verbs share.
//!
//! Results go to standard output, progress and errors to standard error. Only this module prints.

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod output;

mod asked;

mod progress;

mod interruption;

mod limits;

mod lines;

mod move_limits;

mod folders;

mod placements;

mod document;

mod saved_game;

mod picture;

mod analysis_text;

mod live;

mod openings;

mod solve;

mod query;

mod agents;

mod pick_move;

mod play;

mod tournament;

mod engine;

#[cfg(feature = "serve")]
mod serve;

mod table;

mod certify;

mod campaign;

mod verify;

mod claims;

mod map;

mod show;

mod perft;

mod bench;

mod tune;

mod completions;

mod manual;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::game::notation;
use crate::solve::SolverError;

/// The exit code of the program. Scripts rely on these numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The question was answered.
    Answered = 0,
    /// Something failed, or a claim was refuted.
    Failed = 1,
    /// The command line or its input was wrong; nothing was written.
    BadInput = 2,
    /// A limit was reached before everything was proven.
    Unknown = 3,
    /// Interrupted by the user. What was proven before is printed.
    Interrupted = 130,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Why a verb could not answer.
enum Failure {
    /// The input was wrong. The sentence says what would be right.
    Input(String),
    /// The machine cannot provide the threads or the memory.
    Machine(SolverError),
    /// A file is not what it should be, or cannot be written.
    Files(String),
    /// The answer could not be written.
    Output(io::Error),
}

impl From<notation::Error> for Failure {
    fn from(fault: notation::Error) -> Self {
        Self::Input(fault.to_string())
    }
}

impl From<SolverError> for Failure {
    fn from(fault: SolverError) -> Self {
        Self::Machine(fault)
    }
}

impl From<io::Error> for Failure {
    fn from(fault: io::Error) -> Self {
        Self::Output(fault)
    }
}

/// Decides knight's-move Isolation.
///
/// Two knights move on a board. A cell that was visited once cannot be used again. A player who
/// cannot move has lost.
///
/// A position can be written in three ways: as a board (`7x7`, nothing placed yet), as a line of
/// play from the empty board (`7x7: d4 b3 f5`), or as a position with the ranks from the top
/// (`8/8/2N5/4n3/3*4/8/8/8 b`). Moves may follow a position (`7/7/7/3N3/1n5/7/7 w moves f5 c5`),
/// and the command `position` of UCI is read, too.
#[derive(Parser)]
#[command(name = "isolde", version, propagate_version = true, after_help = EXAMPLES)]
#[command(help_expected = true)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Stop when standard input ends, as it does when the process that holds its other end is gone.
    /// For commands that do not read it
    #[arg(long, global = true, hide = true)]
    stop_on_eof: bool,
}

/// What `isolde` prints when it is called without a command.
const GREETING: &str = "\
Isolde decides knight's-move Isolation: two knights on a board, every visited cell is gone for good,
and the player who cannot move has lost.

  isolde solve 5x5             who wins every opening of a board
  isolde query \"7x7: d4 b3\"    who wins a position, and what every move leads to
  isolde play 7x7              a game against the best player

`isolde help` lists all commands, and `isolde help solve` explains one.
";

const EXAMPLES: &str = "\
Examples:
  isolde solve 5x5                                 who wins every opening of 5x5
  isolde solve \"7x7: d4 b3\"                        who wins this opening, and how
  isolde query \"5x5: c3 c2\"                        every move with its outcome
  isolde table build 5x5 --strong                  every position of 5x5, in a file
  isolde campaign plan 9x9 --weak                  a proof for a cluster, cut into jobs
  isolde certify 7x7                               a proof of who wins 7x7, for anyone to check
  isolde verify mirror 6x6 --by center             does mirroring every move win?
  isolde claims                                    published claims, proved or refuted
  isolde move \"7x7: d4 b3\" --time 150ms            a good move, and whether it is proven
  isolde play 7x7 --as second                      a game against the best player
  isolde tournament --agents best,AB_Improved      games between agents
  isolde serve --open                              all of this in a browser
  isolde map 5x5                                   a picture of all openings
  isolde show 7x7                                  an empty board
  isolde show \"7x7: d4 b3 f5\"                      the position after three plies
  isolde show \"8/8/2N5/4n3/3*4/8/8/8 b\" --json     a position as JSON
  isolde perft \"5x5: a1 e5\" 12                     the number of lines of play

Exit codes: 0 answered, 1 failed or refuted, 2 bad input, 3 unknown within the limits, 130 interrupted.";

#[derive(Subcommand)]
enum Verb {
    Solve(solve::Args),
    Query(query::Args),
    Move(pick_move::Args),
    Play(play::Args),
    Tournament(tournament::Args),
    Agents(agents::Args),
    Engine(engine::Args),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    Table(table::Args),
    Certify(certify::Args),
    Campaign(campaign::Args),
    Verify(verify::Args),
    Claims(claims::Args),
    Map(map::Args),
    Show(show::Args),
    Perft(perft::Args),
    Bench(bench::Args),
    Tune(tune::Args),
    Completions(completions::Args),
    Manual(manual::Args),
}

/// Parses the command line, runs the verb, and returns the exit code.
///
/// `closed_output` tells that standard output was closed when the program started. No answer could
/// be written, so none is looked for.
#[must_use]
pub fn main(closed_output: bool) -> ExitCode {
    if closed_output {
        return status(Err(Failure::Output(io::Error::other("standard output is closed")))).into();
    }
    match Cli::try_parse() {
        Ok(Cli { verb, stop_on_eof }) => {
            let watched = if stop_on_eof { interruption::interrupted_by_end_of_input() } else { Ok(()) };
            status(watched.map_err(Failure::from).and_then(|()| run(verb))).into()
        }
        // Help, the version, or what is wrong with the command line.
        Err(text) => match text.print().and_then(|()| io::stdout().flush()) {
            Ok(()) => ExitCode::from(text.exit_code() as u8),
            Err(fault) => status(Err(Failure::Output(fault))).into(),
        },
    }
}

/// Runs the verb. Without one, says what the program is for.
fn run(verb: Option<Verb>) -> Result<Status, Failure> {
    let Some(verb) = verb else {
        let mut out = output::answer();
        out.write_all(GREETING.as_bytes())?;
        out.flush()?;
        return Ok(Status::Answered);
    };
    match verb {
        Verb::Solve(args) => solve::run(&args),
        Verb::Query(args) => query::run(&args),
        Verb::Move(args) => pick_move::run(&args),
        Verb::Play(args) => play::run(&args),
        Verb::Tournament(args) => tournament::run(&args),
        Verb::Agents(args) => agents::run(&args),
        Verb::Engine(args) => engine::run(&args),
        #[cfg(feature = "serve")]
        Verb::Serve(args) => serve::run(&args),
        Verb::Table(args) => table::run(&args),
        Verb::Certify(args) => certify::run(&args),
        Verb::Campaign(args) => campaign::run(&args),
        Verb::Verify(args) => verify::run(&args),
        Verb::Claims(args) => claims::run(&args),
        Verb::Map(args) => map::run(&args),
        Verb::Show(args) => show::run(&args),
        Verb::Bench(args) => bench::run(&args),
        Verb::Tune(args) => tune::run(&args),
        Verb::Perft(args) => perft::run(&args),
        Verb::Completions(args) => completions::run(&args),
        Verb::Manual(args) => manual::run(&args),
    }
}

/// The exit code of a result. An error is printed.
fn status(result: Result<Status, Failure>) -> Status {
    match result {
        Ok(status) => status,
        // The reader of the output has closed the pipe, as `head` does. That is not an error.
        Err(Failure::Output(fault)) if fault.kind() == io::ErrorKind::BrokenPipe => Status::Answered,
        Err(Failure::Output(fault)) => {
            output::fault(&format!("cannot write the answer: {fault}"));
            Status::Failed
        }
        Err(Failure::Machine(fault)) => {
            output::fault(&fault.to_string());
            Status::Failed
        }
        Err(Failure::Files(sentence)) => {
            output::fault(&sentence);
            Status::Failed
        }
        Err(Failure::Input(sentence)) => {
            output::fault(&sentence);
            Status::BadInput
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed_and_every_argument_has_help() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_verb_shows_examples() {
        for verb in Cli::command().get_subcommands() {
            let help = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains(&format!("isolde {} ", verb.get_name())), "`{}` has no example", verb.get_name());
        }
    }
}
