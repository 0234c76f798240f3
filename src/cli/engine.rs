//! `isolde engine`: standard input and output around the library's UCI engine.

use std::io::{self, BufRead, Write};
use std::num::NonZero;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::{Failure, Status, folders, output, picture};
use crate::engine::{Effect, Options, Search, Session, best_move, info};
use crate::game::board::Size;
use crate::game::notation::walling_move;
use crate::game::perft::perft;
use crate::game::position::Position;
use crate::play::{Agent, Chooser, Clock, Decision, Means};
use crate::solve::{Control, Settings, SolverError};
use crate::table::Tables;

/// Speak the UCI protocol, for match runners and analysis programs
///
/// Reads commands from standard input and answers on standard output, until `quit` or the end of
/// input.
///
/// The variants are joust (8x8, knights on d4 and e5) and joust with a board, such as joust7x7, on
/// which both players place first. A placement is written as its cell. A move is written as in
/// joust, with the wall that it leaves: d4e6,e6d4.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {}

const EXAMPLES: &str = "\
Examples:
  isolde engine                        then type: position startpos, go movetime 500, quit

Commands: uci, isready, ucinewgame, setoption, position, go, stop, quit.
d draws the board, and go perft N counts lines of play.";

/// What the main loop waits for.
enum Event {
    /// A line of input.
    Line(String),
    /// The end of the input.
    End,
    /// The search has ended with this line.
    Searched(String),
}

/// The player and its board, kept from move to move. A running search holds the lock.
type Seat = Arc<Mutex<Option<(Size, Box<dyn Chooser>)>>>;

/// A running search.
struct Running {
    control: Arc<Control>,
    thread: Option<JoinHandle<String>>,
}

pub(super) fn run(_: &Args) -> Result<Status, Failure> {
    let (events, inbox) = channel();
    let lines = events.clone();
    std::thread::spawn(move || {
        // A line that is not UTF-8 is a wrong command like any other. A read error ends the input.
        let send = |line: Vec<u8>| lines.send(Event::Line(String::from_utf8_lossy(&line).into_owned())).is_ok();
        io::stdin().lock().split(b'\n').map_while(Result::ok).all(send);
        let _ = lines.send(Event::End);
    });
    let (mut session, seat) = (Session::default(), Seat::default());
    let mut running: Option<Running> = None;
    for event in inbox {
        let effects = match event {
            Event::Line(line) => session.read(&line),
            Event::End => vec![Effect::Stop, Effect::Quit],
            // The main loop prints the move, not the search thread: the reader may start the next
            // search at once.
            Event::Searched(line) => {
                session.search_ended();
                running = None;
                vec![Effect::Say(line)]
            }
        };
        for effect in effects {
            match effect {
                Effect::Say(line) => say(&line)?,
                Effect::Draw(position) => draw(&position)?,
                Effect::Search(search) => running = Some(start(*search, session.options(), &seat, events.clone())),
                Effect::Perft(position, plies) => running = Some(count(position, plies, events.clone())),
                Effect::Stop => running.iter().for_each(|running| running.control.stop()),
                Effect::Forget => *seat.lock().expect("no search panics") = None,
                Effect::Quit => {
                    // A search still prints its move. Perft cannot be stopped, so the program does
                    // not wait for it.
                    if let Some(Ok(line)) = running.and_then(|running| running.thread).map(JoinHandle::join) {
                        say(&line)?;
                    }
                    return Ok(Status::Answered);
                }
            }
        }
    }
    Ok(Status::Answered)
}

/// Prints a line at once, while holding the lock of standard output.
fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

fn draw(position: &Position) -> io::Result<()> {
    let mut out = output::answer();
    picture::draw(&mut out, position)?;
    writeln!(out, "\nFen: {}", position.setup())?;
    out.flush()
}

/// Starts a search on a thread of its own.
fn start(search: Search, options: &Options, seat: &Seat, events: Sender<Event>) -> Running {
    let whole = Arc::new(Control::with_time(search.time));
    let control = Arc::new(search.nodes.map_or_else(|| whole.part(None), |nodes| whole.part_of_nodes(nodes)));
    let (options, seat, stopped) = (options.clone(), Arc::clone(seat), Arc::clone(&control));
    let thread = std::thread::spawn(move || {
        let line = answer(&search, &options, &seat, &stopped);
        let _ = events.send(Event::Searched(line.clone()));
        line
    });
    Running { control, thread: Some(thread) }
}

/// How often a finished search that waits for `stop` looks for it.
const WAIT: Duration = Duration::from_millis(1);

/// Searches, prints `info` lines on the way, and returns the `bestmove` line. Errors of printing
/// are ignored: the main loop meets them, too, and ends the program.
fn answer(search: &Search, options: &Options, seat: &Seat, control: &Arc<Control>) -> String {
    let started = Instant::now();
    let position = &search.position;
    let mut seat = seat.lock().expect("no search panics");
    let chosen = if position.winner().is_some() {
        let _ = say("info depth 0 score mate 0");
        None
    } else {
        match seated(&mut seat, position.size(), options) {
            Ok(player) => {
                let clock = Clock { control: Arc::clone(control), depth: search.depth };
                let filling = player.filling();
                let mut report = |decision: &Decision| {
                    let _ = say(&info(position, decision, started.elapsed(), filling));
                };
                let decision = player.choose(position, &clock, &mut report);
                let _ = say(&info(position, &decision, started.elapsed(), player.filling()));
                Some(decision.to)
            }
            Err(fault) => {
                let _ = say(&format!("info string {fault}"));
                position.legal_moves().first()
            }
        }
    };
    while search.waits && !control.is_stopped() {
        std::thread::sleep(WAIT);
    }
    best_move(position, chosen)
}

/// The player for a board: the one that is seated, or a new one.
fn seated<'a>(
    seat: &'a mut Option<(Size, Box<dyn Chooser>)>,
    size: Size,
    options: &Options,
) -> Result<&'a mut dyn Chooser, SolverError> {
    if seat.as_ref().is_none_or(|(seated, _)| *seated != size) {
        let threads = NonZero::new(options.threads).unwrap_or(NonZero::<usize>::MIN);
        let settings = Settings { threads, memory: options.hash << 20 };
        let folders = if options.tables.is_empty() { folders::default_folders() } else { options.tables.clone() };
        let means = Means { settings, tables: Tables::open(size, &folders), wants_line: true };
        *seat = Some((size, Agent::Best.chooser(&means, 0)?));
    }
    Ok(seat.as_mut().expect("a player is seated").1.as_mut())
}

/// Counts the lines of play after each move, and prints them as Stockfish does.
fn count(position: Position, plies: usize, events: Sender<Event>) -> Running {
    std::thread::spawn(move || {
        let mut all = 0;
        for to in position.legal_moves() {
            let lines = if plies > 1 {
                perft(&position.play_unchecked(to), plies - 1).last().copied().unwrap_or(0)
            } else {
                plies as u64
            };
            all += lines;
            let _ = say(&format!("{}: {lines}", walling_move(&position, to)));
        }
        let _ = events.send(Event::Searched(format!("\nNodes searched: {}", if plies == 0 { 1 } else { all })));
    });
    Running { control: Arc::default(), thread: None }
}
