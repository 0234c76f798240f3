//! One game between two players.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::outside::Guest;
use super::record::{End, Forfeit};
use super::rules::Rules;
use crate::game::board::Board;
use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;
use crate::game::notation::{Line, cell_name};
use crate::game::position::{Player, Position};
use crate::play::{Chooser, Limit, Random, panic_message};
use crate::solve::{Control, Opening};

/// A random opening.
pub fn random_opening<W: Word>(board: &Board<W>, random: &mut Random) -> Duel<W> {
    let cells = board.size().cells();
    let first = random.below(cells);
    let second = (first + 1 + random.below(cells - 1)) % cells;
    Opening { first: Cell::new(first), second: Cell::new(second) }.duel(board.cells())
}

/// Plays a duel until `choose` returns `None`, and returns the number of plies played. `choose`
/// receives the number of plies played so far, the duel, and its moves in random order.
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

/// Who sits at the board.
pub enum Seat {
    /// A player of this process.
    Ours(Box<dyn Chooser>),
    /// Another program.
    Outside(Guest),
}

impl From<Box<dyn Chooser>> for Seat {
    fn from(player: Box<dyn Chooser>) -> Self {
        Self::Ours(player)
    }
}

/// Plays on from the end of a line until a player cannot move, or forfeits by an illegal move, a
/// late move or a crash. Returns who won and how, or `None` if the control stopped the game.
///
/// # Panics
/// Never: every move is checked before it is played.
pub fn play_out(line: &mut Line, seats: &mut [Seat; 2], rules: Rules, control: &Arc<Control>) -> Option<(Player, End)> {
    let mut position = line.end().clone();
    loop {
        let turn = position.turn();
        if let Some(winner) = position.winner() {
            return Some((winner, End::Stuck));
        }
        let chosen = match &mut seats[turn as usize] {
            Seat::Ours(player) => choose(&position, player.as_mut(), rules, control),
            Seat::Outside(guest) => guest.choose(&position, rules, control),
        };
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

/// A player's move, or why the player forfeits.
fn choose(position: &Position, player: &mut dyn Chooser, rules: Rules, control: &Arc<Control>) -> Result<Cell, Forfeit> {
    let (started, clock) = (Instant::now(), rules.limit.start_within(control));
    // A crash may leave the player in a broken state. That is safe, because it is not asked again.
    let chosen = catch_unwind(AssertUnwindSafe(|| player.choose(position, &clock, &mut |_| {})));
    let taken = started.elapsed();
    let decision = chosen.map_err(|panic| Forfeit::Crashed(panic_message(panic.as_ref()).to_string()))?;
    if let Limit::Time(limit) = rules.limit
        && taken > limit.saturating_add(rules.grace)
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
    use crate::game::board::Size;

    #[test]
    fn the_same_seed_gives_the_same_game() {
        let board = Board::<u64>::fitting(Size::new(5, 5).unwrap());
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
