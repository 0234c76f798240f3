//! Claims that the player who makes a position symmetric wins it, once the cells that are their own
//! images are out of play.

use super::context::{MOST_CELLS_FOR_ALL_POSITIONS, boards, even, listed};
use super::verdict::{Evidence, Judgement, Reading, Verdict};
use super::{Claim, Context, Unfinished};
use crate::game::board::Size;
use crate::game::cells::Cell;
use crate::game::duel::Duel;
use crate::game::notation::grouped;
use crate::game::outcome::Value;
use crate::game::position::Player;
use crate::game::symmetry::Symmetry;
use crate::strategies::{Argument, Asymmetry, Reachable};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "odd-centre-mirror",
        source: "symmetry-report",
        says: "On a board with two odd sides, once the centre is taken and the position is symmetric through it, the player \
            who has just moved wins, and that is the first player.",
        published: "If both sides are odd, the centre has no reflection. But once it is taken and the position is symmetric \
            through it, the player who has just moved wins, and that is the first player.",
        reading: "The boards have two odd sides. Take every position that play can lead to in which the half turn exchanges \
            the knights and maps the board to itself, the centre is out of play, and the mover can still move. There the \
            player who has just moved wins, and that player is the first. All such positions of the boards with both sides \
            at least 3 and up to 25 cells are examined. An argument covers all larger boards, for the readings that have one.",
        long: false,
        examine: |context| {
            let question = Question {
                fixed: FixedCells { every: "the centre", together: "the centre" },
                conditions: &[OutOfPlay::Taken, OutOfPlay::TakenDeadAside],
                boards: |size| !even(size.files()) && !even(size.ranks()),
                mirrors: |_| vec![Symmetry::Center],
                favoured: FIRST,
            };
            examine(context, &question)
        },
    },
    Claim {
        id: "axis-mirror-odd",
        source: "symmetry-report",
        says: "On a board with an odd number of files, once the middle file is out of play and the position is symmetric in \
            it, the player who has just moved wins, and that is the first player.",
        published: "If the width is odd, the axis runs through the middle column. Whoever reaches symmetry once all cells of \
            that column are filled or unreachable wins, and that is the first player.",
        reading: "At least one side of the board is odd. Take every position that play can lead to in which a reflection in \
            an axis through cells exchanges the knights and maps the board to itself, the cells of the axis are out of play, \
            and the mover can still move. There the player who has just moved wins, and that player is the first. All such \
            positions of the boards with both sides at least 3 and up to 25 cells are examined. An argument covers all \
            larger boards, for the readings that have one.",
        long: false,
        examine: |context| {
            let question = Question {
                fixed: FixedCells { every: "every cell of the axis", together: "the axis" },
                conditions: &OutOfPlay::OF_A_LINE,
                boards: |size| !odd_axes(size).is_empty(),
                mirrors: odd_axes,
                favoured: FIRST,
            };
            examine(context, &question)
        },
    },
    Claim {
        id: "diagonal-mirror",
        source: "symmetry-report",
        says: "On a square board, once a diagonal is out of play and the position is symmetric in it, the player who has \
            just moved wins: the first player if the side is odd, the second if it is even.",
        published: "On square boards the same holds for a diagonal all of whose cells are unreachable. An odd height favours \
            the first player, an even one the second.",
        reading: "The board is a square. Take every position that play can lead to in which a reflection in a diagonal \
            exchanges the knights and maps the board to itself, the cells of the diagonal are out of play, and the mover can \
            still move. There the player who has just moved wins, and that player is the first on odd boards and the second \
            on even ones. All such positions of 3x3, 4x4 and 5x5 are examined. An argument covers all larger boards, for the \
            readings that have one.",
        long: false,
        examine: |context| {
            let question = Question {
                fixed: FixedCells { every: "every cell of the diagonal", together: "the diagonal" },
                conditions: &OutOfPlay::OF_A_LINE,
                boards: Size::is_square,
                mirrors: |_| vec![Symmetry::Diagonal, Symmetry::Antidiagonal],
                favoured: Favoured {
                    words: "the first player on odd boards and the second on even ones",
                    on: |size| if even(size.ranks()) { Player::Second } else { Player::First },
                },
            };
            examine(context, &question)
        },
    },
];

/// The axes that run through cells.
fn odd_axes(size: Size) -> Vec<Symmetry> {
    let odd = [(size.files(), Symmetry::Vertical), (size.ranks(), Symmetry::Horizontal)];
    odd.into_iter().filter(|(side, _)| !even(*side)).map(|(_, axis)| axis).collect()
}

/// The names of the cells that are their own images under a mirror.
#[derive(Clone, Copy)]
struct FixedCells {
    /// Such as `every cell of the axis`.
    every: &'static str,
    /// Such as `the axis`.
    together: &'static str,
}

/// What "out of play" may mean for the cells that are their own images.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutOfPlay {
    /// All of them are taken, and the whole board is symmetric, cell for cell.
    Taken,
    /// All of them are taken. Dead cells do not count for the symmetry.
    TakenDeadAside,
    /// All of them are taken or dead. Dead cells do not count for the symmetry.
    Dead,
    /// Neither knight can move to one of them with its next move. Dead cells do not count for the
    /// symmetry.
    NotNext,
}

impl OutOfPlay {
    /// The readings of a line whose cells are "filled or unreachable".
    const OF_A_LINE: [Self; 3] = [Self::Taken, Self::Dead, Self::NotNext];

    /// The condition as an if-clause, short enough for a summary.
    fn clause(self, fixed: FixedCells) -> String {
        let FixedCells { every, together } = fixed;
        match self {
            Self::Taken => format!("the whole board is symmetric with {every} taken"),
            Self::TakenDeadAside => format!("only the live cells need to be symmetric, with {every} taken"),
            Self::Dead => format!("{every} is taken or dead"),
            Self::NotNext => format!("neither knight can move onto {together} next"),
        }
    }

    /// The condition in full.
    fn words(self, fixed: FixedCells) -> String {
        let FixedCells { every, together } = fixed;
        match self {
            Self::Taken => format!("the whole board is symmetric, cell for cell, and {every} is taken"),
            Self::TakenDeadAside => format!("the live cells are symmetric, and {every} is taken"),
            Self::Dead => format!("the live cells are symmetric, and {every} is taken or dead"),
            Self::NotNext => format!("the live cells are symmetric, and neither knight can move onto {together} next"),
        }
    }

    /// Whether a duel is symmetric, with the fixed cells out of play in this sense.
    fn holds(self, reachable: &Reachable, symmetry: Symmetry, duel: Duel<u64>) -> bool {
        let (board, symmetries) = (reachable.board(), reachable.symmetries());
        // A cheap test first: nearly all duels fail it.
        if symmetries.cell(symmetry, duel.mover) != duel.other {
            return false;
        }
        let fixed = symmetries.fixed_cells(symmetry);
        match self {
            Self::Taken => fixed.is_disjoint(duel.free) && symmetries.set(symmetry, duel.free) == duel.free,
            Self::TakenDeadAside => fixed.is_disjoint(duel.free) && Asymmetry::find(board, symmetry, duel).is_none(),
            Self::Dead => Asymmetry::find(board, symmetry, duel).is_none(),
            Self::NotNext => {
                let (live, next) = (duel.live(board), duel.moves(board) | duel.moves_of_other(board));
                symmetries.set(symmetry, live) == live && fixed.is_disjoint(next)
            }
        }
    }
}

/// What the claim says about the player who has just moved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    /// That player wins.
    Wins,
    /// That player is the one whom the claim names.
    IsNamed,
}

/// One reading, counted over all positions of some boards.
struct SymmetryCount<'a> {
    question: &'a Question,
    condition: OutOfPlay,
    said: Said,
    /// For each board: the number of such positions, and in how many of them the reading fails.
    counts: Vec<(Size, u64, u64)>,
    /// A line to the first position in which the reading fails.
    example: Option<(Size, Vec<Cell>)>,
}

impl SymmetryCount<'_> {
    fn count(&mut self, reachable: &Reachable) {
        let size = reachable.board().size();
        let (mirrors, favoured) = ((self.question.mirrors)(size), (self.question.favoured.on)(size));
        let (mut positions, mut failures) = (0, 0);
        for (duel, value) in reachable.iter() {
            let symmetric = mirrors.iter().any(|&symmetry| self.condition.holds(reachable, symmetry, duel));
            // Once the game is over there is nothing left to mirror.
            if !symmetric || duel.moves(reachable.board()).is_empty() {
                continue;
            }
            let is_true = match self.said {
                Said::Wins => value == Value::Loss,
                Said::IsNamed => reachable.turn(duel) != favoured,
            };
            positions += 1;
            if !is_true {
                failures += 1;
                self.example = self.example.take().or_else(|| Some((size, reachable.line_to(duel)?)));
            }
        }
        self.counts.push((size, positions, failures));
    }

    fn reading(self, context: &Context<'_>) -> Result<Reading, Unfinished> {
        let sum = |count: fn(&(Size, u64, u64)) -> u64| self.counts.iter().map(count).sum::<u64>();
        let (positions, failures) = (sum(|counts| counts.1), sum(|counts| counts.2));
        let row = |&(size, positions, failures): &(Size, u64, u64)| {
            let mirrors: Vec<&str> = (self.question.mirrors)(size).into_iter().map(Symmetry::name).collect();
            vec![size.to_string(), mirrors.join(", "), grouped(positions), grouped(positions - failures)]
        };
        let head = vec!["board", "mirror", "such positions", "the reading is true in"];
        let mut evidence = vec![Evidence::Table { head, rows: self.counts.iter().map(row).collect() }];
        if failures == 0 {
            evidence.extend(self.beyond().map(|why| Evidence::Sentence(why.to_string())));
        }
        if let Some((size, line)) = &self.example {
            let player = Player::BOTH[(line.len() + 1) % 2];
            let shows = match self.said {
                Said::Wins => "The last ply makes the position symmetric, but its player loses.".to_string(),
                Said::IsNamed => format!("The last ply makes the position symmetric, and the {player} player made it."),
            };
            evidence.push(Evidence::Line(context.line(*size, line, shows)?));
        }
        let without: Vec<String> = self.counts.iter().filter(|counts| counts.1 == 0).map(|counts| counts.0.to_string()).collect();
        if !without.is_empty() {
            evidence.push(Evidence::Sentence(format!("No such position comes up on {}.", listed(&without))));
        }
        let (verdict, summary) = match failures {
            _ if positions == 0 => (Verdict::NotDecided, "No such position comes up on the boards examined.".to_string()),
            0 => (Verdict::Proved, format!("This is true in every such position ({} in all).", grouped(positions))),
            _ => {
                let (failures, positions) = (grouped(failures), grouped(positions));
                (Verdict::Refuted, format!("This is false in {failures} of {positions} such positions."))
            }
        };
        let said = match self.said {
            Said::Wins => "wins".to_string(),
            Said::IsNamed => format!("is {}", self.question.favoured.words),
        };
        let condition = self.condition.words(self.question.fixed);
        let statement = format!("If {condition}, the player who has just moved {said}.");
        Ok(Reading { statement, verdict, summary, evidence })
    }

    /// Why a reading that no position contradicts holds on larger boards, too. `None` if there is
    /// no argument for it.
    fn beyond(&self) -> Option<&'static str> {
        let argument = |&(size, ..): &(Size, u64, u64)| {
            (self.question.mirrors)(size).into_iter().map(move |mirror| Argument::new(size, mirror))
        };
        let mut arguments = self.counts.iter().flat_map(argument);
        match (self.said, self.condition) {
            (Said::Wins, OutOfPlay::Taken | OutOfPlay::TakenDeadAside | OutOfPlay::Dead) => {
                let holds = arguments.all(|argument| argument.keeps_moves && argument.own_inverse && argument.holds_for_shape);
                holds.then_some(
                    "An argument covers every larger board: the mirror maps knight's moves to knight's moves, it is its own \
                    inverse, and no cell in play is its own image. So every move can be answered with its image.",
                )
            }
            (Said::IsNamed, OutOfPlay::Taken) => {
                let first_if_odd = |argument: Argument| {
                    argument.fixed.len().is_multiple_of(2) != ((self.question.favoured.on)(argument.size) == Player::First)
                };
                arguments.all(first_if_odd).then_some(
                    "Counting covers every larger board: the cells that are gone are all those that are their own images, and \
                    pairs of images. So the number of plies is odd, and the first player has just moved, exactly when an \
                    odd number of cells are their own images.",
                )
            }
            _ => None,
        }
    }
}

/// What is asked, and about which positions.
struct Question {
    /// The cells that are their own images under the mirrors.
    fixed: FixedCells,
    conditions: &'static [OutOfPlay],
    /// Which of the boards that are small enough to examine.
    boards: fn(Size) -> bool,
    mirrors: fn(Size) -> Vec<Symmetry>,
    favoured: Favoured,
}

/// The player whom symmetry is said to favour.
struct Favoured {
    words: &'static str,
    on: fn(Size) -> Player,
}

const FIRST: Favoured = Favoured { words: "the first player", on: |_| Player::First };

/// Each condition has two readings: does the player who has just moved win, and is that the player
/// whom the claim names?
fn examine(context: &Context<'_>, question: &Question) -> Result<Judgement, Unfinished> {
    let count = |condition, said| SymmetryCount { question, condition, said, counts: Vec::new(), example: None };
    let both = |&condition| [Said::Wins, Said::IsNamed].map(|said| count(condition, said));
    let mut counts: Vec<SymmetryCount<'_>> = question.conditions.iter().flat_map(both).collect();
    // One board at a time: its positions take much memory.
    for size in boards(MOST_CELLS_FOR_ALL_POSITIONS).into_iter().filter(|&size| (question.boards)(size)) {
        let reachable = context.reachable(size)?;
        counts.iter_mut().for_each(|count| count.count(&reachable));
    }
    let readings = counts.into_iter().map(|count| count.reading(context)).collect::<Result<Vec<_>, _>>()?;
    let verdicts = |said: usize| {
        let verdicts = readings.iter().skip(said).step_by(2).map(|reading| reading.verdict);
        verdicts.zip(question.conditions.iter().map(|condition| condition.clause(question.fixed))).collect::<Vec<_>>()
    };
    let named = question.favoured.words;
    let player = "In a symmetric position, the player who has just moved";
    let wins = sentence(player, ["always wins", "does not always win"], &verdicts(0), false);
    let is = [format!("is always {named}"), format!("is not always {named}")];
    let is_named = sentence("That player", is.each_ref().map(String::as_str), &verdicts(1), true);
    Ok(Judgement::of_readings(format!("{wins} {is_named}"), readings))
}

/// Says under which conditions something is always so, and under which it is not.
///
/// With `named_before`, an earlier sentence has named the player and all conditions. Then
/// conditions that agree are not repeated.
fn sentence(subject: &str, [always, not_always]: [&str; 2], verdicts: &[(Verdict, String)], named_before: bool) -> String {
    let with =
        |wanted: Verdict| verdicts.iter().filter(move |(verdict, _)| *verdict == wanted).map(|(_, clause)| clause.as_str());
    let clauses = |wanted: Verdict| with(wanted).map(|clause| format!("if {clause}")).collect::<Vec<_>>().join(", or ");
    let all = |wanted: Verdict| named_before && verdicts.len() > 1 && with(wanted).count() == verdicts.len();
    let (proved, refuted) = (clauses(Verdict::Proved), clauses(Verdict::Refuted));
    let said = match (proved.is_empty(), refuted.is_empty()) {
        _ if all(Verdict::Proved) => format!("Under each of these conditions, that player {always}."),
        _ if all(Verdict::Refuted) => format!("Under each of these conditions, that player {not_always}."),
        (false, false) => format!("{subject} {always} {proved}, but not always {refuted}."),
        (false, true) => format!("{subject} {always} {proved}."),
        (true, false) => format!("{subject} {not_always} {refuted}."),
        (true, true) => String::new(),
    };
    let undecided = match clauses(Verdict::NotDecided) {
        none if none.is_empty() => none,
        undecided => format!(" No such position comes up {undecided}."),
    };
    format!("{said}{undecided}").trim_start().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_whole_sentences_whatever_the_verdicts_are() {
        use Verdict::{NotDecided, Proved, Refuted};
        let said = |subject, verdicts: &[Verdict]| {
            let verdicts: Vec<_> = verdicts.iter().copied().zip(["A", "B", "C"].map(str::to_string)).collect();
            sentence(subject, ["always wins", "does not always win"], &verdicts, subject == "That player")
        };
        let player = "That player";
        assert_eq!(said("The player", &[Proved, Refuted, Proved]), "The player always wins if A, or if C, but not always if B.");
        assert_eq!(said("The player", &[Proved, Proved]), "The player always wins if A, or if B.");
        assert_eq!(said(player, &[Proved, Proved]), "Under each of these conditions, that player always wins.");
        assert_eq!(said(player, &[Refuted, Refuted]), "Under each of these conditions, that player does not always win.");
        assert_eq!(said(player, &[Refuted]), "That player does not always win if A.");
        assert_eq!(said(player, &[Proved, NotDecided]), "That player always wins if A. No such position comes up if B.");
        assert_eq!(said(player, &[NotDecided]), "No such position comes up if A.");
    }
}
