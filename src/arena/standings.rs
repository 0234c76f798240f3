//! What the games of a tournament say about its players.

use std::collections::HashMap;

use super::record::{End, Record};
use super::tournament::{Fixture, Plan};
use crate::game::position::Player;

/// A number of games, and how many of them were won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Score {
    pub games: u64,
    pub won: u64,
}

impl Score {
    /// The games that were not won.
    #[must_use]
    pub fn lost(self) -> u64 {
        self.games - self.won
    }

    /// The share of games that were won. Not a number without games.
    #[must_use]
    pub fn rate(self) -> f64 {
        self.won as f64 / self.games as f64
    }

    fn add(&mut self, won: bool) {
        self.games += 1;
        self.won += u64::from(won);
    }
}

/// One player's games against one opponent, or against all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// All games.
    pub score: Score,
    /// The games from openings that this player is proven to win.
    pub from_won: Score,
    /// The games from openings that this player is proven to lose.
    pub from_lost: Score,
    /// The player's moves that gave away a proven win.
    pub blunders: u64,
    /// The player's moves for which that is known.
    pub judged_moves: u64,
    /// The games that the player forfeited.
    pub forfeits: u64,
}

impl Tally {
    fn add(&mut self, record: &Record, seat: Player) {
        let won = record.winner == Some(seat);
        self.score.add(won);
        self.forfeits += u64::from(!won && matches!(record.end, End::Forfeit(_)));
        if let Some(judgement) = &record.judgement {
            match judgement.opening_winner {
                Some(winner) if winner == seat => self.from_won.add(won),
                Some(_) => self.from_lost.add(won),
                None => {}
            }
            // Plies are counted from 1, so the first player's are odd.
            let own = |ply: &usize| ply.is_multiple_of(2) == (seat == Player::Second);
            self.blunders += judgement.blunders.iter().filter(|ply| own(ply)).count() as u64;
            let judged = judgement.known_from.max(record.given) + 1..=record.line.moves().len();
            self.judged_moves += judged.filter(|ply| own(ply)).count() as u64;
        }
    }
}

/// The games of a tournament, to be counted.
pub struct Standings<'a> {
    plan: &'a Plan,
    games: &'a [(Fixture, Record)],
}

impl<'a> Standings<'a> {
    /// The standings after these games.
    #[must_use]
    pub fn new(plan: &'a Plan, games: &'a [(Fixture, Record)]) -> Self {
        Self { plan, games }
    }

    /// An entrant's games against one opponent, or against all (`None`).
    #[must_use]
    pub fn tally(&self, entrant: usize, opponent: Option<usize>) -> Tally {
        let mut tally = Tally::default();
        for (fixture, record) in self.games {
            for (seat, player) in Player::BOTH.into_iter().enumerate() {
                let [own, other] = [fixture.players[seat], fixture.players[1 - seat]];
                if own == entrant && opponent.is_none_or(|opponent| opponent == other) {
                    tally.add(record, player);
                }
            }
        }
        tally
    }

    /// The games of two entrants against their common opponents, without the games between the two.
    #[must_use]
    pub fn in_common(&self, one: usize, other: usize) -> [Score; 2] {
        let opponents = |entrant: usize| {
            let pairs = self.plan.pairs().into_iter();
            let met = move |(a, b): (usize, usize)| (a == entrant).then_some(b).or_else(|| (b == entrant).then_some(a));
            pairs.filter_map(met).collect::<Vec<usize>>()
        };
        let others = opponents(other);
        let common: Vec<usize> = opponents(one).into_iter().filter(|opponent| others.contains(opponent)).collect();
        [one, other].map(|entrant| {
            let mut score = Score::default();
            for &opponent in &common {
                let against = self.tally(entrant, Some(opponent)).score;
                score = Score { games: score.games + against.games, won: score.won + against.won };
            }
            score
        })
    }

    /// The matches with both games played, and how many of them the same side won twice: there the
    /// opening decided, not the players.
    #[must_use]
    pub fn decided_by_opening(&self) -> Score {
        // If the players place their knights themselves, the two games have no common opening.
        let games = self.games.iter().filter(|(fixture, _)| fixture.opening.is_some());
        let winners: HashMap<usize, Player> =
            games.filter_map(|(fixture, record)| Some((fixture.number, record.winner?))).collect();
        let mut score = Score::default();
        for (number, winner) in winners.iter().filter(|(number, _)| number.is_multiple_of(2)) {
            if let Some(again) = winners.get(&(number + 1)) {
                score.add(again == winner);
            }
        }
        score
    }

    /// The games from openings with a proven winner, and how many of them that side won.
    #[must_use]
    pub fn as_proven(&self) -> Score {
        let mut score = Score::default();
        for (_, record) in self.games {
            if let Some(winner) = record.judgement.as_ref().and_then(|judgement| judgement.opening_winner) {
                score.add(record.winner == Some(winner));
            }
        }
        score
    }

    /// The forfeited games.
    pub fn forfeits(&self) -> impl Iterator<Item = &'a (Fixture, Record)> {
        self.games.iter().filter(|(_, record)| matches!(record.end, End::Forfeit(_)))
    }
}
