//! Lines of play counted by another engine.

use isolde::{Board, Position, Word, lines_by_copying, perft};

/// Compares one row of the file with both ways to count; the second works in the given word.
fn check_row<W: Word>(row: &str) {
    let words: Vec<&str> = row.split_whitespace().collect();
    let [board, first, second, counts @ ..] = words.as_slice() else { panic!("too short: {row}") };
    assert!(!counts.is_empty(), "no counts: {row}");
    let start: Position = format!("{board}: {first} {second}").parse().unwrap();
    let (board, duel) = (Board::<W>::new(start.size()).unwrap(), start.duel().unwrap());
    let expected: Vec<(usize, u64)> = counts
        .iter()
        .map(|pair| pair.split_once(':').expect("depth:count"))
        .map(|(depth, count)| (depth.parse().unwrap(), count.parse().unwrap()))
        .collect();
    let deepest = expected.iter().map(|(depth, _)| *depth).max().unwrap();
    let lines = perft(&start, deepest);
    for (depth, count) in expected {
        assert_eq!(lines[depth - 1], count, "{row}, depth {depth}");
        assert_eq!(lines_by_copying(&board, duel, depth as u32), count, "{row}, depth {depth}");
    }
}

#[test]
fn fairy_stockfish_counts_the_same_lines() {
    let rows: Vec<&str> = include_str!("../data/joust.perft").lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(rows.len(), 3);
    for row in rows {
        check_row::<u64>(row);
        check_row::<u128>(row);
    }
}
