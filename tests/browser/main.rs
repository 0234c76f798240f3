//! The explorer in a real browser: each test starts the program's server and a Chromium, and does
//! what a visitor does.
//!
//! `scripts/browser-for-tests` installs the browser. Without one, these tests are skipped.
#![cfg(unix)]

#[path = "../support/mod.rs"]
mod support;

mod harness;

mod accessibility;
mod address;
mod atlas;
mod claims;
mod connection;
mod explore;
mod files;
mod keyboard;
mod looks;
mod numbers;
mod overlays;
mod play;
mod screenshots;
mod setup;
mod speed;
