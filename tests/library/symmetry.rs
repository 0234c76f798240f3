//! The symmetries: by name, as a group, and on every board.

use crate::support::generators::{at, cell};
use isolde::{Board, Size, Symmetries, Symmetry};

/// Where a symmetry takes a cell, said once more without the program's parts.
fn told(symmetry: Symmetry, size: Size, (file, rank): (i32, i32)) -> (i32, i32) {
    let (last_file, last_rank) = (size.files() as i32 - 1, size.ranks() as i32 - 1);
    match symmetry {
        Symmetry::Identity => (file, rank),
        Symmetry::Center => (last_file - file, last_rank - rank),
        Symmetry::Vertical => (last_file - file, rank),
        Symmetry::Horizontal => (file, last_rank - rank),
        Symmetry::Diagonal => (rank, file),
        Symmetry::Antidiagonal => (last_rank - rank, last_file - file),
        Symmetry::Quarter => (last_rank - rank, file),
        Symmetry::ThreeQuarter => (rank, last_file - file),
    }
}

#[test]
fn each_does_on_every_board_what_its_name_says() {
    for size in Size::every() {
        let board = Board::<u128>::new(size).unwrap();
        let symmetries = Symmetries::new(&board);
        for symmetry in symmetries.iter() {
            for from in board.cells() {
                let to = cell(size, told(symmetry, size, at(size, from)));
                assert_eq!(symmetry.image_on(size, from), to, "{symmetry} of {from:?} on {size}");
                assert_eq!(symmetries.cell(symmetry, from), to, "{symmetry} of {from:?} on {size}");
                assert_eq!(symmetries.fixed_cells(symmetry).contains(from), from == to);
            }
        }
    }
}

#[test]
fn a_square_has_eight_a_rectangle_four_a_line_two_a_cell_one() {
    for size in Size::every() {
        let expected = match (size.files(), size.ranks()) {
            (1, 1) => 1,
            (1, _) | (_, 1) => 2,
            (files, ranks) if files == ranks => 8,
            _ => 4,
        };
        assert_eq!(Symmetries::new(&Board::<u128>::new(size).unwrap()).iter().len(), expected, "{size}");
    }
}

#[test]
fn they_are_a_group() {
    let size = Size::new(5, 5).unwrap();
    let board = Board::<u64>::new(size).unwrap();
    for first in Symmetry::ALL {
        assert_eq!(first.then(first.inverse()), Symmetry::Identity);
        assert_eq!(first.inverse().then(first), Symmetry::Identity);
        for second in Symmetry::ALL {
            for from in board.cells() {
                let steps = second.image_on(size, first.image_on(size, from));
                assert_eq!(first.then(second).image_on(size, from), steps, "{first}, then {second}");
            }
        }
    }
}

#[test]
fn fixed_cells_are_the_centre_the_middle_lines_and_the_diagonals() {
    let fixed = |files, ranks, symmetry| {
        let board = Board::<u64>::new(Size::new(files, ranks).unwrap()).unwrap();
        Symmetries::new(&board).fixed_cells(symmetry).len()
    };
    assert_eq!([fixed(7, 7, Symmetry::Center), fixed(6, 6, Symmetry::Center), fixed(5, 6, Symmetry::Center)], [1, 0, 0]);
    assert_eq!([fixed(7, 6, Symmetry::Vertical), fixed(6, 7, Symmetry::Vertical)], [6, 0]);
    assert_eq!([fixed(6, 7, Symmetry::Horizontal), fixed(7, 6, Symmetry::Horizontal)], [6, 0]);
    assert_eq!([fixed(6, 6, Symmetry::Diagonal), fixed(7, 7, Symmetry::Antidiagonal)], [6, 7]);
    assert_eq!([fixed(7, 7, Symmetry::Quarter), fixed(6, 6, Symmetry::ThreeQuarter)], [1, 0]);
}

#[test]
fn a_rectangle_lacks_what_exchanges_files_and_ranks() {
    let size = Size::new(7, 6).unwrap();
    let lacking: Vec<&str> = Symmetry::ALL.into_iter().filter(|s| !s.fits(size)).map(Symmetry::name).collect();
    assert_eq!(lacking, ["diagonal", "antidiagonal", "quarter", "three-quarter"]);
}
