//! A search as `go` asks for it: which moves it chooses from, and how long it may take.

use std::time::Duration;

use super::options::Options;
use super::protocol::{Go, shortened};
use crate::game::cells::Cell;
use crate::game::notation;
use crate::game::position::{Player, Position};

/// A search to start.
#[derive(Clone, PartialEq, Debug)]
pub struct Search {
    /// The position to search.
    pub position: Position,
    /// The moves to choose from: all legal moves, or those that `searchmoves` names. Empty only if
    /// the game is over.
    pub moves: Vec<Cell>,
    /// The most time. `None` if time is not limited.
    pub time: Option<Duration>,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// The most plies to look ahead.
    pub depth: Option<u32>,
    /// Whether the answer waits for `stop`.
    pub waits: bool,
    /// Whether the answer waits for `ponderhit`, and the time begins only then.
    pub ponders: bool,
}

/// The time for a search that needs a limit and has none.
const TIME_WITHOUT_LIMIT: Duration = Duration::from_millis(100);

/// [`Go`] lists white's clock first, and the first player is white.
const _: () = assert!(Player::First as usize == 0);

impl Search {
    /// The search that `go` asks for in a position, and what is wrong with what it says.
    pub(super) fn new(go: &Go, position: &Position, options: &Options) -> (Self, Vec<String>) {
        let (moves, mut faults) = moves_to_search(go, position);
        let time = time(go, position, options);
        let has_limit = time.is_some() || go.nodes.is_some() || go.depth.is_some() || go.mate.is_some();
        if go.is_timed() && !has_limit && !go.infinite {
            let clock = ["wtime", "btime"][position.turn() as usize];
            faults.push(format!("go: the clock of the player to move is missing: write {clock} and its milliseconds"));
        }
        faults.splice(..0, go.faults.iter().map(ToString::to_string));
        // The other program waits for a move. `stop` may never come if the limit is what could not
        // be understood, or once the opponent has moved.
        let needs_limit = !has_limit && !go.infinite && (go.ponder || !faults.is_empty());
        let search = Self {
            position: position.clone(),
            moves,
            time: if needs_limit { Some(TIME_WITHOUT_LIMIT) } else { time },
            nodes: go.nodes,
            // A mate in n moves is at most 2n plies away.
            depth: go.depth.or(go.mate.map(|moves| 2 * moves)),
            waits: go.infinite || !(has_limit || needs_limit),
            ponders: go.ponder,
        };
        (search, faults)
    }
}

/// The moves to choose from, and what is wrong with those that `searchmoves` names. If none of
/// them can be played, all legal moves.
fn moves_to_search(go: &Go, position: &Position) -> (Vec<Cell>, Vec<String>) {
    let (mut moves, mut faults) = (Vec::new(), Vec::new());
    for text in &go.search_moves {
        match notation::parse_move(position, text) {
            Ok(to) if moves.contains(&to) => {}
            Ok(to) => moves.push(to),
            Err(why) => faults.push(format!("go searchmoves: {}", shortened(&why.to_string()))),
        }
    }
    if moves.is_empty() {
        moves = position.legal_moves().into_iter().collect();
        if !faults.is_empty() {
            faults.push("go searchmoves: none of these moves is legal, so all moves are searched".to_string());
        }
    }
    (moves, faults)
}

/// The time for the search, if it is limited. Some of it is kept back for the communication, but
/// at most half, however short it is.
fn time(go: &Go, position: &Position, options: &Options) -> Option<Duration> {
    let turn = position.turn() as usize;
    let by_clock = || Some(allotted(go.left[turn]?, go.increment[turn], moves_to_go(go, position)));
    go.movetime.or_else(by_clock).map(|time| time - options.overhead.min(time / 2))
}

/// A rough estimate of the moves that the mover still has to make. Every move takes a cell, and
/// games end long before all cells are taken.
fn moves_to_go(go: &Go, position: &Position) -> u32 {
    let expected = position.free().len() as u32 * 3 / 10;
    go.moves_to_go.unwrap_or(expected).clamp(2, 60)
}

/// The time for one move: an equal share of the clock, and most of the increment, but never more
/// than is left.
fn allotted(left: Duration, increment: Duration, moves: u32) -> Duration {
    (left / moves + increment * 3 / 4).min(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::protocol::{Command, parse};

    /// The search that a line asks for at the start of joust, and what is wrong with the line.
    fn told(line: &str) -> (Vec<String>, Search) {
        let position = Position::new(notation::parse("8/8/8/4n3/3N4/8/8/8 w").unwrap()).unwrap();
        let Ok(Command::Go(go)) = parse(line) else { panic!("{line} is no go") };
        let (search, faults) = Search::new(&go, &position, &Options::default());
        (faults, search)
    }

    fn asked(line: &str) -> Search {
        let (faults, search) = told(line);
        assert_eq!(faults, [""; 0], "{line}");
        search
    }

    #[test]
    fn the_time_on_the_clock_is_divided_between_the_moves() {
        let limits = |search: Search| (search.time, search.nodes, search.depth, search.waits);
        assert_eq!(limits(asked("go movetime 100")), (Some(Duration::from_millis(90)), None, None, false));
        // At most half of a fixed time is kept back.
        assert_eq!(limits(asked("go movetime 5")), (Some(Duration::from_micros(2500)), None, None, false));
        assert_eq!(limits(asked("go depth 7")), (None, None, Some(7), false));
        assert_eq!(limits(asked("go nodes 1000")), (None, Some(1000), None, false));
        assert_eq!(limits(asked("go mate 4")), (None, None, Some(8), false));
        assert_eq!(limits(asked("go infinite")), (None, None, None, true));
        assert_eq!(limits(asked("go")), (None, None, None, true));
        let left = |search: Search| search.time.unwrap().as_millis();
        let minute = left(asked("go wtime 60000 btime 1 winc 0 binc 0"));
        assert!((1000..10_000).contains(&minute), "{minute}");
        assert!(left(asked("go wtime 60000 btime 1 winc 1000 binc 0")) > minute + 700);
        // Never more than is left on the clock, however large the increment.
        assert!(left(asked("go wtime 30 btime 1 winc 1000 binc 0")) <= 20);
        assert_eq!(left(asked("go wtime 0 btime 1")), 0);
    }

    #[test]
    fn a_faulty_go_starts_a_search_that_ends() {
        let ends = |search: &Search| search.time.is_some() || search.nodes.is_some() || search.depth.is_some();
        for (line, time) in [
            ("go movetime abc", Some(100)),
            ("go movetime", Some(100)),
            ("go banana", Some(100)),
            ("go perft x", Some(100)),
            ("go depth many movetime 40", Some(30)),
            ("go wtime abc btime 1000", Some(100)),
            ("go btime 1000 binc 1000", Some(100)),
            ("go winc 10", Some(100)),
            ("go movestogo 3", Some(100)),
            ("go movetime x depth 3", None),
            ("go searchmoves a1a2", Some(100)),
        ] {
            let (said, search) = told(line);
            assert!(!said.is_empty() && said.iter().all(|line| line.starts_with("go")), "{line}: {said:?}");
            assert_eq!(search.time.map(|time| time.as_millis()), time, "{line}");
            assert!(!search.waits && ends(&search), "{line}: {search:?}");
        }
        // Once the opponent has moved, the answer does not wait for `stop`.
        let ponders = asked("go ponder");
        assert!(ponders.ponders && !ponders.waits && ends(&ponders));
        // Who asks for an endless search gets it.
        assert!(told("go infinite movetime abc").1.waits);
    }

    #[test]
    fn searchmoves_are_read_in_the_position() {
        let (said, search) = told("go searchmoves d4e6,e6d4 d4b5 d4e6 a1a2 xyz nodes 10");
        let named = search.moves.iter().map(|&to| notation::walling_move(&search.position, to));
        assert_eq!(named.collect::<Vec<_>>(), ["d4e6,e6d4", "d4b5,b5d4"]);
        assert_eq!(said.len(), 2, "{said:?}");
        assert_eq!(search.nodes, Some(10));
        let (said, search) = told("go nodes 10 searchmoves a1a2");
        assert_eq!((search.moves.len(), said.len()), (8, 2));
        assert!(said[1].contains("all moves are searched"), "{said:?}");
        assert_eq!(told("go nodes 10").1.moves.len(), 8);
    }
}
