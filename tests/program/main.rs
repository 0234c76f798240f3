//! The program, run as its users run it.

#[path = "../support/mod.rs"]
mod support;

mod agents;
mod build;
mod campaign;
mod certify;
mod claims;
mod engine;
mod folders;
mod general;
mod map;
#[cfg(unix)]
mod outside;
mod play;
mod python;
mod query;
mod resume;
#[cfg(feature = "serve")]
mod serve;
#[cfg(target_os = "linux")]
mod signals;
mod solve;
mod table;
mod tournament;
mod transcripts;
mod tune;
mod verify;
