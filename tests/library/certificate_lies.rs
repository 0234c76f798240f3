//! Certificates that are changed or made up. The checker may accept one only if what it states is
//! true, as the oracle sees it.

use std::path::Path;

use isolde::certificate::{Certificate, Subject};
use isolde::{Position, Size};
use isolde_check::{Fault, Statement, check};

use crate::certificate::{certified, crc32, is_true};
use crate::support::oracle::{At, Game, is_knight_step};

const HEADER: usize = 12;

/// The bytes with their checksum.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32(&bytes).to_le_bytes());
    bytes
}

/// What became of changed certificates.
#[derive(Default, Debug)]
struct Tally {
    accepted: usize,
    broken: usize,
    unreadable: usize,
}

impl Tally {
    /// Checks a certificate without its checksum. If it is accepted, its statement must be true; if
    /// a rule is broken, the fault must say where.
    ///
    /// The library's own reader must agree. It gets what is accepted, and every fifth of the
    /// others.
    fn check(&mut self, bytes: &[u8], change: &str) {
        let sealed = sealed(bytes.to_vec());
        let checked = check(&sealed);
        if checked.is_ok() || (self.broken + self.unreadable).is_multiple_of(5) {
            let read = Certificate::from_bytes(Path::new("a.proof"), sealed).and_then(|certificate| certificate.stats(false));
            assert_eq!(checked.is_ok(), read.is_ok(), "{checked:?} {read:?} after {change}");
        }
        match checked {
            Ok(proven) => {
                assert!(is_true_or_known(&proven), "accepted: {proven:?} after {change}");
                self.accepted += 1;
            }
            Err(fault @ Fault::Broken { byte, .. }) => {
                assert!(byte < bytes.len() && fault.to_string().contains(&format!("byte {byte}")), "{fault}");
                self.broken += 1;
            }
            Err(fault @ Fault::Unreadable(_)) => {
                assert!(!fault.to_string().is_empty());
                self.unreadable += 1;
            }
        }
    }
}

/// The oracle needs too long for 5x5, where the second player wins.
fn is_true_or_known(proven: &isolde_check::Proven) -> bool {
    match (&proven.statement, proven.board) {
        (Statement::Board { winner, .. }, (5, 5)) => *winner == isolde_check::Player::Second,
        (_, (files, ranks)) => {
            assert!(files * ranks <= 20, "{files}x{ranks} is too large for the oracle");
            is_true(proven)
        }
    }
}

/// Certificates to be changed, without their checksums: all statements, all rules, both winners.
fn originals() -> Vec<(&'static str, Vec<u8>)> {
    let size = |files, ranks| Size::new(files, ranks).unwrap();
    let position = |text: &str| Subject::position(&text.parse::<Position>().unwrap());
    let subjects = [
        ("5x5", Subject::Board(size(5, 5)), true),
        ("4x5", Subject::Board(size(4, 5)), false),
        ("3x3", Subject::Openings(size(3, 3)), true),
        ("3x4", Subject::Openings(size(3, 4)), false),
        ("won by the prey", position("4x5: b2 d4"), true),
        ("a mirror", position("4x4: a1 d4"), true),
    ];
    subjects
        .into_iter()
        .map(|(name, subject, mirrors)| {
            let mut bytes = certified(subject, mirrors);
            bytes.truncate(bytes.len() - 4);
            (name, bytes)
        })
        .collect()
}

#[test]
fn changed_bytes_prove_nothing_false() {
    let mut tally = Tally::default();
    for (name, bytes) in originals() {
        tally.check(&bytes, name);
        for at in HEADER..bytes.len() {
            let old = bytes[at];
            for new in
                [old ^ 1, old ^ 2, old ^ 128, old.wrapping_add(1), old.wrapping_sub(1), old ^ ((at as u8).wrapping_mul(37) | 4)]
            {
                let mut changed = bytes.clone();
                changed[at] = new;
                tally.check(&changed, &format!("byte {at} of {name} is {new}"));
            }
            for length in [1, 2, 5] {
                let mut shorter = bytes.clone();
                shorter.drain(at..(at + length).min(bytes.len()));
                tally.check(&shorter, &format!("byte {at} of {name}: {length} dropped"));
            }
            let mut longer = bytes.clone();
            longer.insert(at, 128);
            tally.check(&longer, &format!("byte {at} of {name}: a reference inserted"));
            if at + 1 < bytes.len() {
                let mut swapped = bytes.clone();
                swapped.swap(at, at + 1);
                tally.check(&swapped, &format!("byte {at} of {name}: swapped with the next"));
            }
            tally.check(&bytes[..at], &format!("{name} cut at {at}"));
        }
    }
    assert!(tally.broken > 10_000 && tally.unreadable > 1_000, "{tally:?}");
}

/// Where a lemma stands in the file, and the lemmas that it rests on, each with its bit in the
/// mask. An answer of the prey belongs to what follows it.
struct Span {
    begin: usize,
    end: usize,
    rests_on: Vec<(usize, usize, usize)>,
}

/// Finds all lemmas and all items of the lists of moves, without checking anything.
struct Finder<'a> {
    bytes: &'a [u8],
    at: usize,
    lemmas: Vec<Span>,
    /// Where a proof in the list of all moves of a position begins and ends.
    items: Vec<(usize, usize)>,
}

impl<'a> Finder<'a> {
    /// Goes through a claim about the position of this game, which begins at `at`.
    fn claim(bytes: &'a [u8], at: usize, game: &Game) -> Self {
        let mut finder = Self { bytes, at, lemmas: Vec::new(), items: Vec::new() };
        let winner = usize::from(finder.next() - b'1');
        finder.proof(game, winner);
        assert_eq!(finder.at, bytes.len());
        finder
    }

    fn next(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    fn proof(&mut self, game: &Game, winner: usize) {
        match self.next() {
            b'l' | b'f' => self.lemma(game.turn == winner),
            b'w' => {
                let to = game.cells()[usize::from(self.next())];
                self.proof(&game.after(to), winner);
            }
            b'a' => {
                for to in game.moves() {
                    let begin = self.at;
                    match self.bytes[begin] {
                        b'i' => self.at += 2,
                        _ => self.proof(&game.after(to), winner),
                    }
                    self.items.push((begin, self.at));
                }
            }
            tag => {
                assert_eq!(tag, b'm');
                self.at += 1;
            }
        }
    }

    fn lemma(&mut self, hunter_wins: bool) {
        let begin = self.at;
        if self.next() >= 128 {
            return;
        }
        let mask = self.next();
        let mut rests_on = Vec::new();
        for bit in (0..8).filter(|bit| mask >> bit & 1 == 1) {
            let begin = self.at;
            self.at += usize::from(!hunter_wins);
            self.lemma(hunter_wins);
            rests_on.push((bit, begin, self.at));
        }
        self.lemmas.push(Span { begin, end: self.at, rests_on });
    }
}

/// Replaces a range of bytes.
fn replaced(bytes: &[u8], begin: usize, end: usize, by: &[u8]) -> Vec<u8> {
    [&bytes[..begin], by, &bytes[end..]].concat()
}

/// Lemmas dropped, replies left unanswered, placements left out, symmetries exchanged: the file is
/// well formed, but it is another proof.
#[test]
fn changed_proofs_prove_nothing_false() {
    let mut tally = Tally::default();
    let five = Game::empty(5, 5);
    for (name, bytes) in originals() {
        let found = match name {
            "5x5" => Finder::claim(&bytes, HEADER, &five),
            "4x5" => Finder::claim(&bytes, HEADER, &Game::empty(4, 5)),
            // After the number of positions and the position itself.
            "won by the prey" => Finder::claim(&bytes, HEADER + 4 + 3 + 3, &Game::empty(4, 5).after((1, 1)).after((3, 3))),
            _ => continue,
        };
        assert!(found.lemmas.len() > 50, "{name}");
        for Span { begin, end, rests_on } in &found.lemmas {
            for reference in 128..131 {
                tally.check(&replaced(&bytes, *begin, *end, &[reference]), &format!("{name}: the lemma at {begin} dropped"));
            }
            for &(bit, from, to) in rests_on {
                let mut changed = replaced(&bytes, from, to, &[]);
                changed[begin + 1] &= !(1 << bit);
                tally.check(&changed, &format!("{name}: the lemma at {begin} stops reply {bit}"));
            }
        }
        for &(begin, end) in &found.items {
            for symmetry in 0..8 {
                let changed = replaced(&bytes, begin, end, &[b'i', symmetry]);
                tally.check(&changed, &format!("{name}: the move at {begin} is an image by {symmetry}"));
            }
            tally.check(&replaced(&bytes, begin, end, &[]), &format!("{name}: the move at {begin} is left out"));
        }
    }
    assert!(tally.broken > 3_000, "{tally:?}");
}

/// Writes proofs of anything, true or false: well-formed, with legal knight's moves, and made up.
struct Liar {
    random: u64,
    bytes: Vec<u8>,
}

impl Liar {
    fn below(&mut self, limit: usize) -> usize {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) as usize % limit
    }

    fn put_cell(&mut self, game: &Game, cell: At) {
        self.bytes.push((cell.1 * game.files + cell.0) as u8);
    }

    /// A proof that this player wins.
    fn proof(&mut self, game: &Game, winner: usize, honest: bool) {
        let on_one_colour = match game.knights {
            [Some(one), Some(two)] => (one.0 + one.1 + two.0 + two.1) % 2 == 0,
            _ => false,
        };
        let moves = game.moves();
        match self.below(12) {
            // A mirror, whether there is one or not.
            0 if !honest => {
                let symmetry = self.below(8) as u8;
                self.bytes.extend([b'm', symmetry]);
            }
            _ if on_one_colour => {
                let tag = if self.below(4) == 0 { b'f' } else { b'l' };
                self.bytes.push(tag);
                self.lemma(game, game.turn == winner, honest);
            }
            _ if game.turn == winner && !moves.is_empty() => {
                let to = moves[self.below(moves.len())];
                self.bytes.push(b'w');
                self.put_cell(game, to);
                self.proof(&game.after(to), winner, honest);
            }
            // The loser's moves, or a claim that there are none.
            _ => {
                self.bytes.push(b'a');
                for to in moves {
                    if !honest && self.below(6) == 0 {
                        let symmetry = self.below(8) as u8;
                        self.bytes.extend([b'i', symmetry]);
                    } else {
                        self.proof(&game.after(to), winner, honest);
                    }
                }
            }
        }
    }

    /// A lemma for the position of the game. Replies are answered, referred to an older lemma, or
    /// declared stopped, whether they are or not.
    fn lemma(&mut self, game: &Game, hunter_wins: bool, honest: bool) {
        let all = |from: At| -> Vec<At> { game.cells().into_iter().filter(|&to| is_knight_step(from, to)).collect() };
        let (hunter, prey) = (game.knights[game.turn].unwrap(), game.knights[1 - game.turn].unwrap());
        if !honest && self.below(8) == 0 {
            let rank = self.below(2) as u8;
            self.bytes.push(128 + rank);
            return;
        }
        let free = game.moves();
        // Without a free cell, a liar steps on one that is gone.
        let steps = if free.is_empty() || (!honest && self.below(10) == 0) { all(hunter) } else { free };
        let losers = if hunter_wins { all(prey) } else { all(hunter) };
        let to = if steps.is_empty() { hunter } else { steps[self.below(steps.len())] };
        match hunter_wins {
            true => self.put_cell(game, to),
            false => self.bytes.push(0),
        }
        let mut mask = 0;
        for (bit, &cell) in losers.iter().enumerate() {
            let playable = game.is_free(cell) && (!hunter_wins || cell != to);
            if playable && (honest || self.below(5) > 0) {
                mask |= 1 << bit;
            }
        }
        let place = self.bytes.len();
        self.bytes.push(mask);
        for (bit, &cell) in losers.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1) {
            if hunter_wins {
                let after = if game.is_free(to) { game.after(to) } else { Game { turn: 1 - game.turn, ..game.clone() } };
                self.lemma(&after.after(cell), true, honest);
            } else {
                let after = game.after(cell);
                let answers: Vec<At> = after.moves();
                if answers.is_empty() {
                    // No answer: the move is declared stopped after all.
                    self.bytes[place] &= !(1 << bit);
                    continue;
                }
                let answer = answers[self.below(answers.len())];
                self.put_cell(game, answer);
                self.lemma(&after.after(answer), false, honest);
            }
        }
    }

    /// A certificate about the empty board of these sides.
    fn board(random: u64, files: i32, ranks: i32, winner: usize, honest: bool) -> Vec<u8> {
        let mut liar = Self { random, bytes: b"IsoProof\x01".to_vec() };
        liar.bytes.extend([files as u8, ranks as u8, b'b', b'1' + winner as u8]);
        liar.proof(&Game::empty(files, ranks), winner, honest);
        liar.bytes
    }
}

#[test]
fn made_up_proofs_prove_nothing_false() {
    let mut tally = Tally::default();
    for (files, ranks, tries) in [(3, 3, 20_000), (3, 4, 3_000), (4, 4, 500), (4, 5, 100), (5, 5, 20)] {
        for random in 0..tries {
            let winner = random as usize % 2;
            let bytes = Liar::board(random * 7_919 + 13, files, ranks, winner, false);
            tally.check(&bytes, &format!("{files}x{ranks} made up with {random}"));
        }
    }
    // On 3x3 a lucky guess is a proof, so the liar can write proofs.
    assert!(tally.accepted > 10 && tally.broken > 10_000, "{tally:?}");
}

/// Proofs without any trick, but with random moves. They show that what the liar writes is well
/// formed, and that false claims fail for want of a proof.
#[test]
fn random_moves_prove_nothing_false() {
    let mut tally = Tally::default();
    for random in 0..20_000 {
        let bytes = Liar::board(random * 104_729 + 1, 3, 3, random as usize % 2, true);
        tally.check(&bytes, &format!("3x3 played with {random}"));
    }
    assert!(tally.accepted > 0, "{tally:?}");
    assert_eq!(tally.unreadable, 0, "{tally:?}");
}
