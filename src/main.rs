//! The program `isolde`. Its code is in [`isolde::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    isolde::cli::main(closed::standard_output())
}

/// Whether standard output was closed when the program started, as by `>&-` in a shell.
///
/// Before `main`, Rust opens `/dev/null` in the place of a standard stream that is closed. From
/// then on everything written there is lost, and no error tells so. Hence this looks earlier.
#[cfg(unix)]
mod closed {
    use std::io;
    use std::os::fd::AsFd;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// The number of this error is the same on all Unix systems.
    const BAD_DESCRIPTOR: i32 = 9;

    static CLOSED: AtomicBool = AtomicBool::new(false);

    ctor::declarative::ctor! {
        // Sound before `main`: it duplicates a file descriptor and sets a flag.
        #[ctor(unsafe)]
        fn look() {
            let fault = io::stdout().as_fd().try_clone_to_owned().err();
            CLOSED.store(fault.is_some_and(|fault| fault.raw_os_error() == Some(BAD_DESCRIPTOR)), Ordering::Relaxed);
        }
    }

    pub(crate) fn standard_output() -> bool {
        CLOSED.load(Ordering::Relaxed)
    }
}

#[cfg(not(unix))]
mod closed {
    pub(crate) fn standard_output() -> bool {
        false
    }
}
