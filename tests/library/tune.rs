//! Examples of the cost of moves, and the fit of the network to them.

use std::ops::RangeInclusive;

use isolde::solve::Searched;
use isolde::tune::{Example, Fit, Sampling, source};
use isolde::{Board, Control, Size};

use crate::support::naive::Recursion;

fn sampling(files: usize, ranks: usize, free: RangeInclusive<usize>, games: u64) -> Sampling {
    Sampling { size: Size::new(files, ranks).unwrap(), free, games: 0..games, seed: 7, nodes: 1_000_000 }
}

fn examples(sampling: &Sampling) -> Vec<Example> {
    sampling.run(&Control::unlimited()).unwrap()
}

/// What the examples say about their moves is what the oracle says, on boards of both words.
#[test]
fn examples_are_true_and_survive_being_written() {
    let mut seen = 0;
    for sampling in [sampling(5, 5, 15..=17, 40), sampling(4, 6, 16..=18, 40)] {
        let board = Board::<u64>::new(sampling.size).unwrap();
        let mut oracle = Recursion::new(sampling.size.files(), sampling.size.ranks());
        for example in examples(&sampling) {
            let duel = example.duel;
            assert!(sampling.free.contains(&duel.free.len()));
            assert_eq!(board.colour(duel.mover), board.colour(duel.other), "the hunter is to move");
            assert_eq!(example.moves.len(), (board.knight_moves(duel.mover) & duel.free.convert()).len());
            for found in &example.moves {
                let after = duel.play_unchecked(found.to);
                let loses = oracle.mover_wins(after.free.word() as u64, after.mover.index(), after.other.index());
                assert_eq!(found.searched, if loses { Searched::Loses } else { Searched::Wins }, "{example}");
            }
            assert_eq!(example.to_string().parse(), Ok(example));
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen} examples show little");
}

#[test]
fn the_same_seed_gives_the_same_examples_and_weights() {
    let few = sampling(6, 6, 26..=30, 20);
    let sampled = examples(&few);
    assert_eq!(sampled, examples(&few));
    assert_ne!(sampled, examples(&Sampling { seed: 8, ..few.clone() }));
    // Every game is independent of all others.
    let parts = [0..7, 7..20].map(|games| examples(&Sampling { games, ..few.clone() }));
    assert_eq!(sampled, parts.concat());
    let fit = |seed| Fit::new(&sampled, 3, seed, |_| ()).unwrap();
    assert_eq!(source(&fit(1)), source(&fit(1)));
    assert_ne!(source(&fit(1)), source(&fit(2)));
}

/// With enough rounds, the order that was learnt is better on the examples themselves than no
/// order, and the loss falls.
#[test]
fn a_fit_learns() {
    let sampled = examples(&sampling(6, 6, 26..=30, 60));
    let mut losses = Vec::new();
    let fit = Fit::new(&sampled, 30, 1, |loss| losses.push(loss)).unwrap();
    assert_eq!(losses.len(), 30);
    assert!(losses[29] < 0.8 * losses[0], "{losses:?}");
    let [learnt, held_out] = fit.examples();
    assert_eq!(learnt + held_out, sampled.len());
    assert!(held_out > 0 && learnt > held_out);
    assert_eq!(fit.report().iter().map(|row| row.examples).sum::<usize>(), held_out);
    assert!(fit.report().iter().flat_map(|row| row.chosen).all(|times| times >= 1.0));
    assert!(Fit::new(&sampled[..9], 1, 1, |_| ()).is_none());
    assert!(Fit::new(&sampled[..10], 1, 1, |_| ()).is_some());
}

#[test]
fn a_stopped_sampling_has_no_examples() {
    let control = Control::unlimited();
    control.stop();
    assert!(sampling(5, 5, 17..=17, 10).run(&control).is_err());
}

#[test]
fn lines_that_are_no_examples_are_refused() {
    let good = "4x4 a1 d4 7ffe  c2+12 b3?96";
    assert_eq!(good.parse::<Example>().unwrap().to_string(), good);
    let bad = [
        "",
        "4x4",
        "4x4 a1 d4",
        "4x4 a1 a1 7ffe c2+12 b3?96",
        "4x4 a1 c4 7ffe c2+12 b3?96",
        "4x4 a1 d4 7ffe",
        "4x4 a1 d4 7ffe c2+12",
        "4x4 a1 d4 7ffe c2+12 b3?96 c2+12",
        "4x4 a1 d4 7ffe c2+12 b2?96",
        "4x4 a1 d4 7ffe c2+12 b3?0",
        "4x4 a1 d4 7ffe c2+12 b3",
        "4x4 a1 d4 7ffe c2+12 b3?",
        "4x4 a1 d4 7ffe c2+12 b3+-1",
        "4x4 a1 d4 7ffe c2+12 +5",
        "4x4 a1 d4 7ffe c2+12 e9+1",
        "4x4 a1 d4 7ffe c2+12 é3+1",
        "4x4 a1 d4 ffff c2+12 b3?96",
        "4x4 a1 d4 17ffe c2+12 b3?96",
        "4x4 a1 d4 xyz c2+12 b3?96",
        "99x4 a1 d4 7ffe c2+12 b3?96",
        "4x4 a1 d4 7ffe c2+12 b3?99999999999999999999",
    ];
    for line in bad {
        let fault = line.parse::<Example>().unwrap_err();
        assert!(fault.to_string().starts_with("not an example") && fault.to_string().contains(good), "{line}: {fault}");
    }
    for end in 0..good.len() {
        let _ = good[..end].parse::<Example>();
    }
}
