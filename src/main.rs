//! The program `isolde`. Its code is in [`isolde::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    isolde::cli::main()
}
