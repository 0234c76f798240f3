//! An analysis that was stopped goes on where it was: nothing is lost, nothing is proven again, and
//! in the end the answer is the same.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::analysis::{Place, analyse, analyst, positions};
use crate::support::folder;
use crate::support::naive::EveryDuel;
use crate::support::tables::{opening_table, strong_table};
use isolde::{Analysis, Analyst, Cell, Control, Known, Position, Request, Size, Value};

fn size(files: usize, ranks: usize) -> Size {
    Size::new(files, ranks).unwrap()
}

fn resume(analyst: &Analyst, so_far: &Analysis, position: &Place, request: Request, control: Control) -> Analysis {
    let mut before = so_far.clone();
    let mut check = |after: &Analysis| {
        is_no_worse(&before, after);
        before = after.clone();
    };
    let last = analyst.resume(so_far, position, request, &Arc::new(control), &mut check);
    check(&last);
    last
}

fn at_hand(analyst: &Analyst, position: &Place) -> Analysis {
    let stopped = Control::unlimited();
    stopped.stop();
    analyst.analyse(position, Request::everything(), &Arc::new(stopped), |_| {})
}

/// Whatever was known is still known.
fn is_no_worse(before: &Analysis, after: &Analysis) {
    let keeps = |before: &Option<Known>, after: &Option<Known>| match (before, after) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(before), Some(after)) => before.value == after.value && (before.count.is_none() || before.plies() == after.plies()),
    };
    let by_cell = |analysis: &Analysis| -> BTreeMap<Cell, Option<Known>> {
        analysis.moves.iter().map(|judged| (judged.to, judged.known.clone())).collect()
    };
    assert!(keeps(&before.known, &after.known), "{before:?} {after:?}");
    for ((to, before), (same, after)) in by_cell(before).iter().zip(by_cell(after).iter()) {
        assert!(to == same && keeps(before, after), "{before:?} {after:?}");
    }
    if before.line.first() == after.line.first() && before.known.is_some() {
        let worth = |analysis: &Analysis| (analysis.line_complete, analysis.line_optimal, analysis.line.len());
        assert!(worth(before) <= worth(after), "{before:?} {after:?}");
    }
    assert!(before.nodes <= after.nodes && before.seconds <= after.seconds);
    assert!(before.tables.iter().all(|table| after.tables.contains(table)));
}

type Result = Option<(Value, Option<usize>)>;

/// What an answer says: of the position, of every move in their order, and the line. What was found
/// in several ways may have the origin of either of them.
#[derive(PartialEq, Debug)]
struct Said<'a> {
    result: Result,
    moves: Vec<(Cell, Result)>,
    line: &'a [Cell],
    complete: bool,
    optimal: bool,
}

fn answer(analysis: &Analysis) -> Said<'_> {
    let result = |known: &Option<Known>| known.as_ref().map(|known| (known.value, known.plies()));
    Said {
        result: result(&analysis.known),
        moves: analysis.moves.iter().map(|judged| (judged.to, result(&judged.known))).collect(),
        line: &analysis.line,
        complete: analysis.line_complete,
        optimal: analysis.line_optimal,
    }
}

/// Random positions of several boards, placements included.
fn samples() -> Vec<(Size, Vec<Place>)> {
    let boards = [(1, 1, 1), (3, 3, 4), (3, 4, 5), (4, 4, 4), (3, 5, 2), (4, 5, 2), (5, 5, 1)];
    let sample = |(files, ranks, games)| {
        let empty = Position::empty(size(files, ranks));
        let mut sample = positions(&empty, games, 5 + files as u64);
        // To count all plies of the larger boards from the empty board takes long.
        sample.retain(|position| position.is_duel() || files * ranks <= 16);
        (empty.size(), sample)
    };
    boards.into_iter().map(sample).collect()
}

/// Turn by turn with more nodes, each turn by the same analyst or by a new one: the answer is never
/// worse than before, and the last is that of an analysis without a limit.
#[test]
fn an_interrupted_analysis_ends_like_any_other() {
    for (size, positions) in samples() {
        for (number, position) in positions.iter().enumerate() {
            let first = analyst(size, 1, &[]);
            for request in [Request::everything(), Request::winners()] {
                let whole = analyse(&analyst(size, 1, &[]), position, request);
                let mut so_far = at_hand(&first, position);
                for doubled in 0.. {
                    let again = (number % 2 == 0).then(|| analyst(size, 1, &[]));
                    let nodes = 1 << doubled;
                    so_far = resume(again.as_ref().unwrap_or(&first), &so_far, position, request, Control::with_nodes(nodes));
                    if nodes > 2 * whole.nodes + 2_000 {
                        break;
                    }
                }
                assert_eq!(answer(&so_far), answer(&whole), "{}", position.setup());
                assert_eq!(
                    so_far.is_complete(),
                    request == Request::everything() || so_far.moves.is_empty() || all_counted(&so_far)
                );
            }
        }
    }
}

fn all_counted(analysis: &Analysis) -> bool {
    let counted = |known: &Option<Known>| known.as_ref().is_some_and(|known| known.count.is_some());
    analysis.line_optimal && analysis.moves.iter().all(|judged| counted(&judged.known))
}

/// The same with tables, which know everything or only the openings.
#[test]
fn tables_and_earlier_work_add_up() {
    let (strong, opening) = (folder(), folder());
    let (size, every) = (size(4, 4), EveryDuel::new(4, 4));
    strong_table(size, &every, strong.path());
    opening_table(size, &every, 4, opening.path());
    for position in positions(&Position::empty(size), 4, 8) {
        let with_strong = analyst(size, 1, &[strong.path()]);
        let all = at_hand(&with_strong, &position);
        assert!(all.is_complete() && all.nodes == 0, "{}", position.setup());
        let with_opening = analyst(size, 1, &[opening.path()]);
        let whole = analyse(&analyst(size, 1, &[opening.path()]), &position, Request::everything());
        let some = at_hand(&with_opening, &position);
        let few = resume(&with_opening, &some, &position, Request::everything(), Control::with_nodes(20));
        let rest = resume(&with_opening, &few, &position, Request::everything(), Control::unlimited());
        assert_eq!(answer(&rest), answer(&whole), "{}", position.setup());
        // Whoever proved it: an analyst without tables goes on with what one with tables found.
        let without = resume(&analyst(size, 1, &[]), &all, &position, Request::everything(), Control::unlimited());
        assert_eq!(answer(&without), answer(&all));
        assert_eq!(without.nodes, 0);
    }
}

/// A complete answer stays as it is, and a solver that knows nothing has nothing to do.
#[test]
fn nothing_is_left_to_do_when_an_analysis_is_complete() {
    let mut complete = 0;
    for (size, positions) in samples() {
        for position in &positions {
            let solver = analyst(size, 1, &[]);
            let [all, winners] = [Request::everything(), Request::winners()].map(|request| analyse(&solver, position, request));
            assert!(all.is_complete(), "{}", position.setup());
            let again = resume(&analyst(size, 1, &[]), &all, position, Request::everything(), Control::unlimited());
            assert_eq!(again.nodes, all.nodes, "{}", position.setup());
            assert_eq!(answer(&again), answer(&all), "{}", position.setup());
            let again = resume(&analyst(size, 1, &[]), &winners, position, Request::winners(), Control::unlimited());
            assert_eq!(again.nodes, winners.nodes, "{}", position.setup());
            assert_eq!(answer(&again), answer(&winners), "{}", position.setup());
            let at_hand = at_hand(&solver, position);
            complete += usize::from(at_hand.is_complete());
            if at_hand.is_complete() {
                assert_eq!(answer(&at_hand), answer(&all), "{}", position.setup());
            }
        }
    }
    assert!(complete > 5, "the ends of games are at hand");
}

/// Only what is missing is asked for: one move, as if it were the only question.
#[test]
fn what_is_known_is_not_proven_again() {
    let size = size(5, 5);
    let mut asked = 0;
    for position in positions(&Position::empty(size), 3, 4).iter().filter(|position| position.is_duel()) {
        let all = analyse(&analyst(size, 1, &[]), position, Request::everything());
        for missing in 0..all.moves.len() {
            let mut so_far = all.clone();
            so_far.moves[missing].known = None;
            let rest = resume(&analyst(size, 1, &[]), &so_far, position, Request::everything(), Control::unlimited());
            assert_eq!(answer(&rest).moves, answer(&all).moves);
            let control = Arc::new(Control::unlimited());
            let next = position.play(all.moves[missing].to).unwrap();
            let one = Request { plies: Some(Duration::MAX), line: Duration::ZERO, every_move: false };
            let _ = analyst(size, 1, &[]).analyse(&next, one, &control, |_| {});
            assert!(rest.nodes - all.nodes <= 2 * control.nodes() + 64, "{} nodes, {}", rest.nodes - all.nodes, control.nodes());
            asked += usize::from(rest.nodes > all.nodes);
        }
    }
    assert!(asked > 20, "some moves take a search");
}

/// Before the placements, plies are counted only if the time may suffice. Then there is nothing
/// left to do without them.
#[test]
fn plies_that_would_not_be_counted_are_not_missing() {
    let (moment, hour) = (Duration::from_millis(200), Duration::from_secs(3600));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
    for text in ["6x6", "6x6: c3", "7x7", "7x7: d4"] {
        let position: Place = text.parse().unwrap();
        let analyst = analyst(position.size(), 2, &[&folder]);
        let winners = analyse(&analyst, &position, Request::winners());
        assert_eq!((winners.plies(), winners.is_complete()), (None, false), "{text}");
        assert!(winners.is_complete_within(moment), "{text}");
        assert!(!winners.is_complete_within(hour), "{text}");
        let again = resume(&analyst, &winners, &position, Request::everything(), Control::with_time(Some(moment)));
        assert_eq!(answer(&again), answer(&winners), "{text}");
        assert_eq!(again.nodes, winners.nodes, "{text}");
    }
    let small: Place = "3x4".parse().unwrap();
    let winners = analyse(&analyst(small.size(), 1, &[]), &small, Request::winners());
    assert_eq!([winners.is_complete_within(moment), winners.is_complete()], [false, false], "these plies are counted");
    assert!(winners.known.is_some_and(|known| known.value == Value::Loss));
}

#[test]
#[should_panic(expected = "another position")]
fn only_the_same_position_can_be_resumed() {
    let [one, other] = ["4x4: a1 b3", "4x4: a1 b4"].map(|text| text.parse::<Place>().unwrap());
    let analyst = analyst(one.size(), 1, &[]);
    let so_far = analyse(&analyst, &one, Request::winner());
    let _ = analyst.resume(&so_far, &other, Request::winner(), &Arc::default(), |_| {});
}
