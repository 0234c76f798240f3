//! Claims about colours: every move changes the colour of the mover's cell, and much is said to follow from it.

use std::rc::Rc;

use super::examiner::{boards, even, size};
use super::verdict::{Evidence, Judgement, Reading, Verdict};
use super::{Claim, Examiner, Unfinished};
use crate::board::{Board, Size};
use crate::cells::{Cell, Cells};
use crate::notation::{cell_name, grouped};
use crate::position::Player;
use crate::solve::{Opening, Question};
use crate::symmetry::Symmetry;
use crate::verify::{Argument, ByMirror, JudgedClass, Openings};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "parity-step",
        source: "reach-report",
        published: "Every move changes the parity of exactly one of the two coordinates.",
        reading: "On every board, of the file and the rank of a knight exactly one changes between even and odd with every move. Checked for every move of every board with sides up to 16 and up to 128 cells; beyond, because a move is one step along one coordinate and two along the other.",
        long: false,
        examine: parity_step,
    },
    Claim {
        id: "second-player-wins",
        source: "reach-report",
        published: "When the players choose their first cells themselves, the second player wins almost every time.",
        reading: "With free placement and best play the second player wins the board: every first placement has a reply that wins. All openings of every board with both sides at least 3 up to 42 cells, and of 7x7.",
        long: false,
        examine: second_player_wins,
    },
    Claim {
        id: "parity-proof",
        source: "reach-report",
        published: "That the second player wins would follow from the parity of the coordinates.",
        reading: "A second player who places on the other colour wins, because every move changes the parity of exactly one coordinate. As every such reply has the same parity, that should hold for all of them; a weaker reading asks for one. All openings of every board with both sides at least 3 up to 42 cells, and of 7x7.",
        long: false,
        examine: parity_proof,
    },
    Claim {
        id: "colour-law",
        source: "folklore",
        published: "With both knights placed, the player to move has the advantage exactly when both stand on cells of one colour.",
        reading: "The player to move wins exactly when both knights stand on one colour. All openings of every board with both sides at least 3 up to 42 cells, and of 7x7.",
        long: false,
        examine: colour_law,
    },
];

fn parity_step(_: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let (mut boards, mut moves, mut wrong) = (0_u64, 0_u64, 0_u64);
    for size in Size::every() {
        let board = Board::<u128>::new(size);
        boards += 1;
        for from in board.cells() {
            for to in board.knight_moves(from) {
                let changed = |coordinate: fn(Size, Cell) -> usize| coordinate(size, from) % 2 != coordinate(size, to) % 2;
                moves += 1;
                wrong += u64::from(changed(Size::file) == changed(Size::rank));
            }
        }
    }
    let verdict = if wrong == 0 { Verdict::Proved } else { Verdict::Refuted };
    let summary = format!("{} of {} moves on {boards} boards", grouped(moves - wrong), grouped(moves));
    let why =
        "a move is one step along one coordinate, which changes its parity, and two along the other, which does not".to_string();
    Ok(Judgement::new(verdict, summary, vec![Evidence::Sentence(why)]))
}

/// The openings of every board with both sides at least 3 up to 42 cells, and of 7x7.
fn all_openings(examiner: &Examiner<'_>) -> Result<Vec<Rc<Openings>>, Unfinished> {
    boards(42).into_iter().chain([size(7, 7)]).map(|size| examiner.openings(size)).collect()
}

fn second_player_wins(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let all = all_openings(examiner)?;
    let lost: Vec<String> =
        all.iter().filter(|openings| openings.winner() != Some(Player::Second)).map(|o| o.size.to_string()).collect();
    let row = |openings: &Rc<Openings>| {
        let won = |winner| openings.count(true, Some(winner)) + openings.count(false, Some(winner));
        let (first, second) = (won(Player::First), won(Player::Second));
        let winner = openings.winner().map_or("unknown", Player::name);
        vec![openings.size.to_string(), winner.to_string(), grouped(first + second), grouped(second)]
    };
    let table =
        Evidence::Table { head: vec!["board", "winner", "openings", "won by second"], rows: all.iter().map(row).collect() };
    let even_boards = || Size::every().filter(|size| even(size.files()) || even(size.ranks()));
    let mirrored = even_boards().filter(|&size| Argument::new(size, Symmetry::Center).second_wins()).count();
    let beyond = format!(
        "by a mirror the second player wins {mirrored} of the {} boards with an even side that the program knows; larger boards with two odd sides were not examined here",
        even_boards().count()
    );
    let (verdict, summary) = match lost.as_slice() {
        [] => (Verdict::Proved, format!("the second player wins all {} boards", all.len())),
        lost => (Verdict::Exceptions, format!("not on {}", lost.join(", "))),
    };
    Ok(Judgement::new(verdict, summary, vec![table, Evidence::Sentence(beyond)]).by(["isolde solve 7x7".to_string()]))
}

fn parity_proof(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let all = all_openings(examiner)?;
    let readings = vec![every_reply_wins(examiner, &all)?, some_reply_wins(&all)];
    let summary =
        format!("every reply on the other colour wins: {}; at least one does: {}", readings[0].verdict, readings[1].verdict);
    Ok(Judgement::of_readings(summary, readings).by(["isolde verify parity 7x7".to_string()]))
}

/// Parity is the same for all replies on the other colour: if it decided, all of them would win.
fn every_reply_wins(examiner: &Examiner<'_>, all: &[Rc<Openings>]) -> Result<Reading, Unfinished> {
    let breaks =
        |openings: &Openings| openings.exceptions().filter(|judged| !judged.first_hunts).cloned().collect::<Vec<JudgedClass>>();
    let broken: Vec<(Size, Vec<JudgedClass>)> =
        all.iter().map(|openings| (openings.size, breaks(openings))).filter(|(_, classes)| !classes.is_empty()).collect();
    let mut evidence = Vec::new();
    // The smallest board, and the largest.
    for (size, classes) in [broken.first(), broken.last()].into_iter().flatten() {
        let opening = classes[0].class.representative();
        let duel = opening.duel(Board::<u64>::new(*size).cells());
        let further = match classes[0].mirror {
            Some(ByMirror::After(to, _)) => vec![to],
            _ => examiner.solver(*size)?.expected_line(Question::Distance, duel, examiner.control())?,
        };
        let moves: Vec<Cell> = [opening.first, opening.second].into_iter().chain(further).collect();
        evidence.push(Evidence::Line(examiner.line(
            *size,
            &moves,
            "the second player has placed on the other colour, and loses",
        )?));
    }
    let count = |classes: &[JudgedClass]| classes.iter().map(|judged| judged.class.members.len() as u64).sum::<u64>();
    let rows = broken.iter().map(|(size, classes)| vec![size.to_string(), grouped(count(classes))]).collect();
    evidence.push(Evidence::Table { head: vec!["board", "openings on two colours that the first player wins"], rows });
    let openings: u64 = broken.iter().map(|(_, classes)| count(classes)).sum();
    let (verdict, summary) = match broken.len() {
        0 => (Verdict::Proved, format!("on all {} boards", all.len())),
        boards => {
            (Verdict::Refuted, format!("the first player wins {} openings on two colours, on {boards} boards", grouped(openings)))
        }
    };
    let statement = "parity alone decides: whatever the board and the cells, a second player who places on the other colour wins";
    Ok(Reading { statement: statement.to_string(), verdict, summary, evidence })
}

/// A weaker reading: the second player need only know which reply to choose.
fn some_reply_wins(all: &[Rc<Openings>]) -> Reading {
    let wins_on = |openings: &Openings| {
        let cells = || Cells::<u64>::first_cells(openings.size.cells()).into_iter();
        let wins = |first: Cell, second: Cell| {
            let judged = openings.class_of(Opening { first, second });
            judged.is_some_and(|judged| !judged.first_hunts && judged.winner == Some(Player::Second))
        };
        cells().all(|first| cells().any(|second| wins(first, second)))
    };
    let not: Vec<String> = all.iter().filter(|openings| !wins_on(openings)).map(|openings| openings.size.to_string()).collect();
    let (verdict, summary) = match not.as_slice() {
        [] => (Verdict::Proved, format!("on all {} boards", all.len())),
        not => (Verdict::Exceptions, format!("not on {}", not.join(", "))),
    };
    let statement = "every first placement has a reply on the other colour that wins (which one, and that it follows from parity, is not said)";
    Reading { statement: statement.to_string(), verdict, summary, evidence: Vec::new() }
}

/// The openings of one board by colours and winner.
struct Counted {
    lawful: u64,
    broken: u64,
    broken_by_mirror: u64,
    row: Vec<String>,
}

impl Counted {
    fn new(openings: &Openings) -> Self {
        let kinds = [(true, Player::First), (true, Player::Second), (false, Player::First), (false, Player::Second)];
        let counts = kinds.map(|(first_hunts, winner)| openings.count(first_hunts, Some(winner)));
        let by_mirror = openings.exceptions().filter(|judged| judged.mirror.is_some());
        let broken_by_mirror = by_mirror.map(|judged| judged.class.members.len() as u64).sum();
        let row = [vec![openings.size.to_string()], counts.map(grouped).to_vec(), vec![grouped(broken_by_mirror)]].concat();
        Self { lawful: counts[0] + counts[3], broken: counts[1] + counts[2], broken_by_mirror, row }
    }
}

/// An exception with all its images.
fn exception(size: Size, judged: &JudgedClass) -> Vec<String> {
    let opening = judged.class.representative();
    let (first, second) = (cell_name(size, opening.first), cell_name(size, opening.second));
    let winner = judged.winner.map_or("unknown", Player::name);
    let why = judged.mirror.map_or_else(|| "no mirror".to_string(), |mirror| mirror.on(size));
    vec![format!("{size}: {first} {second}"), judged.class.members.len().to_string(), winner.to_string(), why]
}

fn colour_law(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let all = all_openings(examiner)?;
    let counted: Vec<(Size, Counted)> = all.iter().map(|openings| (openings.size, Counted::new(openings))).collect();
    let sum = |count: fn(&Counted) -> u64| counted.iter().map(|(_, counted)| count(counted)).sum::<u64>();
    let (lawful, broken) = (sum(|counted| counted.lawful), sum(|counted| counted.broken));
    let wide = counted.iter().filter(|(size, _)| size.files() >= 5);
    let other = wide.map(|(_, counted)| counted.broken - counted.broken_by_mirror).sum::<u64>();
    let from_five = match other {
        0 => "with both sides at least 5, every exception is a mirror".to_string(),
        other => format!("with both sides at least 5, {} exceptions are no mirrors", grouped(other)),
    };
    let summary =
        format!("true of {} of {} openings on {} boards; {from_five}", grouped(lawful), grouped(lawful + broken), all.len());
    let rows = counted.into_iter().map(|(_, counted)| counted.row).collect();
    let listed = all.iter().flat_map(|openings| openings.exceptions().map(|judged| exception(openings.size, judged))).collect();
    let head = vec![
        "board",
        "one colour: first wins",
        "one colour: second wins",
        "two colours: first wins",
        "two colours: second wins",
        "exceptions by a mirror",
    ];
    let evidence = vec![
        Evidence::Table { head, rows },
        Evidence::Sentence("every exception, one opening for all its images:".to_string()),
        Evidence::Table { head: vec!["opening", "images", "winner", "why"], rows: listed },
    ];
    let verdict = if broken == 0 { Verdict::Proved } else { Verdict::Exceptions };
    Ok(Judgement::new(verdict, summary, evidence).by(["isolde verify parity 7x7".to_string()]))
}
