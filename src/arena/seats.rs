//! The entrants of a tournament take their seats: ours with what they may use, outside agents with
//! processes that they keep from game to game.

use std::fmt;
use std::sync::Arc;

use super::entrant::Entrant;
use super::game::Seat;
use super::outside::{Guest, OutsideError, Pool, Terms};
use super::tournament::Plan;
use crate::play::{Agent, Means};
use crate::solve::{Control, SolverError};

/// How each entrant of a plan is seated.
pub struct Seats {
    entrants: Vec<Seated>,
    means: Means,
}

/// An entrant, with what it keeps from game to game.
enum Seated {
    Ours(Agent),
    Outside(Arc<Pool>),
}

/// Why an entrant cannot be seated.
#[derive(Debug)]
#[non_exhaustive]
pub enum SeatError {
    /// The system refuses the threads or the memory for one of our agents.
    Ours(SolverError),
    /// An outside agent cannot play.
    Outside(OutsideError),
}

impl fmt::Display for SeatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ours(fault) => fault.fmt(f),
            Self::Outside(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for SeatError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Ours(fault) => Some(fault),
            Self::Outside(fault) => Some(fault),
        }
    }
}

impl Seats {
    /// The seats of a plan. Our agents have these means, and outside agents these terms.
    #[must_use]
    pub fn new(plan: &Plan, means: Means, terms: Terms) -> Self {
        let seated = |entrant: &Entrant| match entrant {
            Entrant::Ours(agent) => Seated::Ours(*agent),
            Entrant::Outside(program) => Seated::Outside(Pool::new(program.clone(), terms)),
        };
        Self { entrants: plan.entrants().into_iter().map(seated).collect(), means }
    }

    /// Starts every outside agent once, so that what is wrong with one is known before any game.
    ///
    /// # Errors
    /// If one of them cannot play.
    pub fn check(&self, control: &Control) -> Result<(), OutsideError> {
        let check = |seated: &Seated| if let Seated::Outside(pool) = seated { pool.check(control) } else { Ok(()) };
        self.entrants.iter().try_for_each(check)
    }

    /// Seats an entrant, by its index into [`Plan::entrants`], for one game.
    ///
    /// # Errors
    /// If the system cannot provide what the entrant needs.
    pub fn seat(&self, entrant: usize, seed: u64, control: &Control) -> Result<Seat, SeatError> {
        match &self.entrants[entrant] {
            Seated::Ours(agent) => agent.chooser(&self.means, seed).map(Seat::Ours).map_err(SeatError::Ours),
            Seated::Outside(pool) => Guest::seat(pool, control).map(Seat::Outside).map_err(SeatError::Outside),
        }
    }
}
