//! Lines of play counted by another engine.

use isolde::{Position, Word, notation, perft};

fn check_row<W: Word>(row: &str) {
    let words: Vec<&str> = row.split_whitespace().collect();
    let [board, first, second, counts @ ..] = words.as_slice() else { panic!("too short: {row}") };
    assert!(!counts.is_empty(), "no counts: {row}");
    let start = Position::<W>::new(notation::parse(&format!("{board}: {first} {second}")).unwrap()).unwrap();
    let expected: Vec<(usize, u64)> = counts
        .iter()
        .map(|pair| pair.split_once(':').expect("depth:count"))
        .map(|(depth, count)| (depth.parse().unwrap(), count.parse().unwrap()))
        .collect();
    let deepest = expected.iter().map(|(depth, _)| *depth).max().unwrap();
    let lines = perft(&start, deepest);
    for (depth, count) in expected {
        assert_eq!(lines[depth - 1], count, "{row}, depth {depth}");
    }
}

#[test]
fn fairy_stockfish_counts_the_same_lines() {
    let rows: Vec<&str> = include_str!("data/joust.perft").lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(rows.len(), 3);
    for row in rows {
        check_row::<u64>(row);
        check_row::<u128>(row);
    }
}
