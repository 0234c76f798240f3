//! Lemmas, and the short lists of them that a certificate refers to.
//!
//! `docs/certificate.md` says what a lemma promises and why the rules that build one are sound.

use crate::game::cells::{Cell, Cells, Word};

/// How many lemmas a list holds. The last ones to be used are kept.
///
/// 128 lemmas let one byte be either a cell or a reference. Lists without a limit would save 9 % of
/// the lemmas of 7x7 (342 k instead of 374 k), and the checker would need memory for all of them.
pub(super) const LONGEST_LIST: usize = 128;

/// What a lemma says about the cells. Its knights and its winner are those of its list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lemma<W> {
    /// These cells must be free.
    pub(super) need: Cells<W>,
    /// These cells must not be free.
    pub(super) stop: Cells<W>,
    /// Its number in the certificate, from 1.
    pub(super) number: u32,
}

impl<W: Word> Lemma<W> {
    /// A lemma that rests on nothing yet.
    pub(super) fn new(number: u32) -> Self {
        Self { need: Cells::EMPTY, stop: Cells::EMPTY, number }
    }

    /// Whether the lemma covers the positions with these free cells.
    #[inline]
    pub(super) fn covers(&self, free: Cells<W>) -> bool {
        self.need.is_subset(free) && self.stop.is_disjoint(free)
    }

    /// Lets this lemma about the knights `hunter` and `prey` rest on another one, which is about
    /// the position two plies later.
    #[inline]
    pub(super) fn rest_on(&mut self, after: &Self, hunter: Cell, prey: Cell) {
        self.need |= after.need;
        self.stop |= after.stop.without(hunter).without(prey);
    }
}

/// The list for a pair of knights and a winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ListOf(usize);

/// All lists.
pub(super) struct Lists<W> {
    cells: usize,
    /// The last used lemma of each list comes last.
    lists: Vec<Vec<Lemma<W>>>,
    /// The lists that are not empty.
    filled: Vec<usize>,
}

impl<W: Word> Lists<W> {
    /// Empty lists, for a board with this many cells.
    pub(super) fn new(cells: usize) -> Self {
        Self { cells, lists: vec![Vec::new(); 2 * cells * cells], filled: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.filled.drain(..).for_each(|list| self.lists[list].clear());
    }

    /// The list of the lemmas about these knights and this winner.
    #[inline]
    pub(super) fn of(&self, hunter: Cell, prey: Cell, hunter_wins: bool) -> ListOf {
        ListOf((hunter.index() * self.cells + prey.index()) * 2 + usize::from(hunter_wins))
    }

    /// Whether some lemma covers these free cells.
    #[inline]
    pub(super) fn has_cover(&self, ListOf(list): ListOf, free: Cells<W>) -> bool {
        self.lists[list].iter().any(|lemma| lemma.covers(free))
    }

    /// The rank of the lemma that covers these free cells and has the fewest cells beyond those of
    /// `so_far`. A lemma of few cells can be used again more often, and so can those that rest on
    /// it.
    #[inline]
    pub(super) fn best_cover(&self, ListOf(list): ListOf, free: Cells<W>, so_far: &Lemma<W>) -> Option<usize> {
        let covering = self.lists[list].iter().rev().enumerate().filter(|(_, lemma)| lemma.covers(free));
        let further = |lemma: &Lemma<W>| lemma.need.except(so_far.need).len() + lemma.stop.except(so_far.stop).len();
        covering.min_by_key(|(_, lemma)| further(lemma)).map(|(rank, _)| rank)
    }

    /// The rank of a lemma that asks for nothing beyond these two sets.
    pub(super) fn within(&self, ListOf(list): ListOf, need: Cells<W>, stop: Cells<W>) -> Option<usize> {
        self.lists[list].iter().rev().position(|lemma| lemma.need.is_subset(need) && lemma.stop.is_subset(stop))
    }

    /// The lemma with this rank, which is now the last used one.
    #[inline]
    pub(super) fn use_again(&mut self, ListOf(list): ListOf, rank: usize) -> Option<Lemma<W>> {
        let list = &mut self.lists[list];
        let place = list.len().checked_sub(rank + 1)?;
        list[place..].rotate_left(1);
        list.last().copied()
    }

    /// Adds a lemma. If the list is full, the lemma that was not used for the longest time is
    /// forgotten.
    #[inline]
    pub(super) fn add(&mut self, ListOf(list): ListOf, lemma: Lemma<W>) {
        if self.lists[list].is_empty() {
            self.filled.push(list);
        }
        let list = &mut self.lists[list];
        if list.len() == LONGEST_LIST {
            list.remove(0);
        }
        list.push(lemma);
    }
}
