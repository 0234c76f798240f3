//! One game between two players.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::record::{End, Forfeit};
use crate::board::Board;
use crate::cells::{Cell, Word};
use crate::duel::Duel;
use crate::notation::{Line, cell_name};
use crate::play::{Limit, Random, Thinker};
use crate::position::{Player, Position};
use crate::solve::{Control, Opening};

/// A random opening.
pub fn random_opening<W: Word>(board: &Board<W>, random: &mut Random) -> Duel<W> {
    let cells = board.size().cells();
    let first = random.below(cells);
    let second = (first + 1 + random.below(cells - 1)) % cells;
    Opening { first: Cell::new(first), second: Cell::new(second) }.duel(board.cells())
}

/// Plays a duel to its end. `choose` is asked for each move: with the number of plies played, the duel and its moves in random order. Tells in how many plies it ended.
pub fn game<W: Word>(
    board: &Board<W>,
    mut duel: Duel<W>,
    random: &mut Random,
    mut choose: impl FnMut(usize, Duel<W>, &[Cell]) -> Option<Cell>,
) -> usize {
    for plies in 0.. {
        let mut moves: Vec<Cell> = duel.moves(board).into_iter().collect();
        random.shuffle(&mut moves);
        match choose(plies, duel, &moves) {
            Some(to) => duel = duel.play_unchecked(to),
            None => return plies,
        }
    }
    unreachable!("every game ends")
}

/// What each move is limited to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The limit.
    pub limit: Limit,
    /// How much later than a limit of time a move may come.
    pub grace: Duration,
}

/// Plays on from the end of a line until somebody cannot move, or forfeits: by an illegal move, a late one, or a crash. Tells who won, and how; none if the control stopped the game.
///
/// # Panics
/// Never: what is played was checked.
pub fn play_out<W: Word>(
    line: &mut Line,
    players: &mut [Box<dyn Thinker<W>>; 2],
    rules: Rules,
    control: &Arc<Control>,
) -> Option<(Player, End)> {
    let mut position = line.position::<W>(line.moves().len());
    loop {
        let turn = position.turn();
        if let Some(winner) = position.winner() {
            return Some((winner, End::Stuck));
        }
        let chosen = choose(&position, players[turn as usize].as_mut(), rules, control);
        if control.is_stopped() {
            return None;
        }
        match chosen {
            Ok(to) => {
                position = position.play_unchecked(to);
                line.play(to).expect("the move was checked");
            }
            Err(forfeit) => return Some((!turn, End::Forfeit(forfeit))),
        }
    }
}

/// A legal move in time, or why there is none.
fn choose<W: Word>(
    position: &Position<W>,
    player: &mut dyn Thinker<W>,
    rules: Rules,
    control: &Arc<Control>,
) -> Result<Cell, Forfeit> {
    let (started, clock) = (Instant::now(), rules.limit.start_within(control));
    // What a player has broken of itself nobody sees: after a crash it is not asked again.
    let thought = catch_unwind(AssertUnwindSafe(|| player.think(position, &clock, &mut |_| {})));
    let taken = started.elapsed();
    let decision = thought.map_err(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Forfeit::Crashed(words.unwrap_or("no reason was given").to_string())
    })?;
    if let Limit::Time(limit) = rules.limit
        && taken > limit + rules.grace
    {
        return Err(Forfeit::Late(format!("{} ms", taken.as_millis())));
    }
    let illegal = |why| Forfeit::Illegal(format!("{}: {why}", cell_name(position.size(), decision.to)));
    position.check(decision.to).map_err(illegal)?;
    Ok(decision.to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn the_same_seed_gives_the_same_game() {
        let board = Board::<u64>::new(Size::new(5, 5).unwrap());
        let duel =
            Duel { mover: Cell::new(0), other: Cell::new(12), free: board.cells().without(Cell::new(0)).without(Cell::new(12)) };
        let played = |seed| {
            let mut line: Vec<Cell> = Vec::new();
            let plies = game(&board, duel, &mut Random::new(seed), |_, _, moves| {
                line.extend(moves.first());
                moves.first().copied()
            });
            assert_eq!(line.len(), plies);
            line
        };
        assert_eq!(played(1), played(1));
        assert_ne!(played(1), played(2));
    }
}
