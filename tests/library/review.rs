//! The review of a line of play, against every position of a small board.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use proptest::strategy::ValueTree;

use crate::support::naive::EveryDuel;
use isolde::arena::Review;
use isolde::notation::{Written, cell_name};
use isolde::{Analyst, Control, Player, Position, Settings, Size, Tables};

fn analyst(size: Size) -> Analyst {
    let settings = Settings { memory: Settings::LEAST_MEMORY, ..Settings::default() };
    Analyst::new(settings, &Tables::none(size)).unwrap()
}

/// Who wins a position of 4x4, both knights placed.
fn winner(every: &EveryDuel, position: &Position) -> Player {
    let free = position.free().into_iter().fold(0, |free, cell| free | 1 << cell.index());
    let knight = |player| position.knight(player).unwrap().index();
    let plies = every.plies(free, knight(position.turn()), knight(!position.turn()));
    if plies % 2 == 1 { position.turn() } else { !position.turn() }
}

/// A game of random moves to its end.
fn random_game(size: Size, choices: &[usize]) -> Vec<Position> {
    let mut positions = vec![Position::empty(size)];
    for choice in choices {
        let last = &positions[positions.len() - 1];
        let moves: Vec<_> = last.legal_moves().into_iter().collect();
        let Some(&to) = moves.get(choice % moves.len().max(1)) else { break };
        positions.push(last.play(to).unwrap());
    }
    positions
}

#[test]
fn every_ply_has_its_true_value_and_every_blunder_its_better_moves() {
    let size = Size::new(4, 4).unwrap();
    let (every, analyst) = (EveryDuel::new(4, 4), analyst(size));
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut blunders = 0;
    for _ in 0..200 {
        let choices = prop::collection::vec(0..1000usize, 16).new_tree(&mut runner).unwrap().current();
        let positions = random_game(size, &choices);
        let moves: Vec<_> = positions.windows(2).map(|pair| pair[1].knight(pair[0].turn()).unwrap()).collect();
        let line: String = moves.iter().map(|&to| format!(" {}", cell_name(size, to))).collect();
        let asked: Written = format!("{size}:{line}").parse().unwrap();
        let review = Review::new(&asked, &analyst, &Arc::new(Control::unlimited()));
        assert!(review.complete && review.known_from == 0 && review.line == asked.to_string());
        assert_eq!(review.plies.len(), moves.len());
        for (ply, reviewed) in review.plies.iter().enumerate().skip(1) {
            let (before, after) = (&positions[ply], &positions[ply + 1]);
            assert_eq!((reviewed.ply, reviewed.player), (ply + 1, before.turn()));
            assert_eq!(reviewed.winner, Some(winner(&every, after)), "{line}, ply {ply}");
            let winning = before.legal_moves().into_iter().filter(|&to| {
                let next = before.play(to).unwrap();
                winner(&every, &next) == before.turn()
            });
            let winning: BTreeSet<String> = winning.map(|to| cell_name(size, to)).collect();
            let blunder = !winning.is_empty() && !winning.contains(&reviewed.to);
            assert_eq!(reviewed.blunder, blunder, "{line}, ply {ply}");
            assert_eq!(review.blunders.contains(&(ply + 1)), blunder);
            if blunder {
                assert_eq!(reviewed.better.iter().cloned().collect::<BTreeSet<_>>(), winning);
                blunders += 1;
            } else {
                assert!(reviewed.better.is_empty());
            }
        }
    }
    assert!(blunders > 50, "random players blunder: {blunders}");
}

#[test]
fn a_review_without_time_tells_what_is_at_hand_and_no_more() {
    let asked: Written = "6x7: c3 d4 b5 e6".parse().unwrap();
    let analyst = analyst(asked.position().size());
    let review = Review::new(&asked, &analyst, &Arc::new(Control::with_time(Some(Duration::ZERO))));
    assert!(!review.complete && review.blunders.is_empty());
    assert_eq!(review.known_from, 5, "the last position is not known: {review:?}");
    // The board has an even side, so the second player mirrors.
    assert_eq!(review.start_winner, Some(Player::Second));
}
