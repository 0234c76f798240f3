//! Claims that the second player wins a board by answering every placement and every move with its image.

use super::examiner::{played, size};
use super::verdict::{Evidence, Judgement, Reading, Verdict};
use super::{Claim, Examiner, Unfinished};
use crate::board::Size;
use crate::notation::{cell_name, cell_names, grouped};
use crate::position::{Player, Position};
use crate::symmetry::Symmetry;
use crate::verify::{Argument, Asymmetry, End, Rule, RuleKind};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "even-even-mirror",
        source: "symmetry-report",
        published: "Where both sides are even, the second player wins by answering with the reflection through the centre.",
        reading: "On every board with two even sides the rule `answer a placement or move with its image under the half turn` always has a reply, so that the second player wins by it. By exhaustion up to 36 cells, by the argument beyond.",
        long: false,
        examine: |examiner| second_mirrors(examiner, Symmetry::Center, |size| even(size.files()) && even(size.ranks())),
    },
    Claim {
        id: "even-odd-mirror",
        source: "symmetry-report",
        published: "The same where one side is even and the other odd.",
        reading: "On every board with one even and one odd side the rule `answer a placement or move with its image under the half turn` always has a reply, so that the second player wins by it. By exhaustion up to 36 cells, by the argument beyond.",
        long: false,
        examine: |examiner| second_mirrors(examiner, Symmetry::Center, |size| even(size.files()) != even(size.ranks())),
    },
    Claim {
        id: "axis-mirror",
        source: "symmetry-report",
        published: "With an even width (height) the second player also wins by reflecting in the line between the two middle columns (rows).",
        reading: "On every board with an even number of files the rule `answer a placement or move with its image in the vertical axis` always has a reply, so that the second player wins by it; for an even number of ranks exchange files and ranks. By exhaustion up to 36 cells, by the argument beyond.",
        long: false,
        examine: |examiner| second_mirrors(examiner, Symmetry::Vertical, |size| even(size.files())),
    },
    Claim {
        id: "thin-boards",
        source: "symmetry-report",
        published: "Reflection through the centre also works on 3x3, n x 1 and 1 x n.",
        reading: "On 3x3 and on every line of 1 to 16 cells the second player wins by answering with the image under the half turn.",
        long: false,
        examine: thin_boards,
    },
    Claim {
        id: "four-by-four-lines",
        source: "symmetry-report",
        published: "On 4x4, b2 is answered with c3, and then a4 with d1, c4 with b1, d3 with a2, d1 with a4. In the axis, b2 is answered with c2, and then a4 with d4, c4 with b4, d3 with a3, d1 with a1.",
        reading: "After b2 c3 (b2 c2) the four moves named are all that the first player has, each reply named is legal and the image under the half turn (in the vertical axis), and the second player wins the position after it.",
        long: false,
        examine: four_by_four,
    },
];

/// Exhaustion is for boards of up to so many cells.
const MOST_CELLS: usize = 36;

fn even(side: usize) -> bool {
    side.is_multiple_of(2)
}

/// The second player mirrors on every board of a kind.
fn second_mirrors(examiner: &Examiner<'_>, symmetry: Symmetry, kind: fn(Size) -> bool) -> Result<Judgement, Unfinished> {
    // A half turn does not mind when files and ranks change places: one of the two boards is enough.
    let distinct = |size: &Size| symmetry != Symmetry::Center || size.files() <= size.ranks();
    let boards: Vec<Size> = Size::every().filter(|&size| kind(size)).collect();
    let small = boards.iter().copied().filter(distinct).filter(|size| size.cells() <= MOST_CELLS);
    let (mut rows, mut positions) = (Vec::new(), 0);
    for size in small {
        let check = examiner.exhaust(&Rule::new(RuleKind::Mirror, symmetry, size), &Position::empty(size), |_| false)?;
        positions += check.positions;
        match check.end {
            End::Wins => rows.push(vec![size.to_string(), grouped(check.positions)]),
            End::Breaks(broken) => {
                let line = examiner.line(size, &broken.moves, "here the rule has no reply")?;
                return Ok(Judgement::new(Verdict::Refuted, format!("the rule breaks on {size}"), vec![line]));
            }
            End::Unknown(limit) => return Ok(Judgement::new(Verdict::NotDecided, format!("{size}: {limit}"), Vec::new())),
        }
    }
    let argued = boards.iter().filter(|&&size| Argument::new(size, symmetry).second_wins()).count();
    let verdict = if argued == boards.len() { Verdict::Proved } else { Verdict::NotDecided };
    let summary = format!(
        "wins on all {} boards up to {MOST_CELLS} cells against every play ({} positions); on larger ones by the argument",
        rows.len(),
        grouped(positions)
    );
    let sentences = Argument::new(boards[0], symmetry).sentences().into_iter().map(Evidence::Sentence);
    let checked =
        Evidence::Sentence(format!("the steps of the argument were checked on all {argued} boards of this kind up to 128 cells"));
    let table = Evidence::Table { head: vec!["board", "positions in which every move has its reply"], rows };
    let example = match symmetry {
        Symmetry::Center if kind(size(6, 6)) => "6x6",
        Symmetry::Center => "5x6",
        _ => "6x5",
    };
    let judgement = Judgement::new(verdict, summary, sentences.chain([checked, table]).collect());
    Ok(judgement.by([format!("isolde verify mirror {example} --by {symmetry}")]))
}

fn thin_boards(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let lines = Size::every().filter(|size| size.files() == 1 || size.ranks() == 1);
    let boards: Vec<Size> = [size(3, 3)].into_iter().chain(lines).collect();
    let mut readings = Vec::new();
    for (statement, any_move) in [
        ("every placement and every move is answered with its image", false),
        ("the same, but what has no image to be answered with may be answered with anything", true),
    ] {
        let (mut rows, mut exceptions) = (Vec::new(), Vec::new());
        for &size in &boards {
            let rule = Rule::new(RuleKind::Mirror, Symmetry::Center, size);
            let check = examiner.exhaust(&rule, &Position::empty(size), |_| any_move)?;
            let found = match check.end {
                End::Wins => "the rule wins".to_string(),
                End::Breaks(broken) => {
                    let line = examiner.line(size, &broken.moves, "here the rule has no reply")?;
                    let Evidence::Line(played) = &line else { unreachable!("a line was asked for") };
                    let found = format!("breaks after {}", played.notation());
                    exceptions.push((size, line));
                    found
                }
                End::Unknown(limit) => return Ok(Judgement::new(Verdict::NotDecided, format!("{size}: {limit}"), Vec::new())),
            };
            rows.push(vec![size.to_string(), found]);
        }
        let names: Vec<String> = exceptions.iter().map(|(size, _)| size.to_string()).collect();
        let (verdict, summary) = match (names.len(), any_move) {
            (0, _) => (Verdict::Proved, format!("on all {} boards", boards.len())),
            (some, true) => (
                Verdict::Exceptions,
                format!("on {} of {} boards; not on {}", boards.len() - some, boards.len(), names.join(", ")),
            ),
            (some, false) => (
                Verdict::Refuted,
                format!("a placement in the middle is its own image: breaks on {some} of {} boards", boards.len()),
            ),
        };
        let lines = exceptions.into_iter().map(|(_, line)| line).take(if any_move { usize::MAX } else { 1 });
        let evidence = [Evidence::Table { head: vec!["board", "found"], rows }].into_iter().chain(lines).collect();
        readings.push(Reading { statement: statement.to_string(), verdict, summary, evidence });
    }
    let summary = "by the letter there is no reply to a placement in the middle; if any other reply will do, all but 1x1";
    Ok(Judgement::of_readings(summary, readings).by(["isolde verify mirror 3x3 --by center".to_string()]))
}

/// Moves with their replies.
type Replies = [(&'static str, &'static str); 4];

/// The published lines: mirror, opening, and what follows.
const LINES: [(Symmetry, &str, Replies); 2] = [
    (Symmetry::Center, "b2 c3", [("a4", "d1"), ("c4", "b1"), ("d3", "a2"), ("d1", "a4")]),
    (Symmetry::Vertical, "b2 c2", [("a4", "d4"), ("c4", "b4"), ("d3", "a3"), ("d1", "a1")]),
];

fn four_by_four(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let mut rows = Vec::new();
    let mut faults = Vec::new();
    for (symmetry, opening, replies) in LINES {
        let (_, after) = played(&format!("4x4: {opening}"));
        let size = after.size();
        let mut named: Vec<String> = replies.iter().map(|(to, _)| (*to).to_string()).collect();
        named.sort();
        let mut legal = cell_names(size, after.legal_moves());
        legal.sort();
        if named != legal {
            faults.push(format!("after {opening} the moves are {}", legal.join(" ")));
        }
        for (to, reply) in replies {
            let line = format!("4x4: {opening} {to} {reply}");
            let (line, end) = played(&line);
            let moved = line.moves()[2];
            let image = cell_name(size, symmetry.image_on(size, moved));
            let winner = examiner.outcome(&end)?;
            let decided = end.duel().is_some_and(|duel| Asymmetry::find(end.board(), symmetry, duel).is_none());
            if image != reply || winner.winner != Player::Second || !decided {
                faults.push(line.to_string());
            }
            rows.push(vec![line.to_string(), image, symmetry.to_string(), winner.to_string()]);
        }
    }
    let (verdict, summary) = match faults.as_slice() {
        [] => (
            Verdict::Proved,
            "all eight replies are the images, no move is missing, and the second player wins after each".to_string(),
        ),
        faults => (Verdict::Refuted, faults.join("; ")),
    };
    let evidence =
        vec![Evidence::Table { head: vec!["line", "image of the move", "mirror that decides it", "true outcome"], rows }];
    Ok(Judgement::new(verdict, summary, evidence).by(["isolde verify mirror \"4x4: b2 c3 a4 d1\" --by center".to_string()]))
}
