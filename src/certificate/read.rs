//! Certificates read again: what they state, how they are made up, and single lemmas.
//!
//! This reader follows the rules, too. But it is a part of the program that wrote the certificate:
//! those who do not want to trust that program use `isolde-check`.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use super::Halt;
use super::format::{ALL_MOVES, IMAGE, MIRROR, Statement, player_of, read_header, read_position, unseal};
use super::walk::{Event, Walk};
use crate::drawing::{LemmaPicture, lemma_svg};
use crate::game::board::{Board, Size, with_word_for};
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::Part;
use crate::game::notation::grouped;
use crate::game::position::{Player, Position};
use crate::solve::Opening;

/// A certificate that was read into memory.
pub struct Certificate {
    path: PathBuf,
    size: Size,
    statement: Statement,
    /// The file without its checksum.
    bytes: Vec<u8>,
    claims_at: usize,
}

/// Why a certificate cannot be read.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ReadError {
    /// The file cannot be read.
    Io { file: PathBuf, source: io::Error },
    /// The file is not a certificate, or is damaged.
    NotACertificate { file: PathBuf, why: &'static str },
    /// The certificate proves nothing.
    Unsound { file: PathBuf },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { file, source } => write!(f, "cannot read {}: {source}", file.display()),
            Self::NotACertificate { file, why } => write!(f, "cannot read {}: {why}", file.display()),
            Self::Unsound { file } => write!(f, "{} is not sound: `isolde-check` says where it breaks", file.display()),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::NotACertificate { .. } | Self::Unsound { .. } => None,
        }
    }
}

/// What a certificate states.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "statement", rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Stated {
    /// Who wins the board: by a mirror, or by proofs for this many first placements. All other
    /// placements are images of these.
    Board { winner: Player, mirror: bool, placements: Option<usize> },
    /// How many openings each player wins, and how many of them are not images of others.
    Openings { first_wins: usize, second_wins: usize, proven: usize },
    /// How many positions each player wins.
    Positions { first_wins: usize, second_wins: usize },
}

/// How a certificate is made up.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stats {
    /// The board.
    #[serde(serialize_with = "as_text")]
    pub board: Size,
    /// What is proven.
    #[serde(flatten)]
    pub stated: Stated,
    /// The size of the file.
    pub bytes: u64,
    /// The number of lemmas.
    pub lemmas: u64,
    /// How many of them say that the prey wins. The others say that the hunter does.
    pub prey_wins: u64,
    /// How often a lemma is used again.
    pub references: u64,
    /// The cells that a lemma needs, on average.
    pub average_need: f64,
    /// The cells that it stops, on average.
    pub average_stop: f64,
    /// The number of lemmas by the number of free cells of the position that they were written
    /// for: first those for 0 free cells, then those for 1, and so on.
    pub by_free_cells: Vec<u64>,
    /// How many lemmas are used how often. Only counted on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses: Option<Uses>,
}

/// How often lemmas are used. The first use is where the lemma stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Uses {
    /// The number of lemmas that are used once, twice, 3 to 4 times, 5 to 8 times, and so on.
    pub doubling: Vec<u64>,
    /// The lemmas that are used most: their numbers, and how often they are used.
    pub most: Vec<(u32, u32)>,
}

fn as_text<S: Serializer>(size: &Size, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(size)
}

/// How many of the lemmas that are used most are named.
const MOST_USED: usize = 5;

/// One lemma of a certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// Its number.
    pub number: u32,
    /// The board.
    pub size: Size,
    /// Where the hunter stands, who is to move.
    pub hunter: Cell,
    /// Where the prey stands.
    pub prey: Cell,
    /// Who wins.
    pub winner: Part,
    /// The cells that must be free.
    pub need: Cells<u128>,
    /// The cells that must not be free.
    pub stop: Cells<u128>,
    /// The number of free cells of the position for which it was written.
    pub free: usize,
}

impl Certificate {
    /// Reads a certificate.
    ///
    /// # Errors
    /// If there is none in that place, or if it is damaged.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let file = || path.to_path_buf();
        let bytes = fs::read(path).map_err(|source| ReadError::Io { file: file(), source })?;
        Self::from_bytes(path, bytes)
    }

    /// Takes the bytes of a certificate. The path is for messages.
    ///
    /// # Errors
    /// If they are not a certificate, or if they are damaged.
    pub fn from_bytes(path: &Path, mut bytes: Vec<u8>) -> Result<Self, ReadError> {
        let wrong = |why| ReadError::NotACertificate { file: path.to_path_buf(), why };
        read_header(&bytes).map_err(wrong)?;
        unseal(&mut bytes).ok_or_else(|| wrong("its checksum is wrong"))?;
        let (size, statement, claims_at) = read_header(&bytes).map_err(wrong)?;
        Ok(Self { path: path.to_path_buf(), size, statement, bytes, claims_at })
    }

    /// The board.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// How the certificate is made up. To count `uses` takes four bytes for each lemma.
    ///
    /// # Errors
    /// If the certificate is not sound.
    pub fn stats(self, uses: bool) -> Result<Stats, ReadError> {
        let (path, size) = (self.path.clone(), self.size);
        let unsound = |_| ReadError::Unsound { file: path };
        with_word_for!(size, stats(self, uses)).map_err(unsound)
    }

    /// The lemma with this number, counted from 1. `None` if there are fewer.
    ///
    /// # Errors
    /// If the certificate is not sound.
    pub fn lemma(self, number: u32) -> Result<Option<Shown>, ReadError> {
        let (path, size) = (self.path.clone(), self.size);
        let unsound = |_| ReadError::Unsound { file: path };
        with_word_for!(size, lemma(self, number)).map_err(unsound)
    }

    /// Goes through the certificate.
    fn walk<W: Word>(self, watch: &mut dyn FnMut(Event<W>)) -> Result<Stated, Halt> {
        let board = Board::<W>::fitting(self.size);
        let mut save = |_: &[u8]| Ok(());
        let mut walk = Walk::reading(&board, self.bytes, self.claims_at, &mut save, watch);
        let stated = match self.statement {
            Statement::Board => whole_board(&mut walk, self.size)?,
            Statement::Openings => openings(&mut walk, self.size)?,
            Statement::Positions => positions(&mut walk, self.size)?,
        };
        if walk.at == walk.bytes.len() { Ok(stated) } else { Err(Halt::Unsound) }
    }
}

fn whole_board<W: Word>(walk: &mut Walk<'_, W>, size: Size) -> Result<Stated, Halt> {
    let winner = player_of(walk.read()?).ok_or(Halt::Unsound)?;
    let empty = Position::empty(size);
    if winner == Player::Second && walk.reads(ALL_MOVES) {
        let placements = walk.all_moves(&empty, winner)?;
        return Ok(Stated::Board { winner, mirror: false, placements: Some(placements) });
    }
    let mirror = walk.bytes.get(walk.at) == Some(&MIRROR);
    walk.proof(&empty, winner, None)?;
    Ok(Stated::Board { winner, mirror, placements: None })
}

fn openings<W: Word>(walk: &mut Walk<'_, W>, size: Size) -> Result<Stated, Halt> {
    let empty = Position::empty(size);
    let mut winners = vec![None; size.cells() * size.cells()];
    let mut proven = 0;
    let at = |opening: Opening| opening.first.index() * size.cells() + opening.second.index();
    for first in empty.legal_moves() {
        for second in empty.legal_moves().without(first) {
            let opening = Opening { first, second };
            let winner = if walk.reads(IMAGE) {
                let symmetry = walk.read_symmetry()?;
                let image = |cell| symmetry.image_on(size, cell);
                winners[at(Opening { first: image(first), second: image(second) })].ok_or(Halt::Unsound)?
            } else {
                proven += 1;
                walk.claim(&empty.play_unchecked(first).play_unchecked(second), None, None)?
            };
            winners[at(opening)] = Some(winner);
        }
    }
    let won = |player| winners.iter().filter(|winner| **winner == Some(player)).count();
    Ok(Stated::Openings { first_wins: won(Player::First), second_wins: won(Player::Second), proven })
}

fn positions<W: Word>(walk: &mut Walk<'_, W>, size: Size) -> Result<Stated, Halt> {
    let count = [walk.read()?, walk.read()?, walk.read()?, walk.read()?];
    let (mut first_wins, mut second_wins) = (0, 0);
    for _ in 0..u32::from_le_bytes(count) {
        let (position, length) = read_position(size, walk.bytes.get(walk.at..).unwrap_or_default()).ok_or(Halt::Unsound)?;
        walk.at += length;
        match walk.claim(&position, None, None)? {
            Player::First => first_wins += 1,
            Player::Second => second_wins += 1,
        }
    }
    Ok(Stated::Positions { first_wins, second_wins })
}

fn stats<W: Word>(certificate: Certificate, uses: bool) -> Result<Stats, Halt> {
    let (board, bytes) = (certificate.size, certificate.bytes.len() as u64 + 4);
    let (mut lemmas, mut prey_wins, mut references) = (0_u64, 0, 0);
    let (mut need, mut stop) = (0_u64, 0_u64);
    let mut by_free_cells = vec![0; board.cells()];
    let mut used: Vec<u32> = Vec::new();
    let stated = certificate.walk::<W>(&mut |event| match event {
        Event::New { lemma, duel, hunter_wins } => {
            lemmas += 1;
            prey_wins += u64::from(!hunter_wins);
            need += lemma.need.len() as u64;
            stop += lemma.stop.len() as u64;
            by_free_cells[duel.free.len()] += 1;
            if uses {
                let index = lemma.number as usize - 1;
                used.resize(used.len().max(index + 1), 1);
            }
        }
        Event::Again(number) => {
            references += 1;
            if let Some(used) = used.get_mut(number as usize - 1) {
                *used += 1;
            }
        }
    })?;
    let average = |sum: u64| if lemmas == 0 { 0.0 } else { sum as f64 / lemmas as f64 };
    Ok(Stats {
        board,
        stated,
        bytes,
        lemmas,
        prey_wins,
        references,
        average_need: average(need),
        average_stop: average(stop),
        by_free_cells,
        uses: uses.then(|| Uses::count(&used)),
    })
}

impl Uses {
    fn count(used: &[u32]) -> Self {
        let mut doubling = Vec::new();
        for &used in used {
            let place = used.next_power_of_two().trailing_zeros() as usize;
            doubling.resize(doubling.len().max(place + 1), 0);
            doubling[place] += 1;
        }
        let mut most: Vec<(u32, u32)> = used.iter().zip(1..).map(|(&used, number)| (number, used)).collect();
        // The lemma that comes first in the file wins a tie.
        most.sort_by_key(|&(number, used)| (std::cmp::Reverse(used), number));
        most.truncate(MOST_USED);
        Self { doubling, most }
    }
}

fn lemma<W: Word>(certificate: Certificate, wanted: u32) -> Result<Option<Shown>, Halt> {
    let size = certificate.size;
    let mut found = None;
    certificate.walk::<W>(&mut |event| {
        if let Event::New { lemma, duel, hunter_wins } = event
            && lemma.number == wanted
        {
            found = Some(Shown {
                number: wanted,
                size,
                hunter: duel.mover,
                prey: duel.other,
                winner: if hunter_wins { Part::Hunter } else { Part::Prey },
                need: lemma.need.convert(),
                stop: lemma.stop.convert(),
                free: duel.free.len(),
            });
        }
    })?;
    Ok(found)
}

impl Shown {
    /// The lemma as a picture: the knights, the cells that must be free, and those that must not.
    #[must_use]
    pub fn svg(&self) -> String {
        let &Self { size, hunter, prey, need, stop, .. } = self;
        let title = format!("{size}, lemma {}: the {} wins", grouped(self.number.into()), self.winner);
        lemma_svg(&LemmaPicture { size, hunter, prey, need, stop, title: &title })
    }
}
