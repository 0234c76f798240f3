//! What decides when the knights are separated.

use super::examiner::size;
use super::verdict::{Evidence, Judgement, Reading, Verdict};
use super::{Claim, Examiner, Unfinished};
use crate::board::{Board, Size};
use crate::cells::{Cell, Cells};
use crate::notation::grouped;
use crate::outcome::Value;

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "biggest-island",
    source: "decay-report",
    published: "Once the players move on separate islands, the biggest island wins.",
    reading: "In every position that play can lead to, in which the knights' regions have no cell in common, both can move, and one region is larger than the other, the player in the larger region wins. Over all positions of the boards from 3x3 to 5x5; `larger` has two readings.",
    long: false,
    examine: biggest_island,
}];

/// The boards all of whose positions are looked at.
const BOARDS: [(usize, usize); 9] = [(3, 3), (3, 4), (3, 5), (4, 4), (3, 6), (4, 5), (3, 7), (4, 6), (5, 5)];

/// The most moves of a knight that is alone in a region, by trying everything.
fn longest_walk(board: &Board<u64>, region: Cells<u64>, from: Cell) -> usize {
    let moves = board.knight_moves(from) & region;
    moves.into_iter().map(|to| 1 + longest_walk(board, region.without(to), to)).max().unwrap_or(0)
}

/// One way to compare islands.
#[derive(Default)]
struct Tally {
    positions: u64,
    wrong: u64,
    example: Option<(Size, Vec<Cell>)>,
    rows: Vec<Vec<String>>,
}

fn biggest_island(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    // By cells, and by moves.
    let mut tallies = [Tally::default(), Tally::default()];
    for (files, ranks) in BOARDS {
        let size = size(files, ranks);
        let reachable = examiner.reachable(size)?;
        let board = reachable.board();
        let mut counts = [(0, 0); 2];
        for (duel, value) in reachable.iter() {
            let (region, others_region) = duel.regions(board);
            if !region.is_disjoint(others_region) || region.is_empty() || others_region.is_empty() {
                continue;
            }
            let walk = |region, from| longest_walk(board, region, from);
            let sizes = [(region.len(), others_region.len()), (walk(region, duel.mover), walk(others_region, duel.other))];
            for ((tally, count), (own, others)) in tallies.iter_mut().zip(&mut counts).zip(sizes) {
                if own != others {
                    count.0 += 1;
                    if value != Value::win_if(own > others) {
                        count.1 += 1;
                        tally.example = tally.example.take().or_else(|| reachable.line_to(duel).map(|line| (size, line)));
                    }
                }
            }
        }
        for (tally, (positions, wrong)) in tallies.iter_mut().zip(counts) {
            tally.positions += positions;
            tally.wrong += wrong;
            tally.rows.push(vec![size.to_string(), grouped(positions), grouped(positions - wrong)]);
        }
    }
    let mut readings = Vec::new();
    for (tally, statement) in tallies.into_iter().zip([
        "the island with more cells wins",
        "the island with the longer walk wins, that is the one in which a lone knight can make more moves",
    ]) {
        let share = 100.0 * (tally.positions - tally.wrong) as f64 / tally.positions as f64;
        let (verdict, summary) = match tally.wrong {
            0 => (Verdict::Proved, format!("in all {} positions", grouped(tally.positions))),
            wrong => (
                Verdict::Refuted,
                format!("not in {} of {} positions: true of {share:.1} %", grouped(wrong), grouped(tally.positions)),
            ),
        };
        let mut evidence =
            vec![Evidence::Table { head: vec!["board", "separated, islands not equal", "the larger wins"], rows: tally.rows }];
        if let Some((size, line)) = tally.example {
            evidence.push(examiner.line(size, &line, "separated, and the larger island loses")?);
        }
        if tally.wrong == 0 {
            let why = "on every larger board because nothing that one does concerns the other: each walks its longest path, and the shorter one ends first";
            evidence.push(Evidence::Sentence(why.to_string()));
        }
        readings.push(Reading { statement: statement.to_string(), verdict, summary, evidence });
    }
    let summary = format!("counted in cells {}, counted in moves {}", readings[0].summary, readings[1].summary);
    Ok(Judgement::of_readings(summary, readings))
}
