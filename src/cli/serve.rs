//! `isolde serve`: the explorer in a browser, and its HTTP API.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZero;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use super::folders::Folders;
use super::interruption::interruptible;
use super::limits::{machine_memory, memory, threads, time};
use super::{Failure, Status, output};
use crate::serve::{Said, Server, Settings};
use crate::solve::Control;
use bytesize::ByteSize;

/// Explore the game in a browser
///
/// Prints the address of the page and answers until it is interrupted. Programs can ask the same
/// server for JSON: docs/http-api.md describes it.
///
/// The server listens on this machine alone, unless --listen names another address.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The address to listen on; with port 0 the system chooses a port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7349", value_parser = address)]
    listen: SocketAddr,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    /// A further name of this server, such as explorer.example.org behind a proxy; may be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Print a line for each request to standard error
    #[arg(long)]
    log: bool,
    /// Tell at /metrics what the server counts, for Prometheus
    #[arg(long)]
    metrics: bool,
    #[command(flatten)]
    folders: Folders,
    /// Threads that search, all together [default: one for each processor but one]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = "Limits")]
    threads: Option<NonZero<usize>>,
    /// Memory for what searches remember, such as 512MiB or 2GiB
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = memory, help_heading = "Limits")]
    memory: ByteSize,
    /// The most time that a question may ask for
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = time_within_a_day, help_heading = "Limits")]
    most_time: Duration,
    /// The most searches that wait; further ones are refused
    #[arg(long, value_name = "N", default_value_t = 1024, help_heading = "Limits")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    queue: u32,
    /// The most connections at a time; further ones wait
    #[arg(long, value_name = "N", default_value_t = 4096, help_heading = "Limits")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    connections: u32,
    /// How long a client may take to send a request, or to read some of its answer
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = time_within_a_day, help_heading = "Limits")]
    patience: Duration,
}

const EXAMPLES: &str = "\
Examples:
  isolde serve                          then open http://127.0.0.1:7349
  isolde serve --open                   opens it for you
  isolde serve --listen 127.0.0.1:0     on a port that is free";

/// Reads an address with its port.
fn address(text: &str) -> Result<SocketAddr, String> {
    let numeric = match text.strip_prefix("localhost:") {
        Some(port) => format!("{}:{port}", Ipv4Addr::LOCALHOST),
        None => text.to_string(),
    };
    numeric.parse().map_err(|_| "write an address and a port, such as 127.0.0.1:7349 or [::1]:7349".to_string())
}

/// The longest time limit. Much longer ones would overflow the clock when a deadline is computed.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn time_within_a_day(text: &str) -> Result<Duration, String> {
    match time(text)? {
        Duration::ZERO => Err("write more than 0s".to_string()),
        time if time > DAY => Err("write at most 1d".to_string()),
        time => Ok(time),
    }
}

impl Args {
    /// The threads and the memory for searches, if the memory is neither too small for a board nor
    /// too large for the machine.
    fn machine(&self) -> Result<(NonZero<usize>, u64), Failure> {
        let all_but_one = || std::thread::available_parallelism().ok().and_then(|all| NonZero::new(all.get() - 1));
        let threads = self.threads.or_else(all_but_one).unwrap_or(NonZero::<usize>::MIN);
        let (least, most, given) = (Server::least_memory(threads), machine_memory().unwrap_or(u64::MAX), self.memory);
        let wrong = if given.0 < least {
            format!(
                "small: {threads} {} at least {}",
                if threads.get() == 1 { "thread needs" } else { "threads need" },
                ByteSize(least)
            )
        } else if given.0 > most {
            format!("large: this machine has {}", ByteSize(most))
        } else {
            return Ok((threads, given.0));
        };
        Err(Failure::Input(format!("--memory {given} is too {wrong}")))
    }
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let (threads, memory) = args.machine()?;
    let settings = Settings {
        listen: args.listen,
        tables: args.folders.list()?,
        threads,
        memory,
        most_time: args.most_time,
        queue: args.queue as usize,
        connections: args.connections as usize,
        patience: args.patience,
        hosts: args.host.clone(),
        log: args.log,
        metrics: args.metrics,
    };
    let stop = interruptible(Control::unlimited());
    let server = Server::bind(settings).map_err(|fault| Failure::Files(fault.to_string()))?;
    let address = format!("http://{}", reachable(server.address()));
    let mut out = output::answer();
    writeln!(out, "{address}")?;
    out.flush()?;
    drop(out);
    if args.open {
        open(&address);
    }
    server.run(&stop, Arc::new(say)).map_err(|fault| Failure::Files(fault.to_string()))?;
    Ok(Status::Answered)
}

/// An address that a browser on this machine can open: `0.0.0.0` stands for all addresses.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        let loopback: IpAddr = if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
        address.set_ip(loopback);
    }
    address
}

/// Prints what the server says.
fn say(said: Said<'_>) {
    match said {
        // A log that cannot be written must not stop the server.
        Said::Request(line) => drop(writeln!(io::stderr().lock(), "{line}")),
        Said::Warning(sentence) => output::warning(sentence),
    }
}

/// Opens the address in the user's browser, as far as the system has a command for that.
fn open(address: &str) {
    let (program, first): (&str, &[&str]) = if cfg!(windows) {
        ("cmd", &["/C", "start"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program).args(first).arg(address).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if started.is_err() {
        output::hint(&format!("no browser could be opened: open {address} yourself"));
    }
}
