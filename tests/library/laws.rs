//! Laws that hold on every board and in every position, tried on random ones.

use crate::support::generators::{any_duel, any_position};
use isolde::{Board, Cells, Duel, IllegalMove, Position, Setup, Symmetries, Word, notation, zobrist};
use proptest::prelude::*;

fn legal_moves_are_all_cells_that_pass_the_check(position: &Position) {
    let passing: Cells<u128> = position.board().cells().into_iter().filter(|&to| position.check(to).is_ok()).collect();
    assert_eq!(position.legal_moves(), passing);
}

fn every_move_changes_the_colour_and_nobody_changes_parts(position: &Position) {
    let (board, mover) = (position.board(), position.turn());
    for to in position.legal_moves() {
        let next = position.play(to).unwrap();
        if let Some(from) = position.knight(mover) {
            assert_ne!(board.colour(from), board.colour(to));
        }
        if position.is_duel() {
            assert_eq!((next.part(mover), next.part(!mover)), (position.part(mover), position.part(!mover)));
        }
        assert_eq!(position.free().except(next.free()), Cells::only(to));
    }
}

fn the_text_of_a_position_reads_as_the_position(position: &Position) {
    let setup = position.setup();
    let text = setup.to_string();
    assert_eq!(text.parse::<Setup>(), Ok(setup));
    assert_eq!(notation::parse(&format!("  {text} - - 0 1 ")), Ok(setup));
    assert_eq!(Position::new(setup).as_ref(), Ok(position));
}

fn every_form_of_a_move_reads_as_the_move(position: &Position) {
    let name = |cell| notation::cell_name(position.size(), cell);
    for to in position.board().cells() {
        assert_eq!(notation::parse_cell(position.size(), &name(to)), Ok(to));
        let mut forms = vec![name(to), notation::walling_move(position, to)];
        forms.extend(position.knight(position.turn()).map(|from| name(from) + &name(to)));
        for form in forms {
            match (notation::parse_move(position, &form), position.check(to)) {
                (read, Ok(())) => assert_eq!(read, Ok(to)),
                (Err(notation::Error::Illegal { fault, .. }), Err(expected)) => assert_eq!(fault, expected),
                (read, verdict) => panic!("`{form}` reads as {read:?}, the rules say {verdict:?}"),
            }
        }
    }
}

fn a_symmetry_keeps_the_rules<W: Word>(board: &Board<W>, duel: Duel<W>) {
    let symmetries = Symmetries::new(board);
    for symmetry in symmetries.iter() {
        let image = symmetries.duel(symmetry, duel);
        assert_eq!(image.moves(board), symmetries.set(symmetry, duel.moves(board)));
        assert_eq!(image.part_of_mover(board), duel.part_of_mover(board));
        assert_eq!(image.live(board), symmetries.set(symmetry, duel.live(board)));
        for to in duel.moves(board) {
            let after = image.play_unchecked(symmetries.cell(symmetry, to));
            assert_eq!(after, symmetries.duel(symmetry, duel.play_unchecked(to)));
        }
        assert_eq!(symmetries.duel(symmetry.inverse(), image), duel);
        let one_by_one: Cells<W> = duel.free.into_iter().map(|cell| symmetries.cell(symmetry, cell)).collect();
        assert_eq!(symmetries.set(symmetry, duel.free), one_by_one);
    }
}

fn all_images_share_one_canonical_form<W: Word>(board: &Board<W>, duel: Duel<W>) {
    let symmetries = Symmetries::new(board);
    let canonical = symmetries.canonical(board, duel);
    assert_eq!(symmetries.canonical(board, canonical.duel).duel, canonical.duel, "the canonical form is its own");
    let live = duel.without_dead_cells(board);
    assert_eq!(symmetries.duel(canonical.symmetry, live), canonical.duel, "the named symmetry leads there");
    for symmetry in symmetries.iter() {
        let image = symmetries.duel(symmetry, duel);
        assert_eq!(symmetries.canonical(board, image).duel, canonical.duel);
        assert!(canonical.duel <= symmetries.duel(symmetry, live));
    }
    let back = canonical.symmetry.inverse();
    assert_eq!(symmetries.set(back, canonical.duel.moves(board)), duel.moves(board), "moves map back");
}

fn dead_cells_change_no_move<W: Word>(board: &Board<W>, duel: Duel<W>) {
    let cleared = duel.without_dead_cells(board);
    assert_eq!(cleared.moves(board), duel.moves(board));
    assert_eq!(cleared.regions(board), duel.regions(board));
    let (mover, other) = duel.regions(board);
    assert_eq!(cleared.free, mover | other);
}

fn a_move_updates_the_hash<W: Word>(board: &Board<W>, duel: Duel<W>) {
    for to in duel.moves(board) {
        assert_eq!(zobrist::hash_after(zobrist::hash(duel), &duel, to), zobrist::hash(duel.play_unchecked(to)));
    }
}

fn a_set_expands_cell_by_cell<W: Word>(board: &Board<W>, duel: Duel<W>) {
    let one_by_one = duel.free.into_iter().fold(Cells::EMPTY, |all, cell| all | board.knight_moves(cell));
    assert_eq!(board.expand(duel.free), one_by_one);
    let counted: [Cells<W>; 4] = board.expand_counting(duel.free);
    for cell in board.cells() {
        let ways = (board.knight_moves(cell) & duel.free).len();
        assert_eq!(counted.map(|cells| cells.contains(cell)), [1, 2, 3, 4].map(|times| ways >= times));
    }
}

/// Each law on boards of either word.
macro_rules! laws {
    ($any:ident: $($law:ident($($argument:tt)*);)*) => {
        proptest! {$(
            #[test]
            fn $law(small in $any::<u64>(), large in $any::<u128>()) {
                laws!(@ small $law($($argument)*));
                laws!(@ large $law($($argument)*));
            }
        )*}
    };
    (@ $case:ident $law:ident(position)) => { super::$law(&$case) };
    (@ $case:ident $law:ident(duel)) => { super::$law(&$case.0, $case.1) };
}

mod of_positions {
    use super::*;
    laws! { any_position:
        legal_moves_are_all_cells_that_pass_the_check(position);
        every_move_changes_the_colour_and_nobody_changes_parts(position);
        the_text_of_a_position_reads_as_the_position(position);
        every_form_of_a_move_reads_as_the_move(position);
    }
}

mod of_duels {
    use super::*;
    laws! { any_duel:
        a_symmetry_keeps_the_rules(duel);
        all_images_share_one_canonical_form(duel);
        dead_cells_change_no_move(duel);
        a_move_updates_the_hash(duel);
        a_set_expands_cell_by_cell(duel);
    }
}

proptest! {
    #[test]
    fn a_random_game_is_a_line_that_reads_back(
        start in any_position::<u128>(),
        choices in prop::collection::vec(any::<usize>(), 0..40),
    ) {
        let mut line = notation::Line::new(start.size());
        for choice in choices {
            let legal = line.end().legal_moves();
            if legal.is_empty() {
                break;
            }
            let to = legal.into_iter().nth(choice % legal.len()).unwrap();
            line.play(to).unwrap();
        }
        prop_assert_eq!(line.to_string().parse::<notation::Line>(), Ok(line.clone()));
        let played = line.moves().iter().try_fold(Position::empty(line.size()), |position, &to| position.play(to));
        prop_assert_eq!(played, Ok::<_, IllegalMove>(line.end().clone()));
        if line.size().fits::<u64>() {
            let small = Position::new(line.end().setup()).unwrap();
            prop_assert_eq!(small.legal_moves().convert(), line.end().legal_moves());
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,40}", fenlike in "[0-9N*n/ wbx:a-e-]{0,30}", moves in "[a-f0-9, ]{0,20}") {
        for text in [text, fenlike, format!("5x4: {moves}")] {
            if let Ok(setup) = notation::parse(&text) {
                prop_assert_eq!(setup.to_string().parse(), Ok(setup));
            }
        }
    }
}
