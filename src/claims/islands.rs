//! Claims about separated knights.

use super::context::{MOST_CELLS_FOR_ALL_POSITIONS, boards};
use super::verdict::{Evidence, Judgement, Reading, Verdict};
use super::{Claim, Context, Unfinished};
use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Cells};
use crate::game::notation::grouped;
use crate::game::outcome::Value;
use crate::strategies::Reachable;

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "biggest-island",
    source: "decay-report",
    says: "Once the knights are on separate islands of free cells, the player on the biggest island wins.",
    published: "Once the players move on separate islands, the biggest island wins.",
    reading: "Take every position that play can lead to in which the knights' regions have no cell in common, both knights \
        can move, and one region is larger than the other. There the player in the larger region wins. All positions of the \
        boards with both sides at least 3 and up to 25 cells are examined. `Larger` has two readings.",
    long: false,
    examine: biggest_island,
}];

/// The most moves that a knight can make alone in a region, found by trying everything.
fn longest_walk(board: &Board<u64>, region: Cells<u64>, from: Cell) -> usize {
    let moves = board.knight_moves(from) & region;
    moves.into_iter().map(|to| 1 + longest_walk(board, region.without(to), to)).max().unwrap_or(0)
}

/// How the size of an island is measured.
#[derive(Clone, Copy)]
enum Measure {
    Cells,
    Moves,
}

impl Measure {
    /// The player with the larger island.
    fn player(self) -> &'static str {
        match self {
            Self::Cells => "the player on the island with more cells",
            Self::Moves => "the player whose knight can make more moves on its own island",
        }
    }

    fn of(self, board: &Board<u64>, region: Cells<u64>, from: Cell) -> usize {
        match self {
            Self::Cells => region.len(),
            Self::Moves => longest_walk(board, region, from),
        }
    }
}

/// One reading, counted over all positions of some boards.
struct IslandCount {
    measure: Measure,
    positions: u64,
    wrong: u64,
    example: Option<(Size, Vec<Cell>)>,
    rows: Vec<Vec<String>>,
}

impl IslandCount {
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

    /// The reading, and what was found about it as a clause.
    fn reading(self, context: &Context<'_>) -> Result<(Reading, String), Unfinished> {
        let player = self.measure.player();
        let share = 100.0 * (self.positions - self.wrong) as f64 / self.positions as f64;
        let (verdict, found) = match self.wrong {
            _ if self.positions == 0 => (Verdict::NotDecided, "is in none of the positions examined".to_string()),
            0 => (Verdict::Proved, format!("wins every position ({} in all)", grouped(self.positions))),
            wrong => {
                let (wrong, positions) = (grouped(wrong), grouped(self.positions));
                (Verdict::Refuted, format!("wins only {share:.1} % of {positions} positions and loses {wrong}"))
            }
        };
        let found = format!("{player} {found}");
        let summary = format!("Once the knights are separated, {found}.");
        let head = vec!["board", "separated, islands not equal", "won by the player with the larger island"];
        let mut evidence = vec![Evidence::Table { head, rows: self.rows }];
        match (self.example, self.measure) {
            (Some((size, line)), _) => {
                evidence.push(Evidence::Line(context.line(
                    size,
                    &line,
                    "The knights are separated, and the player with the larger island loses.",
                )?));
            }
            (None, Measure::Moves) => {
                let why = "This is true on every larger board: separated knights cannot hinder each other, so that each walks \
                    its longest path, and the knight with the shorter path runs out of moves first.";
                evidence.push(Evidence::Sentence(why.to_string()));
            }
            (None, Measure::Cells) => {}
        }
        let statement = format!("Once the knights are separated, {player} wins.");
        Ok((Reading { statement, verdict, summary, evidence }, found))
    }
}

fn biggest_island(context: &Context<'_>) -> Result<Judgement, Unfinished> {
    let mut counts = [Measure::Cells, Measure::Moves].map(IslandCount::new);
    for size in boards(MOST_CELLS_FOR_ALL_POSITIONS) {
        let reachable = context.reachable(size)?;
        counts.iter_mut().for_each(|count| count.count(&reachable));
    }
    let readings = counts.into_iter().map(|count| count.reading(context)).collect::<Result<Vec<_>, _>>()?;
    let (readings, found): (Vec<Reading>, Vec<String>) = readings.into_iter().unzip();
    let summary = format!("Once the knights are separated, {}.", found.join("; "));
    Ok(Judgement::of_readings(summary, readings))
}
