//! Claims that the second player wins a board by answering every placement and every move with its image.

use super::examiner::{even, played, size};
use super::verdict::{Evidence, Judgement, Reading, Verdict};
use super::{Claim, Examiner, Unfinished};
use crate::board::Size;
use crate::cells::MAX_CELLS;
use crate::notation::{cell_name, cell_names, grouped};
use crate::position::{Player, Position};
use crate::symmetry::Symmetry;
use crate::verify::{Argument, Asymmetry, End, Rule, RuleKind};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "even-even-mirror",
        source: "symmetry-report",
        published: "Where both sides are even, the second player wins by answering with the reflection through the centre.",
        reading: "On every board with two even sides the rule `answer a placement or move with its image under the half turn` always has a reply, so that the second player wins by it. By exhaustion up to 36 cells (sides up to 16), by the argument beyond.",
        long: false,
        examine: |examiner| second_mirrors(examiner, Symmetry::Center, |size| even(size.files()) && even(size.ranks())),
    },
    Claim {
        id: "even-odd-mirror",
        source: "symmetry-report",
        published: "The same where one side is even and the other odd.",
        reading: "On every board with one even and one odd side the rule `answer a placement or move with its image under the half turn` always has a reply, so that the second player wins by it. By exhaustion up to 36 cells (sides up to 16), by the argument beyond.",
        long: false,
        examine: |examiner| second_mirrors(examiner, Symmetry::Center, |size| even(size.files()) != even(size.ranks())),
    },
    Claim {
        id: "axis-mirror",
        source: "symmetry-report",
        published: "With an even width (height) the second player also wins by reflecting in the line between the two middle columns (rows).",
        reading: "On every board with an even number of files the rule `answer a placement or move with its image in the vertical axis` always has a reply, so that the second player wins by it; for an even number of ranks exchange files and ranks. By exhaustion up to 36 cells (sides up to 16), by the argument beyond.",
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

/// The second player mirrors on every board of a kind.
fn second_mirrors(examiner: &Examiner<'_>, symmetry: Symmetry, kind: fn(Size) -> bool) -> Result<Judgement, Unfinished> {
    // A half turn does not mind when files and ranks change places: one of the two boards is enough.
    let distinct = |size: &Size| symmetry != Symmetry::Center || size.files() <= size.ranks();
    let boards: Vec<Size> = Size::every().filter(|&size| kind(size)).collect();
    let small = boards.iter().copied().filter(distinct).filter(|size| size.cells() <= MOST_CELLS);
    let (mut rows, mut positions) = (Vec::new(), 0);
    for size in small {
        let check = examiner.exhaust(&Rule::new(RuleKind::Mirror, symmetry, size), &Position::empty(size));
        positions += check.positions;
        match check.end {
            End::Wins => rows.push(vec![size.to_string(), grouped(check.positions)]),
            End::Breaks(broken) => {
                let line = Evidence::Line(examiner.line(size, &broken.moves, "here the rule has no reply")?);
                return Ok(Judgement::new(Verdict::Refuted, format!("the rule breaks on {size}"), vec![line]));
            }
            End::Unknown(limit) => return Ok(Judgement::new(Verdict::NotDecided, format!("{size}: {limit}"), Vec::new())),
        }
    }
    let argued = boards.iter().filter(|&&size| Argument::new(size, symmetry).second_wins()).count();
    let (verdict, larger) = match boards.len() - argued {
        0 => (Verdict::Proved, "on larger ones by the argument".to_string()),
        without => (Verdict::NotDecided, format!("on {without} of the larger ones there is no argument")),
    };
    let (side, most) = (Size::MAX_SIDE, MAX_CELLS);
    let summary = format!(
        "wins on all {} boards with up to {MOST_CELLS} cells and sides up to {side} against every play ({} positions); {larger}",
        rows.len(),
        grouped(positions)
    );
    let sentences = Argument::new(boards[0], symmetry).sentences().into_iter().map(Evidence::Sentence);
    let checked = format!(
        "the steps of the argument hold on {argued} of the {} boards of this kind with up to {most} cells and sides up to {side}",
        boards.len()
    );
    let table = Evidence::Table { head: vec!["board", "positions in which every move has its reply"], rows };
    let evidence = sentences.chain([Evidence::Sentence(checked), table]).collect();
    let example = boards.iter().rfind(|size| size.cells() <= MOST_CELLS && size.files().abs_diff(size.ranks()) <= 1);
    let command = example.map(|size| format!("isolde verify mirror {size} --by {symmetry}"));
    Ok(Judgement::new(verdict, summary, evidence).by(command))
}

fn thin_boards(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let letter = "every placement and every move is answered with its image";
    let generous = "the same, but what has no image to be answered with may be answered with anything that wins";
    let readings = vec![on_thin_boards(examiner, letter, false)?, on_thin_boards(examiner, generous, true)?];
    let summary = format!("always the image: {}; or else anything: {}", readings[0].summary, readings[1].summary);
    Ok(Judgement::of_readings(summary, readings).by(["isolde verify mirror 3x3 --by center".to_string()]))
}

/// The rule on 3x3 and on all lines; where it has no reply, any move may do.
fn on_thin_boards(examiner: &Examiner<'_>, statement: &str, any_move: bool) -> Result<Reading, Unfinished> {
    let lines = Size::every().filter(|size| size.files() == 1 || size.ranks() == 1);
    let boards: Vec<Size> = [size(3, 3)].into_iter().chain(lines).collect();
    let (mut rows, mut broken, mut undecided) = (Vec::new(), Vec::new(), None);
    for &size in &boards {
        let rule = Rule::new(RuleKind::Mirror, Symmetry::Center, size);
        let found = match examiner.exhaust_forgiving(&rule, &Position::empty(size), |_| any_move)?.end {
            End::Wins => "the rule wins".to_string(),
            End::Unknown(limit) => {
                undecided.get_or_insert_with(|| format!("{size}: {limit}"));
                limit.to_string()
            }
            End::Breaks(here) => {
                let line = examiner.line(size, &here.moves, "here the rule has no reply")?;
                let found = format!("breaks after {}", line.notation());
                broken.push(line);
                found
            }
        };
        rows.push(vec![size.to_string(), found]);
    }
    let names: Vec<String> = broken.iter().map(|line| line.size.to_string()).collect();
    let count = format!("breaks on {} of {} boards", broken.len(), boards.len());
    let (verdict, summary) = match (broken.as_slice(), undecided) {
        ([], None) => (Verdict::Proved, format!("wins on all {} boards", boards.len())),
        // One board on which it breaks is enough, unless the second player has no cell to place on: then no strategy helps.
        (lost, Some(limit)) if lost.iter().all(|line| line.size.cells() == 1) => (Verdict::NotDecided, limit),
        (lost, None) if lost.iter().all(|line| line.size.cells() == 1) => {
            (Verdict::Exceptions, format!("{count}, {}", names.join(", ")))
        }
        (lost, _) => (Verdict::Refuted, format!("{count}, first after {}", lost[0].notation())),
    };
    let example = broken.into_iter().take(1).map(Evidence::Line);
    let evidence = [Evidence::Table { head: vec!["board", "found"], rows }].into_iter().chain(example).collect();
    Ok(Reading { statement: statement.to_string(), verdict, summary, evidence })
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
            let mirror = if end.winner().is_some() { "none: the game is over".to_string() } else { symmetry.to_string() };
            rows.push(vec![line.to_string(), image, mirror, winner.to_string()]);
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
    Ok(Judgement::new(verdict, summary, evidence).by(["isolde verify mirror \"4x4: b2 c3 c4 b1\" --by center".to_string()]))
}
