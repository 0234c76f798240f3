//! Claims that whoever makes a position symmetric wins it, once the cells that are their own images are out of play.

use super::examiner::size;
use super::verdict::{Evidence, Judgement, Reading, Verdict};
use super::{Claim, Examiner, Unfinished};
use crate::board::Size;
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
        reading: "In every position of a board with two odd sides that play can lead to, in which the half turn exchanges the knights and lays the board onto itself, with the centre out of play and a move left to the mover, the player who has just moved wins; and that player is the first. Over all such positions of 3x3, 3x5, 3x7 and 5x5, and by the argument beyond.",
        long: false,
        examine: |examiner| {
            let readings = [OutOfPlay::Taken, OutOfPlay::Dead];
            examine(examiner, &readings, &[(3, 3), (3, 5), (3, 7), (5, 5)], |_| vec![Symmetry::Center], FIRST)
        },
    },
    Claim {
        id: "axis-mirror-odd",
        source: "symmetry-report",
        published: "With an odd width the axis runs through the middle column: whoever reaches symmetry once all its cells are filled or unreachable wins, and that is the first player.",
        reading: "In every position that play can lead to, in which a reflection in an axis through cells exchanges the knights and lays the board onto itself, with the cells of the axis out of play and a move left to the mover, the player who has just moved wins; and that player is the first. Over all such positions of the boards with an odd side up to 25 cells.",
        long: false,
        examine: |examiner| {
            let boards = [(3, 3), (3, 4), (3, 5), (3, 6), (4, 5), (3, 7), (3, 8), (5, 5)];
            examine(examiner, &OutOfPlay::ALL, &boards, odd_axes, FIRST)
        },
    },
    Claim {
        id: "diagonal-mirror",
        source: "symmetry-report",
        published: "On square boards the same holds for a diagonal all of whose cells are unreachable; an odd height favours the first player, an even one the second.",
        reading: "In every position of a square board that play can lead to, in which a reflection in a diagonal exchanges the knights and lays the board onto itself, with the cells of the diagonal out of play and a move left to the mover, the player who has just moved wins; and that player is the first on odd boards and the second on even ones. Over all such positions of 3x3, 4x4 and 5x5.",
        long: false,
        examine: |examiner| {
            let favoured = Favoured {
                words: "the first player on odd boards and the second on even ones",
                on: |size| if size.ranks().is_multiple_of(2) { Player::Second } else { Player::First },
            };
            examine(
                examiner,
                &OutOfPlay::ALL,
                &[(3, 3), (4, 4), (5, 5)],
                |_| vec![Symmetry::Diagonal, Symmetry::Antidiagonal],
                favoured,
            )
        },
    },
];

/// Whom symmetry is said to favour.
#[derive(Clone, Copy)]
struct Favoured {
    words: &'static str,
    on: fn(Size) -> Player,
}

const FIRST: Favoured = Favoured { words: "the first player", on: |_| Player::First };

/// The axes that run through cells.
fn odd_axes(size: Size) -> Vec<Symmetry> {
    let odd = [(size.files(), Symmetry::Vertical), (size.ranks(), Symmetry::Horizontal)];
    odd.into_iter().filter(|(side, _)| !side.is_multiple_of(2)).map(|(_, axis)| axis).collect()
}

/// What it may mean that the cells which are their own images cannot be played to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutOfPlay {
    /// Every one of them is taken, and the whole board is symmetric, cell for cell.
    Taken,
    /// None of them can ever be reached; cells that nobody can reach do not count for the symmetry either.
    Dead,
    /// Neither knight can move to one of them with its next move.
    NotNext,
}

impl OutOfPlay {
    const ALL: [Self; 3] = [Self::Taken, Self::Dead, Self::NotNext];

    fn name(self) -> &'static str {
        match self {
            Self::Taken => "cells taken",
            Self::Dead => "cells dead",
            Self::NotNext => "cells not reached next",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Taken => "every cell of the line is taken and the board symmetric cell for cell",
            Self::Dead => "every cell of the line is taken or dead, and dead cells do not count for the symmetry",
            Self::NotNext => "no cell of the line can be reached by the next move of either",
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
            Self::Dead => Asymmetry::find(board, symmetry, duel).is_none(),
            Self::NotNext => {
                let (live, next) = (duel.live(board), duel.moves(board) | duel.moves_of_other(board));
                symmetries.set(symmetry, live) == live && fixed.is_disjoint(next)
            }
        }
    }
}

/// What was found on one board.
#[derive(Default)]
struct Found {
    positions: u64,
    /// Those that the player who has just moved does not win, and the first of them.
    lost: u64,
    lost_example: Option<Duel<u64>>,
    /// Those in which another player than the favoured one has just moved.
    other_player: u64,
    other_example: Option<Duel<u64>>,
}

fn scan(reachable: &Reachable, out: OutOfPlay, mirrors: &[Symmetry], favoured: Player) -> Found {
    let mut found = Found::default();
    for (duel, value) in reachable.iter() {
        // Where the game is over there is nothing left to mirror.
        let symmetric = mirrors.iter().any(|&symmetry| out.holds(reachable, symmetry, duel));
        if !symmetric || duel.moves(reachable.board()).is_empty() {
            continue;
        }
        found.positions += 1;
        if value == Value::Win {
            found.lost += 1;
            found.lost_example.get_or_insert(duel);
        }
        if reachable.turn(duel) == favoured {
            found.other_player += 1;
            found.other_example.get_or_insert(duel);
        }
    }
    found
}

/// Two questions for each way to read the condition: does whoever reached symmetry win, and is it the favoured player?
fn examine(
    examiner: &Examiner<'_>,
    conditions: &[OutOfPlay],
    boards: &[(usize, usize)],
    mirrors: fn(Size) -> Vec<Symmetry>,
    favoured: Favoured,
) -> Result<Judgement, Unfinished> {
    // One board at a time: they are large.
    let mut found: Vec<Vec<(Size, Found)>> = conditions.iter().map(|_| Vec::new()).collect();
    let (mut lost, mut other) = (vec![None; conditions.len()], vec![None; conditions.len()]);
    for &(files, ranks) in boards {
        let size = size(files, ranks);
        let reachable = examiner.reachable(size)?;
        for (number, &condition) in conditions.iter().enumerate() {
            let on_board = scan(&reachable, condition, &mirrors(size), (favoured.on)(size));
            let line = |duel: Option<Duel<u64>>| duel.and_then(|duel| reachable.line_to(duel)).map(|line| (size, line));
            lost[number] = lost[number].take().or_else(|| line(on_board.lost_example));
            other[number] = other[number].take().or_else(|| line(on_board.other_example));
            found[number].push((size, on_board));
        }
    }
    let named = format!("whoever has just moved is {}", favoured.words);
    let mut readings = Vec::new();
    for (number, &condition) in conditions.iter().enumerate() {
        let found = &found[number];
        let positions: u64 = found.iter().map(|(_, found)| found.positions).sum();
        for (question, example, failures) in [
            ("whoever has just moved wins", &lost[number], (|found: &Found| found.lost) as fn(&Found) -> u64),
            (named.as_str(), &other[number], |found| found.other_player),
        ] {
            let failing: u64 = found.iter().map(|(_, found)| failures(found)).sum();
            let wins = question.ends_with("wins");
            let rows = found.iter().map(|(size, found)| {
                let mirrors: Vec<&str> = mirrors(*size).into_iter().map(Symmetry::name).collect();
                vec![size.to_string(), mirrors.join(", "), grouped(found.positions), grouped(found.positions - failures(found))]
            });
            let mut evidence = vec![Evidence::Table {
                head: vec!["board", "mirror", "such positions", "in which that is so"],
                rows: rows.collect(),
            }];
            if failing == 0 {
                evidence.extend(beyond(condition, wins, found, mirrors, favoured).into_iter().map(Evidence::Sentence));
            }
            if let Some((size, line)) = example {
                evidence.push(examiner.line(*size, line, "symmetric, and yet not so")?);
            }
            let (verdict, summary) = match failing {
                _ if positions == 0 => (Verdict::NotDecided, "no such position comes up on these boards".to_string()),
                0 => (Verdict::Proved, format!("in all {} such positions", grouped(positions))),
                _ => (Verdict::Refuted, format!("not in {} of {} such positions", grouped(failing), grouped(positions))),
            };
            readings.push(Reading { statement: format!("{question}: {}", condition.words()), verdict, summary, evidence });
        }
    }
    // Winning and naming alternate.
    let verdicts = |question: usize| {
        let verdicts = readings.iter().skip(question).step_by(2).zip(conditions);
        verdicts.map(|(reading, condition)| format!("{} {}", condition.name(), reading.verdict)).collect::<Vec<_>>().join(", ")
    };
    let summary = format!("whoever has just moved wins: {}; and is {}: {}", verdicts(0), favoured.words, verdicts(1));
    Ok(Judgement::of_readings(summary, readings))
}

/// Why a reading that no position contradicts holds on larger boards, too, where there is an argument.
fn beyond(
    condition: OutOfPlay,
    wins: bool,
    found: &[(Size, Found)],
    mirrors: fn(Size) -> Vec<Symmetry>,
    favoured: Favoured,
) -> Vec<String> {
    let arguments = || found.iter().flat_map(|(size, _)| mirrors(*size).into_iter().map(|mirror| Argument::new(*size, mirror)));
    match (condition, wins) {
        (OutOfPlay::Taken | OutOfPlay::Dead, true)
            if arguments().all(|a| a.keeps_moves && a.own_inverse && a.holds_for_shape) =>
        {
            vec!["on every larger board by the argument: the mirror takes knight's moves to knight's moves and takes itself back, and no cell in play is its own image, so that every move has its reply".to_string()]
        }
        // The cells that are gone are those of the line, and pairs: as many plies have been played, up to an even number, as the line has cells.
        (OutOfPlay::Taken, false)
            if arguments().all(|a| {
                let odd_plies = !a.fixed.len().is_multiple_of(2);
                odd_plies == ((favoured.on)(a.size) == Player::First)
            }) =>
        {
            vec!["on every larger board by counting: the cells that are gone are those of the line and pairs of images, so that the number of plies is odd, and the first player has just moved, exactly when the line has an odd number of cells".to_string()]
        }
        _ => Vec::new(),
    }
}
