//! `isolde completions`: a completion script for a shell.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Failure, Status, output};

/// Write a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  isolde completions bash > ~/.local/share/bash-completion/completions/isolde
  isolde completions fish > ~/.config/fish/completions/isolde.fish";

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    // Generated in memory first, because the generator panics if writing fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "isolde", &mut script);
    let mut out = output::answer();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Status::Answered)
}
