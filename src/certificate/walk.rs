//! A walk through a proof, from front to back. It reads what is recorded, and writes the rest.
//!
//! Reading and writing are one walk: both know the position at every step, and both keep the same
//! lists of lemmas. Where the bytes end, an [`Author`] decides how to go on. So work that was
//! interrupted continues where its bytes end, and a finished certificate is read by a walk without
//! an author.

use super::Halt;
use super::author::{Author, Rule};
use super::format::{
    ALL_MOVES, COVERED, COVERED_AFRESH, FIRST_REFERENCE, IMAGE, MIRROR, WINNERS_MOVE, player_of, player_tag, symmetry_number,
};
use super::lists::{Lemma, Lists};
use crate::game::board::Board;
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::{Duel, Part};
use crate::game::position::{Player, Position};
use crate::game::symmetry::{Symmetries, Symmetry};
use crate::solve::MOST_MOVES;

/// How many decisions pass between two looks at the clock.
const BETWEEN_SAVES: u32 = 1 << 10;

/// What a walk meets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event<W> {
    /// A new lemma is complete. It was written for this position.
    New { lemma: Lemma<W>, duel: Duel<W>, hunter_wins: bool },
    /// The lemma with this number is used again.
    Again(u32),
}

/// A walk through a proof.
pub(super) struct Walk<'a, W> {
    board: &'a Board<W>,
    symmetries: Symmetries<W>,
    lists: Lists<W>,
    /// What was recorded, or is written.
    pub(super) bytes: Vec<u8>,
    /// How far the walk has come.
    pub(super) at: usize,
    author: Option<Author<'a, W>>,
    /// Called now and then with what is written.
    save: &'a mut dyn FnMut(&[u8]) -> Result<(), Halt>,
    /// Called for every event.
    watch: &'a mut dyn FnMut(Event<W>),
    decisions: u32,
    /// How many lemmas have begun.
    pub(super) lemmas: u32,
    /// Whether the next lemma is the first one of the walk.
    afresh: bool,
}

impl<'a, W: Word> Walk<'a, W> {
    /// A walk that writes what is not recorded. It begins with empty lists.
    pub(super) fn writing(
        board: &'a Board<W>,
        recorded: Vec<u8>,
        author: Author<'a, W>,
        save: &'a mut dyn FnMut(&[u8]) -> Result<(), Halt>,
        watch: &'a mut dyn FnMut(Event<W>),
    ) -> Self {
        let (symmetries, lists) = (Symmetries::new(board), Lists::new(board.size().cells()));
        Self {
            board,
            symmetries,
            lists,
            bytes: recorded,
            at: 0,
            author: Some(author),
            save,
            watch,
            decisions: 0,
            lemmas: 0,
            afresh: true,
        }
    }

    /// A walk that only reads.
    pub(super) fn reading(
        board: &'a Board<W>,
        bytes: Vec<u8>,
        at: usize,
        save: &'a mut dyn FnMut(&[u8]) -> Result<(), Halt>,
        watch: &'a mut dyn FnMut(Event<W>),
    ) -> Self {
        let (symmetries, lists) = (Symmetries::new(board), Lists::new(board.size().cells()));
        Self { board, symmetries, lists, bytes, at, author: None, save, watch, decisions: 0, lemmas: 0, afresh: false }
    }

    /// Ends the walk: what is written, and its author.
    pub(super) fn end(self) -> (Vec<u8>, Option<Author<'a, W>>) {
        (self.bytes, self.author)
    }

    /// The next byte if it is recorded. `None` if the author has to decide.
    fn recorded(&mut self) -> Result<Option<u8>, Halt> {
        if let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            return Ok(Some(byte));
        }
        let author = self.author.as_ref().ok_or(Halt::Unsound)?;
        self.decisions = self.decisions.wrapping_add(1);
        if self.decisions.is_multiple_of(BETWEEN_SAVES) {
            author.go_on()?;
            (self.save)(&self.bytes)?;
        }
        Ok(None)
    }

    /// A byte that must be recorded.
    pub(super) fn read(&mut self) -> Result<u8, Halt> {
        let byte = *self.bytes.get(self.at).ok_or(Halt::Unsound)?;
        self.at += 1;
        Ok(byte)
    }

    /// Whether the next byte is recorded, and is this one. If so, the walk passes it.
    pub(super) fn reads(&mut self, byte: u8) -> bool {
        let is_next = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn read_cell(&mut self) -> Result<Cell, Halt> {
        self.cell(self.bytes.get(self.at).copied().ok_or(Halt::Unsound)?).inspect(|_| self.at += 1)
    }

    fn cell(&self, byte: u8) -> Result<Cell, Halt> {
        if usize::from(byte) < self.board.size().cells() { Ok(Cell::new(byte.into())) } else { Err(Halt::Unsound) }
    }

    fn write(&mut self, byte: u8) -> u8 {
        self.bytes.push(byte);
        self.at += 1;
        byte
    }

    fn author(&mut self) -> Result<(&mut Author<'a, W>, &Lists<W>), Halt> {
        Ok((self.author.as_mut().ok_or(Halt::Unsound)?, &self.lists))
    }

    /// A claim: the winner and a proof. If a winner is expected, it must be that one; if a first
    /// move is given, the proof begins with it.
    pub(super) fn claim(&mut self, position: &Position, expected: Option<Player>, first: Option<Cell>) -> Result<Player, Halt> {
        let recorded = self.recorded()?;
        let is_recorded = recorded.is_some();
        let winner = match recorded {
            Some(tag) => player_of(tag).ok_or(Halt::Unsound)?,
            None => {
                let winner = self.author()?.0.winner(position)?;
                self.write(player_tag(winner));
                winner
            }
        };
        if expected.is_some_and(|expected| expected != winner) {
            // If it is recorded, it was recorded for another claim.
            return Err(if is_recorded { Halt::Unsound } else { Halt::NotWon });
        }
        self.proof(position, winner, first)?;
        Ok(winner)
    }

    /// A proof that this player wins a position.
    pub(super) fn proof(&mut self, position: &Position, winner: Player, first: Option<Cell>) -> Result<(), Halt> {
        let tag = match self.recorded()? {
            Some(tag) => tag,
            None => {
                let rule = match first {
                    Some(to) => Rule::Move(to),
                    None => self.author()?.0.rule(position, winner)?,
                };
                self.write_rule(rule)
            }
        };
        match tag {
            COVERED | COVERED_AFRESH => {
                if tag == COVERED_AFRESH {
                    self.lists.clear();
                    self.afresh = false;
                }
                let duel = position.duel::<W>().filter(|duel| duel.part_of_mover(self.board) == Part::Hunter);
                let duel = duel.ok_or(Halt::Unsound)?;
                self.lemma(duel, position.turn() == winner, &Lemma::new(0)).map(|_| ())
            }
            WINNERS_MOVE if position.turn() == winner => {
                let to = self.read_cell()?;
                if first.is_some_and(|first| first != to) {
                    return Err(Halt::Unsound);
                }
                self.proof(&position.play(to).map_err(|_| Halt::Unsound)?, winner, None)
            }
            ALL_MOVES if position.turn() != winner => self.all_moves(position, winner).map(|_| ()),
            MIRROR if position.turn() != winner => {
                let symmetry = self.read_symmetry()?;
                if self.is_mirror(position, symmetry) { Ok(()) } else { Err(Halt::Unsound) }
            }
            _ => Err(Halt::Unsound),
        }
    }

    /// Writes a rule and leaves the walk behind its tag.
    fn write_rule(&mut self, rule: Rule) -> u8 {
        let (tag, then) = match rule {
            Rule::Lemma if self.afresh => (COVERED_AFRESH, None),
            Rule::Lemma => (COVERED, None),
            Rule::Move(to) => (WINNERS_MOVE, Some(to.index() as u8)),
            Rule::All => (ALL_MOVES, None),
            Rule::Mirror(symmetry) => (MIRROR, Some(symmetry_number(symmetry))),
        };
        self.write(tag);
        self.bytes.extend(then);
        tag
    }

    /// All moves of the loser. Returns how many of them are not images of others.
    pub(super) fn all_moves(&mut self, position: &Position, winner: Player) -> Result<usize, Halt> {
        let mut proven = 0;
        for to in position.legal_moves() {
            if self.at == self.bytes.len() && self.author.is_some() {
                let symmetry = self.symmetries.iter().find(|&symmetry| self.is_image(position, to, symmetry));
                if let Some(symmetry) = symmetry {
                    self.write(IMAGE);
                    self.write(symmetry_number(symmetry));
                    continue;
                }
            } else if self.reads(IMAGE) {
                let symmetry = self.read_symmetry()?;
                if !self.is_image(position, to, symmetry) {
                    return Err(Halt::Unsound);
                }
                continue;
            }
            self.proof(&position.play_unchecked(to), winner, None)?;
            proven += 1;
        }
        Ok(proven)
    }

    /// Whether the symmetry keeps the position, and takes this move to a smaller one.
    fn is_image(&self, position: &Position, to: Cell, symmetry: Symmetry) -> bool {
        let image = |cell| symmetry.image_on(self.board.size(), cell);
        image(to) < to
            && Player::BOTH.into_iter().filter_map(|player| position.knight(player)).all(|cell| image(cell) == cell)
            && position.free().into_iter().all(|cell| position.free().contains(image(cell)))
    }

    /// Whether the player to move loses by this mirror.
    fn is_mirror(&self, position: &Position, symmetry: Symmetry) -> bool {
        let image = |cell| symmetry.image_on(self.board.size(), cell);
        let exchanges = match (position.knight(Player::First), position.knight(Player::Second)) {
            (Some(first), Some(second)) => image(first) == second,
            (first, _) => first.is_none(),
        };
        let live = position.live();
        let is_matched = |cell| image(cell) != cell && live.contains(image(cell));
        symmetry == symmetry.inverse() && exchanges && live.into_iter().all(is_matched)
    }

    /// Reads a symmetry of the board.
    pub(super) fn read_symmetry(&mut self) -> Result<Symmetry, Halt> {
        let number = self.read()?;
        let mut known = Symmetry::ALL.into_iter().filter(|symmetry| symmetry.fits(self.board.size()));
        known.find(|&symmetry| symmetry_number(symmetry) == number).ok_or(Halt::Unsound)
    }

    /// A lemma that covers this duel, in which the hunter is to move. `so_far` are the cells that
    /// the lemma above rests on already.
    fn lemma(&mut self, duel: Duel<W>, hunter_wins: bool, so_far: &Lemma<W>) -> Result<Lemma<W>, Halt> {
        let code = match self.recorded()? {
            Some(code) => code,
            None => {
                let (author, lists) = self.author()?;
                let list = lists.of(duel.mover, duel.other, hunter_wins);
                let code = match lists.best_cover(list, duel.free, so_far) {
                    Some(rank) => FIRST_REFERENCE + rank as u8,
                    None if hunter_wins => author.hunters_move(lists, duel)?.index() as u8,
                    None => 0,
                };
                self.write(code)
            }
        };
        if let Some(rank) = code.checked_sub(FIRST_REFERENCE) {
            let lemma = self.use_again(duel.mover, duel.other, hunter_wins, rank)?;
            return if lemma.covers(duel.free) { Ok(lemma) } else { Err(Halt::Unsound) };
        }
        self.lemmas = self.lemmas.checked_add(1).ok_or(Halt::TooLong)?;
        let number = self.lemmas;
        let lemma = match (hunter_wins, code) {
            (true, to) => self.hunter_wins(duel, self.cell(to)?, number)?,
            (false, 0) => self.prey_wins(duel, number)?,
            (false, _) => return Err(Halt::Unsound),
        };
        if !lemma.covers(duel.free) {
            return Err(Halt::Unsound);
        }
        self.lists.add(self.lists.of(duel.mover, duel.other, hunter_wins), lemma);
        (self.watch)(Event::New { lemma, duel, hunter_wins });
        Ok(lemma)
    }

    fn use_again(&mut self, hunter: Cell, prey: Cell, hunter_wins: bool, rank: u8) -> Result<Lemma<W>, Halt> {
        let list = self.lists.of(hunter, prey, hunter_wins);
        let lemma = self.lists.use_again(list, rank.into()).ok_or(Halt::Unsound)?;
        (self.watch)(Event::Again(lemma.number));
        Ok(lemma)
    }

    /// Reads or writes the mask of the loser's moves that are not stopped. Returns the moves that
    /// it marks, `open` among them.
    fn mask(&mut self, moves: Cells<W>, open: Cells<W>) -> Result<Cells<W>, Halt> {
        let Some(mask) = self.recorded()? else {
            let marked = moves.into_iter().enumerate().filter(|(_, to)| open.contains(*to));
            let mask = marked.fold(0, |mask, (number, _)| mask | 1 << number);
            self.write(mask);
            return Ok(open);
        };
        let marked: Cells<W> =
            moves.into_iter().enumerate().filter(|(number, _)| mask >> number & 1 == 1).map(|(_, to)| to).collect();
        if marked.len() == mask.count_ones() as usize && open.is_subset(marked) { Ok(marked) } else { Err(Halt::Unsound) }
    }

    /// The rest of a lemma about a win of the hunter, after its move.
    fn hunter_wins(&mut self, duel: Duel<W>, to: Cell, number: u32) -> Result<Lemma<W>, Halt> {
        let (hunter, prey) = (duel.mover, duel.other);
        if !duel.moves(self.board).contains(to) {
            return Err(Halt::Unsound);
        }
        let after = duel.play_unchecked(to);
        let replies = self.board.knight_moves(prey);
        let open = after.moves(self.board);
        let mask_at = self.at;
        let mut marked = self.mask(replies, open)?;
        if marked.contains(to) {
            return Err(Halt::Unsound);
        }
        let mut lemma = Lemma { need: Cells::only(to), ..Lemma::new(number) };
        let mut places = [0; MOST_MOVES];
        for (place, reply) in places.iter_mut().zip(replies) {
            *place = self.at;
            if marked.contains(reply) {
                // A reply may be answered although it cannot be played here. Then the lemma below
                // covers the position that would arise if it could.
                let below = Duel { mover: to, other: reply, free: after.free.without(reply) };
                let below = self.lemma(below, true, &lemma)?;
                lemma.rest_on(&below, hunter, prey);
            }
        }
        // A reply that cannot be played here need not be stopped if a lemma answers it with the
        // cells that are needed and stopped anyway. Only the author does this, once the lemma is
        // complete. A lemma that was recorded up to its very end is treated a second time, which
        // changes nothing: what it rests on is the same.
        if self.author.is_some() && self.at == self.bytes.len() {
            let (need, stop) = (lemma.need, lemma.stop.with(hunter).with(prey));
            for (bit, reply) in replies.into_iter().enumerate().collect::<Vec<_>>().into_iter().rev() {
                let list = self.lists.of(to, reply, true);
                let rank = (reply != to && !marked.contains(reply)).then(|| self.lists.within(list, need, stop)).flatten();
                if let Some(rank) = rank {
                    self.use_again(to, reply, true, rank as u8)?;
                    self.bytes.insert(places[bit], FIRST_REFERENCE + rank as u8);
                    self.bytes[mask_at] |= 1 << bit;
                    self.at += 1;
                    marked = marked.with(reply);
                }
            }
        }
        lemma.stop |= replies.without(to).except(marked);
        Ok(lemma)
    }

    /// The rest of a lemma about a win of the prey.
    fn prey_wins(&mut self, duel: Duel<W>, number: u32) -> Result<Lemma<W>, Halt> {
        let (hunter, prey) = (duel.mover, duel.other);
        let moves = self.board.knight_moves(hunter);
        let marked = self.mask(moves, duel.moves(self.board))?;
        let mut lemma = Lemma { stop: moves.except(marked), ..Lemma::new(number) };
        for to in marked {
            let after = Duel { mover: prey, other: to, free: duel.free.without(to) };
            let answer = match self.recorded()? {
                Some(answer) => self.cell(answer)?,
                None => {
                    let (author, lists) = self.author()?;
                    let answer = author.preys_answer(lists, after)?;
                    self.write(answer.index() as u8);
                    answer
                }
            };
            if !after.moves(self.board).contains(answer) {
                return Err(Halt::Unsound);
            }
            lemma.need = lemma.need.with(answer);
            let below = self.lemma(after.play_unchecked(answer), false, &lemma)?;
            lemma.rest_on(&below, hunter, prey);
        }
        Ok(lemma)
    }
}
