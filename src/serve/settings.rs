//! The settings of a server.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZero;
use std::time::Duration;

use crate::solve;
use crate::table::Location;

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on. With port 0 the system chooses a port.
    pub listen: SocketAddr,
    /// Further names under which the server is known, with or without a port: behind a proxy,
    /// requests come with the proxy's name.
    pub hosts: Vec<String>,
    /// Where tables are looked for.
    pub tables: Vec<Location>,
    /// The threads that search, all together.
    pub threads: NonZero<usize>,
    /// The bytes for what searches remember, all together.
    pub memory: u64,
    /// The most searches that wait.
    pub queue: usize,
    /// The most connections at a time.
    pub connections: usize,
    /// How long a client may take to send a request, or to read some of its answer.
    pub patience: Duration,
    /// The most time that a question may ask for.
    pub most_time: Duration,
    /// Whether each request is said to the voice.
    pub log: bool,
    /// Whether `/metrics` answers.
    pub metrics: bool,
}

impl Default for Settings {
    /// This machine alone, one thread, the built-in tables.
    fn default() -> Self {
        Self {
            listen: (Ipv4Addr::LOCALHOST, Self::PORT).into(),
            hosts: Vec::new(),
            tables: vec![Location::BuiltIn],
            threads: NonZero::<usize>::MIN,
            memory: solve::Settings::DEFAULT_MEMORY,
            queue: 1024,
            connections: 4096,
            patience: Duration::from_secs(20),
            most_time: Duration::from_secs(60),
            log: false,
            metrics: false,
        }
    }
}

impl Settings {
    /// The usual port.
    pub const PORT: u16 = 7349;
}
