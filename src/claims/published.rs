//! Worked examples of the reports, computed again.

use super::verdict::{Evidence, Judgement, Verdict};
use super::{Claim, Examiner, Unfinished};
use crate::notation;
use crate::play::heuristics::{bfs_of, reach_of};
use crate::position::{Player, Position};

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "reach-example",
    source: "reach-report",
    published: "In its example on 5x5, `reach` with ratio 1/2 scores 5.25 for player 1 and 4.1875 for player 2, and `bfs` scores 6.65 and 5.033.",
    reading: "The four numbers, computed from the formulas for the position drawn there, agree with those printed to as many decimals as are printed.",
    long: false,
    examine: reach_example,
}];

/// The position drawn in the report.
const POSITION: &str = "2*1*/**N2/3*1/1*3/3n1 w";

fn reach_example(_: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let setup = notation::parse(POSITION).expect("the example is a position");
    let position = Position::<u64>::new(setup).expect("of the game");
    let (board, free) = (position.board(), position.free());
    let knight = |player| position.knight(player).expect("both are placed");
    let reach = |player| reach_of(board, free, knight(player), 0.5);
    let bfs = |player| bfs_of(board, free, knight(player));
    let numbers = [
        ("reach(1/2), player 1", reach(Player::First), "5.25"),
        ("reach(1/2), player 2", reach(Player::Second), "4.1875"),
        ("bfs, player 1", bfs(Player::First), "6.65"),
        ("bfs, player 2", bfs(Player::Second), "5.033"),
    ];
    let mut wrong = Vec::new();
    let mut rows = Vec::new();
    for (name, computed, printed) in numbers {
        let decimals = printed.split('.').nth(1).map_or(0, str::len);
        let agrees = format!("{computed:.decimals$}") == printed;
        if !agrees {
            wrong.push(format!("{name} is {computed:.4} and not {printed}"));
        }
        rows.push(vec![
            name.to_string(),
            format!("{computed:.4}"),
            printed.to_string(),
            (if agrees { "yes" } else { "no" }).to_string(),
        ]);
    }
    let (verdict, summary) = match wrong.as_slice() {
        [] => (Verdict::Proved, "all four numbers agree".to_string()),
        wrong => (Verdict::Refuted, wrong.join("; ")),
    };
    let table = Evidence::Table { head: vec!["score", "computed", "printed", "agrees"], rows };
    Ok(Judgement::new(verdict, summary, vec![table]).by([format!("isolde show \"{POSITION}\"")]))
}
