//! The program `isolde`: see [`isolde::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    isolde::cli::main()
}
