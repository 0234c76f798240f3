//! Checks certificates of knight's-move Isolation: files that prove who wins.
//!
//! This file is the whole checker. It shares no code with Isolde, which writes certificates, and it
//! depends on nothing but the standard library. `docs/certificate.md` has the format, the rules,
//! and the argument why they are sound. In short:
//!
//! - A *lemma* says who wins all positions with the hunter on one cell and to move, the prey on
//!   another, the cells `need` free, and the cells `stop` not free. The file only has the moves of
//!   a lemma and the lemmas that it rests on. The checker computes `need` and `stop` from them.
//! - A position is proven by a lemma that covers it, by a move of the winner, by all moves of the
//!   loser, or by a mirror.
//! - The statement of the file, which the checker reports, consists of such positions.
//!
//! The file is read once, from front to back. What the checker keeps in memory does not grow with
//! the number of lemmas: at most 128 of them for each pair of knights and each winner.

#![forbid(unsafe_code)]

use std::collections::VecDeque;
use std::fmt;

/// How many lemmas are kept for each pair of knights and each winner.
const LONGEST_LIST: usize = 128;

/// A set of cells: bit `c` stands for cell `c`.
pub type Set = u128;

fn only(cell: usize) -> Set {
    1 << cell
}

/// Whether a set has a cell. Numbers that are no cells are in no set.
fn has(set: Set, cell: usize) -> bool {
    cell < 128 && set >> cell & 1 == 1
}

/// The cells of a set, in ascending order.
fn cells(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (cell < 128).then_some(cell)
    })
}

/// The name of a cell on a board with this many files: a1 is cell 0.
pub fn cell_name(files: usize, cell: usize) -> String {
    format!("{}{}", (b'a' + (cell % files) as u8) as char, cell / files + 1)
}

// ---------------------------------------------------------------------------------------------
// The board and the rules of the game.

/// The size of a board, and its knight's moves.
struct Board {
    files: usize,
    ranks: usize,
    knight_moves: Vec<Set>,
}

impl Board {
    fn new(files: usize, ranks: usize) -> Self {
        let moves_from = |cell: usize| {
            let mut moves = 0;
            for to in 0..files * ranks {
                let step = ((to % files).abs_diff(cell % files), (to / files).abs_diff(cell / files));
                if step == (1, 2) || step == (2, 1) {
                    moves |= only(to);
                }
            }
            moves
        };
        Self { files, ranks, knight_moves: (0..files * ranks).map(moves_from).collect() }
    }

    fn cells(&self) -> usize {
        self.files * self.ranks
    }

    fn all(&self) -> Set {
        Set::MAX >> (128 - self.cells())
    }

    fn is_dark(&self, cell: usize) -> bool {
        (cell % self.files + cell / self.files).is_multiple_of(2)
    }

    /// The name of a cell, also for messages about numbers that are no cells.
    fn name(&self, cell: usize) -> String {
        if cell < self.cells() { cell_name(self.files, cell) } else { format!("cell {cell}, which is off the board,") }
    }

    /// The image of a cell: first the coordinates are exchanged (4), then mirrored (1 and 2).
    fn image(&self, symmetry: u8, cell: usize) -> usize {
        let (mut x, mut y) = (cell % self.files, cell / self.files);
        if symmetry & 4 != 0 {
            (x, y) = (y, x);
        }
        if symmetry & 1 != 0 {
            x = self.files - 1 - x;
        }
        if symmetry & 2 != 0 {
            y = self.ranks - 1 - y;
        }
        y * self.files + x
    }

    fn image_of_set(&self, symmetry: u8, set: Set) -> Set {
        cells(set).fold(0, |image, cell| image | only(self.image(symmetry, cell)))
    }

    /// The free cells that some knight can reach; all free cells while no knight is placed.
    fn live(&self, position: &Position) -> Set {
        let mut live = 0;
        let mut front: Vec<usize> = position.knights.iter().flatten().copied().collect();
        if front.is_empty() {
            return position.free;
        }
        while let Some(cell) = front.pop() {
            let new = self.knight_moves[cell] & position.free & !live;
            live |= new;
            front.extend(cells(new));
        }
        live
    }
}

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// Places first.
    First,
    /// Places second.
    Second,
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::First { "first" } else { "second" })
    }
}

/// A position of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The cells that are free: bit `c` stands for cell `c`.
    pub free: Set,
    /// Where the first and the second player's knights stand. `None` before they are placed.
    pub knights: [Option<usize>; 2],
    /// Who is to move.
    pub turn: Player,
}

impl Position {
    fn mover(&self) -> Option<usize> {
        self.knights[self.turn as usize]
    }

    fn moves(&self, board: &Board) -> Set {
        self.free & self.mover().map_or(Set::MAX, |from| board.knight_moves[from])
    }

    fn after(&self, to: usize) -> Self {
        let mut next = Self { free: self.free & !only(to), ..*self };
        next.knights[self.turn as usize] = Some(to);
        next.turn = if self.turn == Player::First { Player::Second } else { Player::First };
        next
    }
}

// ---------------------------------------------------------------------------------------------
// What a certificate states, and what can be wrong with it.

/// What a certificate has proven.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proven {
    /// The number of files and ranks of the board.
    pub board: (usize, usize),
    /// What is proven about it.
    pub statement: Statement,
    /// The number of lemmas that were checked.
    pub lemmas: u64,
}

/// The three kinds of statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// Who wins the board.
    Board {
        /// The winner.
        winner: Player,
        /// Whether a mirror of the empty board proves it.
        mirror: bool,
        /// How many first placements were proven one by one; the others are images of them. `None`
        /// if the board is not proven placement by placement.
        placements: Option<usize>,
    },
    /// Who wins every opening.
    Openings {
        /// The openings that the first player wins, as pairs of cells. The second player wins all
        /// others.
        first_wins: Vec<(usize, usize)>,
        /// How many openings were proven one by one; the others are images of them.
        proven: usize,
    },
    /// Who wins each of these positions.
    Positions(Vec<(Position, Player)>),
}

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The file is not a certificate, or it is damaged.
    Unreadable(String),
    /// A rule is broken.
    Broken {
        /// The rule.
        rule: &'static str,
        /// The number of the lemma, if it is a rule of lemmas.
        lemma: Option<u64>,
        /// The place in the file.
        byte: usize,
        /// What is wrong.
        sentence: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(sentence) => f.write_str(sentence),
            Self::Broken { rule, lemma: Some(lemma), byte, sentence } => {
                write!(f, "lemma {} (byte {byte}) breaks the rule of {rule}: {sentence}", grouped(*lemma))
            }
            Self::Broken { rule, lemma: None, byte, sentence } => {
                write!(f, "byte {byte} breaks the rule of {rule}: {sentence}")
            }
        }
    }
}

impl std::error::Error for Fault {}

const LEMMA: &str = "references";
const HUNTER: &str = "the hunter's win";
const PREY: &str = "the prey's win";
const COVER: &str = "lemmas that cover a position";
const MOVE: &str = "the winner's move";
const ALL: &str = "all moves";
const MIRROR: &str = "mirrors";
const IMAGE: &str = "images";

// ---------------------------------------------------------------------------------------------
// The check.

/// What a lemma is about: the knights, and who wins.
#[derive(Clone, Copy)]
struct About {
    hunter: usize,
    prey: usize,
    hunter_wins: bool,
}

/// What a lemma says about the cells, and its number.
#[derive(Clone, Copy)]
struct Lemma {
    need: Set,
    stop: Set,
    number: u64,
}

impl Lemma {
    /// Lets this lemma rest on one about the position two plies later.
    fn rest_on(&mut self, after: Self, about: About) {
        self.need |= after.need;
        self.stop |= after.stop & !only(about.hunter) & !only(about.prey);
    }
}

/// The reader of a certificate.
struct Check<'a> {
    board: Board,
    /// The file without its checksum.
    bytes: &'a [u8],
    /// Where the next byte is read.
    at: usize,
    /// The lists of lemmas, by hunter, prey and winner, the last used lemma first.
    lists: Vec<VecDeque<Lemma>>,
    /// The lists that are not empty.
    filled: Vec<usize>,
    /// How many lemmas have begun.
    lemmas: u64,
}

/// Checks the bytes of a certificate.
///
/// # Errors
/// If they are not a certificate, or if a rule is broken.
pub fn check(bytes: &[u8]) -> Result<Proven, Fault> {
    if !bytes.starts_with(b"IsoProof") {
        return Err(Fault::Unreadable("not a certificate: it does not begin with IsoProof".into()));
    }
    if bytes.len() < 16 {
        return Err(Fault::Unreadable(format!("a certificate has at least 16 bytes, and this file has {}", bytes.len())));
    }
    if bytes[8] != 1 {
        return Err(Fault::Unreadable(format!("a certificate of version {}; this program checks version 1", bytes[8])));
    }
    let (bytes, checksum) = bytes.split_at(bytes.len() - 4);
    if crc32(bytes).to_le_bytes() != checksum {
        return Err(Fault::Unreadable("the file is damaged: its checksum is wrong".into()));
    }
    let (files, ranks) = (bytes[9] as usize, bytes[10] as usize);
    if files == 0 || ranks == 0 || files > 16 || ranks > 16 || files * ranks > 128 {
        return Err(Fault::Unreadable(format!("there is no board of {files}x{ranks}")));
    }
    let board = Board::new(files, ranks);
    let lists = vec![VecDeque::new(); 2 * board.cells() * board.cells()];
    let mut check = Check { board, bytes, at: 11, lists, filled: Vec::new(), lemmas: 0 };
    let statement = match check.byte()? {
        b'b' => check.whole_board()?,
        b'o' => check.openings()?,
        b'p' => check.positions()?,
        other => return check.unreadable(&format!("there is no statement with the tag `{}`", other.escape_ascii())),
    };
    match check.at == bytes.len() {
        true => Ok(Proven { board: (files, ranks), statement, lemmas: check.lemmas }),
        false => Err(Fault::Unreadable(format!("the proof ends at byte {}, but the file goes on", check.at))),
    }
}

impl Check<'_> {
    fn byte(&mut self) -> Result<u8, Fault> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        byte.ok_or_else(|| Fault::Unreadable("the file ends in the middle of the proof".into()))
    }

    fn player(&mut self) -> Result<Player, Fault> {
        match self.byte()? {
            b'1' => Ok(Player::First),
            b'2' => Ok(Player::Second),
            other => self.unreadable(&format!("a player is `1` or `2`, not `{}`", other.escape_ascii())),
        }
    }

    fn symmetry(&mut self) -> Result<u8, Fault> {
        let symmetry = self.byte()?;
        match symmetry < if self.board.files == self.board.ranks { 8 } else { 4 } {
            true => Ok(symmetry),
            false => self.unreadable(&format!("the board has no symmetry {symmetry}")),
        }
    }

    /// Reads an image if there is one here.
    fn maybe_image(&mut self) -> Result<Option<u8>, Fault> {
        match self.bytes.get(self.at) {
            Some(b'i') => {
                self.at += 1;
                self.symmetry().map(Some)
            }
            _ => Ok(None),
        }
    }

    // ------------------------------------------------------------------------------ statements

    fn whole_board(&mut self) -> Result<Statement, Fault> {
        let winner = self.player()?;
        let empty = Position { free: self.board.all(), knights: [None; 2], turn: Player::First };
        let mirror = self.bytes.get(self.at) == Some(&b'm');
        let placements = self.proof(&empty, winner)?;
        Ok(Statement::Board { winner, mirror, placements })
    }

    fn openings(&mut self) -> Result<Statement, Fault> {
        let count = self.board.cells();
        let mut winners = vec![None; count * count];
        let mut proven = 0;
        for (first, second) in (0..count * count).map(|pair| (pair / count, pair % count)).filter(|(c, d)| c != d) {
            let winner = match self.maybe_image()? {
                Some(symmetry) => {
                    let image = [first, second].map(|cell| self.board.image(symmetry, cell));
                    let Some(winner) = winners[image[0] * count + image[1]] else {
                        let [c, d] = image.map(|cell| self.board.name(cell));
                        return self.broken(IMAGE, None, format!("the opening {c} {d} was not proven before"));
                    };
                    winner
                }
                None => {
                    let free = self.board.all() & !only(first) & !only(second);
                    let winner = self.player()?;
                    self.proof(&Position { free, knights: [Some(first), Some(second)], turn: Player::First }, winner)?;
                    proven += 1;
                    winner
                }
            };
            winners[first * count + second] = Some(winner);
        }
        let won = (0..count * count).filter(|&pair| winners[pair] == Some(Player::First));
        Ok(Statement::Openings { first_wins: won.map(|pair| (pair / count, pair % count)).collect(), proven })
    }

    fn positions(&mut self) -> Result<Statement, Fault> {
        let count = [self.byte()?, self.byte()?, self.byte()?, self.byte()?];
        let mut positions = Vec::new();
        for _ in 0..u32::from_le_bytes(count) {
            let position = self.position()?;
            let winner = self.player()?;
            self.proof(&position, winner)?;
            positions.push((position, winner));
        }
        Ok(Statement::Positions(positions))
    }

    fn position(&mut self) -> Result<Position, Fault> {
        let knights = [self.byte()?, self.byte()?].map(|byte| (byte != 255).then_some(byte as usize));
        let turn = self.player()?;
        let mut free = 0;
        for place in 0..self.board.cells().div_ceil(8) {
            free |= Set::from(self.byte()?) << (8 * place);
        }
        let off_board = |cell: &usize| *cell >= self.board.cells() || has(free, *cell);
        let wrong = free & !self.board.all() != 0
            || knights.iter().flatten().any(off_board)
            || match knights {
                [None, None] => turn != Player::First,
                [Some(_), None] => turn != Player::Second,
                [None, Some(_)] => true,
                [Some(first), Some(second)] => first == second,
            };
        match wrong {
            true => self.unreadable("this is not a position of the game"),
            false => Ok(Position { free, knights, turn }),
        }
    }

    // ------------------------------------------------------------------------------- positions

    /// Reads a proof that this player wins the position. If it goes through all moves, returns how
    /// many of them are not images.
    fn proof(&mut self, position: &Position, winner: Player) -> Result<Option<usize>, Fault> {
        let tag = self.byte()?;
        match tag {
            b'l' | b'f' => {
                if tag == b'f' {
                    self.filled.drain(..).for_each(|list| self.lists[list].clear());
                }
                self.covered(position, winner)?;
            }
            b'w' => {
                if position.turn != winner {
                    return self.broken(MOVE, None, format!("the {winner} player is not to move"));
                }
                let to = self.byte()? as usize;
                if !has(position.moves(&self.board), to) {
                    return self.broken(MOVE, None, format!("{} is not a legal move", self.board.name(to)));
                }
                self.proof(&position.after(to), winner)?;
            }
            b'a' => return self.all_moves(position, winner).map(Some),
            b'm' => self.mirror(position, winner)?,
            other => return self.unreadable(&format!("there is no rule with the tag `{}`", other.escape_ascii())),
        }
        Ok(None)
    }

    /// A lemma, and whether it covers the position.
    fn covered(&mut self, position: &Position, winner: Player) -> Result<(), Fault> {
        let [Some(first), Some(second)] = position.knights else {
            return self.broken(COVER, None, "a knight is not placed yet".into());
        };
        if self.board.is_dark(first) != self.board.is_dark(second) {
            return self.broken(COVER, None, "the knights stand on two colours".into());
        }
        let (hunter, prey) = if position.turn == Player::First { (first, second) } else { (second, first) };
        let lemma = self.lemma(About { hunter, prey, hunter_wins: winner == position.turn }, 1)?;
        if let Some(cell) = cells(lemma.need & !position.free).next() {
            let sentence = format!("it needs {}, which is not free", self.board.name(cell));
            return self.broken(COVER, Some(lemma.number), sentence);
        }
        if let Some(cell) = cells(lemma.stop & position.free).next() {
            let sentence = format!("it stops {}, which is free", self.board.name(cell));
            return self.broken(COVER, Some(lemma.number), sentence);
        }
        Ok(())
    }

    fn all_moves(&mut self, position: &Position, winner: Player) -> Result<usize, Fault> {
        if position.turn == winner {
            return self.broken(ALL, None, format!("the {winner} player is to move"));
        }
        let moves = position.moves(&self.board);
        let mut proven = 0;
        for to in cells(moves) {
            let Some(symmetry) = self.maybe_image()? else {
                self.proof(&position.after(to), winner)?;
                proven += 1;
                continue;
            };
            let image = |cell: usize| self.board.image(symmetry, cell);
            if self.board.image_of_set(symmetry, position.free) != position.free
                || position.knights.iter().flatten().any(|&knight| image(knight) != knight)
            {
                return self.broken(IMAGE, None, format!("the symmetry {symmetry} does not preserve the position"));
            }
            // The position is its own image, so the image of a legal move is a legal move.
            if image(to) >= to {
                let [image, to] = [image(to), to].map(|cell| self.board.name(cell));
                return self.broken(IMAGE, None, format!("{image}, the image of {to}, was not proven before"));
            }
        }
        Ok(proven)
    }

    fn mirror(&mut self, position: &Position, winner: Player) -> Result<(), Fault> {
        if position.turn == winner {
            return self.broken(MIRROR, None, format!("the {winner} player is to move"));
        }
        let symmetry = self.symmetry()?;
        let image = |cell: usize| self.board.image(symmetry, cell);
        if (0..self.board.cells()).any(|cell| image(image(cell)) != cell) {
            return self.broken(MIRROR, None, format!("the symmetry {symmetry} is not its own inverse"));
        }
        match position.knights {
            [Some(first), Some(second)] if image(first) == second => {}
            [None, None] => {}
            _ => return self.broken(MIRROR, None, "the knights are not exchanged".into()),
        }
        let live = self.board.live(position);
        for cell in cells(live) {
            let [name, image_name] = [cell, image(cell)].map(|cell| self.board.name(cell));
            if image(cell) == cell {
                return self.broken(MIRROR, None, format!("{name} is a live cell and its own image"));
            }
            if !has(live, image(cell)) {
                return self.broken(MIRROR, None, format!("{name} is a live cell, and its image {image_name} is not"));
            }
        }
        Ok(())
    }

    // ---------------------------------------------------------------------------------- lemmas

    /// Reads a lemma, or a reference to one. `depth` says in how many lemmas it stands, counting
    /// itself.
    fn lemma(&mut self, about: About, depth: usize) -> Result<Lemma, Fault> {
        let code = self.byte()? as usize;
        let About { hunter, prey, hunter_wins } = about;
        let list = (hunter * self.board.cells() + prey) * 2 + usize::from(hunter_wins);
        if code >= 128 {
            let Some(lemma) = self.lists[list].remove(code - 128) else {
                let (name, kept) = (self.knights(about), self.lists[list].len());
                return self.broken(LEMMA, None, format!("there is no lemma {} about {name}, only {kept}", code - 127));
            };
            self.lists[list].push_front(lemma);
            return Ok(lemma);
        }
        self.lemmas += 1;
        let number = self.lemmas;
        if depth > self.board.cells() / 2 {
            return self.fails(about, number, "too many lemmas stand one in another".into());
        }
        let lemma = match hunter_wins {
            true => self.hunter_wins(about, number, code, depth)?,
            false => self.prey_wins(about, number, code, depth)?,
        };
        if let Some(cell) = cells(lemma.need & (only(hunter) | only(prey))).next() {
            return self.fails(about, number, format!("it needs {}, where a knight stands", self.board.name(cell)));
        }
        if self.lists[list].is_empty() {
            self.filled.push(list);
        }
        self.lists[list].truncate(LONGEST_LIST - 1);
        self.lists[list].push_front(lemma);
        Ok(lemma)
    }

    /// The rule of the hunter's win, by a move to this cell.
    fn hunter_wins(&mut self, about: About, number: u64, to: usize, depth: usize) -> Result<Lemma, Fault> {
        if !has(self.board.knight_moves[about.hunter], to) {
            let sentence = format!("{} is not a knight's move of the hunter", self.board.name(to));
            return self.fails(about, number, sentence);
        }
        let (answered, stopped) = self.mask(about, number, self.board.knight_moves[about.prey])?;
        if has(answered, to) {
            let sentence = format!("the prey cannot reply to {}, where the hunter stands", self.board.name(to));
            return self.fails(about, number, sentence);
        }
        let mut lemma = Lemma { need: only(to), stop: stopped & !only(to), number };
        for reply in cells(answered) {
            let after = self.lemma(About { hunter: to, prey: reply, hunter_wins: true }, depth + 1)?;
            lemma.rest_on(after, about);
        }
        Ok(lemma)
    }

    /// The rule of the prey's win.
    fn prey_wins(&mut self, about: About, number: u64, code: usize, depth: usize) -> Result<Lemma, Fault> {
        if code != 0 {
            return self.fails(about, number, format!("its code is {code} instead of 0"));
        }
        let (answered, stopped) = self.mask(about, number, self.board.knight_moves[about.hunter])?;
        let mut lemma = Lemma { need: 0, stop: stopped, number };
        for to in cells(answered) {
            let answer = self.byte()? as usize;
            if !has(self.board.knight_moves[about.prey], answer) || answer == to {
                let [to, answer] = [to, answer].map(|cell| self.board.name(cell));
                return self.fails(about, number, format!("the prey cannot answer {to} by {answer}"));
            }
            let after = self.lemma(About { hunter: to, prey: answer, hunter_wins: false }, depth + 1)?;
            lemma.need |= only(answer);
            lemma.rest_on(after, about);
        }
        Ok(lemma)
    }

    /// Reads which of the loser's moves are answered by a lemma. The others are stopped.
    fn mask(&mut self, about: About, number: u64, moves: Set) -> Result<(Set, Set), Fault> {
        let mask = self.byte()?;
        if mask.checked_shr(moves.count_ones()).unwrap_or(0) != 0 {
            return self.fails(about, number, "its mask has bits without a move".into());
        }
        let answered = cells(moves).enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
        let answered = answered.fold(0, |set, (_, cell)| set | only(cell));
        Ok((answered, moves & !answered))
    }

    // ---------------------------------------------------------------------------------- faults

    fn unreadable<T>(&self, sentence: &str) -> Result<T, Fault> {
        Err(Fault::Unreadable(format!("byte {}: {sentence}", self.at - 1)))
    }

    fn broken<T>(&self, rule: &'static str, lemma: Option<u64>, sentence: String) -> Result<T, Fault> {
        Err(Fault::Broken { rule, lemma, byte: self.at - 1, sentence })
    }

    fn fails<T>(&self, about: About, number: u64, sentence: String) -> Result<T, Fault> {
        let rule = if about.hunter_wins { HUNTER } else { PREY };
        self.broken(rule, Some(number), format!("{}: {sentence}", self.knights(about)))
    }

    fn knights(&self, about: About) -> String {
        format!("hunter {}, prey {}", self.board.name(about.hunter), self.board.name(about.prey))
    }
}

/// The CRC-32 of zlib and PNG.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    let table: Vec<u32> = (0..256).map(|byte| (0..8).fold(byte, |crc, _| step(crc))).collect();
    !bytes.iter().fold(!0, |crc: u32, &byte| crc >> 8 ^ table[(crc as u8 ^ byte) as usize])
}

/// A number with commas between its thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let comma = |(i, digit): (usize, char)| {
        if i > 0 && (digits.len() - i).is_multiple_of(3) { format!(",{digit}") } else { format!("{digit}") }
    };
    digits.chars().enumerate().map(comma).collect()
}
