//! What the engine says about its search.

use std::time::Duration;

use crate::game::cells::Cell;
use crate::game::notation::walling_move;
use crate::game::outcome::Value;
use crate::game::position::{Player, Position};
use crate::play::{Basis, Decision, ProvenBy};

/// The score of a proven win whose plies are not counted, in centipawns. It is higher than any
/// guess and, unlike a mate score, claims no number of moves.
const PROVEN: i64 = 20_000;

/// How many centipawns a point of the heuristic is worth: ten points make a pawn.
const CENTIPAWNS: f64 = 10.0;

/// The line `info ...` for the best decision so far.
#[must_use]
pub fn info(position: &Position, decision: &Decision, time: Duration, hashfull: u32) -> String {
    // UCI counts from the position, placements included.
    let placements = Player::BOTH.into_iter().filter(|&player| position.knight(player).is_none()).count();
    let depth = match &decision.basis {
        Basis::Guess { depth, .. } => *depth as usize,
        Basis::Proven { plies: Some(plies), .. } => *plies + placements,
        Basis::Proven { by: ProvenBy::Lookahead { depth }, .. } => *depth as usize,
        _ => decision.line.len(),
    };
    let nps = (u128::from(decision.nodes) * 1_000_000 / time.as_micros().max(1)) as u64;
    format!(
        "info depth {depth} seldepth {} score {} nodes {} nps {nps} hashfull {hashfull} time {} pv {}",
        depth.max(decision.line.len()),
        score(&decision.basis, placements),
        decision.nodes,
        time.as_millis(),
        line(position, &decision.line)
    )
}

/// `mate` only if the win is proven and its plies are counted. The unit is the mover's moves, its
/// placement included, and the number is negative if the mover loses.
fn score(basis: &Basis, placements: usize) -> String {
    match *basis {
        Basis::Proven { value: Value::Win, plies: Some(plies), .. } => format!("mate {}", (plies + placements).div_ceil(2)),
        Basis::Proven { value: Value::Loss, plies: Some(plies), .. } => format!("mate -{}", (plies + placements) / 2),
        Basis::Proven { value: Value::Win, .. } => format!("cp {PROVEN}"),
        Basis::Proven { value: Value::Loss, .. } => format!("cp -{PROVEN}"),
        Basis::Guess { score, .. } => {
            let most = PROVEN - 1;
            format!("cp {}", ((score * CENTIPAWNS).round() as i64).clamp(-most, most))
        }
        Basis::OnlyMove | Basis::Chance | Basis::NoProof => "cp 0".to_string(),
    }
}

/// A line of moves, each with the wall that it leaves.
fn line(position: &Position, cells: &[Cell]) -> String {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for &to in cells {
        moves.push(walling_move(&position, to));
        position = position.play_unchecked(to);
    }
    moves.join(" ")
}

/// The line `bestmove ...`, with `(none)` if there is no move.
#[must_use]
pub fn best_move(position: &Position, to: Option<Cell>) -> String {
    to.map_or("bestmove (none)".to_string(), |to| format!("bestmove {}", walling_move(position, to)))
}

/// The line `bestmove ... ponder ...` for a decision, with the reply that it expects, if any.
#[must_use]
pub fn best_move_with_reply(position: &Position, decision: &Decision) -> String {
    let best = best_move(position, Some(decision.to));
    match decision.line[..] {
        [to, reply, ..] => format!("{best} ponder {}", walling_move(&position.play_unchecked(to), reply)),
        _ => best,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation;
    use crate::solve::Origin;

    #[test]
    fn mates_are_counted_in_moves_and_only_if_proven() {
        let proven = |value, plies| score(&Basis::Proven { value, plies, by: ProvenBy::Known(Origin::Solved) }, 0);
        let counted =
            [(Value::Win, 1, "mate 1"), (Value::Win, 3, "mate 2"), (Value::Loss, 2, "mate -1"), (Value::Loss, 14, "mate -7")];
        for (value, plies, expected) in counted {
            assert_eq!(proven(value, Some(plies)), expected);
        }
        assert_eq!((proven(Value::Win, None).as_str(), proven(Value::Loss, None).as_str()), ("cp 20000", "cp -20000"));
        assert_eq!(score(&Basis::Guess { score: -1.5, depth: 3 }, 0), "cp -15");
        assert_eq!(score(&Basis::Guess { score: 1e7, depth: 3 }, 0), "cp 19999");
        // Plies are counted after both placements: 5x5 is won by the second player in 14 of them.
        let placing =
            |value, placements| score(&Basis::Proven { value, plies: Some(14), by: ProvenBy::Known(Origin::Solved) }, placements);
        assert_eq!((placing(Value::Win, 1), placing(Value::Loss, 2)), ("mate 8".to_string(), "mate -8".to_string()));
    }

    #[test]
    fn moves_are_written_with_their_walls() {
        let position = Position::new(notation::parse("8/8/8/4n3/3N4/8/8/8 w").unwrap()).unwrap();
        let cell = |name| notation::parse_cell(position.size(), name).unwrap();
        assert_eq!(line(&position, &[cell("e6"), cell("c4")]), "d4e6,e6d4 e5c4,c4e5");
        assert_eq!(best_move(&position, Some(cell("e6"))), "bestmove d4e6,e6d4");
        assert_eq!(best_move(&Position::empty(position.size()), Some(cell("e6"))), "bestmove e6");
        assert_eq!(best_move(&position, None), "bestmove (none)");
        let with_line = |line: &[Cell]| {
            best_move_with_reply(&position, &Decision { to: line[0], basis: Basis::Chance, line: line.to_vec(), nodes: 0 })
        };
        assert_eq!(with_line(&[cell("e6"), cell("c4")]), "bestmove d4e6,e6d4 ponder e5c4,c4e5");
        assert_eq!(with_line(&[cell("e6")]), "bestmove d4e6,e6d4");
    }
}
