//! Claims about speed and frequency: measured, with an interval, beside the published figure.
//!
//! Games and positions are drawn with fixed seeds, and searches end at a fixed depth: figures are the same on every machine, but for those in seconds.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use rayon::prelude::*;

use super::examiner::{MOST_CELLS_FOR_ALL_POSITIONS, boards, size};
use super::verdict::{Evidence, Judgement, Verdict};
use super::{Claim, Examiner, Unfinished};
use crate::arena::statistics::{Interval, mean};
use crate::arena::{game, random_opening};
use crate::board::Board;
use crate::cells::Cell;
use crate::duel::Duel;
use crate::notation::grouped;
use crate::outcome::Value;
use crate::perft::{lines_by_copying, lines_by_taking_back};
use crate::play::heuristics::Heuristic;
use crate::play::{Knowledge, Lookahead, Ordering, Random, Style};
use crate::solve::{Control, Opening, Stopped, mirror};
use crate::symmetry::{Symmetries, Symmetry};
use crate::verify::{Asymmetry, MIRRORS};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "seven-symmetry-rare",
        source: "symmetry-report",
        published: "On 7x7 only symmetry through the centre occurs in practice, and rarely: 547 times in 10,000 matches of alpha-beta players of depth 7; the player that looked for it won 10,003 of 20,000 games.",
        reading: "Between two players that search 7 plies deep for `own moves less the opponent's`, one of which knows all five mirrors (the published one knew the centre only), from random openings of 7x7, each played twice with sides exchanged: in how many games does a position that a mirror decides, before the game is over, come up on the board, by which mirror, how often in the search, and how often does the player that knows mirrors win? Beside it: how many of all positions of the small boards a mirror decides.",
        long: true,
        examine: symmetry_rare,
    },
    Claim {
        id: "simple-beats-clever",
        source: "symmetry-report",
        published: "It is much better to keep the evaluation simple and to search deeper: refined ones had a very modest effect.",
        reading: "On 7x7, from random openings, each played twice with sides exchanged: how often does `own moves less the opponent's` at depth 6 win against the same with the cells one move further on (`next_moves`) at depth 5, and how often at equal depth?",
        long: false,
        examine: simple_beats_clever,
    },
    Claim {
        id: "ordering",
        source: "symmetry-report",
        published: "Ordering all moves by the last iteration, together with keeping earlier results, makes alpha-beta 55 to 70 % faster; trying only the best move first, 65 to 80 %.",
        reading: "In searches of random 7x7 positions to depth 10 by iterative deepening, what share of the nodes does each order save, and how much faster is it by nodes (it is not said which of the two is meant), alone and with results kept for positions that come up again? Nodes are counted, not seconds: they are the same on every machine.",
        long: false,
        examine: ordering,
    },
    Claim {
        id: "make-unmake",
        source: "symmetry-report",
        published: "Taking moves back instead of copying positions makes the search about 20 % faster.",
        reading: "How much faster are all lines of play of a fixed length gone through on 7x7 when one position is changed and changed back, compared with a copy for each move? In seconds on this machine, both ways alternating.",
        long: false,
        examine: make_unmake,
    },
];

fn seven() -> Arc<Board<u64>> {
    Arc::new(Board::new(size(7, 7)))
}

/// Enough for searches of this depth.
const CACHE: usize = 1 << 20;

/// A plain alpha-beta search, as the reports describe theirs.
fn plain(board: &Arc<Board<u64>>, heuristic: Heuristic, ordering: Ordering) -> Lookahead<u64> {
    let style = Style { heuristic, ordering, keeps_results: false, scouts: false };
    Lookahead::new(board, style, CACHE)
}

/// The move that a search to this depth chooses, from nothing.
fn chosen(search: &mut Lookahead<u64>, duel: Duel<u64>, moves: &[Cell], depth: u32) -> Option<Cell> {
    search.forget();
    search.best_in_duel(duel, moves, depth, &Control::unlimited()).map(|found| found.to)
}

/// Knows that whoever has just moved wins a position that a mirror decides, and counts how often that was so.
struct KnowsMirrors {
    board: Arc<Board<u64>>,
    symmetries: Arc<Symmetries<u64>>,
    met: Arc<AtomicU64>,
}

impl Knowledge<u64> for KnowsMirrors {
    fn value(&mut self, duel: Duel<u64>, _: u32, _: &Control) -> Result<Option<Value>, Stopped> {
        let decided = mirror(&self.symmetries, duel.without_dead_cells(&self.board)).map(|_| Value::Loss);
        self.met.fetch_add(decided.is_some().into(), Relaxed);
        Ok(decided)
    }
}

/// Something is done for each of so many seeds, by all threads; none of it once the control stops.
fn for_seeds<R: Send>(examiner: &Examiner<'_>, seeds: u64, work: impl Fn(u64) -> R + Sync) -> Result<Vec<R>, Unfinished> {
    let (control, tell, done): (&Control, _, _) = (examiner.control(), examiner.teller(), AtomicU64::new(0));
    let one = |seed| {
        if control.is_stopped() {
            return Err(Stopped);
        }
        let result = work(seed);
        let done = done.fetch_add(1, Relaxed) + 1;
        if done.is_multiple_of(100) {
            tell(&format!("{} of {} done", grouped(done), grouped(seeds)));
        }
        Ok(result)
    };
    Ok(examiner.install(|| (0..seeds).into_par_iter().map(one).collect::<Result<Vec<R>, Stopped>>())?)
}

/// The share of games won, from the games won of each match of two. The two games of a match are from one opening, so that they are no independent samples: the matches are.
fn score(won: impl Iterator<Item = u64>) -> Interval {
    mean(&won.map(|won| won as f64 / 2.0).collect::<Vec<_>>())
}

fn percent(interval: Interval) -> String {
    format!("{:.1} %", interval.times(100.0))
}

/// What the two games of a match have shown of mirrors.
#[derive(Clone, Copy, Default)]
struct Mirrors {
    /// Of the two games, those in which a mirror decides a position on the board, by mirror; dead cells do not count.
    decided: [u64; MIRRORS.len()],
    /// Those in which the whole board is symmetric, dead cells and all.
    whole: [u64; MIRRORS.len()],
    /// Those in which any mirror decides.
    any: u64,
    met_in_search: u64,
    nodes: u64,
    won_by_knower: u64,
}

const MATCHES: u64 = 10_000;
const DEPTH: u32 = 7;

fn symmetry_rare(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let board = seven();
    let symmetries = Arc::new(Symmetries::new(&board));
    let matches = for_seeds(examiner, MATCHES, |seed| match_about_mirrors(&board, &symmetries, seed))?;
    let sum = |count: &dyn Fn(&Mirrors) -> u64| matches.iter().map(count).sum::<u64>();
    let rate = |count: &dyn Fn(&Mirrors) -> u64| score(matches.iter().map(count));
    let row = |(number, symmetry): (usize, Symmetry)| {
        let decided = |one: &Mirrors| one.decided[number];
        vec![symmetry.to_string(), grouped(sum(&decided)), percent(rate(&decided)), grouped(sum(&|one| one.whole[number]))]
    };
    let head = vec!["mirror", "games in which it decides a position", "share of games", "games with the whole board symmetric"];
    let figure = |what: &str, ours: String, published: &str| Evidence::Figure {
        what: what.to_string(),
        ours,
        published: published.to_string(),
    };
    let knower = percent(rate(&|one| one.won_by_knower));
    let in_search = format!("{} of {} nodes", grouped(sum(&|one| one.met_in_search)), grouped(sum(&|one| one.nodes)));
    let evidence = vec![
        Evidence::Table { head, rows: MIRRORS.into_iter().enumerate().map(row).collect() },
        figure("games in which any mirror decides a position on the board", percent(rate(&|one| one.any)), "rare"),
        figure("positions in the search that a mirror decides", in_search, "547 times, it is not said whether on the board or in the search"),
        figure("games won by the player that knows mirrors", knower.clone(), &format!("{:.1} %, knowing the centre only", 100.0 * 10_003.0 / 20_000.0)),
        Evidence::Sentence("how many of all positions of small boards that play can lead to, one for all images and with a move left to the mover, a mirror decides:".to_string()),
        counted_on_small_boards(examiner)?,
    ];
    let centre_and_others = |of: &dyn Fn(&Mirrors) -> [u64; MIRRORS.len()]| {
        let others = sum(&|one| of(one)[1..].iter().sum());
        format!("in {} by the centre and in {} by the others", grouped(sum(&|one| of(one)[0])), grouped(others))
    };
    let summary = format!(
        "of {} games a mirror decides a position {} (a game counts once for each mirror); with the whole board symmetric, {}; whoever knows mirrors wins {knower}",
        grouped(2 * MATCHES),
        centre_and_others(&|one| one.decided),
        centre_and_others(&|one| one.whole)
    );
    Ok(Judgement::new(Verdict::Measured, summary, evidence))
}

fn match_about_mirrors(board: &Arc<Board<u64>>, symmetries: &Arc<Symmetries<u64>>, seed: u64) -> Mirrors {
    let mut random = Random::new(seed);
    let opening = random_opening(board, &mut random);
    let mut found = Mirrors::default();
    for knower_moves_first in [true, false] {
        let met = Arc::new(AtomicU64::new(0));
        let knowledge = KnowsMirrors { board: Arc::clone(board), symmetries: Arc::clone(symmetries), met: Arc::clone(&met) };
        let mut other = plain(board, Heuristic::Improved, Ordering::LastBestFirst);
        let mut knower = plain(board, Heuristic::Improved, Ordering::LastBestFirst).knowing(knowledge);
        let (mut decided, mut whole) = ([false; MIRRORS.len()], [false; MIRRORS.len()]);
        let plies = game(board, opening, &mut random, |plies, duel, moves| {
            for (number, &mirror) in MIRRORS.iter().enumerate() {
                // Where the game is over there is nothing left to decide.
                let decides = !moves.is_empty() && Asymmetry::find(board, mirror, duel).is_none();
                decided[number] |= decides;
                whole[number] |= decides && Asymmetry::in_cells(board.size(), mirror, duel.free).is_none();
            }
            let knows = plies.is_multiple_of(2) == knower_moves_first;
            chosen(if knows { &mut knower } else { &mut other }, duel, moves, DEPTH)
        });
        found.decided.iter_mut().zip(decided).for_each(|(games, decided)| *games += u64::from(decided));
        found.whole.iter_mut().zip(whole).for_each(|(games, whole)| *games += u64::from(whole));
        found.any += u64::from(decided.contains(&true));
        found.met_in_search += met.load(Relaxed);
        found.nodes += knower.nodes();
        // An odd number of plies is a win for whoever moved first.
        found.won_by_knower += u64::from(plies.is_multiple_of(2) != knower_moves_first);
    }
    found
}

fn counted_on_small_boards(examiner: &Examiner<'_>) -> Result<Evidence, Unfinished> {
    let mut rows = Vec::new();
    for size in boards(MOST_CELLS_FOR_ALL_POSITIONS) {
        let reachable = examiner.reachable(size)?;
        let (board, symmetries) = (reachable.board(), reachable.symmetries());
        let (mut positions, mut decided, mut by_centre) = (0_u64, 0_u64, 0_u64);
        for (duel, _) in reachable.iter().filter(|(duel, _)| !duel.moves(board).is_empty()) {
            positions += 1;
            let by = mirror(symmetries, duel.without_dead_cells(board));
            decided += u64::from(by.is_some());
            by_centre += u64::from(by == Some(Symmetry::Center));
        }
        let thousandths = 1000.0 * decided as f64 / positions as f64;
        rows.push(vec![size.to_string(), grouped(positions), grouped(decided), grouped(by_centre), format!("{thousandths:.1}")]);
    }
    Ok(Evidence::Table { head: vec!["board", "positions", "decided by a mirror", "by the centre", "in a thousand"], rows })
}

const MATCHES_OF_SIMPLE: u64 = 2_000;

fn simple_beats_clever(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let board = seven();
    let mut figures = Vec::new();
    let mut rates = Vec::new();
    for (depth, refined_depth) in [(6, 5), (5, 5)] {
        examiner.tell(&format!("{MATCHES_OF_SIMPLE} matches of depth {depth} against {refined_depth}"));
        let matches = for_seeds(examiner, MATCHES_OF_SIMPLE, |seed| simple_wins(&board, seed, depth, refined_depth))?;
        let nodes = matches.iter().fold([0, 0], |sum: [u64; 2], (_, nodes)| [sum[0] + nodes[0], sum[1] + nodes[1]]);
        let rate = score(matches.iter().map(|(won, _)| *won));
        figures.push(Evidence::Figure {
            what: format!(
                "games won by the simple one, depth {depth} against {refined_depth} ({} against {} nodes)",
                grouped(nodes[0]),
                grouped(nodes[1])
            ),
            ours: percent(rate),
            published: (if depth > refined_depth { "much better" } else { "a very modest effect of refinement" }).to_string(),
        });
        rates.push(rate);
    }
    let agrees = match (rates[0].low > 0.5, rates[0].high < 0.5) {
        (true, _) => "as published",
        (_, true) => "against what was published",
        _ => "no difference that these games show",
    };
    let summary =
        format!("one ply deeper the simple one wins {}, {agrees}; at equal depth {}", percent(rates[0]), percent(rates[1]));
    Ok(Judgement::new(Verdict::Measured, summary, figures))
}

/// How many of two games the simple evaluation wins, and the nodes of both.
fn simple_wins(board: &Arc<Board<u64>>, seed: u64, depth: u32, refined_depth: u32) -> (u64, [u64; 2]) {
    let mut random = Random::new(seed);
    let opening = random_opening(board, &mut random);
    let mut won = 0;
    let mut simple = plain(board, Heuristic::Improved, Ordering::LastBestFirst);
    let mut refined = plain(board, Heuristic::NextMoves, Ordering::LastBestFirst);
    for simple_moves_first in [true, false] {
        let plies = game(board, opening, &mut random, |plies, duel, moves| match plies.is_multiple_of(2) == simple_moves_first {
            true => chosen(&mut simple, duel, moves, depth),
            false => chosen(&mut refined, duel, moves, refined_depth),
        });
        won += u64::from(plies.is_multiple_of(2) != simple_moves_first);
    }
    (won, [simple.nodes(), refined.nodes()])
}

const POSITIONS: u64 = 300;
const ORDERING_DEPTH: u32 = 10;
const CACHE_OF_ORDERING: usize = 16 << 20;

/// A position some plies after a random opening, with a move left.
fn random_position(board: &Board<u64>, seed: u64) -> Duel<u64> {
    let mut random = Random::new(seed);
    loop {
        let opening = random_opening(board, &mut random);
        let wanted = random.below(16);
        let mut reached = None;
        game(board, opening, &mut random, |plies, duel, moves| {
            if plies == wanted && !moves.is_empty() {
                reached = Some(duel);
            }
            moves.first().copied().filter(|_| reached.is_none())
        });
        if let Some(duel) = reached {
            return duel;
        }
    }
}

/// The ways to search that are compared, the plain one first.
const WAYS: [(Ordering, bool, &str, &str); 6] = [
    (Ordering::AsTheyCome, false, "moves as they come", ""),
    (Ordering::ByLastScores, false, "all moves by the last iteration", ""),
    (Ordering::LastBestFirst, false, "the last best move first", ""),
    (Ordering::AsTheyCome, true, "moves as they come, results kept", ""),
    (Ordering::ByLastScores, true, "all moves by the last iteration, results kept", "55 to 70 % faster"),
    (Ordering::LastBestFirst, true, "the last best move first, results kept", "65 to 80 % faster"),
];

fn ordering(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let board = seven();
    examiner.tell("searches with each order of moves");
    let nodes = for_seeds(examiner, POSITIONS, |seed| {
        let duel = random_position(&board, seed);
        let moves: Vec<Cell> = duel.moves(&board).into_iter().collect();
        WAYS.map(|(ordering, keeps_results, ..)| {
            let style = Style { heuristic: Heuristic::Improved, ordering, keeps_results, scouts: false };
            let mut search = Lookahead::new(&board, style, CACHE_OF_ORDERING);
            chosen(&mut search, duel, &moves, ORDERING_DEPTH);
            search.nodes() as f64
        })
    })?;
    let saved = |way: usize| percent(mean(&nodes.iter().map(|nodes| 1.0 - nodes[way] / nodes[0]).collect::<Vec<_>>()));
    let total = |way: usize| nodes.iter().map(|nodes| nodes[way]).sum::<f64>();
    let faster = |way: usize| format!("{:.0} %", 100.0 * (total(0) / total(way) - 1.0));
    let row = |(way, (_, _, words, published)): (usize, &(Ordering, bool, &str, &str))| {
        vec![(*words).to_string(), grouped(total(way) as u64), saved(way), faster(way), (*published).to_string()]
    };
    let head = vec!["order", "nodes in all", "share of nodes saved, mean", "faster in all", "published"];
    let table = Evidence::Table { head, rows: WAYS.iter().enumerate().skip(1).map(row).collect() };
    let plain = Evidence::Sentence(format!("{} need {} nodes in all", WAYS[0].2, grouped(total(0) as u64)));
    let both = |way: usize| format!("{} of the nodes saved, {} faster (published: {})", saved(way), faster(way), WAYS[way].3);
    let summary = format!("with results kept, all moves by the last iteration: {}; the last best first: {}", both(4), both(5));
    Ok(Judgement::new(Verdict::Measured, summary, vec![plain, table]))
}

const ROUNDS: usize = 40;
const PLIES: u32 = 9;

fn make_unmake(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let board = seven();
    let duel = Opening { first: Cell::new(24), second: Cell::new(8) }.duel(board.cells());
    examiner.tell("moves copied and taken back");
    let mut ratios = Vec::new();
    let mut lines = 0;
    for _ in 0..ROUNDS {
        if examiner.control().is_stopped() {
            return Err(Unfinished::Stopped);
        }
        let started = Instant::now();
        lines = lines_by_copying(black_box(&board), black_box(duel), PLIES);
        let copied = started.elapsed().as_secs_f64();
        let started = Instant::now();
        let counted = lines_by_taking_back(black_box(&board), black_box(duel), PLIES);
        let taken_back = started.elapsed().as_secs_f64();
        assert_eq!(counted, lines, "both ways go through the same lines");
        ratios.push(copied / taken_back);
    }
    let speed = mean(&ratios);
    let figure = Evidence::Figure {
        what: format!("speed of taking back, in percent of that of copying; {} lines, {ROUNDS} times each way", grouped(lines)),
        ours: percent(speed),
        published: "about 120 %".to_string(),
    };
    let summary = format!("taking moves back has {} of the speed of copying the three words of a position", percent(speed));
    Ok(Judgement::new(Verdict::Measured, summary, vec![figure]))
}
