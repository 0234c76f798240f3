//! The rules of the game.
//!
//! Each player in turn first places a knight on any free cell; then they alternate knight moves to
//! free cells. A cell once occupied is blocked for ever. Whoever is to move, or to place, and
//! cannot has lost.
//!
//! Anybody can describe a [`Setup`]; only [`Position::new`] makes a [`Position`] of it, and says
//! what is wrong if it cannot.
//!
//! ```
//! use isolde::{Player, Position, Size};
//!
//! let empty = Position::empty(Size::new(1, 1)?);
//! let only_cell = empty.size().cell(0, 0).unwrap();
//! let placed = empty.play(only_cell)?;
//! assert_eq!(placed.winner(), Some(Player::First)); // the second player has nowhere to place its knight
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::ops::Not;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::{Duel, Part};

/// One of the two players. The first places first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Player {
    First,
    Second,
}

impl Player {
    /// Both, in the order in which they place.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The name that people type and read.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

/// By name, in every answer that is data.
impl Serialize for Player {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The error for a text that does not name a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPlayer {
    text: String,
}

impl fmt::Display for UnknownPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a player: write first or second", self.text)
    }
}

impl std::error::Error for UnknownPlayer {}

/// Reads the name.
impl FromStr for Player {
    type Err = UnknownPlayer;

    fn from_str(text: &str) -> Result<Self, UnknownPlayer> {
        let named = Self::BOTH.into_iter().find(|player| player.name() == text);
        named.ok_or_else(|| UnknownPlayer { text: text.to_string() })
    }
}

impl Not for Player {
    type Output = Self;
    fn not(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A board with anything on it, legal or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The board's size.
    pub size: Size,
    /// The cells that nobody can move to, apart from those where the knights stand.
    pub blocked: Cells<u128>,
    /// The first and the second player's knight; one that is missing has not been placed yet.
    pub knights: [Option<Cell>; 2],
    /// Who is to move.
    pub turn: Player,
}

impl Setup {
    /// A duel, its mover as the first player.
    #[must_use]
    pub fn of_duel<W: Word>(board: &Board<W>, duel: Duel<W>) -> Self {
        let open = duel.free.with(duel.mover).with(duel.other);
        Self {
            size: board.size(),
            blocked: board.cells().except(open).convert(),
            knights: [Some(duel.mover), Some(duel.other)],
            turn: Player::First,
        }
    }
}

/// Why a setup is not a position of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SetupError {
    /// A blocked cell or a knight is not on the board.
    OffBoard,
    /// A player's knight stands on a blocked cell.
    KnightOnBlocked(Player),
    /// Both knights stand on one cell.
    KnightsTogether,
    /// The second player has placed and the first has not.
    FirstNotPlaced,
    /// It is the turn of the player who has placed, though the other one has not.
    WrongTurn(Player),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffBoard => write!(f, "a knight or a blocked cell is off the board"),
            Self::KnightOnBlocked(player) => write!(f, "the {player} player's knight stands on a blocked cell"),
            Self::KnightsTogether => write!(f, "both knights stand on one cell"),
            Self::FirstNotPlaced => {
                write!(f, "the second player's knight is placed and the first player's is not, but the first player places first")
            }
            Self::WrongTurn(player) => {
                write!(f, "it cannot be the {player} player's turn: the {} player is the next to place a knight", !*player)
            }
        }
    }
}

impl std::error::Error for SetupError {}

/// Why a move cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The cell is not on the board.
    OffBoard,
    /// The cell is blocked, or a knight stands there.
    Occupied,
    /// The cell is not a knight's move away from the mover.
    NotAKnightsMove,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OffBoard => "the cell is off the board",
            Self::Occupied => "the cell is occupied",
            Self::NotAKnightsMove => "that is not a knight's move",
        })
    }
}

impl std::error::Error for IllegalMove {}

/// A position of the game, from the empty board to the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    board: Arc<Board<u128>>,
    free: Cells<u128>,
    knights: [Option<Cell>; 2],
    turn: Player,
}

impl Position {
    /// The empty board, the first player to place.
    #[must_use]
    pub fn empty(size: Size) -> Self {
        let board = Arc::new(Board::fitting(size));
        Self { free: board.cells(), board, knights: [None; 2], turn: Player::First }
    }

    /// The position that a setup describes.
    ///
    /// Any blocked cells will do, whether or not play could have led there.
    ///
    /// # Errors
    /// If the setup is not a position of the game.
    pub fn new(setup: Setup) -> Result<Self, SetupError> {
        let empty = Self::empty(setup.size);
        let [first, second] = setup.knights;
        let knights: Cells<u128> = setup.knights.into_iter().flatten().collect();
        if !(setup.blocked | knights).is_subset(Cells::first_cells(setup.size.cells())) {
            return Err(SetupError::OffBoard);
        }
        for (player, knight) in Player::BOTH.into_iter().zip(setup.knights) {
            if knight.is_some_and(|cell| setup.blocked.contains(cell)) {
                return Err(SetupError::KnightOnBlocked(player));
            }
        }
        match (first, second, setup.turn) {
            (Some(first), Some(second), _) if first == second => Err(SetupError::KnightsTogether),
            (None, Some(_), _) => Err(SetupError::FirstNotPlaced),
            (None, None, Player::Second) | (Some(_), None, Player::First) => Err(SetupError::WrongTurn(setup.turn)),
            _ => Ok(Self { free: empty.free.except(setup.blocked | knights), knights: setup.knights, turn: setup.turn, ..empty }),
        }
    }

    /// A description of this position.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let knights: Cells<u128> = self.knights.into_iter().flatten().collect();
        let blocked = self.board.cells().except(self.free).except(knights);
        Setup { size: self.size(), blocked, knights: self.knights, turn: self.turn }
    }

    /// The board that is played on.
    #[must_use]
    pub fn board(&self) -> &Board<u128> {
        &self.board
    }

    /// The board's size.
    #[must_use]
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// The cells that nobody has visited and that are not blocked.
    #[must_use]
    pub fn free(&self) -> Cells<u128> {
        self.free
    }

    /// The free cells that count: once both knights are placed, those that one of them can still
    /// reach.
    #[must_use]
    pub fn live(&self) -> Cells<u128> {
        self.duel::<u128>().map_or(self.free, |duel| duel.live(&self.board))
    }

    /// Who is to move, or to place.
    #[must_use]
    pub fn turn(&self) -> Player {
        self.turn
    }

    /// Where a player's knight stands, once it is placed.
    #[must_use]
    pub fn knight(&self, player: Player) -> Option<Cell> {
        self.knights[player as usize]
    }

    /// Whether both knights are placed.
    #[must_use]
    pub fn is_duel(&self) -> bool {
        self.knights.iter().all(Option::is_some)
    }

    /// The duel that the search sees, in the word that it works with.
    ///
    /// `None` while a knight is missing, or if the board does not [fit](Size::fits) the word.
    #[must_use]
    pub fn duel<W: Word>(&self) -> Option<Duel<W>> {
        let (mover, other) = (self.knight(self.turn)?, self.knight(!self.turn)?);
        self.size().fits::<W>().then(|| Duel { free: self.free.convert(), mover, other })
    }

    /// The part that a player plays, once both knights are placed.
    #[must_use]
    pub fn part(&self, player: Player) -> Option<Part> {
        let mover = self.duel::<u128>()?.part_of_mover(&self.board);
        Some(match (mover, player == self.turn) {
            (part, true) => part,
            (Part::Hunter, false) => Part::Prey,
            (Part::Prey, false) => Part::Hunter,
        })
    }

    /// The cells that the player to move can place its knight on, or move it to.
    #[must_use]
    pub fn legal_moves(&self) -> Cells<u128> {
        match self.knight(self.turn) {
            None => self.free,
            Some(from) => self.board.knight_moves(from) & self.free,
        }
    }

    /// Whether the player to move can play to this cell.
    ///
    /// # Errors
    /// If it cannot, with the reason.
    pub fn check(&self, to: Cell) -> Result<(), IllegalMove> {
        if to.index() >= self.size().cells() {
            Err(IllegalMove::OffBoard)
        } else if !self.free.contains(to) {
            Err(IllegalMove::Occupied)
        } else if !self.legal_moves().contains(to) {
            Err(IllegalMove::NotAKnightsMove)
        } else {
            Ok(())
        }
    }

    /// The position after the player to move has placed on, or moved to, a cell.
    ///
    /// # Errors
    /// If that is not legal, with the reason.
    pub fn play(&self, to: Cell) -> Result<Self, IllegalMove> {
        self.check(to)?;
        Ok(self.play_unchecked(to))
    }

    /// Like [`Position::play`], for a cell that is trusted to be one of [`Position::legal_moves`].
    #[must_use]
    pub fn play_unchecked(&self, to: Cell) -> Self {
        debug_assert_eq!(self.check(to), Ok(()));
        let mut next = Self { free: self.free.without(to), turn: !self.turn, ..self.clone() };
        next.knights[self.turn as usize] = Some(to);
        next
    }

    /// Who has won, once the player to move cannot move. There are no draws.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        self.legal_moves().is_empty().then_some(!self.turn)
    }
}
