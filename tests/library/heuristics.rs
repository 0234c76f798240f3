//! Every heuristic against a second, plain version of its formula, written with the oracle's
//! coordinates.

use std::sync::Arc;

use crate::analysis::{analyse, analyst, positions};
use crate::mirroring::turned;
use crate::support::generators::{any_position, cell, game};
use crate::support::naive::Recursion;
use crate::support::oracle::{At, Game, is_knight_step};
use isolde::notation::{Continuation, Written, cell_name};
use isolde::play::heuristics::{Heuristic, Opinions, Side, bfs_of, reach_of};
use isolde::{Analysis, Board, Control, Known, Origin, Player, Position, Request, Size, Symmetries, Symmetry, Value, notation};
use proptest::prelude::*;

/// A position as one player sees it.
struct Seen {
    game: Game,
    own: At,
    opponent: At,
}

impl Seen {
    fn moves(&self, from: At) -> Vec<At> {
        self.game.moves_from(from)
    }

    fn count(&self, from: At) -> f64 {
        self.moves(from).len() as f64
    }

    fn all(&self) -> f64 {
        f64::from(self.game.files * self.game.ranks)
    }

    fn blank(&self) -> f64 {
        self.game.cells().into_iter().filter(|&cell| self.game.is_free(cell)).count() as f64
    }

    fn corners(&self, from: At) -> f64 {
        let (files, ranks) = (self.game.files, self.game.ranks);
        let is_corner = |(file, rank): &At| (*file == 0 || *file == files - 1) && (*rank == 0 || *rank == ranks - 1);
        self.moves(from).iter().filter(|cell| is_corner(cell)).count() as f64
    }

    /// Row from the top, column from the left.
    fn place(&self, (file, rank): At) -> (f64, f64) {
        (f64::from(self.game.ranks - 1 - rank), f64::from(file))
    }

    fn off_middle(&self, cell: At) -> (f64, f64) {
        let (row, column) = self.place(cell);
        (row - f64::from(self.game.ranks - 1) / 2.0, column - f64::from(self.game.files - 1) / 2.0)
    }

    /// The distance of each cell in knight moves, through cells for which `open` holds.
    fn distances(&self, from: At, open: impl Fn(At) -> bool) -> Vec<(At, i32)> {
        let mut known = vec![(from, 0)];
        let mut next = 0;
        while next < known.len() {
            let (cell, distance) = known[next];
            for to in self.game.cells() {
                if is_knight_step(cell, to) && open(to) && known.iter().all(|(seen, _)| *seen != to) {
                    known.push((to, distance + 1));
                }
            }
            next += 1;
        }
        known
    }

    fn reach(&self, from: At, ratio: f64) -> f64 {
        let counts = |cell: At| cell == from || self.game.is_free(cell);
        self.distances(from, |_| true).into_iter().filter(|(cell, _)| counts(*cell)).map(|(_, d)| ratio.powi(d)).sum()
    }

    fn bfs(&self, from: At) -> f64 {
        self.distances(from, |cell| self.game.is_free(cell)).into_iter().map(|(_, d)| 1.0 / f64::from(d + 1)).sum()
    }

    fn second_moves(&self, from: At) -> f64 {
        let mut cells: Vec<At> = self.moves(from).into_iter().flat_map(|to| self.moves(to)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.len() as f64
    }

    fn harmonic(&self, from: At, squared: bool) -> f64 {
        (1..=self.moves(from).len()).map(|n| if squared { 1.0 / (n * n) as f64 } else { 1.0 / n as f64 }).sum()
    }

    /// The weight of a side in the centre heuristics: `start`, times `factor` for each move into
    /// the middle.
    fn weight(&self, from: At, start: f64, factor: f64, printed: bool) -> f64 {
        let in_middle = |place: f64, length: i32| {
            let length = f64::from(length);
            if printed { place == (length / 2.0).ceil() } else { (place - (length - 1.0) / 2.0).abs() < 1.0 }
        };
        self.moves(from).into_iter().fold(start, |weight, to| {
            let (row, column) = self.place(to);
            let middle = in_middle(row, self.game.ranks) || in_middle(column, self.game.files);
            if middle { weight * factor } else { weight }
        })
    }

    /// The number of cells that can be reached in exactly one move, plus those in exactly two,
    /// three and four. A cell may be counted several times.
    fn room(&self, from: At) -> f64 {
        let mut there = vec![from];
        let mut sum = 0;
        for _ in 0..4 {
            there = self
                .game
                .cells()
                .into_iter()
                .filter(|&to| self.game.is_free(to) && there.iter().any(|&at| is_knight_step(at, to)))
                .collect();
            sum += there.len();
        }
        sum as f64
    }

    fn score(&self, name: &str) -> f64 {
        let (own, opponent) = (self.own, self.opponent);
        let (moves, others) = (self.count(own), self.count(opponent));
        let late = self.blank() / self.all() < 0.25;
        let ((row, column), (other_row, other_column)) = (self.place(own), self.place(opponent));
        let printed_distance = ((row + other_row).powi(2) + (column + other_column).powi(2)).sqrt();
        let distance = ((row - other_row).powi(2) + (column - other_column).powi(2)).sqrt();
        let steps = (row - other_row).abs() + (column - other_column).abs();
        let off_center = |cell| self.off_middle(cell).0.abs() + self.off_middle(cell).1.abs();
        let nearer = off_center(opponent) - off_center(own);
        let bfs = self.bfs(own) - self.bfs(opponent);
        let linear = self.harmonic(own, false) - self.harmonic(opponent, false);
        let quadratic = self.harmonic(own, true) - self.harmonic(opponent, true);
        let corners = if late { 4.0 } else { 1.0 };
        let centered = |factor, printed| {
            moves * self.weight(own, 1.0, factor, printed) - others * self.weight(opponent, 2.0, factor, printed)
        };
        match name {
            "null" => 0.0,
            "open" => moves,
            "center" => self.off_middle(own).0.powi(2) + self.off_middle(own).1.powi(2),
            "improved" => moves - others,
            "avoid_corners" => (moves - self.corners(own)) - (others + self.corners(opponent)),
            "avoid_corners_fixed" => (moves - self.corners(own)) - (others - self.corners(opponent)),
            "chase" => -printed_distance,
            "chase_fixed" => -distance,
            "weighted_chase" => -printed_distance / if late { 4.0 } else { 1.0 },
            "weighted_chase_fixed" => -distance * if late { 4.0 } else { 1.0 },
            "next_moves" => self.second_moves(own) - self.second_moves(opponent) + moves - others,
            "close_to_center" => nearer,
            "far_from_center" => -nearer,
            "close_to_opponent" => -steps,
            "far_from_opponent" => steps,
            "room" => self.room(own) - self.room(opponent),
            "bfs" => bfs,
            "bfs_close_to_center" => bfs + nearer,
            "bfs_far_from_center" => bfs - nearer,
            "bfs_close_to_opponent" => bfs - steps,
            "bfs_far_from_opponent" => bfs + steps,
            "linear_mobility" => linear,
            "quadratic_mobility" => quadratic,
            "mixed_mobility" => linear * quadratic,
            "mixed_mobility_fixed" if moves < others => -linear * quadratic,
            "mixed_mobility_fixed" => linear * quadratic,
            "offensive" => moves - 2.0 * others,
            "defensive" => 2.0 * moves - others,
            "corner_aware" => moves - corners * self.corners(own) - others + corners * self.corners(opponent),
            "center_weighted" => centered(2.0, true),
            "center_weighted_fixed" => centered(2.0, false),
            "center_decay" => centered(2.0 * self.blank() / self.all(), true),
            "center_decay_fixed" => centered(2.0 * self.blank() / self.all(), false),
            "islands" => {
                let (region, others_region) = (self.game.region(own), self.game.region(opponent));
                let separate = region.iter().all(|cell| !others_region.contains(cell));
                if separate { 100.0 * (region.len() as f64 - others_region.len() as f64) } else { moves - others }
            }
            numbered => {
                let (name, number) = numbered.strip_suffix(')').and_then(|text| text.split_once('(')).unwrap();
                let number: f64 = number.parse().unwrap();
                match name {
                    "reach" => self.reach(own, 1.0 / number) - self.reach(opponent, 1.0 / number),
                    "mobility" => moves - number / 10.0 * others,
                    unknown => panic!("there is no plain version of {unknown}"),
                }
            }
        }
    }
}

fn compare(position: &Position) -> Result<(), TestCaseError> {
    let game = game(position);
    let [Some(first), Some(second)] = game.knights else { return Ok(()) };
    for (player, own, opponent) in [(Player::First, first, second), (Player::Second, second, first)] {
        let seen = Seen { game: game.clone(), own, opponent };
        let side = Side::of(position, player).unwrap();
        let numbered = (2..=10).map(Heuristic::Reach).chain((1..=20).map(Heuristic::Mobility));
        for heuristic in Heuristic::all().chain(numbered) {
            let (score, expected) = (heuristic.score(&side), seen.score(&heuristic.to_string()));
            let close = (score - expected).abs() <= 1e-9 * expected.abs().max(1.0);
            prop_assert!(close, "{heuristic} for {player}: {score} instead of {expected} in {}", position.setup());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_formula_agrees_with_its_plain_version(position in any_position::<u64>(), large in any_position::<u128>()) {
        compare(&position)?;
        compare(&large)?;
    }
}

/// What the heuristics say of a position, by the plain formulas and the oracle's values.
fn check_opinions(position: &Position, analysis: &Analysis, wins: &mut dyn FnMut(&Game) -> bool) -> usize {
    let opinions = Opinions::new(&Written::Diagram(Continuation::new(position.clone())), analysis);
    let (before, place) = (game(position), position.setup().to_string());
    let mover = before.turn;
    let truth = wins(&before);
    assert_eq!(opinions.winner, Some(if truth { position.turn() } else { !position.turn() }), "{place}");
    assert_eq!(opinions.heuristics.len(), Heuristic::all().count());
    let seen = |game: &Game| {
        let [own, opponent] = [game.knights[mover]?, game.knights[1 - mover]?];
        Some(Seen { game: game.clone(), own, opponent })
    };
    let close = |found: f64, expected: f64| (found - expected).abs() <= 1e-9 * expected.abs().max(1.0);
    for opinion in &opinions.heuristics {
        let name = &opinion.heuristic;
        let here = seen(&before).map(|seen| seen.score(name));
        assert!(
            opinion.score.zip(here).map_or(opinion.score == here, |(found, expected)| close(found, expected)),
            "{name} {place}"
        );
        let (mut best, mut best_cells) = (f64::NEG_INFINITY, Vec::new());
        for to in before.moves() {
            let (next, cell) = (before.after(to), cell_name(position.size(), cell(position.size(), to)));
            let Some(seen) = seen(&next) else {
                assert!(opinion.scores.is_empty(), "{name} {place}");
                continue;
            };
            let expected = if next.moves().is_empty() { f64::INFINITY } else { seen.score(name) };
            let found = opinion.scores[&cell].unwrap_or(f64::INFINITY);
            assert!(found == expected || close(found, expected), "{name} {place} {cell}");
            // What is nearly equal may be equal: sums in another order.
            if found > best {
                (best, best_cells) = (found, Vec::new());
            }
            if found == best {
                best_cells.push((cell, wins(&next)));
            }
        }
        let cells: Vec<&String> = best_cells.iter().map(|(cell, _)| cell).collect();
        assert_eq!(opinion.choices.iter().collect::<Vec<_>>(), cells, "{name} {place}");
        let keeps = (truth && !cells.is_empty()).then(|| best_cells.iter().all(|(_, opponent_wins)| !opponent_wins));
        assert_eq!(opinion.keeps_win, keeps, "{name} {place}");
        for (cell, opponent_wins) in &best_cells {
            let winner = if *opponent_wins { !position.turn() } else { position.turn() };
            assert_eq!(opinion.choice_winners[cell], Some(winner), "{name} {place}");
        }
        assert_eq!((opinion.choice_winners.len(), opinion.choice_plies.len()), (cells.len(), cells.len()));
    }
    opinions.heuristics.iter().filter(|opinion| opinion.keeps_win == Some(false)).count()
}

#[test]
fn opinions_are_compared_with_the_truth() {
    let mut blunders = 0;
    for (files, ranks, games) in [(1, 1, 1), (3, 3, 8), (3, 4, 8), (4, 4, 8)] {
        let size = Size::new(files, ranks).unwrap();
        let (analyst, mut naive) = (analyst(size, 1, &[]), Recursion::new(files, ranks));
        let empty = Position::empty(size);
        for position in positions(&empty, games, 6).iter().chain([&empty]) {
            let analysis = analyse(&analyst, position, Request::winners());
            blunders += check_opinions(position, &analysis, &mut |game| naive.mover_of_game_wins(game));
        }
    }
    assert!(blunders > 50, "heuristics err");
}

/// Formulas that count cells see no difference between images of a position.
#[test]
fn images_of_a_position_have_images_of_the_choices() {
    let counting = ["open", "improved", "avoid_corners", "next_moves", "offensive", "defensive", "islands", "room"];
    let (size, stopped) = (Size::new(5, 5).unwrap(), Arc::new(Control::unlimited()));
    stopped.stop();
    let analyst = analyst(size, 1, &[]);
    let symmetries = Symmetries::new(&Board::<u128>::new(size).unwrap());
    for position in positions(&Position::empty(size), 3, 12) {
        let opinions = |symmetry| {
            let turned = turned(&symmetries, symmetry, &position);
            let analysis = analyst.analyse(&turned, Request::winners(), &stopped, |_| {});
            Opinions::new(&Written::Diagram(Continuation::new(turned)), &analysis).heuristics
        };
        let own = opinions(Symmetry::Identity);
        for symmetry in symmetries.iter() {
            let there = |name: &String| {
                let cell = notation::parse_cell(size, name).unwrap();
                cell_name(size, symmetries.cell(symmetry, cell))
            };
            let others = opinions(symmetry);
            for (own, other) in own.iter().zip(&others).filter(|(own, _)| counting.contains(&own.heuristic.as_str())) {
                let mut mapped: Vec<String> = own.choices.iter().map(there).collect();
                let mut found = other.choices.clone();
                mapped.sort();
                found.sort();
                assert_eq!((own.score, mapped), (other.score, found), "{} {}", own.heuristic, position.setup());
                assert!(own.scores.iter().all(|(to, score)| other.scores[&there(to)] == *score));
            }
        }
    }
}

/// What is not known is not said.
#[test]
fn opinions_about_an_unknown_position() {
    let (text, stopped) = ("7x7: b2 d5", Arc::new(Control::unlimited()));
    stopped.stop();
    let position: Position = text.parse().unwrap();
    let mut analysis = analyst(position.size(), 1, &[]).analyse(&position, Request::winners(), &stopped, |_| {});
    let opinions = |analysis: &Analysis| Opinions::new(&text.parse().unwrap(), analysis);
    let unknown = opinions(&analysis);
    assert_eq!((unknown.asked.as_str(), unknown.winner), (text, None));
    for opinion in &unknown.heuristics {
        assert!(opinion.keeps_win.is_none() && !opinion.choices.is_empty() && opinion.scores.len() == 4);
        assert!(opinion.choice_winners.values().all(Option::is_none));
    }
    // One losing choice is enough for a verdict, one winning choice among several is not.
    analysis.known = Some(Known::winner(Value::Win, Origin::Solved));
    analysis.moves[0].known = Some(Known::winner(Value::Win, Origin::Solved));
    assert!(opinions(&analysis).heuristics.iter().find(|opinion| opinion.heuristic == "null").unwrap().keeps_win.is_none());
    analysis.moves[1].known = Some(Known::winner(Value::Loss, Origin::Solved));
    assert_eq!(opinions(&analysis).heuristics.iter().find(|opinion| opinion.heuristic == "null").unwrap().keeps_win, Some(false));
    let data = serde_json::to_value(opinions(&analysis)).unwrap();
    assert_eq!((&data["winner"], &data["turn"], &data["board"]), (&"first".into(), &"first".into(), &"7x7".into()));
    assert!(data["heuristics"][0]["scores"].is_object() && data["heuristics"][0]["source"].is_string());
}

/// The worked example of reach-report.
#[test]
fn the_worked_example_has_the_published_numbers() {
    let position = Position::new(notation::parse("2*1*/**N2/3*1/1*3/3n1 w").unwrap()).unwrap();
    let knight = |player| position.knight(player).unwrap();
    let reach = |player| reach_of(position.board(), position.free(), knight(player), 0.5);
    let bfs = |player| bfs_of(position.board(), position.free(), knight(player));
    assert_eq!((reach(Player::First), reach(Player::Second)), (5.25, 4.6875));
    assert!((bfs(Player::First) - 6.65).abs() < 1e-12 && (bfs(Player::Second) - 6.2).abs() < 1e-12);
}

#[test]
fn printed_and_fixed_formulas_differ_where_they_should() {
    let score = |name: &str, text: &str| {
        let position = Position::new(notation::parse(text).unwrap()).unwrap();
        name.parse::<Heuristic>().unwrap().score(&Side::of(&position, Player::First).unwrap())
    };
    // The knight on b3 could move to the corner a1, which is bad for its owner and good for the
    // opponent.
    assert_eq!(score("avoid_corners_fixed", "7x7: d4 b3") - score("avoid_corners", "7x7: d4 b3"), 2.0);
    // Fixed: closer to the opponent is better. As printed: closer to the top left corner is better.
    assert!(score("chase_fixed", "7x7: d4 e4") > score("chase_fixed", "7x7: d4 g7"));
    assert!(score("chase", "7x7: d4 e4") < score("chase", "7x7: d4 a7"));
    assert!(score("mixed_mobility", "7x7: a1 d4") > 0.0 && score("mixed_mobility_fixed", "7x7: a1 d4") < 0.0);
}
