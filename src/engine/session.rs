//! The engine's state, and the effects of each line that it reads.

use std::path::PathBuf;
use std::time::Duration;

use super::protocol::{Command, Go, Start, parse, shortened};
use crate::game::board::Size;
use crate::game::notation;
use crate::game::position::{Player, Position};

/// The options that `setoption` sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Memory in mebibytes.
    pub hash: u64,
    /// The number of threads for proofs.
    pub threads: usize,
    /// The time kept back in every move for the communication with the engine.
    pub overhead: Duration,
    /// The folders with tables. If empty, the default folders.
    pub tables: Vec<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self { hash: 256, threads: 1, overhead: Duration::from_millis(10), tables: Vec::new() }
    }
}

/// A search to start.
#[derive(Clone, PartialEq, Debug)]
pub struct Search {
    /// The position to search.
    pub position: Position,
    /// The most time. `None` if time is not limited.
    pub time: Option<Duration>,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// The most plies to look ahead.
    pub depth: Option<u32>,
    /// Whether the answer waits for `stop`.
    pub waits: bool,
}

/// What the caller does after a line.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Write this line.
    Say(String),
    /// Draw this position.
    Draw(Position),
    /// Start this search, and call [`Session::search_ended`] when it ends.
    Search(Box<Search>),
    /// Count lines of play of this length from this position, and call [`Session::search_ended`] at
    /// the end.
    Perft(Position, usize),
    /// Stop the search.
    Stop,
    /// Discard the player: a new game begins, or an option has changed.
    Forget,
    /// End the program.
    Quit,
}

/// The start position of joust.
const JOUST: &str = "8/8/8/4n3/3N4/8/8/8 w";

/// The default variant.
const VARIANT: &str = "joust";

/// The state of an engine between two lines.
pub struct Session {
    options: Options,
    /// The start position of the variant.
    start: Position,
    position: Position,
    is_searching: bool,
}

impl Default for Session {
    fn default() -> Self {
        let start = variant(VARIANT).expect("the default variant exists");
        Self { options: Options::default(), position: start.clone(), start, is_searching: false }
    }
}

/// The start position of a variant: `joust`, or `joust` and a board such as `joust7x7`, on which
/// both players place first.
fn variant(name: &str) -> Option<Position> {
    match name.strip_prefix(VARIANT)? {
        "" => Position::new(notation::parse(JOUST).ok()?).ok(),
        board => Some(Position::empty(board.parse::<Size>().ok()?)),
    }
}

impl Session {
    /// The current options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Tells the session that its search has ended.
    pub fn search_ended(&mut self) {
        self.is_searching = false;
    }

    /// Reads a line and returns what the caller has to do. A wrong line is answered with `info
    /// string` and changes nothing.
    pub fn read(&mut self, line: &str) -> Vec<Effect> {
        let done = parse(line).map_err(|fault| fault.to_string()).and_then(|command| self.obey(command));
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
        let variants = [VARIANT, "joust5x5", "joust6x6", "joust7x7", "joust11x9"].map(|variant| format!(" var {variant}"));
        let lines = [
            format!("id name Isolde {}", env!("CARGO_PKG_VERSION")),
            "id author the Isolde authors".to_string(),
            format!("option name Hash type spin default {hash} min {LEAST_HASH} max {MOST_HASH}"),
            format!("option name Threads type spin default {threads} min 1 max {MOST_THREADS}"),
            format!("option name Move Overhead type spin default {} min 0 max {MOST_OVERHEAD}", overhead.as_millis()),
            "option name Tables type string default <empty>".to_string(),
            format!("option name UCI_Variant type combo default {VARIANT}{}", variants.concat()),
            "uciok".to_string(),
        ];
        lines.to_vec()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = |least: u64, most: u64| {
            let number = value.parse::<u64>().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| format!("{name}: `{}` is not a number from {least} to {most}", shortened(value)))
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

    /// The position after these moves.
    fn reach(&self, start: Start, moves: &[String]) -> Result<Position, String> {
        let start = match start {
            Start::Variant => self.start.clone(),
            Start::Fen(fen) => {
                let fault = |fault: String| format!("position fen: {}", shortened(&fault));
                if !fen.contains('/') && !fen.contains(' ') {
                    return Err(fault(format!("`{fen}` is not a position")));
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
            // A mate in n moves is at most 2n plies away.
            depth: go.depth.or(go.mate.map(|moves| 2 * moves)),
            waits: go.infinite || !has_limit,
        }
    }

    /// A rough estimate of the moves that the mover still has to make. Every move takes a cell, and
    /// games end long before all cells are taken.
    fn moves_to_go(&self, go: &Go) -> u32 {
        let expected = self.position.free().len() as u32 * 3 / 10;
        go.moves_to_go.unwrap_or(expected).clamp(2, 60)
    }
}

/// The time for one move: an equal share of the clock, and most of the increment.
fn allotted(left: Duration, increment: Duration, moves: u32) -> Duration {
    left / moves + increment * 3 / 4
}

const LEAST_HASH: u64 = 16;
const MOST_HASH: u64 = 1 << 16;
const MOST_THREADS: u64 = 256;
const MOST_OVERHEAD: u64 = 5000;

/// [`Go`] lists white's clock first, and the first player is white.
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
    fn a_position_is_set_up_or_refused() {
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
    fn the_time_on_the_clock_is_divided_between_the_moves() {
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
        // Never more than is left on the clock, however large the increment.
        assert!(left(search(&mut session, "go wtime 30 btime 1 winc 1000 binc 0")) <= 20);
        assert_eq!(left(search(&mut session, "go wtime 0 btime 1")), 1);
    }

    #[test]
    fn a_running_search_is_not_disturbed() {
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
