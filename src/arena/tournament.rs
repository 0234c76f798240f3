//! Who plays whom, from which openings, and all of it played.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::game::{Rules, play_out};
use super::record::{Judgement, Record};
use crate::board::Size;
use crate::cells::Word;
use crate::notation::Line;
use crate::play::{Agent, Random, Thinker};
use crate::solve::{Control, Opening, SolverError};

/// What is to be played.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The board.
    pub size: Size,
    /// Who takes part. With a field, each of these plays each of the field; without one, each plays each other.
    pub agents: Vec<Agent>,
    /// The opponents; none: the agents themselves.
    pub field: Vec<Agent>,
    /// The openings. Each is played twice by each pair, with sides exchanged; none: the players place their knights themselves.
    pub openings: Vec<Option<Opening>>,
    /// What each move is limited to.
    pub rules: Rules,
    /// The same seed gives the same games, where the limit is no time.
    pub seed: u64,
}

/// A game that is to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its place in the plan.
    pub number: usize,
    /// The first and the second player, as numbers of [`Plan::entrants`].
    pub players: [usize; 2],
    /// The opening.
    pub opening: Option<Opening>,
    /// The players' luck.
    pub seeds: [u64; 2],
}

impl Plan {
    /// The agents, and behind them the field.
    #[must_use]
    pub fn entrants(&self) -> Vec<Agent> {
        self.agents.iter().chain(&self.field).copied().collect()
    }

    /// Who plays whom, as numbers of [`Plan::entrants`].
    #[must_use]
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        let agents = self.agents.len();
        if self.field.is_empty() {
            (0..agents).flat_map(|a| (a + 1..agents).map(move |b| (a, b))).collect()
        } else {
            (0..agents).flat_map(|a| (agents..agents + self.field.len()).map(move |b| (a, b))).collect()
        }
    }

    /// All games, opening by opening: of a tournament that is cut short all pairs have played the same openings.
    #[must_use]
    pub fn fixtures(&self) -> Vec<Fixture> {
        let mut random = Random::new(self.seed ^ u64::from_be_bytes(*b"fixtures"));
        let mut seed = || (random.below(1 << 32) as u64) << 32 | random.below(1 << 32) as u64;
        let mut fixtures = Vec::new();
        for &opening in &self.openings {
            for (one, other) in self.pairs() {
                // A player's luck does not depend on its side.
                let (luck, others_luck) = (seed(), seed());
                for (players, seeds) in [([one, other], [luck, others_luck]), ([other, one], [others_luck, luck])] {
                    fixtures.push(Fixture { number: fixtures.len(), players, opening, seeds });
                }
            }
        }
        fixtures
    }

    /// Whether a record can be that of a game of this plan.
    #[must_use]
    pub fn is_of(&self, fixture: &Fixture, record: &Record) -> bool {
        let entrants = self.entrants();
        let opening: Vec<_> = fixture.opening.into_iter().flat_map(|opening| [opening.first, opening.second]).collect();
        record.line.size() == self.size
            && record.names == fixture.players.map(|player| entrants[player].to_string())
            && record.limit == self.rules.limit.to_string()
            && record.given == opening.len()
            && record.line.moves().starts_with(&opening)
    }

    /// Plays one game; none if the control stopped it.
    fn play<W: Word>(
        &self,
        fixture: &Fixture,
        make: &(impl Fn(usize, u64) -> Result<Box<dyn Thinker<W>>, SolverError> + Sync),
        judge: &(impl Fn(&Line) -> Result<Option<Judgement>, SolverError> + Sync),
        control: &Arc<Control>,
    ) -> Result<Option<Record>, SolverError> {
        let entrants = self.entrants();
        let mut line = Line::new(self.size);
        for to in fixture.opening.into_iter().flat_map(|opening| [opening.first, opening.second]) {
            line.play(to).expect("openings are legal");
        }
        let given = line.moves().len();
        let [first, second] = [0, 1].map(|seat| make(fixture.players[seat], fixture.seeds[seat]));
        let Some((winner, end)) = play_out(&mut line, &mut [first?, second?], self.rules, control) else {
            return Ok(None);
        };
        Ok(Some(Record {
            names: fixture.players.map(|player| entrants[player].to_string()),
            limit: self.rules.limit.to_string(),
            given,
            judgement: judge(&line)?,
            line,
            winner,
            end,
        }))
    }

    /// Plays these games, so many at a time, until the control stops; `done` is told of each that came to its end, one at a time. `make` seats an entrant, with its luck;
    /// `judge` looks at a game afterwards.
    ///
    /// The threads are the games' own: a thread of a pool that waits for a player's search would begin another game meanwhile, and the player would be late.
    ///
    /// # Errors
    /// If a game cannot be played because the system does not give the means, or `done` has a fault. Then no further game is begun.
    ///
    /// # Panics
    /// If `done` does.
    pub fn play_all<W: Word, E: From<SolverError> + Send>(
        &self,
        fixtures: &[Fixture],
        threads: usize,
        control: &Arc<Control>,
        make: impl Fn(usize, u64) -> Result<Box<dyn Thinker<W>>, SolverError> + Sync,
        judge: impl Fn(&Line) -> Result<Option<Judgement>, SolverError> + Sync,
        done: impl FnMut(&Fixture, Record) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let (next, done) = (AtomicUsize::new(0), Mutex::new((done, Ok(()))));
        let play_some = || {
            while let Some(fixture) = fixtures.get(next.fetch_add(1, Ordering::Relaxed)) {
                if control.is_stopped() {
                    break;
                }
                let record = self.play(fixture, &make, &judge, control);
                let mut done = done.lock().expect("nobody panics while a game is written down");
                let (tell, result) = &mut *done;
                if result.is_ok() {
                    *result = record.map_err(E::from).and_then(|record| record.map_or(Ok(()), |record| tell(fixture, record)));
                }
                if result.is_err() {
                    break;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(play_some);
            }
        });
        done.into_inner().expect("nobody panics while a game is written down").1
    }
}
