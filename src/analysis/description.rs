//! A position described: everything that can be told without a search.

use serde::Serialize;

use crate::game::board::Colour;
use crate::game::cells::Cells;
use crate::game::duel::Part;
use crate::game::notation::{Line, Written, cell_name, cell_names};
use crate::game::position::{Player, Position, Setup};
use crate::game::symmetry::Symmetries;
use crate::game::zobrist;

/// A position described, in the words of the notation.
///
/// ```
/// use isolde::analysis::Description;
///
/// let described = Description::of(&"7x7: d4 b3 f5".parse()?);
/// assert_eq!(described.position, "7/7/5N1/3*3/1n5/7/7 b");
/// assert_eq!(described.legal_moves, ["a1", "c1", "d2", "a5", "c5"]);
/// # Ok::<(), isolde::notation::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Description {
    /// The position as it was written.
    pub asked: String,
    /// Where it starts: a board if that is empty, and otherwise a diagram.
    pub start: String,
    /// The moves that were played from the start.
    pub moves: Vec<String>,
    /// The board.
    pub board: String,
    /// The number of its files.
    pub files: usize,
    /// The number of its ranks.
    pub ranks: usize,
    /// The position as a diagram.
    pub position: String,
    /// The position as a line of play, if it starts at the empty board.
    pub line: Option<String>,
    /// The position as a command of the UCI protocol.
    pub uci: String,
    /// Who is to move, or to place.
    pub turn: Player,
    /// The winner, if the game is over.
    pub winner: Option<Player>,
    /// The first player's knight, once it is placed.
    pub first: Option<Knight>,
    /// The second player's knight, once it is placed.
    pub second: Option<Knight>,
    /// Whether both knights are placed and their regions have no cell in common.
    pub separated: bool,
    /// The cells that the player to move can move to, or place on.
    pub legal_moves: Vec<String>,
    /// The free cells.
    pub free: Vec<String>,
    /// The blocked cells. Those where the knights stand are not among them.
    pub blocked: Vec<String>,
    /// Free cells that neither knight can reach.
    pub dead: Vec<String>,
    /// The number of free cells that are dark.
    pub free_dark: usize,
    /// The number of free cells that are light.
    pub free_light: usize,
    /// The dark cells of the board, free or not.
    pub dark: Vec<String>,
    /// The canonical form, once both knights are placed.
    pub canonical: Option<CanonicalForm>,
    /// The Zobrist hash in hexadecimal, once both knights are placed.
    pub hash: Option<String>,
    /// What the colour law says, while both knights are placed and the game is not over.
    pub colour_law: Option<ColourLaw>,
}

/// A knight on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Knight {
    /// Where it stands.
    pub cell: String,
    /// How many cells the knight could move to now.
    pub liberties: usize,
    /// How many cells the knight can still reach.
    pub region: usize,
    /// Hunter or prey, once both knights are placed.
    pub part: Option<Part>,
    /// The cells that the knight can still reach.
    pub region_cells: Vec<String>,
}

/// The position that stands for all its images: see [`Symmetries::canonical`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CanonicalForm {
    /// The canonical form as a diagram, with the mover as the first player.
    pub position: String,
    /// The symmetry that maps the position to its canonical form.
    pub symmetry: &'static str,
}

/// What the colour law says about a position. The law has exceptions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ColourLaw {
    /// What it says, in a sentence.
    pub sentence: &'static str,
    /// The player who wins by the law: the hunter.
    pub winner: Player,
}

impl Description {
    /// The description of a position.
    #[must_use]
    pub fn of(asked: &Written) -> Self {
        let (position, played) = (asked.position(), asked.played());
        let setup = position.setup();
        let (board, size, free) = (position.board(), position.size(), position.free());
        let duel = position.duel::<u128>();
        let line = Line::of(played);
        let start = if line.is_some() { size.to_string() } else { played.start().setup().to_string() };
        let coloured = |colour| (free & board.coloured(colour)).len();
        let canonical = |duel| {
            let canonical = Symmetries::new(board).canonical(board, duel);
            let position = Setup::of_duel(board, canonical.duel).to_string();
            CanonicalForm { position, symmetry: canonical.symmetry.name() }
        };
        let separated = duel.is_some_and(|duel| {
            let (mover, other) = duel.regions(board);
            mover.is_disjoint(other)
        });
        Self {
            asked: asked.to_string(),
            start,
            moves: played.moves().iter().map(|&to| cell_name(size, to)).collect(),
            board: size.to_string(),
            files: size.files(),
            ranks: size.ranks(),
            position: setup.to_string(),
            line: line.map(|line| Written::Line(line).to_string()),
            uci: asked.uci(),
            turn: position.turn(),
            winner: position.winner(),
            first: Knight::of(position, Player::First),
            second: Knight::of(position, Player::Second),
            separated,
            legal_moves: cell_names(size, position.legal_moves()),
            free: cell_names(size, free),
            blocked: cell_names(size, setup.blocked),
            dead: cell_names(size, free.except(position.live())),
            free_dark: coloured(Colour::Dark),
            free_light: coloured(Colour::Light),
            dark: cell_names(size, board.coloured(Colour::Dark)),
            canonical: duel.map(canonical),
            hash: duel.map(|duel| format!("0x{:016x}", zobrist::hash(duel))),
            colour_law: ColourLaw::of(position),
        }
    }

    /// Whether the player to move has to place its knight.
    #[must_use]
    pub fn is_placing(&self) -> bool {
        let mover = if self.turn == Player::First { &self.first } else { &self.second };
        mover.is_none()
    }
}

impl Knight {
    fn of(position: &Position, player: Player) -> Option<Self> {
        let (board, size, free) = (position.board(), position.size(), position.free());
        let cell = position.knight(player)?;
        let region = board.flood(Cells::only(cell), free);
        Some(Self {
            cell: cell_name(size, cell),
            liberties: (board.knight_moves(cell) & free).len(),
            region: region.len(),
            part: position.part(player),
            region_cells: cell_names(size, region),
        })
    }
}

impl ColourLaw {
    fn of(position: &Position) -> Option<Self> {
        if position.winner().is_some() {
            return None;
        }
        let turn = position.turn();
        Some(match position.part(turn)? {
            Part::Hunter => {
                Self { sentence: "Both knights stand on one colour, so the law says that the player to move wins.", winner: turn }
            }
            Part::Prey => Self {
                sentence: "The knights stand on different colours, so the law says that the player to move loses.",
                winner: !turn,
            },
        })
    }
}
