//! The published openings of 7x7 that are said to be won by a mirror.

use super::context::played;
use super::verdict::{Evidence, Judgement, Reading, Verdict};
use super::{Claim, Context, Unfinished};
use crate::game::cells::Cell;
use crate::game::notation::{cell_name, grouped};
use crate::game::position::{Player, Position};
use crate::game::symmetry::Symmetry;
use crate::solve::{Opening, Question};
use crate::strategies::{CheckEnd, LaggedArgument, Rule, RuleKind};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "seven-centre-knight",
        source: "symmetry-report",
        says: "On 7x7, if the second player answers d4 a knight's move away, the first player moves to the opposite cell \
            and wins by answering every move with its reflection.",
        published: "On 7x7, if the first player's d4 is answered a knight's move away from d4, the first player moves to the \
            reflected cell and wins.",
        reading: "For each of the eight cells a knight's move from d4: after d4, that cell, and its image under the half \
            turn, the first player wins by answering every move with its image. The solver proves the position, and the \
            strategy is checked against every defence.",
        long: false,
        examine: centre_knight,
    },
    Claim {
        id: "seven-lagged",
        source: "symmetry-report",
        says: "On 7x7, if the first player places a knight's move away from d4, the second player takes d4 and wins by \
            following one move behind in reflection.",
        published: "On 7x7, c2 (or any cell a knight's move from d4) is answered with d4; then comes any move, then e6. The \
            second player follows one move behind in reflection and wins.",
        reading: "For each of the eight cells a knight's move from d4: after that cell and d4, the second player wins by \
            always moving to the image, under the half turn, of the cell that the first player has just left. The solver \
            proves the position, and the strategy is checked against every defence.",
        long: false,
        examine: lagged,
    },
    Claim {
        id: "seven-corner",
        source: "symmetry-report",
        says: "On 7x7, after a1 d4 b3 f5 or a1 d4 c2 e6, the second player wins by reflection although one corner is not \
            symmetric.",
        published: "On 7x7, a1 d4, then b3 f5 (or c2 e6): the second player wins by reflection although one corner is not \
            symmetric, since stepping into that corner loses.",
        reading: "After a1 d4 b3 f5 (or a1 d4 c2 e6) the second player wins by answering every move with its image under the \
            half turn. The first player can step to g7, whose image a1 is taken, so that there are three readings.",
        long: false,
        examine: corner,
    },
];

/// The empty board 7x7, its centre, and the cells a knight's move away from the centre.
fn around_centre() -> (Position, Cell, Vec<Cell>) {
    let (_, empty) = played("7x7:");
    let centre = empty.size().cell(3, 3).expect("7x7 has a centre");
    let around = empty.board().knight_moves(centre).into_iter().collect();
    (empty, centre, around)
}

/// Follows a rule from the end of each of these lines. `after` and `by` say in words which lines
/// and which rule these are.
fn follow(context: &Context<'_>, kind: RuleKind, lines: &[Vec<Cell>], after: &str, by: &str) -> Result<Judgement, Unfinished> {
    let mut rows = Vec::new();
    let (mut positions, mut winner) = (0, Player::First);
    for line in lines {
        let (_, empty) = played("7x7:");
        let size = empty.size();
        let start = line.iter().fold(empty, |position, &to| position.play(to).expect("the published lines are legal"));
        let line_named = format!("7x7: {}", line.iter().map(|&cell| cell_name(size, cell)).collect::<Vec<_>>().join(" "));
        let check = context.exhaust(&Rule::new(kind, Symmetry::Center, size), &start);
        let outcome = context.outcome(&start)?;
        positions += check.positions;
        let follower = check.player;
        winner = follower;
        match check.end {
            CheckEnd::Wins => {
                assert_eq!(
                    outcome.winner_at_turn_of(start.turn()),
                    follower,
                    "the rule wins, but the solver denies it: one of them is wrong"
                );
            }
            CheckEnd::Unknown(limit) => {
                let summary = format!("Whether the {follower} player wins {line_named} {by} is not decided: {limit}.");
                return Ok(Judgement::new(Verdict::NotDecided, summary, Vec::new()));
            }
            CheckEnd::Breaks(broken) => {
                let moves: Vec<Cell> = line.iter().copied().chain(broken.moves).collect();
                let shown = context.line(size, &moves, "The rule has no reply to the last move.")?;
                let summary = format!(
                    "The {follower} player cannot always win {by}: after {} that reply cannot be played.",
                    shown.notation()
                );
                return Ok(Judgement::new(Verdict::Refuted, summary, vec![Evidence::Line(shown)]));
            }
        }
        rows.push(vec![
            line_named,
            outcome.in_words(start.turn(), start.is_duel()),
            grouped(check.positions),
            follower.to_string(),
        ]);
    }
    let head = vec!["line", "true outcome", "positions in which every move has its reply", "wins by the rule"];
    let summary =
        format!("{after}, the {winner} player wins {by}. Every defence was checked ({} positions).", grouped(positions));
    Ok(Judgement::new(Verdict::Proved, summary, vec![Evidence::Table { head, rows }]))
}

fn centre_knight(context: &Context<'_>) -> Result<Judgement, Unfinished> {
    let (empty, centre, around) = around_centre();
    let image = |cell| Symmetry::Center.image_on(empty.size(), cell);
    let lines: Vec<Vec<Cell>> = around.into_iter().map(|reply| vec![centre, reply, image(reply)]).collect();
    let after = format!("On 7x7, after d4, any of the {} replies a knight's move away, and the image of that reply", lines.len());
    let judgement = follow(context, RuleKind::Mirror, &lines, &after, "by answering every move with its image")?;
    let commands = ["isolde verify mirror \"7x7: d4 b3 f5\" --by center", "isolde certify \"7x7: d4 b3 f5\""];
    Ok(judgement.by(commands.map(String::from)))
}

fn lagged(context: &Context<'_>) -> Result<Judgement, Unfinished> {
    let (empty, centre, around) = around_centre();
    let lines: Vec<Vec<Cell>> = around.into_iter().map(|first| vec![first, centre]).collect();
    let after = format!("On 7x7, after any of the {} placements a knight's move from d4, and the reply d4", lines.len());
    let by = "by always moving to the image of the cell that the opponent has just left";
    let mut judgement = follow(context, RuleKind::Lagged, &lines, &after, by)?;
    let opening = Opening { first: lines[0][0], second: centre };
    let argument = LaggedArgument::new(empty.size(), Symmetry::Center, opening);
    if judgement.verdict == Verdict::Proved {
        judgement.evidence.extend(argument.sentences().into_iter().map(Evidence::Sentence));
    }
    let commands = ["isolde verify lagged 7x7 --first c2 --second d4", "isolde certify \"7x7: c2 d4\""];
    Ok(judgement.by(commands.map(String::from)))
}

/// The two published beginnings.
const CORNER_LINES: [&str; 2] = ["7x7: a1 d4 b3 f5", "7x7: a1 d4 c2 e6"];

fn corner(context: &Context<'_>) -> Result<Judgement, Unfinished> {
    let always = "The second player wins by answering every move with its image.";
    let otherwise = "The second player wins by answering every move with its image, except that a step into the empty corner \
        may be answered with any winning move.";
    let (solved, lost) = true_corner(context)?;
    let readings = vec![mirrored_corner(context, always, false)?, mirrored_corner(context, otherwise, true)?, solved];
    let summary = corner_summary(readings[0].verdict, readings[1].verdict, &lost);
    let commands = CORNER_LINES.iter().flat_map(|line| {
        [
            format!("isolde verify mirror \"{line}\" --by center"),
            format!("isolde solve \"{line}\" --no-tables"),
            format!("isolde certify \"{line}\""),
        ]
    });
    Ok(Judgement::of_readings(summary, readings).by(commands))
}

/// The summary, from the verdicts on mirroring every move and on mirroring except after a step into
/// the corner, and from the lines that the first player wins.
fn corner_summary(always: Verdict, otherwise: Verdict, lost: &[&str]) -> String {
    let found = |verdict| match verdict {
        Verdict::Proved => "wins for the second player",
        Verdict::NotDecided => "is not decided within the limits",
        _ => "does not always have a reply that wins",
    };
    match lost {
        // No strategy wins a lost position.
        [] => format!(
            "The second player wins both positions. Mirroring every move {}. Mirroring except after a step into the corner {}.",
            found(always),
            found(otherwise)
        ),
        lost => format!(
            "Mirroring every move loses after {}. So does mirroring except after a step into the corner: the first player wins \
            {}.",
            lost.join(" and after "),
            if lost.len() == CORNER_LINES.len() { "both positions" } else { "the position" }
        ),
    }
}

/// The second player mirrors from the end of both lines. With `any_move`, a step into the corner
/// whose image is taken may be answered with any winning move.
fn mirrored_corner(context: &Context<'_>, statement: &str, any_move: bool) -> Result<Reading, Unfinished> {
    let (mut evidence, mut summaries, mut verdicts) = (Vec::new(), Vec::new(), Vec::new());
    for line in CORNER_LINES {
        let (line, start) = played(line);
        let size = start.size();
        let empty_corner = Symmetry::Center.image_on(size, line.moves()[0]);
        let stepped_in = |position: &Position| position.knight(Player::First) == Some(empty_corner);
        let rule = Rule::new(RuleKind::Mirror, Symmetry::Center, size);
        let check = context.exhaust_forgiving(&rule, &start, |position| any_move && stepped_in(position))?;
        let (verdict, summary) = match check.end {
            CheckEnd::Wins => (
                Verdict::Proved,
                format!("After {line} this wins against every defence ({} positions).", grouped(check.positions)),
            ),
            CheckEnd::Unknown(limit) => (Verdict::NotDecided, format!("After {line} this is not decided: {limit}.")),
            CheckEnd::Breaks(broken) => {
                let moves: Vec<Cell> = line.moves().iter().copied().chain(broken.moves).collect();
                let corner = moves.last() == Some(&empty_corner);
                let shows = match corner {
                    true => "The last move steps into the corner whose image is taken.",
                    false => "The rule has no reply to the last move.",
                };
                let shown = context.line(size, &moves, shows)?;
                let reply = if any_move && corner { "no winning move" } else { "no image to answer with" };
                let summary =
                    format!("After {} the second player has {reply} (true outcome: {}).", shown.notation(), shown.end());
                evidence.push(Evidence::Line(shown));
                (Verdict::Refuted, summary)
            }
        };
        verdicts.push(verdict);
        summaries.push(summary);
    }
    Ok(Reading { statement: statement.to_string(), verdict: Verdict::of_all(&verdicts), summary: summaries.join(" "), evidence })
}

/// Who really wins. Also returns the lines that the first player wins.
fn true_corner(context: &Context<'_>) -> Result<(Reading, Vec<&'static str>), Unfinished> {
    let (mut evidence, mut lost, mut verdicts) = (Vec::new(), Vec::new(), Vec::new());
    for notation in CORNER_LINES {
        let (line, start) = played(notation);
        let winner = context.outcome(&start)?.winner_at_turn_of(start.turn());
        // A win of the first player, who is to move, is shown with a winning move.
        let winning_move = if winner == Player::Second {
            None
        } else {
            lost.push(notation);
            let line = context.analyst(start.size())?.expected_line(Question::Winner, &start, context.control())?;
            line.and_then(|line| line.first().copied())
        };
        let moves: Vec<Cell> = line.moves().iter().copied().chain(winning_move).collect();
        let by = if winning_move.is_some() { ", for example with the last move shown" } else { "" };
        evidence.push(Evidence::Line(context.line(start.size(), &moves, format!("The {winner} player wins {line}{by}."))?));
        verdicts.push(if winner == Player::Second { Verdict::Proved } else { Verdict::Refuted });
    }
    let won: Vec<&str> = CORNER_LINES.into_iter().filter(|line| !lost.contains(line)).collect();
    let wins = [(Player::First, &lost), (Player::Second, &won)].into_iter().filter(|(_, lines)| !lines.is_empty());
    let wins: Vec<String> = wins.map(|(player, lines)| format!("the {player} player wins {}", lines.join(" and "))).collect();
    let statement = "The second player wins, whatever the strategy.".to_string();
    let summary = format!("The solver proves that {}.", wins.join(" and that "));
    Ok((Reading { statement, verdict: Verdict::of_all(&verdicts), summary, evidence }, lost))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_of_the_corner_is_true_whatever_is_found() {
        use Verdict::{NotDecided, Proved, Refuted};
        assert_eq!(
            corner_summary(Refuted, Refuted, &CORNER_LINES),
            "Mirroring every move loses after 7x7: a1 d4 b3 f5 and after 7x7: a1 d4 c2 e6. So does mirroring except after a step \
            into the corner: the first player wins both positions."
        );
        assert!(corner_summary(NotDecided, Refuted, &CORNER_LINES[..1]).ends_with("the first player wins the position."));
        assert_eq!(
            corner_summary(Refuted, Proved, &[]),
            "The second player wins both positions. Mirroring every move does not always have a reply that wins. Mirroring \
            except after a step into the corner wins for the second player."
        );
    }
}
