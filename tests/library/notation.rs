//! Texts that are read, and texts that are refused with a sentence about the fault.

use isolde::notation::{Line, Written};
use isolde::{Position, Setup, Size, notation};
use proptest::prelude::*;

use crate::support::generators::any_continuation;

#[test]
fn the_same_position_can_be_told_in_several_ways() {
    let same = [
        "7/7/5N1/3*3/1n5/7/7 b",
        "7/7/5N1/3*3/1n5/7/7 b - - 0 1",
        "7/7/5N1/3*3/1n5/7/7 b - - 12 40",
        "  7/7/5N1/3*3/1n5/7/7   b ",
        "7x7: d4 b3 f5",
        "7x7 : d4  b3 d4f5",
        "7x7:d4 b3 d4f5,f5d4",
        "7X7: D4 b3 F5",
        "7×7: d4 b3 f5",
        "7x7 d4 b3 f5",
        "7x7: d4,b3,f5",
        "7x7: d4, b3, f5,",
        "7x7,d4,b3,f5",
        "7X7 D4,B3,D4F5,F5D4",
        "\u{feff}7x7: d4 b3 f5\r\n",
        "\u{feff}7/7/5N1/3*3/1n5/7/7 b",
        "7/7/5N1/3*3/1n5/7/7 b moves",
        "7/7/7/3N3/1n5/7/7 w moves f5",
        "7/7/7/3N3/1n5/7/7 w - - 0 1 moves d4f5",
        "7/7/7/3N3/1n5/7/7 w  moves  D4F5,f5d4 ",
        "7/7/7/7/7/7/7 w moves d4,b3,f5",
        "position fen 7/7/5N1/3*3/1n5/7/7 b",
        "position fen 7/7/5N1/3*3/1n5/7/7 b - - 0 1 moves",
        "position fen 7/7/7/7/7/7/7 w - - 0 1 moves d4 b3 d4f5,f5d4",
        "\u{feff} position  fen 7/7/7/3N3/1n5/7/7 w moves f5\n",
    ];
    let expected: Setup = same[0].parse().unwrap();
    for text in same {
        assert_eq!(notation::parse(text), Ok(expected), "{text}");
    }
}

#[test]
fn long_runs_take_two_digits() {
    let course: Setup = notation::parse("11x9: a1 k9 b3").unwrap();
    assert_eq!(course.to_string(), "10n/11/11/11/11/11/1N9/11/*10 b");
    assert_eq!(course.to_string().parse(), Ok(course));
    assert_eq!(notation::parse("16x8").unwrap().to_string(), "16/16/16/16/16/16/16/16 w");
    assert_eq!(notation::parse("16 w").unwrap().size, Size::new(16, 1).unwrap());
}

#[test]
fn knights_may_be_missing_before_they_are_placed() {
    let start = notation::parse("3/3/3 w").unwrap();
    assert_eq!(start, notation::parse("3x3").unwrap());
    assert_eq!(start, notation::parse("3x3:").unwrap());
    assert_eq!(notation::parse("3/3/N2 b").unwrap(), notation::parse("3x3: a1").unwrap());
}

#[test]
fn moves_are_written_in_the_walling_form_of_joust() {
    let position = Position::new(notation::parse("8/8/8/4n3/3N4/8/8/8 w - - 0 1").unwrap()).unwrap();
    let to = notation::parse_move(&position, "d4e6,e6d4").unwrap();
    assert_eq!(notation::cell_name(position.size(), to), "e6");
    assert_eq!(notation::walling_move(&position, to), "d4e6,e6d4");
    let placing = Position::empty(position.size());
    assert_eq!(notation::walling_move(&placing, to), "e6");
}

#[test]
fn a_fault_is_named_with_its_place_and_with_what_would_be_right() {
    let cases = [
        ("", "`` is not a position: write a board (7x7), a line of play (7x7: d4 b3 f5) or a position (8/8/2N5/4n3/3*4/8/8/8 b)"),
        (
            "hello",
            "`hello` is not a position: write a board (7x7), a line of play (7x7: d4 b3 f5) \
             or a position (8/8/2N5/4n3/3*4/8/8/8 b)",
        ),
        ("7x", "`7x` is not a board: write files x ranks, such as 7x7"),
        ("7x7x7", "`7x7x7` is not a board: write files x ranks, such as 7x7"),
        ("-7x7", "`-7x7` is not a board: write files x ranks, such as 7x7"),
        ("0x5", "a board of 0x5 has no cells: both sides must be at least 1"),
        ("17x2", "a board of 17x2 is too long: at most 16 files and 16 ranks"),
        ("12x11", "a board of 12x11 has 132 cells: at most 128"),
        ("99999999999999999999x2", "`99999999999999999999x2` is not a board: write files x ranks, such as 7x7"),
        ("7x7 w", "move 1 of the line: `w` is not a cell: write a file from a to p and a rank, such as d4"),
        ("7x7:: d4", "move 1 of the line: `:` is not a cell: write a file from a to p and a rank, such as d4"),
        ("7x7: d4,,b3", "move 2 of the line: `` is not a cell: write a file from a to p and a rank, such as d4"),
        ("7x7: d4 , b3", "move 2 of the line: `` is not a cell: write a file from a to p and a rank, such as d4"),
        ("7x7: d4 \u{1b}[2J", "move 2 of the line: `\\u{1b}[2J` is not a cell: write a file from a to p and a rank, such as d4"),
        ("3/\u{7}2/3 w", "`\\u{7}` in rank 2 means nothing: a rank is made of numbers, `*`, `N` and `n`"),
        ("7x7: d4 i9", "move 2 of the line: `i9` is not on a 7x7 board, which goes from a1 to g7"),
        ("7x7: d4 q1", "move 2 of the line: `q1` is not a cell: write a file from a to p and a rank, such as d4"),
        ("7x7: d0", "move 1 of the line: `d0` is not a cell: write a file from a to p and a rank, such as d4"),
        ("7x7: d", "move 1 of the line: `d` is not a cell: write a file from a to p and a rank, such as d4"),
        ("2x1: a1 a1", "move 2 of the line: `a1` cannot be played: the cell is occupied; only b1 is legal"),
        ("4x4: a1 d4 d1", "move 3 of the line: `d1` cannot be played: that is not a knight's move; legal are c2 b3"),
        (
            "3x3: b2 a1 c3",
            "move 3 of the line: `c3` cannot be played: that is not a knight's move; the game is over, no move is legal",
        ),
        ("4x4: a1 d4 b2c4", "move 3 of the line: `b2c4` does not start on a1, where the mover stands"),
        ("4x4: a1b3", "move 1 of the line: `a1b3` moves a knight that is not placed yet: name only the cell to place it on"),
        ("4x4: a1 d4 a1b3,b3a2", "move 3 of the line: `a1b3,b3a2` leaves its wall elsewhere: it must end in `,b3a1`"),
        ("4x4: a1 d4 b3,b3a1", "move 4 of the line: `b3a1` does not start on d4, where the mover stands"),
        ("4x4: a1 d4 a1b3,d4b3", "move 4 of the line: `d4b3` cannot be played: the cell is occupied; only c2 is legal"),
        ("3/3/3", "the position does not say who is to move: end it with ` w` for first or ` b` for second"),
        ("3/3/3 x", "`x` is not a player to move: write `w` for first or `b` for second"),
        ("3/3/3 w -", "unexpected `-` behind the player to move: only `- - 0 1`, and moves such as `moves f5 c5`, may follow"),
        (
            "3/3/3 w moved a1",
            "unexpected `moved a1` behind the player to move: \
             only `- - 0 1`, and moves such as `moves f5 c5`, may follow",
        ),
        ("3/3/3 moves a1", "the position does not say who is to move: end it with ` w` for first or ` b` for second"),
        (
            "3/3/3 w moves a1 a1",
            "move 2 of the line: `a1` cannot be played: the cell is occupied; legal are b1 c1 a2 b2 c2 a3 b3 c3",
        ),
        ("3/3/3 w moves a1 moves", "move 2 of the line: `moves` is not a cell: write a file from a to p and a rank, such as d4"),
        (
            "position",
            "`` behind `position` is not a start: write `startpos`, or `fen` and a diagram \
             (fen 8/8/2N5/4n3/3*4/8/8/8 b), then `moves` and the moves",
        ),
        (
            "position here moves d4",
            "`here moves d4` behind `position` is not a start: write `startpos`, or `fen` and a diagram \
             (fen 8/8/2N5/4n3/3*4/8/8/8 b), then `moves` and the moves",
        ),
        ("position fen 7x7", "`x` in rank 1 means nothing: a rank is made of numbers, `*`, `N` and `n`"),
        (
            "position startpos moves d4",
            "move 1 of the line: `d4` cannot be played: the cell is occupied; legal are c2 e2 b3 f3 b5 f5 c6 e6",
        ),
        (
            "3/3/3 w - - 0 1 1",
            "unexpected `- - 0 1 1` behind the player to move: only `- - 0 1`, and moves such as `moves f5 c5`, may follow",
        ),
        ("3/4/3 w", "rank 2 has 4 cells, but the top rank has 3"),
        ("3//3 w", "rank 2 has 0 cells, but the top rank has 3"),
        ("3/3/ w", "rank 1 has 0 cells, but the top rank has 3"),
        ("3/2Q/3 w", "`Q` in rank 2 means nothing: a rank is made of numbers, `*`, `N` and `n`"),
        ("3/03/3 w", "rank 2 has a number that starts with 0: a run has at least one free cell"),
        ("3/N02/3 w", "rank 2 has a number that starts with 0: a run has at least one free cell"),
        ("7/7/23N1/7/7/7/7 w", "rank 5 has 25 cells, but the top rank has 7"),
        ("17/17 w", "a board of 17x2 is too long: at most 16 files and 16 ranks"),
        ("1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1 w", "a board of 1x17 is too long: at most 16 files and 16 ranks"),
        ("N2/3/N1n w", "rank 1 holds a second knight of the first player: each has one"),
        ("n2/2n/N2 w", "rank 2 holds a second knight of the second player: each has one"),
        ("3/3/2n w", "the second player's knight is placed and the first player's is not, but the first player places first"),
        ("3/3/3 b", "it cannot be the second player's turn: the first player is the next to place a knight"),
        ("3/3/2N w", "it cannot be the first player's turn: the second player is the next to place a knight"),
    ];
    for (text, sentence) in cases {
        let fault = notation::parse(text).expect_err(text);
        assert_eq!(fault.to_string(), sentence, "{text}");
    }
}

/// A comma stands between two moves, or between a move and its wall: which of them is never in
/// doubt.
#[test]
fn a_comma_between_moves_and_one_before_a_wall_are_told_apart() {
    for text in ["5x5: a1 e5 b3 d3 c5", "5x5: a1,e5,a1b3,e5d3,b3c5", "5x5: a1 e5 a1b3,b3a1,e5d3,d3e5,b3c5,c5b3"] {
        assert_eq!(text.parse::<Line>().unwrap().to_string(), "5x5: a1 e5 b3 d3 c5", "{text}");
    }
}

#[test]
fn an_answer_can_speak_the_way_it_was_asked() {
    let cases = [
        ("7X7", "7x7"),
        ("7x7:", "7x7"),
        ("7x7 D4,b3", "7x7: d4 b3"),
        ("7/7/7/3N3/1n5/7/7  w - - 0 1", "7/7/7/3N3/1n5/7/7 w"),
        ("7/7/7/3N3/1n5/7/7  w - - 0 1 moves  d4f5,f5d4, c5", "7/7/7/3N3/1n5/7/7 w moves f5 c5"),
        ("position startpos", "8/8/8/4n3/3N4/8/8/8 w"),
        ("position startpos moves d4e6,e6d4 e5c4,c4e5", "8/8/8/4n3/3N4/8/8/8 w moves e6 c4"),
        ("position fen 5/5/5/5/5 w moves a1", "5/5/5/5/5 w moves a1"),
    ];
    for (asked, canonical) in cases {
        assert_eq!(asked.parse::<Written>().unwrap().to_string(), canonical);
    }
}

/// Long nonsense is not repeated in full.
#[test]
fn a_fault_is_short_whatever_the_text() {
    let long = "z".repeat(100_000);
    for text in [long.clone(), format!("7x7: {long}"), format!("7x7: d4,{long}"), format!("3/{long} w"), format!("3/3/3 {long}")]
    {
        let sentence = notation::parse(&text).unwrap_err().to_string();
        assert!(sentence.chars().count() < 250, "{} characters", sentence.chars().count());
    }
}

/// A random line of play of a random board: the choices are taken one after the other.
fn line(files: usize, ranks: usize, choices: &[usize]) -> Line {
    let mut line = Line::new(Size::new(files, ranks).unwrap());
    for choice in choices {
        let legal: Vec<_> = line.end().legal_moves().into_iter().collect();
        if let Some(&to) = legal.get(choice % legal.len().max(1)) {
            line.play(to).unwrap();
        }
    }
    line
}

/// A move more, in the form of what was written.
#[test]
fn one_move_more_is_written_in_the_same_form() {
    let cases = [
        ("5x5", "5x5: c4"),
        ("5x5: a1", "5x5: a1 c4"),
        ("5/5/5/5/N4 b", "5/2n2/5/5/N4 w"),
        ("5/5/5/5/5 w moves a1", "5/5/5/5/5 w moves a1 c4"),
    ];
    for (before, after) in cases {
        let written: Written = before.parse().unwrap();
        let to = notation::parse_cell(written.position().size(), "c4").unwrap();
        assert_eq!(written.play(to).unwrap().to_string(), after);
    }
}

proptest! {
    /// Moves from any position are read back from the form in which they are written, and from the
    /// UCI command.
    #[test]
    fn moves_from_a_position_are_read_back(continued in any_continuation()) {
        let written = Written::Diagram(continued.clone());
        prop_assert_eq!(written.to_string().parse(), Ok(continued.clone()));
        prop_assert_eq!(written.to_string().parse(), Ok(written.clone()));
        prop_assert_eq!(written.uci().parse(), Ok(written.clone()), "{}", written.uci());
        for ply in 0..=continued.moves().len() {
            let beginning = continued.beginning(ply);
            prop_assert_eq!(&continued.position(ply), beginning.end());
        }
        prop_assert_eq!(&continued.position(0), continued.start());
        prop_assert_eq!(&continued.position(continued.moves().len()), continued.end());
        // Moves from the empty board are a line, and nothing else is.
        let start = continued.start();
        match Line::of(&continued) {
            Some(line) => {
                prop_assert_eq!((line.played(), start), (&continued, &Position::empty(start.size())));
                let told: Written = Written::Line(line).uci().parse().unwrap();
                prop_assert_eq!(told, written);
            }
            None => prop_assert_ne!(start, &Position::empty(start.size())),
        }
    }

    /// Whichever way a line is typed, it is read as the same line, and printed in one way.
    #[test]
    fn a_line_typed_in_any_way_is_the_same_line(
        (files, ranks) in (1..9_usize, 1..9_usize),
        choices in prop::collection::vec((any::<usize>(), 0..6_usize, 0..4_usize), 0..20),
        between in prop::sample::select(vec![":", ": ", " ", " : ", ",", ", "]),
        (capitals, mark) in any::<(bool, bool)>(),
    ) {
        let line = line(files, ranks, &choices.iter().map(|choice| choice.0).collect::<Vec<_>>());
        let mut typed = format!("{}{between}", line.size());
        for (ply, (&to, (_, form, separator))) in line.moves().iter().zip(&choices).enumerate() {
            let before = line.position(ply);
            let walled = notation::walling_move(&before, to);
            typed += if ply == 0 { "" } else { [" ", ",", ", ", "  "][*separator] };
            typed += &match form {
                0 => walled,
                1 => walled.split(',').next().unwrap().to_string(),
                _ => notation::cell_name(line.size(), to),
            };
        }
        typed = if capitals { typed.to_uppercase() } else { typed };
        typed = if mark { format!("\u{feff}{typed}") } else { typed };
        prop_assert_eq!(typed.parse::<Line>(), Ok(line.clone()), "{}", typed);
        let written: Written = typed.parse().unwrap();
        prop_assert_eq!(&written, &Written::Line(line));
        prop_assert_eq!(written.to_string().parse(), Ok(written));
    }
}
