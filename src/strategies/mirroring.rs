//! What a mirror does in a position: where each reply would be, whether the player who waits always
//! has one, and if not, where the symmetry and the strategy break.

use std::collections::BTreeMap;

use serde::Serialize;

use super::exhaust::{Bounds, Break, CheckEnd, exhaust};
use super::mirrors::{NoMirror, in_words};
use super::rule::{Rule, RuleKind};
use super::symmetric::Asymmetry;
use crate::game::board::Size;
use crate::game::cells::{Cell, Cells};
use crate::game::notation::{Written, cell_name, cell_names, grouped, spaced_names};
use crate::game::position::{Player, Position};
use crate::game::symmetry::Symmetry;

/// What happens if the player who waits answers every move, or every placement, with its image.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Mirroring {
    /// The position as it was written.
    pub asked: String,
    /// The name of the mirror.
    pub by: &'static str,
    /// What this mirror does here.
    pub sentence: String,
    /// Whether the board has this symmetry. If not, there are no images.
    pub fits: bool,
    /// Every cell of the board with its image.
    pub images: BTreeMap<String, String>,
    /// Whether the player always has a reply, and so wins. `None` if that was not decided within
    /// the limits.
    pub holds: Option<bool>,
    /// The player who mirrors: the one who waits.
    pub player: Player,
    /// The reply to each move.
    pub replies: Vec<Reply>,
    /// Why the position is not symmetric, if it is not. The player may still have a reply to every
    /// move.
    pub asymmetry: Option<BrokenSymmetry>,
    /// A shortest line on which the mirror breaks.
    pub breaks: Option<BreakingLine>,
    /// A move by which the mover makes the position symmetric, so that it wins by this mirror.
    pub reaches: Option<String>,
}

/// A move, and the reply that the mirror asks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reply {
    /// The move.
    #[serde(rename = "move")]
    pub to: String,
    /// Its image.
    pub reply: String,
    /// Whether the reply can be played.
    pub legal: bool,
}

/// Where a symmetry is broken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BrokenSymmetry {
    /// If the knights are not images of each other, where they stand. Otherwise the live cells
    /// whose images are not live, and those that are their own images.
    pub cells: Vec<String>,
    /// The first reason.
    pub sentence: String,
}

/// A line on which a mirror breaks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BreakingLine {
    /// The moves from the position on. The last one has no reply.
    pub moves: Vec<String>,
    /// Why it has none.
    pub sentence: String,
}

impl Mirroring {
    /// Finds out what a mirror does in a position. What its symmetry does not decide is decided by
    /// playing the mirror against every defence, within these bounds.
    #[must_use]
    pub fn new(asked: &Written, mirror: Symmetry, bounds: Bounds<'_>) -> Self {
        let position = asked.position();
        let size = position.size();
        let nothing = Self {
            asked: asked.to_string(),
            by: mirror.name(),
            sentence: format!("{}.", NoMirror { size, mirror }),
            fits: false,
            images: BTreeMap::new(),
            holds: Some(false),
            player: !position.turn(),
            replies: Vec::new(),
            asymmetry: None,
            breaks: None,
            reaches: None,
        };
        if !mirror.fits(size) {
            return nothing;
        }
        let name = |cell| cell_name(size, cell);
        let image = |cell| mirror.image_on(size, cell);
        let reply =
            |to| Reply { to: name(to), reply: name(image(to)), legal: position.play_unchecked(to).check(image(to)).is_ok() };
        let asymmetry = Asymmetry::at(position, mirror);
        let found = Found::new(position, mirror, asymmetry, bounds);
        Self {
            sentence: found.sentence(position, mirror),
            fits: true,
            images: position.board().cells().into_iter().map(|cell| (name(cell), name(image(cell)))).collect(),
            holds: found.holds(),
            replies: position.legal_moves().into_iter().map(reply).collect(),
            asymmetry: asymmetry.map(|asymmetry| BrokenSymmetry {
                cells: cell_names(size, broken_cells(position, mirror, asymmetry)),
                sentence: format!("The symmetry is broken: {}.", asymmetry.on(size)),
            }),
            reaches: Asymmetry::ended_by(position, &[mirror]).map(|(to, _)| name(to)),
            breaks: found.breaks().map(|broken| BreakingLine {
                moves: broken.moves.iter().map(|&to| name(to)).collect(),
                sentence: format!("After {}.", after(broken, size)),
            }),
            ..nothing
        }
    }
}

/// All cells at which the symmetry is broken for a reason like this one.
fn broken_cells(position: &Position, mirror: Symmetry, asymmetry: Asymmetry) -> Cells<u128> {
    let image = |cell| mirror.image_on(position.size(), cell);
    let live = position.live();
    let has_no_partner = |cell: &Cell| !live.contains(image(*cell)) || image(*cell) == *cell;
    match asymmetry {
        Asymmetry::Knights { mover, other, .. } => Cells::only(mover).with(other),
        Asymmetry::Cell { .. } | Asymmetry::Fixed { .. } => live.into_iter().filter(has_no_partner).collect(),
    }
}

/// What was found about a mirror that the board has.
enum Found {
    /// The mover cannot move.
    Over,
    /// The symmetry of the position decides.
    Symmetric,
    /// The mirror was played against every defence, in this many positions.
    Checked(CheckEnd, u64),
}

impl Found {
    fn new(position: &Position, mirror: Symmetry, asymmetry: Option<Asymmetry>, bounds: Bounds<'_>) -> Self {
        // While one knight is placed, the first reply is not a placement but a move. So it is not
        // enough that the free cells come in pairs.
        let placed_alone = !position.is_duel() && position.knight(Player::First).is_some();
        if position.winner().is_some() {
            Self::Over
        } else if asymmetry.is_none() && !placed_alone {
            Self::Symmetric
        } else {
            let rule = Rule::new(RuleKind::Mirror, mirror, position.size());
            let checked = exhaust(&rule, position, bounds, |_| Ok(false));
            Self::Checked(checked.end, checked.positions)
        }
    }

    fn holds(&self) -> Option<bool> {
        match self {
            Self::Over | Self::Symmetric | Self::Checked(CheckEnd::Wins, _) => Some(true),
            Self::Checked(CheckEnd::Breaks(_), _) => Some(false),
            Self::Checked(CheckEnd::Unknown(_), _) => None,
        }
    }

    fn breaks(&self) -> Option<&Break> {
        if let Self::Checked(CheckEnd::Breaks(broken), _) = self { Some(broken) } else { None }
    }

    fn sentence(&self, position: &Position, mirror: Symmetry) -> String {
        let (player, opponent) = (!position.turn(), position.turn());
        let moves = if position.is_duel() { "move" } else { "placement and move" };
        let answers = format!("answer every {moves} with its image under {}", in_words(mirror));
        let why = match self {
            Self::Over => return format!("The game is over: the {opponent} player cannot move."),
            Self::Symmetric if position.is_duel() => Asymmetry::ABSENT.to_string(),
            Self::Symmetric => "the free cells come in pairs of images".to_string(),
            Self::Checked(CheckEnd::Wins, 1) => "every reply is possible in the one position that can arise".to_string(),
            Self::Checked(CheckEnd::Wins, positions) => {
                format!("every reply is possible in the {} positions that can arise", grouped(*positions))
            }
            Self::Checked(CheckEnd::Breaks(broken), _) => {
                return format!("The {player} player cannot {answers}: after {}.", after(broken, position.size()));
            }
            Self::Checked(CheckEnd::Unknown(limit), _) => {
                return format!("It is not decided whether the {player} player can {answers}: {limit}.");
            }
        };
        format!("The {player} player can {answers}, and wins: {why}.")
    }
}

/// A line on which a mirror breaks, and why, to follow the word "after".
fn after(broken: &Break, size: Size) -> String {
    format!("{} {}", spaced_names(size, &broken.moves), broken.why(size))
}
