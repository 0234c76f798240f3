//! The explorer: an HTTP server with a page for people and an API for programs.
//!
//! This folder parses requests, calls the library and writes JSON. It has no logic of the game.
//! What it adds is the care for many visitors: searches share a bounded part of the machine and
//! take turns, those who ask the same share a search, and a search ends when nobody waits for it.
//!
//! ```
//! use std::net::TcpStream;
//! use std::sync::Arc;
//! use isolde::Control;
//! use isolde::serve::{Server, Settings};
//!
//! let settings = Settings { listen: "127.0.0.1:0".parse()?, ..Settings::default() };
//! let server = Server::bind(settings)?;
//! let (address, stop) = (server.address(), Arc::new(Control::unlimited()));
//! std::thread::scope(|scope| {
//!     let running = scope.spawn(|| server.run(&stop, Arc::new(|_| {})));
//!     assert!(TcpStream::connect(address).is_ok());
//!     stop.stop();
//!     running.join().expect("a server does not panic")
//! })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod settings;

mod voice;

mod answer;

mod fault;

mod parameters;

mod body;

mod client;

mod host;

mod headers;

mod metrics;

mod assets;

mod queue;

mod lane;

mod lanes;

mod once;

mod found;

mod elsewhere;

mod at_hand;

mod search;

mod questions;

mod app;

mod events;

mod routes;

mod around;

mod connection;

mod server;

pub use server::{ServeError, Server};
pub use settings::Settings;
pub use voice::{Said, Voice};
