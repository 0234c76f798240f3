//! `isolde serve`: the program, real sockets, and clients good and bad.

mod harness;

mod answers;
mod connections;
mod documented;
mod faults;
mod page;
mod searches;
#[cfg(target_os = "linux")]
mod stopping;
