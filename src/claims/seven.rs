//! The published openings of 7x7 that are said to be won by a mirror.

use super::examiner::played;
use super::verdict::{Evidence, Judgement, Reading, Verdict};
use super::{Claim, Examiner, Unfinished};
use crate::cells::Cell;
use crate::notation::{cell_name, grouped};
use crate::position::{Player, Position};
use crate::solve::{Opening, Question};
use crate::symmetry::Symmetry;
use crate::verify::{End, LaggedArgument, Rule, RuleKind};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "seven-centre-knight",
        source: "symmetry-report",
        published: "On 7x7, the first player's d4 answered a knight's move away from d4 is won by the first player, who moves to the reflected cell.",
        reading: "For each of the eight cells a knight's move from d4: after d4, that cell, and its image under the half turn, the first player wins, and it wins by answering every move with its image. The position is proved by the solver, the strategy by exhaustion.",
        long: false,
        examine: centre_knight,
    },
    Claim {
        id: "seven-lagged",
        source: "symmetry-report",
        published: "On 7x7, c2 (or any cell a knight's move from d4) answered with d4, then any move, then e6: the second player follows one move behind in reflection and wins.",
        reading: "For each of the eight cells a knight's move from d4: after that cell and d4 the second player wins, and it wins by moving to the image under the half turn of the cell that the first player has just left. The position is proved by the solver, the strategy by exhaustion.",
        long: false,
        examine: lagged,
    },
    Claim {
        id: "seven-corner",
        source: "symmetry-report",
        published: "On 7x7, a1 d4, then b3 f5 (or c2 e6): the second player wins by reflection although one corner is not symmetric, since stepping into that corner loses.",
        reading: "After a1 d4 b3 f5 (a1 d4 c2 e6) the second player wins by answering every move with its image under the half turn; there are three readings, since the first player can step to g7, whose image a1 is taken.",
        long: false,
        examine: corner,
    },
];

/// The cells a knight's move away from the centre.
fn around_centre() -> (Position<u64>, Cell, Vec<Cell>) {
    let (_, empty) = played("7x7:");
    let centre = empty.size().cell(3, 3).expect("7x7 has a centre");
    let around = empty.board().knight_moves(centre).into_iter().collect();
    (empty, centre, around)
}

/// A rule followed from the end of each of these lines.
fn follow(examiner: &Examiner<'_>, kind: RuleKind, lines: &[Vec<Cell>], summary: &str) -> Result<Judgement, Unfinished> {
    let mut rows = Vec::new();
    let mut positions = 0;
    for line in lines {
        let (_, empty) = played("7x7:");
        let size = empty.size();
        let start = line.iter().fold(empty, |position, &to| position.play(to).expect("the published lines are legal"));
        let named: Vec<String> = line.iter().map(|&cell| cell_name(size, cell)).collect();
        let check = examiner.exhaust(&Rule::new(kind, Symmetry::Center, size), &start);
        let outcome = examiner.outcome(&start)?;
        positions += check.positions;
        let follower = check.player;
        match check.end {
            End::Wins => {
                assert_eq!(outcome.winner, follower, "a rule that wins and a solver that denies it: one of them is wrong");
            }
            End::Unknown(limit) => return Ok(Judgement::new(Verdict::NotDecided, limit.to_string(), Vec::new())),
            End::Breaks(broken) => {
                let moves: Vec<Cell> = line.iter().copied().chain(broken.moves).collect();
                let shown = examiner.line(size, &moves, "here the rule has no reply")?;
                let summary = format!("breaks after {}", shown.notation());
                return Ok(Judgement::new(Verdict::Refuted, summary, vec![Evidence::Line(shown)]));
            }
        }
        rows.push(vec![
            format!("7x7: {}", named.join(" ")),
            outcome.to_string(),
            grouped(check.positions),
            format!("{follower}, by the rule"),
        ]);
    }
    let table =
        Evidence::Table { head: vec!["line", "true outcome", "positions in which every move has its reply", "wins"], rows };
    Ok(Judgement::new(Verdict::Proved, format!("{summary} ({} positions)", grouped(positions)), vec![table]))
}

fn centre_knight(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let (empty, centre, around) = around_centre();
    let image = |cell| Symmetry::Center.image_on(empty.size(), cell);
    let lines: Vec<Vec<Cell>> = around.into_iter().map(|reply| vec![centre, reply, image(reply)]).collect();
    let judgement = follow(examiner, RuleKind::Mirror, &lines, "after all eight replies the mirror wins against every play")?;
    Ok(judgement.by(["isolde verify mirror \"7x7: d4 b3 f5\" --by center".to_string()]))
}

fn lagged(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let (empty, centre, around) = around_centre();
    let lines: Vec<Vec<Cell>> = around.into_iter().map(|first| vec![first, centre]).collect();
    let mut judgement =
        follow(examiner, RuleKind::Lagged, &lines, "after all eight placements the follower wins against every play")?;
    let opening = Opening { first: lines[0][0], second: centre };
    let argument = LaggedArgument::new(empty.size(), Symmetry::Center, opening);
    if judgement.verdict == Verdict::Proved {
        judgement.evidence.extend(argument.sentences().into_iter().map(Evidence::Sentence));
    }
    Ok(judgement.by(["isolde verify lagged 7x7 --first c2 --second d4".to_string()]))
}

/// Both ways to begin.
const CORNER_LINES: [&str; 2] = ["7x7: a1 d4 b3 f5", "7x7: a1 d4 c2 e6"];

fn corner(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let readings = vec![
        mirrored_corner(examiner, "every move is answered with its image", false)?,
        mirrored_corner(
            examiner,
            "every move is answered with its image, but a step into the empty corner with any move that wins",
            true,
        )?,
        true_corner(examiner)?,
    ];
    let verdicts: Vec<&str> = readings.iter().map(|reading| reading.verdict.name()).collect();
    let summary = format!(
        "always the image: {}; any move after a step into the corner: {}; by whatever moves: {}",
        verdicts[0], verdicts[1], verdicts[2]
    );
    let commands = CORNER_LINES
        .iter()
        .flat_map(|line| [format!("isolde verify mirror \"{line}\" --by center"), format!("isolde solve \"{line}\"")]);
    Ok(Judgement::of_readings(summary, readings).by(commands))
}

/// The second player mirrors from the end of both lines; a step into the corner whose image is taken may be forgiven.
fn mirrored_corner(examiner: &Examiner<'_>, statement: &str, any_move: bool) -> Result<Reading, Unfinished> {
    let (mut evidence, mut summaries, mut verdicts) = (Vec::new(), Vec::new(), Vec::new());
    for line in CORNER_LINES {
        let (line, start) = played(line);
        let size = start.size();
        let empty_corner = Symmetry::Center.image_on(size, line.moves()[0]);
        let stepped_in = |position: &Position<u64>| position.knight(Player::First) == Some(empty_corner);
        let rule = Rule::new(RuleKind::Mirror, Symmetry::Center, size);
        let check = examiner.exhaust_forgiving(&rule, &start, |position| any_move && stepped_in(position))?;
        let (verdict, summary) = match check.end {
            End::Wins => {
                (Verdict::Proved, format!("after {line} it wins against every play ({} positions)", grouped(check.positions)))
            }
            End::Unknown(limit) => (Verdict::NotDecided, limit.to_string()),
            End::Breaks(broken) => {
                let moves: Vec<Cell> = line.moves().iter().copied().chain(broken.moves).collect();
                let corner = moves.last() == Some(&empty_corner);
                let shows = if corner { "a step into the corner whose image is taken" } else { "here the rule has no reply" };
                let shown = examiner.line(size, &moves, shows)?;
                let end = shown.outcomes.last().map(ToString::to_string).unwrap_or_default();
                let lacks = if any_move && corner { "no move that wins" } else { "no image to answer with" };
                let summary = format!("{lacks} after {}, where {end}", shown.notation());
                evidence.push(Evidence::Line(shown));
                (Verdict::Refuted, summary)
            }
        };
        verdicts.push(verdict);
        summaries.push(summary);
    }
    Ok(Reading { statement: statement.to_string(), verdict: Verdict::of_all(&verdicts), summary: summaries.join("; "), evidence })
}

/// Who really wins.
fn true_corner(examiner: &Examiner<'_>) -> Result<Reading, Unfinished> {
    let (mut evidence, mut summaries, mut verdicts) = (Vec::new(), Vec::new(), Vec::new());
    for line in CORNER_LINES {
        let (line, start) = played(line);
        let duel = start.duel().expect("both knights are placed");
        let outcome = examiner.outcome(&start)?;
        let second_wins = outcome.winner == Player::Second;
        // Whoever refutes the claim has to show how.
        let further = if second_wins {
            None
        } else {
            examiner.solver(start.size())?.expected_line(Question::Winner, duel, examiner.control())?.first().copied()
        };
        let moves: Vec<Cell> = line.moves().iter().copied().chain(further).collect();
        evidence.push(Evidence::Line(examiner.line(start.size(), &moves, format!("after {line} {outcome}"))?));
        summaries.push(format!("{outcome} {line}"));
        verdicts.push(if second_wins { Verdict::Proved } else { Verdict::Refuted });
    }
    let statement = "the second player wins, by whatever moves".to_string();
    let summary = format!("as the solver proves, {}", summaries.join(" and "));
    Ok(Reading { statement, verdict: Verdict::of_all(&verdicts), summary, evidence })
}
