//! The program, run as its users run it.

#[path = "../support/mod.rs"]
mod support;

mod adapter;
mod claims;
mod engine;
mod general;
mod map;
mod play;
mod query;
mod solve;
mod table;
mod transcripts;
mod verify;
