//! Scores that guess who stands better: the formulas of the published reports, and one of ours.
//!
//! Every one is told from the point of view of one player, whether or not it is to move: some formulas treat the two players differently, and the reports'
//! agents evaluate every position for the player who searches.
//!
//! Where what was printed is plainly not what was meant, there are two: the formula as printed, and its twin with `_fixed`.
//!
//! ```
//! use isolde::play::heuristics::{Heuristic, Side};
//! use isolde::{Player, Position, notation};
//!
//! let position = Position::<u64>::new(notation::parse("7x7: d4 a1")?)?;
//! let side = Side::of(&position, Player::First).expect("both knights are placed");
//! assert_eq!("improved".parse::<Heuristic>()?.score(&side), 8.0 - 2.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// In the order of their layers: each uses only those above it. The empty lines keep them so.
mod side;

mod mobility;

mod places;

mod reach;

use std::fmt;
use std::str::FromStr;

use crate::cells::Word;

pub use reach::{bfs_of, reach_of};
pub use side::Side;

/// A formula that guesses how good a position is for a player: the higher, the better.
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
    /// The ratio is one divided by this.
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
    /// Ours.
    Room,
}

/// What is known of a formula beside itself.
struct Entry {
    heuristic: Heuristic,
    name: &'static str,
    source: &'static str,
    what: &'static str,
}

const fn entry(heuristic: Heuristic, name: &'static str, source: &'static str, what: &'static str) -> Entry {
    Entry { heuristic, name, source, what }
}

/// All formulas, each once; those with a number stand here with the best, or the first, of the published numbers.
const ENTRIES: [Entry; 35] = [
    entry(Heuristic::Null, "null", "reach-report", "nothing: every position is alike"),
    entry(Heuristic::Open, "open", "corners-report", "own moves"),
    entry(Heuristic::Center, "center", "corners-report", "squared distance from the centre; the larger, the higher, as printed"),
    entry(Heuristic::Improved, "improved", "all", "own moves less the opponent's"),
    entry(Heuristic::AvoidCorners, "avoid_corners", "corners-report", "improved, less the corner moves of both, as printed"),
    entry(
        Heuristic::AvoidCornersFixed,
        "avoid_corners_fixed",
        "corners-report",
        "improved, less own corner moves, plus the opponent's",
    ),
    entry(Heuristic::Chase, "chase", "corners-report", "minus the length of the sum of both places, as printed"),
    entry(Heuristic::ChaseFixed, "chase_fixed", "corners-report", "minus the distance between the players"),
    entry(
        Heuristic::WeightedChase,
        "weighted_chase",
        "corners-report",
        "chase, divided by 4 when less than a quarter is free, as printed",
    ),
    entry(
        Heuristic::WeightedChaseFixed,
        "weighted_chase_fixed",
        "corners-report",
        "chase_fixed, times 4 when less than a quarter is free",
    ),
    entry(Heuristic::NextMoves, "next_moves", "corners-report", "improved, and the same for the cells one move further on"),
    entry(Heuristic::CloseToCenter, "close_to_center", "reach-report", "how much nearer to the centre than the opponent"),
    entry(Heuristic::FarFromCenter, "far_from_center", "reach-report", "how much farther from the centre than the opponent"),
    entry(
        Heuristic::CloseToOpponent,
        "close_to_opponent",
        "reach-report",
        "minus the steps along files and ranks to the opponent",
    ),
    entry(Heuristic::FarFromOpponent, "far_from_opponent", "reach-report", "the steps along files and ranks to the opponent"),
    entry(
        Heuristic::Reach(10),
        "reach",
        "reach-report",
        "free cells, each by its distance on the empty board: reach(10) counts a tenth for every move, and so on from reach(2)",
    ),
    entry(Heuristic::Bfs, "bfs", "reach-report", "cells that can be reached, each divided by its distance and one"),
    entry(Heuristic::BfsCloseToCenter, "bfs_close_to_center", "reach-report", "bfs and close_to_center together"),
    entry(Heuristic::BfsFarFromCenter, "bfs_far_from_center", "reach-report", "bfs and far_from_center together"),
    entry(Heuristic::BfsCloseToOpponent, "bfs_close_to_opponent", "reach-report", "bfs and close_to_opponent together"),
    entry(Heuristic::BfsFarFromOpponent, "bfs_far_from_opponent", "reach-report", "bfs and far_from_opponent together"),
    entry(
        Heuristic::Mobility(10),
        "mobility",
        "symmetry-report",
        "own moves less so many tenths of the opponent's: mobility(1) to mobility(20)",
    ),
    entry(Heuristic::LinearMobility, "linear_mobility", "symmetry-report", "improved, where the n-th move counts 1/n"),
    entry(Heuristic::QuadraticMobility, "quadratic_mobility", "symmetry-report", "improved, where the n-th move counts 1/n²"),
    entry(
        Heuristic::MixedMobility,
        "mixed_mobility",
        "symmetry-report",
        "the product of these two, which is never negative, as printed",
    ),
    entry(Heuristic::MixedMobilityFixed, "mixed_mobility_fixed", "symmetry-report", "the product of these two, with their sign"),
    entry(Heuristic::Offensive, "offensive", "attack-report, decay-report", "own moves less twice the opponent's"),
    entry(Heuristic::Defensive, "defensive", "attack-report", "twice the own moves less the opponent's"),
    entry(
        Heuristic::CornerAware,
        "corner_aware",
        "attack-report",
        "avoid_corners_fixed, corners counting 4 when less than a quarter is free",
    ),
    entry(
        Heuristic::CenterWeighted,
        "center_weighted",
        "decay-report",
        "offensive, doubled for every move into the middle; the middle one off, as printed",
    ),
    entry(
        Heuristic::CenterWeightedFixed,
        "center_weighted_fixed",
        "decay-report",
        "offensive, doubled for every move into the middle row or column",
    ),
    entry(
        Heuristic::CenterDecay,
        "center_decay",
        "decay-report",
        "center_weighted, doubling less and less as the board fills, as printed",
    ),
    entry(
        Heuristic::CenterDecayFixed,
        "center_decay_fixed",
        "decay-report",
        "center_weighted_fixed, doubling less and less as the board fills",
    ),
    entry(
        Heuristic::Islands,
        "islands",
        "decay-report",
        "improved, but the difference of the regions, times 100, once they are separate",
    ),
    entry(
        Heuristic::Room,
        "room",
        "Isolde",
        "the cells within one move, two, three and four, less the opponent's; what `best` believes",
    ),
];

impl Heuristic {
    /// All formulas; those that take a number with one of their published numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        ENTRIES.iter().map(|entry| entry.heuristic)
    }

    fn entry(self) -> &'static Entry {
        let same = |entry: &&Entry| std::mem::discriminant(&entry.heuristic) == std::mem::discriminant(&self);
        ENTRIES.iter().find(same).expect("every formula has its entry")
    }

    /// The report that it comes from.
    #[must_use]
    pub fn source(self) -> &'static str {
        self.entry().source
    }

    /// What it counts, in a few words.
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

/// The name that people type and read: `improved`, `reach(10)`.
impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reach(number) | Self::Mobility(number) => f.pad(&format!("{}({number})", self.entry().name)),
            _ => f.pad(self.entry().name),
        }
    }
}

/// A text that names no formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownHeuristic {
    text: String,
}

impl fmt::Display for UnknownHeuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = Heuristic::all().map(|heuristic| heuristic.to_string()).collect();
        write!(f, "`{}` is no heuristic; there are {}", self.text, names.join(", "))
    }
}

impl std::error::Error for UnknownHeuristic {}

impl FromStr for Heuristic {
    type Err = UnknownHeuristic;

    /// Numbers are those that were published: `reach(2)` to `reach(10)`, `mobility(1)` to `mobility(20)`.
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
    fn names_come_back_and_no_two_are_alike() {
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
