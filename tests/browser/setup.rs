//! Positions that are set up: by clicks, by dragging, by keys, and by pasted texts.

use serde_json::{Value, json};

use crate::harness::{Key, Page, visit, visit_server};

fn open(page: &Page, position: &str) {
    page.open(&format!("/setup?p={position}"));
    page.wait("$('#view-setup [data-cell]')");
}

/// Waits until the address holds a position, and nothing after it.
fn wait_for(page: &Page, position: &str) {
    page.wait(&format!("address() === '/setup?p=' + {position:?}"));
}

#[test]
fn cells_are_blocked_and_freed() {
    visit(|page| {
        open(page, "5x5: a1 c3");
        page.click_cell("e5");
        wait_for(page, "4*/5/2n2/5/N4 w");
        page.click_cell("d5");
        wait_for(page, "3**/5/2n2/5/N4 w");
        assert!(page.text_of("$('#cell-d5').getAttribute('aria-label')").contains("blocked"));
        page.click_cell("e5");
        wait_for(page, "3*1/5/2n2/5/N4 w");
        // What was set up is what is explored, and the way back leads to the draft.
        page.click("#setup-explore");
        page.wait_for_values("3*1/5/2n2/5/N4 w");
        page.back();
        page.wait("$('#view-setup')");
        page.back();
        page.wait("$('#view-setup')");
        wait_for(page, "3**/5/2n2/5/N4 w");
        page.click("#setup-clear");
        wait_for(page, "5x5");
    });
}

#[test]
fn knights_are_dragged_and_the_turn_is_chosen() {
    visit(|page| {
        open(page, "5x5: a1 c3");
        page.drag("#cell-a1", "#cell-b2");
        wait_for(page, "5/5/2n2/1N3/5 w");
        page.click("label[for=setup-turn-second]");
        wait_for(page, "5/5/2n2/1N3/5 b");
        // Two clicks do the same: on a knight, and on the cell where it should stand.
        page.click_cell("c3");
        page.wait("$('#cell-c3').dataset.ring === 'picked'");
        page.click_cell("e1");
        wait_for(page, "5/5/5/1N3/4n b");
        // A tool puts a knight on any cell, also on one that is blocked.
        page.click_cell("d4");
        wait_for(page, "5/3*1/5/1N3/4n b");
        page.click("label[for=setup-tool-first]");
        page.click_cell("d4");
        wait_for(page, "5/3N1/5/5/4n b");
        // A knight that is taken off the board has to be placed again.
        page.run("document.getElementById('cell-e1').focus()", &[]);
        page.press(Key::Delete);
        wait_for(page, "5/3N1/5/5/5 b");
    });
}

#[test]
fn keys_set_up_a_position() {
    visit(|page| {
        open(page, "4x4");
        page.run("document.getElementById('cell-b2').focus()", &[]);
        page.type_text("1");
        page.wait("/\\bfirst/.test($('#cell-b2').getAttribute('aria-label'))");
        page.press(Key::Right);
        page.type_text("x");
        page.wait("/blocked/.test($('#cell-c2').getAttribute('aria-label'))");
        page.press(Key::Up);
        page.type_text("2");
        wait_for(page, "4/2n1/1N*1/4 w");
    });
}

#[test]
fn a_draft_that_is_no_position_is_not_offered() {
    visit(|page| {
        page.expect_fault("400 (Bad Request)");
        open(page, "4x4");
        let offered = "all('#setup-explore[href], .copy button:enabled').length";
        assert_eq!(page.value(offered), json!(5));
        page.run("document.getElementById('cell-b2').focus()", &[]);
        page.type_text("2");
        page.wait("!$('#setup-error').hidden");
        assert_eq!(page.value(offered), json!(0));
        assert_eq!(page.text_of("$('#setup-text').value"), "4/4/1n2/4 w");
        page.press(Key::Right);
        page.type_text("1");
        wait_for(page, "4/4/1nN1/4 w");
        assert_eq!(page.value(offered), json!(5));
    });
}

#[test]
fn texts_of_every_kind_can_be_pasted() {
    visit(|page| {
        open(page, "7x7");
        // The text, the address that it leads to, and how many plies can be taken back.
        let texts = [
            ("5x5", "5x5", 0),
            ("5x5: a1 c3 c2", "5x5: a1 c3 c2", 3),
            ("  6x6 B2,e5  ", "6x6: b2 e5", 2),
            ("8/8/2N5/4n3/3*4/8/8/8 b", "8/8/2N5/4n3/3*4/8/8/8 b", 0),
            ("7/7/7/3N3/1n5/7/7 w moves f5 c5", "7/7/7/3N3/1n5/7/7 w moves f5 c5", 2),
            ("position fen 7/7/7/3N3/1n5/7/7 w - - 0 1 moves d4f5,f5d4", "7/7/7/3N3/1n5/7/7 w moves f5", 1),
        ];
        for (text, position, plies) in texts {
            page.write("#setup-text", text);
            page.click("#setup-apply");
            wait_for(page, position);
            assert_eq!(page.value("$('#setup-error').hidden"), json!(true), "{text}");
            page.click("#nav-explore");
            page.wait("$('#view-explore') && all('#history [data-ply]').length > 0");
            assert_eq!(page.value("all('#history [data-ply]').length"), json!(plies + 1), "{text}");
            page.click("#nav-setup");
            page.wait("$('#setup-text')");
        }
    });
}

#[test]
fn a_wrong_text_says_what_would_be_right() {
    visit_server(&[], |page, server| {
        page.expect_fault("400 (Bad Request)");
        open(page, "5x5: a1 c3");
        let before = page.address();
        for wrong in ["5x5: a1 a1", "hello", "99x99", "5/5/2n2/5/N4 x", "7x7: d4 b3 d5", "<b>bold</b>"] {
            page.write("#setup-text", wrong);
            page.click("#setup-apply");
            let sentence = server.refusal("/api/v1/show", &[("p", wrong)]);
            page.wait(&format!("!$('#setup-error').hidden && text('#setup-error') === {sentence:?}"));
            assert_eq!(page.text_of("$('#setup-text').value"), wrong, "what was typed can be corrected");
            assert_eq!(page.address(), before);
            assert_eq!(page.value("all('#setup-error *').length"), json!(0), "text is no markup");
            assert!(page.text_of("$('#cell-a1').getAttribute('aria-label')").contains("first"), "the board stays");
        }
        page.write("#setup-text", "5x5: b1 b2");
        page.click("#setup-apply");
        wait_for(page, "5x5: b1 b2");
        assert_eq!(page.value("$('#setup-error').hidden"), json!(true));
    });
}

#[test]
fn a_position_can_be_copied_in_every_form() {
    visit_server(&[], |page, server| {
        page.open("/explore?p=5x5: a1 c3");
        page.wait_for_values("5x5: a1 c3");
        page.allow_clipboard();
        let copied = |form: &str, name: &str| {
            page.click(&format!("#copy-{form}"));
            page.wait(&format!("text('#toast') === '{name} copied.'"));
            page.clipboard()
        };
        let described = server.ask("/api/v1/show", &[("p", "5x5: a1 c3")]);
        assert_eq!(copied("line", "Line"), described["line"]);
        assert_eq!(copied("fen", "FEN"), described["position"]);
        let data: Value = serde_json::from_str(&copied("json", "JSON")).expect("JSON");
        assert_eq!((&data["winner"], &data["plies"]), (&json!("first"), &json!(15)));
        let drawing = copied("svg", "SVG");
        assert!(drawing.starts_with("<svg") && drawing.trim_end().ends_with("</svg>"), "{drawing}");
    });
}
