//! Players against the oracle: what they call proven is so, and a win that is proven is kept.

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::naive::EveryDuel;
use isolde::play::heuristics::Heuristic;
use isolde::play::{Agent, Basis, Best, Limit, Lookahead, Manner, Means, Ordering, Style, Thinker};
use isolde::table::Shelf;
use isolde::{Board, Cell, Cells, Control, Duel, Player, Position, Settings, Setup, Size, Value, notation};

/// Little memory: there are many players here.
fn means(size: Size, tables: bool) -> Means<u64> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
    let shelf = if tables { Shelf::open(size, &[folder]) } else { Shelf::empty(size) };
    Means { size, settings: Settings { memory: 8 << 20, ..Settings::default() }, shelf: Arc::new(shelf), tells_line: false }
}

fn agent(text: &str) -> Agent {
    text.parse().expect("the tests name agents that exist")
}

fn think(thinker: &mut dyn Thinker<u64>, position: &Position<u64>, limit: Limit) -> (Cell, Basis) {
    let decision = thinker.think(position, &limit.start(), &mut |_| {});
    assert_eq!(decision.line.first(), Some(&decision.to));
    assert!(position.legal_moves().contains(decision.to));
    (decision.to, decision.basis)
}

fn position(board: &Board<u64>, duel: Duel<u64>) -> Position<u64> {
    Position::new(Setup::of_duel(board, duel)).expect("a duel is a position")
}

fn value(every: &EveryDuel, duel: Duel<u64>) -> Value {
    Value::win_if(every.plies(duel.free.word() as usize, duel.mover.index(), duel.other.index()) % 2 == 1)
}

/// Every position of 3x4 with a move, and a part of those of 4x4, under limits from next to nothing to plenty, with tables and without.
#[test]
fn what_is_called_proven_is_so() {
    for (files, ranks, every_so_many) in [(3, 4, 7), (4, 4, 211)] {
        let every = EveryDuel::new(files, ranks);
        let size = Size::new(files, ranks).unwrap();
        let board = Board::<u64>::new(size);
        let mut players: Vec<(&str, Box<dyn Thinker<u64>>)> = Vec::new();
        for tables in [false, true] {
            for name in ["best", "perfect", "AB_Improved", "AB_bfs@by-scores", "MM_Open"] {
                players.push((name, agent(name).thinker(&means(size, tables), 1).unwrap()));
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
            let (to, basis) = think(player.as_mut(), &position(&board, duel), limit);
            match basis {
                Basis::Proven { value: told, plies, .. } => {
                    proven += 1;
                    assert_eq!(told, value(&every, duel), "{name} {limit} {duel:?} {basis:?}");
                    let after = duel.play_unchecked(to);
                    assert_eq!(value(&every, after), !told, "{name} does not keep what it has: {duel:?}");
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
            "{proven} proven, {counted} counted, {unproven} not: that is no test"
        );
    }
}

/// Plays a game between two players and tells who won.
fn winner(mut position: Position<u64>, players: &mut [Box<dyn Thinker<u64>>; 2], limit: Limit) -> Player {
    loop {
        if let Some(winner) = position.winner() {
            return winner;
        }
        let (to, _) = think(players[position.turn() as usize].as_mut(), &position, limit);
        position = position.play_unchecked(to);
    }
}

/// From every opening of 4x5 that it wins, `best` wins, with little work and without tables, against anybody.
#[test]
fn a_win_is_kept_to_the_end() {
    let size = Size::new(4, 5).unwrap();
    let mut oracle = common::naive::Recursion::new(4, 5);
    let opponents = ["Random", "MM_Improved", "AB_next_moves", "best"];
    let mut games = 0;
    for first in 0..20 {
        for second in (0..20).filter(|&second| second != first) {
            let free = ((1_u64 << 20) - 1) & !(1 << first) & !(1 << second);
            let mover_wins = oracle.mover_wins(free, first, second);
            let ours = if mover_wins { Player::First } else { Player::Second };
            let opening = Position::<u64>::empty(size).play(Cell::new(first)).unwrap().play(Cell::new(second)).unwrap();
            let best = Agent::Best.thinker(&means(size, false), 0).unwrap();
            let opponent = agent(opponents[games % opponents.len()]).thinker(&means(size, false), games as u64).unwrap();
            let mut players = if mover_wins { [best, opponent] } else { [opponent, best] };
            assert_eq!(winner(opening, &mut players, Limit::Nodes(20_000)), ours, "{first} {second}");
            games += 1;
        }
    }
    assert_eq!(games, 380);
}

#[test]
fn knights_are_placed_by_proof() {
    let after = |text: &str| Position::<u64>::new(notation::parse(text).unwrap()).unwrap();
    // An even side: the second player mirrors, and that is told.
    for text in ["6x7: a1", "8x8: d4", "6x6: c2"] {
        let position = after(text);
        let (to, basis) =
            think(Agent::Best.thinker(&means(position.size(), false), 0).unwrap().as_mut(), &position, Limit::Nodes(1000));
        assert!(
            matches!(&basis, Basis::Proven { value: Value::Win, by, .. } if by.to_string().starts_with("mirror")),
            "{text}: {basis:?}"
        );
        assert_eq!(position.play(to).unwrap().turn(), Player::First);
    }
    // By tables: every first placement on 5x5 loses, every reply to it can win, and c3 is answered by a win.
    let tables = means(Size::new(5, 5).unwrap(), true);
    let mut best = Agent::Best.thinker(&tables, 0).unwrap();
    for (text, wins) in [("5x5", Value::Loss), ("5x5: c3", Value::Win), ("5x5: a1", Value::Win)] {
        let (_, basis) = think(best.as_mut(), &after(text), Limit::Nodes(100_000));
        assert_eq!(basis.value(), Some(wins), "{text}: {basis:?}");
    }
    // On 1x1 there is one cell, and on 2x1 each player has one.
    for text in ["1x1", "2x1: a1", "2x2"] {
        let position = after(text);
        for name in ["best", "perfect", "Random", "AB_Improved", "MM_bfs"] {
            think(agent(name).thinker(&means(position.size(), false), 0).unwrap().as_mut(), &position, Limit::Nodes(10));
        }
    }
}

/// Whoever wants proof alone says so when there is none.
#[test]
fn perfection_admits_what_it_does_not_know() {
    let position = Position::<u64>::new(notation::parse("8x8: d4 f5").unwrap()).unwrap();
    let (_, basis) =
        think(Agent::Perfect.thinker(&means(position.size(), false), 0).unwrap().as_mut(), &position, Limit::Nodes(2000));
    assert_eq!(basis, Basis::NoProof);
    let (_, basis) =
        think(Agent::Best.thinker(&means(position.size(), false), 0).unwrap().as_mut(), &position, Limit::Nodes(2000));
    assert!(matches!(basis, Basis::Guess { depth: 1.., .. }), "{basis:?}");
}

/// Lines of lookaheads, in whatever order moves are tried, are what was found to be best: the same depth by depth as the plainest search finds them.
#[test]
fn the_expected_line_is_the_best_one() {
    let position = Position::<u64>::new(notation::parse("6x6: b2 d5 d1").unwrap()).unwrap();
    let score = |position: &Position<u64>, depth: u32| {
        let duel = position.duel().unwrap();
        let moves: Vec<Cell> = duel.moves(position.board()).into_iter().collect();
        let style =
            Style { ordering: Ordering::AsTheyCome, keeps_results: false, scouts: false, ..Style::usual(Heuristic::Improved) };
        Lookahead::new(position.board(), style, 0).best_in_duel(duel, &moves, depth, &Control::unlimited()).unwrap().score
    };
    for name in ["MM_Improved", "AB_Improved@as-they-come", "AB_Improved@by-scores", "AB_Improved"] {
        let mut thinker = agent(name).thinker(&means(position.size(), false), 0).unwrap();
        let decision = thinker.think(&position, &Limit::Depth(3).start(), &mut |_| {});
        assert_eq!(decision.line.len(), 3, "{name}");
        let Basis::Guess { score: told, depth: 3 } = decision.basis else { panic!("{name}: {:?}", decision.basis) };
        assert_eq!(told, score(&position, 3));
        // After each move of the line the rest of the depth gives the same score: `improved` is the same for both players, but for its sign.
        let mut at = position.clone();
        for (number, &to) in decision.line.iter().take(2).enumerate() {
            at = at.play(to).unwrap();
            let sign = if number % 2 == 0 { -1.0 } else { 1.0 };
            assert_eq!(sign * score(&at, 2 - number as u32), told, "{name} {:?}", decision.line);
        }
    }
}

/// Work that is not counted in nodes counts towards a limit of nodes: here the longest walks through two separate halves of a large board.
#[test]
fn no_work_is_without_limit() {
    let text = "1*5**2*2**/7**1**3*/3*3**1*1*3/1*2**1****2*2/1*3****7/1*2**1**7/*2*1****1*5/N6***5n w";
    let position = Position::<u128>::new(notation::parse(text).unwrap()).unwrap();
    let shelf = Arc::new(Shelf::empty(position.size()));
    let means =
        Means { size: position.size(), settings: Settings { memory: 8 << 20, ..Settings::default() }, shelf, tells_line: false };
    for name in ["best", "perfect"] {
        for limit in [Limit::Nodes(1000), Limit::Depth(3)] {
            let started = std::time::Instant::now();
            agent(name).thinker(&means, 0).unwrap().think(&position, &limit.start(), &mut |_| {});
            assert!(started.elapsed() < Duration::from_secs(20), "{name} {limit}");
        }
    }
}

/// In a lost position the opponent is left with as few winning replies as can be.
#[test]
fn a_lost_position_is_set_with_traps() {
    let every = EveryDuel::new(4, 4);
    let board = Board::<u64>::new(Size::new(4, 4).unwrap());
    let manner = Manner { guesses: true, tells_line: false };
    let means = means(board.size(), false);
    let mut best = Best::new(board.size(), means.settings, Arc::clone(&means.shelf), manner).unwrap();
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
        let (to, basis) = think(&mut best, &position(&board, duel), Limit::Nodes(1_000_000));
        assert_eq!(basis.value(), Some(Value::Loss));
        let shares: Vec<usize> = moves.into_iter().map(|to| share(duel.play_unchecked(to))).collect();
        assert_eq!(share(duel.play_unchecked(to)), shares.iter().copied().min().unwrap(), "{duel:?}");
        traps += usize::from(shares.iter().min() != shares.iter().max());
    }
    assert!(traps > 100, "{traps} traps: that is no test");
}

/// Positions are copied, moves stand in arrays, and the cache has its size from the beginning: what is allocated is the root's, a few pieces for every iteration.
#[test]
fn a_search_allocates_nothing() {
    let position = Position::<u64>::new(notation::parse("7x7: d4 b2").unwrap()).unwrap();
    let duel = position.duel().unwrap();
    let moves: Vec<Cell> = duel.moves(position.board()).into_iter().collect();
    for ordering in [Ordering::AsTheyCome, Ordering::ByLastScores, Ordering::LastBestFirst, Ordering::Promising] {
        let style = Style { ordering, ..Style::usual(Heuristic::NextMoves) };
        let mut search = Lookahead::new(position.board(), style, 1 << 20);
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

/// A limit of time is kept: at least once in some tries, on a machine that does other things, too.
#[test]
fn the_clock_is_kept() {
    for (text, milliseconds) in [("7x7: d4 b2", 1), ("8x8: d4 f5", 1), ("8x8: d4 f5", 40), ("8x8", 5), ("7x7", 5)] {
        let position = Position::<u64>::new(notation::parse(text).unwrap()).unwrap();
        for name in ["best", "perfect", "AB_bfs", "AB_Improved"] {
            let limit = Duration::from_millis(milliseconds);
            let is_in_time = |seed| {
                let mut thinker = agent(name).thinker(&means(position.size(), true), seed).unwrap();
                let started = std::time::Instant::now();
                think(thinker.as_mut(), &position, Limit::Time(limit));
                started.elapsed() < limit + Duration::from_millis(5)
            };
            assert!((0..30).any(is_in_time), "{name} is always late in {text} at {milliseconds} ms");
        }
    }
}
