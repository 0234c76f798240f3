//! Players against the oracle: what they call proven is true, and they keep a proven win.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::support::naive::EveryDuel;
use isolde::play::heuristics::Heuristic;
use isolde::play::{Agent, Basis, Chooser, Limit, Lookahead, Means, Ordering, Style};
use isolde::{Board, Cell, Cells, Control, Duel, Player, Position, Settings, Setup, Size, Tables, Value};

/// Little memory for each player, because there are many.
fn means(size: Size, tables: bool) -> Means {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
    let tables = if tables { Tables::open(size, &[folder]) } else { Tables::none(size) };
    Means { settings: Settings { memory: 8 << 20, ..Settings::default() }, tables, wants_line: false }
}

fn agent(text: &str) -> Agent {
    text.parse().expect("the tests name agents that exist")
}

fn choose(chooser: &mut dyn Chooser, position: &Position, limit: Limit) -> (Cell, Basis) {
    let decision = chooser.choose(position, &limit.start(), &mut |_| {});
    assert_eq!(decision.line.first(), Some(&decision.to));
    assert!(position.legal_moves().contains(decision.to));
    (decision.to, decision.basis)
}

fn position(board: &Board<u64>, duel: Duel<u64>) -> Position {
    Position::new(Setup::of_duel(board, duel)).expect("a duel is a position")
}

fn value(every: &EveryDuel, duel: Duel<u64>) -> Value {
    Value::win_if(every.plies(duel.free.word() as usize, duel.mover.index(), duel.other.index()) % 2 == 1)
}

/// Samples of the positions of 3x4 and 4x4 that have a move, under limits from very small to ample,
/// with tables and without.
#[test]
fn what_players_call_proven_is_true() {
    for (files, ranks, every_so_many) in [(3, 4, 7), (4, 4, 211)] {
        let every = EveryDuel::new(files, ranks);
        let size = Size::new(files, ranks).unwrap();
        let board = Board::<u64>::new(size).unwrap();
        let mut players: Vec<(&str, Box<dyn Chooser>)> = Vec::new();
        for tables in [false, true] {
            for name in ["best", "perfect", "AB_Improved", "AB_bfs@by-scores", "MM_Open"] {
                players.push((name, agent(name).chooser(&means(size, tables), 1).unwrap()));
            }
        }
        let (mut proven, mut counted, mut unproven) = (0, 0, 0);
        for (number, (free, mover, other)) in every.duels().enumerate().filter(|(number, _)| number % every_so_many == 0) {
            let duel = Duel { mover: Cell::new(mover), other: Cell::new(other), free: Cells::from_word(free as u64) };
            if duel.moves(&board).is_empty() {
                continue;
            }
            let limit = [Limit::Nodes(1), Limit::Nodes(3000), Limit::Depth(2), Limit::Depth(9)][number / every_so_many % 4];
            let player = number / every_so_many / 4 % players.len();
            let (name, player) = &mut players[player];
            let (to, basis) = choose(player.as_mut(), &position(&board, duel), limit);
            match basis {
                Basis::Proven { value: told, plies, .. } => {
                    proven += 1;
                    assert_eq!(told, value(&every, duel), "{name} {limit} {duel:?} {basis:?}");
                    let after = duel.play_unchecked(to);
                    assert_eq!(value(&every, after), !told, "{name} does not keep the value: {duel:?}");
                    if let Some(plies) = plies {
                        counted += 1;
                        assert_eq!(plies, every.plies(free, mover, other), "{name} {duel:?} {basis:?}");
                        let rest = every.plies(after.free.word() as usize, after.mover.index(), after.other.index());
                        assert_eq!(plies, rest + 1, "{name} {duel:?} {basis:?}");
                    }
                }
                _ => unproven += 1,
            }
        }
        assert!(
            proven > 500 && counted > 200 && unproven > 50,
            "{proven} proven, {counted} counted, {unproven} not: too few for a test"
        );
    }
}

/// A choice among some of the moves: what is called proven is proven of these moves, not of the
/// position.
#[test]
fn what_is_proven_among_some_moves_is_true_of_them() {
    let every = EveryDuel::new(4, 4);
    let size = Size::new(4, 4).unwrap();
    let board = Board::<u64>::new(size).unwrap();
    let mut players: Vec<Box<dyn Chooser>> = Vec::new();
    for tables in [false, true] {
        players.extend(["best", "AB_Improved"].map(|name| agent(name).chooser(&means(size, tables), 1).unwrap()));
    }
    let (mut proven, mut counted, mut other_than_the_position) = (0, 0, 0);
    for (number, (free, mover, other)) in every.duels().step_by(307).enumerate() {
        let duel = Duel { mover: Cell::new(mover), other: Cell::new(other), free: Cells::from_word(free as u64) };
        let plies = |to: Cell| {
            let after = duel.play_unchecked(to);
            every.plies(after.free.word() as usize, after.mover.index(), after.other.index()) + 1
        };
        let legal: Vec<Cell> = duel.moves(&board).into_iter().collect();
        for among in legal.chunks(2).filter(|among| among.len() < legal.len()) {
            let limit = [Limit::Nodes(1), Limit::Nodes(3000), Limit::Depth(9)][number % 3];
            let player = &mut players[number / 3 % 4];
            let decision = player.choose_among(&position(&board, duel), among, &limit.start(), &mut |_| {});
            assert!(among.contains(&decision.to), "{duel:?} {among:?} {decision:?}");
            let Basis::Proven { value: told, plies: in_plies, .. } = decision.basis else { continue };
            proven += 1;
            // A game of an odd number of plies is won by the mover.
            let wins: Vec<usize> = among.iter().map(|&to| plies(to)).filter(|plies| plies % 2 == 1).collect();
            assert_eq!(told, Value::win_if(!wins.is_empty()), "{duel:?} {among:?} {decision:?}");
            other_than_the_position += usize::from(told != value(&every, duel));
            if let Some(in_plies) = in_plies {
                counted += 1;
                let longest = among.iter().map(|&to| plies(to)).max();
                assert_eq!(Some(in_plies), wins.into_iter().min().or(longest), "{duel:?} {among:?} {decision:?}");
            }
        }
    }
    assert!(
        proven > 500 && counted > 200 && other_than_the_position > 50,
        "{proven} proven, {counted} counted, {other_than_the_position} lost in a won position: too few for a test"
    );
}

/// What a table or a mirror says costs nothing, so it is played even if there is no time at all.
#[test]
fn what_is_at_hand_is_played_without_time() {
    for (text, tables, by) in [
        ("7x7: d4 a1", true, "table"),
        ("7x7: c3 e5", true, "table"),
        ("7x7: d4", true, "table"),
        ("7x7: d4 b3", false, "mirror"),
        ("8x8: d4", false, "mirror"),
    ] {
        let position: Position = text.parse().unwrap();
        let mut best = Agent::Best.chooser(&means(position.size(), tables), 0).unwrap();
        for limit in [Limit::Time(Duration::ZERO), Limit::Nodes(0)] {
            let (_, basis) = choose(best.as_mut(), &position, limit);
            assert!(
                matches!(&basis, Basis::Proven { value: Value::Win, by: origin, .. } if origin.to_string().starts_with(by)),
                "{text} {limit}: {basis:?}"
            );
        }
    }
}

/// A search that is stopped ends within a few thousand nodes, about a millisecond, however much
/// there would be left to do.
#[test]
fn a_search_that_is_stopped_ends_at_once() {
    let position: Position = "11/11/11/11/5n5/3N7/11/11/11 w".parse().unwrap();
    for name in ["best", "AB_Improved"] {
        let mut chooser = agent(name).chooser(&means(position.size(), false), 0).unwrap();
        for depth in 2..=6 {
            let clock = Limit::Depth(99).start();
            let mut stopped_at = None;
            chooser.choose(&position, &clock, &mut |decision| {
                if matches!(decision.basis, Basis::Guess { depth: reached, .. } if reached >= depth) && stopped_at.is_none() {
                    clock.control.stop();
                    stopped_at = Some(clock.control.nodes());
                }
            });
            let after = clock.control.nodes() - stopped_at.expect("the depth is reached");
            assert!(after < 4096, "{name}: {after} nodes were searched after the stop at depth {depth}");
        }
    }
}

/// Plays a game between two players and returns the winner.
fn winner(mut position: Position, players: &mut [Box<dyn Chooser>; 2], limit: Limit) -> Player {
    loop {
        if let Some(winner) = position.winner() {
            return winner;
        }
        let (to, _) = choose(players[position.turn() as usize].as_mut(), &position, limit);
        position = position.play_unchecked(to);
    }
}

/// From every opening of 4x5, `best` on the winning side wins against every opponent, with few
/// nodes and without tables.
#[test]
fn best_keeps_a_win_to_the_end() {
    let size = Size::new(4, 5).unwrap();
    let mut oracle = crate::support::naive::Recursion::new(4, 5);
    let opponents = ["Random", "MM_Improved", "AB_next_moves", "best"];
    let mut games = 0;
    for first in 0..20 {
        for second in (0..20).filter(|&second| second != first) {
            let free = ((1_u64 << 20) - 1) & !(1 << first) & !(1 << second);
            let mover_wins = oracle.mover_wins(free, first, second);
            let ours = if mover_wins { Player::First } else { Player::Second };
            let opening = Position::empty(size).play(Cell::new(first)).unwrap().play(Cell::new(second)).unwrap();
            let best = Agent::Best.chooser(&means(size, false), 0).unwrap();
            let opponent = agent(opponents[games % opponents.len()]).chooser(&means(size, false), games as u64).unwrap();
            let mut players = if mover_wins { [best, opponent] } else { [opponent, best] };
            assert_eq!(winner(opening, &mut players, Limit::Nodes(20_000)), ours, "{first} {second}");
            games += 1;
        }
    }
    assert_eq!(games, 380);
}

#[test]
fn knights_are_placed_by_proof() {
    let after = |text: &str| text.parse::<Position>().unwrap();
    // A board with an even side: the second player mirrors, and the basis says so.
    for text in ["6x7: a1", "8x8: d4", "6x6: c2"] {
        let position = after(text);
        let (to, basis) =
            choose(Agent::Best.chooser(&means(position.size(), false), 0).unwrap().as_mut(), &position, Limit::Nodes(1000));
        assert!(
            matches!(&basis, Basis::Proven { value: Value::Win, by, .. } if by.to_string().starts_with("mirror")),
            "{text}: {basis:?}"
        );
        assert_eq!(position.play(to).unwrap().turn(), Player::First);
    }
    // By tables: every first placement on 5x5 loses, so c3 and a1 have a winning reply.
    let tables = means(Size::new(5, 5).unwrap(), true);
    let mut best = Agent::Best.chooser(&tables, 0).unwrap();
    for (text, wins) in [("5x5", Value::Loss), ("5x5: c3", Value::Win), ("5x5: a1", Value::Win)] {
        let (_, basis) = choose(best.as_mut(), &after(text), Limit::Nodes(100_000));
        assert_eq!(basis.value(), Some(wins), "{text}: {basis:?}");
    }
    // The smallest boards: on 1x1 there is one cell, on 2x1 one for each player.
    for text in ["1x1", "2x1: a1", "2x2"] {
        let position = after(text);
        for name in ["best", "perfect", "Random", "AB_Improved", "MM_bfs"] {
            choose(agent(name).chooser(&means(position.size(), false), 0).unwrap().as_mut(), &position, Limit::Nodes(10));
        }
    }
}

/// `perfect` says that it has no proof, while `best` guesses.
#[test]
fn perfect_admits_that_it_has_no_proof() {
    let position = "8x8: d4 f5".parse::<Position>().unwrap();
    let (_, basis) =
        choose(Agent::Perfect.chooser(&means(position.size(), false), 0).unwrap().as_mut(), &position, Limit::Nodes(2000));
    assert_eq!(basis, Basis::NoProof);
    let (_, basis) =
        choose(Agent::Best.chooser(&means(position.size(), false), 0).unwrap().as_mut(), &position, Limit::Nodes(2000));
    assert!(matches!(basis, Basis::Guess { depth: 1.., .. }), "{basis:?}");
}

/// The line of a lookahead is the best line, whatever the move order: a plain search finds the same
/// score after each of its moves.
#[test]
fn the_expected_line_is_the_best_one() {
    let position = "6x6: b2 d5 d1".parse::<Position>().unwrap();
    let board = Arc::new(Board::<u64>::new(position.size()).unwrap());
    let score = |position: &Position, depth: u32| {
        let duel = position.duel().unwrap();
        let moves: Vec<Cell> = duel.moves(&board).into_iter().collect();
        let style =
            Style { ordering: Ordering::AsTheyCome, keeps_results: false, scouts: false, ..Style::usual(Heuristic::Improved) };
        Lookahead::new(&board, style, 0).best_in_duel(duel, &moves, depth, &Control::unlimited()).unwrap().score
    };
    for name in ["MM_Improved", "AB_Improved@as-they-come", "AB_Improved@by-scores", "AB_Improved"] {
        let mut chooser = agent(name).chooser(&means(position.size(), false), 0).unwrap();
        let decision = chooser.choose(&position, &Limit::Depth(3).start(), &mut |_| {});
        assert_eq!(decision.line.len(), 3, "{name}");
        let Basis::Guess { score: told, depth: 3 } = decision.basis else { panic!("{name}: {:?}", decision.basis) };
        assert_eq!(told, score(&position, 3));
        // After each move of the line, a search of the remaining depth gives the same score. For
        // the other player, `improved` only changes its sign.
        let mut at = position.clone();
        for (number, &to) in decision.line.iter().take(2).enumerate() {
            at = at.play(to).unwrap();
            let sign = if number % 2 == 0 { -1.0 } else { 1.0 };
            assert_eq!(sign * score(&at, 2 - number as u32), told, "{name} {:?}", decision.line);
        }
    }
}

/// Work other than searching nodes counts towards a node limit, too. Here it is the longest walks
/// through two separate halves of a large board.
#[test]
fn a_node_limit_covers_all_work() {
    let text = "1*5**2*2**/7**1**3*/3*3**1*1*3/1*2**1****2*2/1*3****7/1*2**1**7/*2*1****1*5/N6***5n w";
    let position = text.parse::<Position>().unwrap();
    let means = means(position.size(), false);
    for name in ["best", "perfect"] {
        for limit in [Limit::Nodes(1000), Limit::Depth(3)] {
            let started = Instant::now();
            agent(name).chooser(&means, 0).unwrap().choose(&position, &limit.start(), &mut |_| {});
            assert!(started.elapsed() < Duration::from_secs(20), "{name} {limit}");
        }
    }
}

/// In a lost position, `best` leaves the opponent the smallest share of winning replies.
#[test]
fn best_sets_traps_in_a_lost_position() {
    let every = EveryDuel::new(4, 4);
    let board = Board::<u64>::new(Size::new(4, 4).unwrap()).unwrap();
    let mut best = Agent::Best.chooser(&means(board.size(), false), 0).unwrap();
    let share = |duel: Duel<u64>| {
        let replies: Vec<Value> = duel.moves(&board).into_iter().map(|to| value(&every, duel.play_unchecked(to))).collect();
        let winning = replies.iter().filter(|&&value| value == Value::Loss).count();
        winning * 1000 / replies.len().max(1)
    };
    let mut traps = 0;
    for (free, mover, other) in every.duels().step_by(97) {
        let duel = Duel { mover: Cell::new(mover), other: Cell::new(other), free: Cells::from_word(free as u64) };
        let moves = duel.moves(&board);
        if moves.len() < 2 || value(&every, duel) == Value::Win {
            continue;
        }
        let (to, basis) = choose(best.as_mut(), &position(&board, duel), Limit::Nodes(1_000_000));
        assert_eq!(basis.value(), Some(Value::Loss));
        let shares: Vec<usize> = moves.into_iter().map(|to| share(duel.play_unchecked(to))).collect();
        assert_eq!(share(duel.play_unchecked(to)), shares.iter().copied().min().unwrap(), "{duel:?}");
        traps += usize::from(shares.iter().min() != shares.iter().max());
    }
    assert!(traps > 100, "{traps} traps: too few for a test");
}

/// Positions are copied, moves are kept in arrays, and the cache never grows. Only the root
/// allocates, a few times in each iteration.
#[test]
fn a_search_allocates_only_at_the_root() {
    let position = "7x7: d4 b2".parse::<Position>().unwrap();
    let board = Arc::new(Board::<u64>::new(position.size()).unwrap());
    let duel = position.duel().unwrap();
    let moves: Vec<Cell> = duel.moves(&board).into_iter().collect();
    for ordering in [Ordering::AsTheyCome, Ordering::ByLastScores, Ordering::LastBestFirst, Ordering::Promising] {
        let style = Style { ordering, ..Style::usual(Heuristic::NextMoves) };
        let mut search = Lookahead::new(&board, style, 1 << 20);
        let allocated = allocation_counter::measure(|| {
            search.best_in_duel(duel, &moves, 8, &Control::unlimited());
        });
        assert!(search.nodes() > 10_000, "{}", search.nodes());
        assert!(
            allocated.count_total <= 4 * 8,
            "{ordering:?}: {} allocations for {} nodes",
            allocated.count_total,
            search.nodes()
        );
    }
}

/// Tries of each kind in a round. Other processes may disturb some, so each is followed by a
/// reference: a loop that does nothing but look at the clock. Of the tries, nearly as many must be
/// in time as of the references. A round that falls short is played again.
const TRIES: u64 = 10;
const ROUNDS: usize = 12;

#[test]
fn players_keep_the_time_limit() {
    for (text, milliseconds) in [("7x7: d4 b2", 1), ("8x8: d4 f5", 1), ("8x8: d4 f5", 40), ("8x8", 5), ("7x7", 5)] {
        let position: Position = text.parse().unwrap();
        for name in ["best", "perfect", "AB_bfs", "AB_Improved"] {
            let limit = Duration::from_millis(milliseconds);
            let is_in_time = |work: &mut dyn FnMut()| {
                let started = Instant::now();
                work();
                usize::from(started.elapsed() < limit + Duration::from_millis(5))
            };
            let is_kept = |_| {
                let (mut in_time, mut references) = (0, 0);
                for seed in 0..TRIES {
                    let mut chooser = agent(name).chooser(&means(position.size(), true), seed).unwrap();
                    in_time += is_in_time(&mut || drop(choose(chooser.as_mut(), &position, Limit::Time(limit))));
                    let started = Instant::now();
                    references += is_in_time(&mut || while started.elapsed() < limit {});
                }
                10 * in_time >= 8 * references && 2 * references > TRIES as usize
            };
            assert!((0..ROUNDS).any(is_kept), "{name} is late too often in {text} at {milliseconds} ms");
        }
    }
}
