//! The atlas of openings.

use serde_json::{Value, json};

use crate::harness::{Page, Server, visit, visit_server};

fn open(page: &Page, board: &str) {
    page.open(&format!("/atlas?board={board}"));
    page.wait(&format!("$('#view-atlas').dataset.state === 'done' && $('#view-atlas').dataset.board === '{board}'"));
}

fn openings(server: &Server, board: &str) -> Value {
    server.ask("/api/v1/openings", &[("board", board)])
}

#[test]
fn a_click_opens_that_opening() {
    visit(|page| {
        page.open("/atlas");
        page.wait("$('#view-atlas').dataset.state === 'done'");
        page.click("#atlas-boards [data-board='5x5']");
        page.wait("$('#view-atlas').dataset.board === '5x5' && $('#view-atlas').dataset.state === 'done'");
        page.click("#atlas-map [data-cell='a1']");
        page.wait("$('#atlas-map [data-cell=a1]').getAttribute('aria-selected') === 'true'");
        page.click_cell("c3");
        page.wait_for_values("5x5: a1 c3");
        assert!(page.text_of("text('#sentence')").starts_with("The first player wins in 15 plies"));
        // The way back leads to the same board and the same first placement.
        page.back();
        let is_chosen = "$('#atlas-map [data-cell=a1]').getAttribute('aria-selected') === 'true'";
        page.wait(&format!("$('#view-atlas')?.dataset.board === '5x5' && {is_chosen}"));
    });
}

/// Every reply to every first placement is marked by its winner.
#[test]
fn the_map_is_that_of_the_openings() {
    visit_server(&[], |page, server| {
        let board = "4x5";
        open(page, board);
        let expected = openings(server, board);
        let placements = expected["placements"].as_array().expect("placements");
        assert_eq!(placements.len(), 20);
        assert_eq!(page.value("all('#atlas-map [data-cell]').length"), json!(20));
        for placement in placements.iter().step_by(3) {
            let first = placement["first"].as_str().expect("a cell");
            page.click(&format!("#atlas-map [data-cell='{first}']"));
            page.wait(&format!("$('#atlas-map [data-cell={first}]').getAttribute('aria-selected') === 'true'"));
            for reply in placement["replies"].as_array().expect("replies") {
                let cell = reply["second"].as_str().expect("a cell");
                let mark = if reply["winner"] == "second" { "win" } else { "loss" };
                let shown = page.value(&format!("[$('#cell-{cell}').dataset.mark, $('#cell-{cell}').dataset.ring ?? null]"));
                let ring = if reply["exception"] == true { json!("exception") } else { json!(null) };
                assert_eq!(shown, json!([mark, ring]), "{first} {cell}");
            }
        }
        let text = page.text_of("$('#view-atlas').textContent");
        assert!(text.contains(expected["sentence"].as_str().expect("a sentence")), "{text}");
    });
}

/// The eight exceptions of 7x7, which the README tells about.
#[test]
fn exceptions_are_ringed_and_listed() {
    visit(|page| {
        open(page, "7x7");
        page.wait("$('#atlas-map [data-cell=d4]').getAttribute('aria-selected') === 'true'");
        let ringed = page.value("all('#view-atlas [data-ring=exception]').map(cell => cell.dataset.cell).sort()");
        assert_eq!(ringed, json!(["b3", "b5", "c2", "c6", "e2", "e6", "f3", "f5"]));
        let listed =
            "all('#view-atlas button').map(button => button.textContent.match(/^d4 \\w\\d/)?.[0]).filter(Boolean).sort()";
        let expected: Vec<String> =
            ringed.as_array().unwrap().iter().map(|cell| format!("d4 {}", cell.as_str().unwrap())).collect();
        assert_eq!(page.value(listed), json!(expected));
        page.click_cell("b3");
        page.wait_for_address("7x7: d4 b3");
        page.wait("/^The first player wins/.test(text('#sentence'))");
    });
}

#[test]
fn every_board_of_the_atlas_is_known() {
    visit_server(&[], |page, server| {
        page.open("/atlas");
        page.wait("$('#view-atlas').dataset.state === 'done'");
        let boards = server.ask("/api/v1/boards", &[]);
        let names: Vec<&str> =
            boards["boards"].as_array().expect("boards").iter().filter_map(|it| it["board"].as_str()).collect();
        assert!(names.contains(&"7x7") && names.contains(&"3x3"), "{names:?}");
        assert_eq!(page.value("all('#atlas-boards [data-board]').map(it => it.dataset.board)"), json!(names));
        page.expect_fault("400 (Bad Request)");
        page.open("/atlas?board=nonsense");
        page.wait("$('#view-atlas [role=alert]')");
    });
}
