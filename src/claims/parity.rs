//! Claims about colours. Every move changes the colour of the mover's cell, and people say that
//! much follows from it.

use std::rc::Rc;

use super::context::{boards, even, listed, size};
use super::verdict::{Evidence, Judgement, Reading, Verdict};
use super::{Claim, Context, Unfinished};
use crate::analysis::{ByMirror, JudgedClass, Openings};
use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Cells, MAX_CELLS};
use crate::game::notation::{cell_name, grouped};
use crate::game::position::{Player, Position};
use crate::game::symmetry::Symmetry;
use crate::solve::{Opening, Question};
use crate::strategies::Argument;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "parity-step",
        source: "reach-report",
        says: "Every knight's move changes exactly one of its two coordinates between even and odd.",
        published: "Every move changes the parity of exactly one of the two coordinates.",
        reading: "On every board, every knight move changes either the file or the rank between even and odd, and never both. \
            Every move of every board with sides up to 16 and up to 128 cells is checked. On larger boards it is true because \
            a move goes one step along one coordinate and two along the other.",
        long: false,
        examine: parity_step,
    },
    Claim {
        id: "second-player-wins",
        source: "reach-report",
        says: "When the players choose their first cells themselves, the second player wins almost every time.",
        published: "When the players choose their first cells themselves, the second player wins almost every time.",
        reading: "With free placement and best play the second player wins the board: every first placement has a winning \
            reply. All openings are solved, on every board with both sides at least 3 and up to 42 cells, and on 7x7. On \
            larger boards all openings of which are in a table, they are read there.",
        long: false,
        examine: second_player_wins,
    },
    Claim {
        id: "parity-proof",
        source: "reach-report",
        says: "The second player wins because every move changes the parity of exactly one coordinate.",
        published: "That the second player wins would follow from the parity of the coordinates.",
        reading: "A second player who places on the other colour wins, because every move changes the parity of exactly one \
            coordinate. All replies on the other colour have the same parity, so all of them should win; a weaker reading \
            asks for one. All openings are solved, on every board with both sides at least 3 and up to 42 cells, and on 7x7.",
        long: false,
        examine: parity_proof,
    },
    Claim {
        id: "colour-law",
        source: "folklore",
        says: "With both knights placed, the player to move has the advantage exactly when both stand on cells of one \
            colour.",
        published: "With both knights placed, the player to move has the advantage exactly when both stand on cells of one \
            colour.",
        reading: "The player to move wins exactly when both knights stand on one colour. All openings are solved, on every \
            board with both sides at least 3 and up to 42 cells, and on 7x7. On larger boards all openings of which are in a \
            table, they are read there.",
        long: false,
        examine: colour_law,
    },
];

fn parity_step(_: &Context<'_>) -> Result<Judgement, Unfinished> {
    let (mut boards, mut moves, mut wrong) = (0_u64, 0_u64, 0_u64);
    for size in Size::every() {
        let board = Board::<u128>::fitting(size);
        boards += 1;
        for from in board.cells() {
            for to in board.knight_moves(from) {
                let changed = |coordinate: fn(Size, Cell) -> usize| coordinate(size, from) % 2 != coordinate(size, to) % 2;
                moves += 1;
                wrong += u64::from(changed(Size::file) == changed(Size::rank));
            }
        }
    }
    let (all, side) = (grouped(moves), Size::MAX_SIDE);
    let (verdict, summary) = match wrong {
        0 => {
            let summary = format!(
                "All {all} knight moves of the {boards} boards with sides up to {side} and up to {MAX_CELLS} cells change the \
                parity of exactly one coordinate."
            );
            (Verdict::Proved, summary)
        }
        wrong => {
            let of = format!("{} of the {all} knight moves of {boards} boards", grouped(wrong));
            (Verdict::Refuted, format!("Not every move changes the parity of exactly one coordinate: not {of}."))
        }
    };
    let why =
        "A move goes one step along one coordinate, which changes its parity, and two steps along the other, which does not.";
    Ok(Judgement::new(verdict, summary, vec![Evidence::Sentence(why.to_string())]))
}

/// The openings of every board with both sides at least 3 and up to 42 cells, and of 7x7.
fn solved_openings(context: &Context<'_>) -> Result<Vec<Rc<Openings>>, Unfinished> {
    boards(42).into_iter().chain([size(7, 7)]).map(|size| context.openings(size)).collect()
}

/// The same, and the openings of larger boards that tables decide; with a sentence that says which
/// boards these are, if there are any.
fn all_openings(context: &Context<'_>) -> Result<(Vec<Rc<Openings>>, Option<Evidence>), Unfinished> {
    let mut all = solved_openings(context)?;
    let in_tables = context.openings_in_tables(|size| size.cells() > 42 && size != self::size(7, 7));
    let name = |(openings, tables): &(Rc<Openings>, Vec<String>)| format!("{} ({})", openings.size, listed(tables));
    let from_tables = (!in_tables.is_empty()).then(|| {
        let names: Vec<String> = in_tables.iter().map(name).collect();
        Evidence::Sentence(format!(
            "The openings of {} come from a table and were not solved again: {}. All other boards were solved for this answer.",
            if names.len() == 1 { "one board".to_string() } else { format!("{} boards", names.len()) },
            listed(&names)
        ))
    });
    all.extend(in_tables.into_iter().map(|(openings, _)| openings));
    Ok((all, from_tables))
}

fn second_player_wins(context: &Context<'_>) -> Result<Judgement, Unfinished> {
    let (all, from_tables) = all_openings(context)?;
    let lost: Vec<String> =
        all.iter().filter(|openings| openings.winner() != Some(Player::Second)).map(|o| o.size.to_string()).collect();
    let row = |openings: &Rc<Openings>| {
        let won = |winner| openings.count(true, Some(winner)) + openings.count(false, Some(winner));
        let (first, second) = (won(Player::First), won(Player::Second));
        let winner = openings.winner().map_or("unknown", Player::name);
        vec![openings.size.to_string(), winner.to_string(), grouped(first + second), grouped(second)]
    };
    let table = Evidence::Table {
        head: vec!["board", "winner", "openings", "openings won by second"],
        rows: all.iter().map(row).collect(),
    };
    let even_boards = || Size::every().filter(|size| even(size.files()) || even(size.ranks()));
    let mirrored = even_boards().filter(|&size| Argument::new(size, Symmetry::Center).second_wins()).count();
    let beyond = format!(
        "On larger boards, the second player wins by a mirror if one side is even: the argument holds on {mirrored} of the {} \
        boards with an even side, sides up to {} and up to {MAX_CELLS} cells. Larger boards with two odd sides are not \
        examined here.",
        even_boards().count(),
        Size::MAX_SIDE
    );
    let (verdict, summary) = match lost.as_slice() {
        [] => {
            let largest = all.last().map(|openings| openings.size.to_string()).unwrap_or_default();
            let summary = format!(
                "The second player wins all {} boards examined, up to {largest}: every first placement has a winning reply.",
                all.len()
            );
            (Verdict::Proved, summary)
        }
        lost => {
            let (won, lost) = (all.len() - lost.len(), listed(lost));
            let summary = format!("The second player wins {won} of the {} boards examined: all but {lost}.", all.len());
            (Verdict::Exceptions, summary)
        }
    };
    let commands = ["isolde solve 7x7 --no-tables", "isolde certify 7x7"].map(String::from);
    let evidence = [table].into_iter().chain(from_tables).chain([Evidence::Sentence(beyond)]).collect();
    Ok(Judgement::new(verdict, summary, evidence).by(commands))
}

fn parity_proof(context: &Context<'_>) -> Result<Judgement, Unfinished> {
    let all = solved_openings(context)?;
    let readings = vec![every_reply_wins(context, &all)?, some_reply_wins(&all)];
    let summary = format!("{} {}", readings[0].summary, readings[1].summary);
    Ok(Judgement::of_readings(summary, readings)
        .by(["isolde verify parity 7x7", "isolde certify 7x7 --openings"].map(String::from)))
}

/// All replies on the other colour have the same parity: if parity decided, all of them would win.
fn every_reply_wins(context: &Context<'_>, all: &[Rc<Openings>]) -> Result<Reading, Unfinished> {
    let breaks =
        |openings: &Openings| openings.exceptions().filter(|judged| !judged.first_hunts).cloned().collect::<Vec<JudgedClass>>();
    let broken: Vec<(Size, Vec<JudgedClass>)> =
        all.iter().map(|openings| (openings.size, breaks(openings))).filter(|(_, classes)| !classes.is_empty()).collect();
    let mut evidence = Vec::new();
    // A line on the smallest such board, and one on the largest.
    for (size, classes) in [broken.first(), broken.last()].into_iter().flatten() {
        let opening = classes[0].class.representative();
        let start = Position::empty(*size).play_unchecked(opening.first).play_unchecked(opening.second);
        let further = match classes[0].mirror {
            Some(ByMirror::After(to, _)) => vec![to],
            _ => context.analyst(*size)?.expected_line(Question::Distance, &start, context.control())?.unwrap_or_default(),
        };
        let moves: Vec<Cell> = [opening.first, opening.second].into_iter().chain(further).collect();
        let shows = "The second player has placed on the other colour, and loses.";
        evidence.push(Evidence::Line(context.line(*size, &moves, shows)?));
    }
    let count = |classes: &[JudgedClass]| classes.iter().map(|judged| judged.class.members.len() as u64).sum::<u64>();
    let rows = broken.iter().map(|(size, classes)| vec![size.to_string(), grouped(count(classes))]).collect();
    evidence.push(Evidence::Table { head: vec!["board", "openings on two colours that the first player wins"], rows });
    let openings: u64 = broken.iter().map(|(_, classes)| count(classes)).sum();
    let (verdict, summary) = match broken.len() {
        0 => (Verdict::Proved, format!("Every reply on the other colour wins, on all {} boards examined.", all.len())),
        boards => {
            let (openings, all) = (grouped(openings), all.len());
            let summary = format!(
                "Not every reply on the other colour wins: the first player wins {openings} such openings, on {boards} of the \
                {all} boards examined."
            );
            (Verdict::Refuted, summary)
        }
    };
    let statement = "Parity alone decides: on every board, a second player who places on the other colour wins.";
    Ok(Reading { statement: statement.to_string(), verdict, summary, evidence })
}

/// A weaker reading: one winning reply is enough.
fn some_reply_wins(all: &[Rc<Openings>]) -> Reading {
    let wins_on = |openings: &Openings| {
        let cells = || Cells::<u64>::first_cells(openings.size.cells()).into_iter();
        let wins = |first: Cell, second: Cell| {
            let judged = openings.class_of(Opening { first, second });
            judged.is_some_and(|judged| !judged.first_hunts && judged.winner() == Some(Player::Second))
        };
        cells().all(|first| cells().any(|second| wins(first, second)))
    };
    let not: Vec<String> = all.iter().filter(|openings| !wins_on(openings)).map(|openings| openings.size.to_string()).collect();
    let (verdict, summary) = match not.as_slice() {
        [] => {
            let summary =
                format!("Every first placement has a winning reply on the other colour, on all {} boards examined.", all.len());
            (Verdict::Proved, summary)
        }
        not => {
            let (boards, all) = (listed(not), all.len());
            let summary =
                format!("Some first placement has no winning reply on the other colour on {boards}, of {all} boards examined.");
            (Verdict::Exceptions, summary)
        }
    };
    let statement = "Every first placement has a winning reply on the other colour. (This does not say which reply \
        wins, nor that it wins because of parity.)";
    Reading { statement: statement.to_string(), verdict, summary, evidence: Vec::new() }
}

/// The openings of one board, counted by colours and winner.
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

/// A row about an exception and its images.
fn exception(size: Size, judged: &JudgedClass) -> Vec<String> {
    let opening = judged.class.representative();
    let (first, second) = (cell_name(size, opening.first), cell_name(size, opening.second));
    let winner = judged.winner().map_or("unknown", Player::name);
    let why = judged.mirror.map_or_else(|| "no mirror".to_string(), |mirror| mirror.on(size));
    vec![format!("{size}: {first} {second}"), judged.class.members.len().to_string(), winner.to_string(), why]
}

fn colour_law(context: &Context<'_>) -> Result<Judgement, Unfinished> {
    let (all, from_tables) = all_openings(context)?;
    let counted: Vec<(Size, Counted)> = all.iter().map(|openings| (openings.size, Counted::new(openings))).collect();
    let sum = |count: fn(&Counted) -> u64| counted.iter().map(|(_, counted)| count(counted)).sum::<u64>();
    let (lawful, broken) = (sum(|counted| counted.lawful), sum(|counted| counted.broken));
    let wide = || counted.iter().filter(|(size, _)| size.files() >= 5).map(|(_, counted)| counted);
    let wide_broken = wide().map(|counted| counted.broken).sum::<u64>();
    let unexplained = wide().map(|counted| counted.broken - counted.broken_by_mirror).sum::<u64>();
    let exceptions = match (broken, wide_broken, unexplained) {
        (0, ..) => String::new(),
        (_, 0, _) => " There is no exception if both sides are at least 5.".to_string(),
        (_, _, 0) => " If both sides are at least 5, a mirror explains every exception.".to_string(),
        (_, all, some) => {
            let (some, all) = (grouped(some), grouped(all));
            format!(" If both sides are at least 5, no mirror explains {some} of the {all} exceptions.")
        }
    };
    let summary = format!(
        "The law that the player to move wins exactly when both knights stand on one colour holds for {} of {} openings on {} \
        boards.{exceptions}",
        grouped(lawful),
        grouped(lawful + broken),
        all.len()
    );
    let rows = counted.into_iter().map(|(_, counted)| counted.row).collect();
    let listed = all.iter().flat_map(|openings| openings.exceptions().map(|judged| exception(openings.size, judged))).collect();
    let head = vec![
        "board",
        "one colour: first wins",
        "one colour: second wins",
        "two colours: first wins",
        "two colours: second wins",
        "exceptions explained by a mirror",
    ];
    let mut evidence = vec![
        Evidence::Table { head, rows },
        Evidence::Sentence("Every exception, with one opening for all its images:".to_string()),
        Evidence::Table { head: vec!["opening", "images", "winner", "why"], rows: listed },
    ];
    evidence.splice(1..1, from_tables);
    let verdict = if broken == 0 { Verdict::Proved } else { Verdict::Exceptions };
    Ok(Judgement::new(verdict, summary, evidence)
        .by(["isolde verify parity 7x7", "isolde certify 7x7 --openings"].map(String::from)))
}
