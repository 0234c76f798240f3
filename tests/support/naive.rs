//! Who wins, found by trying everything: no pruning, no ordering, no symmetry, nothing shared with
//! `src`.
//!
//! A position is a number: one binary digit for each cell, counted rank by rank from the bottom,
//! that says whether it is free.

use std::collections::HashMap;

use super::oracle::{Game, is_knight_step};

/// For each cell of a board, the cells a knight's move away.
fn neighbours(files: usize, ranks: usize) -> Vec<Vec<usize>> {
    let cells = Game::empty(files as i32, ranks as i32).cells();
    let steps = |&from: &_| (0..cells.len()).filter(|&to| is_knight_step(from, cells[to])).collect();
    cells.iter().map(steps).collect()
}

/// The outcome of every duel of a small board: the number of plies until somebody cannot move, the
/// winner hurrying and the loser delaying. The mover has won if it is odd.
pub struct EveryDuel {
    pub cells: usize,
    plies: Vec<u8>,
}

impl EveryDuel {
    /// Positions with fewer free cells come first: all that follow a position are known when its
    /// turn comes.
    pub fn new(files: usize, ranks: usize) -> Self {
        let near = neighbours(files, ranks);
        let cells = files * ranks;
        let mut every = Self { cells, plies: vec![0; (1 << cells) * cells * cells] };
        for free in 0..1 << cells {
            for mover in 0..cells {
                for other in 0..cells {
                    let blocked = free >> mover & 1 == 0 && free >> other & 1 == 0;
                    if mover != other && blocked {
                        let index = every.index(free, mover, other);
                        every.plies[index] = every.look(&near, free, mover, other);
                    }
                }
            }
        }
        every
    }

    fn look(&self, near: &[Vec<usize>], free: usize, mover: usize, other: usize) -> u8 {
        let (mut quickest_win, mut slowest_loss) = (None, 0);
        for &to in near[mover].iter().filter(|&&to| free >> to & 1 == 1) {
            let plies = 1 + self.plies[self.index(free & !(1 << to), other, to)];
            if plies % 2 == 1 {
                quickest_win = Some(quickest_win.map_or(plies, |quickest: u8| quickest.min(plies)));
            } else {
                slowest_loss = slowest_loss.max(plies);
            }
        }
        quickest_win.unwrap_or(slowest_loss)
    }

    fn index(&self, free: usize, mover: usize, other: usize) -> usize {
        (free * self.cells + mover) * self.cells + other
    }

    pub fn plies(&self, free: usize, mover: usize, other: usize) -> usize {
        self.plies[self.index(free, mover, other)].into()
    }

    /// Every duel: free cells, mover, other.
    pub fn duels(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let pairs = (0..self.cells).flat_map(|mover| (0..self.cells).map(move |other| (mover, other)));
        pairs.filter(|(mover, other)| mover != other).flat_map(|(mover, other)| {
            let blocked = move |free: &usize| free >> mover & 1 == 0 && free >> other & 1 == 0;
            (0..1_usize << self.cells).filter(blocked).map(move |free| (free, mover, other))
        })
    }
}

/// Who wins the positions of a board that is too large for [`EveryDuel`]: the first winning move
/// that is found ends the look.
pub struct Recursion {
    near: Vec<Vec<usize>>,
    known: HashMap<(u64, u8, u8), bool>,
}

impl Recursion {
    pub fn new(files: usize, ranks: usize) -> Self {
        Self { near: neighbours(files, ranks), known: HashMap::new() }
    }

    /// The same for a few cells of a board, by their numbers: all others are blocked. Here a cell's
    /// number is its place in the list.
    pub fn among(files: usize, ranks: usize, cells: &[usize]) -> Self {
        let near = neighbours(files, ranks);
        let steps = |&from: &usize| (0..cells.len()).filter(|&to| near[from].contains(&cells[to])).collect();
        Self { near: cells.iter().map(steps).collect(), known: HashMap::new() }
    }

    /// The cells to which a knight can move.
    pub fn moves(&self, free: u64, from: usize) -> Vec<usize> {
        self.near[from].iter().copied().filter(|to| free >> to & 1 == 1).collect()
    }

    /// Whether the player whose turn it is wins, placements included.
    pub fn mover_of_game_wins(&mut self, game: &Game) -> bool {
        let cells = game.cells();
        let index = |at| cells.iter().position(|&cell| cell == at).expect("the knights stand on the board");
        match (game.knights[game.turn], game.knights[1 - game.turn]) {
            (Some(mover), Some(other)) => {
                let free = cells.iter().enumerate().filter(|(_, cell)| game.is_free(**cell)).map(|(bit, _)| 1 << bit).sum();
                self.mover_wins(free, index(mover), index(other))
            }
            _ => game.moves().into_iter().any(|to| !self.mover_of_game_wins(&game.after(to))),
        }
    }

    pub fn mover_wins(&mut self, free: u64, mover: usize, other: usize) -> bool {
        let key = (free, mover as u8, other as u8);
        if let Some(&wins) = self.known.get(&key) {
            return wins;
        }
        let wins = self.moves(free, mover).into_iter().any(|to| !self.mover_wins(free & !(1 << to), other, to));
        self.known.insert(key, wins);
        wins
    }
}
