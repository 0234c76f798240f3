//! The engine's state, and what follows from each line that it reads.

use std::path::PathBuf;
use std::time::Duration;

use super::protocol::{Command, Go, Start, parse, shortened};
use crate::board::Size;
use crate::notation;
use crate::position::{Player, Position};

/// What can be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Memory in mebibytes.
    pub hash: u64,
    /// Threads that prove.
    pub threads: usize,
    /// What is kept back of every time for the way to and from the engine.
    pub overhead: Duration,
    /// Folders with tables; none: the usual ones.
    pub tables: Vec<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self { hash: 256, threads: 1, overhead: Duration::from_millis(10), tables: Vec::new() }
    }
}

/// A search that is to be begun.
#[derive(Clone, PartialEq, Debug)]
pub struct Search {
    /// Where.
    pub position: Position<u128>,
    /// How long at most; none: as long as nobody stops it, or the other limits allow.
    pub time: Option<Duration>,
    /// How many nodes.
    pub nodes: Option<u64>,
    /// How many plies ahead.
    pub depth: Option<u32>,
    /// Whether the answer waits until somebody says `stop`.
    pub waits: bool,
}

/// What is to be done after a line.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Write this line.
    Say(String),
    /// Draw this position.
    Draw(Position<u128>),
    /// Begin this search, and at its end tell the session.
    Search(Box<Search>),
    /// Count lines of play from this position, and at the end tell the session.
    Perft(Position<u128>, usize),
    /// Stop the search.
    Stop,
    /// Forget what was learned: another game begins, or something was set.
    Forget,
    /// End.
    Quit,
}

/// The start of the variant joust.
const JOUST: &str = "8/8/8/4n3/3N4/8/8/8 w";

const VARIANT: &str = "joust";

/// What an engine remembers between lines.
pub struct Session {
    options: Options,
    /// The start of the variant.
    start: Position<u128>,
    position: Position<u128>,
    is_searching: bool,
}

impl Default for Session {
    fn default() -> Self {
        let start = variant(VARIANT).expect("the first variant is one");
        Self { options: Options::default(), position: start.clone(), start, is_searching: false }
    }
}

/// The start of a variant by its name: `joust`, or `joust` and a board, on which both players still have to place.
fn variant(name: &str) -> Option<Position<u128>> {
    match name.strip_prefix(VARIANT)? {
        "" => Position::new(notation::parse(JOUST).ok()?).ok(),
        board => Some(Position::empty(board.parse::<Size>().ok()?)),
    }
}

impl Session {
    /// What has been set.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The search that was begun has ended.
    pub fn search_ended(&mut self) {
        self.is_searching = false;
    }

    /// What is to be done after a line. Whatever it is, the session goes on.
    pub fn read(&mut self, line: &str) -> Vec<Effect> {
        let done = parse(line).and_then(|command| self.obey(command));
        done.unwrap_or_else(|fault| vec![Effect::Say(format!("info string {fault}"))])
    }

    fn obey(&mut self, command: Command) -> Result<Vec<Effect>, String> {
        let waits_for_search =
            matches!(command, Command::NewGame | Command::SetOption { .. } | Command::Position { .. } | Command::Go(_));
        if self.is_searching && waits_for_search {
            return Err("a search is running: say stop first".to_string());
        }
        match command {
            Command::Nothing => Ok(Vec::new()),
            Command::Uci => Ok(self.introduction().into_iter().map(Effect::Say).collect()),
            Command::IsReady => Ok(vec![Effect::Say("readyok".to_string())]),
            Command::NewGame => Ok(vec![Effect::Forget]),
            Command::SetOption { name, value } => self.set(&name, &value).map(|()| vec![Effect::Forget]),
            Command::Position { start, moves } => {
                self.position = self.reach(start, &moves)?;
                Ok(Vec::new())
            }
            Command::Draw => Ok(vec![Effect::Draw(self.position.clone())]),
            Command::Stop => Ok(vec![Effect::Stop]),
            Command::Quit => Ok(vec![Effect::Stop, Effect::Quit]),
            Command::Go(go) => {
                self.is_searching = true;
                Ok(vec![match go.perft {
                    Some(plies) => Effect::Perft(self.position.clone(), plies),
                    None => Effect::Search(Box::new(self.search(&go))),
                }])
            }
        }
    }

    fn introduction(&self) -> Vec<String> {
        let Options { hash, threads, overhead, .. } = Options::default();
        let lines = [
            format!("id name Isolde {}", env!("CARGO_PKG_VERSION")),
            "id author the Isolde authors".to_string(),
            format!("option name Hash type spin default {hash} min {LEAST_HASH} max {MOST_HASH}"),
            format!("option name Threads type spin default {threads} min 1 max {MOST_THREADS}"),
            format!("option name Move Overhead type spin default {} min 0 max {MOST_OVERHEAD}", overhead.as_millis()),
            "option name Tables type string default <empty>".to_string(),
            format!(
                "option name UCI_Variant type combo default {VARIANT} var {VARIANT} var joust5x5 var joust6x6 var joust7x7 var joust11x9"
            ),
            "uciok".to_string(),
        ];
        lines.to_vec()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = |least: u64, most: u64| {
            let number = value.parse::<u64>().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| format!("{name}: `{}` is no number from {least} to {most}", shortened(value)))
        };
        match name.to_ascii_lowercase().as_str() {
            "hash" => self.options.hash = number(LEAST_HASH, MOST_HASH)?,
            "threads" => self.options.threads = number(1, MOST_THREADS)? as usize,
            "move overhead" => self.options.overhead = Duration::from_millis(number(0, MOST_OVERHEAD)?),
            "tables" => {
                let folders: Vec<PathBuf> = match value {
                    "" | "<empty>" => Vec::new(),
                    folders => std::env::split_paths(folders).collect(),
                };
                if let Some(missing) = folders.iter().find(|folder| !folder.is_dir()) {
                    return Err(format!("Tables: there is no folder {}", shortened(&missing.display().to_string())));
                }
                self.options.tables = folders;
            }
            "uci_variant" => {
                let known = variant(&value.to_ascii_lowercase());
                let fault = || {
                    format!(
                        "UCI_Variant: `{}` is neither {VARIANT} nor {VARIANT} with a board, such as joust7x7",
                        shortened(value)
                    )
                };
                self.start = known.ok_or_else(fault)?;
                self.position = self.start.clone();
            }
            _ => return Err(format!("there is no option `{}`", shortened(name))),
        }
        Ok(())
    }

    /// The position after these moves. If one of them is wrong, the position stays what it was.
    fn reach(&self, start: Start, moves: &[String]) -> Result<Position<u128>, String> {
        let start = match start {
            Start::Variant => self.start.clone(),
            Start::Fen(fen) => {
                let fault = |fault: String| format!("position fen: {}", shortened(&fault));
                if !fen.contains('/') && !fen.contains(' ') {
                    return Err(fault(format!("`{fen}` is no position")));
                }
                let setup = notation::parse(&fen).map_err(|why| fault(why.to_string()))?;
                Position::new(setup).map_err(|why| fault(why.to_string()))?
            }
        };
        moves.iter().try_fold(start, |position, text| {
            let to = notation::parse_move(&position, text)
                .map_err(|why| format!("position moves: {}", shortened(&why.to_string())))?;
            Ok(position.play_unchecked(to))
        })
    }

    fn search(&self, go: &Go) -> Search {
        let turn = self.position.turn() as usize;
        let least = Duration::from_millis(1);
        let kept = |time: Duration| time.saturating_sub(self.options.overhead).max(least);
        let by_clock = go.left[turn].map(|left| kept(allotted(left, go.increment[turn], self.moves_to_go(go)).min(left)));
        let has_limit =
            go.movetime.is_some() || by_clock.is_some() || go.nodes.is_some() || go.depth.is_some() || go.mate.is_some();
        Search {
            position: self.position.clone(),
            time: go.movetime.map(kept).or(by_clock),
            nodes: go.nodes,
            // A mate in so many moves is seen by looking twice as many plies ahead.
            depth: go.depth.or(go.mate.map(|moves| 2 * moves)),
            waits: go.infinite || !has_limit,
        }
    }

    /// How many moves the mover will still have to make, roughly: each takes a cell, and games end long before all are taken.
    fn moves_to_go(&self, go: &Go) -> u32 {
        let expected = self.position.free().len() as u32 * 3 / 10;
        go.moves_to_go.unwrap_or(expected).clamp(2, 60)
    }
}

/// The time for one of so many moves, and most of what it brings in.
fn allotted(left: Duration, increment: Duration, moves: u32) -> Duration {
    left / moves + increment * 3 / 4
}

const LEAST_HASH: u64 = 16;
const MOST_HASH: u64 = 1 << 16;
const MOST_THREADS: u64 = 256;
const MOST_OVERHEAD: u64 = 5000;

/// Whose clock is whose: the first player is white.
const _: () = assert!(Player::First as usize == 0);

#[cfg(test)]
mod tests {
    use super::*;

    fn say(session: &mut Session, line: &str) -> String {
        match session.read(line).as_slice() {
            [Effect::Say(said)] => said.clone(),
            other => panic!("{line}: {other:?}"),
        }
    }

    fn search(session: &mut Session, line: &str) -> Search {
        match session.read(line).as_slice() {
            [Effect::Search(search)] => {
                session.search_ended();
                (**search).clone()
            }
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn positions_are_reached_or_refused() {
        let mut session = Session::default();
        assert_eq!(session.read("position startpos moves d4e6,e6d4 e5c4,c4e5"), []);
        assert_eq!(session.position.setup().to_string(), "8/8/4N3/4*3/2n*4/8/8/8 w");
        let before = session.position.clone();
        for (wrong, why) in [
            ("position startpos moves d4d5", "position moves"),
            ("position startpos moves d4e6,e6d5", "position moves"),
            ("position fen rnbqkbnr/8/8 w", "position fen"),
            ("position fen 7x7", "position fen"),
            ("position", "write position"),
        ] {
            let said = say(&mut session, wrong);
            assert!(said.starts_with(&format!("info string {why}")), "{wrong}: {said}");
            assert_eq!(session.position, before);
        }
        assert_eq!(session.read("setoption name UCI_Variant value joust7x7"), [Effect::Forget]);
        assert_eq!(session.read("position startpos moves d4 b3"), []);
        assert_eq!(session.position.size().to_string(), "7x7");
        assert_eq!(session.read("position fen 5/5/5/5/5 w moves a1 c3"), []);
        assert_eq!(session.position.size().to_string(), "5x5");
    }

    #[test]
    fn the_clock_is_divided() {
        let mut session = Session::default();
        let limits = |search: Search| (search.time, search.nodes, search.depth, search.waits);
        assert_eq!(limits(search(&mut session, "go movetime 100")), (Some(Duration::from_millis(90)), None, None, false));
        assert_eq!(limits(search(&mut session, "go movetime 3")), (Some(Duration::from_millis(1)), None, None, false));
        assert_eq!(limits(search(&mut session, "go depth 7")), (None, None, Some(7), false));
        assert_eq!(limits(search(&mut session, "go nodes 1000")), (None, Some(1000), None, false));
        assert_eq!(limits(search(&mut session, "go mate 4")), (None, None, Some(8), false));
        assert_eq!(limits(search(&mut session, "go infinite")), (None, None, None, true));
        assert_eq!(limits(search(&mut session, "go")), (None, None, None, true));
        let left = |search: Search| search.time.unwrap().as_millis();
        let minute = left(search(&mut session, "go wtime 60000 btime 1 winc 0 binc 0"));
        assert!((1000..10_000).contains(&minute), "{minute}");
        assert!(left(search(&mut session, "go wtime 60000 btime 1 winc 1000 binc 0")) > minute + 700);
        // Never more than there is, whatever the increment promises.
        assert!(left(search(&mut session, "go wtime 30 btime 1 winc 1000 binc 0")) <= 20);
        assert_eq!(left(search(&mut session, "go wtime 0 btime 1")), 1);
    }

    #[test]
    fn a_search_is_not_disturbed() {
        let mut session = Session::default();
        assert!(matches!(session.read("go infinite").as_slice(), [Effect::Search(_)]));
        for line in ["go depth 3", "position startpos", "setoption name Hash value 32", "ucinewgame"] {
            assert_eq!(say(&mut session, line), "info string a search is running: say stop first");
        }
        assert_eq!(say(&mut session, "isready"), "readyok");
        assert_eq!(session.read("stop"), [Effect::Stop]);
        session.search_ended();
        assert_eq!(session.read("setoption name Hash value 32"), [Effect::Forget]);
        assert_eq!(session.options().hash, 32);
        for wrong in [
            "Hash value 1",
            "Hash value lots",
            "Threads value 0",
            "Tables value /no/such/folder",
            "UCI_Variant value chess",
            "Contempt value 3",
        ] {
            let said = say(&mut session, &format!("setoption name {wrong}"));
            assert!(said.starts_with("info string "), "{said}");
        }
        assert_eq!(session.read("quit"), [Effect::Stop, Effect::Quit]);
    }
}
