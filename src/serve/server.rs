//! The server: a listening socket, and the life of its connections.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::num::NonZero;
use std::pin::pin;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request;
use axum::middleware::from_fn_with_state;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tower::Service;

use super::app::{App, MOST_FILES, Prepared};
use super::around::around;
use super::at_hand::AtHand;
use super::client::Client;
use super::connection::{Patient, protocol};
use super::elsewhere::Elsewhere;
use super::host::Hosts;
use super::lane::Lane;
use super::lanes::{Lanes, divided, least_memory};
use super::metrics::Metrics;
use super::questions::Questions;
use super::routes::router;
use super::settings::Settings;
use super::voice::{Voice, Warnings};
use crate::solve::{self, Control};

/// The most connections that the system holds until the server takes them.
const BACKLOG: u32 = 1024;

/// The most threads for answers that take longer than a moment.
const BLOCKING_THREADS: usize = 8;

/// How long a file of games may wait until others have been read.
const MOST_WAIT_FOR_FILE: Duration = Duration::from_secs(10);

/// How often the server looks whether it should stop.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// How long the server waits if the system refuses it a connection: too many files may be open.
const AFTER_REFUSAL: Duration = Duration::from_millis(50);

/// How long requests may go on after the server was told to stop, and threads after that.
const TIME_TO_STOP: Duration = Duration::from_secs(1);
const TIME_FOR_THREADS: Duration = Duration::from_millis(500);

/// Why there is no server.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// The address is taken, or not one of this machine.
    Address {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The system refuses threads.
    Threads(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address { address, source } if source.kind() == io::ErrorKind::AddrInUse => {
                write!(f, "cannot listen on {address}: another program does; choose another port, or 0 for any that is free")
            }
            Self::Address { address, source } => write!(f, "cannot listen on {address}: {source}"),
            Self::Threads(fault) => write!(f, "cannot start the threads of the server: {fault}"),
        }
    }
}

impl std::error::Error for ServeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Address { source, .. } | Self::Threads(source) => Some(source),
        }
    }
}

/// A server that listens.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    settings: Settings,
}

impl Server {
    /// Listens on the address of the settings.
    ///
    /// # Errors
    /// If the address is taken, or not one of this machine.
    pub fn bind(settings: Settings) -> Result<Self, ServeError> {
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.enable_all().thread_name("serve").max_blocking_threads(BLOCKING_THREADS).build();
        let runtime = runtime.map_err(ServeError::Threads)?;
        let listen = || {
            let _inside = runtime.enter();
            let socket = if settings.listen.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
            // Otherwise a port stays taken for a while after its server has ended.
            #[cfg(unix)]
            socket.set_reuseaddr(true)?;
            socket.bind(settings.listen)?;
            let listener = socket.listen(BACKLOG)?;
            Ok((listener.local_addr()?, listener))
        };
        let (address, listener) = listen().map_err(|source| ServeError::Address { address: settings.listen, source })?;
        Ok(Self { runtime, listener, address, settings })
    }

    /// The least memory with which this many threads can search on every board.
    #[must_use]
    pub fn least_memory(threads: NonZero<usize>) -> u64 {
        least_memory(threads)
    }

    /// The address that the server listens on, with its real port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until the control is stopped. Then requests that are under way get a moment
    /// to end.
    ///
    /// # Errors
    /// If the system refuses threads.
    pub fn run(self, stop: &Control, voice: Voice) -> Result<(), ServeError> {
        let (app, threads) = start(self.settings, self.address, voice).map_err(ServeError::Threads)?;
        self.runtime.block_on(serve(self.listener, &app, stop));
        self.runtime.shutdown_timeout(TIME_FOR_THREADS);
        let stopped = Instant::now();
        while !threads.iter().all(JoinHandle::is_finished) && stopped.elapsed() < TIME_FOR_THREADS {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }
}

/// What all requests share, and the threads of the lanes.
fn start(settings: Settings, address: SocketAddr, voice: Voice) -> io::Result<(Arc<App>, Vec<JoinHandle<()>>)> {
    let metrics = Arc::new(Metrics::default());
    let warnings = Arc::new(Warnings::new(Arc::clone(&voice)));
    let at_hand = Arc::new(AtHand::new(settings.tables.clone(), Arc::clone(&warnings)));
    let lanes = Arc::new(Lanes::new(settings.queue, Arc::clone(&metrics)));
    let whole = solve::Settings { threads: settings.threads, memory: settings.memory };
    let lane = |part| Lane::new(settings.tables.clone(), part, Arc::clone(&warnings));
    let threads = lanes.start(divided(whole).into_iter().map(lane).collect())?;
    let questions = Questions::new(settings.most_time, Arc::clone(&at_hand), Arc::clone(&lanes), Arc::clone(&metrics));
    let hosts = Hosts::new(address, &settings.hosts);
    Ok((
        Arc::new(App {
            settings,
            hosts,
            lanes,
            questions: Arc::new(questions),
            metrics,
            voice,
            prepared: Prepared::default(),
            at_hand,
            files: Arc::new(Semaphore::new(MOST_FILES)),
            parsing: Elsewhere::new(1, MOST_WAIT_FOR_FILE),
        }),
        threads,
    ))
}

async fn serve(listener: TcpListener, app: &Arc<App>, stop: &Control) {
    let router = router(app).layer(from_fn_with_state(Arc::clone(app), around));
    let (protocol, graceful) = (protocol(app.settings.patience), GracefulShutdown::new());
    let places = Arc::new(Semaphore::new(app.settings.connections));
    let mut stopped = pin!(stopped(stop));
    loop {
        let accepted = async {
            let place = Arc::clone(&places).acquire_owned().await;
            listener.accept().await.map(|accepted| (accepted, place))
        };
        let ((socket, peer), place) = tokio::select! {
            () = &mut stopped => break,
            accepted = accepted => match accepted {
                Ok(accepted) => accepted,
                Err(_) => {
                    tokio::time::sleep(AFTER_REFUSAL).await;
                    continue;
                }
            },
        };
        // Without this, small events would wait for acknowledgements. If it fails, they do.
        let _ = socket.set_nodelay(true);
        let router = router.clone();
        let service = service_fn(move |request| answer(router.clone(), Client(peer.ip()), request));
        let connection = protocol.serve_connection(TokioIo::new(Patient::new(socket, app.settings.patience)), service);
        let (connection, open) = (graceful.watch(connection), app.metrics.connections.enter());
        tokio::spawn(async move {
            // What goes wrong on a connection concerns its client alone, and the client knows.
            let _ = connection.await;
            drop((open, place));
        });
    }
    drop(listener);
    // Everybody who waits for a search is told.
    app.lanes.stop();
    let _ = tokio::time::timeout(TIME_TO_STOP, graceful.shutdown()).await;
}

async fn answer(
    mut router: Router,
    client: Client,
    mut request: Request<Incoming>,
) -> Result<axum::response::Response, std::convert::Infallible> {
    request.extensions_mut().insert(client);
    router.call(request).await
}

/// Waits until the control is stopped.
async fn stopped(stop: &Control) {
    while !stop.is_stopped() {
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
}
