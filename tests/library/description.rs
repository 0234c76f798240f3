//! The description of a position, compared with the rules.

use isolde::analysis::Description;
use isolde::notation::{Written, parse_cell};
use isolde::{Cells, Part, Player};
use proptest::prelude::*;
use serde_json::json;

use crate::support::generators::any_continuation;

fn described(text: &str) -> Description {
    Description::of(&text.parse().unwrap())
}

#[test]
fn a_position_is_described() {
    let data = serde_json::to_value(described("3x4: a1 c3 b3")).unwrap();
    assert_eq!(
        data,
        json!({
            "asked": "3x4: a1 c3 b3", "start": "3x4", "moves": ["a1", "c3", "b3"], "board": "3x4", "files": 3, "ranks": 4,
            "position": "3/1Nn/3/*2 b", "line": "3x4: a1 c3 b3", "uci": "position fen 3/3/3/3 w - - 0 1 moves a1 c3 a1b3,b3a1",
            "turn": "second", "winner": null,
            "first": {
                "cell": "b3", "liberties": 1, "region": 9, "part": "hunter",
                "region_cells": ["b1", "c1", "a2", "b2", "c2", "a3", "a4", "b4", "c4"],
            },
            "second": {
                "cell": "c3", "liberties": 3, "region": 9, "part": "prey",
                "region_cells": ["b1", "c1", "a2", "b2", "c2", "a3", "a4", "b4", "c4"],
            },
            "separated": false,
            "legal_moves": ["b1", "a2", "a4"],
            "free": ["b1", "c1", "a2", "b2", "c2", "a3", "a4", "b4", "c4"],
            "blocked": ["a1"], "dead": [], "free_dark": 4, "free_light": 5,
            "dark": ["a1", "c1", "b2", "a3", "c3", "b4"],
            "canonical": {"position": "2*/3/Nn1/3 w", "symmetry": "center"},
            "hash": "0x489f32ee7bce4db0",
            "colour_law": {
                "sentence": "The knights stand on different colours, so the law says that the player to move loses.",
                "winner": "first",
            },
        })
    );
}

/// Before both knights are placed and after the end there is less to tell.
#[test]
fn what_is_not_there_is_left_out() {
    let empty = described("7/7/7/7/7/7/7 w");
    assert_eq!((empty.start.as_str(), empty.line.as_deref(), empty.is_placing()), ("7x7", Some("7x7"), true));
    assert!(empty.first.is_none() && empty.canonical.is_none() && empty.hash.is_none() && empty.colour_law.is_none());
    assert!(empty.dead.is_empty() && !empty.separated);
    let one = described("7x7: d4");
    assert_eq!(one.first.as_ref().and_then(|knight| knight.part), None);
    let over = described("3x3: b2 a1");
    assert_eq!((over.winner, over.colour_law), (Some(Player::Second), None));
    let apart = described("N**2/***2/**3/5/2n2 w");
    assert!(apart.separated);
    assert_eq!((apart.start.as_str(), apart.line), ("N**2/***2/**3/5/2n2 w", None));
}

proptest! {
    /// The start and the moves lead to the position, whichever of the description's texts is read,
    /// and its cells are those of the rules.
    #[test]
    fn a_description_agrees_with_the_rules(continued in any_continuation()) {
        let (position, size) = (continued.end(), continued.end().size());
        let told = Description::of(&Written::Diagram(continued.clone()));
        for text in [&told.asked, &told.position, &told.uci].into_iter().chain(&told.line) {
            let read: Written = text.parse().unwrap();
            prop_assert_eq!(read.position(), position, "{}", text);
        }
        let start: Written = told.start.parse().unwrap();
        prop_assert_eq!(start.position(), continued.start());
        prop_assert_eq!(told.line.is_some(), told.start == told.board);
        let cells = |names: &[String]| -> Cells<u128> { names.iter().map(|name| parse_cell(size, name).unwrap()).collect() };
        let moves: Vec<_> = told.moves.iter().map(|name| parse_cell(size, name).unwrap()).collect();
        prop_assert_eq!(moves, continued.moves());
        prop_assert_eq!(cells(&told.legal_moves), position.legal_moves());
        prop_assert_eq!(cells(&told.free), position.free());
        prop_assert_eq!(cells(&told.dead), position.free().except(position.live()));
        let knights: Vec<_> = [&told.first, &told.second].into_iter().flatten().collect();
        prop_assert_eq!(told.free.len() + told.blocked.len() + knights.len(), size.cells());
        let regions: Vec<_> = knights.iter().map(|knight| cells(&knight.region_cells)).collect();
        if let [first, second] = *regions {
            prop_assert_eq!(first | second, position.live());
            prop_assert_eq!(told.separated, (first & second).is_empty());
            let hunter = if knights[0].part == Some(Part::Hunter) { Player::First } else { Player::Second };
            prop_assert_eq!(told.colour_law.map(|law| law.winner), told.winner.is_none().then_some(hunter));
        }
    }
}
