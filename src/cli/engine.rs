//! `isolde engine`: spoken to by other programs, in the UCI protocol.

use std::io::{self, BufRead, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::{Failure, Status, folders, output, picture};
use crate::board::Size;
use crate::cells::Word;
use crate::engine::{Effect, Options, Search, Session, best_move, info};
use crate::notation::walling_move;
use crate::perft::perft;
use crate::play::{Best, Clock, Decision, Manner, Thinker};
use crate::position::Position;
use crate::solve::{Control, Settings, SolverError};
use crate::table::Shelf;

/// Speak the UCI protocol, for match runners and analysis programs
///
/// Reads commands from standard input and answers on standard output until `quit` or the end of input. Variants: joust (8x8, knights on d4 and e5), and joust with a board, such as joust7x7, on which
/// both players place first: there a move is the cell alone. Otherwise moves are written as in joust, the move and the wall that it leaves: d4e6,e6d4.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {}

const EXAMPLES: &str = "\
Examples:
  isolde engine                        then type: position startpos, go movetime 500, quit

Commands: uci, isready, ucinewgame, setoption, position, go, stop, quit; d draws the board, go perft N counts lines of play.";

/// What happens to an engine.
enum Event {
    Line(String),
    /// There will be no more lines.
    End,
    /// The search has ended with this line.
    Searched(String),
}

/// The player, with the word that its board needs; kept from move to move.
enum Player {
    Small(Best<u64>),
    Large(Best<u128>),
}

/// The player's chair: taken by the search as long as it runs.
type Chair = Arc<Mutex<Option<(Size, Player)>>>;

/// A search that runs.
struct Running {
    control: Arc<Control>,
    thread: Option<JoinHandle<String>>,
}

pub(super) fn run(_: &Args) -> Result<Status, Failure> {
    let (events, inbox) = channel();
    let lines = events.clone();
    std::thread::spawn(move || {
        // A line that is no text is garbage like other garbage; what cannot be read ends the input.
        let send = |line: Vec<u8>| lines.send(Event::Line(String::from_utf8_lossy(&line).into_owned())).is_ok();
        io::stdin().lock().split(b'\n').map_while(Result::ok).all(send);
        let _ = lines.send(Event::End);
    });
    let (mut session, chair) = (Session::default(), Chair::default());
    let mut running: Option<Running> = None;
    for event in inbox {
        let effects = match event {
            Event::Line(line) => session.read(&line),
            Event::End => vec![Effect::Stop, Effect::Quit],
            // Said here, and not by the search: whoever reads it may begin another one at once.
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
                Effect::Search(search) => running = Some(begin(*search, session.options(), &chair, events.clone())),
                Effect::Perft(position, plies) => running = Some(count(position, plies, events.clone())),
                Effect::Stop => running.iter().for_each(|running| running.control.stop()),
                Effect::Forget => *chair.lock().expect("no search panics") = None,
                Effect::Quit => {
                    // A search still says what it has found. Counting cannot be stopped, and is not waited for.
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

/// Writes a line at once. Nobody else writes between its parts.
fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

fn draw(position: &Position<u128>) -> io::Result<()> {
    let mut out = output::answer();
    picture::draw(&mut out, position)?;
    writeln!(out, "\nFen: {}", position.setup())?;
    out.flush()
}

/// Begins a search in a thread of its own.
fn begin(search: Search, options: &Options, chair: &Chair, events: Sender<Event>) -> Running {
    let whole = Arc::new(Control::with_time(search.time));
    let control = Arc::new(search.nodes.map_or_else(|| whole.part(None), |nodes| whole.part_of_nodes(nodes)));
    let (options, chair, stopped) = (options.clone(), Arc::clone(chair), Arc::clone(&control));
    let thread = std::thread::spawn(move || {
        let line = answer(&search, &options, &chair, &stopped);
        let _ = events.send(Event::Searched(line.clone()));
        line
    });
    Running { control, thread: Some(thread) }
}

/// How often somebody who waits for `stop` looks whether it was said.
const LOOK: Duration = Duration::from_millis(1);

/// The search itself: says what it finds on the way, and gives back the line with the move. If nobody reads any more there is nobody to tell.
fn answer(search: &Search, options: &Options, chair: &Chair, control: &Arc<Control>) -> String {
    let started = Instant::now();
    let position = &search.position;
    let mut chair = chair.lock().expect("no search panics");
    let chosen = if position.winner().is_some() {
        let _ = say("info depth 0 score mate 0");
        None
    } else {
        match seated(&mut chair, position.size(), options) {
            Ok(player) => {
                let clock = Clock { control: Arc::clone(control), depth: search.depth };
                let (decision, filling) = match player {
                    Player::Small(best) => think(best, position, &clock, started),
                    Player::Large(best) => think(best, position, &clock, started),
                };
                let _ = say(&info(position, &decision, started.elapsed(), filling));
                Some(decision.to)
            }
            Err(fault) => {
                let _ = say(&format!("info string {fault}"));
                position.legal_moves().first()
            }
        }
    };
    while search.waits && !control.is_stopped() {
        std::thread::sleep(LOOK);
    }
    best_move(position, chosen)
}

/// What the player chooses, and how full its cache is then; meanwhile it says what it would choose.
fn think<W: Word>(best: &mut Best<W>, position: &Position<u128>, clock: &Clock, started: Instant) -> (Decision, u32) {
    let seen = Position::<W>::new(position.setup()).expect("the board fits the word that was chosen for it");
    let filling = best.filling();
    let mut tell = |decision: &Decision| {
        let _ = say(&info(position, decision, started.elapsed(), filling));
    };
    let decision = best.think(&seen, clock, &mut tell);
    (decision, best.filling())
}

/// The player for a board: the one that sits there, or a new one.
fn seated<'a>(chair: &'a mut Option<(Size, Player)>, size: Size, options: &Options) -> Result<&'a mut Player, SolverError> {
    if chair.as_ref().is_none_or(|(seated, _)| *seated != size) {
        let threads = NonZero::new(options.threads).unwrap_or(NonZero::<usize>::MIN);
        let settings = Settings { threads, memory: options.hash << 20 };
        let tables = if options.tables.is_empty() { folders::usual() } else { options.tables.clone() };
        let player = if size.fits::<u64>() {
            Player::Small(player(size, settings, &tables)?)
        } else {
            Player::Large(player(size, settings, &tables)?)
        };
        *chair = Some((size, player));
    }
    Ok(&mut chair.as_mut().expect("somebody sits there now").1)
}

fn player<W: Word>(size: Size, settings: Settings, tables: &[PathBuf]) -> Result<Best<W>, SolverError> {
    let shelf = Arc::new(Shelf::open(size, tables));
    Best::new(size, settings, shelf, Manner { guesses: true, tells_line: true })
}

/// Counts lines of play, move by move, as Stockfish does.
fn count(position: Position<u128>, plies: usize, events: Sender<Event>) -> Running {
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
