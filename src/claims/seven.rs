//! The published openings of 7x7 that are said to be won by a mirror.

use super::examiner::played;
use super::verdict::{Evidence, Judgement, Reading, Verdict};
use super::{Claim, Examiner, Unfinished};
use crate::cells::Cell;
use crate::notation::{cell_name, grouped};
use crate::position::{Player, Position};
use crate::solve::Opening;
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
        reading: "After a1 d4 b3 f5 (a1 d4 c2 e6) the second player wins by answering every move with its image under the half turn; of the first player's step to g7, whose image a1 is taken, there are two readings.",
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
        let check = examiner.exhaust(&Rule::new(kind, Symmetry::Center, size), &start, |_| false)?;
        let outcome = examiner.outcome(&start)?;
        positions += check.positions;
        let follower = check.player;
        match check.end {
            End::Wins if outcome.winner == follower => {}
            End::Unknown(limit) => return Ok(Judgement::new(Verdict::NotDecided, limit.to_string(), Vec::new())),
            End::Wins | End::Breaks(_) => {
                let further = if let End::Breaks(broken) = check.end { broken.moves } else { Vec::new() };
                let moves: Vec<Cell> = line.iter().copied().chain(further).collect();
                let line = examiner.line(size, &moves, "here it fails")?;
                return Ok(Judgement::new(Verdict::Refuted, format!("fails after 7x7: {}", named.join(" ")), vec![line]));
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
    judgement.evidence.extend(argument.sentences().into_iter().map(Evidence::Sentence));
    Ok(judgement.by(["isolde verify lagged 7x7 --first c2 --second d4".to_string()]))
}

fn corner(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let mut readings = Vec::new();
    for line in ["7x7: a1 d4 b3 f5", "7x7: a1 d4 c2 e6"] {
        let (line, start) = played(line);
        let size = start.size();
        let rule = Rule::new(RuleKind::Mirror, Symmetry::Center, size);
        let asymmetric = Symmetry::Center.image_on(size, line.moves()[0]);
        let stepped_in = |position: &Position<u64>| position.knight(Player::First) == Some(asymmetric);
        for (statement, any_move) in [
            ("every move is answered with its image", false),
            ("every move is answered with its image, and a step into the empty corner with any move that wins", true),
        ] {
            let check = examiner.exhaust(&rule, &start, |position| any_move && stepped_in(position))?;
            let mut evidence = Vec::new();
            let (verdict, summary) = match check.end {
                End::Wins => (
                    Verdict::Proved,
                    format!("the second player wins against every play ({} positions)", grouped(check.positions)),
                ),
                End::Unknown(limit) => (Verdict::NotDecided, limit.to_string()),
                End::Breaks(broken) => {
                    let moves: Vec<Cell> = line.moves().iter().copied().chain(broken.moves).collect();
                    let shown = examiner.line(size, &moves, "the first player steps into the corner, and its image is taken")?;
                    let Evidence::Line(shown) = shown else { unreachable!("a line was asked for") };
                    let last = *shown.outcomes.last().expect("the line has moves");
                    let summary = format!("no image to answer with after {}, where {last}", shown.notation());
                    evidence.push(Evidence::Line(shown));
                    (Verdict::Refuted, summary)
                }
            };
            readings.push(Reading { statement: format!("after {line} {statement}"), verdict, summary, evidence });
        }
        let outcome = examiner.outcome(&start)?;
        let wins = outcome.winner == Player::Second;
        readings.push(Reading {
            statement: format!("the second player wins {line}, by whatever moves"),
            verdict: if wins { Verdict::Proved } else { Verdict::Refuted },
            summary: format!("{outcome}, as the solver proves"),
            evidence: vec![examiner.line(size, line.moves(), "true outcomes on the way")?],
        });
    }
    let verdicts: Vec<&str> = readings[..3].iter().map(|reading| reading.verdict.name()).collect();
    let summary = format!(
        "always the image: {}; any move after a step into the corner: {}; the position: {}",
        verdicts[0], verdicts[1], verdicts[2]
    );
    Ok(Judgement::of_readings(summary, readings).by([
        "isolde verify mirror \"7x7: a1 d4 b3 f5\" --by center".to_string(),
        "isolde solve \"7x7: a1 d4 b3 f5\"".to_string(),
    ]))
}
