//! Certificates: written by the library, checked by `isolde-check`, compared with the oracle.

use std::path::Path;
use std::time::Duration;

use isolde::certificate::{Certificate, Certified, Certify, CertifyError, CertifyRequest, Claimed, ReadError, Stated, Subject};
use isolde::table::AnyTable;
use isolde::{Control, Player, Position, Settings, Size};
use isolde_check::{Fault, Proven, Statement, check};

use crate::support::generators::position;
use crate::support::naive::{EveryDuel, Recursion};
use crate::support::oracle::{Game, for_every_position};
use crate::support::{folder, tables};

/// What to prove, with one thread.
pub(crate) fn request(subject: Subject, mirrors: bool, target: &Path) -> CertifyRequest {
    CertifyRequest {
        subject,
        mirrors,
        small: false,
        target: target.to_path_buf(),
        replace: false,
        checkpoint: Duration::from_secs(10),
        // The boards are small, and there are many.
        settings: Settings { memory: 4 << 20, ..Settings::default() },
    }
}

/// The bytes of a certificate.
pub(crate) fn certified(subject: Subject, mirrors: bool) -> Vec<u8> {
    let folder = folder();
    let target = folder.path().join("a.proof");
    let certify = Certify::begin(request(subject, mirrors, &target)).unwrap();
    let Certified::Finished(stats) = certify.run(&Control::unlimited().into(), &|_| {}).unwrap() else {
        panic!("nothing limits this work");
    };
    let bytes = std::fs::read(&target).unwrap();
    assert_eq!(stats.bytes, bytes.len() as u64);
    bytes
}

/// A certificate that the checker accepts with as many lemmas as the library counts.
fn checked(subject: Subject, mirrors: bool) -> Proven {
    let bytes = certified(subject, mirrors);
    let proven = check(&bytes).unwrap_or_else(|fault| panic!("{fault}"));
    let stats = Certificate::from_bytes(Path::new("a.proof"), bytes).unwrap().stats(true).unwrap();
    assert_eq!(stats.lemmas, proven.lemmas);
    assert_eq!(stats.lemmas, stats.by_free_cells.iter().sum::<u64>());
    assert_eq!(stats.lemmas, stats.uses.unwrap().doubling.iter().sum::<u64>());
    proven
}

fn is_first(player: isolde_check::Player) -> bool {
    player == isolde_check::Player::First
}

/// Whether a statement is true, as the oracle sees it.
pub(crate) fn is_true(proven: &Proven) -> bool {
    let (files, ranks) = proven.board;
    let empty = Game::empty(files as i32, ranks as i32);
    let mut oracle = Recursion::new(files, ranks);
    let mut first_wins = |game: &Game| oracle.mover_of_game_wins(game) == (game.turn == 0);
    let at = |cell: usize| ((cell % files) as i32, (cell / files) as i32);
    match &proven.statement {
        Statement::Board { winner, .. } => first_wins(&empty) == is_first(*winner),
        Statement::Openings { first_wins: won, .. } => empty.cells().into_iter().enumerate().all(|(first, _)| {
            (0..files * ranks).filter(|second| *second != first).all(|second| {
                let game = empty.after(at(first)).after(at(second));
                first_wins(&game) == won.contains(&(first, second))
            })
        }),
        Statement::Positions(positions) => positions.iter().all(|(position, winner)| {
            let mut game =
                Game { knights: position.knights.map(|knight| knight.map(at)), turn: position.turn as usize, ..empty.clone() };
            for (cell, (file, rank)) in empty.cells().into_iter().enumerate() {
                game.free[rank as usize][file as usize] = position.free >> cell & 1 == 1;
            }
            first_wins(&game) == is_first(*winner)
        }),
    }
}

/// Every board of up to this many cells.
fn boards(most: usize) -> impl Iterator<Item = Size> {
    Size::every().filter(move |size| size.cells() <= most)
}

#[test]
fn who_wins_every_board_of_up_to_20_cells() {
    for size in boards(20) {
        for mirrors in [true, false] {
            let proven = checked(Subject::Board(size), mirrors);
            assert!(is_true(&proven), "{size} {proven:?}");
            assert_eq!(proven.board, (size.files(), size.ranks()));
            assert!(matches!(proven.statement, Statement::Board { .. }));
        }
    }
}

#[test]
fn who_wins_every_opening_of_every_board_of_up_to_20_cells() {
    for size in boards(20) {
        let proven = checked(Subject::Openings(size), size.cells() % 2 == 0);
        assert!(is_true(&proven), "{size}");
        assert!(matches!(proven.statement, Statement::Openings { .. }));
    }
}

#[test]
fn who_wins_every_position_of_3x4() {
    let size = Size::new(3, 4).unwrap();
    let mut positions = Vec::new();
    for_every_position(3, 4, |game| positions.push(Claimed { position: position(game), winner: None, by: None }));
    let count = positions.len();
    let proven = checked(Subject::Positions { size, positions: positions.clone(), name: "3x4".to_string() }, true);
    let Statement::Positions(stated) = &proven.statement else { panic!("{proven:?}") };
    assert_eq!(stated.len(), count);
    for (stated, claimed) in stated.iter().zip(&positions) {
        assert_eq!(stated.0.free, claimed.position.free().word());
        let knights = Player::BOTH.map(|player| claimed.position.knight(player).map(isolde::Cell::index));
        assert_eq!((stated.0.knights, stated.0.turn as usize), (knights, claimed.position.turn() as usize));
    }
    assert!(is_true(&proven));
}

#[test]
fn a_small_proof_is_smaller_and_as_sound() {
    let size = Size::new(5, 5).unwrap();
    let folder = folder();
    let target = folder.path().join("a.proof");
    let small = CertifyRequest { small: true, ..request(Subject::Board(size), true, &target) };
    let Certified::Finished(stats) = Certify::begin(small).unwrap().run(&Control::unlimited().into(), &|_| {}).unwrap() else {
        panic!("nothing limits this work");
    };
    let usual = checked(Subject::Board(size), true);
    assert!(stats.lemmas < usual.lemmas, "{} {}", stats.lemmas, usual.lemmas);
    assert_eq!(stats.stated, Stated::Board { winner: Player::Second, mirror: false, placements: Some(6) });
    assert_eq!(check(&std::fs::read(&target).unwrap()).unwrap().lemmas, stats.lemmas);
}

/// Work that is stopped again and again, after a few nodes each time, ends with the same bytes.
#[test]
fn stopped_work_goes_on_and_ends_with_the_same_bytes() {
    let size = Size::new(5, 6).unwrap();
    let undisturbed = certified(Subject::Openings(size), false);
    let folder = folder();
    let target = folder.path().join("a.proof");
    let mut stops = 0;
    loop {
        let certify = Certify::begin(request(Subject::Openings(size), false, &target)).unwrap();
        match certify.run(&Control::with_nodes(20_000).into(), &|_| {}).unwrap() {
            Certified::Finished(_) => break,
            Certified::Stopped { folder } => assert!(folder.is_dir()),
        }
        stops += 1;
    }
    assert!(stops > 5, "{stops}");
    assert!(std::fs::read(&target).unwrap() == undisturbed);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "the work folder is gone");
}

/// A checkpoint that is damaged, or that another program has written, is not believed.
#[test]
fn damaged_checkpoints_are_done_again() {
    let size = Size::new(5, 5).unwrap();
    let undisturbed = certified(Subject::Openings(size), false);
    let folder = folder();
    let target = folder.path().join("a.proof");
    let stop = || {
        let certify = Certify::begin(request(Subject::Openings(size), false, &target)).unwrap();
        let stopped = certify.run(&Control::with_nodes(20_000).into(), &|_| {}).unwrap();
        assert!(matches!(stopped, Certified::Stopped { .. }));
    };
    stop();
    let part = folder.path().join("a.proof.part").join("chapter-0000");
    let saved = std::fs::read(&part).unwrap();
    assert!(saved.len() > 1000);
    let reseal = |mut bytes: Vec<u8>| {
        bytes.truncate(bytes.len() - 4);
        let checksum = crc32(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    };
    let mut flipped = saved.clone();
    flipped[500] ^= 1;
    let cut = saved[..700].to_vec();
    for damaged in [cut.clone(), flipped.clone(), reseal(flipped), reseal(cut), Vec::new()] {
        std::fs::write(&part, damaged).unwrap();
        let certify =
            Certify::begin(CertifyRequest { replace: true, ..request(Subject::Openings(size), false, &target) }).unwrap();
        assert!(matches!(certify.run(&Control::unlimited().into(), &|_| {}).unwrap(), Certified::Finished(_)));
        assert!(std::fs::read(&target).unwrap() == undisturbed);
        std::fs::create_dir_all(part.parent().unwrap()).unwrap();
    }
}

/// The checksum of a certificate.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

#[test]
fn a_table_is_proven_entry_by_entry_with_any_number_of_threads() {
    let folder = folder();
    let size = Size::new(4, 4).unwrap();
    let table = tables::opening_table(size, &EveryDuel::new(4, 4), 2, folder.path());
    let table = AnyTable::open(&table).unwrap();
    let subject = Subject::table(&table).unwrap();
    let Subject::Positions { positions, .. } = &subject else { panic!("{subject:?}") };
    assert_eq!(positions.len() as u64, table.len());
    assert!(positions.len() > 100, "there are several chapters");
    let bytes = certified(subject.clone(), true);
    let proven = check(&bytes).unwrap();
    assert!(is_true(&proven));
    // Unfinished work on a table is not continued for another table of the same name.
    let command = |subject: &Subject| request(subject.clone(), true, Path::new("a.proof")).command();
    let other = tables::opening_table(size, &EveryDuel::new(4, 4), 4, folder.path());
    assert_ne!(command(&subject), command(&Subject::table(&AnyTable::open(&other).unwrap()).unwrap()));
    let target = folder.path().join("threads.proof");
    let settings = Settings { threads: 3.try_into().unwrap(), memory: 12 << 20 };
    let certify = Certify::begin(CertifyRequest { settings, ..request(subject, true, &target) }).unwrap();
    assert!(matches!(certify.run(&Control::unlimited().into(), &|_| {}).unwrap(), Certified::Finished(_)));
    assert!(std::fs::read(&target).unwrap() == bytes);
}

/// A table that lies about a winner, or about a winning move, is found out.
#[test]
fn false_claims_are_refused() {
    let lost: Position = "3x4: a1 c2".parse().unwrap();
    let size = lost.size();
    let mut oracle = Recursion::new(3, 4);
    for_every_position(3, 4, |game| {
        // Some positions are enough: those in which all cells are free.
        let free = game.free.iter().flatten().filter(|free| **free).count();
        if free + game.knights.iter().flatten().count() < 12 || game.knights.contains(&None) {
            return;
        }
        let mover_wins = oracle.mover_of_game_wins(game);
        let position = position(game);
        let winner = if mover_wins { position.turn() } else { !position.turn() };
        let refused = |claimed: Claimed| {
            let folder = folder();
            let subject = Subject::Positions { size, positions: vec![claimed], name: "lies".to_string() };
            let certify = Certify::begin(request(subject, true, &folder.path().join("a.proof"))).unwrap();
            let fault = certify.run(&Control::unlimited().into(), &|_| {}).unwrap_err();
            assert!(matches!(fault, CertifyError::False { .. }), "{fault}");
        };
        refused(Claimed { position: position.clone(), winner: Some(!winner), by: None });
        if mover_wins {
            for to in game.moves().into_iter().filter(|&to| oracle.mover_of_game_wins(&game.after(to))) {
                let to = crate::support::generators::cell(size, to);
                refused(Claimed { position: position.clone(), winner: Some(winner), by: Some(to) });
            }
        }
    });
}

#[test]
fn strong_tables_and_damaged_certificates_are_refused() {
    let folder = folder();
    let table = tables::strong_table(Size::new(3, 3).unwrap(), &EveryDuel::new(3, 3), folder.path());
    let fault = Subject::table(&AnyTable::open(&table).unwrap()).unwrap_err();
    assert!(fault.to_string().contains("is a strong table"), "{fault}");
    let bytes = certified(Subject::Board(Size::new(5, 5).unwrap()), true);
    let open = |bytes: &[u8]| Certificate::from_bytes(Path::new("a.proof"), bytes.to_vec());
    for length in 0..bytes.len() {
        assert!(matches!(open(&bytes[..length]), Err(ReadError::NotACertificate { .. })), "{length}");
    }
    let mut unsound = bytes[..bytes.len() - 4].to_vec();
    unsound[40] ^= 1;
    unsound.extend(crc32(&unsound).to_le_bytes());
    let fault = open(&unsound).unwrap().stats(false).unwrap_err();
    assert_eq!(fault.to_string(), "a.proof is not sound: `isolde-check` says where it breaks");
    assert!(matches!(check(&unsound), Err(Fault::Broken { .. })));
}

#[test]
fn a_lemma_holds_wherever_it_says_so() {
    let size = Size::new(4, 5).unwrap();
    let bytes = certified(Subject::Board(size), false);
    let lemmas = check(&bytes).unwrap().lemmas as u32;
    let mut oracle = Recursion::new(4, 5);
    for number in (1..=lemmas).step_by(7) {
        let certificate = Certificate::from_bytes(Path::new("a.proof"), bytes.clone()).unwrap();
        let lemma = certificate.lemma(number).unwrap().unwrap();
        assert_eq!(lemma.number, number);
        let all = (1_u64 << 20) - 1;
        let open = all & !(1 << lemma.hunter.index()) & !(1 << lemma.prey.index());
        let (need, stop) = (lemma.need.word() as u64, lemma.stop.word() as u64);
        // The fewest cells, the most, and some in between.
        for some in [0, all, 0x55555, 0xaaaaa, 0x33333, 0x0f0f0] {
            let free = (need | some) & open & !stop;
            let wins = oracle.mover_wins(free, lemma.hunter.index(), lemma.prey.index());
            assert_eq!(wins, lemma.winner == isolde::Part::Hunter, "lemma {number} {free:x}");
        }
        assert!(lemma.svg().matches("<circle").count() >= lemma.need.len());
    }
    assert_eq!(Certificate::from_bytes(Path::new("a.proof"), bytes).unwrap().lemma(lemmas + 1).unwrap(), None);
}
