//! An outside agent at the board.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::fault::OutsideError;
use super::pool::Pool;
use super::process::{Process, Silence, after};
use super::said::Said;
use crate::arena::record::Forfeit;
use crate::arena::rules::Rules;
use crate::game::cells::Cell;
use crate::game::notation::{self, quoted};
use crate::game::position::Position;
use crate::play::Limit;
use crate::solve::Control;

/// An outside agent at the board, for one game.
pub struct Guest {
    pool: Arc<Pool>,
    /// The process, or why there is none that could play.
    process: Result<Process, Forfeit>,
}

impl Guest {
    /// Seats the agent at the board.
    ///
    /// # Errors
    /// If the program can no longer be started. If it starts and then fails, it has crashed, and
    /// forfeits the game.
    pub fn seat(pool: &Arc<Pool>, control: &Control) -> Result<Self, OutsideError> {
        match pool.take(control) {
            Err(fault) if fault.is_start() => Err(fault),
            process => {
                let process = process.map_err(|fault| Forfeit::Crashed(fault.in_short()));
                Ok(Self { pool: Arc::clone(pool), process })
            }
        }
    }

    /// Its move, or why it forfeits. If the control stops the game, any forfeit.
    ///
    /// The clock runs from `go` to `bestmove`. Before that, the agent may take its time to set up
    /// the position. An agent that is late is told to stop, and is ended if it does not.
    pub(in crate::arena) fn choose(&mut self, position: &Position, rules: Rules, control: &Control) -> Result<Cell, Forfeit> {
        let forfeit = Forfeit::Crashed("it was ended".to_string());
        let mut process = std::mem::replace(&mut self.process, Err(forfeit))?;
        let (said, taken) = self.ask(&mut process, position, rules, control)?;
        // It has answered, so it can play on, or at least play the next game.
        self.process = Ok(process);
        if let Limit::Time(limit) = rules.limit
            && taken > limit.saturating_add(rules.grace)
        {
            return Err(Forfeit::Late(format!("{} ms", taken.as_millis())));
        }
        read(position, &said)
    }

    /// What it plays, in its own words, and the time that this took.
    fn ask(
        &self,
        process: &mut Process,
        position: &Position,
        rules: Rules,
        control: &Control,
    ) -> Result<(String, Duration), Forfeit> {
        let terms = self.pool.terms();
        let plays = |said| if let Said::Plays(text) = said { Some(text) } else { None };
        let set_up = format!("position fen {} - - 0 1", position.setup());
        let told = process.say(&set_up).and_then(|()| process.wait_until_ready(terms.patience, control));
        told.map_err(|silence| forfeit(silence, "readyok", terms.patience))?;
        let started = Instant::now();
        let (time, patience) = match rules.limit {
            Limit::Time(limit) => (limit.saturating_add(rules.grace), terms.patience),
            Limit::Nodes(_) | Limit::Depth(_) => (terms.longest_move, Duration::ZERO),
        };
        let mut heard = process.say(&go(rules.limit)).and_then(|()| process.hear_until(after(time), control, plays));
        if heard == Err(Silence::TooLong) && !patience.is_zero() {
            heard = process.say("stop").and_then(|()| process.hear_until(after(patience), control, plays));
        }
        let taken = started.elapsed();
        Ok((heard.map_err(|silence| forfeit(silence, "bestmove", taken))?, taken))
    }
}

impl Drop for Guest {
    /// A process that waits for what it is told can play the next game.
    fn drop(&mut self) {
        if let Ok(process) = std::mem::replace(&mut self.process, Err(Forfeit::Crashed(String::new()))) {
            self.pool.put_back(process);
        }
    }
}

/// The longest time that is said, in milliseconds: 24 days. Not every engine reads larger numbers.
const LONGEST_TIME: u128 = i32::MAX as u128;

/// The command that starts the search.
fn go(limit: Limit) -> String {
    match limit {
        // A millisecond is the least that can be said.
        Limit::Time(time) => format!("go movetime {}", time.as_millis().clamp(1, LONGEST_TIME)),
        Limit::Nodes(nodes) => format!("go nodes {nodes}"),
        Limit::Depth(depth) => format!("go depth {depth}"),
    }
}

/// The forfeit of an agent that did not answer in time.
fn forfeit(silence: Silence, word: &str, waited: Duration) -> Forfeit {
    match silence {
        Silence::TooLong => Forfeit::Late(format!("no {word} after {} ms", waited.as_millis())),
        Silence::Gone(how) => Forfeit::Crashed(how),
        Silence::Stopped => Forfeit::Crashed("the tournament was stopped".to_string()),
    }
}

/// The move that an agent has named.
fn read(position: &Position, said: &str) -> Result<Cell, Forfeit> {
    let wrong = |why| match why {
        notation::Error::Illegal { fault, .. } => format!("{}: {fault}", quoted(said)),
        notation::Error::From { .. } | notation::Error::Wall { .. } | notation::Error::CellOffBoard { .. } => why.to_string(),
        _ => format!("{} is not a move", quoted(said)),
    };
    notation::parse_move(position, said).map_err(|why| Forfeit::Illegal(wrong(why)))
}
