//! The one answer shape: a position, its outcome, every move with its outcome, where each comes from, and the main line.
//!
//! Text, JSON and every later face show an [`Analysis`]; an [`Analyst`] makes it, from tables and by solving.
//!
//! ```
//! use std::sync::Arc;
//! use isolde::{Analyst, Control, Position, Question, Settings, notation, table::Shelf};
//!
//! let position = Position::<u64>::new(notation::parse("5x5: a1 c3")?)?;
//! let analyst = Analyst::new(position.size(), Settings::default(), Shelf::empty(position.size()))?;
//! let analysis = analyst.analyse(&position, Question::Distance, &Arc::new(Control::unlimited()));
//! assert_eq!(analysis.plies(), Some(15));
//! assert_eq!(analysis.line.len(), 15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod view;

mod finding;

mod analyst;

use std::path::PathBuf;

use serde::{Serialize, Serializer};

use crate::cells::Cell;
use crate::notation::cell_name;
use crate::outcome::Value;
use crate::position::{Player, Setup};

pub use analyst::Analyst;
pub use finding::{Count, Finding, Origin};
pub(crate) use view::View;

/// A legal move and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The cell to place on or to move to.
    pub to: Cell,
    /// What it leads to, as the player who makes the move sees it. None: unknown.
    pub finding: Option<Finding>,
}

/// All that is known of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The position.
    pub position: Setup,
    /// Its outcome, as the mover sees it. None: unknown.
    pub finding: Option<Finding>,
    /// Every legal move, the best first: the winner hurries, the loser delays.
    pub moves: Vec<Judged>,
    /// The line that is expected, from the first of [`Analysis::moves`] on.
    pub line: Vec<Cell>,
    /// Whether the line goes on to the end of the game. If not, more of it was not found within the limits.
    pub line_complete: bool,
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
        self.winner_by(self.finding.as_ref())
    }

    /// The player who wins by a move, if that is known.
    #[must_use]
    pub fn winner_by_move(&self, judged: &Judged) -> Option<Player> {
        self.winner_by(judged.finding.as_ref())
    }

    fn winner_by(&self, finding: Option<&Finding>) -> Option<Player> {
        let turn = self.position.turn;
        finding.map(|finding| if finding.value == Value::Win { turn } else { !turn })
    }

    /// In how many plies the game ends, if that is known.
    #[must_use]
    pub fn plies(&self) -> Option<usize> {
        self.finding.as_ref().and_then(Finding::plies)
    }

    /// The best move, if the winner is known and a move that agrees with it.
    #[must_use]
    pub fn best(&self) -> Option<&Judged> {
        best(self.finding.as_ref(), &self.moves)
    }
}

/// The first of these moves, if it leads where the position does: a winner may be known before its winning move is.
fn best<'a>(finding: Option<&Finding>, moves: &'a [Judged]) -> Option<&'a Judged> {
    let value = finding?.value;
    moves.first().filter(|best| best.finding.as_ref().is_some_and(|finding| finding.value == value))
}

/// The name of whoever wins, or `unknown`.
fn name(winner: Option<Player>) -> &'static str {
    winner.map_or("unknown", Player::name)
}

fn origin(finding: Option<&Finding>) -> Option<String> {
    finding.map(|finding| finding.origin.to_string())
}

fn plies_origin(finding: Option<&Finding>) -> Option<String> {
    finding.and_then(|finding| finding.count.as_ref()).map(|count| count.origin.to_string())
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
            origin: Option<String>,
            plies_origin: Option<String>,
            #[serde(rename = "move")]
            best: Option<String>,
            moves: Vec<MoveData>,
            line: Vec<String>,
            line_complete: bool,
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
            let finding = judged.finding.as_ref();
            MoveData {
                to: cell(judged.to),
                winner: name(self.winner_by_move(judged)),
                plies: finding.and_then(Finding::plies),
                origin: origin(finding),
                plies_origin: plies_origin(finding),
            }
        };
        let finding = self.finding.as_ref();
        let data = Data {
            board: self.position.size.to_string(),
            position: self.position.to_string(),
            turn: self.position.turn.name(),
            winner: name(self.winner()),
            plies: self.plies(),
            origin: origin(finding),
            plies_origin: plies_origin(finding),
            best: self.best().map(|best| cell(best.to)),
            moves: self.moves.iter().map(data).collect(),
            line: self.line.iter().map(|&to| cell(to)).collect(),
            line_complete: self.line_complete,
            tables: self.tables.iter().map(|path| path.display().to_string()).collect(),
            nodes: self.nodes,
            seconds: self.seconds,
        };
        data.serialize(serializer)
    }
}
