//! The rules once more, as plainly as they can be told.

/// A cell as file and rank, both from 0.
pub type At = (i32, i32);

/// A position: which cells are free, where the knights stand, whose turn it is (0 or 1).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Game {
    pub files: i32,
    pub ranks: i32,
    /// `free[rank][file]`
    pub free: Vec<Vec<bool>>,
    pub knights: [Option<At>; 2],
    pub turn: usize,
}

impl Game {
    pub fn empty(files: i32, ranks: i32) -> Self {
        Self { files, ranks, free: vec![vec![true; files as usize]; ranks as usize], knights: [None, None], turn: 0 }
    }

    pub fn cells(&self) -> Vec<At> {
        (0..self.ranks).flat_map(|rank| (0..self.files).map(move |file| (file, rank))).collect()
    }

    pub fn is_free(&self, (file, rank): At) -> bool {
        let on_board = (0..self.files).contains(&file) && (0..self.ranks).contains(&rank);
        on_board && self.free[rank as usize][file as usize]
    }

    pub fn moves_from(&self, from: At) -> Vec<At> {
        self.cells().into_iter().filter(|&to| is_knight_step(from, to) && self.is_free(to)).collect()
    }

    /// Rank by rank from the bottom, each from the left.
    pub fn moves(&self) -> Vec<At> {
        match self.knights[self.turn] {
            None => self.cells().into_iter().filter(|&to| self.is_free(to)).collect(),
            Some(from) => self.moves_from(from),
        }
    }

    pub fn after(&self, to: At) -> Self {
        let mut next = self.clone();
        next.free[to.1 as usize][to.0 as usize] = false;
        next.knights[self.turn] = Some(to);
        next.turn = 1 - self.turn;
        next
    }

    /// Who has won, if the game is over.
    pub fn winner(&self) -> Option<usize> {
        self.moves().is_empty().then_some(1 - self.turn)
    }

    /// The cells that a knight on `from` can reach through free cells.
    pub fn region(&self, from: At) -> Vec<At> {
        let mut reached: Vec<At> = Vec::new();
        let mut waiting = self.moves_from(from);
        while let Some(cell) = waiting.pop() {
            if !reached.contains(&cell) {
                reached.push(cell);
                waiting.extend(self.moves_from(cell));
            }
        }
        reached.sort_by_key(|&(file, rank)| (rank, file));
        reached
    }

    /// How many lines of play there are of exactly this length.
    pub fn lines(&self, length: usize) -> u64 {
        if length == 0 { 1 } else { self.moves().into_iter().map(|to| self.after(to).lines(length - 1)).sum() }
    }
}

pub fn is_knight_step(from: At, to: At) -> bool {
    let (files, ranks) = ((from.0 - to.0).abs(), (from.1 - to.1).abs());
    (files, ranks) == (1, 2) || (files, ranks) == (2, 1)
}

/// Calls `see` with every position of a board: any cells blocked, any knights placed, either player
/// to move.
pub fn for_every_position(files: i32, ranks: i32, mut see: impl FnMut(&Game)) {
    let cells = Game::empty(files, ranks).cells();
    let mut knights: Vec<[Option<At>; 2]> = vec![[None, None]];
    for &first in &cells {
        knights.push([Some(first), None]);
        knights.extend(cells.iter().filter(|&&second| second != first).map(|&second| [Some(first), Some(second)]));
    }
    for knights in knights {
        let others: Vec<At> = cells.iter().copied().filter(|&cell| !knights.contains(&Some(cell))).collect();
        let turns: &[usize] = match knights {
            [None, _] => &[0],
            [_, None] => &[1],
            _ => &[0, 1],
        };
        for pattern in 0_u32..1 << others.len() {
            let mut game = Game { knights, ..Game::empty(files, ranks) };
            game.free.iter_mut().for_each(|rank| rank.fill(false));
            for (bit, &(file, rank)) in others.iter().enumerate() {
                game.free[rank as usize][file as usize] = pattern >> bit & 1 == 1;
            }
            for &turn in turns {
                game.turn = turn;
                see(&game);
            }
        }
    }
}
