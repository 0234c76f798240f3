//! The agents by name: those of the reports, and ours.

use std::fmt;
use std::num::NonZero;
use std::str::FromStr;
use std::sync::Arc;

use super::best::{Best, Manner};
use super::chooser::{Basis, Chooser, Decision};
use super::clock::{Clock, Limit};
use super::heuristics::Heuristic;
use super::lookahead::{Lookahead, Ordering, Style};
use super::random::Random;
use crate::analysis::View;
use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Word};
use crate::game::position::Position;
use crate::game::symmetry::Symmetries;
use crate::solve::{Settings, SolverError};
use crate::table::{ByWord, Tablebase, Tables};

/// A player with a name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Agent {
    /// Plays a random move.
    Random,
    /// Looks three plies ahead, however much time there is: `MM_Improved`.
    Minimax(Heuristic),
    /// Looks ahead as far as the time allows: `AB_Improved`.
    AlphaBeta(Heuristic, Ordering),
    /// The same under the name that other reports use: `ID_Improved`.
    Deepening(Heuristic, Ordering),
    /// Plays a proven move if there is one, and otherwise looks ahead.
    Best,
    /// Plays proven moves only, and says so when it finds none.
    Perfect,
}

/// How many plies the minimax agents look ahead.
const MINIMAX_DEPTH: u32 = 3;

/// The move orders that can be chosen, by name. The first is the default.
const ORDERINGS: [(Ordering, &str); 3] =
    [(Ordering::LastBestFirst, "best-first"), (Ordering::ByLastScores, "by-scores"), (Ordering::AsTheyCome, "as-they-come")];

/// What agents may use to play on a board.
pub struct Means {
    /// How much of the machine each agent may use.
    pub settings: Settings,
    /// The tables of the board.
    pub tables: Tables,
    /// Whether `best` and `perfect` spend left-over time on the expected line.
    pub wants_line: bool,
}

/// A cautious estimate of the bytes that can be filled in a millisecond.
const FILLED_IN_A_MILLISECOND: u64 = 1 << 20;

/// The threads and memory, at most those given, that can be set up in a small part of a time limit.
/// If the limit is not a time, one thread, so that the moves are the same on every machine.
#[must_use]
pub fn settings_for(limit: Limit, size: Size, most: Settings) -> Settings {
    let Limit::Time(time) = limit else {
        return Settings { threads: NonZero::<usize>::MIN, ..most };
    };
    let milliseconds = time.as_millis().min(1 << 20) as u64;
    // As many threads as can fill their memory in a tenth of the time.
    let threads = milliseconds * FILLED_IN_A_MILLISECOND / 10 / Settings::least_of_a_thread(size);
    let threads = NonZero::new(threads as usize).unwrap_or(NonZero::<usize>::MIN);
    Settings { threads: threads.min(most.threads), memory: most.memory.min((4 + milliseconds) << 20) }
}

impl Agent {
    /// All agents: each heuristic appears once for every way to use it.
    pub fn all() -> impl Iterator<Item = Self> {
        let usual = ORDERINGS[0].0;
        let with =
            move |heuristic| [Self::Minimax(heuristic), Self::AlphaBeta(heuristic, usual), Self::Deepening(heuristic, usual)];
        [Self::Best, Self::Perfect, Self::Random].into_iter().chain(Heuristic::all().flat_map(with))
    }

    /// Seats the agent at the board, for one game. The same seed gives the same choices, unless the
    /// limit is a time.
    ///
    /// # Errors
    /// If the system cannot provide the threads or the memory.
    pub fn chooser(self, means: &Means, seed: u64) -> Result<Box<dyn Chooser>, SolverError> {
        match &means.tables.by_word {
            ByWord::Small(tablebase) => self.chooser_in(tablebase, means, seed),
            ByWord::Large(tablebase) => self.chooser_in(tablebase, means, seed),
        }
    }

    fn chooser_in<W: Word>(
        self,
        tablebase: &Arc<Tablebase<W>>,
        means: &Means,
        seed: u64,
    ) -> Result<Box<dyn Chooser>, SolverError> {
        let size = means.tables.size();
        let by_formula = |style, most_depth| {
            let board = Arc::new(Board::<W>::fitting(size));
            let symmetries = Symmetries::new(&board);
            let lookahead = Lookahead::new(&board, style, means.settings.memory as usize / 4);
            Box::new(ByFormula { lookahead, symmetries, board, most_depth, random: Random::new(seed) })
        };
        let in_order = |heuristic, ordering| Style { ordering, ..Style::usual(heuristic) };
        let ours = |guesses| Manner { guesses, wants_line: means.wants_line };
        Ok(match self {
            Self::Random => Box::new(AnyMove { random: Random::new(seed) }),
            Self::Minimax(heuristic) => by_formula(in_order(heuristic, Ordering::AsTheyCome), MINIMAX_DEPTH),
            Self::AlphaBeta(heuristic, ordering) | Self::Deepening(heuristic, ordering) => {
                by_formula(in_order(heuristic, ordering), u32::MAX)
            }
            Self::Best => Box::new(Best::new(size, means.settings, tablebase, ours(true))?),
            Self::Perfect => Box::new(Best::new(size, means.settings, tablebase, ours(false))?),
        })
    }
}

/// An agent that plays a random move.
struct AnyMove {
    random: Random,
}

impl Chooser for AnyMove {
    fn choose_among(&mut self, _: &Position, moves: &[Cell], _: &Clock, _: &mut dyn FnMut(&Decision)) -> Decision {
        let to = moves[self.random.below(moves.len())];
        Decision { to, basis: Basis::Chance, line: vec![to], nodes: 0 }
    }
}

/// An agent that looks ahead with a heuristic.
struct ByFormula<W> {
    board: Arc<Board<W>>,
    symmetries: Symmetries<W>,
    lookahead: Lookahead<W>,
    most_depth: u32,
    random: Random,
}

impl<W: Word> Chooser for ByFormula<W> {
    /// Chooses at random between equally good moves.
    fn choose_among(
        &mut self,
        position: &Position,
        moves: &[Cell],
        clock: &Clock,
        report: &mut dyn FnMut(&Decision),
    ) -> Decision {
        assert_eq!(position.size(), self.board.size(), "this player sits at another board");
        let view = View::of(position);
        let mut moves = moves.to_vec();
        self.random.shuffle(&mut moves);
        let moves = view.distinct(moves, &self.board, &self.symmetries);
        if let [to] = *moves {
            return Decision { to, basis: Basis::OnlyMove, line: vec![to], nodes: 0 };
        }
        let control = &clock.control;
        let most_depth = clock.most_depth().min(self.most_depth);
        let found = self
            .lookahead
            .best(view, &moves, most_depth, control, |found| report(&Decision::from_lookahead(found, control.nodes())));
        Decision::from_lookahead(&found.expect("the position has a legal move"), control.nodes())
    }
}

/// The name that people type and read, as the reports write it: `AB_Improved`, `AB_next_moves`. A
/// move order other than the default is added: `AB_Improved@by-scores`.
impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let formula = |heuristic: Heuristic| {
            let name = heuristic.to_string();
            let capital = matches!(heuristic, Heuristic::Null | Heuristic::Open | Heuristic::Center | Heuristic::Improved);
            if capital { name[..1].to_uppercase() + &name[1..] } else { name }
        };
        let ordered = |ordering: Ordering| {
            let named = ORDERINGS.iter().skip(1).find(|(known, _)| *known == ordering);
            named.map(|(_, name)| format!("@{name}")).unwrap_or_default()
        };
        f.pad(&match *self {
            Self::Random => "Random".to_string(),
            Self::Minimax(heuristic) => format!("MM_{}", formula(heuristic)),
            Self::AlphaBeta(heuristic, ordering) => format!("AB_{}{}", formula(heuristic), ordered(ordering)),
            Self::Deepening(heuristic, ordering) => format!("ID_{}{}", formula(heuristic), ordered(ordering)),
            Self::Best => "best".to_string(),
            Self::Perfect => "perfect".to_string(),
        })
    }
}

/// The error for a text that does not name an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownAgent {
    text: String,
}

impl fmt::Display for UnknownAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let forms = "best, perfect, Random, or MM_, AB_ or ID_ and a heuristic, such as AB_Improved";
        write!(f, "unknown agent `{}`: write {forms}", self.text)
    }
}

impl std::error::Error for UnknownAgent {}

impl FromStr for Agent {
    type Err = UnknownAgent;

    /// Upper and lower case are the same.
    fn from_str(text: &str) -> Result<Self, UnknownAgent> {
        let unknown = || UnknownAgent { text: text.to_string() };
        let lower = text.to_ascii_lowercase();
        let (name, ordering) = match lower.split_once('@') {
            Some((name, ordering)) => {
                let known = ORDERINGS.iter().find(|(_, known)| *known == ordering);
                (name, Some(known.ok_or_else(unknown)?.0))
            }
            None => (lower.as_str(), None),
        };
        let formula = |name: &str| name.parse::<Heuristic>().map_err(|_| unknown());
        let usual = ordering.unwrap_or(ORDERINGS[0].0);
        match (name.split_once('_'), ordering) {
            (Some(("ab", name)), _) => Ok(Self::AlphaBeta(formula(name)?, usual)),
            (Some(("id", name)), _) => Ok(Self::Deepening(formula(name)?, usual)),
            (Some(("mm", name)), None) => Ok(Self::Minimax(formula(name)?)),
            (None, None) if name == "random" => Ok(Self::Random),
            (None, None) if name == "best" => Ok(Self::Best),
            (None, None) if name == "perfect" => Ok(Self::Perfect),
            _ => Err(unknown()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_and_limit_has_settings_within_the_given_ones() {
        let most = Settings { threads: NonZero::new(64).unwrap(), memory: 1 << 30 };
        let times = [0, 1, 150, 100_000].map(|milliseconds| Limit::Time(std::time::Duration::from_millis(milliseconds)));
        for limit in times.into_iter().chain([Limit::Time(std::time::Duration::MAX), Limit::Nodes(1), Limit::Depth(1)]) {
            for size in (1..=16).flat_map(|files| (1..=16).filter_map(move |ranks| Size::new(files, ranks).ok())) {
                let settings = settings_for(limit, size, most);
                assert!(settings.threads <= most.threads && settings.memory <= most.memory, "{size}, {limit}: {settings:?}");
            }
        }
        let threads = |files, limit| settings_for(limit, Size::new(files, files).unwrap(), most).threads.get();
        assert_eq!((threads(1, times[2]), threads(11, times[2]), threads(11, times[3])), (64, 2, 64));
        assert_eq!((threads(1, times[0]), threads(1, Limit::Nodes(9))), (1, 1));
    }

    #[test]
    fn agents_are_read_back_by_name() {
        for agent in Agent::all() {
            assert_eq!(agent.to_string().parse(), Ok(agent));
        }
        assert_eq!(Agent::all().count(), 3 + 3 * Heuristic::all().count());
        let by_scores = Agent::AlphaBeta(Heuristic::Reach(3), Ordering::ByLastScores);
        assert_eq!(by_scores.to_string(), "AB_reach(3)@by-scores");
        assert_eq!("ab_REACH(3)@by-scores".parse(), Ok(by_scores));
        for wrong in ["", "AB", "AB_", "AB_nothing", "best@by-scores", "MM_Open@by-scores", "AB_Open@", "Random_Open"] {
            assert!(wrong.parse::<Agent>().is_err(), "{wrong}");
        }
    }
}
