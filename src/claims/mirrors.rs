//! Claims that the second player wins a board by answering every placement and every move with its
//! image.

use super::context::{even, listed, played, size};
use super::verdict::{Evidence, Judgement, Reading, Verdict};
use super::{Claim, Context, Unfinished};
use crate::game::board::Size;
use crate::game::cells::MAX_CELLS;
use crate::game::notation::{cell_name, cell_names, grouped};
use crate::game::position::{Player, Position};
use crate::game::symmetry::Symmetry;
use crate::strategies::{Argument, Asymmetry, CheckEnd, Rule, RuleKind};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "even-even-mirror",
        source: "symmetry-report",
        says: "On a board with two even sides, the second player wins by answering every move with its reflection through \
            the centre.",
        published: "If both sides are even, the second player wins by answering with the reflection through the centre.",
        reading: "On every board with two even sides, the second player wins by answering every placement and every move \
            with its image under the half turn: the image can always be played. Boards of up to 36 cells (sides up to 16) \
            are checked against every defence, and 2x4 stands for 4x2. An argument covers all larger boards.",
        long: false,
        examine: |context| {
            let boards = Boards { words: "with two even sides", are: |size| even(size.files()) && even(size.ranks()) };
            second_mirrors(context, Symmetry::Center, &boards)
        },
    },
    Claim {
        id: "even-odd-mirror",
        source: "symmetry-report",
        says: "On a board with one even and one odd side, the second player wins by answering every move with its \
            reflection through the centre.",
        published: "If one side is even and the other odd, the second player wins in the same way.",
        reading: "On every board with one even and one odd side, the second player wins by answering every placement and \
            every move with its image under the half turn: the image can always be played. Boards of up to 36 cells (sides \
            up to 16) are checked against every defence, and 2x3 stands for 3x2. An argument covers all larger boards.",
        long: false,
        examine: |context| {
            let boards = Boards { words: "with one even and one odd side", are: |size| even(size.files()) != even(size.ranks()) };
            second_mirrors(context, Symmetry::Center, &boards)
        },
    },
    Claim {
        id: "axis-mirror",
        source: "symmetry-report",
        says: "On a board with an even number of files, the second player wins by answering every move with its reflection \
            in the line between the two middle files.",
        published: "If the width (height) is even, the second player also wins by reflecting in the line between the two \
            middle columns (rows).",
        reading: "On every board with an even number of files, the second player wins by answering every placement and every \
            move with its image in the vertical axis: the image can always be played. An even number of ranks is the same \
            with files and ranks exchanged. Boards of up to 36 cells (sides up to 16) are checked against every defence. An \
            argument covers all larger boards.",
        long: false,
        examine: |context| {
            let boards = Boards { words: "with an even number of files", are: |size| even(size.files()) };
            second_mirrors(context, Symmetry::Vertical, &boards)
        },
    },
    Claim {
        id: "thin-boards",
        source: "symmetry-report",
        says: "On 3x3 and on boards one cell wide, the second player wins by answering every move with its reflection \
            through the centre.",
        published: "Reflection through the centre also works on 3x3, n x 1 and 1 x n.",
        reading: "On 3x3, and on every board that is one cell wide and up to 16 cells long, the second player wins by \
            answering with the image under the half turn.",
        long: false,
        examine: thin_boards,
    },
    Claim {
        id: "four-by-four-lines",
        source: "symmetry-report",
        says: "On 4x4, after b2 c3 or b2 c2, the second player wins with the published reply to each of the first player's \
            four moves.",
        published: "On 4x4, b2 is answered with c3, and then a4 with d1, c4 with b1, d3 with a2, d1 with a4. Reflecting in \
            the axis, b2 is answered with c2, and then a4 with d4, c4 with b4, d3 with a3, d1 with a1.",
        reading: "After b2 c3 the first player has exactly the four moves named. Each reply named is legal and is the image \
            of the move under the half turn, and the second player wins the position after it. The same holds after b2 c2 \
            in the vertical axis.",
        long: false,
        examine: four_by_four,
    },
];

/// Boards of up to this many cells are checked against every defence.
const MOST_CELLS: usize = 36;

/// Boards that a claim is about.
struct Boards {
    /// Which boards, to follow the word "board".
    words: &'static str,
    are: fn(Size) -> bool,
}

/// A mirror as the way in which a player wins.
fn by_answering(symmetry: Symmetry) -> String {
    let image = match symmetry {
        Symmetry::Center => "under the half turn".to_string(),
        Symmetry::Vertical => "in the vertical axis".to_string(),
        other => format!("under the symmetry {other}"),
    };
    format!("by answering every move with its image {image}")
}

/// The second player mirrors on every board of a kind.
fn second_mirrors(context: &Context<'_>, symmetry: Symmetry, kind: &Boards) -> Result<Judgement, Unfinished> {
    let (with, by) = (kind.words, by_answering(symmetry));
    // The half turn stays the half turn when files and ranks are exchanged, so that 2x4 stands for
    // 4x2. An axis does not.
    let distinct = |size: &Size| symmetry != Symmetry::Center || size.files() <= size.ranks();
    let boards: Vec<Size> = Size::every().filter(|&size| (kind.are)(size)).collect();
    let small = boards.iter().copied().filter(distinct).filter(|size| size.cells() <= MOST_CELLS);
    let (mut rows, mut positions) = (Vec::new(), 0);
    for size in small {
        let check = context.exhaust(&Rule::new(RuleKind::Mirror, symmetry, size), &Position::empty(size));
        positions += check.positions;
        match check.end {
            CheckEnd::Wins => rows.push(vec![size.to_string(), grouped(check.positions)]),
            CheckEnd::Breaks(broken) => {
                let line = context.line(size, &broken.moves, NO_REPLY)?;
                let summary = format!(
                    "The second player cannot always win {by} on a board {with}: after {} that reply cannot be played.",
                    line.notation()
                );
                return Ok(Judgement::new(Verdict::Refuted, summary, vec![Evidence::Line(line)]));
            }
            CheckEnd::Unknown(limit) => {
                let summary = format!("Whether the second player wins {size} {by} is not decided: {limit}.");
                return Ok(Judgement::new(Verdict::NotDecided, summary, Vec::new()));
            }
        }
    }
    let argued = boards.iter().filter(|&&size| Argument::new(size, symmetry).second_wins()).count();
    let (side, most) = (Size::MAX_SIDE, MAX_CELLS);
    let checked = format!(
        "All {} boards of up to {MOST_CELLS} cells (sides up to {side}) were checked against every defence, {} positions",
        rows.len(),
        grouped(positions)
    );
    let (verdict, summary) = match boards.len() - argued {
        0 => {
            let larger = "an argument covers larger boards";
            (Verdict::Proved, format!("The second player wins every board {with} {by}. {checked}; {larger}."))
        }
        without => {
            let beyond = format!("no argument covers {without} of the {} boards of up to {most} cells", boards.len());
            (Verdict::NotDecided, format!("The second player wins every small board {with} {by}. {checked}; {beyond}."))
        }
    };
    let sentences = Argument::new(boards[0], symmetry).sentences().into_iter().map(Evidence::Sentence);
    let steps = format!(
        "The steps of the argument hold on {argued} of the {} boards {with} that have up to {most} cells and sides up to {side}.",
        boards.len()
    );
    let table = Evidence::Table { head: vec!["board", "positions in which every move has its reply"], rows };
    let evidence = sentences.chain([Evidence::Sentence(steps), table]).collect();
    let example = boards.iter().rfind(|size| size.cells() <= MOST_CELLS && size.files().abs_diff(size.ranks()) <= 1);
    let commands = |size| [format!("isolde verify mirror {size} --by {symmetry}"), format!("isolde certify {size}")];
    Ok(Judgement::new(verdict, summary, evidence).by(example.into_iter().flat_map(commands)))
}

/// What a line shows that ends where a rule breaks.
const NO_REPLY: &str = "The rule has no reply to the last move.";

fn thin_boards(context: &Context<'_>) -> Result<Judgement, Unfinished> {
    let always = "The second player wins by answering every placement and every move with its image.";
    let (always, always_found) = on_thin_boards(context, always, false)?;
    let otherwise = "The second player wins by answering with the image where it can be played, and with any winning move \
        where it cannot.";
    let (otherwise, otherwise_found) = on_thin_boards(context, otherwise, true)?;
    let summary = format!(
        "On 3x3 and on boards one cell wide, always answering with the image {always_found}. \
        Answering with the image where it can be played, and with any winning move where it cannot, {otherwise_found}."
    );
    let commands = ["isolde verify mirror 3x3 --by center", "isolde certify 3x3"].map(String::from);
    Ok(Judgement::of_readings(summary, vec![always, otherwise]).by(commands))
}

/// Checks the rule on 3x3 and on all boards one cell wide. With `any_move`, a winning move may
/// stand in where the rule has no reply. Also returns the finding as the second half of a sentence.
fn on_thin_boards(context: &Context<'_>, statement: &str, any_move: bool) -> Result<(Reading, String), Unfinished> {
    let lines = Size::every().filter(|size| size.files() == 1 || size.ranks() == 1);
    let boards: Vec<Size> = [size(3, 3)].into_iter().chain(lines).collect();
    let (mut rows, mut broken, mut undecided) = (Vec::new(), Vec::new(), Vec::new());
    for &size in &boards {
        let rule = Rule::new(RuleKind::Mirror, Symmetry::Center, size);
        let found = match context.exhaust_forgiving(&rule, &Position::empty(size), |_| any_move)?.end {
            CheckEnd::Wins => "wins".to_string(),
            CheckEnd::Unknown(limit) => {
                undecided.push((size, limit));
                format!("not decided: {limit}")
            }
            CheckEnd::Breaks(here) => {
                let line = context.line(size, &here.moves, NO_REPLY)?;
                let found = format!("breaks after {}", line.notation());
                broken.push(line);
                found
            }
        };
        rows.push(vec![size.to_string(), found]);
    }
    let all = boards.len();
    // On a single cell the second player has lost whatever the strategy.
    let hopeless = broken.iter().all(|line| line.size.cells() == 1);
    let (verdict, found) = match (broken.first(), undecided.first()) {
        (None, None) => (Verdict::Proved, format!("wins on all {all} boards")),
        (Some(first), _) if !hopeless => {
            let known = if undecided.is_empty() { "" } else { "at least " };
            let found = format!("breaks on {known}{} of {all} boards, for example after {}", broken.len(), first.notation());
            (Verdict::Refuted, found)
        }
        (_, Some((size, limit))) => (Verdict::NotDecided, format!("is not decided: on {size}, {limit}")),
        (Some(_), None) => {
            let names: Vec<String> = broken.iter().map(|line| line.size.to_string()).collect();
            let (won, lost) = (all - broken.len(), listed(&names));
            let found = format!("wins on {won} of {all} boards: all but {lost}, where the second player cannot place");
            (Verdict::Exceptions, found)
        }
    };
    let example = broken.into_iter().take(1).map(Evidence::Line);
    let evidence = [Evidence::Table { head: vec!["board", "the strategy"], rows }].into_iter().chain(example).collect();
    let summary = format!("The strategy {found}.");
    Ok((Reading { statement: statement.to_string(), verdict, summary, evidence }, found))
}

/// Four moves with their replies.
type Replies = [(&'static str, &'static str); 4];

/// The published lines: the mirror, the opening, and then each move with its reply.
const LINES: [(Symmetry, &str, Replies); 2] = [
    (Symmetry::Center, "b2 c3", [("a4", "d1"), ("c4", "b1"), ("d3", "a2"), ("d1", "a4")]),
    (Symmetry::Vertical, "b2 c2", [("a4", "d4"), ("c4", "b4"), ("d3", "a3"), ("d1", "a1")]),
];

const FOUR_BY_FOUR_COMMANDS: [&str; 2] =
    ["isolde verify mirror \"4x4: b2 c3 c4 b1\" --by center", "isolde certify \"4x4: b2 c3\""];

fn four_by_four(context: &Context<'_>) -> Result<Judgement, Unfinished> {
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
            faults.push(format!("After {opening} the first player can move to {}, not to {}.", listed(&legal), listed(&named)));
        }
        for (to, reply) in replies {
            let line = format!("4x4: {opening} {to} {reply}");
            let (line, end) = played(&line);
            let moved = line.moves()[2];
            let image = cell_name(size, symmetry.image_on(size, moved));
            let known = context.outcome(&end)?;
            let symmetric = end.duel::<u128>().is_some_and(|duel| Asymmetry::find(end.board(), symmetry, duel).is_none());
            if image != reply {
                faults.push(format!("In {line} the image of {to} is {image}, not {reply}."));
            }
            if known.winner_at_turn_of(end.turn()) != Player::Second {
                faults.push(format!("The first player wins {line}."));
            }
            if !symmetric {
                faults.push(format!("The position after {line} is not symmetric."));
            }
            let mirror = if end.winner().is_some() { "none: the game is over".to_string() } else { symmetry.to_string() };
            rows.push(vec![line.to_string(), image, mirror, known.in_words(end.turn(), end.is_duel())]);
        }
    }
    let (verdict, summary) = match faults.as_slice() {
        [] => {
            let summary = format!(
                "All {} published replies on 4x4 are the images of the moves. They answer every move that the first player \
                has, and the second player wins after each of them.",
                rows.len()
            );
            (Verdict::Proved, summary)
        }
        faults => (Verdict::Refuted, faults.join(" ")),
    };
    let head = vec!["line", "image of the move", "mirror that decides the position", "true outcome"];
    let evidence = vec![Evidence::Table { head, rows }];
    Ok(Judgement::new(verdict, summary, evidence).by(FOUR_BY_FOUR_COMMANDS.map(String::from)))
}
