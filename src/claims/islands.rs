//! What decides when the knights are separated.

use super::examiner::{MOST_CELLS_FOR_ALL_POSITIONS, boards};
use super::verdict::{Evidence, Judgement, Reading, Verdict};
use super::{Claim, Examiner, Unfinished};
use crate::board::{Board, Size};
use crate::cells::{Cell, Cells};
use crate::notation::grouped;
use crate::outcome::Value;
use crate::verify::Reachable;

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "biggest-island",
    source: "decay-report",
    published: "Once the players move on separate islands, the biggest island wins.",
    reading: "In every position that play can lead to, in which the knights' regions have no cell in common, both can move, and one region is larger than the other, the player in the larger region wins. Over all positions of the boards with sides of at least 3 and up to 25 cells; `larger` has two readings.",
    long: false,
    examine: biggest_island,
}];

/// The most moves of a knight that is alone in a region, by trying everything.
fn longest_walk(board: &Board<u64>, region: Cells<u64>, from: Cell) -> usize {
    let moves = board.knight_moves(from) & region;
    moves.into_iter().map(|to| 1 + longest_walk(board, region.without(to), to)).max().unwrap_or(0)
}

/// How the size of an island is counted.
#[derive(Clone, Copy)]
enum Measure {
    Cells,
    Moves,
}

impl Measure {
    fn words(self) -> &'static str {
        match self {
            Self::Cells => "the island with more cells wins",
            Self::Moves => "the island with the longer walk wins, that is the one in which a lone knight can make more moves",
        }
    }

    fn of(self, board: &Board<u64>, region: Cells<u64>, from: Cell) -> usize {
        match self {
            Self::Cells => region.len(),
            Self::Moves => longest_walk(board, region, from),
        }
    }
}

/// One reading, followed through all positions of some boards.
struct Tally {
    measure: Measure,
    positions: u64,
    wrong: u64,
    example: Option<(Size, Vec<Cell>)>,
    rows: Vec<Vec<String>>,
}

impl Tally {
    fn new(measure: Measure) -> Self {
        Self { measure, positions: 0, wrong: 0, example: None, rows: Vec::new() }
    }

    fn count(&mut self, reachable: &Reachable) {
        let (board, before) = (reachable.board(), (self.positions, self.wrong));
        for (duel, value) in reachable.iter() {
            let (region, others_region) = duel.regions(board);
            if !region.is_disjoint(others_region) || region.is_empty() || others_region.is_empty() {
                continue;
            }
            let (own, others) = (self.measure.of(board, region, duel.mover), self.measure.of(board, others_region, duel.other));
            self.positions += u64::from(own != others);
            if own != others && value != Value::win_if(own > others) {
                self.wrong += 1;
                self.example = self.example.take().or_else(|| Some((board.size(), reachable.line_to(duel)?)));
            }
        }
        let (positions, wrong) = (self.positions - before.0, self.wrong - before.1);
        self.rows.push(vec![board.size().to_string(), grouped(positions), grouped(positions - wrong)]);
    }

    fn reading(self, examiner: &Examiner<'_>) -> Result<Reading, Unfinished> {
        let share = 100.0 * (self.positions - self.wrong) as f64 / self.positions as f64;
        let (verdict, summary) = match self.wrong {
            0 => (Verdict::Proved, format!("so in all {} positions", grouped(self.positions))),
            wrong => (
                Verdict::Refuted,
                format!("not so in {} of {} positions, true of {share:.1} %", grouped(wrong), grouped(self.positions)),
            ),
        };
        let mut evidence =
            vec![Evidence::Table { head: vec!["board", "separated, islands not equal", "the larger wins"], rows: self.rows }];
        match (self.example, self.measure) {
            (Some((size, line)), _) => {
                evidence.push(Evidence::Line(examiner.line(size, &line, "separated, and the larger island loses")?));
            }
            (None, Measure::Moves) => {
                let why = "on every larger board because nothing that one does concerns the other: each walks its longest path, and the shorter one ends first";
                evidence.push(Evidence::Sentence(why.to_string()));
            }
            (None, Measure::Cells) => {}
        }
        Ok(Reading { statement: self.measure.words().to_string(), verdict, summary, evidence })
    }
}

fn biggest_island(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let mut tallies = [Measure::Cells, Measure::Moves].map(Tally::new);
    for size in boards(MOST_CELLS_FOR_ALL_POSITIONS) {
        let reachable = examiner.reachable(size)?;
        tallies.iter_mut().for_each(|tally| tally.count(&reachable));
    }
    let readings = tallies.into_iter().map(|tally| tally.reading(examiner)).collect::<Result<Vec<_>, _>>()?;
    let summary = format!("counted in cells {}; counted in moves {}", readings[0].summary, readings[1].summary);
    Ok(Judgement::of_readings(summary, readings))
}
