//! The engine's state, and the effects of each line that it reads.

use super::options::Options;
use super::protocol::{Command, Go, parse, shortened};
use super::search::Search;
use crate::game::board::Size;
use crate::game::notation::{self, Continuation, Start};
use crate::game::position::Position;

/// What the caller does after a line. All of it is done before the next line is read.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Write this line.
    Say(String),
    /// Draw this position.
    Draw(Position),
    /// Get a player ready for this board, so that the next search need not.
    Prepare(Size),
    /// Start this search, and call [`Session::search_ended`] when it ends.
    Search(Box<Search>),
    /// Count lines of play of this length from this position, and call [`Session::search_ended`] at
    /// the end.
    Perft(Position, usize),
    /// The time of the search that ponders begins now.
    PonderHit,
    /// Stop the search if there is one, wait for its end, and write its answer.
    Stop,
    /// Discard the player: a new game begins, or an option has changed.
    Forget,
    /// End the program.
    Quit,
}

/// The default variant.
const VARIANT: &str = "joust";

/// The state of an engine between two lines.
pub struct Session {
    options: Options,
    /// The start position of the variant.
    start: Position,
    position: Position,
    is_searching: bool,
    is_pondering: bool,
}

impl Default for Session {
    fn default() -> Self {
        let start = variant(VARIANT).expect("the default variant exists");
        Self { options: Options::default(), position: start.clone(), start, is_searching: false, is_pondering: false }
    }
}

/// The start position of a variant: `joust`, or `joust` and a board such as `joust7x7`, on which
/// both players place first.
fn variant(name: &str) -> Option<Position> {
    match name.strip_prefix(VARIANT)? {
        "" => Some(notation::joust()),
        board => Some(Position::empty(board.parse::<Size>().ok()?)),
    }
}

/// All variants: another program may refuse to set one that it has not been told of.
fn variants() -> impl Iterator<Item = String> {
    std::iter::once(VARIANT.to_string()).chain(Size::every().map(|size| format!("{VARIANT}{size}")))
}

impl Session {
    /// The current options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Tells the session that its search has ended.
    pub fn search_ended(&mut self) {
        (self.is_searching, self.is_pondering) = (false, false);
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
            Command::IsReady => {
                let ready = Effect::Say("readyok".to_string());
                Ok(if self.is_searching { vec![ready] } else { vec![Effect::Prepare(self.position.size()), ready] })
            }
            Command::NewGame => Ok(vec![Effect::Forget]),
            Command::SetOption { name, value } => self.set(&name, &value).map(|()| vec![Effect::Forget]),
            Command::Position { start, moves } => {
                self.position = self.reach(&start, &moves)?;
                Ok(Vec::new())
            }
            Command::Draw => Ok(vec![Effect::Draw(self.position.clone())]),
            Command::PonderHit if !self.is_pondering => Err("ponderhit: no search is pondering".to_string()),
            Command::PonderHit => {
                self.is_pondering = false;
                Ok(vec![Effect::PonderHit])
            }
            Command::Stop => {
                self.search_ended();
                Ok(vec![Effect::Stop])
            }
            Command::Quit => Ok(vec![Effect::Stop, Effect::Quit]),
            Command::Go(go) => Ok(self.go(&go)),
        }
    }

    fn introduction(&self) -> Vec<String> {
        let variants: String = variants().map(|variant| format!(" var {variant}")).collect();
        let names = [format!("id name Isolde {}", env!("CARGO_PKG_VERSION")), "id author the Isolde authors".to_string()];
        let variant = format!("option name UCI_Variant type combo default {VARIANT}{variants}");
        names.into_iter().chain(Options::listed()).chain([variant, "uciok".to_string()]).collect()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        if !name.eq_ignore_ascii_case("uci_variant") {
            return self.options.set(name, value);
        }
        let unknown =
            || format!("UCI_Variant: `{}` is neither {VARIANT} nor {VARIANT} with a board, such as joust7x7", shortened(value));
        self.start = variant(&value.to_ascii_lowercase()).ok_or_else(unknown)?;
        self.position = self.start.clone();
        Ok(())
    }

    /// The position after these moves.
    fn reach(&self, start: &Start, moves: &[String]) -> Result<Position, String> {
        let start = start.position(&self.start).map_err(|why| format!("position fen: {}", shortened(&why.to_string())))?;
        let mut played = Continuation::new(start);
        played.play_words(moves.iter().map(String::as_str)).map_err(|why| {
            // Shortened as it is, the sentence has no room for the number of the move.
            let why = if let notation::Error::Line { fault, .. } = why { *fault } else { why };
            format!("position moves: {}", shortened(&why.to_string()))
        })?;
        Ok(played.end().clone())
    }

    /// Tells what is wrong in `go`, and starts the search or the count all the same.
    fn go(&mut self, go: &Go) -> Vec<Effect> {
        let (search, faults) = Search::new(go, &self.position, &self.options);
        (self.is_searching, self.is_pondering) = (true, search.ponders && go.perft.is_none());
        let work = match go.perft {
            Some(plies) => Effect::Perft(self.position.clone(), plies),
            None => Effect::Search(Box::new(search)),
        };
        faults.into_iter().map(|fault| Effect::Say(format!("info string {fault}"))).chain([work]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(session: &mut Session, line: &str) -> String {
        match session.read(line).as_slice() {
            [Effect::Say(said)] => said.clone(),
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
    fn pondering_waits_for_the_opponent() {
        let mut session = Session::default();
        assert_eq!(say(&mut session, "ponderhit"), "info string ponderhit: no search is pondering");
        assert!(matches!(session.read("go ponder movetime 100").as_slice(), [Effect::Search(search)]
           if search.ponders));
        assert_eq!(session.read("ponderhit"), [Effect::PonderHit]);
        assert_eq!(say(&mut session, "ponderhit"), "info string ponderhit: no search is pondering");
        assert_eq!(session.read("stop"), [Effect::Stop]);
    }

    #[test]
    fn a_running_search_is_not_disturbed() {
        let mut session = Session::default();
        assert!(matches!(session.read("go infinite").as_slice(), [Effect::Search(_)]));
        for line in ["go depth 3", "position startpos", "setoption name Hash value 32", "ucinewgame"] {
            assert_eq!(say(&mut session, line), "info string a search is running: say stop first");
        }
        assert_eq!(say(&mut session, "isready"), "readyok");
        // After `stop` the next line finds no search running.
        assert_eq!(session.read("stop"), [Effect::Stop]);
        assert_eq!(session.read("setoption name Hash value 32"), [Effect::Forget]);
        assert_eq!(session.options().hash, 32);
        assert!(matches!(session.read("isready").as_slice(), [Effect::Prepare(_), Effect::Say(ready)] if ready == "readyok"));
        for wrong in ["Hash value 1", "UCI_Variant value chess"] {
            let said = say(&mut session, &format!("setoption name {wrong}"));
            assert!(said.starts_with("info string "), "{said}");
        }
        assert_eq!(session.read("quit"), [Effect::Stop, Effect::Quit]);
    }
}
