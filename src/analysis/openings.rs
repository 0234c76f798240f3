//! All openings of a board: solved, counted and described.
//!
//! The colour law: the player to move wins exactly when both knights stand on one colour, that is
//! when it is the hunter. Every exception is listed, with the mirror that explains it if there is
//! one.

use std::collections::HashMap;

use crate::game::board::{Board, Size};
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::{Duel, Part};
use crate::game::notation::{cell_name, grouped};
use crate::game::position::{Player, Position};
use crate::game::symmetry::{Symmetries, Symmetry};
use crate::solve::{
    Control, Known, NODES_AT_HAND, Opening, OpeningClass, Origin, Question, Solver, Source, board_mirror, mirror,
    opening_classes, placement_classes, winner_by_choice,
};
use crate::table::{ByWord, Tablebase, Tables};

/// The openings of a board, or those that go on from a first placement, with what is known of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Openings {
    /// The board.
    pub size: Size,
    /// The openings by class.
    pub classes: Vec<JudgedClass>,
    /// The first placements that were considered, by class: those that are images of each other,
    /// least first.
    pub placements: Vec<Vec<Cell>>,
    /// The mirror by which the second player wins after every placement, if the board has one.
    pub mirror: Option<Symmetry>,
    /// The cells that are free before any placement.
    free: Cells<u128>,
    /// The number of the class of each opening.
    class_of: HashMap<Opening, usize>,
}

/// The openings of one class: they are won by the same player.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedClass {
    /// The openings.
    pub class: OpeningClass,
    /// Whether the first player, who is to move, is the hunter.
    pub first_hunts: bool,
    /// What is known of the representative, as the first player sees it; `None` if nothing is.
    pub known: Option<Known>,
    /// The mirror that decides it, if there is one.
    pub mirror: Option<ByMirror>,
}

/// How a mirror decides an opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByMirror {
    /// The opening is symmetric: the second player, who has just placed, mirrors from now on.
    AtOnce(Symmetry),
    /// The first player moves to this cell (said of the class's representative), and mirrors from
    /// then on.
    After(Cell, Symmetry),
}

impl ByMirror {
    /// How a mirror decides a duel, if it does: for the other at once, or for the mover after one
    /// move.
    #[must_use]
    pub fn find<W: Word>(board: &Board<W>, symmetries: &Symmetries<W>, duel: Duel<W>) -> Option<Self> {
        let decided = |duel: Duel<W>| mirror(symmetries, duel.without_dead_cells(board));
        let after = |to| decided(duel.play_unchecked(to)).map(|symmetry| Self::After(to, symmetry));
        decided(duel).map(Self::AtOnce).or_else(|| duel.moves(board).into_iter().find_map(after))
    }

    /// The same in words.
    #[must_use]
    pub fn on(self, size: Size) -> String {
        match self {
            Self::AtOnce(symmetry) => format!("mirror {symmetry}"),
            Self::After(to, symmetry) => format!("mirror {symmetry} after {}", cell_name(size, to)),
        }
    }
}

impl JudgedClass {
    /// Who wins, if that is known.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        self.known.as_ref().map(|known| known.winner_at_turn_of(Player::First))
    }

    /// In how many plies after both placements, if that is known.
    #[must_use]
    pub fn plies(&self) -> Option<usize> {
        self.known.as_ref().and_then(Known::plies)
    }

    /// Whether the winner is known, and is not the one that the colour law names.
    #[must_use]
    pub fn breaks_colour_law(&self) -> bool {
        let lawful = if self.first_hunts { Player::First } else { Player::Second };
        self.winner().is_some_and(|winner| winner != lawful)
    }
}

/// The openings of a start position: the cells that are free before any placement, and the first
/// placements in question. After a first placement that is the only one.
pub(super) fn placements<W: Word>(start: &Position) -> (Cells<W>, Cells<W>) {
    let free = start.free().convert();
    match start.knight(Player::First) {
        Some(first) => (free.with(first), Cells::only(first)),
        None => (free, free),
    }
}

impl Openings {
    /// The classes of the openings that go on from a position in which the second player has not
    /// placed.
    pub(super) fn classes_from<W: Word>(board: &Board<W>, start: &Position) -> Vec<OpeningClass> {
        let (free, firsts) = placements(start);
        opening_classes(board, free, firsts)
    }

    /// Whether the answer about an opening is known without a search.
    pub(super) fn is_at_hand<W: Word>(solver: &Solver<W>, question: Question, duel: Duel<W>) -> bool {
        match solver.at_hand(duel, &Control::with_nodes(NODES_AT_HAND)) {
            Ok(Some(known)) => question == Question::Winner || known.count.is_some(),
            _ => false,
        }
    }

    /// Solves the openings that go on from a position, one of each class. `done` is called as each
    /// is decided that needs a search. Those that the limits leave open stay unknown.
    pub(super) fn solve<W: Word>(
        solver: &Solver<W>,
        start: &Position,
        question: Question,
        control: &Control,
        done: impl Fn() + Sync,
    ) -> Self {
        let answers = |duels: &[Duel<W>]| {
            let at_hand: Vec<bool> = duels.iter().map(|&duel| Self::is_at_hand(solver, question, duel)).collect();
            let answers = solver.answers(question, duels, control, |index, _| {
                if !at_hand[index] {
                    done();
                }
            });
            answers.into_iter().map(Result::ok).collect()
        };
        Self::judged(solver.board(), &Symmetries::new(solver.board()), start, answers)
    }

    /// The openings of the board of these tables, with what they say. Nothing is searched.
    #[must_use]
    pub fn in_tables(tables: &Tables) -> Self {
        fn look_up<W: Word>(tablebase: &Tablebase<W>, size: Size) -> Openings {
            let board = Board::fitting(size);
            let symmetries = Symmetries::new(&board);
            let known = |&duel: &Duel<W>| {
                let canonical = symmetries.canonical(&board, duel);
                tablebase.look_up(canonical.duel).map(|known| known.before(canonical.symmetry, size))
            };
            let known = |duels: &[Duel<W>]| duels.iter().map(known).collect();
            Openings::judged(&board, &symmetries, &Position::empty(size), known)
        }
        match &tables.by_word {
            ByWord::Small(tablebase) => look_up(tablebase, tables.size()),
            ByWord::Large(tablebase) => look_up(tablebase, tables.size()),
        }
    }

    /// The openings that go on from a position. `known` is asked once, with one duel of each class.
    fn judged<W: Word>(
        board: &Board<W>,
        symmetries: &Symmetries<W>,
        start: &Position,
        known: impl FnOnce(&[Duel<W>]) -> Vec<Option<Known>>,
    ) -> Self {
        let (free, firsts) = placements(start);
        let classes = opening_classes(board, free, firsts);
        let duels: Vec<Duel<W>> = classes.iter().map(|class| class.representative().duel(free)).collect();
        let known = known(&duels);
        let judge = |((class, duel), known): ((OpeningClass, Duel<W>), Option<Known>)| JudgedClass {
            class,
            first_hunts: duel.part_of_mover(board) == Part::Hunter,
            known,
            mirror: ByMirror::find(board, symmetries, duel),
        };
        let classes: Vec<JudgedClass> = classes.into_iter().zip(duels).zip(known).map(judge).collect();
        let numbered = classes.iter().enumerate();
        let class_of = numbered.flat_map(|(number, judged)| judged.class.members.iter().map(move |&opening| (opening, number)));
        let class_of = class_of.collect();
        Self {
            size: board.size(),
            placements: placement_classes(board, free, firsts),
            mirror: board_mirror(symmetries, free),
            free: free.convert(),
            class_of,
            classes,
        }
    }

    /// The class of one opening.
    #[must_use]
    pub fn class_of(&self, opening: Opening) -> Option<&JudgedClass> {
        self.class_of.get(&opening).map(|&number| &self.classes[number])
    }

    /// The first placements, in the order of the cells.
    pub fn firsts(&self) -> impl Iterator<Item = Cell> + use<> {
        let mut firsts = self.placements.concat();
        firsts.sort_unstable();
        firsts.into_iter()
    }

    /// The openings that begin with this placement, in the order of the replies, with their
    /// classes.
    pub fn after(&self, first: Cell) -> impl Iterator<Item = (Opening, &JudgedClass)> {
        let replies = self.free.without(first).into_iter().map(move |second| Opening { first, second });
        replies.filter_map(|opening| Some((opening, self.class_of(opening)?)))
    }

    /// All openings in the order of the cells, with their classes.
    pub fn iter(&self) -> impl Iterator<Item = (Opening, &JudgedClass)> {
        self.firsts().flat_map(|first| self.after(first))
    }

    /// How many openings there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.class_of.len()
    }

    /// Whether there is none: the second player has no cell to place on.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.class_of.is_empty()
    }

    /// Who wins after this first placement.
    #[must_use]
    pub fn winner_after(&self, first: Cell) -> Option<Player> {
        if self.mirror.is_some() {
            return Some(Player::Second);
        }
        winner_by_choice(Player::Second, self.after(first).map(|(_, judged)| judged.winner()))
    }

    /// Who wins when both place as they like.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        winner_by_choice(Player::First, self.firsts().map(|first| self.winner_after(first)))
    }

    /// In how many plies after both placements the winner wins after this first placement. Among
    /// replies that win, the second player chooses the quickest; if all lose, the slowest.
    #[must_use]
    pub fn plies_after(&self, first: Cell) -> Option<usize> {
        let replies: Vec<_> = self.after(first).map(|(_, judged)| (judged.winner(), judged.plies())).collect();
        plies_by_choice(Player::Second, &replies)
    }

    /// In how many plies after both placements the winner wins when both place as they like.
    #[must_use]
    pub fn plies(&self) -> Option<usize> {
        let firsts: Vec<_> = self.firsts().map(|first| (self.winner_after(first), self.plies_after(first))).collect();
        plies_by_choice(Player::First, &firsts)
    }

    /// How many openings there are with this colouring and winner (`None`: unknown).
    #[must_use]
    pub fn count(&self, first_hunts: bool, winner: Option<Player>) -> u64 {
        let alike = self.classes.iter().filter(|judged| judged.first_hunts == first_hunts && judged.winner() == winner);
        alike.map(|judged| judged.class.members.len() as u64).sum()
    }

    /// How many openings there are with a known winner.
    #[must_use]
    pub fn proven(&self) -> usize {
        self.classes.iter().filter(|judged| judged.known.is_some()).map(|judged| judged.class.members.len()).sum()
    }

    /// How many openings there are whose winner comes from a table.
    #[must_use]
    pub fn count_from_tables(&self) -> usize {
        let in_table = |judged: &&JudgedClass| matches!(&judged.known, Some(Known { origin: Origin::Table(_), .. }));
        self.classes.iter().filter(in_table).map(|judged| judged.class.members.len()).sum()
    }

    /// The classes that break the colour law.
    pub fn exceptions(&self) -> impl Iterator<Item = &JudgedClass> {
        self.classes.iter().filter(|judged| judged.breaks_colour_law())
    }

    /// How many openings break the colour law.
    #[must_use]
    pub fn count_exceptions(&self) -> usize {
        self.exceptions().map(|judged| judged.class.members.len()).sum()
    }

    /// Who wins the board, and whether its openings follow the colour law, in a sentence without
    /// its full stop.
    #[must_use]
    pub fn verdict(&self) -> String {
        let Some(winner) = self.winner() else {
            return "not proven within the limits".to_string();
        };
        let law = match self.count_exceptions() {
            _ if self.is_empty() => "the second cannot place".to_string(),
            _ if !self.is_complete() => "some openings are not proven within the limits".to_string(),
            0 => "every opening follows the colour law".to_string(),
            exceptions => {
                let [exceptions, all] = [exceptions, self.len()].map(|count| grouped(count as u64));
                format!("{exceptions} of {all} openings break the colour law")
            }
        };
        format!("the {winner} player wins; {law}")
    }

    /// Whether the winner of every opening is known.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.classes.iter().all(|judged| judged.known.is_some())
    }
}

/// The plies when this player can choose between options with these winners and plies: the fewest
/// with which it wins, or the most if it loses. `None` if something that matters is unknown.
fn plies_by_choice(player: Player, options: &[(Option<Player>, Option<usize>)]) -> Option<usize> {
    let winner = winner_by_choice(player, options.iter().map(|&(winner, _)| winner))?;
    // An option with an unknown winner may be a quicker win.
    if options.iter().any(|(option, _)| option.is_none()) {
        return None;
    }
    let best = options.iter().filter(|(option, _)| *option == Some(winner)).map(|&(_, plies)| plies);
    let best: Vec<usize> = best.collect::<Option<_>>()?;
    if winner == player { best.into_iter().min() } else { best.into_iter().max() }
}
