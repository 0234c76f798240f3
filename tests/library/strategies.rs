//! Rules, arguments, symmetric positions and openings, compared with the naive oracle.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::support::generators::{any_duel, at, cell, position};
use crate::support::naive::EveryDuel;
use crate::support::oracle::{At, Game};
use isolde::solve::{Opening, mirror};
use isolde::strategies::{
    Argument, Asymmetry, Bounds, CheckEnd, CheckLimit, Exhaustion, LaggedArgument, MIRRORS, Reachable, Rule, RuleKind, exhaust,
};
use isolde::{Analyst, Board, Control, Duel, Player, Position, Question, Settings, Size, Symmetries, Symmetry, Tables, Value};
use proptest::prelude::*;

fn bounds(most_positions: u64, control: &Control) -> Bounds<'_> {
    Bounds { most_positions, control, tell: &|_| {} }
}

const MANY: u64 = 1 << 32;

fn size(files: usize, ranks: usize) -> Size {
    Size::new(files, ranks).unwrap()
}

/// The image of one of the oracle's cells, written down from the meaning of the mirror's name.
pub(crate) fn image(game: &Game, mirror: Symmetry, (file, rank): At) -> At {
    let (last_file, last_rank) = (game.files - 1, game.ranks - 1);
    match mirror {
        Symmetry::Center => (last_file - file, last_rank - rank),
        Symmetry::Vertical => (last_file - file, rank),
        Symmetry::Horizontal => (file, last_rank - rank),
        Symmetry::Diagonal => (rank, file),
        Symmetry::Antidiagonal => (last_rank - rank, last_file - file),
        other => panic!("{other} is no mirror"),
    }
}

/// The least number of plies after which the rule has no reply. `None` if it always has one.
pub(crate) fn plies_until_broken(
    game: &Game,
    kind: RuleKind,
    mirror: Symmetry,
    known: &mut HashMap<Game, Option<usize>>,
) -> Option<usize> {
    if let Some(&plies) = known.get(game) {
        return plies;
    }
    let mut least: Option<usize> = None;
    for to in game.moves() {
        let wanted = match kind {
            RuleKind::Mirror => Some(image(game, mirror, to)),
            RuleKind::Lagged => game.knights[game.turn].map(|from| image(game, mirror, from)),
        };
        let after = game.after(to);
        let plies = match wanted.filter(|reply| after.moves().contains(reply)) {
            None => Some(1),
            Some(reply) => plies_until_broken(&after.after(reply), kind, mirror, known).map(|plies| plies + 2),
        };
        least = least.into_iter().chain(plies).min();
    }
    known.insert(game.clone(), least);
    least
}

fn check(kind: RuleKind, mirror: Symmetry, start: &Position) -> Exhaustion {
    exhaust(&Rule::new(kind, mirror, start.size()), start, bounds(MANY, &Control::unlimited()), |_| Ok(false))
}

/// The check must agree with the oracle. Where the rule breaks, the line must be legal, as short as
/// possible, and end with a move that has no reply.
fn compare(kind: RuleKind, mirror: Symmetry, game: &Game, known: &mut HashMap<Game, Option<usize>>) {
    let start = position(game);
    let found = check(kind, mirror, &start);
    let place = format!("{kind:?} {mirror} {}", start.setup());
    let expected = plies_until_broken(game, kind, mirror, known);
    assert_eq!(found.player, !start.turn(), "{place}");
    match found.end {
        CheckEnd::Wins => assert_eq!(expected, None, "{place}"),
        CheckEnd::Unknown(limit) => panic!("{place}: {limit}"),
        CheckEnd::Breaks(broken) => {
            assert_eq!(expected, Some(broken.moves.len()), "{place}");
            let mut played = game.clone();
            // Where the opponent stood before its last move.
            let mut left = None;
            for (ply, &to) in broken.moves.iter().enumerate() {
                let to = at(start.size(), to);
                if ply % 2 == 1 {
                    let answered = match kind {
                        RuleKind::Mirror => Some(at(start.size(), broken.moves[ply - 1])),
                        RuleKind::Lagged => left,
                    };
                    assert_eq!(Some(to), answered.map(|cell| image(game, mirror, cell)), "{place}");
                } else {
                    left = played.knights[played.turn];
                }
                assert!(played.moves().contains(&to), "{place}");
                played = played.after(to);
            }
            let reply = broken.reply.map(|reply| at(start.size(), reply));
            assert!(!played.moves().iter().any(|&to| Some(to) == reply), "{place}: the reply can be played");
        }
    }
}

fn mirrors_of(size: Size) -> impl Iterator<Item = Symmetry> {
    MIRRORS.into_iter().filter(move |mirror| mirror.fits(size))
}

#[test]
fn mirrors_break_where_the_oracle_breaks_them_from_every_opening() {
    for (files, ranks) in [(1, 1), (1, 2), (1, 5), (2, 3), (3, 1), (3, 3), (3, 4), (4, 3), (4, 4), (3, 5)] {
        let empty = Game::empty(files, ranks);
        for mirror in mirrors_of(size(files as usize, ranks as usize)) {
            let mut known = HashMap::new();
            compare(RuleKind::Mirror, mirror, &empty, &mut known);
            for first in empty.moves() {
                let placed = empty.after(first);
                compare(RuleKind::Mirror, mirror, &placed, &mut known);
                for second in placed.moves() {
                    compare(RuleKind::Mirror, mirror, &placed.after(second), &mut known);
                }
            }
        }
    }
}

#[test]
fn followers_break_where_the_oracle_breaks_them_and_win_where_the_argument_says_so() {
    let mut argued = 0;
    for (files, ranks) in [(3, 3), (3, 4), (4, 4), (3, 5), (5, 3), (5, 5)] {
        let empty = Game::empty(files, ranks);
        let size = size(files as usize, ranks as usize);
        for mirror in mirrors_of(size) {
            let mut known = HashMap::new();
            for first in empty.moves() {
                for second in empty.after(first).moves() {
                    // On 5x5 only openings with the centre are small enough for the oracle.
                    if size.cells() < 25 || (second == (2, 2) && mirror == Symmetry::Center && first.1 == 0) {
                        compare(RuleKind::Lagged, mirror, &empty.after(first).after(second), &mut known);
                    }
                    let opening = Opening { first: cell(size, first), second: cell(size, second) };
                    if LaggedArgument::new(size, mirror, opening).second_wins() {
                        let start = position(&empty.after(first).after(second));
                        assert_eq!(check(RuleKind::Lagged, mirror, &start).end, CheckEnd::Wins, "{size} {opening:?}");
                        argued += 1;
                    }
                }
            }
        }
    }
    assert_eq!(argued, 4 + 4 + 8, "the centre of 3x5, 5x3 and 5x5 with the cells a knight's move away from it");
}

/// The number of positions of a check, counted by the oracle round by round: those that the rule
/// can lead to with the opponent to move. Positions that differ only in dead cells count once.
fn positions_of(kind: RuleKind, mirror: Symmetry, start: &Game) -> u64 {
    let mut round: Vec<Game> = vec![start.clone()];
    let mut positions = 0;
    while !round.is_empty() {
        positions += round.len() as u64;
        let mut next: HashMap<(Vec<At>, [Option<At>; 2]), Game> = HashMap::new();
        for game in &round {
            for to in game.moves() {
                let after = game.after(to);
                let reply = match kind {
                    RuleKind::Mirror => image(game, mirror, to),
                    RuleKind::Lagged => image(game, mirror, game.knights[game.turn].expect("placed")),
                };
                let game = after.after(reply);
                let mut live: Vec<At> = game.knights.iter().flatten().flat_map(|&knight| game.region(knight)).collect();
                live.sort_unstable();
                live.dedup();
                next.insert((live, game.knights), game);
            }
        }
        round = next.into_values().collect();
    }
    positions
}

#[test]
fn positions_are_counted_as_the_oracle_counts_them() {
    let counted = |kind, mirror, game: &Game| {
        let found = check(kind, mirror, &position(game));
        assert_eq!((found.positions, found.end), (positions_of(kind, mirror, game), CheckEnd::Wins), "{mirror}");
    };
    counted(RuleKind::Mirror, Symmetry::Center, &Game::empty(1, 2));
    for (files, ranks) in [(2, 2), (4, 3), (4, 4), (4, 5)] {
        counted(RuleKind::Mirror, Symmetry::Center, &Game::empty(files, ranks));
        counted(RuleKind::Mirror, Symmetry::Vertical, &Game::empty(files, ranks));
    }
    counted(RuleKind::Lagged, Symmetry::Center, &Game::empty(5, 5).after((1, 0)).after((2, 2)));
}

#[test]
fn a_mirror_wins_a_board_exactly_where_the_argument_says_so() {
    for size in Size::every().filter(|size| (2..=20).contains(&size.cells())) {
        for mirror in mirrors_of(size) {
            let wins = check(RuleKind::Mirror, mirror, &Position::empty(size)).end == CheckEnd::Wins;
            assert_eq!(wins, Argument::new(size, mirror).second_wins(), "{size} {mirror}");
        }
    }
}

#[test]
fn limits_leave_a_check_unknown_and_forgiveness_lets_it_go_on() {
    let start = Position::empty(size(6, 6));
    let rule = Rule::new(RuleKind::Mirror, Symmetry::Center, start.size());
    let few = exhaust(&rule, &start, bounds(1000, &Control::unlimited()), |_| Ok(false));
    assert!(matches!(few.end, CheckEnd::Unknown(_)) && few.positions <= 1000);
    let stopped = Control::unlimited();
    stopped.stop();
    let stopped = exhaust(&rule, &start, bounds(MANY, &stopped), |_| Ok(false));
    assert_eq!((stopped.positions, stopped.end), (1, CheckEnd::Unknown(CheckLimit::Stopped)), "only the start was visited");
    // On 3x3 the only placement without a reply is the one in the middle.
    let start = Position::empty(size(3, 3));
    let rule = Rule::new(RuleKind::Mirror, Symmetry::Center, start.size());
    let mut asked = Vec::new();
    let forgiven = exhaust(&rule, &start, bounds(MANY, &Control::unlimited()), |position| {
        asked.push(position.setup().to_string());
        Ok(true)
    });
    assert_eq!((forgiven.end, asked), (CheckEnd::Wins, vec!["3/1N1/3 b".to_string()]));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let start = Position::new(isolde::notation::parse("7x7: a1 d4 b3 f5").unwrap()).unwrap();
    let found = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let rule = Rule::new(RuleKind::Mirror, Symmetry::Center, start.size());
            // Early breaks are forgiven, so that the check goes deep.
            exhaust(&rule, &start, bounds(200_000, &Control::unlimited()), |position| Ok(position.free().len() > 25))
        })
    });
    assert_eq!(found[0], found[1]);
    assert!(matches!(&found[0].end, CheckEnd::Breaks(broken) if broken.moves.len() > 15), "{:?}", found[0].end);
}

/// Whether a mirror decides a duel, computed with the oracle.
fn is_decided(game: &Game, mirror: Symmetry) -> bool {
    let [Some(first), Some(second)] = game.knights else { return false };
    let live: BTreeSet<At> = game.region(first).into_iter().chain(game.region(second)).collect();
    image(game, mirror, first) == second
        && image(game, mirror, second) == first
        && live.iter().all(|&cell| live.contains(&image(game, mirror, cell)) && image(game, mirror, cell) != cell)
}

#[test]
fn every_position_that_play_leads_to_has_its_value_and_its_symmetry() {
    for (files, ranks) in [(1, 3), (2, 3), (3, 3), (3, 4), (4, 4)] {
        let board_size = size(files as usize, ranks as usize);
        let reachable = Reachable::new(Board::new(board_size).unwrap(), &Control::unlimited()).unwrap();
        let every = EveryDuel::new(files as usize, ranks as usize);
        let symmetries = Symmetries::new(reachable.board());
        let (mut seen, mut canonical) = (HashSet::new(), HashSet::new());
        let mut waiting: Vec<Game> = Vec::new();
        let empty = Game::empty(files, ranks);
        for first in empty.moves() {
            waiting.extend(empty.after(first).moves().into_iter().map(|second| empty.after(first).after(second)));
        }
        while let Some(game) = waiting.pop() {
            if !seen.insert(game.clone()) {
                continue;
            }
            let place = position(&game);
            let duel = place.duel().unwrap();
            canonical.insert(symmetries.least_image(duel).duel);
            let plies = every.plies(duel.free.word() as usize, duel.mover.index(), duel.other.index());
            assert_eq!(reachable.value(duel), Some(Value::win_if(plies % 2 == 1)), "{}", place.setup());
            assert_eq!(reachable.turn(duel), Player::BOTH[game.turn]);
            for mirror in mirrors_of(board_size) {
                let asymmetry = Asymmetry::find(reachable.board(), mirror, duel);
                assert_eq!(asymmetry.is_none(), is_decided(&game, mirror), "{mirror} {}", place.setup());
                assert!(asymmetry.is_some() || plies.is_multiple_of(2), "a mirror decides for the other");
            }
            waiting.extend(game.moves().into_iter().map(|to| game.after(to)));
        }
        assert_eq!(reachable.len(), canonical.len());
        let listed: HashSet<Duel<u64>> = reachable.iter().map(|(duel, _)| duel).collect();
        assert_eq!(listed, canonical);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// `Asymmetry::find` and the solver's own test agree on whether a mirror decides a duel.
    #[test]
    fn symmetry_breaks_exactly_where_no_mirror_decides((board, duel) in any_duel::<u64>()) {
        let symmetries = Symmetries::new(&board);
        let mut mirrors = symmetries.iter().filter(|symmetry| MIRRORS.contains(symmetry));
        let decided = mirrors.any(|mirror| Asymmetry::find(&board, mirror, duel).is_none());
        prop_assert_eq!(mirror(&symmetries, duel.without_dead_cells(&board)).is_some(), decided);
        // Make the duel symmetric: the other stands on the image of the mover's cell, and only
        // pairs of free cells stay free.
        for by in symmetries.iter().filter(|by| MIRRORS.contains(by)) {
            let other = symmetries.cell(by, duel.mover);
            if other != duel.mover {
                let free = duel.free.without(other).without(duel.mover);
                let free = (free & symmetries.set(by, free)).except(symmetries.fixed_cells(by));
                let symmetric = Duel { mover: duel.mover, other, free };
                prop_assert_eq!(Asymmetry::find(&board, by, symmetric), None);
                prop_assert!(mirror(&symmetries, symmetric.without_dead_cells(&board)).is_some());
            }
        }
    }
}

#[test]
fn openings_have_the_oracles_winners_and_are_counted_once() {
    for (files, ranks) in [(1, 1), (1, 4), (3, 3), (3, 4), (4, 3), (4, 4)] {
        let every = EveryDuel::new(files, ranks);
        let size = size(files, ranks);
        let board = Board::<u64>::new(size).unwrap();
        let analyst = Analyst::new(Settings::default(), &Tables::none(size)).unwrap();
        let openings = analyst.openings(&Position::empty(size), Question::Winner, &Control::unlimited(), || {});
        let (mut counts, mut second_always_wins) = (HashMap::new(), true);
        for first in board.cells() {
            let mut some_reply_wins = false;
            for second in board.cells().without(first) {
                let opening = Opening { first, second };
                let duel = opening.duel(board.cells());
                let plies = every.plies(duel.free.word() as usize, duel.mover.index(), duel.other.index());
                let winner = if plies % 2 == 1 { Player::First } else { Player::Second };
                let one_colour = board.colour(first) == board.colour(second);
                let class = openings.class_of(opening).unwrap();
                assert_eq!(class.winner(), Some(winner));
                assert_eq!((class.first_hunts, class.breaks_colour_law()), (one_colour, one_colour != (winner == Player::First)));
                *counts.entry((one_colour, winner)).or_insert(0) += 1;
                some_reply_wins |= winner == Player::Second;
            }
            second_always_wins &= some_reply_wins;
        }
        assert_eq!(openings.winner(), Some(if second_always_wins { Player::Second } else { Player::First }));
        for one_colour in [true, false] {
            for winner in Player::BOTH {
                let counted = counts.get(&(one_colour, winner)).copied().unwrap_or(0);
                assert_eq!(openings.count(one_colour, Some(winner)), counted);
            }
            assert_eq!(openings.count(one_colour, None), 0);
        }
    }
    let analyst = Analyst::new(Settings::default(), &Tables::none(size(5, 7))).unwrap();
    let stopped = Control::unlimited();
    stopped.stop();
    let unknown = analyst.openings(&Position::empty(size(5, 7)), Question::Winner, &stopped, || {});
    assert!(!unknown.is_complete() && unknown.winner().is_none());
}
