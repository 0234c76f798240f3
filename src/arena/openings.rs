//! The openings that a tournament is played from.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::analysis::Openings;
use crate::game::board::{Board, Size};
use crate::game::position::Player;
use crate::play::Random;
use crate::solve::{Opening, opening_classes};

/// How openings are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Selection {
    /// Random openings, all equally likely.
    Random,
    /// Every opening.
    All,
    /// One opening of each symmetry class.
    Classes,
    /// Random openings, half of them won by the first player and half by the second.
    Balanced,
    /// No opening is set: the players place their knights themselves.
    Free,
}

impl Selection {
    /// All selections, with their names.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Random, "random"),
        (Self::All, "all"),
        (Self::Classes, "classes"),
        (Self::Balanced, "balanced"),
        (Self::Free, "free"),
    ];
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Self::ALL.iter().find(|(selection, _)| selection == self).map_or("", |(_, name)| name))
    }
}

/// The error for a text that does not name a [`Selection`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownSelection;

impl fmt::Display for UnknownSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write random, all, classes, balanced or free")
    }
}

impl std::error::Error for UnknownSelection {}

impl FromStr for Selection {
    type Err = UnknownSelection;

    fn from_str(text: &str) -> Result<Self, UnknownSelection> {
        let known = Self::ALL.iter().find(|(_, name)| *name == text);
        known.map(|(selection, _)| *selection).ok_or(UnknownSelection)
    }
}

/// Why openings cannot be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum CannotChoose {
    /// The board has only one cell.
    NoOpenings { size: Size },
    /// Balanced openings were asked for, but some winners are unknown.
    Unsolved { size: Size },
    /// Balanced openings were asked for, but one player wins all of them.
    OneSided { size: Size },
}

impl fmt::Display for CannotChoose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOpenings { size } => write!(f, "{size} has no openings: there is no cell for the second player"),
            Self::Unsolved { size } => {
                write!(f, "openings of {size} cannot be balanced: the winners of some of them are unknown")
            }
            Self::OneSided { size } => write!(f, "openings of {size} cannot be balanced: one player wins all of them"),
        }
    }
}

impl std::error::Error for CannotChoose {}

/// Chooses the openings, one for each match. `All` and `Classes` ignore `matches` and give one
/// match to every opening. `None` stands for an opening that the players choose themselves. Only
/// `Balanced` calls `solved`.
///
/// # Errors
/// If the board has no openings, or if balanced ones cannot be chosen: a winner is unknown, or the
/// winner is always the same.
pub fn choose<E: From<CannotChoose>>(
    selection: Selection,
    matches: usize,
    seed: u64,
    size: Size,
    solved: impl FnOnce() -> Result<Openings, E>,
) -> Result<Vec<Option<Opening>>, E> {
    let board = Board::<u128>::fitting(size);
    let mut random = Random::new(seed);
    let classes = || opening_classes(&board, board.cells(), board.cells());
    if board.size().cells() < 2 {
        return Err(CannotChoose::NoOpenings { size }.into());
    }
    Ok(match selection {
        Selection::Free => vec![None; matches],
        Selection::All => classes().into_iter().flat_map(|class| class.members).map(Some).collect(),
        Selection::Classes => classes().iter().map(|class| Some(class.representative())).collect(),
        Selection::Random => {
            let all: Vec<Opening> = classes().into_iter().flat_map(|class| class.members).collect();
            drawn_from(&all, matches, &mut random)
        }
        Selection::Balanced => {
            let solved = solved()?;
            if !solved.is_complete() {
                return Err(CannotChoose::Unsolved { size }.into());
            }
            let won_by = |winner| -> Vec<Opening> {
                let classes = solved.classes.iter().filter(|judged| judged.winner() == Some(winner));
                classes.flat_map(|judged| judged.class.members.clone()).collect()
            };
            let [first, second] = Player::BOTH.map(won_by);
            if first.is_empty() || second.is_empty() {
                return Err(CannotChoose::OneSided { size }.into());
            }
            let first = drawn_from(&first, matches.div_ceil(2), &mut random);
            let second = drawn_from(&second, matches / 2, &mut random);
            // Alternating, so that an interrupted tournament is balanced, too.
            let mut second = second.into_iter();
            first.into_iter().flat_map(|opening| [Some(opening), second.next()]).flatten().collect()
        }
    })
}

/// Random openings, none of them repeated before all have been drawn.
fn drawn_from(openings: &[Opening], wanted: usize, random: &mut Random) -> Vec<Option<Opening>> {
    let mut drawn = Vec::new();
    while drawn.len() < wanted {
        let mut all = openings.to_vec();
        random.shuffle(&mut all);
        drawn.extend(all.into_iter().take(wanted - drawn.len()).map(Some));
    }
    drawn
}
