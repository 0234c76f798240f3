//! The work on a certificate: its chapters are proven by all threads, saved, and put together.
//!
//! A *chapter* is a run of claims that share their lists of lemmas. Chapters do not depend on each
//! other. On small boards, where claims share many lemmas, there is only one. What a chapter has
//! written is saved every few seconds. The next run goes through it again, quickly because all
//! decisions are made, and continues where it ends.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::author::{Author, Clock};
use super::format::{
    ALL_MOVES, IMAGE, MIRROR, Statement, WINNERS_MOVE, header, player_of, player_tag, seal, symmetry_number, unseal,
    write_position,
};
use super::read::{Certificate, Stats};
use super::request::{CertifyRequest, Claimed, Subject};
use super::walk::{Event, Walk};
use super::{CertifyError, Halt};
use crate::analysis::{expected_seconds, links};
use crate::build::WorkFolder;
use crate::game::board::{Board, Size, with_word_for};
use crate::game::cells::{Cell, Word};
use crate::game::notation::Continuation;
use crate::game::position::{Player, Position};
use crate::game::symmetry::{Symmetries, Symmetry};
use crate::solve::{Control, Guide, Opening, OpeningClass, Question, SolverError, opening_classes, placement_classes};

/// On boards with at most this many cells, all first placements share one chapter. On 7x7 separate
/// chapters take 30 % more lemmas.
const BOARD_IN_ONE_CHAPTER: usize = 49;
/// The same for the proofs of all openings, which otherwise have a chapter for each first
/// placement. That takes 30 % more lemmas on 6x6, but only 1 % more on 7x7.
const OPENINGS_IN_ONE_CHAPTER: usize = 42;
/// How many positions of a list share a chapter.
const POSITIONS_IN_ONE_CHAPTER: usize = 100;

/// A proof takes this many times as long to write as to find. On 7x7, with two threads, all
/// openings take 3.6 seconds to solve and 47 to prove.
const TIMES_A_SEARCH: f64 = 12.0;

/// A certificate in the making.
///
/// As long as this value lives, no other process can write the same certificate.
pub struct Certify {
    request: CertifyRequest,
    work: WorkFolder,
    time: Option<Duration>,
}

/// How far the work is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CertifyProgress {
    /// How many claims are proven.
    pub done: usize,
    /// How many claims there are.
    pub total: usize,
    /// How many lemmas are written.
    pub lemmas: u64,
}

/// How the work ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Certified {
    /// The certificate is complete, was read once, and has its name.
    Finished(Stats),
    /// The control stopped the work. The same request continues from this folder.
    Stopped {
        /// The folder that holds the unfinished work.
        folder: PathBuf,
    },
}

/// A claim, proven.
struct Proven {
    winner: Player,
    /// The claim's bytes without the winner.
    proof: Vec<u8>,
}

impl Certify {
    /// Claims the folder for the unfinished work. If an interrupted run has left its work there,
    /// [`Certify::run`] will continue with it.
    ///
    /// # Errors
    /// If the certificate cannot be made in that place.
    pub fn begin(request: CertifyRequest) -> Result<Self, CertifyError> {
        let work = WorkFolder::begin(&request.target, request.replace, &request.command())?;
        Ok(Self { request, work, time: None })
    }

    /// Stops the work after this time. It counts from the first new decision: otherwise a short
    /// time might not get a long proof any further.
    #[must_use]
    pub fn with_time(mut self, time: Option<Duration>) -> Self {
        self.time = time;
        self
    }

    /// A rough estimate of the time that the whole work takes, in seconds. It can be wrong by a
    /// large factor.
    #[must_use]
    pub fn expected_seconds(&self) -> f64 {
        if self.request.board_mirror().is_some() {
            return 0.0;
        }
        let threads = self.request.settings.threads.get();
        let claims = Claims::of(&self.request.subject).claims;
        claims.iter().map(|claim| TIMES_A_SEARCH * expected_seconds(Question::Winner, 1, links(&claim.position), threads)).sum()
    }

    /// Proves what was asked, writes the certificate, and gives it its name.
    ///
    /// # Errors
    /// If the system refuses threads or files, or if a claim is false.
    pub fn run(self, control: &Arc<Control>, progress: &(dyn Fn(CertifyProgress) + Sync)) -> Result<Certified, CertifyError> {
        let Self { request, work, time } = self;
        let folder = work.folder().to_path_buf();
        let (claims, proven) = match prove_all(&request, &work, &Clock::new(control, time), progress) {
            Err(Failed::Stopped) => return Ok(Certified::Stopped { folder }),
            Err(Failed::Error(fault)) => return Err(fault),
            Ok(proven) => proven,
        };
        let written = work.file("certificate");
        let io = |source| CertifyError::Io { file: written.clone(), source };
        write(&request, &claims, &proven, &written).map_err(io)?;
        drop(proven);
        let certificate = Certificate::open(&written).map_err(|_| CertifyError::Unsound { folder: folder.clone() })?;
        let stats = certificate.stats(false).map_err(|_| CertifyError::Unsound { folder })?;
        work.publish(&written)?;
        Ok(Certified::Finished(stats))
    }
}

/// What has to be proven, in the order of the file.
struct Claims {
    claims: Vec<Claimed>,
    chapters: Vec<Range<usize>>,
}

impl Claims {
    fn of(subject: &Subject) -> Self {
        let claims: Vec<Claimed> = match subject {
            Subject::Board(size) => {
                let after = |class: &Vec<Cell>| Claimed::nothing(Position::empty(*size).play_unchecked(class[0]));
                classes_of_placements(*size).iter().map(after).collect()
            }
            Subject::Openings(size) => {
                let after = |class: &OpeningClass| {
                    let Opening { first, second } = class.representative();
                    Claimed::nothing(Position::empty(*size).play_unchecked(first).play_unchecked(second))
                };
                classes_of_openings(*size).iter().map(after).collect()
            }
            Subject::Positions { positions, .. } => positions.clone(),
        };
        let first = |number: usize| claims[number].position.knight(Player::First);
        let cells = subject.size().cells();
        let belongs = |chapter: &Range<usize>, number: usize| match subject {
            Subject::Board(_) => cells <= BOARD_IN_ONE_CHAPTER,
            Subject::Openings(_) => cells <= OPENINGS_IN_ONE_CHAPTER || first(chapter.start) == first(number),
            Subject::Positions { .. } => chapter.len() < POSITIONS_IN_ONE_CHAPTER,
        };
        let mut chapters: Vec<Range<usize>> = Vec::new();
        for number in 0..claims.len() {
            match chapters.last_mut() {
                Some(chapter) if belongs(chapter, number) => chapter.end += 1,
                _ => chapters.push(number..number + 1),
            }
        }
        Self { claims, chapters }
    }
}

fn classes_of_placements(size: Size) -> Vec<Vec<Cell>> {
    let board = Board::<u128>::fitting(size);
    placement_classes(&board, board.cells(), board.cells())
}

fn classes_of_openings(size: Size) -> Vec<OpeningClass> {
    let board = Board::<u128>::fitting(size);
    opening_classes(&board, board.cells(), board.cells())
}

/// Why the claims are not proven.
enum Failed {
    Stopped,
    Error(CertifyError),
}

/// Proves what the request asks. Returns the claims that the certificate needs, with their proofs.
fn prove_all(
    request: &CertifyRequest,
    work: &WorkFolder,
    clock: &Clock,
    progress: &(dyn Fn(CertifyProgress) + Sync),
) -> Result<(Claims, Vec<Proven>), Failed> {
    let (size, claims) = (request.subject.size(), Claims::of(&request.subject));
    if request.board_mirror().is_some() {
        return Ok((claims, Vec::new()));
    }
    let proven = with_word_for!(size, prove(request, work, &claims, "chapter", clock, progress))?;
    let winning = proven.iter().position(|proven| proven.winner == Player::First);
    match (&request.subject, winning) {
        // One placement that wins is enough for the first player. Its proof may refer to lemmas of
        // the placements before it, so it is written again, alone.
        (Subject::Board(_), Some(number)) => {
            let alone = Claims { claims: vec![claims.claims[number].clone()], chapters: std::iter::once(0..1).collect() };
            let proven = with_word_for!(size, prove(request, work, &alone, "winning", clock, progress))?;
            Ok((alone, proven))
        }
        _ => Ok((claims, proven)),
    }
}

/// Proves all claims, with all threads at work.
fn prove<W: Word>(
    request: &CertifyRequest,
    work: &WorkFolder,
    claims: &Claims,
    names: &str,
    clock: &Clock,
    progress: &(dyn Fn(CertifyProgress) + Sync),
) -> Result<Vec<Proven>, Failed> {
    let threads = request.settings.threads.get();
    let refused = |fault: rayon::ThreadPoolBuildError| {
        Failed::Error(CertifyError::Solver(SolverError::Threads { threads, reason: fault.to_string() }))
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(refused)?;
    let board = Board::<W>::fitting(request.subject.size());
    let guides = Mutex::new(Vec::new());
    let (done, lemmas) = (AtomicU64::new(0), AtomicU64::new(0));
    let report = || {
        let [done, lemmas] = [&done, &lemmas].map(|count| count.load(Ordering::Relaxed));
        progress(CertifyProgress { done: done as usize, total: claims.claims.len(), lemmas });
    };
    let prove_chapter = |(number, range): (usize, &Range<usize>)| {
        let file = work.file(&format!("{names}-{number:04}"));
        let chapter = Chapter { request, board: &board, guides: &guides, claims: &claims.claims[range.clone()], file };
        chapter.prove(clock, &|claims, new| {
            done.fetch_add(claims, Ordering::Relaxed);
            lemmas.fetch_add(new, Ordering::Relaxed);
            report();
        })
    };
    let chapters: Vec<Vec<Proven>> =
        pool.install(|| claims.chapters.par_iter().enumerate().with_max_len(1).map(prove_chapter).collect::<Result<_, _>>())?;
    Ok(chapters.into_iter().flatten().collect())
}

/// A run of claims that share their lists.
struct Chapter<'a, W> {
    request: &'a CertifyRequest,
    board: &'a Board<W>,
    /// The guides that no chapter uses at the moment. Their answers are exact, so it does not
    /// matter which one a chapter gets.
    guides: &'a Mutex<Vec<Guide<W>>>,
    claims: &'a [Claimed],
    file: PathBuf,
}

impl<W: Word> Chapter<'_, W> {
    /// Proves the claims. `report` is called with the number of claims and lemmas since the last
    /// call.
    fn prove(&self, clock: &Clock, report: &dyn Fn(u64, u64)) -> Result<Vec<Proven>, Failed> {
        if let Some(proven) = self.finished() {
            report(proven.len() as u64, 0);
            return Ok(proven);
        }
        let recorded = read_sealed(&self.file).unwrap_or_default();
        let is_recorded = !recorded.is_empty();
        let walked = match self.walk(recorded, clock, report) {
            // The checksum is right, but this program would not have written these bytes.
            Err(Halt::Unsound) if is_recorded => self.walk(Vec::new(), clock, report),
            walked => walked,
        };
        walked.map_err(|halt| self.failed(halt))
    }

    /// Where a finished chapter is kept: its claims, and for each of them where it ends.
    fn finished_file(&self) -> PathBuf {
        self.file.with_extension("done")
    }

    /// The claims of this chapter, if it is finished.
    fn finished(&self) -> Option<Vec<Proven>> {
        let mut bytes = read_sealed(&self.finished_file())?;
        let ends = bytes.split_off(bytes.len().checked_sub(8 * self.claims.len())?);
        split(&bytes, ends.as_chunks().0.iter().map(|end| u64::from_le_bytes(*end) as usize))
    }

    fn guides(&self) -> MutexGuard<'_, Vec<Guide<W>>> {
        self.guides.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, halt: Halt) -> Failed {
        Failed::Error(match halt {
            Halt::Stopped => return Failed::Stopped,
            Halt::TooLong => CertifyError::TooLong,
            Halt::Save { file, source } => CertifyError::Io { file, source },
            Halt::Solver(fault) => CertifyError::Solver(fault),
            Halt::False { position } => CertifyError::False { position },
            Halt::NotWon | Halt::Unsound => {
                CertifyError::Unsound { folder: self.file.parent().unwrap_or(&self.file).to_path_buf() }
            }
        })
    }

    fn walk(&self, recorded: Vec<u8>, clock: &Clock, report: &dyn Fn(u64, u64)) -> Result<Vec<Proven>, Halt> {
        let Self { request, board, claims, file, .. } = self;
        let mut saved = Instant::now();
        let mut save = |bytes: &[u8]| {
            if saved.elapsed() < request.checkpoint {
                return Ok(());
            }
            saved = Instant::now();
            save_sealed(file, bytes.to_vec())
        };
        let mut new = 0;
        let mut watch = |event: Event<W>| {
            if let Event::New { .. } = event {
                new += 1;
                if new == REPORTED {
                    report(0, std::mem::take(&mut new));
                }
            }
        };
        let idle = self.guides().pop();
        let guide = idle.map_or_else(|| Guide::new(board.size(), request.settings), Ok).map_err(Halt::Solver)?;
        let author = Author::new(board, guide, clock, request.mirrors, request.compare());
        let mut walk = Walk::writing(board, recorded, author, &mut save, &mut watch);
        let mut ends = Vec::new();
        for Claimed { position, winner, by } in *claims {
            match walk.claim(position, *winner, *by) {
                Ok(_) => ends.push(walk.at),
                Err(Halt::Stopped) => return save_sealed(file, walk.bytes).and(Err(Halt::Stopped)),
                Err(Halt::NotWon) => {
                    return Err(Halt::False { position: Continuation::new(position.clone()).to_string() });
                }
                Err(halt) => return Err(halt),
            }
            report(1, 0);
        }
        let (mut bytes, author) = walk.end();
        self.guides().extend(author.map(Author::into_guide));
        let proven = split(&bytes, ends.iter().copied()).ok_or(Halt::Unsound)?;
        bytes.extend(ends.iter().flat_map(|&end| (end as u64).to_le_bytes()));
        save_sealed(&self.finished_file(), bytes)?;
        // Only needed while the chapter was unfinished.
        let _ = fs::remove_file(file);
        Ok(proven)
    }
}

/// Splits the bytes of claims at their ends.
fn split(bytes: &[u8], ends: impl Iterator<Item = usize>) -> Option<Vec<Proven>> {
    let mut begin = 0;
    let claims = ends.map(|end| {
        let (tag, proof) = bytes.get(std::mem::replace(&mut begin, end)..end)?.split_first()?;
        Some(Proven { winner: player_of(*tag)?, proof: proof.to_vec() })
    });
    claims.collect()
}

/// How many lemmas are written between two reports.
const REPORTED: u64 = 1 << 12;

/// Saves bytes with their checksum: completely, or not at all.
fn save_sealed(file: &Path, mut bytes: Vec<u8>) -> Result<(), Halt> {
    let fresh = file.with_extension("new");
    seal(&mut bytes);
    let saved = fs::write(&fresh, bytes).and_then(|()| fs::rename(&fresh, file));
    saved.map_err(|source| Halt::Save { file: file.to_path_buf(), source })
}

/// What was saved, if it is there and undamaged.
fn read_sealed(file: &Path) -> Option<Vec<u8>> {
    let mut bytes = fs::read(file).ok()?;
    unseal(&mut bytes).map(|()| bytes)
}

/// Writes bytes and keeps their checksum.
struct Sealed<F> {
    file: F,
    checksum: crc32fast::Hasher,
}

impl<F: Write> Write for Sealed<F> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.checksum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// Writes the certificate.
fn write(request: &CertifyRequest, claims: &Claims, proven: &[Proven], path: &Path) -> std::io::Result<()> {
    let mut out = Sealed { file: BufWriter::new(File::create(path)?), checksum: crc32fast::Hasher::new() };
    match &request.subject {
        Subject::Board(size) => {
            out.write_all(&header(*size, Statement::Board))?;
            match request.board_mirror() {
                Some(mirror) => out.write_all(&[player_tag(Player::Second), MIRROR, symmetry_number(mirror)])?,
                None => write_board(&mut out, *size, claims, proven)?,
            }
        }
        Subject::Openings(size) => {
            out.write_all(&header(*size, Statement::Openings))?;
            write_openings(&mut out, *size, proven)?;
        }
        Subject::Positions { size, .. } => {
            out.write_all(&header(*size, Statement::Positions))?;
            out.write_all(&(proven.len() as u32).to_le_bytes())?;
            for (claim, proven) in claims.claims.iter().zip(proven) {
                let mut position = Vec::new();
                write_position(&mut position, &claim.position);
                out.write_all(&position)?;
                out.write_all(&[player_tag(proven.winner)])?;
                out.write_all(&proven.proof)?;
            }
        }
    }
    let checksum = out.checksum.clone().finalize();
    out.write_all(&checksum.to_le_bytes())?;
    out.file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
}

/// The claim about the empty board.
fn write_board(out: &mut impl Write, size: Size, claims: &Claims, proven: &[Proven]) -> std::io::Result<()> {
    if let ([Claimed { position, .. }], [Proven { winner: Player::First, proof }]) = (&claims.claims[..], proven) {
        let to = position.knight(Player::First).expect("the first player has placed").index();
        out.write_all(&[player_tag(Player::First), WINNERS_MOVE, to as u8])?;
        return out.write_all(proof);
    }
    out.write_all(&[player_tag(Player::Second), ALL_MOVES])?;
    let classes = classes_of_placements(size);
    let symmetries = Symmetries::new(&Board::<u128>::fitting(size));
    for cell in Board::<u128>::fitting(size).cells() {
        let class = classes.iter().position(|class| class.contains(&cell)).expect("every cell is in a class");
        match classes[class][0] {
            first if first == cell => out.write_all(&proven[class].proof)?,
            first => write_image(out, &symmetries, |symmetry| symmetries.cell(symmetry, cell) == first)?,
        }
    }
    Ok(())
}

/// The claims about all openings.
fn write_openings(out: &mut impl Write, size: Size, proven: &[Proven]) -> std::io::Result<()> {
    let classes = classes_of_openings(size);
    let symmetries = Symmetries::new(&Board::<u128>::fitting(size));
    let mut openings: Vec<(Opening, usize)> = Vec::new();
    for (number, class) in classes.iter().enumerate() {
        openings.extend(class.members.iter().map(|&opening| (opening, number)));
    }
    openings.sort_unstable();
    for (opening, class) in openings {
        let least = classes[class].representative();
        if opening == least {
            out.write_all(&[player_tag(proven[class].winner)])?;
            out.write_all(&proven[class].proof)?;
            continue;
        }
        write_image(out, &symmetries, |symmetry| {
            let image = |cell| symmetries.cell(symmetry, cell);
            Opening { first: image(opening.first), second: image(opening.second) } == least
        })?;
    }
    Ok(())
}

/// Writes the first symmetry that leads to what was proven before.
fn write_image(out: &mut impl Write, symmetries: &Symmetries<u128>, leads: impl Fn(Symmetry) -> bool) -> std::io::Result<()> {
    let symmetry = symmetries.iter().find(|&symmetry| leads(symmetry)).expect("the members of a class are images of each other");
    out.write_all(&[IMAGE, symmetry_number(symmetry)])
}
