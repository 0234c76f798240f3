//! Tournaments: who plays whom, what is counted, and what happens to players that break the rules.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use isolde::analysis::Openings;
use isolde::arena::openings::{CannotChoose, Selection, choose};
use isolde::arena::{End, Entrant, Fixture, Forfeit, Plan, Record, Rules, Score, Standings, judge, play_out};
use isolde::notation::Line;
use isolde::play::{Agent, Basis, Chooser, Clock, Decision, Limit, Means};
use isolde::{Analyst, Cell, Control, Position, Question, Settings, Size, SolverError, Tables};

const SETTINGS: Settings = Settings { threads: std::num::NonZero::<usize>::MIN, memory: 8 << 20 };

fn named(names: &[&str]) -> Vec<Entrant> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

/// One of our agents, at the board.
fn chooser(entrant: &Entrant, means: &Means, seed: u64) -> Result<Box<dyn Chooser>, SolverError> {
    let Entrant::Ours(agent) = entrant else { panic!("{entrant} is none of our agents") };
    agent.chooser(means, seed)
}

fn plan(
    (files, ranks): (usize, usize),
    agents: &[&str],
    field: &[&str],
    selection: Selection,
    matches: usize,
    limit: Limit,
) -> Plan {
    let size = Size::new(files, ranks).unwrap();
    let solved = || -> Result<Openings, CannotChoose> {
        let analyst = Analyst::new(SETTINGS, &Tables::none(size)).unwrap();
        Ok(analyst.openings(&Position::empty(size), Question::Winner, &Control::unlimited(), || {}))
    };
    Plan {
        size,
        agents: named(agents),
        field: named(field),
        openings: choose(selection, matches, 5, size, solved).unwrap(),
        rules: Rules { limit, grace: Duration::from_millis(20) },
        seed: 5,
    }
}

/// Plays all games of a plan with this many threads.
fn played(plan: &Plan, threads: usize) -> Vec<(Fixture, Record)> {
    let tables = Tables::none(plan.size);
    let means = Means { settings: SETTINGS, tables: tables.clone(), wants_line: false };
    let entrants = plan.entrants();
    let mut games = Vec::new();
    let done = |fixture: &Fixture, record: Record| {
        games.push((*fixture, record));
        Ok::<(), SolverError>(())
    };
    let make = |entrant: usize, seed| chooser(entrants[entrant], &means, seed);
    let control = Arc::new(Control::unlimited());
    let judge = |line: &_| judge(line, SETTINGS, &tables, &control).map(Some);
    plan.play_all(&plan.fixtures(), threads, &control, make, judge, done).unwrap();
    games.sort_by_key(|(fixture, _)| fixture.number);
    games
}

#[test]
fn every_opening_is_played_twice_by_each_pair() {
    let size = (3, 4);
    for (selection, matches, wanted) in [
        (Selection::Random, 7, 7),
        (Selection::Random, 200, 200),
        (Selection::All, 1, 12 * 11),
        // Burnside: the identity fixes all openings, the mirror in the middle file those on its
        // four cells.
        (Selection::Classes, 1, (12 * 11 + 4 * 3) / 4),
        (Selection::Balanced, 10, 10),
        (Selection::Free, 3, 3),
    ] {
        let robin = plan(size, &["Random", "best", "AB_Open"], &[], selection, matches, Limit::Depth(1));
        let field = plan(size, &["Random", "best"], &["AB_Open", "Random", "MM_Open"], selection, matches, Limit::Depth(1));
        assert_eq!((robin.openings.len(), robin.pairs().len(), field.pairs().len()), (wanted, 3, 6), "{selection}");
        for plan in [robin, field] {
            let fixtures = plan.fixtures();
            assert_eq!(fixtures.len(), 2 * wanted * plan.pairs().len());
            for pair in fixtures.chunks(2) {
                let [one, other] = pair else { panic!("games come in pairs") };
                assert_eq!((one.opening, one.players), (other.opening, [other.players[1], other.players[0]]));
                assert_eq!(one.seeds, [other.seeds[1], other.seeds[0]]);
            }
        }
    }
    // No opening is repeated before all have been drawn.
    let drawn = plan(size, &["Random", "best"], &[], Selection::Random, 132, Limit::Depth(1)).openings;
    assert_eq!(drawn.iter().collect::<std::collections::BTreeSet<_>>().len(), 132);
    let solver = isolde::solve::Solver::<u64>::new(Size::new(3, 4).unwrap(), SETTINGS).unwrap();
    let balanced = plan(size, &["Random", "best"], &[], Selection::Balanced, 20, Limit::Depth(1)).openings;
    let wins = |opening: &Option<isolde::solve::Opening>| {
        solver.value(opening.unwrap().duel(solver.board().cells()), &Control::unlimited())
    };
    assert_eq!(balanced.iter().filter(|opening| wins(opening) == Ok(isolde::Value::Win)).count(), 10);
}

#[test]
fn the_same_seed_gives_the_same_games_with_any_number_of_threads() {
    for limit in [Limit::Nodes(2_000), Limit::Depth(3)] {
        let plan = plan((5, 5), &["Random", "best", "AB_bfs", "MM_Improved", "perfect"], &[], Selection::Random, 2, limit);
        let [alone, together] = [1, 3].map(|threads| played(&plan, threads));
        assert_eq!(alone.len(), 40);
        assert_eq!(alone, together);
        let other = played(&Plan { seed: 6, ..plan }, 2);
        assert_ne!(alone, other);
    }
}

#[test]
fn standings_count_what_was_played() {
    let plan = plan((5, 5), &["Random", "best", "AB_Improved"], &[], Selection::Random, 8, Limit::Nodes(2_000));
    let games = played(&plan, 2);
    let standings = Standings::new(&plan, &games);
    let all: Vec<_> = (0..3).map(|entrant| standings.tally(entrant, None)).collect();
    assert_eq!(all.iter().map(|tally| tally.score.won).sum::<u64>(), 48);
    assert!(all.iter().all(|tally| tally.score.games == 32 && tally.forfeits == 0));
    for (entrant, tally) in all.iter().enumerate() {
        let against: u64 = (0..3).map(|opponent| standings.tally(entrant, Some(opponent)).score.won).sum();
        assert_eq!(against, tally.score.won);
        // 5x5 is solved quickly, so every opening is judged.
        assert_eq!((tally.from_won.games, tally.from_lost.games), (16, 16));
        assert_eq!(tally.from_won.won + tally.from_lost.won, tally.score.won);
        // A game from a won opening is lost only by a blunder.
        assert!(tally.blunders >= tally.from_won.lost());
    }
    let [random, best, _] = &all[..] else { panic!("three took part") };
    assert_eq!((best.from_won.won, best.blunders), (16, 0));
    assert!(random.blunders > 0 && random.score.won < best.score.won);
    let [one, other] = standings.in_common(0, 1);
    assert_eq!((one, other), (standings.tally(0, Some(2)).score, standings.tally(1, Some(2)).score));
    assert_eq!(standings.as_proven().games, 48);
    let same_side = games.chunks(2).filter(|pair| pair[0].1.winner == pair[1].1.winner).count() as u64;
    assert_eq!(standings.decided_by_opening(), Score { games: 24, won: same_side });
}

/// A player that misbehaves from its second move on.
struct Broken(fn(&Position) -> Decision);

impl Chooser for Broken {
    fn choose_among(&mut self, position: &Position, moves: &[Cell], _: &Clock, _: &mut dyn FnMut(&Decision)) -> Decision {
        let to = moves[0];
        let decision = Decision { to, basis: Basis::Chance, line: vec![to], nodes: 0 };
        if position.free().len() > 20 { decision } else { (self.0)(position) }
    }
}

fn illegal(position: &Position) -> Decision {
    let to = position.knight(position.turn()).unwrap();
    Decision { to, basis: Basis::Chance, line: vec![to], nodes: 0 }
}

fn off_board(_: &Position) -> Decision {
    Decision { to: Cell::new(127), basis: Basis::Chance, line: vec![], nodes: 0 }
}

fn late(position: &Position) -> Decision {
    std::thread::sleep(Duration::from_millis(200));
    let to = position.legal_moves().first().unwrap();
    Decision { to, basis: Basis::Chance, line: vec![to], nodes: 0 }
}

fn crash(_: &Position) -> Decision {
    panic!("a test breaks this player on purpose")
}

#[test]
fn a_player_that_breaks_the_rules_forfeits_and_the_tournament_goes_on() {
    let limit = Limit::Time(Duration::from_millis(50));
    let plan = plan((5, 5), &["AB_Open"], &["Random", "Random", "Random", "Random"], Selection::Random, 3, limit);
    let means = Means { settings: SETTINGS, tables: Tables::none(plan.size), wants_line: false };
    let broken = [illegal, off_board, late, crash];
    let make = |entrant: usize, seed| -> Result<Box<dyn Chooser>, SolverError> {
        if entrant == 0 { Agent::Random.chooser(&means, seed) } else { Ok(Box::new(Broken(broken[entrant - 1]))) }
    };
    let mut games = Vec::new();
    let done = |fixture: &Fixture, record: Record| {
        games.push((*fixture, record));
        Ok::<(), SolverError>(())
    };
    plan.play_all(&plan.fixtures(), 2, &Arc::new(Control::unlimited()), make, |_| Ok(None), done).unwrap();
    assert_eq!(games.len(), 24);
    let mut forfeits = [0; 4];
    for (fixture, record) in &games {
        let End::Forfeit(why) = &record.end else { continue };
        let seat = !record.winner.unwrap() as usize;
        let number = fixture.players[seat] - 1;
        forfeits[number] += 1;
        match (number, why) {
            (0, Forfeit::Illegal(words)) => assert!(words.ends_with("the cell is occupied"), "{words}"),
            (1, Forfeit::Illegal(words)) => assert!(words.ends_with("the cell is off the board"), "{words}"),
            (2, Forfeit::Late(words)) => assert!(words.ends_with(" ms"), "{words}"),
            (3, Forfeit::Crashed(words)) => assert_eq!(words, "a test breaks this player on purpose"),
            other => panic!("{other:?}"),
        }
        // The recorded line ends where the loser was to move.
        assert_eq!(record.line.end().turn() as usize, seat);
        assert_eq!(&Record::from_json(&record.to_json()).unwrap(), record);
    }
    assert!(forfeits.iter().all(|&count| count >= 3), "{forfeits:?}");
    let standings = Standings::new(&plan, &games);
    assert_eq!(standings.forfeits().count(), forfeits.iter().sum::<usize>());
    assert_eq!(
        (1..5).map(|entrant| standings.tally(entrant, None).forfeits).collect::<Vec<_>>(),
        forfeits.map(|count| count as u64)
    );
    assert!(games.iter().all(|(fixture, record)| plan.is_of(fixture, record)));
    let numbered = |number: usize| games.iter().find(|(fixture, _)| fixture.number == number).unwrap();
    assert!(!plan.is_of(&numbered(0).0, &numbered(1).1), "the sides are exchanged");
    assert_eq!(games[0].1.names.iter().filter(|name| *name == "AB_Open").count(), 1);
}

#[test]
fn every_agent_plays_on_tiny_boards_under_every_limit() {
    let limits = [Limit::Time(Duration::ZERO), Limit::Time(Duration::from_millis(1)), Limit::Nodes(1), Limit::Depth(1)];
    let settings = Settings { memory: 1 << 18, ..SETTINGS };
    for (files, ranks) in [(1, 1), (1, 2), (2, 1), (2, 2), (1, 16), (2, 3)] {
        let size = Size::new(files, ranks).unwrap();
        let means = Means { settings, tables: Tables::none(size), wants_line: true };
        for agent in Agent::all() {
            for limit in limits {
                let mut players = [1, 2].map(|seed| agent.chooser(&means, seed).unwrap().into());
                let (rules, mut line) = (Rules { limit, grace: Duration::from_secs(60) }, Line::new(size));
                let (winner, end) = play_out(&mut line, &mut players, rules, &Arc::new(Control::unlimited())).unwrap();
                assert_eq!((end, line.end().winner()), (End::Stuck, Some(winner)), "{agent}, {limit}: {line}");
            }
        }
    }
}

#[test]
fn a_game_that_cannot_be_played_ends_the_tournament_and_keeps_the_games_before_it() {
    let plan = plan((4, 4), &["Random", "MM_Open"], &[], Selection::Random, 10, Limit::Depth(1));
    let means = Means { settings: SETTINGS, tables: Tables::none(plan.size), wants_line: false };
    let entrants = plan.entrants();
    let refused = SolverError::Threads { threads: 3, reason: "a test refuses them".to_string() };
    for threads in [1, 3] {
        let (seated, mut games) = (AtomicUsize::new(0), 0);
        // The sixth game has no players.
        let make = |entrant: usize, seed| match seated.fetch_add(1, Ordering::Relaxed) {
            10.. => Err(refused.clone()),
            _ => chooser(entrants[entrant], &means, seed),
        };
        let done = |_: &Fixture, _: Record| {
            games += 1;
            Ok::<(), SolverError>(())
        };
        let ended = plan.play_all(&plan.fixtures(), threads, &Arc::new(Control::unlimited()), make, |_| Ok(None), done);
        assert_eq!(ended, Err(refused.clone()));
        // With several threads, two games may have shared the last seats.
        assert!((if threads == 1 { 5..=5 } else { 3..=5 }).contains(&games), "{games}");
    }
}

/// What is cut short is not a result: a resumed tournament must give the games of an unbroken one.
#[test]
fn a_game_that_was_not_judged_to_the_end_is_left_out() {
    let plan = plan((4, 4), &["Random", "MM_Open"], &[], Selection::Random, 3, Limit::Depth(1));
    let means = Means { settings: SETTINGS, tables: Tables::none(plan.size), wants_line: false };
    let entrants = plan.entrants();
    let control = Arc::new(Control::unlimited());
    let (judged, mut games) = (AtomicUsize::new(0), Vec::new());
    let make = |entrant: usize, seed| chooser(entrants[entrant], &means, seed);
    let judge = |line: &_| {
        if judged.fetch_add(1, Ordering::Relaxed) == 3 {
            control.stop();
        }
        judge(line, SETTINGS, &means.tables, &control).map(Some)
    };
    let done = |fixture: &Fixture, _: Record| {
        games.push(fixture.number);
        Ok::<(), SolverError>(())
    };
    plan.play_all(&plan.fixtures(), 1, &control, make, judge, done).unwrap();
    assert_eq!(games, [0, 1, 2]);
}
