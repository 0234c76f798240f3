//! Worked examples of the reports, computed again.

use super::verdict::{Evidence, Judgement, Verdict};
use super::{Claim, Context, Unfinished};
use crate::game::notation;
use crate::game::position::{Player, Position};
use crate::play::heuristics::{bfs_of, reach_of};

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "reach-example",
    source: "reach-report",
    says: "In the report's example on 5x5, the formula `reach` scores 5.25 and 4.1875 for the two players, and `bfs` scores \
        6.65 and 5.033.",
    published: "In the report's example on 5x5, `reach` with ratio 1/2 scores 5.25 for player 1 and 4.1875 for player 2, and \
        `bfs` scores 6.65 and 5.033.",
    reading: "The four numbers, computed with the report's formulas for the position drawn there, agree with the printed ones \
        to all printed decimals.",
    long: false,
    examine: reach_example,
}];

/// The position drawn in the report.
const POSITION: &str = "2*1*/**N2/3*1/1*3/3n1 w";

fn reach_example(_: &Context<'_>) -> Result<Judgement, Unfinished> {
    let setup = notation::parse(POSITION).expect("the example is a position");
    let position = Position::new(setup).expect("of the game");
    let (board, free) = (position.board(), position.free());
    let knight = |player| position.knight(player).expect("both are placed");
    let reach = |player| reach_of(board, free, knight(player), 0.5);
    let bfs = |player| bfs_of(board, free, knight(player));
    let numbers = [
        ("reach(1/2) for player 1", reach(Player::First), "5.25"),
        ("reach(1/2) for player 2", reach(Player::Second), "4.1875"),
        ("bfs for player 1", bfs(Player::First), "6.65"),
        ("bfs for player 2", bfs(Player::Second), "5.033"),
    ];
    let mut wrong = Vec::new();
    let mut rows = Vec::new();
    for (name, computed, printed) in numbers {
        let decimals = printed.split('.').nth(1).map_or(0, str::len);
        let agrees = format!("{computed:.decimals$}") == printed;
        if !agrees {
            wrong.push(format!("{name} is {computed:.4}, not {printed}"));
        }
        rows.push(vec![
            name.to_string(),
            format!("{computed:.4}"),
            printed.to_string(),
            (if agrees { "yes" } else { "no" }).to_string(),
        ]);
    }
    let (verdict, summary) = match wrong.as_slice() {
        [] => (Verdict::Proved, format!("All {} numbers printed in the report's example are right.", rows.len())),
        wrong => {
            let are = if wrong.len() == 1 { "is" } else { "are" };
            let summary = format!(
                "{} of the {} numbers printed in the report's example {are} wrong: {}.",
                wrong.len(),
                rows.len(),
                wrong.join("; ")
            );
            (Verdict::Refuted, summary)
        }
    };
    let table = Evidence::Table { head: vec!["score", "computed", "printed", "agrees"], rows };
    Ok(Judgement::new(verdict, summary, vec![table]).by([format!("isolde show \"{POSITION}\"")]))
}
