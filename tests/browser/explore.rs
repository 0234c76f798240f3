//! Positions, moves and their values on the board.

use serde_json::json;

use crate::harness::{Page, visit};

#[test]
fn the_page_opens_with_an_empty_board() {
    visit(|page| {
        page.open("/");
        page.wait_for_values("7x7");
        assert_eq!(page.value("all('#view-explore [data-cell]').length"), json!(49));
        assert_eq!(page.value("all('#moves [data-move]').length"), json!(49));
        assert!(page.text_of("text('#sentence')").contains("The second player wins"), "{}", page.text_of("text('#sentence')"));
        assert_eq!(page.value("$('#undo').disabled && $('#redo').disabled"), json!(true));
    });
}

/// The moves in the list with their winners and plies.
fn moves(page: &Page) -> serde_json::Value {
    page.value("all('#moves [data-move]').map(move => [move.dataset.move, move.dataset.winner, Number(move.dataset.plies)])")
}

#[test]
fn knights_are_placed_and_moved() {
    visit(|page| {
        page.open("/explore?p=5x5");
        page.wait_for_values("5x5");
        page.click_cell("a1");
        page.wait_for_values("5x5: a1");
        page.click_cell("c3");
        page.wait_for_values("5x5: a1 c3");
        // These are the values in the README.
        assert_eq!(moves(page), json!([["c2", "first", 15], ["b3", "first", 15]]));
        assert!(page.text_of("text('#sentence')").starts_with("The first player wins in 15 plies"));
        page.click_cell("c2");
        page.wait_for_values("5x5: a1 c3 c2");
        assert!(page.text_of("text('#sentence')").starts_with("The first player wins in 14 plies"));
        assert_eq!(page.address(), "/explore?p=5x5: a1 c3 c2");
        // A cell that the knight cannot reach does nothing, and neither does one that is gone.
        for cell in ["e5", "a1", "c2"] {
            page.click_cell(cell);
        }
        page.click_cell("a4");
        page.wait_for_values("5x5: a1 c3 c2 a4");
    });
}

/// Every move of the list is marked on the board, with the value that a screen reader says.
#[test]
fn the_board_shows_the_values_of_the_list() {
    visit(|page| {
        // The second player is to place; some replies win and some lose.
        page.open("/explore?p=5x5: a1");
        page.wait_for_values("5x5: a1");
        let moves = moves(page);
        let moves = moves.as_array().expect("a list");
        assert_eq!(page.value("all('[data-mark]').length"), json!(moves.len()));
        for kind in ["win", "loss"] {
            assert_ne!(page.value(&format!("all('[data-mark={kind}]').length")), json!(0), "no {kind}");
        }
        for judged in moves {
            let (cell, winner, plies) = (judged[0].as_str().unwrap(), judged[1].as_str().unwrap(), &judged[2]);
            let kind = if winner == "second" { "win" } else { "loss" };
            let marked = page.value(&format!("(({{ dataset }}) => [dataset.mark, Number(dataset.plies)])($('#cell-{cell}'))"));
            assert_eq!(marked, json!([kind, plies]), "{cell}");
            let label = page.text_of(&format!("$('#cell-{cell}').getAttribute('aria-label')"));
            assert_eq!(label, format!("{cell}, free, {winner} wins in {plies}"));
        }
    });
}

#[test]
fn moves_can_be_taken_back_repeated_and_jumped_to() {
    visit(|page| {
        page.open("/explore?p=5x5: a1 c3 c2 a4 d4");
        page.wait_for_values("5x5: a1 c3 c2 a4 d4");
        page.click("#undo");
        page.wait_for_values("5x5: a1 c3 c2 a4");
        page.click("#undo");
        page.wait_for_values("5x5: a1 c3 c2");
        page.click("#redo");
        page.wait_for_values("5x5: a1 c3 c2 a4");
        page.click("#history [data-ply='1']");
        page.wait_for_values("5x5: a1");
        page.click("#history [data-ply='5']");
        page.wait_for_values("5x5: a1 c3 c2 a4 d4");
        assert_eq!(page.value("$('#redo').disabled"), json!(true));
        // Another move drops the moves that came after it.
        page.click("#history [data-ply='2']");
        page.wait_for_values("5x5: a1 c3");
        page.click_cell("b3");
        page.wait_for_values("5x5: a1 c3 b3");
        assert_eq!(page.value("all('#history [data-ply]').map(ply => ply.dataset.ply).at(-1)"), json!("3"));
        assert_eq!(page.value("$('#redo').disabled"), json!(true));
    });
}

#[test]
fn a_ply_that_is_no_number_is_left_out() {
    visit(|page| {
        for at in ["abc", "1.5", "-1"] {
            page.open(&format!("/explore?p=5x5: a1 c3&at={at}"));
            page.wait_for_values("5x5: a1 c3");
            assert_eq!(page.value("$('#history [aria-current]').dataset.ply"), json!("2"), "{at}");
        }
    });
}

#[test]
fn the_main_line_can_be_stepped_through() {
    visit(|page| {
        page.open("/explore?p=5x5: a1 c3");
        page.wait_for_values("5x5: a1 c3");
        let line = page.value("all('#line button').map(button => button.textContent)");
        assert_eq!(line.as_array().unwrap().len(), 15, "{line}");
        let cells: Vec<&str> = line.as_array().unwrap().iter().filter_map(serde_json::Value::as_str).collect();
        page.click("#line li:nth-child(3) button");
        page.wait_for_values(&format!("5x5: a1 c3 {}", cells[..3].join(" ")));
        // The whole line is there, to be stepped through.
        for end in 4..=cells.len() {
            page.click("#redo");
            page.wait_for_values(&format!("5x5: a1 c3 {}", cells[..end].join(" ")));
        }
        assert!(page.text_of("text('#sentence')").starts_with("The first player has won"));
    });
}

#[test]
fn the_board_turns_and_the_cells_keep_their_names() {
    visit(|page| {
        page.open("/explore?p=5x7: a1 c3");
        page.wait_for_values("5x7: a1 c3");
        let place = |cell: &str| {
            let middle = page.value(&format!(
                "(() => {{ const b = $('#cell-{cell}').getBoundingClientRect(), g = $('[role=grid]').getBoundingClientRect();
                return [(b.x + b.width / 2 - g.x) / g.width > 0.5, (b.y + b.height / 2 - g.y) / g.height > 0.5]; }})()"
            ));
            (middle[0].as_bool().unwrap(), middle[1].as_bool().unwrap())
        };
        // Right or not, and below or not.
        assert_eq!((place("a1"), place("e7")), ((false, true), (true, false)));
        page.click("#flip");
        page.wait("$('#cell-a1').getBoundingClientRect().x > $('#cell-e1').getBoundingClientRect().x");
        assert_eq!((place("a1"), place("e7")), ((true, true), (false, false)));
        page.click("#flip");
        page.wait("$('#cell-a1').getBoundingClientRect().x < $('#cell-e1').getBoundingClientRect().x");
        page.click("#rotate");
        page.wait("Math.abs($('#cell-a1').getBoundingClientRect().y - $('#cell-e1').getBoundingClientRect().y) > 50");
        assert_ne!(place("a1"), (false, true));
        // A click still means the cell under the pointer.
        page.click_cell("b3");
        page.wait_for_values("5x7: a1 c3 b3");
    });
}

#[test]
fn hunter_and_prey_are_marked() {
    visit(|page| {
        // Both knights on one colour: the player to move is the hunter.
        page.open("/explore?p=5x5: a1 c3");
        page.wait_for_values("5x5: a1 c3");
        let labels = page.value("['a1', 'c3'].map(cell => $('#cell-' + cell).getAttribute('aria-label'))");
        assert!(labels[0].as_str().unwrap().contains("first") && labels[0].as_str().unwrap().contains("hunter"), "{labels}");
        assert!(labels[1].as_str().unwrap().contains("second") && labels[1].as_str().unwrap().contains("prey"), "{labels}");
    });
}

#[test]
fn a_game_that_is_over_says_so() {
    visit(|page| {
        page.open("/explore?p=2x3: a1 b1 b3");
        page.wait("$('#view-explore')?.dataset.state === 'done'");
        assert_eq!(page.value("all('#moves [data-move]').length"), json!(1));
        page.click("#moves [data-move] button");
        page.wait("/has won/.test(text('#sentence'))");
        assert_eq!(page.value("all('#moves [data-move]').length"), json!(0));
    });
}

/// While the values of a position are awaited, nothing is said about the one before.
#[test]
fn what_was_said_about_another_position_goes_away() {
    visit(|page| {
        page.open("/explore?p=5x5: a1 c3");
        page.wait_for_values("5x5: a1 c3");
        page.click("#overlay-mirror-center");
        page.wait("text('#overlay-sentence')");
        let said = "['.head', '#moves', '[aria-label=Moves] h2', '#overlay-sentence']
            .map(part => text(part).replace('Search longer', ''))";
        assert!(page.value(&format!("{said}.every(Boolean)")) == json!(true), "{}", page.value(said));
        // From now on, the server tells nothing but where the knights stand.
        page.run(
            "const ask = fetch;
            window.fetch = (url, options) => /events|mirror/.test(url) ? new Promise(() => {}) : ask(url, options);",
            &[],
        );
        page.click_cell("c2");
        page.wait("$('#view-explore').dataset.p === '5x5: a1 c3 c2' && $('#view-explore').dataset.state === 'waiting'");
        assert_eq!(page.value(said), json!(["", "", "", ""]));
    });
}
