//! Claims about colours: every move changes the colour of the mover's cell, and much is said to follow from it.

use std::rc::Rc;

use super::verdict::{Evidence, Judgement, Verdict};
use super::{Claim, Examiner, Unfinished};
use crate::board::{Board, Size};
use crate::cells::Cell;
use crate::notation::{cell_name, grouped};
use crate::position::Player;
use crate::solve::Question;
use crate::verify::{ByMirror, JudgedClass, Openings};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "parity-step",
        source: "reach-report",
        published: "Every move changes the parity of exactly one of the two coordinates.",
        reading: "On every board, of the file and the rank of a knight exactly one changes between even and odd with every move. Checked for every move of every board up to 128 cells; beyond, because a move is one step along one coordinate and two along the other.",
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
        reading: "Parity alone decides: a second player who places on the other colour wins, whatever the board and the cells. One opening on two colours that the first player wins refutes it, because parity is the same in all of them.",
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

/// Boards with both sides at least 3, up to 42 cells, and 7x7; those with more ranks than files stand for both.
fn boards() -> Vec<Size> {
    let wanted = |size: &Size| {
        let sides = 3 <= size.files() && size.files() <= size.ranks();
        sides && (size.cells() <= 42 || (size.files(), size.ranks()) == (7, 7))
    };
    let mut boards: Vec<Size> = Size::every().filter(wanted).collect();
    boards.sort_by_key(|size| (size.cells(), size.files()));
    boards
}

fn all_openings(examiner: &Examiner<'_>) -> Result<Vec<Rc<Openings>>, Unfinished> {
    boards().into_iter().map(|size| examiner.openings(size)).collect()
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
    let beyond = "on every larger board with an even side the second player wins by a mirror: see even-even-mirror and even-odd-mirror; larger boards with two odd sides were not examined here".to_string();
    let (verdict, summary) = match lost.as_slice() {
        [] => (Verdict::Proved, format!("the second player wins all {} boards from 3x3 to 42 cells, and 7x7", all.len() - 1)),
        lost => (Verdict::Exceptions, format!("not on {}", lost.join(", "))),
    };
    Ok(Judgement::new(verdict, summary, vec![table, Evidence::Sentence(beyond)]).by(["isolde solve 7x7".to_string()]))
}

fn parity_proof(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let all = all_openings(examiner)?;
    let breaks =
        |openings: &Openings| openings.exceptions().filter(|judged| !judged.first_hunts).cloned().collect::<Vec<JudgedClass>>();
    let broken: Vec<(Size, Vec<JudgedClass>)> =
        all.iter().map(|openings| (openings.size, breaks(openings))).filter(|(_, classes)| !classes.is_empty()).collect();
    let mut evidence = Vec::new();
    // The smallest board, and the largest.
    for (size, classes) in [broken.first(), broken.last()].into_iter().flatten() {
        let opening = classes[0].class.representative();
        let board = Board::<u64>::new(*size);
        let duel = opening.duel(board.cells());
        let further = match classes[0].mirror {
            Some(ByMirror::After(to, _)) => vec![to],
            _ => examiner.solver(*size)?.expected_line(Question::Distance, duel, examiner.control())?,
        };
        let moves: Vec<Cell> = [opening.first, opening.second].into_iter().chain(further).collect();
        evidence.push(examiner.line(*size, &moves, "the second player is the hunter, and loses")?);
    }
    let count = |classes: &[JudgedClass]| classes.iter().map(|judged| judged.class.members.len() as u64).sum::<u64>();
    let rows = broken.iter().map(|(size, classes)| vec![size.to_string(), grouped(count(classes))]).collect();
    evidence.push(Evidence::Table { head: vec!["board", "openings on two colours that the first player wins"], rows });
    let openings: u64 = broken.iter().map(|(_, classes)| count(classes)).sum();
    let (verdict, summary) = match broken.len() {
        0 => (Verdict::NotDecided, "no opening contradicts it; that is no proof".to_string()),
        boards => (
            Verdict::Refuted,
            format!(
                "{} openings on two colours on {boards} boards are won by the first player, though parity is the same in all",
                grouped(openings)
            ),
        ),
    };
    Ok(Judgement::new(verdict, summary, evidence).by(["isolde verify parity 7x7".to_string()]))
}

fn colour_law(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let all = all_openings(examiner)?;
    let (mut rows, mut listed) = (Vec::new(), Vec::new());
    let (mut lawful, mut openings_in_all, mut unexplained_from_five) = (0, 0, 0);
    for openings in &all {
        let size = openings.size;
        let count = |first_hunts, winner| openings.count(first_hunts, Some(winner));
        let counts = [(true, Player::First), (true, Player::Second), (false, Player::First), (false, Player::Second)]
            .map(|(hunts, winner)| count(hunts, winner));
        let explained: usize =
            openings.exceptions().filter(|judged| judged.mirror.is_some()).map(|judged| judged.class.members.len()).sum();
        lawful += counts[0] + counts[3];
        openings_in_all += counts.iter().sum::<u64>();
        if size.files() >= 5 {
            unexplained_from_five += counts[1] + counts[2] - explained as u64;
        }
        rows.push([vec![size.to_string()], counts.map(grouped).to_vec(), vec![grouped(explained as u64)]].concat());
        listed.extend(openings.exceptions().map(|judged| {
            let opening = judged.class.representative();
            let (first, second) = (cell_name(size, opening.first), cell_name(size, opening.second));
            let winner = judged.winner.map_or("unknown", Player::name);
            let why = judged.mirror.map_or_else(|| "no mirror".to_string(), |mirror| mirror.on(size));
            vec![format!("{size}: {first} {second}"), judged.class.members.len().to_string(), winner.to_string(), why]
        }));
    }
    let exceptions = openings_in_all - lawful;
    let verdict = if exceptions == 0 { Verdict::Proved } else { Verdict::Exceptions };
    let from_five = match unexplained_from_five {
        0 => "with both sides at least 5, every exception is a mirror".to_string(),
        some => format!("with both sides at least 5, {} exceptions are no mirrors", grouped(some)),
    };
    let summary = format!(
        "true of {} of {} openings on {} boards, {} exceptions; {from_five}",
        grouped(lawful),
        grouped(openings_in_all),
        all.len(),
        grouped(exceptions)
    );
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
    Ok(Judgement::new(verdict, summary, evidence).by(["isolde verify parity 7x7".to_string()]))
}
