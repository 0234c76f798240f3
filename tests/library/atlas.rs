//! The atlas: what the tables say of all openings is what the solver proves.

use isolde::analysis::{Atlas, OpeningMap, Openings};
use isolde::table::Location;
use isolde::{Analyst, Control, Position, Question, Settings, Size, Tables};
use serde_json::Value;

fn solved(size: Size) -> Openings {
    let settings = Settings { memory: 4 * Settings::LEAST_MEMORY, ..Settings::default() };
    let analyst = Analyst::new(settings, &Tables::none(size)).unwrap();
    analyst.openings(&Position::empty(size), Question::Winner, &Control::unlimited(), || {})
}

fn tables() -> Vec<Location> {
    vec![Location::Path(concat!(env!("CARGO_MANIFEST_DIR"), "/tables").into())]
}

#[test]
fn the_atlas_lists_every_board_of_the_tables_with_what_the_solver_proves() {
    let atlas = serde_json::to_value(Atlas::of(&tables())).unwrap();
    let boards = atlas["boards"].as_array().unwrap();
    let names: Vec<&str> = boards.iter().map(|board| board["board"].as_str().unwrap()).collect();
    assert!(names.starts_with(&["3x3", "3x4"]) && names.ends_with(&["7x7", "8x8"]), "{names:?}");
    for board in boards {
        let size: Size = board["board"].as_str().unwrap().parse().unwrap();
        if size.cells() > 30 {
            continue;
        }
        let map = serde_json::to_value(OpeningMap::new(&solved(size))).unwrap();
        for field in ["winner", "sentence", "openings", "first_wins", "second_wins", "unknown", "exceptions"] {
            assert_eq!(board[field], map[field], "{size}: {field}");
        }
        assert_eq!(board["unknown"], 0);
    }
    assert_eq!(serde_json::to_value(Atlas::of(&[])).unwrap()["boards"], Value::Array(Vec::new()));
}

#[test]
fn the_map_of_a_board_has_every_opening_and_explains_its_exceptions() {
    let size = Size::new(7, 7).unwrap();
    let map = serde_json::to_value(OpeningMap::new(&Openings::in_tables(&Tables::open(size, &tables())))).unwrap();
    assert_eq!((map["openings"].as_u64(), map["exceptions"].as_u64()), (Some(2352), Some(8)));
    let placements = map["placements"].as_array().unwrap();
    assert_eq!(placements.len(), 49);
    let replies = |placement: &Value| placement["replies"].as_array().unwrap().clone();
    assert!(placements.iter().all(|placement| replies(placement).len() == 48));
    let mut explained = Vec::new();
    for placement in placements {
        for reply in replies(placement).iter().filter(|reply| reply["exception"] == true) {
            let mirror = reply["mirror"].as_str().unwrap();
            explained.push(format!("{} {}: {mirror}", placement["first"].as_str().unwrap(), reply["second"].as_str().unwrap()));
        }
    }
    assert_eq!(explained.len(), 8);
    assert_eq!(explained[0], "d4 c2: mirror center after e6");
}
