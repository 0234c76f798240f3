//! Claims that whoever makes a position symmetric wins it, once the cells that are their own images are out of play.

use super::examiner::{MOST_CELLS_FOR_ALL_POSITIONS, boards, even};
use super::verdict::{Evidence, Judgement, Reading, Verdict};
use super::{Claim, Examiner, Unfinished};
use crate::board::Size;
use crate::cells::Cell;
use crate::duel::Duel;
use crate::notation::grouped;
use crate::outcome::Value;
use crate::position::Player;
use crate::symmetry::Symmetry;
use crate::verify::{Argument, Asymmetry, Reachable};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "odd-centre-mirror",
        source: "symmetry-report",
        published: "Where both sides are odd, the centre cannot be reflected; but once it is taken and the position is symmetric through it, the player who has just moved wins, and that is the first.",
        reading: "In every position of a board with two odd sides that play can lead to, in which the half turn exchanges the knights and lays the board onto itself, with the centre out of play and a move left to the mover, the player who has just moved wins; and that player is the first. Over all such positions of the boards with sides of at least 3 and up to 25 cells, and by the argument beyond.",
        long: false,
        examine: |examiner| {
            let question = Question {
                conditions: &[OutOfPlay::Taken, OutOfPlay::TakenDeadAside],
                boards: |size| !even(size.files()) && !even(size.ranks()),
                mirrors: |_| vec![Symmetry::Center],
                favoured: FIRST,
            };
            examine(examiner, &question)
        },
    },
    Claim {
        id: "axis-mirror-odd",
        source: "symmetry-report",
        published: "With an odd width the axis runs through the middle column: whoever reaches symmetry once all its cells are filled or unreachable wins, and that is the first player.",
        reading: "In every position that play can lead to, in which a reflection in an axis through cells exchanges the knights and lays the board onto itself, with the cells of the axis out of play and a move left to the mover, the player who has just moved wins; and that player is the first. Over all such positions of the boards with sides of at least 3, at least one of them odd, and up to 25 cells, and by the argument beyond, where there is one.",
        long: false,
        examine: |examiner| {
            let boards = |size: Size| !odd_axes(size).is_empty();
            examine(examiner, &Question { conditions: &OutOfPlay::OF_A_LINE, boards, mirrors: odd_axes, favoured: FIRST })
        },
    },
    Claim {
        id: "diagonal-mirror",
        source: "symmetry-report",
        published: "On square boards the same holds for a diagonal all of whose cells are unreachable; an odd height favours the first player, an even one the second.",
        reading: "In every position of a square board that play can lead to, in which a reflection in a diagonal exchanges the knights and lays the board onto itself, with the cells of the diagonal out of play and a move left to the mover, the player who has just moved wins; and that player is the first on odd boards and the second on even ones. Over all such positions of 3x3, 4x4 and 5x5, and by the argument beyond, where there is one.",
        long: false,
        examine: |examiner| {
            let favoured = Favoured {
                words: "the first player on odd boards and the second on even ones",
                on: |size| if even(size.ranks()) { Player::Second } else { Player::First },
            };
            let mirrors = |_| vec![Symmetry::Diagonal, Symmetry::Antidiagonal];
            let boards = Size::is_square;
            examine(examiner, &Question { conditions: &OutOfPlay::OF_A_LINE, boards, mirrors, favoured })
        },
    },
];

/// The axes that run through cells.
fn odd_axes(size: Size) -> Vec<Symmetry> {
    let odd = [(size.files(), Symmetry::Vertical), (size.ranks(), Symmetry::Horizontal)];
    odd.into_iter().filter(|(side, _)| !even(*side)).map(|(_, axis)| axis).collect()
}

/// What it may mean that the cells which are their own images cannot be played to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutOfPlay {
    /// Every one of them is taken, and the whole board is symmetric, cell for cell.
    Taken,
    /// Every one of them is taken; cells that nobody can reach do not count for the symmetry.
    TakenDeadAside,
    /// None of them can ever be reached; cells that nobody can reach do not count for the symmetry either.
    Dead,
    /// Neither knight can move to one of them with its next move.
    NotNext,
}

impl OutOfPlay {
    /// The readings of a line whose cells are `filled or unreachable`.
    const OF_A_LINE: [Self; 3] = [Self::Taken, Self::Dead, Self::NotNext];

    fn name(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::TakenDeadAside => "taken and dead cells left aside",
            Self::Dead => "taken or dead",
            Self::NotNext => "out of reach for one move",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Taken => "every cell that is its own image is taken, and the board is symmetric cell for cell",
            Self::TakenDeadAside => "every cell that is its own image is taken, and dead cells do not count for the symmetry",
            Self::Dead => "every cell that is its own image is taken or dead, and dead cells do not count for the symmetry",
            Self::NotNext => {
                "no cell that is its own image can be reached by the next move of either, and dead cells do not count for the symmetry"
            }
        }
    }

    /// Whether a duel is symmetric in this sense.
    fn holds(self, reachable: &Reachable, symmetry: Symmetry, duel: Duel<u64>) -> bool {
        let (board, symmetries) = (reachable.board(), reachable.symmetries());
        // Nearly all duels end here.
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

/// What is said of such positions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    /// Whoever has just moved wins.
    Wins,
    /// Whoever has just moved is the player named.
    IsNamed,
}

/// One reading, followed through all positions of some boards.
struct Tally<'a> {
    question: &'a Question,
    condition: OutOfPlay,
    said: Said,
    /// For each board: such positions, and those of which it is not so.
    counts: Vec<(Size, u64, u64)>,
    /// A line to the first of these.
    example: Option<(Size, Vec<Cell>)>,
}

impl Tally<'_> {
    fn count(&mut self, reachable: &Reachable) {
        let size = reachable.board().size();
        let (mirrors, favoured) = ((self.question.mirrors)(size), (self.question.favoured.on)(size));
        let (mut positions, mut failures) = (0, 0);
        for (duel, value) in reachable.iter() {
            let symmetric = mirrors.iter().any(|&symmetry| self.condition.holds(reachable, symmetry, duel));
            // Where the game is over there is nothing left to mirror.
            if !symmetric || duel.moves(reachable.board()).is_empty() {
                continue;
            }
            let is_so = match self.said {
                Said::Wins => value == Value::Loss,
                Said::IsNamed => reachable.turn(duel) != favoured,
            };
            positions += 1;
            if !is_so {
                failures += 1;
                self.example = self.example.take().or_else(|| Some((size, reachable.line_to(duel)?)));
            }
        }
        self.counts.push((size, positions, failures));
    }

    fn reading(self, examiner: &Examiner<'_>) -> Result<Reading, Unfinished> {
        let sum = |count: fn(&(Size, u64, u64)) -> u64| self.counts.iter().map(count).sum::<u64>();
        let (positions, failures) = (sum(|counts| counts.1), sum(|counts| counts.2));
        let row = |&(size, positions, failures): &(Size, u64, u64)| {
            let mirrors: Vec<&str> = (self.question.mirrors)(size).into_iter().map(Symmetry::name).collect();
            vec![size.to_string(), mirrors.join(", "), grouped(positions), grouped(positions - failures)]
        };
        let head = vec!["board", "mirror", "such positions", "in which that is so"];
        let mut evidence = vec![Evidence::Table { head, rows: self.counts.iter().map(row).collect() }];
        if failures == 0 {
            evidence.extend(self.beyond().map(|why| Evidence::Sentence(why.to_string())));
        }
        if let Some((size, line)) = &self.example {
            evidence.push(Evidence::Line(examiner.line(*size, line, "symmetric, and yet not so")?));
        }
        let without: Vec<String> = self.counts.iter().filter(|counts| counts.1 == 0).map(|counts| counts.0.to_string()).collect();
        if !without.is_empty() {
            evidence.push(Evidence::Sentence(format!("no such position comes up on {}", without.join(", "))));
        }
        let (verdict, summary) = match failures {
            _ if positions == 0 => (Verdict::NotDecided, "no such position comes up on these boards".to_string()),
            0 => (Verdict::Proved, format!("in all {} such positions", grouped(positions))),
            _ => (Verdict::Refuted, format!("not in {} of {} such positions", grouped(failures), grouped(positions))),
        };
        let said = match self.said {
            Said::Wins => "whoever has just moved wins".to_string(),
            Said::IsNamed => format!("whoever has just moved is {}", self.question.favoured.words),
        };
        Ok(Reading { statement: format!("{said}: {}", self.condition.words()), verdict, summary, evidence })
    }

    /// Why a reading that no position contradicts holds on larger boards, too, where there is an argument.
    fn beyond(&self) -> Option<&'static str> {
        let argument = |&(size, ..): &(Size, u64, u64)| {
            (self.question.mirrors)(size).into_iter().map(move |mirror| Argument::new(size, mirror))
        };
        let mut arguments = self.counts.iter().flat_map(argument);
        match (self.said, self.condition) {
            (Said::Wins, OutOfPlay::Taken | OutOfPlay::TakenDeadAside | OutOfPlay::Dead) => {
                let holds = arguments.all(|argument| argument.keeps_moves && argument.own_inverse && argument.holds_for_shape);
                holds.then_some("on every larger board by the argument: the mirror takes knight's moves to knight's moves and takes itself back, and no cell in play is its own image, so that every move has its reply")
            }
            (Said::IsNamed, OutOfPlay::Taken) => {
                let first_if_odd = |argument: Argument| {
                    argument.fixed.len().is_multiple_of(2) != ((self.question.favoured.on)(argument.size) == Player::First)
                };
                arguments.all(first_if_odd).then_some("on every larger board by counting: the cells that are gone are those which are their own images, and pairs of images, so that the number of plies is odd, and the first player has just moved, exactly when there is an odd number of the former")
            }
            _ => None,
        }
    }
}

/// What is asked about which positions.
struct Question {
    conditions: &'static [OutOfPlay],
    /// Of the boards all of whose positions can be gone through, which?
    boards: fn(Size) -> bool,
    mirrors: fn(Size) -> Vec<Symmetry>,
    favoured: Favoured,
}

/// Whom symmetry is said to favour.
struct Favoured {
    words: &'static str,
    on: fn(Size) -> Player,
}

const FIRST: Favoured = Favoured { words: "the first player", on: |_| Player::First };

/// Two readings for each condition: does whoever has just moved win, and is that the player named?
fn examine(examiner: &Examiner<'_>, question: &Question) -> Result<Judgement, Unfinished> {
    let tally = |condition, said| Tally { question, condition, said, counts: Vec::new(), example: None };
    let tallies =
        question.conditions.iter().flat_map(|&condition| [Said::Wins, Said::IsNamed].map(|said| tally(condition, said)));
    let mut tallies: Vec<Tally<'_>> = tallies.collect();
    // One board at a time: they are large.
    for size in boards(MOST_CELLS_FOR_ALL_POSITIONS).into_iter().filter(|&size| (question.boards)(size)) {
        let reachable = examiner.reachable(size)?;
        tallies.iter_mut().for_each(|tally| tally.count(&reachable));
    }
    let readings = tallies.into_iter().map(|tally| tally.reading(examiner)).collect::<Result<Vec<_>, _>>()?;
    let verdicts = |said: usize| {
        let verdicts = readings.iter().skip(said).step_by(2).zip(question.conditions);
        verdicts.map(|(reading, condition)| format!("{} if {}", reading.verdict, condition.name())).collect::<Vec<_>>().join(", ")
    };
    let summary = format!("whoever has just moved wins: {}; and is {}: {}", verdicts(0), question.favoured.words, verdicts(1));
    Ok(Judgement::of_readings(summary, readings))
}
