//! Which openings a tournament is played from.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::cells::Word;
use crate::play::Random;
use crate::position::Player;
use crate::solve::{Opening, opening_classes};
use crate::verify::Openings;

/// How openings are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Selection {
    /// By lot, each as likely as any other.
    Random,
    /// Every opening.
    All,
    /// One of each class: those that are images of each other are alike.
    Classes,
    /// By lot, as many that the first player wins as the second.
    Balanced,
    /// None: the players place their knights themselves.
    Free,
}

impl Selection {
    /// All, by name.
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

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.iter().find(|(_, name)| *name == text);
        known.map(|(selection, _)| *selection).ok_or_else(|| "write random, all, classes, balanced or free".to_string())
    }
}

/// Openings for so many matches (of all, and of all classes, there are as many as there are); none in a place means that the players place their knights themselves. For balanced ones it
/// must be known who wins which.
///
/// # Errors
/// If the winners of the openings are not known, or always the same.
pub fn choose<W: Word>(
    selection: Selection,
    matches: usize,
    seed: u64,
    board: &Board<W>,
    solved: impl FnOnce() -> Result<Openings, String>,
) -> Result<Vec<Option<Opening>>, String> {
    let mut random = Random::new(seed);
    let classes = || opening_classes(board, board.cells(), board.cells());
    if board.size().cells() < 2 {
        return Err(format!("{} has no openings: there is no cell for the second player", board.size()));
    }
    Ok(match selection {
        Selection::Free => vec![None; matches],
        Selection::All => classes().into_iter().flat_map(|class| class.members).map(Some).collect(),
        Selection::Classes => classes().iter().map(|class| Some(class.representative())).collect(),
        Selection::Random => {
            let all: Vec<Opening> = classes().into_iter().flat_map(|class| class.members).collect();
            by_lot(&all, matches, &mut random)
        }
        Selection::Balanced => {
            let solved = solved()?;
            if !solved.is_complete() {
                return Err(format!("it is not known who wins every opening of {}: they cannot be balanced", board.size()));
            }
            let won_by = |winner| -> Vec<Opening> {
                let classes = solved.classes.iter().filter(|judged| judged.winner == Some(winner));
                classes.flat_map(|judged| judged.class.members.clone()).collect()
            };
            let [first, second] = Player::BOTH.map(won_by);
            if first.is_empty() || second.is_empty() {
                return Err(format!("no opening of {} is won by one of the players: they cannot be balanced", board.size()));
            }
            let (first, second) = (by_lot(&first, matches.div_ceil(2), &mut random), by_lot(&second, matches / 2, &mut random));
            // By turns, so that a tournament that is cut short is balanced, too.
            let mut second = second.into_iter();
            first.into_iter().flat_map(|opening| [Some(opening), second.next()]).flatten().collect()
        }
    })
}

/// So many by lot: none twice before all have been drawn.
fn by_lot(openings: &[Opening], wanted: usize, random: &mut Random) -> Vec<Option<Opening>> {
    let mut drawn = Vec::new();
    while drawn.len() < wanted {
        let mut all = openings.to_vec();
        random.shuffle(&mut all);
        drawn.extend(all.into_iter().take(wanted - drawn.len()).map(Some));
    }
    drawn
}
