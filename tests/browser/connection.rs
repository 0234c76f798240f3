//! The page and its server: searches that are given up, a server that goes away and comes back.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Page, Server, visit_server};

/// A position that is not decided within 10 s, which is how long the page lets the server search.
const HARD: &str = "9x9: a1 b1";

/// Waits for a number of searches. It must come long before the search would end by itself.
fn wait_for_searches(server: &Server, number: u64) {
    let begin = Instant::now();
    loop {
        let searches = server.ask("/api/v1/health", &[])["searches"]["running"].as_u64().expect("a number of searches");
        if searches == number {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(6), "{searches} searches are running");
        std::thread::yield_now();
    }
}

#[test]
fn moving_on_gives_up_the_old_search() {
    visit_server(&["--threads", "1"], |page, server| {
        page.open(&format!("/explore?p={HARD}"));
        page.wait("$('#view-explore').dataset.state === 'searching'");
        wait_for_searches(server, 1);
        // This position is in a table.
        page.run("history.pushState(null, '', '/explore?p=5x5'); dispatchEvent(new PopStateEvent('popstate'));", &[]);
        page.wait_for_values("5x5");
        wait_for_searches(server, 0);
        page.back();
        page.wait("$('#view-explore').dataset.state === 'searching'");
        wait_for_searches(server, 1);
        // Another view needs no values.
        page.click("#nav-claims");
        wait_for_searches(server, 0);
        page.back();
        wait_for_searches(server, 1);
        // Chromium keeps a page that was left, in case somebody comes back. It must not search.
        page.leave();
        wait_for_searches(server, 0);
        page.back();
        wait_for_searches(server, 1);
    });
}

/// What the console says about a server that is not there.
fn expect_no_server(page: &Page) {
    for fault in ["ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE_CHUNKED_ENCODING"] {
        page.expect_fault(fault);
    }
}

#[test]
fn a_server_that_comes_back_is_found_again() {
    visit_server(&[], |page, server| {
        expect_no_server(page);
        page.open("/explore?p=5x5: a1");
        page.wait_for_values("5x5: a1");
        assert_eq!(page.value("$('#status').hidden"), json!(true));
        server.stop();
        page.click_cell("c3");
        page.wait("!$('#status').hidden && text('#status').length > 10");
        server.start_again();
        page.wait("$('#status').hidden");
        // What was clicked while it was away happens now.
        page.wait_for_values("5x5: a1 c3");
        page.click_cell("c2");
        page.wait_for_values("5x5: a1 c3 c2");
    });
}

/// Whether it went away at once or took its leave.
#[test]
fn a_search_goes_on_when_the_server_comes_back() {
    for end in [Server::stop, Server::terminate] {
        visit_server(&["--threads", "1"], |page, server| {
            expect_no_server(page);
            page.expect_fault("503 (Service Unavailable)");
            page.open(&format!("/explore?p={HARD}"));
            page.wait("$('#view-explore').dataset.state === 'searching'");
            end(server);
            page.wait("!$('#status').hidden");
            server.start_again();
            page.wait("$('#status').hidden");
            wait_for_searches(server, 1);
        });
    }
}
