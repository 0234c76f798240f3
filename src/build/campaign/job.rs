//! Jobs: one question about one position.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::board::Board;
use crate::game::cells::{Cells, Word};
use crate::game::duel::Duel;
use crate::game::notation::parse;
use crate::game::position::{Player, Setup};
use crate::game::symmetry::Symmetries;
use crate::game::zobrist;

/// What is asked about a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Question {
    /// Who wins, and the winner's strategy down to the depth of the plan.
    Strategy,
    /// Who wins.
    Winner,
}

impl Question {
    const ALL: [Self; 2] = [Self::Strategy, Self::Winner];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Strategy => "strategy",
            Self::Winner => "winner",
        }
    }

    const fn letter(self) -> char {
        match self {
            Self::Strategy => 's',
            Self::Winner => 'w',
        }
    }
}

/// A question about a canonical position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Job<W> {
    pub(super) question: Question,
    pub(super) duel: Duel<W>,
}

impl<W: Word> Job<W> {
    /// The name: the question, and the [hash](zobrist) of the position. Equal positions under
    /// different openings are one job.
    ///
    /// Two positions could have the same hash. Results hold the position itself, so one of them
    /// would be taken for a result of something else, and never for an answer to this job.
    pub(super) fn name(self) -> String {
        format!("{}-{:016x}", self.question.letter(), zobrist::hash(self.duel))
    }

    /// One line: the name, the question, the position.
    pub(super) fn line(self, board: &Board<W>) -> String {
        format!("{} {} {}", self.name(), self.question.name(), diagram(board, self.duel))
    }

    /// Reads a line that [`Job::line`] has written.
    pub(super) fn from_line(board: &Board<W>, symmetries: &Symmetries<W>, line: &str) -> Option<Self> {
        let (name, rest) = line.split_once(' ')?;
        let (question, position) = rest.split_once(' ')?;
        let question = Question::ALL.into_iter().find(|known| known.name() == question)?;
        let job = Self { question, duel: canonical_duel(board, symmetries, position)? };
        (job.name() == name).then_some(job)
    }
}

/// Whether this could be the name of a job.
pub(super) fn is_name(text: &str) -> bool {
    let digits = Question::ALL.into_iter().find_map(|question| text.strip_prefix(question.letter())?.strip_prefix('-'));
    digits.is_some_and(|digits| digits.len() == 16 && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')))
}

/// A duel as a diagram, its mover as the first player.
pub(super) fn diagram<W: Word>(board: &Board<W>, duel: Duel<W>) -> impl fmt::Display {
    Setup::of_duel(board, duel)
}

/// The duel that a diagram shows. `None` if it shows none of this board, or one that is not in
/// canonical form.
pub(super) fn canonical_duel<W: Word>(board: &Board<W>, symmetries: &Symmetries<W>, text: &str) -> Option<Duel<W>> {
    let setup = parse(text).ok().filter(|setup| setup.size == board.size() && setup.turn == Player::First)?;
    let [Some(mover), Some(other)] = setup.knights else { return None };
    let free = board.cells().except(setup.blocked.convert()).without(mover).without(other);
    let duel = Duel { free: Cells::from_word(free.word()), mover, other };
    (mover != other && symmetries.canonical(board, duel).duel == duel).then_some(duel)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Size;

    #[test]
    fn jobs_survive_being_written_and_nothing_else_is_one() {
        let board = Board::<u128>::fitting(Size::new(9, 9).unwrap());
        let symmetries = Symmetries::new(&board);
        let duel: Duel<u128> = "9x9: e5 c4 g6".parse::<crate::Position>().unwrap().duel().unwrap();
        let duel = symmetries.canonical(&board, duel).duel;
        for question in Question::ALL {
            let job = Job { question, duel };
            let line = job.line(&board);
            assert!(is_name(&job.name()) && line.starts_with(&job.name()), "{line}");
            assert_eq!(Job::from_line(&board, &symmetries, &line), Some(job));
            let other = line.replacen(&job.name(), "w-0123456789abcdef", 1);
            assert_eq!(Job::<u128>::from_line(&board, &symmetries, &other), None);
        }
        // Not canonical; a board of another size; the knights missing.
        for text in ["9/9/9/9/9/9/9/8n/8N w", "9/9/N7n w", "9/9/9/9/9/9/9/9/N8 b", "garbage"] {
            assert_eq!(canonical_duel(&board, &symmetries, text), None, "{text}");
        }
        for name in ["", "w", "w-", "x-0123456789abcdef", "w-0123456789abcdeF", "w-0123456789abcdef0", "../secret"] {
            assert!(!is_name(name), "{name}");
        }
    }
}
