//! The address bar holds the position.

use serde_json::json;

use crate::harness::{escaped, visit};

#[test]
fn a_link_shows_what_was_linked() {
    visit(|page| {
        page.open("/explore?p=5x5: a1 c3 c2 a4&at=3");
        page.wait_for_values("5x5: a1 c3 c2");
        let shown = "[text('#sentence'), all('#moves [data-move]').map(m => m.outerHTML), $('#redo').disabled, address()]";
        let before = page.value(shown);
        page.reload();
        page.wait_for_values("5x5: a1 c3 c2");
        assert_eq!(page.value(shown), before);
        assert_eq!(page.address(), "/explore?p=5x5: a1 c3 c2 a4&at=3");
        page.click("#redo");
        page.wait_for_values("5x5: a1 c3 c2 a4");
        assert_eq!(page.address(), "/explore?p=5x5: a1 c3 c2 a4");
    });
}

#[test]
fn the_back_button_goes_through_the_positions() {
    visit(|page| {
        page.open("/explore?p=5x5");
        page.wait_for_values("5x5");
        page.click_cell("a1");
        page.wait_for_values("5x5: a1");
        page.click_cell("c3");
        page.wait_for_values("5x5: a1 c3");
        page.click("#undo");
        page.wait_for_values("5x5: a1");
        page.back();
        page.wait_for_values("5x5: a1 c3");
        page.back();
        page.wait_for_values("5x5: a1");
        assert_eq!(page.value("$('#redo').disabled"), json!(true));
        page.back();
        page.wait_for_values("5x5");
        page.forward();
        page.wait_for_values("5x5: a1");
    });
}

#[test]
fn every_view_keeps_the_position_and_the_back_button_returns() {
    visit(|page| {
        page.open("/explore?p=5x5: a1 c3");
        page.wait_for_values("5x5: a1 c3");
        for view in ["setup", "atlas", "play", "games", "claims"] {
            page.click(&format!("#nav-{view}"));
            page.wait(&format!("$('#view-{view}') && location.pathname === '/{view}'"));
            assert!(page.address().contains("5x5: a1 c3"), "{}", page.address());
            assert_eq!(page.value("$('nav [aria-current=page]').id"), json!(format!("nav-{view}")));
        }
        for view in ["games", "play", "atlas", "setup", "explore"] {
            page.back();
            page.wait(&format!("$('#view-{view}') && location.pathname === '/{view}'"));
        }
        page.wait_for_values("5x5: a1 c3");
    });
}

#[test]
fn a_position_with_gone_cells_and_moves_can_be_linked() {
    visit(|page| {
        page.open("/explore?p=5/5/2n2/1*3/N4 w moves c2 e4");
        page.wait("$('#view-explore')?.dataset.state === 'done'");
        assert_eq!(page.value("all('#history [data-ply]').filter(ply => ply.dataset.ply > 0).length"), json!(2));
        let label = page.text_of("$('#cell-b2').getAttribute('aria-label')");
        assert!(!label.contains("free"), "{label}");
        page.click("#undo");
        page.wait_for_address("at=1");
        page.reload();
        page.wait("$('#view-explore')?.dataset.state === 'done'");
        assert_eq!(page.value("$('#redo').disabled"), json!(false));
    });
}

/// Text from the address must never become part of the page's markup.
#[test]
fn a_hostile_address_is_told_and_harmless() {
    visit(|page| {
        page.expect_fault("400 (Bad Request)");
        let hostile = [
            "<img src=x onerror=window.hurt=1>",
            "7x7: \"><script>window.hurt=1</script>",
            "javascript:window.hurt=1",
            "9999x9999",
            "%00%ff",
            "7x7: a1 a1",
        ];
        for text in hostile {
            page.open(&format!("/explore?p={}", escaped(text)));
            page.wait("/no position/.test(text('#toast'))");
            page.wait("$('#view-explore')?.dataset.state === 'done'");
            assert_eq!(page.value("window.hurt ?? null"), json!(null), "{text}");
            assert_eq!(page.value("all('main img, main script, main iframe').length"), json!(0), "{text}");
        }
        page.open("/explore?p=7x7&at=-5%3Cb%3E");
        page.wait_for_values("7x7");
    });
}
