//! Who plays whom, from which openings, and the playing of it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::entrant::Entrant;
use super::game::{Seat, play_out};
use super::record::{Judgement, Record};
use super::rules::Rules;
use crate::game::board::Size;
use crate::game::notation::Line;
use crate::play::Random;
use crate::solve::{Control, Opening, SolverError};

/// The plan of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The board.
    pub size: Size,
    /// Who takes part. They play every agent of the field, or each other if the field is empty.
    pub agents: Vec<Entrant>,
    /// The opponents. If empty, the agents play each other.
    pub field: Vec<Entrant>,
    /// The openings. Each pair plays each opening twice, with the sides exchanged. `None`: the
    /// players place their knights themselves.
    pub openings: Vec<Option<Opening>>,
    /// The limit for each move.
    pub rules: Rules,
    /// The same seed gives the same games of our agents, unless the limit is a time.
    pub seed: u64,
}

/// A game of the plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its position in the plan, from 0.
    pub number: usize,
    /// The first and the second player, as indices into [`Plan::entrants`].
    pub players: [usize; 2],
    /// The opening.
    pub opening: Option<Opening>,
    /// The seeds of the players' random numbers.
    pub seeds: [u64; 2],
}

impl Plan {
    /// The agents, followed by the field.
    #[must_use]
    pub fn entrants(&self) -> Vec<&Entrant> {
        self.agents.iter().chain(&self.field).collect()
    }

    /// Who plays whom, as indices into [`Plan::entrants`].
    #[must_use]
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        let agents = self.agents.len();
        if self.field.is_empty() {
            (0..agents).flat_map(|a| (a + 1..agents).map(move |b| (a, b))).collect()
        } else {
            (0..agents).flat_map(|a| (agents..agents + self.field.len()).map(move |b| (a, b))).collect()
        }
    }

    /// All games, opening by opening, so that after an interruption all pairs have played the same
    /// openings.
    #[must_use]
    pub fn fixtures(&self) -> Vec<Fixture> {
        let mut random = Random::new(self.seed ^ u64::from_be_bytes(*b"fixtures"));
        let mut seed = || (random.below(1 << 32) as u64) << 32 | random.below(1 << 32) as u64;
        let mut fixtures = Vec::new();
        for &opening in &self.openings {
            for (one, other) in self.pairs() {
                // A player keeps its seed when the sides are exchanged.
                let (ones_seed, others_seed) = (seed(), seed());
                for (players, seeds) in [([one, other], [ones_seed, others_seed]), ([other, one], [others_seed, ones_seed])] {
                    fixtures.push(Fixture { number: fixtures.len(), players, opening, seeds });
                }
            }
        }
        fixtures
    }

    /// Whether a record can be the record of this game.
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

    /// Plays and judges one game. `None` if the control stopped that.
    fn play<S: Into<Seat>, E: From<SolverError>>(
        &self,
        fixture: &Fixture,
        make: &(impl Fn(usize, u64) -> Result<S, E> + Sync),
        judge: &(impl Fn(&Line) -> Result<Option<Judgement>, SolverError> + Sync),
        control: &Arc<Control>,
    ) -> Result<Option<Record>, E> {
        let entrants = self.entrants();
        let mut line = Line::new(self.size);
        for to in fixture.opening.into_iter().flat_map(|opening| [opening.first, opening.second]) {
            line.play(to).expect("openings are legal");
        }
        let given = line.moves().len();
        let [first, second] = [0, 1].map(|seat| make(fixture.players[seat], fixture.seeds[seat]));
        let Some((winner, end)) = play_out(&mut line, &mut [first?.into(), second?.into()], self.rules, control) else {
            return Ok(None);
        };
        let judgement = judge(&line)?;
        // A judgement that was cut short would differ from that of an unbroken tournament.
        if judgement.is_some() && control.is_stopped() {
            return Ok(None);
        }
        Ok(Some(Record {
            names: fixture.players.map(|player| entrants[player].to_string()),
            limit: self.rules.limit.to_string(),
            given,
            judgement,
            line,
            winner: Some(winner),
            end,
        }))
    }

    /// Plays these games, `threads` at a time, until the control stops. `make` seats an entrant
    /// with its seed, `judge` judges a finished game, and `done` receives the finished games, one
    /// call at a time.
    ///
    /// The threads do not come from a pool. A pool's thread that waits for a player's search would
    /// start another game in the meantime, and the player would be late.
    ///
    /// # Errors
    /// If the system refuses a thread, no game is played. If an entrant cannot be seated, if the
    /// system cannot provide the threads or the memory for a judge, or if `done` fails, the games
    /// that are being played are finished, and no further game is started.
    ///
    /// # Panics
    /// If `done` panics.
    pub fn play_all<S: Into<Seat>, E: From<SolverError> + Send>(
        &self,
        fixtures: &[Fixture],
        threads: usize,
        control: &Arc<Control>,
        make: impl Fn(usize, u64) -> Result<S, E> + Sync,
        judge: impl Fn(&Line) -> Result<Option<Judgement>, SolverError> + Sync,
        done: impl FnMut(&Fixture, Record) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let (next, done, result) = (AtomicUsize::new(0), Mutex::new(done), Mutex::new(Ok(())));
        let result_so_far = || result.lock().expect("no thread panics with the result");
        // The first failure counts.
        let fail = |fault: E| {
            let mut result = result_so_far();
            *result = std::mem::replace(&mut *result, Ok(())).and(Err(fault));
        };
        // Nobody plays before all threads have started, so that a refusal is reported at once.
        let gate = Mutex::new(());
        let play_some = || {
            drop(gate.lock());
            while let Some(fixture) = fixtures.get(next.fetch_add(1, Ordering::Relaxed)) {
                if control.is_stopped() || result_so_far().is_err() {
                    break;
                }
                let played = self.play(fixture, &make, &judge, control);
                let mut done = done.lock().expect("`done` does not panic");
                if let Err(fault) = played.and_then(|record| record.map_or(Ok(()), |record| done(fixture, record))) {
                    fail(fault);
                }
            }
        };
        let threads = threads.min(fixtures.len());
        std::thread::scope(|scope| {
            let _closed = gate.lock();
            for _ in 0..threads {
                if let Err(fault) = std::thread::Builder::new().spawn_scoped(scope, play_some) {
                    fail(SolverError::Threads { threads, reason: fault.to_string() }.into());
                    break;
                }
            }
        });
        result.into_inner().expect("no thread panics with the result")
    }
}
