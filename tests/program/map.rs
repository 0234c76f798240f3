//! `isolde map`, run as its users run it, and the picture in the docs.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use predicates::str::{contains, is_empty, starts_with};
use serde_json::Value;

fn isolde(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(cargo_bin!("isolde")).arg("map").args(arguments).assert()
}

#[test]
fn small_boards_side_by_side() {
    let expected = "\
4x4: the second player wins; 64 of 240 openings break the colour law

   a1 (4 cells)      b1 (8 cells)      b2 (4 cells)
  4 2 1 2*2         4*2 2*2 2         4 2 1 2*2
  3 1*1 1 2         3 2 1 2*2         3 1 2*2 2
  2 2 1*1 1         2*2 2 1 2         2 2 N 2 1
  1 N 2 1 2         1 2 N 2*2         1*2 2 1 2
    a b c d           a b c d           a b c d

N first placement   1 first wins by this reply   2 second wins by this reply
*1 first wins against the colour law   *2 second wins against the colour law
";
    isolde(&["4x4", "--no-tables"]).code(0).stdout(starts_with(expected)).stderr(is_empty());
    isolde(&["1x1"]).code(0).stdout(starts_with("1x1: the first player wins; the second cannot place"));
    isolde(&["6x7"]).code(0).stdout(starts_with("6x7: the second player wins; every opening follows the colour law"));
    isolde(&["8x9", "--time", "10ms", "--no-tables"]).code(3).stdout(contains(". unknown"));
}

#[test]
fn the_same_as_data_agrees_with_solve() {
    let data = |verb: &str, board: &str| -> Value {
        let answered = Command::new(cargo_bin!("isolde")).args([verb, board, "--json"]).assert().code(0);
        serde_json::from_slice(&answered.get_output().stdout).unwrap()
    };
    for board in ["3x3", "3x5", "5x5"] {
        let (map, solved) = (data("map", board), data("solve", board));
        assert_eq!(map["winner"], solved["winner"]);
        let openings = solved["openings"].as_array().unwrap();
        let mut images = 0;
        for placement in map["placements"].as_array().unwrap() {
            images += placement["stands_for"].as_u64().unwrap();
            for reply in placement["replies"].as_array().unwrap() {
                let same = |o: &&Value| o["first"] == placement["first"] && o["second"] == reply["second"];
                assert_eq!(openings.iter().find(same).unwrap()["winner"], reply["winner"], "{board} {reply}");
            }
        }
        let cells = board.split('x').map(|side| side.parse::<u64>().unwrap()).product::<u64>();
        assert_eq!(images, cells, "every placement is one of those drawn, or an image of one");
    }
}

#[test]
fn the_pictures_in_the_docs_are_those_that_are_drawn() {
    // Ten boards with all replies. On 7x7 eight replies are exceptions, all to the centre; on 8x8
    // one to each placement. The legend shows one more circle.
    let boards = [
        ("7x7", 10 * 48, 8 + 1, "8 of 2,352", ["a", "g", "1", "7"]),
        ("8x8", 10 * 63, 10 + 1, "64 of 4,032", ["a", "h", "1", "8"]),
    ];
    for (board, replies, circles, exceptions, labels) in boards {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("board.svg");
        isolde(&[board, "--svg", file.to_str().unwrap()]).code(0).stdout(contains(format!("{board} drawn in")));
        let drawn = fs::read_to_string(&file).unwrap();
        let kept = format!("docs/{board}-openings.svg");
        let committed = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&kept)).unwrap();
        assert!(drawn == committed, "{kept} is not what `isolde map {board} --svg {kept}` draws");
        assert_eq!(drawn.matches("wins</title>").count(), replies);
        assert_eq!(drawn.matches("<circle").count(), circles);
        let verdict = format!(">the second player wins; {exceptions} openings break the colour law</text>");
        assert!(drawn.contains(&verdict), "{verdict}");
        assert!(drawn.contains("<tspan font-weight=\"bold\">a1</tspan> (4 cells)</text>"));
        // The names of files and ranks at every board.
        for label in labels {
            assert_eq!(drawn.matches(&format!("\">{label}</text>")).count(), 10, "{label}");
        }
        assert!(fs::read_dir(folder.path()).unwrap().count() == 1, "nothing else is left in the folder");
    }
}

#[test]
fn a_bad_path_is_reported_before_the_work() {
    isolde(&["9x9", "--svg", "/no/such/folder/9x9.svg"])
        .code(2)
        .stdout(is_empty())
        .stderr(contains("there is no folder /no/such/folder"));
    isolde(&["9x9", "--svg", "-"]).code(2).stderr(contains("cannot write -: name a file"));
    isolde(&["9x9", "--svg", "/"]).code(2).stderr(contains("it is a folder; name a file"));
    isolde(&["7x7: d4"]).code(2).stderr(contains("`7x7: d4` is not a board"));
}
