//! All openings of a board: plies when both place as they like, and how long solving takes.

use std::sync::Arc;
use std::time::Duration;

use crate::support::naive::EveryDuel;
use isolde::analysis::{Task, Work};
use isolde::{Analyst, Control, Player, Position, Question, Settings, Size, Tables};

fn analyst(size: Size) -> Analyst {
    let settings = Settings { memory: Settings::LEAST_MEMORY, ..Settings::default() };
    Analyst::new(settings, &Tables::none(size)).unwrap()
}

/// Plies are odd exactly if the first player wins, who moves first after both placements.
fn best(chooser: Player, options: &[usize]) -> usize {
    let wins = |plies: &&usize| (**plies % 2 == 1) == (chooser == Player::First);
    options.iter().filter(wins).min().or(options.iter().max()).copied().unwrap()
}

#[test]
fn placements_are_chosen_to_win_quickly_or_to_lose_slowly() {
    for (files, ranks) in [(3, 3), (3, 4), (4, 4)] {
        let (size, cells) = (Size::new(files, ranks).unwrap(), files * ranks);
        let every = EveryDuel::new(files, ranks);
        let plies = |first: usize, second: usize| every.plies(((1 << cells) - 1) & !(1 << first) & !(1 << second), first, second);
        let after = |first: usize| {
            let replies: Vec<usize> = (0..cells).filter(|&second| second != first).map(|second| plies(first, second)).collect();
            best(Player::Second, &replies)
        };
        let analyst = analyst(size);
        let openings = analyst.openings(&Position::empty(size), Question::Distance, &Control::unlimited(), || {});
        for first in openings.firsts() {
            assert_eq!(openings.plies_after(first), Some(after(first.index())), "{size} {}", first.index());
        }
        assert_eq!(openings.plies(), Some(best(Player::First, &(0..cells).map(after).collect::<Vec<_>>())), "{size}");
        let without =
            analyst.openings(&Position::empty(size), Question::Winner, &Control::with_time(Some(Duration::ZERO)), || {});
        assert_eq!(without.plies(), None);
    }
}

#[test]
fn long_work_is_estimated_with_the_speed_that_was_measured() {
    let start = Position::empty(Size::new(9, 9).unwrap());
    let analyst = analyst(start.size());
    for (task, classes) in [(Task::Openings(Question::Winner), 846), (Task::Weak, 15)] {
        let control = Arc::new(Control::unlimited());
        let expected = analyst.expect(&start, task, &control, Duration::from_millis(500)).unwrap();
        assert_eq!((expected.classes, expected.at_hand), (classes, 0));
        let Work::Estimated { nodes, rate, measured } = expected.work else { panic!("{expected:?}") };
        assert!(0.0 < nodes.least && nodes.least < nodes.likely && nodes.likely < nodes.most, "{nodes:?}");
        assert!(rate > 0.0 && measured > 0.0);
        control.stop();
        assert!(analyst.expect(&start, task, &control, Duration::from_secs(1)).is_err());
    }
}
