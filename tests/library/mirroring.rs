//! What a mirror does in a position, compared with the naive oracle.

use std::collections::{BTreeMap, HashMap};

use crate::analysis::positions;
use crate::strategies::{image, plies_until_broken};
use crate::support::generators::{any_position, cell, game, position};
use crate::support::naive::EveryDuel;
use crate::support::oracle::{At, Game, for_every_position};
use isolde::notation::{Continuation, Written, cell_name};
use isolde::strategies::{Bounds, MIRRORS, Mirroring, RuleKind};
use isolde::{Board, Control, Player, Position, Setup, Size, Symmetries, Symmetry};
use proptest::prelude::*;

fn mirroring(position: &Position, by: Symmetry, most_positions: u64) -> Mirroring {
    let control = Control::unlimited();
    Mirroring::new(
        &Written::Diagram(Continuation::new(position.clone())),
        by,
        Bounds { most_positions, control: &control, tell: &|_| {} },
    )
}

fn asked(text: &str, by: Symmetry) -> Mirroring {
    let control = Control::unlimited();
    Mirroring::new(&text.parse().unwrap(), by, Bounds { most_positions: 200_000, control: &control, tell: &|_| {} })
}

fn name(game: &Game, at: At) -> String {
    let size = Size::new(game.files as usize, game.ranks as usize).unwrap();
    cell_name(size, cell(size, at))
}

/// Everything that is said of a mirror must be what the oracle finds.
fn compare(game: &Game, by: Symmetry, known: &mut HashMap<Game, Option<usize>>) -> Mirroring {
    let position = position(game);
    let found = mirroring(&position, by, 1 << 20);
    let place = format!("{by} {}", position.setup());
    assert!(found.fits && found.player == !position.turn(), "{place}");
    let images: BTreeMap<String, String> =
        game.cells().into_iter().map(|at| (name(game, at), name(game, image(game, by, at)))).collect();
    assert_eq!(found.images, images, "{place}");
    assert_eq!(found.replies.len(), game.moves().len(), "{place}");
    for (to, reply) in game.moves().into_iter().zip(&found.replies) {
        let answer = image(game, by, to);
        assert_eq!((&reply.to, &reply.reply), (&name(game, to), &name(game, answer)), "{place}");
        assert_eq!(reply.legal, game.after(to).moves().contains(&answer), "{place}");
    }
    let expected = plies_until_broken(game, RuleKind::Mirror, by, known);
    assert_eq!(found.holds, Some(expected.is_none()), "{place}");
    assert_eq!(found.breaks.as_ref().map(|line| line.moves.len()), expected, "{place}");
    if let Some(line) = &found.breaks {
        let mut played = game.clone();
        for moved in &line.moves {
            let to = played.moves().into_iter().find(|&to| name(game, to) == *moved).expect("the line is legal");
            played = played.after(to);
        }
        let last = line.moves.last().expect("it has a move");
        let wanted = images.get(last).cloned();
        assert!(!played.moves().iter().any(|&to| Some(name(game, to)) == wanted), "{place}: the reply can be played");
        assert!(line.sentence.starts_with(&format!("After {} the reply would be ", line.moves.join(" "))), "{}", line.sentence);
        assert!(found.asymmetry.is_some() || !position.is_duel(), "{place}: what is symmetric does not break");
    }
    let reaches =
        found.reaches.as_ref().map(|to| game.moves().into_iter().find(|&at| name(game, at) == *to).expect("it is legal"));
    if let Some(to) = reaches {
        assert_eq!(
            plies_until_broken(&game.after(to), RuleKind::Mirror, by, known),
            None,
            "{place}: the mover mirrors from then on"
        );
    }
    found
}

#[test]
fn every_position_of_a_small_board_is_what_the_oracle_says() {
    let (mut holds, mut broken, mut anyway) = (0, 0, 0);
    for (files, ranks) in [(3, 3), (2, 4), (1, 4)] {
        let mirrors = MIRRORS.into_iter().filter(|by| by.fits(Size::new(files as usize, ranks as usize).unwrap()));
        for by in mirrors {
            let mut known = HashMap::new();
            let mut number = 0_u32;
            for_every_position(files, ranks, |game| {
                number += 1;
                // Every seventh, and every one in which nobody or only the first has placed.
                if number.is_multiple_of(7) || game.knights[1].is_none() {
                    let found = compare(game, by, &mut known);
                    holds += u32::from(found.holds == Some(true));
                    broken += u32::from(found.holds == Some(false));
                    let goes_on = !found.replies.is_empty();
                    anyway += u32::from(found.holds == Some(true) && found.asymmetry.is_some() && goes_on);
                }
            });
        }
    }
    assert!(holds > 1000 && broken > 1000 && anyway > 100, "{holds} {broken} {anyway}");
}

/// The player who mirrors wins where the mirror holds: the true values say the same.
#[test]
fn a_mirror_that_holds_wins() {
    let size = Size::new(4, 4).unwrap();
    let every = EveryDuel::new(4, 4);
    let mut held = 0;
    for position in positions(&Position::empty(size), 60, 2) {
        for by in MIRRORS {
            let found = compare(&game(&position), by, &mut HashMap::new());
            if let (Some(true), Some(duel)) = (found.holds, position.duel::<u64>()) {
                let plies = every.plies(duel.free.word() as usize, duel.mover.index(), duel.other.index());
                assert!(plies.is_multiple_of(2), "the mover loses: {}", position.setup());
                held += usize::from(plies > 0);
            }
        }
    }
    assert!(held > 5, "{held}");
}

pub(crate) fn turned(symmetries: &Symmetries<u128>, by: Symmetry, position: &Position) -> Position {
    let setup = position.setup();
    let knights = setup.knights.map(|knight| knight.map(|cell| symmetries.cell(by, cell)));
    Position::new(Setup { blocked: symmetries.set(by, setup.blocked), knights, ..setup }).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// On any board: images of a position give images of the answer. The limits keep the work
    /// small, whatever the position is.
    #[test]
    fn images_of_a_position_give_images_of_the_answer(position in any_position::<u128>()) {
        let symmetries = Symmetries::new(&Board::<u128>::new(position.size()).unwrap());
        for by in MIRRORS {
            let own = mirroring(&position, by, 300);
            prop_assert_eq!(own.fits, by.fits(position.size()));
            prop_assert_eq!(own.player, !position.turn());
            prop_assert!(own.sentence.ends_with('.') && !own.sentence.contains('\n'));
            prop_assert_eq!(own.breaks.is_some(), own.fits && own.holds == Some(false));
            for symmetry in symmetries.iter().filter(|_| own.fits) {
                // The mirror on the other board: turn back, mirror, turn again.
                let conjugate = symmetry.inverse().then(by).then(symmetry);
                let other = mirroring(&turned(&symmetries, symmetry, &position), conjugate, 300);
                let there = |name: &String| {
                    let cell = isolde::notation::parse_cell(position.size(), name).unwrap();
                    cell_name(position.size(), symmetries.cell(symmetry, cell))
                };
                prop_assert_eq!((own.holds, own.player), (other.holds, other.player));
                let lengths = |found: &Mirroring| found.breaks.as_ref().map(|line| line.moves.len());
                prop_assert_eq!(lengths(&own), lengths(&other));
                let mut replies: Vec<_> =
                    own.replies.iter().map(|reply| (there(&reply.to), there(&reply.reply), reply.legal)).collect();
                let mut others: Vec<_> =
                    other.replies.iter().map(|reply| (reply.to.clone(), reply.reply.clone(), reply.legal)).collect();
                replies.sort();
                others.sort();
                prop_assert_eq!(replies, others);
                let cells = |cells: Option<Vec<String>>| cells.map(|mut cells| {
                    cells.sort();
                    cells
                });
                let broken = own.asymmetry.as_ref().map(|broken| broken.cells.iter().map(there).collect());
                prop_assert_eq!(cells(broken), cells(other.asymmetry.map(|broken| broken.cells)));
            }
        }
    }
}

#[test]
fn sentences_say_what_happens() {
    let sentence = |text: &str, by| asked(text, by).sentence;
    assert_eq!(
        sentence("7x7: d4 b3 f5", Symmetry::Center),
        "The first player can answer every move with its image under the half turn, and wins: the knights are images of each \
         other, and the live cells come in pairs of images."
    );
    assert_eq!(
        sentence("6x6", Symmetry::Center),
        "The second player can answer every placement and move with its image under the half turn, and wins: the free cells \
         come in pairs of images."
    );
    assert_eq!(
        sentence("7x7", Symmetry::Vertical),
        "The second player cannot answer every placement and move with its image under reflection in the vertical axis: after \
         d1 the reply would be d1, but that is the cell just played to."
    );
    assert_eq!(
        sentence("5x6", Symmetry::Diagonal),
        "5x6 has no diagonal mirror: reflection in a diagonal exchanges files and ranks, so the board must be square; it has \
         center, vertical, horizontal."
    );
    assert_eq!(sentence("1x1: a1", Symmetry::Center), "The game is over: the second player cannot move.");
    let unfit = asked("5x6: a1 b3", Symmetry::Diagonal);
    assert_eq!((unfit.fits, unfit.holds, unfit.images.len(), unfit.replies.len()), (false, Some(false), 0, 0));
    let few = Bounds { most_positions: 10, control: &Control::unlimited(), tell: &|_| {} };
    let unknown = Mirroring::new(&"*7/8/8/4n3/3N4/8/8/8 w".parse().unwrap(), Symmetry::Center, few);
    assert_eq!((unknown.holds, unknown.breaks), (None, None));
    assert_eq!(
        unknown.sentence,
        "It is not decided whether the second player can answer every move with its image under the half turn: there are more \
         positions than the 10 allowed."
    );
}

#[test]
fn the_answer_is_written_as_data() {
    let data = serde_json::to_value(asked("7x7: d4 b3", Symmetry::Center)).unwrap();
    assert_eq!((&data["asked"], &data["by"], &data["fits"]), (&"7x7: d4 b3".into(), &"center".into(), &true.into()));
    assert_eq!((&data["images"]["a1"], &data["images"]["d4"]), (&"g7".into(), &"d4".into()));
    assert_eq!((&data["holds"], &data["player"]), (&false.into(), &Player::Second.name().into()));
    assert_eq!(data["replies"][0], serde_json::json!({"move": "c2", "reply": "e6", "legal": false}));
    assert_eq!(data["asymmetry"]["cells"], serde_json::json!(["b3", "d4"]));
    assert_eq!(
        data["asymmetry"]["sentence"],
        "The symmetry is broken: the mover stands on d4, whose image is d4, but the other stands on b3."
    );
    assert_eq!(data["breaks"]["moves"], serde_json::json!(["c2"]));
    assert_eq!(data["breaks"]["sentence"], "After c2 the reply would be e6, but that is not a knight's move.");
    assert_eq!(data["reaches"], "f5");
}
