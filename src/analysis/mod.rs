//! The one answer shape: a position, its outcome, every move with its outcome, where each comes
//! from, and the main line.
//!
//! An [`Analyst`] makes an [`Analysis`] from tables and by solving, and reports it as it gets
//! better. Text, JSON and every other face only show it. All [openings](Openings) of a board are
//! solved and counted here, too. A [`Description`] tells what can be seen without any of this.
//!
//! ```
//! use std::sync::Arc;
//! use isolde::{Analyst, Control, Position, Request, Settings, Tables};
//!
//! let position: Position = "5x5: a1 c3".parse()?;
//! let analyst = Analyst::new(Settings::default(), &Tables::none(position.size()))?;
//! let mut winners = Vec::new();
//! let control = Arc::new(Control::unlimited());
//! let analysis = analyst.analyse(&position, Request::everything(), &control, |so_far| {
//!     winners.push(so_far.winner());
//! });
//! assert_eq!(analysis.plies(), Some(15));
//! assert_eq!(analysis.line.len(), 15);
//! assert!(winners.is_sorted(), "once the winner is known, it stays known");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod description;

mod view;

mod conclude;

mod stubborn;

mod inquiry;

mod openings;

mod atlas;

mod weak;

mod analyst;

mod analysts;

mod expected;

use std::path::PathBuf;
use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::game::cells::Cell;
use crate::game::notation::{Written, cell_name};
use crate::game::position::{Player, Position, Setup};
use crate::solve::Known;
use inquiry::would_count;

pub use analyst::{Analyst, Checkpoint};
pub(crate) use analyst::{Solvers, with_solver};
pub use analysts::{Analysts, Questions};
pub(crate) use atlas::decided_by_tables;
pub use atlas::{Atlas, OpeningMap};
pub use description::{CanonicalForm, ColourLaw, Description, Knight};
pub use expected::{Estimated, Expected, Task, Work, expected_seconds, links};
pub use openings::{ByMirror, JudgedClass, Openings};
pub(crate) use view::View;
pub use weak::{WeakPlacement, WeakSolution};

/// How much is asked for about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// Whether the winner by every move is asked for, or only that of the position and one best
    /// move.
    pub every_move: bool,
    /// How long plies may be counted; `None` if they are not asked for. Plies that cost nothing,
    /// such as those of tables, are given either way.
    pub plies: Option<Duration>,
    /// How long the line may take once all the rest is known.
    pub line: Duration,
}

impl Request {
    /// Who wins, and one best move. The line is cut short where it would take another long search.
    #[must_use]
    pub const fn winner() -> Self {
        Self { every_move: false, plies: None, line: Duration::from_secs(1) }
    }

    /// Who wins, by every move, and the line.
    #[must_use]
    pub const fn winners() -> Self {
        Self { every_move: true, plies: None, line: Duration::MAX }
    }

    /// Who wins, by every move and in how many plies, and the line.
    #[must_use]
    pub const fn everything() -> Self {
        Self { plies: Some(Duration::MAX), ..Self::winners() }
    }
}

/// A legal move and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The cell to place on or to move to.
    pub to: Cell,
    /// What it leads to, as the player who makes the move sees it; `None` if that is unknown.
    pub known: Option<Known>,
}

/// All that is known of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The position.
    pub position: Setup,
    /// Its outcome, as the mover sees it; `None` if that is unknown.
    pub known: Option<Known>,
    /// Every legal move, the best first: the winner hurries, the loser delays.
    pub moves: Vec<Judged>,
    /// The line that is expected, from the first of [`Analysis::moves`] on.
    pub line: Vec<Cell>,
    /// Whether the line goes on to the end of the game. If not, the rest was not found within the
    /// limits.
    pub line_complete: bool,
    /// Whether every ply of the line is proven to be the best: the winner hurries, the loser
    /// delays. If not, the winner's moves are still proven to win, and the loser's are the most
    /// stubborn that a short look ahead found.
    pub line_optimal: bool,
    /// The tables that knew something.
    pub tables: Vec<PathBuf>,
    /// The positions searched.
    pub nodes: u64,
    /// The time it took.
    pub seconds: f64,
}

impl Analysis {
    /// The player who wins, if that is known.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        self.winner_by(self.known.as_ref())
    }

    /// The player who wins by a move, if that is known.
    #[must_use]
    pub fn winner_by_move(&self, judged: &Judged) -> Option<Player> {
        self.winner_by(judged.known.as_ref())
    }

    fn winner_by(&self, known: Option<&Known>) -> Option<Player> {
        known.map(|known| known.winner_at_turn_of(self.position.turn))
    }

    /// In how many plies the game ends, if that is known. While a placement is still to be made,
    /// they are counted after both placements.
    #[must_use]
    pub fn plies(&self) -> Option<usize> {
        self.known.as_ref().and_then(Known::plies)
    }

    /// Whether nothing is left to find out, however long one searches: every winner and all plies
    /// are known, and the line is complete and optimal.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete_within(Duration::MAX)
    }

    /// Whether [resuming](Analyst::resume) the analysis for this time would add nothing.
    ///
    /// That is more than [`Analysis::is_complete`] says. While a placement is still to be made,
    /// plies are not counted if nothing would come of it within the time.
    #[must_use]
    pub fn is_complete_within(&self, time: Duration) -> bool {
        let of_all = |holds: &dyn Fn(&Known) -> bool| self.moves.iter().all(|judged| judged.known.as_ref().is_some_and(holds));
        let is_decided = self.known.is_some() && of_all(&|_| true);
        let is_counted = || self.line_optimal && of_all(&|known| known.count.is_some());
        let would_count =
            || !self.is_placing() || Position::new(self.position).is_ok_and(|position| would_count(&position, time));
        is_decided && self.line_complete && (is_counted() || !would_count())
    }

    /// Whether the mover has to place its knight.
    #[must_use]
    pub fn is_placing(&self) -> bool {
        self.position.knights[self.position.turn as usize].is_none()
    }

    /// The best move, if the winner is known and a move that agrees with it.
    #[must_use]
    pub fn best(&self) -> Option<&Judged> {
        best(self.known.as_ref(), &self.moves)
    }
}

/// An analysis beside the question that it answers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer<'a> {
    /// The position as it was written.
    pub asked: String,
    /// What is known of it.
    #[serde(flatten)]
    pub analysis: &'a Analysis,
}

impl<'a> Answer<'a> {
    /// The answer to a question.
    #[must_use]
    pub fn new(asked: &Written, analysis: &'a Analysis) -> Self {
        Self { asked: asked.to_string(), analysis }
    }
}

/// The first of these moves, if it leads where the position does: a winner may be known before its
/// winning move is.
fn best<'a>(known: Option<&Known>, moves: &'a [Judged]) -> Option<&'a Judged> {
    let value = known?.value;
    moves.first().filter(|best| best.known.as_ref().is_some_and(|known| known.value == value))
}

/// What plies are counted from, while a placement is still to be made and afterwards.
pub(crate) fn plies_from(placing: bool) -> &'static str {
    if placing { "both placements" } else { "the position" }
}

/// The name of the winner, or `unknown`.
fn name(winner: Option<Player>) -> &'static str {
    winner.map_or("unknown", Player::name)
}

fn origin(known: Option<&Known>) -> Option<String> {
    known.map(|known| known.origin.to_string())
}

fn plies_origin(known: Option<&Known>) -> Option<String> {
    known.and_then(|known| known.count.as_ref()).map(|count| count.origin.to_string())
}

impl Serialize for Analysis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Data {
            board: String,
            position: String,
            turn: &'static str,
            winner: &'static str,
            plies: Option<usize>,
            /// What the plies are counted from, here and for each move.
            plies_from: &'static str,
            origin: Option<String>,
            plies_origin: Option<String>,
            #[serde(rename = "move")]
            best: Option<String>,
            moves: Vec<MoveData>,
            line: Vec<String>,
            line_complete: bool,
            line_optimal: bool,
            tables: Vec<String>,
            nodes: u64,
            seconds: f64,
        }
        #[derive(Serialize)]
        struct MoveData {
            #[serde(rename = "move")]
            to: String,
            winner: &'static str,
            plies: Option<usize>,
            origin: Option<String>,
            plies_origin: Option<String>,
        }
        let cell = |cell: Cell| cell_name(self.position.size, cell);
        let data = |judged: &Judged| {
            let known = judged.known.as_ref();
            MoveData {
                to: cell(judged.to),
                winner: name(self.winner_by_move(judged)),
                plies: known.and_then(Known::plies),
                origin: origin(known),
                plies_origin: plies_origin(known),
            }
        };
        let known = self.known.as_ref();
        let data = Data {
            board: self.position.size.to_string(),
            position: self.position.to_string(),
            turn: self.position.turn.name(),
            winner: name(self.winner()),
            plies: self.plies(),
            plies_from: plies_from(self.is_placing()),
            origin: origin(known),
            plies_origin: plies_origin(known),
            best: self.best().map(|best| cell(best.to)),
            moves: self.moves.iter().map(data).collect(),
            line: self.line.iter().map(|&to| cell(to)).collect(),
            line_complete: self.line_complete,
            line_optimal: self.line_optimal,
            tables: self.tables.iter().map(|path| path.display().to_string()).collect(),
            nodes: self.nodes,
            seconds: self.seconds,
        };
        data.serialize(serializer)
    }
}
