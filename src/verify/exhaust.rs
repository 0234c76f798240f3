//! A rule, played against everything that its opponent can do.
//!
//! Only the opponent's moves branch: the rule has one reply to each. So all games that the rule can get into are gone through, round by round, a round being a move
//! and its reply. Positions that come up twice in a round are looked at once. If the rule never lacks a reply, its opponent is the one who runs out of
//! moves: the rule wins. Otherwise the first round in which a reply cannot be played shows a shortest line on which the rule breaks.

use std::fmt;

use rayon::prelude::*;

use super::rule::Rule;
use crate::board::Board;
use crate::cells::{Cell, Word};
use crate::duel::Duel;
use crate::notation::grouped;
use crate::position::{IllegalMove, Player, Position};
use crate::solve::{Control, Stopped};

/// How the check of a rule went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exhaustion {
    /// The player who follows the rule.
    pub player: Player,
    /// The positions, with the opponent to move, in which every move was answered or found to have no answer.
    pub positions: u64,
    /// What was found.
    pub end: End,
}

/// What the check of a rule has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Every move of the opponent has its reply: the rule wins.
    Wins,
    /// Here it breaks.
    Breaks(Break),
    /// A limit ran out before either was found.
    Unknown(Limit),
}

/// Why a check has come to no end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// So many positions were allowed.
    Positions(u64),
    /// The control stopped the work.
    Stopped,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Positions(most) => {
                write!(f, "there are more positions than the {} that --positions or --memory allow", grouped(*most))
            }
            Self::Stopped => f.write_str("stopped before the end, by --time or an interruption"),
        }
    }
}

/// A game in which a rule has no reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Break {
    /// The moves from the start of the check; the last is the one that cannot be answered.
    pub moves: Vec<Cell>,
    /// The reply that the rule wants, if it wants any.
    pub reply: Option<Cell>,
    /// Why that cannot be played.
    pub fault: Fault,
}

/// Why a reply cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The rule has no word for the move.
    NoReply,
    /// The reply is the very cell that the opponent has just moved to.
    Coincides,
    /// The rules of the game forbid it.
    Illegal(IllegalMove),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoReply => f.write_str("the rule does not say where to place"),
            Self::Coincides => f.write_str("that is the cell just played to"),
            Self::Illegal(IllegalMove::Occupied) => f.write_str("that cell is gone"),
            Self::Illegal(fault) => fault.fmt(f),
        }
    }
}

/// One step of a game: the position it comes from, by its number in the round before, and the opponent's move.
#[derive(Clone, Copy)]
struct Step {
    from: u32,
    to: Cell,
}

/// How far a check may go, and who is told of it.
#[derive(Clone, Copy)]
pub struct Bounds<'a> {
    /// The most positions that are looked at; one takes up to six words at the worst moment.
    pub most_positions: u64,
    /// Stops the check.
    pub control: &'a Control,
    /// Told after every round how many positions have been looked at.
    pub tell: &'a (dyn Fn(u64) + Sync),
}

/// Plays the rule against every play of its opponent, who is to move at the start.
///
/// `forgive` is asked about each position in which the rule has no reply, the rule's player to move, and may say that this does not matter: then the check
/// goes on without it.
pub fn exhaust<W: Word>(
    rule: &Rule,
    start: &Position<W>,
    bounds: Bounds<'_>,
    mut forgive: impl FnMut(&Position<W>) -> Result<bool, Stopped>,
) -> Exhaustion {
    let mut check = Check { rule, start, rounds: Vec::new() };
    let mut positions = 1;
    let exhaustion = |positions, end| Exhaustion { player: !start.turn(), positions, end };
    let mut next = check.first_round();
    loop {
        for last in next.broken {
            let moves = check.moves(last);
            let before = moves[..moves.len() - 1].iter().fold(start.clone(), |position, &to| position.play_unchecked(to));
            let after = before.play_unchecked(last.to);
            match forgive(&after) {
                Err(Stopped) => return exhaustion(positions, End::Unknown(Limit::Stopped)),
                Ok(true) => {}
                Ok(false) => {
                    let reply = rule.reply(before.knight(before.turn()), last.to);
                    return exhaustion(positions, End::Breaks(Break { fault: fault(&after, last.to, reply), moves, reply }));
                }
            }
        }
        let looked_at = next.round.len() as u64;
        let room = bounds.most_positions.checked_sub(positions + looked_at);
        match (next.cut, room) {
            (Some(limit), _) => return exhaustion(positions, End::Unknown(limit)),
            _ if next.round.is_empty() => return exhaustion(positions, End::Wins),
            (None, None) => return exhaustion(positions, End::Unknown(Limit::Positions(bounds.most_positions))),
            (None, Some(room)) => {
                let (duels, steps): (Vec<Duel<W>>, Vec<Step>) = next.round.into_iter().unzip();
                check.rounds.push(steps);
                next = check.next_round(&duels, room, bounds);
                if next.cut.is_none() {
                    positions += looked_at;
                    (bounds.tell)(positions);
                }
            }
        }
    }
}

fn fault<W: Word>(after: &Position<W>, to: Cell, reply: Option<Cell>) -> Fault {
    match reply.map(|reply| (reply, after.check(reply))) {
        None => Fault::NoReply,
        Some((reply, _)) if reply == to => Fault::Coincides,
        Some((_, Err(fault))) => Fault::Illegal(fault),
        Some((_, Ok(()))) => unreachable!("the reply was found to be illegal"),
    }
}

/// The positions whose replies one thread finds at a time, and those after which somebody looks whether there is still room.
const PIECE: usize = 1 << 12;
const BLOCK: usize = 1 << 18;

/// The positions after a round, least first, each with one step that leads there.
type Round<W> = Vec<(Duel<W>, Step)>;

/// What follows a round.
struct Next<W> {
    round: Round<W>,
    /// The steps that have no reply.
    broken: Vec<Step>,
    /// The limit that ran out before all of it was found.
    cut: Option<Limit>,
}

struct Check<'a, W> {
    rule: &'a Rule,
    start: &'a Position<W>,
    /// The steps of all rounds but the last; the positions themselves are not kept.
    rounds: Vec<Vec<Step>>,
}

impl<W: Word> Check<'_, W> {
    /// The first move may be a placement, and so may its reply.
    fn first_round(&self) -> Next<W> {
        let (mut round, mut broken) = (Vec::new(), Vec::new());
        for to in self.start.legal_moves() {
            let after = self.start.play_unchecked(to);
            let reply = self.rule.reply(self.start.knight(self.start.turn()), to);
            let step = Step { from: 0, to };
            match reply.and_then(|reply| after.play(reply).ok()).and_then(|next| next.duel()) {
                Some(duel) => round.push((duel.without_dead_cells(self.start.board()), step)),
                None => broken.push(step),
            }
        }
        without_doubles(&mut round);
        Next { round, broken, cut: None }
    }

    /// All replies to all moves, block by block: where the next round would have no room, nobody waits for the rest of it.
    fn next_round(&self, duels: &[Duel<W>], room: u64, bounds: Bounds<'_>) -> Next<W> {
        let (mut round, mut broken, mut cut) = (Vec::new(), Vec::new(), None);
        for (number, block) in duels.chunks(BLOCK).enumerate() {
            let first = |piece: usize| number * BLOCK + piece * PIECE;
            let pieces: Vec<(Round<W>, Vec<Step>)> =
                block.par_chunks(PIECE).enumerate().map(|(piece, duels)| self.next_of_piece(first(piece), duels)).collect();
            // Only now is it known how much there is: a vector that grows by itself takes up to three times that.
            round.reserve_exact(pieces.iter().map(|(round, _)| round.len()).sum());
            for (piece, broken_in_piece) in pieces {
                round.extend(piece);
                broken.extend(broken_in_piece);
            }
            if round.len() as u64 > room {
                without_doubles(&mut round);
            }
            if round.len() as u64 > room {
                cut = Some(Limit::Positions(bounds.most_positions));
            } else if bounds.control.is_stopped() {
                cut = Some(Limit::Stopped);
            }
            if cut.is_some() {
                break;
            }
        }
        without_doubles(&mut round);
        Next { round, broken, cut }
    }

    /// The same for some positions, the first of which has this number.
    fn next_of_piece(&self, first: usize, duels: &[Duel<W>]) -> (Round<W>, Vec<Step>) {
        let board: &Board<W> = self.start.board();
        let (mut round, mut broken) = (Vec::new(), Vec::new());
        for (number, duel) in (first..).zip(duels) {
            for to in duel.moves(board) {
                let step = Step { from: number as u32, to };
                let after = duel.play_unchecked(to);
                match self.rule.reply(Some(duel.mover), to).filter(|&reply| after.moves(board).contains(reply)) {
                    Some(reply) => round.push((after.play_unchecked(reply).without_dead_cells(board), step)),
                    None => broken.push(step),
                }
            }
        }
        without_doubles(&mut round);
        (round, broken)
    }

    /// The game that ends with this step from a position of the last round.
    fn moves(&self, last: Step) -> Vec<Cell> {
        let mut steps = vec![last.to];
        let mut from = last.from;
        for round in self.rounds.iter().rev() {
            let step = round[from as usize];
            steps.push(step.to);
            from = step.from;
        }
        let mut moves = Vec::new();
        let mut knight = self.start.knight(self.start.turn());
        for to in steps.into_iter().rev() {
            moves.push(to);
            moves.extend(self.rule.reply(knight, to));
            knight = Some(to);
        }
        // The last reply is the one that cannot be played.
        let answered = moves.len() - usize::from(self.rule.reply(knight, last.to).is_some());
        moves.truncate(answered);
        moves
    }
}

/// Each position once, with the first step that leads there: the order does not depend on the threads.
fn without_doubles<W: Word>(round: &mut Round<W>) {
    round.par_sort_unstable_by_key(|&(duel, step)| (duel, step.from, step.to));
    round.dedup_by_key(|(duel, _)| *duel);
}
