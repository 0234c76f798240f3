//! Heuristics: formulas that guess who stands better. They come from the published reports, except
//! for one of our own.
//!
//! Every formula scores a position for one player, who need not be the one to move. Some formulas
//! treat the two players differently, and the reports' agents evaluate every position for the
//! player who searches.
//!
//! Where a printed formula is plainly not what its authors meant, there are two: the formula as
//! printed, and a corrected one whose name ends in `_fixed`.
//!
//! ```
//! use isolde::play::heuristics::{Heuristic, Side};
//! use isolde::{Player, Position, notation};
//!
//! let position = Position::new(notation::parse("7x7: d4 a1")?)?;
//! let side = Side::of(&position, Player::First).expect("both knights are placed");
//! assert_eq!("improved".parse::<Heuristic>()?.score(&side), 8.0 - 2.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod side;

mod mobility;

mod places;

mod reach;

mod choice;

mod opinions;

use std::fmt;
use std::str::FromStr;

use crate::game::cells::Word;

pub use choice::highest;
pub use opinions::{Opinion, Opinions};
pub use reach::{bfs_of, reach_of};
pub use side::Side;

/// A formula that guesses how good a position is for a player. Higher is better.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Heuristic {
    Null,
    Open,
    Center,
    Improved,
    AvoidCorners,
    AvoidCornersFixed,
    Chase,
    ChaseFixed,
    WeightedChase,
    WeightedChaseFixed,
    NextMoves,
    CloseToCenter,
    FarFromCenter,
    CloseToOpponent,
    FarFromOpponent,
    /// The ratio is 1 divided by this number.
    Reach(u32),
    Bfs,
    BfsCloseToCenter,
    BfsFarFromCenter,
    BfsCloseToOpponent,
    BfsFarFromOpponent,
    /// The weight of the opponent's moves, in tenths.
    Mobility(u32),
    LinearMobility,
    QuadraticMobility,
    MixedMobility,
    MixedMobilityFixed,
    Offensive,
    Defensive,
    CornerAware,
    CenterWeighted,
    CenterWeightedFixed,
    CenterDecay,
    CenterDecayFixed,
    Islands,
    /// Our own.
    Room,
}

/// What there is to say about a formula.
struct Entry {
    heuristic: Heuristic,
    name: &'static str,
    source: &'static str,
    what: &'static str,
}

const fn entry(heuristic: Heuristic, name: &'static str, source: &'static str, what: &'static str) -> Entry {
    Entry { heuristic, name, source, what }
}

/// All formulas, each once. A formula with a parameter is listed with the best of its published
/// values, or else with the first.
const ENTRIES: [Entry; 35] = [
    entry(Heuristic::Null, "null", "reach-report", "always 0: all positions look alike"),
    entry(Heuristic::Open, "open", "corners-report", "the number of own moves"),
    entry(Heuristic::Center, "center", "corners-report", "squared distance from the centre, where farther is better, as printed"),
    entry(Heuristic::Improved, "improved", "all", "own moves minus the opponent's"),
    entry(
        Heuristic::AvoidCorners,
        "avoid_corners",
        "corners-report",
        "improved, minus the corner moves of both players, as printed",
    ),
    entry(
        Heuristic::AvoidCornersFixed,
        "avoid_corners_fixed",
        "corners-report",
        "improved, minus own corner moves, plus the opponent's",
    ),
    entry(Heuristic::Chase, "chase", "corners-report", "minus the length of the sum of both knights' coordinates, as printed"),
    entry(Heuristic::ChaseFixed, "chase_fixed", "corners-report", "minus the distance between the knights"),
    entry(
        Heuristic::WeightedChase,
        "weighted_chase",
        "corners-report",
        "chase, divided by 4 when less than a quarter of the board is free, as printed",
    ),
    entry(
        Heuristic::WeightedChaseFixed,
        "weighted_chase_fixed",
        "corners-report",
        "chase_fixed, times 4 when less than a quarter of the board is free",
    ),
    entry(Heuristic::NextMoves, "next_moves", "corners-report", "improved, and the same for the cells one move further on"),
    entry(Heuristic::CloseToCenter, "close_to_center", "reach-report", "how much closer to the centre than the opponent"),
    entry(Heuristic::FarFromCenter, "far_from_center", "reach-report", "how much farther from the centre than the opponent"),
    entry(Heuristic::CloseToOpponent, "close_to_opponent", "reach-report", "minus the Manhattan distance to the opponent"),
    entry(Heuristic::FarFromOpponent, "far_from_opponent", "reach-report", "the Manhattan distance to the opponent"),
    entry(
        Heuristic::Reach(10),
        "reach",
        "reach-report",
        "free cells minus the opponent's, a cell d moves away on the empty board counting 1/n^d: reach(2) to reach(10)",
    ),
    entry(Heuristic::Bfs, "bfs", "reach-report", "reachable cells minus the opponent's, a cell d moves away counting 1/(d + 1)"),
    entry(Heuristic::BfsCloseToCenter, "bfs_close_to_center", "reach-report", "bfs plus close_to_center"),
    entry(Heuristic::BfsFarFromCenter, "bfs_far_from_center", "reach-report", "bfs plus far_from_center"),
    entry(Heuristic::BfsCloseToOpponent, "bfs_close_to_opponent", "reach-report", "bfs plus close_to_opponent"),
    entry(Heuristic::BfsFarFromOpponent, "bfs_far_from_opponent", "reach-report", "bfs plus far_from_opponent"),
    entry(
        Heuristic::Mobility(10),
        "mobility",
        "symmetry-report",
        "own moves minus n/10 of the opponent's: mobility(1) to mobility(20)",
    ),
    entry(Heuristic::LinearMobility, "linear_mobility", "symmetry-report", "improved, but the n-th move counts 1/n"),
    entry(Heuristic::QuadraticMobility, "quadratic_mobility", "symmetry-report", "improved, but the n-th move counts 1/n²"),
    entry(
        Heuristic::MixedMobility,
        "mixed_mobility",
        "symmetry-report",
        "linear_mobility times quadratic_mobility, which is never negative, as printed",
    ),
    entry(
        Heuristic::MixedMobilityFixed,
        "mixed_mobility_fixed",
        "symmetry-report",
        "linear_mobility times quadratic_mobility, with their sign",
    ),
    entry(Heuristic::Offensive, "offensive", "attack-report, decay-report", "own moves minus twice the opponent's"),
    entry(Heuristic::Defensive, "defensive", "attack-report", "twice own moves minus the opponent's"),
    entry(
        Heuristic::CornerAware,
        "corner_aware",
        "attack-report",
        "avoid_corners_fixed, but corners count 4 when less than a quarter of the board is free",
    ),
    entry(
        Heuristic::CenterWeighted,
        "center_weighted",
        "decay-report",
        "offensive, each player's term doubled for every move into the middle, which is one off, as printed",
    ),
    entry(
        Heuristic::CenterWeightedFixed,
        "center_weighted_fixed",
        "decay-report",
        "offensive, each player's term doubled for every move into the middle row or column",
    ),
    entry(
        Heuristic::CenterDecay,
        "center_decay",
        "decay-report",
        "center_weighted, with a factor that falls from 2 to 0 as the board fills, as printed",
    ),
    entry(
        Heuristic::CenterDecayFixed,
        "center_decay_fixed",
        "decay-report",
        "center_weighted_fixed, with a factor that falls from 2 to 0 as the board fills",
    ),
    entry(
        Heuristic::Islands,
        "islands",
        "decay-report",
        "improved, or 100 times the difference in region size once the knights are separated",
    ),
    entry(
        Heuristic::Room,
        "room",
        "Isolde",
        "cells at exactly one, two, three and four moves, minus the opponent's; used by `best`",
    ),
];

impl Heuristic {
    /// All formulas. Those with a parameter come with one of its published values.
    pub fn all() -> impl Iterator<Item = Self> {
        ENTRIES.iter().map(|entry| entry.heuristic)
    }

    fn entry(self) -> &'static Entry {
        let same = |entry: &&Entry| std::mem::discriminant(&entry.heuristic) == std::mem::discriminant(&self);
        ENTRIES.iter().find(same).expect("every formula has an entry")
    }

    /// The report that the formula comes from.
    #[must_use]
    pub fn source(self) -> &'static str {
        self.entry().source
    }

    /// What the formula counts, in a few words.
    #[must_use]
    pub fn what(self) -> &'static str {
        self.entry().what
    }

    /// How good a position is for a player.
    #[inline]
    #[must_use]
    pub fn score<W: Word>(self, side: &Side<'_, W>) -> f64 {
        match self {
            Self::Null => 0.0,
            Self::Open => mobility::open(side),
            Self::Center => places::center(side),
            Self::Improved => mobility::improved(side),
            Self::AvoidCorners => mobility::avoid_corners(side),
            Self::AvoidCornersFixed => mobility::avoid_corners_fixed(side),
            Self::Chase => places::chase(side),
            Self::ChaseFixed => places::chase_fixed(side),
            Self::WeightedChase => places::weighted_chase(side),
            Self::WeightedChaseFixed => places::weighted_chase_fixed(side),
            Self::NextMoves => mobility::next_moves(side),
            Self::CloseToCenter => places::close_to_center(side),
            Self::FarFromCenter => -places::close_to_center(side),
            Self::CloseToOpponent => -places::far_from_opponent(side),
            Self::FarFromOpponent => places::far_from_opponent(side),
            Self::Reach(divisor) => reach::reach(side, 1.0 / f64::from(divisor)),
            Self::Bfs => reach::bfs(side),
            Self::BfsCloseToCenter => reach::bfs(side) + places::close_to_center(side),
            Self::BfsFarFromCenter => reach::bfs(side) - places::close_to_center(side),
            Self::BfsCloseToOpponent => reach::bfs(side) - places::far_from_opponent(side),
            Self::BfsFarFromOpponent => reach::bfs(side) + places::far_from_opponent(side),
            Self::Mobility(tenths) => mobility::mobility(side, f64::from(tenths) / 10.0),
            Self::LinearMobility => mobility::linear_mobility(side),
            Self::QuadraticMobility => mobility::quadratic_mobility(side),
            Self::MixedMobility => mobility::mixed_mobility(side),
            Self::MixedMobilityFixed => mobility::mixed_mobility_fixed(side),
            Self::Offensive => mobility::mobility(side, 2.0),
            Self::Defensive => mobility::defensive(side),
            Self::CornerAware => mobility::corner_aware(side),
            Self::CenterWeighted => mobility::center_weighted(side, mobility::middle_as_printed(side), 2.0),
            Self::CenterWeightedFixed => mobility::center_weighted(side, mobility::middle(side), 2.0),
            Self::CenterDecay => mobility::center_weighted(side, mobility::middle_as_printed(side), 2.0 * side.blank_share()),
            Self::CenterDecayFixed => mobility::center_weighted(side, mobility::middle(side), 2.0 * side.blank_share()),
            Self::Islands => reach::islands(side),
            Self::Room => mobility::room(side),
        }
    }
}

/// The name used in input and output: `improved`, `reach(10)`.
impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reach(number) | Self::Mobility(number) => f.pad(&format!("{}({number})", self.entry().name)),
            _ => f.pad(self.entry().name),
        }
    }
}

/// The error for a text that does not name a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownHeuristic {
    text: String,
}

impl fmt::Display for UnknownHeuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = Heuristic::all().map(|heuristic| heuristic.to_string()).collect();
        write!(f, "unknown heuristic `{}`; the heuristics are {}", self.text, names.join(", "))
    }
}

impl std::error::Error for UnknownHeuristic {}

impl FromStr for Heuristic {
    type Err = UnknownHeuristic;

    /// Only published parameters are accepted: `reach(2)` to `reach(10)`, `mobility(1)` to
    /// `mobility(20)`.
    fn from_str(text: &str) -> Result<Self, UnknownHeuristic> {
        let unknown = || UnknownHeuristic { text: text.to_string() };
        let (name, number) = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            Some((name, digits)) => (name, Some(digits.parse::<u32>().map_err(|_| unknown())?)),
            None => (text, None),
        };
        let heuristic = ENTRIES.iter().find(|entry| entry.name == name).ok_or_else(unknown)?.heuristic;
        match (heuristic, number) {
            (plain, None) => Ok(plain),
            (Self::Reach(_), Some(number @ 2..=10)) => Ok(Self::Reach(number)),
            (Self::Mobility(_), Some(number @ 1..=20)) => Ok(Self::Mobility(number)),
            _ => Err(unknown()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_parse_back() {
        let names: std::collections::BTreeSet<String> = Heuristic::all().map(|heuristic| heuristic.to_string()).collect();
        assert_eq!(names.len(), ENTRIES.len());
        for heuristic in Heuristic::all().chain((2..=10).map(Heuristic::Reach)).chain((1..=20).map(Heuristic::Mobility)) {
            assert_eq!(heuristic.to_string().parse(), Ok(heuristic));
        }
        for wrong in ["", "best", "reach(1)", "reach(11)", "reach(", "improved(2)", "mobility(0)", "mobility(x)"] {
            assert!(wrong.parse::<Heuristic>().is_err(), "{wrong}");
        }
        assert_eq!("mobility(20)".parse::<Heuristic>().map(Heuristic::what), Ok(Heuristic::Mobility(1).what()));
    }
}
