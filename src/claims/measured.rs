//! Claims about speed and frequency: measured with a 95 % interval, beside the published figure.
//!
//! Games and positions are drawn with fixed seeds, and searches end at a fixed depth. So all
//! figures are the same on every machine, except those measured in seconds.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use rayon::prelude::*;

use super::context::{MOST_CELLS_FOR_ALL_POSITIONS, boards, size};
use super::verdict::{Evidence, Judgement, Verdict};
use super::{Claim, Context, Unfinished};
use crate::arena::statistics::{Interval, mean};
use crate::arena::{game, random_opening};
use crate::game::board::Board;
use crate::game::cells::Cell;
use crate::game::duel::Duel;
use crate::game::notation::grouped;
use crate::game::outcome::Value;
use crate::game::perft::{lines_by_copying, lines_by_taking_back};
use crate::game::symmetry::{Symmetries, Symmetry};
use crate::play::heuristics::Heuristic;
use crate::play::{Knowledge, Lookahead, Ordering, Random, Style};
use crate::solve::{Control, Opening, Stopped, mirror};
use crate::strategies::{Asymmetry, MIRRORS};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "seven-symmetry-rare",
        source: "symmetry-report",
        says: "On 7x7, symmetric positions are so rare that a player who looks for them wins no more games than one who \
            does not.",
        published: "On 7x7 only symmetry through the centre occurs in practice, and rarely: 547 times in 10,000 matches of \
            alpha-beta players of depth 7. The player that looked for it won 10,003 of 20,000 games.",
        reading: "Two players search 7 plies deep with the evaluation `own moves less the opponent's moves`. One of them knows \
            all five mirrors (the published one knew only the centre). They play from random openings of 7x7, each opening \
            twice with sides exchanged. In how many games does a position that a mirror decides come up on the board before \
            the game is over, and by which mirror? How often does one come up in the search? How often does the player that \
            knows mirrors win? For comparison: how many of all positions of small boards does a mirror decide?",
        long: true,
        examine: symmetry_rare,
    },
    Claim {
        id: "simple-beats-clever",
        source: "symmetry-report",
        says: "It is much better to keep the evaluation simple and to search deeper than to refine the evaluation.",
        published: "It is much better to keep the evaluation simple and to search deeper: refined evaluations had a very \
            modest effect.",
        reading: "The simple evaluation is `own moves less the opponent's moves`; the refined one, `next_moves`, also counts \
            the cells one move further on. They play on 7x7 from random openings, each opening twice with sides exchanged. \
            How often does the simple one win at depth 6 against the refined one at depth 5, and how often at equal depth?",
        long: false,
        examine: simple_beats_clever,
    },
    Claim {
        id: "ordering",
        source: "symmetry-report",
        says: "Alpha-beta is 55 to 70 % faster if all moves are ordered by the last iteration, and 65 to 80 % faster if \
            only its best move comes first.",
        published: "Ordering all moves by the last iteration, together with keeping earlier results, makes alpha-beta 55 to \
            70 % faster; trying only the best move first, 65 to 80 %.",
        reading: "Random 7x7 positions are searched to depth 10 by iterative deepening. What share of the nodes does each move \
            order save, and how much faster is it by nodes (the report does not say which of the two it means)? This is \
            measured with and without keeping results for positions that come up again. Nodes are counted instead of \
            seconds, because they are the same on every machine.",
        long: false,
        examine: ordering,
    },
    Claim {
        id: "make-unmake",
        source: "symmetry-report",
        says: "Taking moves back instead of copying positions makes the search about 20 % faster.",
        published: "Taking moves back instead of copying positions makes the search about 20 % faster.",
        reading: "All lines of play of a fixed length on 7x7 are visited in two ways: by changing one position and changing it \
            back, and by copying the position for each move. How much faster is the first way? Both ways are timed in turn, \
            in seconds on this machine.",
        long: false,
        examine: make_unmake,
    },
];

fn seven() -> Arc<Board<u64>> {
    Arc::new(Board::fitting(size(7, 7)))
}

/// The size of a search's cache, in bytes. It is enough for the depths used here.
const CACHE: usize = 1 << 20;

/// A plain alpha-beta search, as the reports describe theirs.
fn plain(board: &Arc<Board<u64>>, heuristic: Heuristic, ordering: Ordering) -> Lookahead<u64> {
    let style = Style { heuristic, ordering, keeps_results: false, scouts: false };
    Lookahead::new(board, style, CACHE)
}

/// The move that a search to this depth chooses, with an empty cache.
fn chosen(search: &mut Lookahead<u64>, duel: Duel<u64>, moves: &[Cell], depth: u32) -> Option<Cell> {
    search.forget();
    search.best_in_duel(duel, moves, depth, &Control::unlimited()).map(|found| found.to)
}

/// Knows that a mover loses a position that a mirror decides, and counts these positions.
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

/// Does `work` for each seed below `seeds`, on all threads. Stops when the control does.
fn for_seeds<R: Send>(context: &Context<'_>, seeds: u64, work: impl Fn(u64) -> R + Sync) -> Result<Vec<R>, Unfinished> {
    let (control, tell, done): (&Control, _, _) = (context.control(), context.teller(), AtomicU64::new(0));
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
    Ok(context.install(|| (0..seeds).into_par_iter().map(one).collect::<Result<Vec<R>, Stopped>>())?)
}

/// The share of games won, from the number of games won in each match. The two games of a match
/// begin with the same opening, so that only the matches are independent samples.
fn score(won: impl Iterator<Item = u64>) -> Interval {
    mean(&won.map(|won| won as f64 / 2.0).collect::<Vec<_>>())
}

fn percent(interval: Interval) -> String {
    format!("{:.1} %", interval.times(100.0))
}

/// How mirrors appeared in the two games of a match.
#[derive(Clone, Copy, Default)]
struct Mirrors {
    /// For each mirror, the games in which it decides a position on the board. Dead cells do not
    /// count for the symmetry.
    decided: [u64; MIRRORS.len()],
    /// For each mirror, the games in which it decides a position and the whole board is symmetric.
    whole: [u64; MIRRORS.len()],
    /// The games in which any mirror decides a position on the board.
    any: u64,
    /// The positions in the search that a mirror decides.
    met_in_search: u64,
    nodes: u64,
    won_by_knower: u64,
}

const MATCHES: u64 = 10_000;
const DEPTH: u32 = 7;

fn symmetry_rare(context: &Context<'_>) -> Result<Judgement, Unfinished> {
    let board = seven();
    let symmetries = Arc::new(Symmetries::new(&board));
    let matches = for_seeds(context, MATCHES, |seed| match_about_mirrors(&board, &symmetries, seed))?;
    let sum = |count: &dyn Fn(&Mirrors) -> u64| matches.iter().map(count).sum::<u64>();
    let rate = |count: &dyn Fn(&Mirrors) -> u64| score(matches.iter().map(count));
    let row = |(number, symmetry): (usize, Symmetry)| {
        let decided = |one: &Mirrors| one.decided[number];
        vec![symmetry.to_string(), grouped(sum(&decided)), percent(rate(&decided)), grouped(sum(&|one| one.whole[number]))]
    };
    let head =
        vec!["mirror", "games in which it decides a position", "share of games", "games in which the whole board is symmetric"];
    let figure = |what: &str, ours: String, published: &str| Evidence::Figure {
        what: what.to_string(),
        ours,
        published: published.to_string(),
    };
    let knower = percent(rate(&|one| one.won_by_knower));
    let in_search = format!("{} of {} nodes", grouped(sum(&|one| one.met_in_search)), grouped(sum(&|one| one.nodes)));
    let unclear = "547 times (the report does not say whether on the board or in the search)";
    let published_score = format!("{:.1} %, knowing only the centre", 100.0 * 10_003.0 / 20_000.0);
    let small_boards = "For comparison, all positions of small boards in which the mover can move, with one position for all its \
        images, and how many of them a mirror decides:";
    let evidence = vec![
        Evidence::Table { head, rows: MIRRORS.into_iter().enumerate().map(row).collect() },
        figure("games in which any mirror decides a position on the board", percent(rate(&|one| one.any)), "rare"),
        figure("positions in the search that a mirror decides", in_search, unclear),
        figure("games won by the player that knows mirrors", knower.clone(), &published_score),
        Evidence::Sentence(small_boards.to_string()),
        counted_on_small_boards(context)?,
    ];
    let centre_and_others = |of: &dyn Fn(&Mirrors) -> [u64; MIRRORS.len()]| {
        [grouped(sum(&|one| of(one)[0])), grouped(sum(&|one| of(one)[1..].iter().sum()))]
    };
    let ([centre, others], [whole_centre, whole_others]) =
        (centre_and_others(&|one| one.decided), centre_and_others(&|one| one.whole));
    let summary = format!(
        "In {} games on 7x7, symmetry through the centre decides a position in {centre} games and the other mirrors in {others} \
        (a game counts once for each mirror). The whole board is symmetric in {whole_centre} and {whole_others} of these. The \
        player that knows mirrors wins {knower} of the games.",
        grouped(2 * MATCHES)
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
                // Once the game is over there is nothing left to decide.
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
        // After an odd number of plies, the player who moved first has won.
        found.won_by_knower += u64::from(plies.is_multiple_of(2) != knower_moves_first);
    }
    found
}

fn counted_on_small_boards(context: &Context<'_>) -> Result<Evidence, Unfinished> {
    let mut rows = Vec::new();
    for size in boards(MOST_CELLS_FOR_ALL_POSITIONS) {
        let reachable = context.reachable(size)?;
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
    Ok(Evidence::Table { head: vec!["board", "positions", "decided by a mirror", "by the centre", "decided per thousand"], rows })
}

const MATCHES_OF_SIMPLE: u64 = 2_000;

fn simple_beats_clever(context: &Context<'_>) -> Result<Judgement, Unfinished> {
    let board = seven();
    let mut figures = Vec::new();
    let mut rates = Vec::new();
    for (depth, refined_depth) in [(6, 5), (5, 5)] {
        context.tell(&format!("{MATCHES_OF_SIMPLE} matches of depth {depth} against {refined_depth}"));
        let matches = for_seeds(context, MATCHES_OF_SIMPLE, |seed| simple_wins(&board, seed, depth, refined_depth))?;
        let nodes = matches.iter().fold([0, 0], |sum: [u64; 2], (_, nodes)| [sum[0] + nodes[0], sum[1] + nodes[1]]);
        let rate = score(matches.iter().map(|(won, _)| *won));
        figures.push(Evidence::Figure {
            what: format!(
                "games won by the simple evaluation, depth {depth} against {refined_depth} ({} against {} nodes)",
                grouped(nodes[0]),
                grouped(nodes[1])
            ),
            ours: percent(rate),
            published: (if depth > refined_depth { "much better" } else { "refinement has a very modest effect" }).to_string(),
        });
        rates.push(rate);
    }
    let agrees = match (rates[0].low > 0.5, rates[0].high < 0.5) {
        (true, _) => "as published",
        (_, true) => "the opposite of what was published",
        _ => "no clear difference",
    };
    let summary = format!(
        "Searching one ply deeper, the simple evaluation wins {} of the games against the refined one: {agrees}. At equal depth \
        it wins {}.",
        percent(rates[0]),
        percent(rates[1])
    );
    Ok(Judgement::new(Verdict::Measured, summary, figures))
}

/// How many games of a match the simple evaluation wins, and the nodes of both sides.
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

/// A position a few plies after a random opening, in which the mover can move.
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

/// The ways to search that are compared, the plain one first, with their names and what was
/// published.
const WAYS: [(Ordering, bool, &str, &str); 6] = [
    (Ordering::AsTheyCome, false, "the moves as they come", ""),
    (Ordering::ByLastScores, false, "all moves by the last iteration", ""),
    (Ordering::LastBestFirst, false, "the last best move first", ""),
    (Ordering::AsTheyCome, true, "the moves as they come, results kept", ""),
    (Ordering::ByLastScores, true, "all moves by the last iteration, results kept", "55 to 70 % faster"),
    (Ordering::LastBestFirst, true, "the last best move first, results kept", "65 to 80 % faster"),
];

fn ordering(context: &Context<'_>) -> Result<Judgement, Unfinished> {
    let board = seven();
    context.tell("searches with each order of moves");
    let nodes = for_seeds(context, POSITIONS, |seed| {
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
    let head = vec!["order", "nodes in all", "nodes saved on average", "faster in all", "published"];
    let table = Evidence::Table { head, rows: WAYS.iter().enumerate().skip(1).map(row).collect() };
    let plain = Evidence::Sentence(format!("Trying {} needs {} nodes in all.", WAYS[0].2, grouped(total(0) as u64)));
    let found =
        |way: usize| format!("saves {} of the nodes and is {} faster (published: {})", saved(way), faster(way), WAYS[way].3);
    let summary = format!(
        "With results kept, ordering all moves by the last iteration {}. Trying only the last best move first {}.",
        found(4),
        found(5)
    );
    Ok(Judgement::new(Verdict::Measured, summary, vec![plain, table]))
}

const ROUNDS: usize = 40;
const PLIES: u32 = 9;

fn make_unmake(context: &Context<'_>) -> Result<Judgement, Unfinished> {
    let board = seven();
    let duel = Opening { first: Cell::new(24), second: Cell::new(8) }.duel(board.cells());
    context.tell("copying positions and taking moves back");
    let mut ratios = Vec::new();
    let mut lines = 0;
    for _ in 0..ROUNDS {
        if context.control().is_stopped() {
            return Err(Unfinished::Stopped);
        }
        let started = Instant::now();
        lines = lines_by_copying(black_box(&board), black_box(duel), PLIES);
        let copied = started.elapsed().as_secs_f64();
        let started = Instant::now();
        let counted = lines_by_taking_back(black_box(&board), black_box(duel), PLIES);
        let taken_back = started.elapsed().as_secs_f64();
        assert_eq!(counted, lines, "both ways visit the same lines");
        ratios.push(copied / taken_back);
    }
    let speed = mean(&ratios);
    let published = "about 120 %";
    let figure = Evidence::Figure {
        what: format!(
            "speed of taking moves back, in percent of the speed of copying ({} lines, {ROUNDS} times each way)",
            grouped(lines)
        ),
        ours: percent(speed),
        published: published.to_string(),
    };
    let summary = format!(
        "Taking moves back runs at {} of the speed of copying positions, which here are three machine words (published: \
        {published}).",
        percent(speed)
    );
    Ok(Judgement::new(Verdict::Measured, summary, vec![figure]))
}
