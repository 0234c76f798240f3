//! `isolde manual`: man pages, and completion scripts for all shells, written to a folder.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;

use super::output::{self, plural};
use super::{Cli, Failure, Status};

/// Write the man pages and the completion scripts of all shells
///
/// They go to the usual places below a folder such as ~/.local or /usr/local: share/man/man1,
/// share/bash-completion/completions, share/fish/vendor_completions.d, share/zsh/site-functions and
/// so on.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder; it is made if it does not exist
    folder: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  isolde manual ~/.local           for yourself; then try `man isolde-solve`
  isolde manual target/manual      for a package";

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let unwritable = |path: &Path, fault: &io::Error| Failure::Files(format!("cannot write {}: {fault}", path.display()));
    let files = files()?;
    for (path, text) in &files {
        let path = args.folder.join(path);
        let folder = path.parent().unwrap_or(&args.folder);
        fs::create_dir_all(folder).map_err(|fault| unwritable(folder, &fault))?;
        fs::write(&path, text).map_err(|fault| unwritable(&path, &fault))?;
    }
    let mut out = output::answer();
    let pages = files.iter().filter(|(path, _)| path.starts_with(MAN)).count();
    let (shells, share) = (files.len() - pages, args.folder.join("share"));
    writeln!(out, "{pages} man {} and {shells} completion scripts are in {}", plural(pages, "page"), share.display())?;
    out.flush()?;
    Ok(Status::Answered)
}

/// Where man pages are kept, below the folder.
const MAN: &str = "share/man/man1";

/// All files with their paths below the folder.
fn files() -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut command = Cli::command();
    command.build();
    let mut files = Vec::new();
    add_pages(&mut files, &command)?;
    for shell in Shell::value_variants() {
        let mut script = Vec::new();
        clap_complete::generate(*shell, &mut Cli::command(), "isolde", &mut script);
        files.push((completion_path(*shell), script));
    }
    Ok(files)
}

/// The page of a command, and of the commands below it.
fn add_pages(files: &mut Vec<(PathBuf, Vec<u8>)>, command: &Command) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_string();
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    files.push((Path::new(MAN).join(format!("{name}.1")), page));
    command.get_subcommands().filter(|below| below.get_name() != "help").try_for_each(|below| add_pages(files, below))
}

/// Where each shell looks for the completions of programs.
fn completion_path(shell: Shell) -> PathBuf {
    let path = match shell {
        Shell::Bash => "share/bash-completion/completions/isolde",
        Shell::Fish => "share/fish/vendor_completions.d/isolde.fish",
        Shell::Zsh => "share/zsh/site-functions/_isolde",
        Shell::Elvish => "share/elvish/lib/isolde.elv",
        _ => "share/powershell/isolde.ps1",
    };
    PathBuf::from(path)
}
