//! Plies and lines of an analysis: what they are counted from, and when a line is best play.

use std::sync::Arc;
use std::time::Duration;

use crate::analysis::{Place, analyse, analyst};
use isolde::{Analysis, Control, Player, Request};

/// The same plies, whichever way they are asked for: those of the opening that both sides choose.
#[test]
fn plies_are_counted_after_both_placements() {
    let plies = |text: &str| {
        let position: Place = text.parse().unwrap();
        analyse(&analyst(position.size(), 2, &[]), &position, Request::everything()).plies()
    };
    assert_eq!((plies("5x5: c3"), plies("5x5: c3 c2"), plies("5x5: c3 c2 a4")), (Some(14), Some(14), Some(13)));
    assert_eq!((plies("4x4"), plies("1x1"), plies("2x2"), plies("2x2: a1")), (Some(12), Some(0), Some(0), Some(0)));
}

/// However large the board: what counts is how many cells are free.
#[test]
fn plies_of_placements_are_counted_where_few_cells_are_free() {
    let position: Place = "****4****/****4****/****4****/****4****/************/************/N*********** b".parse().unwrap();
    let control = Arc::new(Control::with_time(Some(Duration::from_secs(60))));
    let analysis = analyst(position.size(), 1, &[]).analyse(&position, Request::everything(), &control, |_| {});
    assert!(analysis.plies().is_some() && analysis.line_optimal, "{analysis:?}");
}

/// Without plies the winner still wins, and the loser does not walk into a corner: its moves are
/// the same each time, and the line is not called best play.
#[test]
fn a_line_without_plies_is_stubborn_and_says_so() {
    let position: Place = "7x7: d4 b1".parse().unwrap();
    let analyst = analyst(position.size(), 2, &[]);
    let lines: Vec<Analysis> = (0..2).map(|_| analyse(&analyst, &position, Request::winners())).collect();
    assert_eq!(lines[0].line, lines[1].line);
    assert_eq!((lines[0].line_complete, lines[0].line_optimal), (true, false));
    assert_eq!(lines[0].best().map(|best| best.to), lines[0].line.first().copied());
    assert!(lines[0].line.len() > 20, "{:?}", lines[0].line);
    let mut at = position.clone();
    for &to in &lines[0].line {
        at = at.play(to).unwrap();
    }
    assert_eq!(at.winner(), lines[0].winner());
}

/// Whenever the work is stopped: a line is called best play only if the plies of the position are
/// known, and then it has as many.
#[test]
fn best_play_is_never_claimed_without_a_count() {
    let (mut counted, mut open) = (0, 0);
    for text in ["4x5: b2", "5x5: a1 b1", "5x5: c3 c2", "5x6: c2 b5", "5x6: c3 e4 e2 d6", "6x6: c2 b5 d4 d6"] {
        let position: Place = text.parse().unwrap();
        for nodes in (0..22).map(|step| 1 << step) {
            let analyst = analyst(position.size(), 1, &[]);
            let control = Arc::new(Control::with_nodes(nodes));
            let analysis = analyst.analyse(&position, Request::everything(), &control, |_| {});
            let to_place = [Player::First, Player::Second].iter().filter(|&&player| position.knight(player).is_none()).count();
            match (analysis.line_optimal, analysis.plies()) {
                (true, plies) if analysis.line_complete => {
                    assert_eq!(Some(analysis.line.len()), plies.map(|plies| plies + to_place));
                }
                (true, plies) => assert!(plies.is_some(), "{text} after {nodes} nodes: {:?}", analysis.line),
                (false, _) => {}
            }
            *(if analysis.line_optimal { &mut counted } else { &mut open }) += 1;
        }
    }
    assert!(counted > 0 && open > 0, "{counted} counted, {open} open");
}

/// Plies are counted almost to the end of the time: only a moment is kept for the line.
#[test]
fn counting_stops_shortly_before_the_end_of_the_time() {
    let position: Place = "8x8: h8 a1".parse().unwrap();
    let analyst = analyst(position.size(), 1, &[]);
    let control = Arc::new(Control::with_time(Some(Duration::from_secs(2))));
    let analysis = analyst.analyse(&position, Request::everything(), &control, |_| {});
    assert_eq!((analysis.winner(), analysis.plies()), (Some(Player::Second), None));
    assert!(analysis.seconds > 1.6, "three quarters of the time are not all of it: {}", analysis.seconds);
}
