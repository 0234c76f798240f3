//! Claims about speed and frequency: measured, with an interval, beside the published figure.
//!
//! Games and positions are drawn with fixed seeds, and searches end at a fixed depth: figures are the same on every machine, but for those in seconds.

use std::hint::black_box;
use std::time::Instant;

use rayon::prelude::*;

use super::examiner::size;
use super::verdict::{Evidence, Judgement, Verdict};
use super::{Claim, Examiner, Unfinished};
use crate::arena::statistics::{Interval, mean, share};
use crate::arena::{Random, game};
use crate::board::Board;
use crate::cells::{Cell, Cells};
use crate::duel::Duel;
use crate::notation::grouped;
use crate::play::heuristics::{improved, next_moves};
use crate::play::{AlphaBeta, Ordering};
use crate::solve::{Control, Opening, Stopped, mirror};
use crate::symmetry::{Symmetries, Symmetry};
use crate::verify::MIRRORS;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "seven-symmetry-rare",
        source: "symmetry-report",
        published: "On 7x7 only symmetry through the centre occurs in practice, and rarely: 547 times in 10,000 matches of alpha-beta players of depth 7; the player that looked for it won 10,003 of 20,000 games.",
        reading: "Between two players that search 7 plies deep for `own moves less the opponent's`, one of which knows mirrors, from random openings of 7x7, each played twice with sides exchanged: in how many games does a position that a mirror decides, before the game is over, come up on the board, by which mirror, how often in the search, and how often does the player that knows mirrors win? Beside it: how many of all positions of the small boards a mirror decides.",
        long: true,
        examine: symmetry_rare,
    },
    Claim {
        id: "simple-beats-clever",
        source: "symmetry-report",
        published: "A simple evaluation that is searched deeper beats a refined one.",
        reading: "On 7x7, from random openings, each played twice with sides exchanged: how often does `own moves less the opponent's` at depth 6 win against the same with the cells one move further on (`next_moves`) at depth 5, and how often at equal depth?",
        long: true,
        examine: simple_beats_clever,
    },
    Claim {
        id: "ordering",
        source: "symmetry-report",
        published: "Ordering all moves by the last iteration makes alpha-beta 55 to 70 % faster, trying only its best move first 65 to 80 %.",
        reading: "In searches of random 7x7 positions to depth 10 by iterative deepening, what share of the nodes does each order save? Nodes are counted, not seconds: they are the same on every machine.",
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

fn seven() -> Board<u64> {
    Board::new(size(7, 7))
}

/// A random opening.
fn random_opening(board: &Board<u64>, random: &mut Random) -> Duel<u64> {
    let cells = board.size().cells();
    let first = random.below(cells);
    let second = (first + 1 + random.below(cells - 1)) % cells;
    Opening { first: Cell::new(first), second: Cell::new(second) }.duel(board.cells())
}

/// Something is done for each of so many seeds, by all threads; none of it once the control stops.
fn for_seeds<R: Send>(examiner: &Examiner<'_>, seeds: u64, work: impl Fn(u64) -> R + Sync) -> Result<Vec<R>, Unfinished> {
    let control: &Control = examiner.control();
    let one = |seed| if control.is_stopped() { Err(Stopped) } else { Ok(work(seed)) };
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
    /// Games in which a mirror decided a position on the board, by mirror; and those in which the whole board was symmetric, dead cells and all.
    games: [u64; 5],
    games_of_whole_board: [u64; 5],
    games_with_any: u64,
    met_in_search: u64,
    nodes: u64,
    /// Of two games.
    won_by_knower: u64,
}

const MATCHES: u64 = 10_000;
const DEPTH: u32 = 7;

fn symmetry_rare(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let (board, mut sum) = (seven(), Mirrors::default());
    let symmetries = Symmetries::new(&board);
    examiner.tell(&format!("{MATCHES} matches on 7x7"));
    let matches = for_seeds(examiner, MATCHES, |seed| match_about_mirrors(&board, &symmetries, seed))?;
    let knower = score(matches.iter().map(|one| one.won_by_knower));
    for one in matches {
        sum.games.iter_mut().zip(one.games).for_each(|(sum, games)| *sum += games);
        sum.games_of_whole_board.iter_mut().zip(one.games_of_whole_board).for_each(|(sum, games)| *sum += games);
        sum.games_with_any += one.games_with_any;
        sum.met_in_search += one.met_in_search;
        sum.nodes += one.nodes;
    }
    let games = 2 * MATCHES;
    let by_mirror = MIRRORS.into_iter().zip(sum.games).zip(sum.games_of_whole_board);
    let rows = by_mirror
        .map(|((symmetry, met), whole)| vec![symmetry.to_string(), grouped(met), percent(share(met, games)), grouped(whole)]);
    let rows = rows.collect();
    let met = share(sum.games_with_any, games);
    let evidence = vec![
        Evidence::Table { head: vec!["mirror", "games in which it decides a position", "share of games", "with the whole board symmetric"], rows },
        Evidence::Figure {
            what: "games in which any mirror decides a position on the board".to_string(),
            ours: percent(met),
            published: "rare; 547 times in 10,000 matches".to_string(),
        },
        Evidence::Figure {
            what: "positions in the search that a mirror decides, for 10,000 matches".to_string(),
            ours: format!("{} of {} nodes", grouped(sum.met_in_search * 10_000 / MATCHES), grouped(sum.nodes * 10_000 / MATCHES)),
            published: "547 (it is not said whether on the board or in the search)".to_string(),
        },
        Evidence::Figure {
            what: "games won by the player that knows mirrors".to_string(),
            ours: percent(knower),
            published: format!("{:.1} %", 100.0 * 10_003.0 / 20_000.0),
        },
        Evidence::Sentence("how many of all positions of small boards that play can lead to, one for all images and with a move left to the mover, a mirror decides:".to_string()),
        counted_on_small_boards(examiner)?,
    ];
    let (centre, others): (u64, u64) = (sum.games_of_whole_board[0], sum.games_of_whole_board[1..].iter().sum());
    let summary = format!(
        "a mirror decides a position in {} of games; with the whole board symmetric, {} times by the centre and {} times by others; whoever knows mirrors wins {}",
        percent(met),
        grouped(centre),
        grouped(others),
        percent(knower)
    );
    Ok(Judgement::new(Verdict::Measured, summary, evidence))
}

fn match_about_mirrors(board: &Board<u64>, symmetries: &Symmetries<u64>, seed: u64) -> Mirrors {
    let mut random = Random::new(seed);
    let opening = random_opening(board, &mut random);
    let mut found = Mirrors::default();
    for knower_moves_first in [true, false] {
        let mut knower = AlphaBeta::new(board, improved, Ordering::LastBestFirst).seeing_mirrors(symmetries);
        let mut other = AlphaBeta::new(board, improved, Ordering::LastBestFirst);
        let (mut met, mut whole) = ([false; 5], [false; 5]);
        let plies = game(board, opening, &mut random, |plies, duel, moves| {
            // Where the game is over there is nothing left to decide.
            let place = |by: Option<Symmetry>| {
                by.filter(|_| !moves.is_empty()).and_then(|by| MIRRORS.iter().position(|&mirror| mirror == by))
            };
            place(mirror(symmetries, duel.without_dead_cells(board))).into_iter().for_each(|place| met[place] = true);
            place(mirror(symmetries, duel)).into_iter().for_each(|place| whole[place] = true);
            let knows = plies.is_multiple_of(2) == knower_moves_first;
            (if knows { &mut knower } else { &mut other }).choose(duel, moves, DEPTH).map(|(to, _)| to)
        });
        found.games.iter_mut().zip(met).for_each(|(games, met)| *games += u64::from(met));
        found.games_of_whole_board.iter_mut().zip(whole).for_each(|(games, whole)| *games += u64::from(whole));
        found.games_with_any += u64::from(met.contains(&true));
        found.met_in_search += knower.mirrors_met();
        found.nodes += knower.nodes();
        // An odd number of plies is a win for whoever moved first.
        found.won_by_knower += u64::from(plies.is_multiple_of(2) != knower_moves_first);
    }
    found
}

/// The boards all of whose positions are counted.
const SMALL: [(usize, usize); 10] = [(3, 3), (3, 4), (3, 5), (4, 4), (3, 6), (4, 5), (3, 7), (3, 8), (4, 6), (5, 5)];

fn counted_on_small_boards(examiner: &Examiner<'_>) -> Result<Evidence, Unfinished> {
    let mut rows = Vec::new();
    for (files, ranks) in SMALL {
        let reachable = examiner.reachable(size(files, ranks))?;
        let (board, symmetries) = (reachable.board(), reachable.symmetries());
        let (mut positions, mut decided, mut by_centre) = (0_u64, 0_u64, 0_u64);
        for (duel, _) in reachable.iter().filter(|(duel, _)| !duel.moves(board).is_empty()) {
            positions += 1;
            let by = mirror(symmetries, duel.without_dead_cells(board));
            decided += u64::from(by.is_some());
            by_centre += u64::from(by == Some(Symmetry::Center));
        }
        let thousandths = 1000.0 * decided as f64 / positions as f64;
        rows.push(vec![
            format!("{files}x{ranks}"),
            grouped(positions),
            grouped(decided),
            grouped(by_centre),
            format!("{thousandths:.1}"),
        ]);
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
            published: (if depth > refined_depth { "more than half" } else { "a very modest effect" }).to_string(),
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
fn simple_wins(board: &Board<u64>, seed: u64, depth: u32, refined_depth: u32) -> (u64, [u64; 2]) {
    let mut random = Random::new(seed);
    let opening = random_opening(board, &mut random);
    let mut won = 0;
    let mut simple = AlphaBeta::new(board, improved, Ordering::LastBestFirst);
    let mut refined = AlphaBeta::new(board, next_moves, Ordering::LastBestFirst);
    for simple_moves_first in [true, false] {
        let plies = game(board, opening, &mut random, |plies, duel, moves| {
            let chosen = match plies.is_multiple_of(2) == simple_moves_first {
                true => simple.choose(duel, moves, depth),
                false => refined.choose(duel, moves, refined_depth),
            };
            chosen.map(|(to, _)| to)
        });
        won += u64::from(plies.is_multiple_of(2) != simple_moves_first);
    }
    (won, [simple.nodes(), refined.nodes()])
}

const POSITIONS: u64 = 300;
const ORDERING_DEPTH: u32 = 10;

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

fn ordering(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let board = seven();
    examiner.tell("searches with each order of moves");
    let nodes = for_seeds(examiner, POSITIONS, |seed| {
        let duel = random_position(&board, seed);
        let moves: Vec<Cell> = duel.moves(&board).into_iter().collect();
        [Ordering::AsTheyCome, Ordering::ByLastScores, Ordering::LastBestFirst].map(|ordering| {
            let mut player = AlphaBeta::new(&board, improved, ordering);
            player.choose(duel, &moves, ORDERING_DEPTH);
            player.nodes() as f64
        })
    })?;
    let saved = |order: usize| mean(&nodes.iter().map(|nodes| 1.0 - nodes[order] / nodes[0]).collect::<Vec<_>>());
    let faster = |order: usize| {
        let total = |order: usize| nodes.iter().map(|nodes| nodes[order]).sum::<f64>();
        100.0 * (total(0) / total(order) - 1.0)
    };
    let figures =
        [(1, "all moves by the last iteration", "55 to 70 % faster"), (2, "the last best move first", "65 to 80 % faster")];
    let evidence = figures.map(|(order, what, published)| Evidence::Figure {
        what: format!("{what}: share of nodes saved (and by how much more nodes the plain order needs in all)"),
        ours: format!("{} ({:.0} % more)", percent(saved(order)), faster(order)),
        published: published.to_string(),
    });
    let summary =
        format!("all by the last iteration saves {} of the nodes, the last best first {}", percent(saved(1)), percent(saved(2)));
    Ok(Judgement::new(Verdict::Measured, summary, evidence.to_vec()))
}

/// All lines of so many plies, each move a copy.
fn count_by_copy(board: &Board<u64>, duel: Duel<u64>, plies: u32) -> u64 {
    let moves = duel.moves(board);
    match plies {
        0 => 1,
        _ => moves.into_iter().map(|to| count_by_copy(board, duel.play_unchecked(to), plies - 1)).sum(),
    }
}

/// A position that moves change, and change back.
struct Changing {
    free: Cells<u64>,
    knights: [Cell; 2],
    turn: usize,
}

impl Changing {
    fn make(&mut self, to: Cell) -> Cell {
        let from = self.knights[self.turn];
        self.free = self.free.without(to);
        self.knights[self.turn] = to;
        self.turn = 1 - self.turn;
        from
    }

    fn unmake(&mut self, from: Cell, to: Cell) {
        self.turn = 1 - self.turn;
        self.knights[self.turn] = from;
        self.free = self.free.with(to);
    }

    /// The same lines, taken back one by one.
    fn count(&mut self, board: &Board<u64>, plies: u32) -> u64 {
        if plies == 0 {
            return 1;
        }
        let mut lines = 0;
        for to in board.knight_moves(self.knights[self.turn]) & self.free {
            let from = self.make(to);
            lines += self.count(board, plies - 1);
            self.unmake(from, to);
        }
        lines
    }
}

const ROUNDS: usize = 40;
const PLIES: u32 = 9;

fn make_unmake(examiner: &Examiner<'_>) -> Result<Judgement, Unfinished> {
    let board = seven();
    let duel = Opening { first: Cell::new(24), second: Cell::new(8) }.duel(board.cells());
    let mut changing = Changing { free: duel.free, knights: [duel.mover, duel.other], turn: 0 };
    examiner.tell("moves copied and taken back");
    let mut ratios = Vec::new();
    let mut lines = 0;
    for _ in 0..ROUNDS {
        if examiner.control().is_stopped() {
            return Err(Unfinished::Stopped);
        }
        let started = Instant::now();
        lines = count_by_copy(black_box(&board), black_box(duel), PLIES);
        let copied = started.elapsed().as_secs_f64();
        let started = Instant::now();
        let counted = black_box(&mut changing).count(black_box(&board), PLIES);
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
