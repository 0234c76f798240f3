//! A rule, played against every defence.
//!
//! The rule has one reply to each move, so that only the opponent's moves branch. The check visits
//! all games that the rule can lead to, round by round; a round is a move and its reply. A position
//! that comes up twice in a round is visited once. If the rule always has a reply, the opponent is
//! the one who runs out of moves, and the rule wins. Otherwise the first round in which a reply
//! cannot be played gives a shortest line on which the rule breaks.

use std::fmt;

use rayon::prelude::*;

use super::rule::Rule;
use super::sort::sort_by_key;
use crate::game::board::{Board, Size, with_word_for};
use crate::game::cells::{Cell, Word};
use crate::game::duel::Duel;
use crate::game::notation::{cell_name, grouped};
use crate::game::position::{IllegalMove, Player, Position};
use crate::solve::{Control, Stopped};

/// The result of checking a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exhaustion {
    /// The player who follows the rule.
    pub player: Player,
    /// The number of positions, with the opponent to move, in which all moves were tried.
    pub positions: u64,
    /// What the check found.
    pub end: CheckEnd,
}

/// What the check of a rule found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckEnd {
    /// The rule has a reply to every move, and wins.
    Wins,
    /// The rule breaks here.
    Breaks(Break),
    /// A limit ran out before either was found.
    Unknown(CheckLimit),
}

/// Why a check was not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CheckLimit {
    /// There are more positions than this number, which was the limit.
    Positions(u64),
    /// The control stopped the work.
    Stopped,
}

impl fmt::Display for CheckLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Positions(most) => write!(f, "there are more positions than the {} allowed", grouped(*most)),
            Self::Stopped => f.write_str("the check was stopped before the end"),
        }
    }
}

impl std::error::Error for CheckLimit {}

/// A game in which a rule has no reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Break {
    /// The moves from the start of the check. The last one has no reply.
    pub moves: Vec<Cell>,
    /// The reply that the rule asks for, if it asks for any.
    pub reply: Option<Cell>,
    /// Why that reply cannot be played.
    pub fault: NoReply,
}

impl Break {
    /// Why the last move has no reply, in words.
    #[must_use]
    pub fn why(&self, size: Size) -> String {
        let wanted = self.reply.map(|reply| format!("the reply would be {}, but ", cell_name(size, reply)));
        format!("{}{}", wanted.unwrap_or_default(), self.fault)
    }
}

/// Why a rule has no reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoReply {
    /// The rule asks for no reply to this move.
    Silent,
    /// The reply is the cell that the opponent has just moved to.
    Coincides,
    /// The rules of the game forbid it.
    Illegal(IllegalMove),
}

impl fmt::Display for NoReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silent => f.write_str("the rule does not say where to place"),
            Self::Coincides => f.write_str("that is the cell just played to"),
            Self::Illegal(IllegalMove::Occupied) => f.write_str("that cell is gone"),
            Self::Illegal(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for NoReply {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Silent | Self::Coincides => None,
            Self::Illegal(fault) => Some(fault),
        }
    }
}

/// One step of a game: the opponent's move, and the position before it as an index into the round
/// before.
#[derive(Clone, Copy)]
struct Step {
    from: u32,
    to: Cell,
}

/// The limits of a check, and who is told of its progress.
#[derive(Clone, Copy)]
pub struct Bounds<'a> {
    /// The most positions that are visited. Each takes up to six machine words.
    pub most_positions: u64,
    /// Stops the check.
    pub control: &'a Control,
    /// Called after every round with the number of positions visited so far.
    pub tell: &'a (dyn Fn(u64) + Sync),
}

/// Plays the rule against every defence of its opponent, who is to move at the start.
///
/// `forgive` is called with each position in which the rule has no reply, its player to move. If it
/// returns `true`, the rule does not break there, and the check leaves that position out.
pub fn exhaust(
    rule: &Rule,
    start: &Position,
    bounds: Bounds<'_>,
    mut forgive: impl FnMut(&Position) -> Result<bool, Stopped>,
) -> Exhaustion {
    with_word_for!(start.size(), exhaust_in(rule, start, bounds, &mut forgive))
}

fn exhaust_in<W: Word>(
    rule: &Rule,
    start: &Position,
    bounds: Bounds<'_>,
    forgive: &mut dyn FnMut(&Position) -> Result<bool, Stopped>,
) -> Exhaustion {
    let mut check = Check::<W> { rule, start, board: Board::fitting(start.size()), rounds: Vec::new() };
    let mut positions = 1;
    let exhaustion = |positions, end| Exhaustion { player: !start.turn(), positions, end };
    let mut next = check.first_round();
    loop {
        for last in next.broken {
            let moves = check.moves(last);
            let before = moves[..moves.len() - 1].iter().fold(start.clone(), |position, &to| position.play_unchecked(to));
            let after = before.play_unchecked(last.to);
            match forgive(&after) {
                Err(Stopped) => return exhaustion(positions, CheckEnd::Unknown(CheckLimit::Stopped)),
                Ok(true) => {}
                Ok(false) => {
                    let reply = rule.reply(before.knight(before.turn()), last.to);
                    return exhaustion(positions, CheckEnd::Breaks(Break { fault: fault(&after, last.to, reply), moves, reply }));
                }
            }
        }
        let visited = next.round.len() as u64;
        let room = bounds.most_positions.checked_sub(positions + visited);
        match (next.cut, room) {
            (Some(limit), _) => return exhaustion(positions, CheckEnd::Unknown(limit)),
            _ if next.round.is_empty() => return exhaustion(positions, CheckEnd::Wins),
            (None, None) => return exhaustion(positions, CheckEnd::Unknown(CheckLimit::Positions(bounds.most_positions))),
            (None, Some(room)) => {
                let (duels, steps): (Vec<Duel<W>>, Vec<Step>) = next.round.into_iter().unzip();
                check.rounds.push(steps);
                next = check.next_round(&duels, room, bounds);
                if next.cut.is_none() {
                    positions += visited;
                    (bounds.tell)(positions);
                }
            }
        }
    }
}

fn fault(after: &Position, to: Cell, reply: Option<Cell>) -> NoReply {
    match reply.map(|reply| (reply, after.check(reply))) {
        None => NoReply::Silent,
        Some((reply, _)) if reply == to => NoReply::Coincides,
        Some((_, Err(fault))) => NoReply::Illegal(fault),
        Some((_, Ok(()))) => unreachable!("the reply was found to be illegal"),
    }
}

/// The number of positions that a thread takes at a time.
const PIECE: usize = 1 << 12;
/// The most positions after which the limits are checked.
const MOST_IN_BLOCK: u64 = 1 << 18;

/// The number of positions after which the limits are checked. What follows from a block is in
/// memory before its duplicates are removed, so a block is a small part of all positions.
fn block(most_positions: u64) -> usize {
    (most_positions / 32).clamp(PIECE as u64, MOST_IN_BLOCK) as usize / PIECE * PIECE
}

/// The positions after a round, sorted, each with one step that leads there.
type Round<W> = Vec<(Duel<W>, Step)>;

/// The positions that follow a round.
struct Next<W> {
    round: Round<W>,
    /// The steps that have no reply.
    broken: Vec<Step>,
    /// The limit that ran out before all of them were found.
    cut: Option<CheckLimit>,
}

struct Check<'a, W> {
    rule: &'a Rule,
    start: &'a Position,
    board: Board<W>,
    /// The steps of all rounds but the last. The positions themselves are not kept.
    rounds: Vec<Vec<Step>>,
}

impl<W: Word> Check<'_, W> {
    /// The first round, in which the move and its reply may be placements.
    fn first_round(&self) -> Next<W> {
        let (mut round, mut broken) = (Vec::new(), Vec::new());
        for to in self.start.legal_moves() {
            let after = self.start.play_unchecked(to);
            let reply = self.rule.reply(self.start.knight(self.start.turn()), to);
            let step = Step { from: 0, to };
            match reply.and_then(|reply| after.play(reply).ok()).and_then(|next| next.duel()) {
                Some(duel) => round.push((duel.without_dead_cells(&self.board), step)),
                None => broken.push(step),
            }
        }
        remove_duplicates_at_once(&mut round);
        Next { round, broken, cut: None }
    }

    /// All replies to all moves, block by block. Once there is no room left, the positions are
    /// dropped, but the rest of the round is still searched for moves without a reply.
    fn next_round(&self, duels: &[Duel<W>], room: u64, bounds: Bounds<'_>) -> Next<W> {
        let (mut round, mut broken, mut full) = (Vec::new(), Vec::new(), false);
        let in_block = block(bounds.most_positions);
        for (number, block) in duels.chunks(in_block).enumerate() {
            let first = |piece: usize| number * in_block + piece * PIECE;
            let pieces: Vec<(Round<W>, Vec<Step>)> =
                block.par_chunks(PIECE).enumerate().map(|(piece, duels)| self.next_of_piece(first(piece), duels)).collect();
            if !full {
                // Reserve exactly what is needed: a vector that grows on demand takes up to three
                // times as much memory.
                round.reserve_exact(pieces.iter().map(|(round, _)| round.len()).sum());
            }
            for (piece, broken_in_piece) in pieces {
                broken.extend(broken_in_piece);
                if !full {
                    round.extend(piece);
                }
            }
            let fits = round.len() as u64 <= room;
            if bounds.control.is_stopped() || (!fits && remove_duplicates(&mut round, bounds.control).is_err()) {
                return Next { round: Vec::new(), broken, cut: Some(CheckLimit::Stopped) };
            }
            if round.len() as u64 > room {
                (round, full) = (Vec::new(), true);
            }
        }
        let cut = match remove_duplicates(&mut round, bounds.control) {
            _ if full => Some(CheckLimit::Positions(bounds.most_positions)),
            Ok(()) => None,
            Err(Stopped) => Some(CheckLimit::Stopped),
        };
        Next { round, broken, cut }
    }

    /// The same for a few positions. `first` is the index of the first of them.
    fn next_of_piece(&self, first: usize, duels: &[Duel<W>]) -> (Round<W>, Vec<Step>) {
        let board = &self.board;
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
        remove_duplicates_at_once(&mut round);
        (round, broken)
    }

    /// The moves of the game that ends with this step from a position of the last round.
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
        // The last reply cannot be played.
        let answered = moves.len() - usize::from(self.rule.reply(knight, last.to).is_some());
        moves.truncate(answered);
        moves
    }
}

/// Keeps each position once, with the least step that leads there, so that the result does not
/// depend on the threads.
fn remove_duplicates<W: Word>(round: &mut Round<W>, control: &Control) -> Result<(), Stopped> {
    sort_by_key(round, &in_order, control)?;
    round.dedup_by_key(|(duel, _)| *duel);
    Ok(())
}

/// The same for a few entries, on one thread.
fn remove_duplicates_at_once<W: Word>(round: &mut Round<W>) {
    round.sort_unstable_by_key(in_order);
    round.dedup_by_key(|(duel, _)| *duel);
}

/// By position, then by step. No two entries of a round are equal.
fn in_order<W: Word>(&(duel, step): &(Duel<W>, Step)) -> (Duel<W>, u32, Cell) {
    (duel, step.from, step.to)
}
