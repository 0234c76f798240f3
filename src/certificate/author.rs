//! The decisions behind a certificate: which rule, which move.
//!
//! Every decision depends on the position and on the lists of lemmas alone, because the search
//! gives exact answers and moves are tried in a fixed order. So the same statement always gets the
//! same proof, whatever the number of threads and however often the work was interrupted.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::Halt;
use super::lists::Lists;
use crate::game::board::Board;
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::{Duel, Part};
use crate::game::position::{Player, Position};
use crate::game::symmetry::{Symmetries, Symmetry};
use crate::solve::{Control, Guide, Opening, board_mirror, mirror, ordered, promising_replies};

/// How a position is proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// By a lemma.
    Lemma,
    /// By a move of the winner.
    Move(Cell),
    /// By all moves of the loser.
    All,
    /// By a mirror.
    Mirror(Symmetry),
}

/// The limits of the work. Its time counts from the first decision.
pub(super) struct Clock {
    whole: Arc<Control>,
    time: Option<Duration>,
    started: OnceLock<Control>,
}

impl Clock {
    pub(super) fn new(whole: &Arc<Control>, time: Option<Duration>) -> Self {
        Self { whole: Arc::clone(whole), time, started: OnceLock::new() }
    }

    fn limits(&self) -> &Control {
        self.started.get_or_init(|| self.whole.part(self.time))
    }
}

/// Decides what is written.
pub(super) struct Author<'a, W> {
    board: &'a Board<W>,
    symmetries: Symmetries<W>,
    guide: Guide<W>,
    clock: &'a Clock,
    mirrors: bool,
    /// With at most this many free cells, all winning moves of the hunter are compared by the
    /// number of lemmas that they take.
    compare: usize,
}

impl<'a, W: Word> Author<'a, W> {
    pub(super) fn new(board: &'a Board<W>, guide: Guide<W>, clock: &'a Clock, mirrors: bool, compare: usize) -> Self {
        Self { board, symmetries: Symmetries::new(board), guide, clock, mirrors, compare }
    }

    /// Gives the guide back, with what it remembers.
    pub(super) fn into_guide(self) -> Guide<W> {
        self.guide
    }

    /// Fails once the work should stop.
    pub(super) fn go_on(&self) -> Result<(), Halt> {
        if self.clock.limits().is_stopped() { Err(Halt::Stopped) } else { Ok(()) }
    }

    fn mover_wins(&mut self, duel: Duel<W>) -> Result<bool, Halt> {
        self.guide.mover_wins(duel, self.clock.limits()).map_err(|_| Halt::Stopped)
    }

    /// The same for a position near the root, where a mirror may save a long search.
    fn mover_wins_root(&mut self, duel: Duel<W>) -> Result<bool, Halt> {
        if self.is_mirrored(duel) {
            return Ok(false);
        }
        Ok(self.move_to_mirror(duel).is_some() || self.mover_wins(duel)?)
    }

    /// A move after which a mirror decides for the player who made it.
    fn move_to_mirror(&self, duel: Duel<W>) -> Option<Cell> {
        duel.moves(self.board).into_iter().find(|&to| self.is_mirrored(duel.play_unchecked(to)))
    }

    fn is_mirrored(&self, duel: Duel<W>) -> bool {
        mirror(&self.symmetries, duel.without_dead_cells(self.board)).is_some()
    }

    /// Who wins a position.
    pub(super) fn winner(&mut self, position: &Position) -> Result<Player, Halt> {
        let mover_wins = match position.duel::<W>() {
            Some(duel) => self.mover_wins_root(duel)?,
            None => self.mirror_of(position).is_none() && self.winning_move(position)?.is_some(),
        };
        Ok(if mover_wins { position.turn() } else { !position.turn() })
    }

    /// A mirror by which the player to move loses.
    fn mirror_of(&self, position: &Position) -> Option<Symmetry> {
        match position.duel::<W>() {
            Some(duel) => mirror(&self.symmetries, duel.without_dead_cells(self.board)),
            None if position.knight(Player::First).is_some() => None,
            None => board_mirror(&self.symmetries, position.free().convert()),
        }
    }

    /// The first winning move or placement, in the order in which they are tried.
    fn winning_move(&mut self, position: &Position) -> Result<Option<Cell>, Halt> {
        let free: Cells<W> = position.free().convert();
        if let Some(duel) = position.duel::<W>() {
            for to in ordered(self.board, duel) {
                if !self.mover_wins_root(duel.play_unchecked(to))? {
                    return Ok(Some(to));
                }
            }
            return Ok(None);
        }
        let Some(first) = position.knight(Player::First) else {
            for to in free {
                if self.winning_move(&position.play_unchecked(to))?.is_none() {
                    return Ok(Some(to));
                }
            }
            return Ok(None);
        };
        let replies = promising_replies(self.board, free, first);
        let opening = |second| Opening { first, second }.duel(free);
        if let Some(&reply) = replies.iter().find(|&&reply| self.mirrors && self.is_mirrored(opening(reply))) {
            return Ok(Some(reply));
        }
        for reply in replies {
            if !self.mover_wins_root(opening(reply))? {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }

    /// The rule that proves a position.
    pub(super) fn rule(&mut self, position: &Position, winner: Player) -> Result<Rule, Halt> {
        let duel = position.duel::<W>();
        if position.turn() == winner {
            if let Some(to) = duel.filter(|_| self.mirrors).and_then(|duel| self.move_to_mirror(duel)) {
                return Ok(Rule::Move(to));
            }
        } else if let Some(symmetry) = self.mirror_of(position).filter(|_| self.mirrors) {
            return Ok(Rule::Mirror(symmetry));
        }
        match duel {
            Some(duel) if duel.part_of_mover(self.board) == Part::Hunter => Ok(Rule::Lemma),
            _ if position.turn() == winner => self.winning_move(position)?.map(Rule::Move).ok_or(Halt::NotWon),
            _ => Ok(Rule::All),
        }
    }

    /// The hunter's move in a position that the hunter wins and no lemma covers.
    pub(super) fn hunters_move(&mut self, lists: &Lists<W>, duel: Duel<W>) -> Result<Cell, Halt> {
        let moves = ordered(self.board, duel);
        if let Some(to) = self.covered_move(lists, duel, &moves) {
            return Ok(to);
        }
        if duel.free.len() > self.compare {
            return self.winning(duel, &moves);
        }
        let mut best: Option<(u64, Cell)> = None;
        for to in moves {
            if !self.mover_wins(duel.play_unchecked(to))? {
                let most = best.map_or(u64::MAX, |(lemmas, _)| lemmas);
                let lemmas = self.new_lemmas(lists, duel, to, most)?;
                if lemmas < most {
                    best = Some((lemmas, to));
                }
            }
        }
        best.map(|(_, to)| to).ok_or(Halt::NotWon)
    }

    /// How many new lemmas it takes to prove that the hunter wins by this move; `most` if it takes
    /// that many or more. Further down it is the first winning move that counts, and lemmas that
    /// could be used twice are counted twice.
    fn new_lemmas(&mut self, lists: &Lists<W>, duel: Duel<W>, to: Cell, most: u64) -> Result<u64, Halt> {
        let after = duel.play_unchecked(to);
        let mut lemmas = 1;
        for reply in after.moves(self.board) {
            let next = after.play_unchecked(reply);
            if lists.has_cover(lists.of(to, reply, true), next.free) {
                continue;
            }
            if lemmas >= most {
                return Ok(most);
            }
            let moves = ordered(self.board, next);
            let to = match self.covered_move(lists, next, &moves) {
                Some(to) => to,
                None => self.winning(next, &moves)?,
            };
            lemmas += self.new_lemmas(lists, next, to, most - lemmas)?;
        }
        Ok(lemmas)
    }

    /// A winning move of the hunter after which every reply is covered. One lemma is enough for it.
    fn covered_move(&self, lists: &Lists<W>, duel: Duel<W>, moves: &[Cell]) -> Option<Cell> {
        let is_covered = |&to: &Cell| {
            let after = duel.play_unchecked(to);
            let is_covered = |reply| lists.has_cover(lists.of(to, reply, true), after.free.without(reply));
            after.moves(self.board).into_iter().all(is_covered)
        };
        moves.iter().copied().find(is_covered)
    }

    /// The first move that wins.
    fn winning(&mut self, duel: Duel<W>, moves: &[Cell]) -> Result<Cell, Halt> {
        for &to in moves {
            if !self.mover_wins(duel.play_unchecked(to))? {
                return Ok(to);
            }
        }
        Err(Halt::NotWon)
    }

    /// The prey's answer in a position that the prey wins: one that a lemma covers, or the first
    /// winning one.
    pub(super) fn preys_answer(&mut self, lists: &Lists<W>, duel: Duel<W>) -> Result<Cell, Halt> {
        let moves = ordered(self.board, duel);
        let is_covered = |&to: &Cell| lists.has_cover(lists.of(duel.other, to, false), duel.free.without(to));
        match moves.iter().copied().find(is_covered) {
            Some(to) => Ok(to),
            None => self.winning(duel, &moves),
        }
    }
}
